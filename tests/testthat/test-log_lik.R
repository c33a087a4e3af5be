test_that("the log-likelihood is that of its formula", {
  d <- mixed_data(150)
  fit <- tec_tree(y ~ z + colour, d)
  p <- predict(fit, d, type = "prob")[cbind(1:150, as.integer(d$y))]
  expect_equal(as.numeric(logLik(fit)), sum(log(p)))
  expect_identical(attr(logLik(fit), "df"), n_leaves(fit) * 2 + (n_nodes(fit) - n_leaves(fit)))
  number <- tec_tree(number ~ z + colour, d)
  e <- residuals(number, d)
  expect_equal(as.numeric(logLik(number)), sum(dnorm(e, sd = sqrt(mean(e^2)), log = TRUE)))
  leaves <- n_leaves(number)
  expect_equal(attr(logLik(number, split_df = 3), "df"), leaves + 1 + 3 * (leaves - 1))
  l1 <- tec_tree(number ~ z + colour, d, criterion = "l1")
  b <- mean(abs(residuals(l1, d)))
  expect_equal(as.numeric(logLik(l1)), sum(-log(2 * b) - abs(residuals(l1, d)) / b))
  expect_equal(AIC(number), 2 * attr(logLik(number), "df") - 2 * as.numeric(logLik(number)))
  expect_equal(BIC(number), log(150) * attr(logLik(number), "df") - 2 * as.numeric(logLik(number)))
})

test_that("it equals that of lm() with the leaves as groups, and a weight repeats a row", {
  fit <- tec_tree(mpg ~ ., mtcars)
  leaf <- factor(predict(fit, mtcars, type = "node"))
  groups <- lm(mpg ~ leaf, mtcars)
  expect_equal(as.numeric(logLik(fit)), as.numeric(logLik(groups)))
  expect_equal(attr(logLik(fit, split_df = 0), "df"), attr(logLik(groups), "df"))
  weights <- rep(c(1, 2, 3, 0), 8)
  again <- mtcars[rep(1:32, weights), ]
  for (formula in c(mpg ~ wt + hp, factor(cyl) ~ wt + hp)) {
    weighted <- tec_tree(formula, mtcars, weights = weights, weights_as = "frequency")
    repeated <- tec_tree(formula, again)
    expect_equal(logLik(weighted), logLik(repeated))
    expect_equal(BIC(weighted), BIC(repeated))
  }
})

test_that("several trees in one table, a tuning result too", {
  fit <- tec_tree(Species ~ ., iris)
  small <- tec_prune(fit, cp = 0.1)
  expect_identical(AIC(fit, small)$AIC, c(AIC(fit), AIC(small)))
  tuned <- withr::with_seed(1, tec_tune(Species ~ ., iris, q = 1:2, folds = 3))
  expect_identical(logLik(tuned), logLik(tuned$fit))
  expect_error(logLik(fit, split_df = -1), class = "tec_error_argument")
  expect_error(logLik(fit, splitdf = 1), class = "tec_error_argument")
})

test_that("methods need nothing but the fit, from a formula and from x and y", {
  plain <- tec_tree(mpg ~ wt + hp, mtcars)
  xy <- tec_tree(x = mtcars[c("wt", "hp")], y = mtcars$mpg)
  for (fit in list(plain, xy)) {
    expect_identical(names(model.frame(fit))[-1], c("wt", "hp"))
    expect_equal(model.frame(fit)[[1]], mtcars$mpg)
    expect_identical(attr(terms(fit), "term.labels"), c("wt", "hp"))
    expect_identical(nobs(fit), 32L)
    expect_equal(sum(residuals(fit)^2), deviance(fit))
    expect_equal(residuals(fit), mtcars$mpg - fitted(fit))
  }
})
