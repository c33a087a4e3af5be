test_that("ONNX Runtime predicts what predict() does", {
  node_path()
  # Starting it takes seconds.
  cases <- export_cases()
  for (name in some_of(c("majority classes", "drop classes", "surrogate numbers"), 2)) {
    expect_export(cases[[name]], "onnx", name)
  }
  for (name in some_of(c("fractional classes", "cost"), 1)) {
    expect_export(cases[[name]], "onnx", name, "null")
  }
  expect_export(cases[["fractional numbers"]], "onnx", "majority", "majority")
  names <- c("a\"b", "c'd\\", "*/ x", "line\nbreak", "\U0001F333 \u00e9", "${x}", "z")
  expect_export(export_cases(names, nasty, 3)[["surrogate classes"]], "onnx", "nasty")
})

test_that("onnx's checker takes the model", {
  cases <- export_cases()[c("fractional classes", "surrogate numbers", "drop classes", "cost")]
  said <- checked_onnx(lapply(cases, function(case) tec_onnx(case$fit, missing = "null")))
  classes <- "label probabilities node"
  expect_identical(said, c(classes, "value node", classes, classes))
})

test_that("models that ONNX cannot express are errors", {
  expect_error(
    tec_onnx(tec_tree(Species ~ ., gappy_iris(), missing = "fractional")), "majority",
    class = "tec_error_export"
  )
  expect_error(tec_onnx(tec_tree(mpg ~ wt, mtcars, max_depth = 0)), class = "tec_error_export")
  d <- data.frame(node = 1:40, y = 1:40)
  expect_error(tec_onnx(tec_tree(y ~ node, d), missing = "null"), class = "tec_error_export")
  expect_type(tec_onnx(tec_tree(mpg ~ wt, mtcars, missing = "majority")), "raw")
})

test_that("the program of an export is looked up before the model predicts", {
  fit <- tec_tree(mpg ~ wt, mtcars, missing = "majority")
  local_binding("expected_predictions", function(...) stop("the model predicts"))
  node <- Sys.which("node")
  withr::with_envvar(c(PATH = withr::local_tempdir()), {
    for (target in c("onnx", "python", "c")) {
      expect_error(verify_export(fit, mtcars, target), "was not found", class = "tec_error_export")
    }
  })
  expect_error(verify_export(fit, mtcars, "json"), "the model predicts")
  skip_if_not(nzchar(node), "there is no node")
  withr::local_envvar(NODE_PATH = withr::local_tempdir(), HOME = withr::local_tempdir())
  withr::local_dir(withr::local_tempdir())
  expect_error(verify_export(fit, mtcars, "onnx"), "npm install", class = "tec_error_export")
})

test_that("programs that ONNX needs are named", {
  skip_on_os("windows")
  said <- shQuote("echo \"Error: Cannot find module 'onnxruntime-web'\" >&2; exit 1")
  expect_error(system_or_stop("sh", c("-c", said)), "npm install", class = "tec_error_export")
  expect_error(
    system_or_stop("sh", c("-c", shQuote("exit 1"))), "failed", class = "tec_error_export"
  )
})

test_that("a default tree is verified as it is exported", {
  node_path()
  rows <- gappy_iris()
  out <- verify_export(tec_tree(Species ~ ., iris), rows, "onnx")
  expect_identical(out$agree, out$rows)
})

test_that("the tables of a model begin with the entry for rows without a prediction", {
  tables <- list()
  make <- list(
    node = function(...) NULL, gather = function(...) NULL, output = function(...) NULL,
    table = function(name, x, ...) {
      tables[[name]] <<- x
      NULL
    }
  )
  onnx_tree(list(form = 1, value = c(3, 4)), make)
  expect_identical(tables$values, c(NaN, 3, 4))
  onnx_tree(list(classes = c("a", "b"), value = 2:1, prob = rbind(c(0, 1), c(1, 0))), make)
  expect_identical(tables$labels, c("", "b", "a"))
  expect_identical(tables$shares, rbind(NaN, c(0, 1), c(1, 0)))
})
