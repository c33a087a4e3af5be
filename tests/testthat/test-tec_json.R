test_that("a tree comes back from JSON", {
  skip_if_not_installed("jsonlite")
  cases <- in_turn(export_cases(), 4)
  for (name in names(cases)) {
    fit <- cases[[name]]$fit
    again <- tec_from_json(tec_json(fit))
    expect_export(cases[[name]], "json", name)
    for (type in c("node", "response", if (!is.null(fit$response$levels)) "prob")) {
      expect_identical(
        suppressWarnings(predict(again, cases[[name]]$rows, type)),
        suppressWarnings(predict(fit, cases[[name]]$rows, type)),
        label = name
      )
    }
    expect_identical(as.data.frame(again), as.data.frame(fit))
    lines <- function(x) grep("^ *[0-9]+[)]", capture.output(print(x)), value = TRUE)
    expect_identical(lines(again), lines(fit))
    expect_identical(unclass(tec_json(again)), unclass(tec_json(fit)))
  }
})

test_that("dates, times, differences and a file come back", {
  skip_if_not_installed("jsonlite")
  d <- data_of_times()
  for (x in c("day", "time", "wait")) {
    fit <- tec_tree(stats::reformulate(x, "y"), d)
    file <- withr::local_tempfile()
    writeLines(tec_json(fit), file)
    again <- tec_from_json(file)
    expect_identical(predict(again, d), predict(fit, d))
    expect_identical(labels(again), labels(fit))
  }
})

test_that("the predictors that ship read it", {
  cases <- c(
    export_cases(),
    export_cases(c("a\"b", "c'd\\", "__proto__", "x\ny", "\u00e9", "${x}", "z"), nasty, 3)[1L]
  )
  for (target in c("json_python", "json_javascript")) {
    command <- c(json_python = "python3", json_javascript = "node")[[target]]
    if (!nzchar(Sys.which(command))) next
    for (i in in_turn(seq_along(cases), 3)) {
      expect_export(cases[[i]], target, paste(target, names(cases)[i]))
    }
  }
  expect_length(cases, 15L)
})

test_that("it is valid by its schema", {
  slow_test()
  skip_if_not(
    nzchar(Sys.which("python3")) &&
      any(vapply(c("python3", "/usr/bin/python3"), has_jsonschema, NA)),
      "no python3-jsonschema here"
  )
  python <- Filter(has_jsonschema, c("python3", "/usr/bin/python3"))[1L]
  schema <- system.file("export", "tree.schema.json", package = "tectree")
  check <- function(json) {
    file <- withr::local_tempfile(lines = json)
    code <- paste(
      "import json,sys,jsonschema as j;",
      "s,t=[json.load(open(f,encoding='utf-8')) for f in sys.argv[1:]];",
      "j.Draft7Validator.check_schema(s); j.validate(t,s)"
    )
    system2(
      python, c("-W ignore -c", shQuote(code), shQuote(schema), file), stdout = FALSE,
      stderr = FALSE
    )
  }
  cases <- export_cases()
  for (name in in_turn(names(cases), 2)) {
    expect_identical(check(unclass(tec_json(cases[[name]]$fit))), 0L, label = name)
  }
  expect_false(check(sub("\"threshold\"", "\"treshold\"", tec_json(cases[[1L]]$fit))) == 0L)
})

test_that("text that is not a tree is refused", {
  skip_if_not_installed("jsonlite")
  json <- tec_json(tec_tree(Species ~ ., iris))
  for (bad in c(
    "{}", "[1", "{\"format\": \"tectree\", \"version\": 1}",
    sub("\"version\": 1", "\"version\": 2", json),
    sub("\"children\": [2, 3]", "\"children\": [2, 300]", json, fixed = TRUE),
    sub("\"children\": [2, 3]", "\"children\": [1, 3]", json, fixed = TRUE),
    sub("\"threshold\"", "\"magic\"", json),
    sub("Petal.Length\", \"kind\": \"thr", "nowhere\", \"kind\": \"thr", json)
  )) {
    expect_error(tec_from_json(bad), class = "tec_error_export")
  }
  expect_error(tec_from_json(1), class = "tec_error_argument")
})

