languages <- c(r = "Rscript", python = "python3", javascript = "node", c = "cc", rust = "rustc")

for (lang in names(languages)) {
  test_that(paste("the function predicts what the forest does:", lang), {
    slow_out_of_turn(lang, setdiff(names(languages), "rust"), 2)
    skip_if_not(nzchar(Sys.which(languages[[lang]])), paste("no", languages[[lang]], "here"))
    cases <- forest_export_cases(trees = 4L)
    # rustc takes seconds a program.
    if (lang == "rust") cases <- cases[c("learned", "costfractional", "dropnumbers")]
    cases <- in_turn(cases, if (lang == "rust") 1 else 2)
    for (name in names(cases)) expect_export(cases[[name]], lang, paste(lang, name))
  })

  test_that(paste("names and labels of a forest cannot break out of their quotes:", lang), {
    slow_out_of_turn(lang, setdiff(names(languages), "rust"), 2)
    skip_if_not(nzchar(Sys.which(languages[[lang]])), paste("no", languages[[lang]], "here"))
    names <- c(
      "a\"b", "c'd\\", "__proto__", "line\nbreak*/", "\U0001F333 \u00e9", "${x}", "@SCORE@"
    )
    cases <- forest_export_cases(names, nasty, 3, trees = 2L)
    for (name in in_turn(c("fractional", "shares"), 1)) {
      expect_export(cases[[name]], lang, paste(lang, name))
    }
    expect_true(all(utf8ToInt(tec_code(cases[[1L]]$fit, lang)) < 127L))
  })
}

test_that("a forest of one leaf, and of columns without levels, is code that runs", {
  slow_test()
  set.seed(1)
  fit <- tec_forest(mpg ~ wt + hp, mtcars, trees = 3, threads = 1)
  leaf <- tec_forest(mpg ~ wt, mtcars, trees = 2, max_depth = 0, threads = 1)
  for (lang in names(languages)) {
    if (lang == "rust" || !nzchar(Sys.which(languages[[lang]]))) next
    for (one in list(fit, leaf)) {
      expect_identical(verify_export(one, mtcars, lang)$agree, 32L, label = lang)
    }
  }
  own <- eval(parse(text = tec_code(fit, "r")))
  expect_error(own(mtcars["wt"]), "no column hp")
  expect_equal(own(mtcars)$response, predict(fit, mtcars))
})

test_that("the votes of the code are those of predict()", {
  set.seed(1)
  fit <- tec_forest(Species ~ ., iris, trees = 10, threads = 1)
  expect_equal(eval(parse(text = tec_code(fit)))(iris)$votes, predict(fit, iris, "votes"))
})

test_that("the code of a forest stops at a missing value if the forest does", {
  lost <- rbind(iris[c(1, 60, 140), ], NA)
  lost[2, 3:4] <- NA
  for (formula in list(Species ~ ., Sepal.Length ~ .)) {
    fit <- tec_forest(formula, iris, trees = 2, missing = "drop", max_depth = 2, threads = 1)
    out <- verify_export(fit, lost, "r")
    expect_identical(out$agree, out$rows)
  }
  expect_error(
    verify_export(fit, lost, "r", missing = "majority"), "is for SQL, PMML and ONNX",
    class = "tec_error_argument"
  )
})

test_that("sets of labels in Rust are comparisons of numbers", {
  d <- data.frame(g = rep(letters[1:4], 10), y = rep(c(1, 5.5, 1, 5.5), 10))
  code <- tec_code(tec_tree(y ~ g, d), "rust")
  expect_match(code, "== 1.0 || ", fixed = TRUE)
  expect_match(code, "== 3.0)", fixed = TRUE)
})
