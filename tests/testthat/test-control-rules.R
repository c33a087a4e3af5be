test_that("the preset sets the rules, an argument overrides them", {
  c45 <- tec_tree(Species ~ ., iris, preset = "c45")
  expect_identical(c45$control$rules, "c45")
  expect_identical(tec_tree(Species ~ ., iris)$control$rules, "exact")
  exact <- tec_tree(Species ~ ., iris, preset = "c45", rules = "exact")
  expect_identical(exact$control$rules, "exact")
  expect_identical(exact$tree$breaks[1], 2.45)
  other <- tec_tree(Species ~ ., iris, criterion = "effcami1", rules = "c45")
  expect_identical(other$control$rules, "c45")
})

test_that("the rules are for classes", {
  fit <- tec_tree(mpg ~ ., mtcars, preset = "c45", criterion = "l2", prune = "none")
  expect_identical(fit$control$rules, "exact")
  expect_snapshot(show_errors({
    tec_tree(mpg ~ ., mtcars, rules = "c45")
    tec_tree(Species ~ ., iris, rules = "c50")
  }))
  expect_error(tec_tree(mpg ~ ., mtcars, rules = "c45"), class = "tec_error_control")
})