test_that("a missing file, a folder and other bytes are reported", {
  skip_if_not_installed("jsonlite")
  expect_error(
    tec_from_json("no such.json"), "no file .*no such.json", class = "tec_error_argument"
  )
  expect_error(tec_from_json(tempdir()), "folder", class = "tec_error_argument")
  expect_error(tec_from_json("{\"a\xff\": 1}"), "UTF-8", class = "tec_error_argument")
  expect_error(tec_from_json("a\xff"), class = "tec_error_argument")
  file <- withr::local_tempfile()
  writeBin(c(charToRaw("{\"format\": \""), as.raw(c(0xe9, 0x22)), charToRaw("}")), file)
  expect_error(tec_from_json(file), "UTF-8", class = "tec_error_argument")
  fit <- tec_tree(Species ~ ., iris, max_depth = 1)
  writeBin(c(as.raw(c(0xef, 0xbb, 0xbf)), charToRaw(tec_json(fit))), file)
  expect_identical(predict(tec_from_json(file), iris), predict(fit, iris))
})

test_that("damage is named with its place", {
  skip_if_not_installed("jsonlite")
  json <- unclass(tec_json(tec_tree(
    Species ~ ., iris, max_depth = 1, prune = "none", missing = "majority", cost = 1 - diag(3)
  )))
  change <- function(from, to) {
    stopifnot(grepl(from, json))
    tryCatch(tec_from_json(sub(from, to, json)), error = function(e) {
      cat(class(e)[1L], cli::ansi_strip(conditionMessage(e)), sep = "\n")
    })
  }
  expect_snapshot({
    change("\"prob\": \\[[^]]*\\]", "\"prob\": [5, 5, 5]")
    change("\"prob\": \\[[^]]*\\]", "\"prob\": [1]")
    change("\"breaks\": \\[[^]]*\\]", "\"breaks\": [null]")
    change("\"default\": 3", "\"default\": 99")
    change("\\[0, 1, 1\\]", "[0, -1, 1]")
    change("\"n\": 150", "\"n\": null")
    change("\"children\": \\[2, 3\\]", "\"children\": [2.5, 3]")
    change("\"type\": \"double\"", "\"type\": \"difftime\", \"units\": \"fortnights\"")
    change("\"kind\": \"threshold\"", "\"kind\": \"subset\"")
    change("\"missing\": \"branch\"", "\"missing\": \"branch\", \"missing\": \"stop\"")
    change("\"gain\"", "\"gains\"")
  })
})

