test_that("numbers read back as the same double, as short as can be proved", {
  set.seed(1)
  x <- c(stats::rnorm(50), 10^stats::runif(50, -300, 300), 1 / 3, 0.1, 2.45, 2^53, 5e-324, 1e308)
  text <- exact_number(x)
  expect_identical(
    as.numeric(text[abs(x) > 1e-5 & abs(x) < 1e15]), x[abs(x) > 1e-5 & abs(x) < 1e15]
  )
  expect_identical(exact_number(c(2.45, 0.1, 5, -0)), c("2.45", "0.1", "5", "-0"))
  # R itself reads every one of them, by way of hexadecimals where it rounds decimals.
  expect_identical(vapply(parse(text = r_number(x)), eval, 0), x)
  expect_identical(real_number(c(1, 0.5, 1e20)), c("1.0", "0.5", "1e+20"))
})

test_that("a string is printable ASCII that each language reads back", {
  strings <- c(nasty, "plain", "caf\u00e9", "\U0001F333")
  for (lang in c("r", "c", "python", "javascript", "json", "rust")) {
    text <- quoted(strings, lang)
    expect_false(any(grepl("[^ -~]", text)), label = lang)
    inside <- substring(text, 2L, nchar(text) - 1L)
    expect_false(any(grepl("(^|[^\\\\])\"", inside)), label = lang)
  }
  read <- vapply(parse(text = quoted(strings, "r"), encoding = "UTF-8"), eval, "")
  expect_identical(enc2utf8(read), enc2utf8(strings))
  expect_identical(quoted("\u00e9\U0001F333", "javascript"), "\"\\u00E9\\uD83C\\uDF33\"")
  expect_identical(quoted("\u00e9\U0001F333", "python"), "\"\\u00E9\\U0001F333\"")
  expect_identical(quoted("\u00e9\U0001F333", "rust"), "\"\\u{E9}\\u{1F333}\"")
  expect_identical(quoted("\u00e9", "c"), "\"\\303\\251\"")
  expect_identical(quoted(character(), "c"), character())
})

test_that("a file is replaced by a complete text or left alone", {
  folder <- withr::local_tempdir()
  file <- file.path(folder, "text")
  expect_identical(
    withVisible(give_text("one\u00e9", file)), list(value = "one\u00e9", visible = FALSE)
  )
  expect_identical(readLines(file, encoding = "UTF-8"), "one\u00e9")
  half <- function(con) {
    writeLines("half", con)
    stop("full disk")
  }
  expect_error(write_complete(half, file, 5), "cannot be written", class = "tec_error_export")
  # R passes over it if a full disk takes only some of the bytes.
  short <- function(con) writeLines("half", con)
  expect_error(write_complete(short, file, 9), "disk full", class = "tec_error_export")
  long <- file.path(dirname(file), strrep("a", 1e4))
  expect_error(tec_json(tec_tree(mpg ~ wt, mtcars), long), class = "tec_error_argument")
  expect_identical(readLines(file, encoding = "UTF-8"), "one\u00e9")
  expect_identical(list.files(folder, all.files = TRUE, no.. = TRUE), "text")
  expect_identical(give_text("two", NULL), "two")
})

test_that("every writer checks the name of its file first", {
  fit <- full_tree(Species ~ ., iris, missing = "majority")
  for (write in list(tec_sql, tec_json, tec_code, tec_pmml, tec_onnx, tec_view)) {
    for (file in list(3, NA_character_, "", c("a", "b"), tempdir(), "/no/such/folder/file")) {
      expect_error(write(fit, file = file), class = "tec_error_argument")
    }
  }
})
