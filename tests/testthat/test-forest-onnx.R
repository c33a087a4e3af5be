test_that("ONNX Runtime predicts what the forest does", {
  node_path()
  cases <- forest_export_cases(trees = 5L)
  for (name in c("learned", "shares", "cost", "numbers", "drop")) {
    expect_export(cases[[name]], "onnx", name)
  }
  for (name in c("fractional", "costfractional", "dropnumbers")) {
    expect_export(cases[[name]], "onnx", name, "null")
  }
  expect_export(cases[["fractionalnumbers"]], "onnx", "majority", "majority")
  names <- c("a\"b", "c'd\\", "*/ x", "line\nbreak", "\U0001F333 \u00e9", "${x}", "z")
  expect_export(forest_export_cases(names, nasty, 3, trees = 3L)$learned, "onnx", "nasty")
})

test_that("onnx's checker takes the model of a forest", {
  python <- Filter(function(p) {
    nzchar(Sys.which(p)) &&
      system2(p, c("-c", shQuote("import onnx")), stdout = FALSE, stderr = FALSE) == 0
  }, c("python3", "/usr/bin/python3"))
  skip_if_not(length(python) > 0L, "no python3-onnx here")
  check <- paste(
    "import onnx,sys; m=onnx.load(sys.argv[1]); onnx.checker.check_model(m,full_check=True);",
    "print(*[o.name for o in m.graph.output])"
  )
  cases <- forest_export_cases(trees = 3L)
  file <- withr::local_tempfile()
  for (name in c("learned", "cost", "numbers")) {
    tec_onnx(cases[[name]]$fit, file)
    said <- system2(python[1L], c("-c", shQuote(check), file), stdout = TRUE)
    wanted <- if (name == "numbers") "value" else "probabilities votes label"
    expect_identical(said, wanted, label = name)
  }
})

test_that("what ONNX cannot say of a forest is an error", {
  set.seed(1)
  expect_error(
    tec_onnx(tec_forest(Species ~ ., iris, trees = 2, missing = "fractional", threads = 1)),
    "forest has.*majority", class = "tec_error_export"
  )
  expect_error(
    tec_onnx(tec_forest(mpg ~ wt, mtcars, trees = 2, max_depth = 0, threads = 1)), "leaves",
    class = "tec_error_export"
  )
})
