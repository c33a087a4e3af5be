# Boosted classifiers of every kind, with rows at cuts, with missing values and with unseen levels.
export_boosted_classes <- function() {
  set.seed(4)
  full <- export_data(200)
  d <- with_gaps(full)
  two <- export_response(full, nasty[1:2])
  three <- export_response(full, letters[c(1, 9, 5)])
  grow <- function(y, ...) {
    fit <- suppressWarnings(tec_boost(d, y, rounds = 6, folds = 0, max_depth = 3, threads = 1, ...))
    list(fit = fit, rows = forest_export_rows(linked_forest(fit), export_data(60)))
  }
  list(
    two = grow(two), three = grow(three), cyclic = grow(two, cyclic = TRUE),
    cyclicthree = grow(three, cyclic = TRUE), steep = grow(two, rate = 1, lambda = 0),
    ada = grow(three, method = "adaboost"), adatwo = grow(two, method = "adaboost"),
    adafractional = grow(three, method = "adaboost", missing = "fractional"),
    adadrop = grow(three, method = "adaboost", missing = "drop")
  )
}

test_that("R code gives the classes, the probabilities and the sums", {
  cases <- export_boosted_classes()
  for (name in in_turn(names(cases), 5)) {
    case <- cases[[name]]
    own <- eval(parse(text = tec_code(case$fit, "r")))
    said <- own(case$rows)
    predicted <- suppressWarnings(lapply(
      list(response = "class", prob = "prob", link = "link"),
      function(type) predict(case$fit, case$rows, type = type)
    ))
    expect_identical(said$response, predicted$response, label = name)
    expect_equal(said, predicted, tolerance = 1e-12, label = name)
    out <- verify_export(case$fit, case$rows, "r")
    expect_identical(out$what, c("response", "prob", "link"))
  }
  expect_length(own(case$rows[0L, ])$response, 0L)
})

test_that("programs give the classes and the probabilities", {
  slow_test()
  cases <- export_boosted_classes()
  commands <- c(python = "python3", javascript = "node", c = "cc", rust = "rustc")
  for (target in names(commands)[nzchar(Sys.which(commands))]) {
    # Rust's compiler takes seconds.
    some <- if (target == "rust") c("three", "adafractional") else names(cases)
    for (name in in_turn(some, if (target == "rust") 1 else 3)) {
      expect_export(cases[[name]], target, paste(name, target))
    }
  }
})

test_that("JSON gives the classes, the probabilities and the sums, and comes back", {
  slow_test()
  skip_if_not_installed("jsonlite")
  cases <- export_boosted_classes()
  for (name in in_turn(names(cases), 4)) {
    case <- cases[[name]]
    json <- tec_json(case$fit)
    again <- tec_from_json(json)
    expect_s3_class(again, "tec_boost")
    expect_identical(again$trees, case$fit$trees, label = name)
    for (type in c("response", "class", "prob", "link")) {
      said <- suppressWarnings(lapply(list(again, case$fit), predict, case$rows, type = type))
      expect_identical(said[[1L]], said[[2L]], label = paste(name, type))
    }
    early <- suppressWarnings(lapply(list(again, case$fit), predict, case$rows, rounds = c(1, 4)))
    expect_identical(early[[1L]], early[[2L]], label = name)
    expect_identical(unclass(tec_json(again)), unclass(json), label = name)
    out <- verify_export(case$fit, case$rows, "json")
    expect_identical(out$what, c("response", "prob", "link"))
    expect_identical(out$agree, out$rows, label = name)
  }
})

test_that("the JSON readers in the package give the classes and the probabilities", {
  slow_test()
  cases <- export_boosted_classes()
  for (target in c("json_python", "json_javascript")) {
    command <- c(json_python = "python3", json_javascript = "node")[[target]]
    if (!nzchar(Sys.which(command))) next
    for (name in in_turn(names(cases), 3)) {
      expect_export(cases[[name]], target, paste(name, target))
    }
  }
  expect_length(cases, 9L)
})