test_that("a tree that breaks a rule of the format is refused by that rule", {
  skip_if_not_installed("jsonlite")
  cases <- json_cases()
  refuses <- json_refuses(cases$surrogates$fit)
  refuses(p$response <- list("a"), "response: it must be an object with named fields")
  refuses(p$columns <- list(), "columns: it must be a list of at least 1")
  refuses(p$response$levels[[2]] <- "no", "\"no\" is there twice")
  refuses(p$smooth_to <- "up", "smooth_to: it must be one of")
  refuses({
    p$smooth <- NULL
    p$smooth_to <- "even"
  }, "smooth_to: it needs \"smooth\"")
  refuses(p$smooth <- NULL, "nodes[1].shares: they need \"smooth\"")
  refuses(p$smooth <- 50, "nodes[1].prob: they do not follow from shares, weight and smooth")
  refuses(p$columns[[1]]$name <- "", "columns[1]: the name is empty")
  refuses(p$columns[[1]]$name <- "z", "columns: \"z\" is there twice")
  refuses(p$columns[[1]]$units <- "secs", "only a column of type \"difftime\" has units")
  refuses(p$columns[[1]]$levels <- list("a"), "columns[1]: a number has no levels")
  refuses(p$columns[[3]]$type <- "logical", "a logical column has FALSE and TRUE")
  refuses(p$criterion <- "entropy", "criterion: it must be an object")
  refuses(p$criterion$name <- "luck", "there is no criterion \"luck\"")
  refuses(p$criterion <- list(name = "l2"), "\"l2\" is not for classification")
  refuses(p$nodes[[1]]$prob <- 0.5, "nodes[1].prob: it must be a list of numbers")
  refuses(p$nodes[[1]]$children <- list(2), "nodes[1].children: there must be at least two")
  refuses({
    p$nodes[[12]] <- p$nodes[[11]]
    p$nodes[[12]]$node <- 12
  }, "nodes: some have no parent")
  refuses(p$nodes[[1]]$default <- NULL, "nodes[1].default: it is missing")
  refuses(p$nodes[[1]]$weight <- 59, "nodes[1].weight: it is less than that of its children, 60")
  refuses(p$nodes[[2]]$n <- 61, "nodes[1].n: a child has more rows than its parent")
  refuses(p$nodes[[1]]$column <- "size", "\"threshold\" does not fit a column that is ordered")
  refuses(p$nodes[[1]]$groups <- list(list("a")), "nodes[1].groups: a number has none")
  refuses(p$nodes[[2]]$breaks <- list(1), "nodes[2].breaks: labels have none")
  refuses(p$nodes[[2]]$groups <- list(list("red")), "nodes[2].groups: there must be 2")
  refuses(p$nodes[[2]]$groups[[1]] <- list("odd"), "the column has no label \"odd\"")
  refuses(p$nodes[[2]]$groups[[1]] <- p$nodes[[2]]$groups[[2]], "is in two groups")
  refuses(p$nodes[[6]]$groups <- rev(p$nodes[[6]]$groups), "all labels in their order, cut once")
  refuses(p$nodes[[2]]$kind <- "multiway", "one for each label, in their order")
  refuses(p$nodes[[1]]$surrogates[[1]]$column <- "z", "it is the column of the split")
  refuses(p$nodes[[1]]$surrogates[[1]]$children <- list(2, 3), "they must be those of the node")

  refuses <- json_refuses(cases$cost$fit)
  refuses(p$cost <- list(list(0, 1)), "cost: it must have 2 rows")
  refuses(p$cost[[1]][[1]] <- 1, "cost: the right class must cost nothing")
  refuses(p$cost <- list(list(0, 0), list(0, 0)), "cost: it is 0 everywhere")
  refuses(p$nodes[[1]]$children <- list(2, 3), "the nodes do not form a tree in pre-order")
  refuses(p$nodes[[2]]$surrogates <- list(list()), "they are only for binary splits")

  refuses <- json_refuses(cases$numbers$fit)
  refuses(p$smooth <- 1, "smooth: it is not for a regression tree")
  refuses(p$cost <- list(list(0)), "cost: it is not for a regression tree")
  refuses(p$response$levels <- list("a"), "response: a number has no levels")
  refuses(p$nodes[[1]]$prob <- list(1), "nodes[1].prob: it is not for a regression tree")

  refuses <- json_refuses(cases$intervals$fit)
  refuses(p$nodes[[1]]$breaks <- rev(p$nodes[[1]]$breaks), "nodes[1].breaks: they must ascend")
  refuses(p$nodes[[1]]$kind <- "threshold", "nodes[1]: it must have two children")
})

test_that("a file with one number changed is refused, or is the tree that it says", {
  slow_test()
  skip_if_not_installed("jsonlite")
  for (case in json_cases()) {
    mutations <- number_mutations(tec_json(case$fit))
    outcome <- vapply(in_turn(mutations, 30), json_outcome, "", case$rows, USE.NAMES = FALSE)
    expect_setequal(unique(outcome), c("refused", "read"))
  }
})

test_that("names beyond the session's encoding come back", {
  skip_if_not_installed("jsonlite")
  skip_on_os("windows")
  code <- "
    d <- data.frame(x = rep(1:2, 20) + 0:39 / 100, y = factor(rep(1:2, 20)))
    names(d)[1] <- '\\u4e2d\\u6587'
    fit <- tectree::tec_tree(x = d[1], y = d$y)
    again <- tectree::tec_from_json(tectree::tec_json(fit))
    cat(identical(predict(again, d), predict(fit, d)), identical(again$columns$name, names(d)[1]))
  "
  file <- withr::local_tempfile(lines = code)
  said <- withr::with_envvar(c(LC_ALL = "C"), system2(
    file.path(R.home("bin"), "Rscript"), c("--vanilla", file), stdout = TRUE, stderr = FALSE,
    env = paste0("R_LIBS=", paste(.libPaths(), collapse = ":"))
  ))
  expect_identical(said, "TRUE TRUE")
})

