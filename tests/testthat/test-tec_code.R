languages <- c(r = "Rscript", python = "python3", javascript = "node", c = "cc", rust = "rustc")

for (lang in names(languages)) {
  test_that(paste("the function predicts what predict() does:", lang), {
    slow_out_of_turn(lang, names(languages), 3)
    skip_if_not(nzchar(Sys.which(languages[[lang]])), paste("no", languages[[lang]], "here"))
    cases <- export_cases()
    # rustc takes seconds a program.
    if (lang == "rust") {
      cases <- cases[c("fractional classes", "surrogate numbers", "drop classes", "cost", "leaf")]
    }
    cases <- in_turn(cases, if (lang == "rust") 1 else 3)
    for (name in names(cases)) expect_export(cases[[name]], lang, paste(lang, name))
  })

  test_that(paste("names and labels cannot break out of their quotes:", lang), {
    slow_out_of_turn(lang, setdiff(names(languages), "rust"), 2)
    skip_if_not(nzchar(Sys.which(languages[[lang]])), paste("no", languages[[lang]], "here"))
    names <- c("a\"b", "c'd\\", "__proto__", "line\nbreak*/", "\U0001F333 \u00e9", "${x}", "@NEXT@")
    cases <- export_cases(names, nasty, 3)
    for (name in in_turn(c("fractional classes", "mode classes"), 1)) {
      expect_export(cases[[name]], lang, paste(lang, name))
    }
    expect_true(all(utf8ToInt(tec_code(cases[[1L]]$fit, lang)) < 127L))
  })
}

test_that("numbers are written so that they read back as the same double", {
  set.seed(1)
  x <- c(
    0, 1, -1, 0.1, 2.45, 1 / 3, 1e22, 1e23, 123456789012345680, 5e-324, .Machine$double.xmin,
    .Machine$double.xmax, stats::rnorm(2000) * 10^sample(-20:20, 2000, TRUE),
    round(stats::rnorm(500), 3)
  )
  # Another reader than R's: each text once more through the C library.
  hex <- function(text) {
    system2("awk", shQuote("{printf \"%.17g\\n\", $1}"), input = text, stdout = TRUE)
  }
  skip_if_not(nzchar(Sys.which("awk")))
  expect_identical(hex(exact_number(x)), sprintf("%.17g", x))
  expect_identical(exact_number(c(2.45, 0.1)), c("2.45", "0.1"))
  expect_identical(vapply(r_number(x), function(t) eval(parse(text = t)), 0, USE.NAMES = FALSE), x)
})

test_that("a deep tree needs no deep nesting", {
  fit <- chain_tree(3000)
  rows <- data.frame(x = c(0.5, 1500, 2999.5, 4000, NA))
  expect_identical(tec_verified(fit, rows, "r"), c(5L, 5L))
  skip_if_not(nzchar(Sys.which("python3")))
  expect_identical(tec_verified(fit, rows, "python"), c(5L, 5L))
})

test_that("columns must be there, and names plain", {
  fit <- tec_tree(Species ~ ., iris, max_depth = 2)
  own <- eval(parse(text = tec_code(fit, "r")))
  expect_error(own(iris[1]), "no column Petal.Length")
  expect_identical(own(iris)$response, predict(fit, iris))
  expect_error(tec_code(fit, "c", name = "x; system()"), class = "tec_error_argument")
  expect_error(tec_code(fit, "cobol"), class = "tec_error_argument")
  expect_output(print(tec_code(fit, "c")), "A decision tree, written by")
})

test_that("verify_export() finds a difference", {
  fit <- tec_tree(Species ~ ., iris)
  other <- tec_tree(Species ~ ., iris, max_depth = 1)
  target <- function(rows) list(node = predict(other, rows, "node"))
  expect_error(
    verify_export(fit, iris, target), "150 rows differ, the first is row 51",
    class = "tec_error_export"
  )
  expect_error(
    verify_export(fit, iris, function(rows) list(prob = predict(fit, rows, "prob") + 1e-6)),
    class = "tec_error_export"
  )
  none <- function(rows) list(response = rep(NA, nrow(rows)))
  expect_error(verify_export(fit, iris, none), class = "tec_error_export")
  expect_error(verify_export(fit, iris, function(rows) list()), class = "tec_error_export")
  expect_error(verify_export(fit, iris["Species"], "r"), class = "tec_error_newdata")
})

test_that("the C source is C++ too", {
  skip_if(!nzchar(Sys.which("g++")), "there is no g++")
  file <- withr::local_tempfile(fileext = ".cpp")
  for (case in in_turn(export_cases(labels = nasty), 2)) {
    tec_code(case$fit, "c++", file = file)
    flags <- c("-std=c++17", "-Wall", "-Werror", "-fsyntax-only", shQuote(file))
    expect_identical(suppressWarnings(system2("g++", flags)), 0L)
  }
})
