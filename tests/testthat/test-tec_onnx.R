node_path <- function() {
  skip_if_not(nzchar(Sys.which("node")), "no node here")
  found <- system2(
    "node", c("-e", shQuote("require('onnxruntime-web')")), stdout = FALSE, stderr = FALSE
  )
  skip_if_not(found == 0, "node finds no onnxruntime-web")
}

test_that("ONNX Runtime predicts what predict() does", {
  node_path()
  # Starting it takes seconds.
  cases <- export_cases()
  for (name in c("majority classes", "surrogate numbers", "drop classes")) {
    expect_export(cases[[name]], "onnx", name)
  }
  for (name in c("fractional classes", "cost")) expect_export(cases[[name]], "onnx", name, "null")
  expect_export(cases[["fractional numbers"]], "onnx", "majority", "majority")
  names <- c("a\"b", "c'd\\", "*/ x", "line\nbreak", "\U0001F333 \u00e9", "${x}", "z")
  expect_export(export_cases(names, nasty, 3)[["surrogate classes"]], "onnx", "nasty")
})

test_that("onnx's checker takes the model", {
  python <- Filter(function(p) {
    nzchar(Sys.which(p)) && system2(
      p, c("-c", shQuote("import onnx")), stdout = FALSE, stderr = FALSE
    ) == 0
  }, c("python3", "/usr/bin/python3"))
  skip_if_not(length(python) > 0L, "no python3-onnx here")
  check <- paste(
    "import onnx,sys; m=onnx.load(sys.argv[1]); onnx.checker.check_model(m,full_check=True);",
    "print(*[i.name for i in m.graph.input],*[o.name for o in m.graph.output])"
  )
  cases <- export_cases()
  file <- withr::local_tempfile()
  for (name in c("fractional classes", "surrogate numbers", "drop classes", "cost")) {
    tec_onnx(cases[[name]]$fit, file, "null")
    said <- system2(python[1L], c("-c", shQuote(check), file), stdout = TRUE)
    numbers <- is.null(cases[[name]]$fit$response$levels)
    out <- if (numbers) "value node" else "label probabilities node"
    expect_match(said, out, label = name)
  }
})

test_that("what ONNX cannot say is an error", {
  expect_error(
    tec_onnx(tec_tree(Species ~ ., iris, missing = "fractional")), "majority",
    class = "tec_error_export"
  )
  expect_error(tec_onnx(tec_tree(mpg ~ wt, mtcars, max_depth = 0)), class = "tec_error_export")
  d <- data.frame(node = 1:40, y = 1:40)
  expect_error(tec_onnx(tec_tree(y ~ node, d), missing = "null"), class = "tec_error_export")
  expect_type(tec_onnx(tec_tree(mpg ~ wt, mtcars, missing = "majority")), "raw")
})

test_that("what ONNX needs to run is named", {
  skip_on_os("windows")
  said <- shQuote("echo \"Error: Cannot find module 'onnxruntime-web'\" >&2; exit 1")
  expect_error(system_or_stop("sh", c("-c", said)), "npm install", class = "tec_error_export")
  expect_error(
    system_or_stop("sh", c("-c", shQuote("exit 1"))), "failed", class = "tec_error_export"
  )
})