test_that("JSON of boosted classes is valid by the schema, and damage is named with its place", {
  slow_test()
  cases <- export_boosted_classes()[c("two", "three", "adafractional", "adadrop")]
  for (case in cases) expect_true(valid_by_schema(unclass(tec_json(case$fit))))
  json <- unclass(tec_json(cases$two$fit))
  expect_false(valid_by_schema(sub("\"output\"", "\"vote\": [1], \"output\"", json)))
  expect_false(valid_by_schema(sub("\"scale\": 1", "\"scale\": 0", json)))
  skip_if_not_installed("jsonlite")
  small <- unclass(tec_json(tec_boost(factor(am) ~ wt, mtcars,
    rounds = 2, folds = 0, max_depth = 1
  )))
  change <- function(from, to, json = small) {
    stopifnot(grepl(from, json, fixed = TRUE))
    tryCatch(tec_from_json(sub(from, to, json, fixed = TRUE)), error = function(e) {
      cat(class(e)[1L], cli::ansi_strip(conditionMessage(e)), sep = "\n")
    })
  }
  ada <- unclass(tec_json(tec_boost(Species ~ ., iris, method = "adaboost", rounds = 2)))
  expect_snapshot({
    change("\"round\": [1, 2]", "\"round\": [2, 1]")
    change("\"output\": [1, 1]", "\"output\": [1, 2]")
    change("\"output\": [1, 1]", "\"output\": [1]")
    change("\"output\": [1, 1], ", "")
    change("\"base\": [", "\"base\": [1, ")
    change("\"scale\": 1", "\"scale\": 2")
    change("\"scale\": 1", "\"scale\": 1, \"more\": 1")
    change("\"link\": {", "\"class_by\": \"votes\", \"link\": {")
    change("\"vote\": [", "\"vote\": [-", ada)
    change("\"base\": [0", "\"base\": [1", ada)
  })
})

test_that("boosted classes with one number changed are refused, or are what the file says", {
  skip_if_not_installed("jsonlite")
  fit <- tec_boost(factor(am) ~ wt, mtcars, rounds = 2, folds = 0, max_depth = 1)
  mutations <- in_turn(number_mutations(tec_json(fit)), 40)
  outcome <- vapply(mutations, function(text) {
    fit <- tryCatch(tec_from_json(text), error = identity)
    if (inherits(fit, c("tec_error_export", "tec_error_argument"))) return("refused")
    stopifnot(inherits(fit, "tec_boost"))
    said <- jsonlite::parse_json(text)
    again <- jsonlite::parse_json(unclass(tec_json(fit)))
    if (!isTRUE(all.equal(said, again, tolerance = 0))) stop("another model came back: ", text)
    prob <- predict(fit, mtcars, type = "prob")
    stopifnot(abs(rowSums(prob) - 1) < 1e-8)
    utils::capture.output(print(fit))
    "read"
  }, "", USE.NAMES = FALSE)
  expect_setequal(unique(outcome), c("refused", "read"))
})

test_that("a boosted model from a file says what is missing", {
  skip_if_not_installed("jsonlite")
  again <- tec_from_json(tec_json(tec_boost(factor(am) ~ wt + hp, mtcars, rounds = 3, folds = 0)))
  expect_snapshot({
    print(again)
    summary(again)
  })
  expect_identical(glance(again)$rounds, 3L)
  expect_identical(importance(again)$variable, c("wt", "hp"))
  expect_snapshot_output(show_errors({
    plot(again)
    tidy(again)
    fitted(again)
    tec_more(again, 3, mtcars)
  }))
})

test_that("SQL gives the classes and the probabilities", {
  skip_if_not_installed("RSQLite")
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  withr::defer(DBI::dbDisconnect(con))
  cases <- export_boosted_classes()
  rules <- rep(c("as_fitted", "majority", "null"), length.out = length(cases))
  for (i in in_turn(seq_along(cases), 6)) {
    out <- verify_export(cases[[i]]$fit, cases[[i]]$rows, con, rules[i])
    expect_identical(out$agree, out$rows, label = paste(names(cases)[i], rules[i]))
    expect_identical(out$what, c("response", "prob"))
  }
  DBI::dbWriteTable(con, "flowers", iris)
  ask <- function(fit, type) {
    DBI::dbGetQuery(con, tec_sql(fit, con, type, table = "flowers", keep = character()))
  }
  fit <- tec_boost(Species ~ ., iris, rounds = 5, folds = 0)
  link <- as.matrix(ask(fit, "link"))
  expect_equal(link, predict(fit, iris, type = "link"), tolerance = 1e-12)
  expect_equal(as.matrix(ask(fit, "prob")), predict(fit, iris, type = "prob"), tolerance = 1e-12)
  expect_named(ask(fit, "node"), paste0("node_", 1:15))
  two <- tec_boost(am ~ wt + hp, transform(mtcars, am = factor(am)), rounds = 5, folds = 0)
  DBI::dbWriteTable(con, "cars", mtcars)
  said <- DBI::dbGetQuery(con, tec_sql(two, con, "link", table = "cars", keep = character()))
  expect_equal(said$link, predict(two, mtcars, type = "link"), tolerance = 1e-12)
})

