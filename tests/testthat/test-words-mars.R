test_that("arguments of earth and others are understood", {
  parts <- c("side", "cut", "selected")
  same <- function(a, b) expect_identical(a[parts], b[parts])
  same(
    tec_mars(mpg ~ ., mtcars,
      nk = 9, nprune = 4, minspan = 2, endspan = 3, fast.k = 5, fast.beta = 0
    ),
    tec_mars(mpg ~ ., mtcars,
      terms = 9, max_terms = 4, min_span = 2, end_span = 3, fast_k = 5, fast_beta = 0
    )
  )
  same(tec_mars(mpg ~ ., mtcars, pmethod = "none"), tec_mars(mpg ~ ., mtcars, prune = "none"))
  same(tec_mars(mpg ~ ., mtcars, prune_method = "backward"), tec_mars(mpg ~ ., mtcars))
  same(
    withr::with_seed(1, tec_mars(mpg ~ ., mtcars, pmethod = "cv", nfold = 5)),
    withr::with_seed(1, tec_mars(mpg ~ ., mtcars, folds = 5))
  )
  same(
    tec_mars(mtcars[-1], mtcars$mpg, max_degree = 2, trace = 1, keepxy = TRUE, newvar.penalty = 0),
    tec_mars(mpg ~ ., mtcars, degree = 2)
  )
  same(
    suppressWarnings(tec_mars(Species ~ ., iris, glm = list(family = binomial))),
    suppressWarnings(tec_mars(Species ~ ., iris))
  )
  expect_snapshot(show_errors({
    tec_mars(mpg ~ ., mtcars, pmethod = "exhaustive")
    tec_mars(mpg ~ ., mtcars, linpreds = TRUE)
    tec_mars(mpg ~ ., mtcars, glm = list(family = poisson))
    tec_mars(mpg ~ ., mtcars, nk = 9, terms = 7)
    tec_mars(mpg ~ ., mtcars, newvar.penalty = 0.1)
  }))
})

test_that("`w` of mda is the weights", {
  w <- rep(1:2, 16)
  fit <- tec_mars(mtcars[2:4], mtcars$mpg, w = w)
  expect_identical(coef(fit), coef(tec_mars(mtcars[2:4], mtcars$mpg, weights = w)))
})