test_that("a time limit is not reported as a fault of the file, and depth is limited", {
  skip_if_not_installed("jsonlite")
  deep <- paste0("{\"format\": \"tectree\", \"a\": ", strrep("[", 1e5), strrep("]", 1e5), "}")
  expect_error(tec_from_json(deep), "more than 50 nested lists", class = "tec_error_export")
  expect_error(tec_from_json(strrep("{\"a\":", 1e5)), class = "tec_error_export")
  # A class of text that R would read otherwise.
  expect_error(tec_from_json(structure("x", class = "POSIXct")), class = "tec_error_argument")
  d <- data.frame(y = 1:40, f = rep(c(strrep("[{", 60), "a\\\"["), 20))
  fit <- tec_tree(y ~ f, d, min_bucket = 1)
  expect_identical(predict(tec_from_json(tec_json(fit)), d), predict(fit, d))
  set.seed(1)
  text <- tec_json(tec_tree(y ~ ., data.frame(y = rnorm(4000), x = rnorm(4000)), prune = "none"))
  setTimeLimit(elapsed = 0.05, transient = TRUE)
  said <- tryCatch(tec_from_json(text), error = identity)
  setTimeLimit()
  expect_match(conditionMessage(said), "time limit")
  expect_false(inherits(said, "tec_error"))
})

test_that("JSON text has scalars, arrays and objects", {
  expect_identical(
    json_text(list(a = 1L, b = I(2.5), c = NULL, d = TRUE, e = I(character()), f = 1:2)),
    '{"a": 1, "b": [2.5], "d": true, "e": [], "f": [1, 2]}'
  )
  expect_identical(json_text(list(list(x = "a"), I(c(TRUE, NA)))), '[{"x": "a"}, [true, null]]')
  expect_identical(json_text(I(character())), "[]")
  expect_identical(json_text(list()), "[]")
})

test_that("numbers of JSON are the same after a reader", {
  skip_if_not_installed("jsonlite")
  set.seed(1)
  x <- c(0.1 + 0.2, 1 / 3, 1e-300, -1.7e308, 5e-324, 123456789, 0, stats::rnorm(100))
  expect_identical(jsonlite::fromJSON(json_text(I(x))), x)
  expect_identical(json_text(c(NA, Inf, -Inf, NaN)), "[null, 1e999, -1e999, null]")
  expect_identical(json_text(c(1L, NA, 100000L)), "[1, null, 100000]")
})

test_that("strings of JSON are the same after a reader, and no sign that ends a script is left", {
  skip_if_not_installed("jsonlite")
  x <- c(
    "plain", "a \"quote\"", "back\\slash \\u003c", "new\nline\ttab\001", "</script><!--",
    "a & b > c",     "\u00fcml\u00e4ut", "\U0001f333", "line\u2028end", ""
  )
  out <- json_text(I(x))
  expect_identical(jsonlite::fromJSON(out), x)
  expect_no_match(out, "<", fixed = TRUE)
  latin <- iconv("\u00fc", "UTF-8", "latin1")
  expect_identical(json_text(latin), "\"\\u00FC\"")
  expect_identical(json_text("a\xffb"), "\"a\\u003Cff>b\"")
})

test_that("numbers of a file are checked", {
  for (q in list("odd", NULL, list(1, 2))) {
    x <- list(name = "tsallis", q = q)
    expect_error(check_json_criterion(x, "classification"), "^criterion")
  }
  expect_silent(check_json_criterion(list(name = "tsallis", q = 2), "classification"))
  refuses <- json_refuses(tec_tree(Species ~ ., iris))
  refuses(p$nodes[[1]]$n <- "many", "nodes[1].n: it must be a finite number")
  refuses(p$nodes[[1]]$weight <- -1, "nodes[1].weight")
  refuses(p$nodes[[1]]$impurity <- -1, "nodes[1].impurity")
})