test_that("PostgreSQL gives the classes and the probabilities", {
  slow_test()
  folder <- start_postgres(environment())
  cases <- export_boosted_classes()
  for (name in in_turn(c("two", "three", "ada", "adafractional", "steep"), 2)) {
    case <- cases[[name]]
    forest <- linked_forest(case$fit)
    put_postgres_rows(forest, exported_rows(forest, case$rows), folder)
    said <- lapply(c("class", "prob"), function(type) {
      query <- tec_sql(case$fit, "postgres", type, table = "r", keep = "row_number")
      ask_postgres(paste0("SELECT * FROM (", query, ") q ORDER BY row_number"), folder)[-1L]
    })
    predicted <- suppressWarnings(lapply(c("class", "prob"), function(type) {
      predict(case$fit, case$rows, type = type)
    }))
    expect_identical(said[[1L]][[1L]], as.character(predicted[[1L]]), label = name)
    prob <- matrix(as.numeric(as.matrix(said[[2L]])), nrow(case$rows))
    expect_equal(prob, unname(predicted[[2L]]), tolerance = 1e-9, label = name)
  }
})

test_that("PMML gives the classes and the probabilities", {
  slow_test()
  skip_if_not_installed("xml2")
  cases <- export_boosted_classes()
  for (i in in_turn(seq_along(cases), 4)) {
    fit <- cases[[i]]$fit
    rules <- setdiff(missing_choices, if (fit$trees$unknown == 1L) "as_fitted")
    missing <- rules[i %% length(rules) + 1L]
    target <- pmml_target(tec_pmml(fit, missing = missing))
    out <- verify_export(fit, cases[[i]]$rows, function(rows) target(rows), missing)
    expect_identical(out$agree, out$rows, label = paste(names(cases)[i], missing))
    expect_identical(out$what, c("response", "prob"))
  }
})

test_that("ONNX Runtime gives the classes and the probabilities", {
  node_path()
  cases <- export_boosted_classes()
  # Starting it takes seconds.
  for (name in c("two", "three", "adatwo")) expect_export(cases[[name]], "onnx", name)
  expect_export(cases$adafractional, "onnx", "null", "null")
})

test_that("onnx's checker accepts the models", {
  cases <- export_boosted_classes()[c("two", "three", "ada")]
  said <- checked_onnx(lapply(cases, function(case) tec_onnx(case$fit)))
  expect_identical(said, rep("probabilities label", 3L))
})

test_that("documents of boosted models are valid by PMML's schema", {
  skip_if_not_installed("xml2")
  schema <- Sys.getenv("TECTREE_PMML")
  skip_if_not(file.exists(schema), "no schema: TECTREE_PMML names pmml-4-4.xsd")
  schema <- xml2::read_xml(schema)
  for (case in export_boosted_classes()[c("two", "three", "ada", "adatwo")]) {
    text <- tec_pmml(case$fit, missing = "majority")
    expect_true(xml2::xml_validate(xml2::read_xml(unclass(text)), schema))
  }
})

test_that("what an export cannot represent is an error that says what to do", {
  three <- tec_boost(Species ~ ., iris, rounds = 2, folds = 0)
  turned <- suppressWarnings(tec_rotation(Species ~ ., iris, trees = 2))
  splines <- suppressWarnings(tec_mars(Species ~ ., iris))
  expect_snapshot_output(show_errors({
    tec_sql(three)
    tec_sql(three, type = "votes", table = "t")
    tec_code(turned)
    tec_pmml(splines)
    tec_onnx(splines)
  }))
})
