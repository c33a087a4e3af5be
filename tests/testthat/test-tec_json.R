test_that("a tree comes back from JSON", {
  skip_if_not_installed("jsonlite")
  cases <- some_of(export_cases(), 4)
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
  d <- data.frame(
    day = as.Date("2020-01-01") + 0:59, time = as.POSIXct("2020-01-01", tz = "Asia/Tokyo") + (0:59)^2,
    wait = as.difftime((0:59) / 3, units = "hours"), y = seq_len(60)
  )
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
  cases <- c(export_cases(), export_cases(c("a\"b", "c'd\\", "__proto__", "x\ny", "\u00e9", "${x}", "z"), nasty, 3)[1L])
  for (target in c("json_python", "json_javascript")) {
    command <- c(json_python = "python3", json_javascript = "node")[[target]]
    if (!nzchar(Sys.which(command))) next
    for (i in some_of(seq_along(cases), 4)) expect_export(cases[[i]], target, paste(target, names(cases)[i]))
  }
  expect_length(cases, 13L)
})

test_that("it is valid by its schema", {
  skip_if_not(
    nzchar(Sys.which("python3")) &&
      any(vapply(c("python3", "/usr/bin/python3"), has_jsonschema, NA)), "no python3-jsonschema here"
  )
  python <- Filter(has_jsonschema, c("python3", "/usr/bin/python3"))[1L]
  schema <- system.file("export", "tree.schema.json", package = "tectree")
  check <- function(json) {
    file <- withr::local_tempfile(lines = json)
    code <- "import json,sys,jsonschema as j; s,t=[json.load(open(f,encoding='utf-8')) for f in sys.argv[1:]]; j.Draft7Validator.check_schema(s); j.validate(t,s)"
    system2(python, c("-W ignore -c", shQuote(code), shQuote(schema), file), stdout = FALSE, stderr = FALSE)
  }
  cases <- export_cases()
  for (name in some_of(names(cases), 4)) expect_identical(check(unclass(tec_json(cases[[name]]$fit))), 0L, label = name)
  expect_false(check(sub("\"threshold\"", "\"treshold\"", tec_json(cases[[1L]]$fit))) == 0L)
})

test_that("what is no such tree is refused", {
  skip_if_not_installed("jsonlite")
  json <- tec_json(tec_tree(Species ~ ., iris))
  for (bad in c(
    "{}", "nothing", sub("\"version\": 1", "\"version\": 2", json),
    sub("\"children\": [2, 3]", "\"children\": [2, 300]", json, fixed = TRUE),
    sub("\"children\": [2, 3]", "\"children\": [1, 3]", json, fixed = TRUE),
    sub("\"threshold\"", "\"magic\"", json), sub("Petal.Length\", \"kind\": \"thr", "nowhere\", \"kind\": \"thr", json)
  )) {
    expect_error(tec_from_json(bad), class = "tec_error_export")
  }
  expect_error(tec_from_json(1), class = "tec_error_argument")
})
