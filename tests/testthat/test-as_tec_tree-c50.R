test_that("C5.0's trees predict the same here", {
  slow_test()
  skip_if_not_installed("C50")
  all <- every_split()
  d <- all$data
  d$day <- as.numeric(d$day)
  names(d)[names(d) == "colour"] <- "colour: of, it."
  d$flag <- factor(d$flag)
  d$tenth <- round(d$x, 1) + 0.7
  for (subset in c(TRUE, FALSE)) {
    control <- C50::C5.0Control(subset = subset, minCases = 1, CF = 0.9)
    tree <- C50::C5.0(x = d[setdiff(names(d), c("y", "z"))], y = d$y, control = control)
    fit <- as_tec_tree(tree)
    expect_gt(n_leaves(fit), 10)
    expect_identical(predict(fit, d), predict(tree, d))
    from_formula <- C50::C5.0(Species ~ ., iris)
    fit <- as_tec_tree(from_formula)
    expect_identical(predict(fit, iris), predict(from_formula, iris))
    expect_identical(
      formula(fit), Species ~ Sepal.Length + Sepal.Width + Petal.Length + Petal.Width
    )
  }
  leaf <- C50::C5.0(x = data.frame(x = 1:10), y = factor(rep(c("a", "b"), 5)))
  expect_identical(n_leaves(as_tec_tree(leaf)), 1L)
})
