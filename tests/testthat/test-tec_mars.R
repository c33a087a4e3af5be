without_cheapest <- function(at, rss) {
  if (length(at) < 2L) {
    return(at)
  }
  at[-(1L + which.min(vapply(at[-1L], function(k) rss(setdiff(at, k)), 0)))]
}

test_that("the forward pass is that of regressions on every knot", {
  # In the fixed case one row is the largest of two columns, so two steps are the same.
  for (case in case_seeds(2, also = 94271822L)) at_seed(case, {
    degree <- 1 + case %% 2
    d <- mars_data(case, n = 30 + case %% 7)
    weights <- if (case %% 3 == 0) stats::runif(nrow(d$x), 0.5, 2)
    fit <- tec_mars(d$x, d$y,
      degree = degree, terms = 11, min_span = 1, end_span = 1, end_adjust = 0, fast_k = 0,
      fast_beta = 0, weights = weights, prune = "none", thresh = 0.02, penalty = 0
    )
    steps <- mars_steps(fit)
    naive <- naive_mars(
      d$x, d$y, degree, 11, weights %||% rep(1, nrow(d$x)), thresh = 0.02, chosen = steps
    )
    expect_identical(steps, naive)
  })
})

test_that("sizes are those of backward elimination, or better, and the errors those of lm()", {
  for (case in case_seeds(1)) at_seed(case, {
    d <- mars_data(100 + case, 60)
    weights <- if (case %% 2 == 0) stats::runif(60, 0.2, 3)
    fit <- tec_mars(d$x, d$y, weights = weights)
    w <- (weights %||% rep(1, 60)) / mean(weights %||% 1)
    basis <- mars_basis(d$x, fit$side, fit$cut, seq_len(nrow(fit$side)))
    rss <- function(at) {
      sum(w * stats::lm.wfit(basis[, at, drop = FALSE], d$y, w)$residuals^2)
    }
    at <- seq_len(ncol(basis))
    for (size in rev(at)) {
      expect_equal(fit$sizes$rss[size], rss(fit$subsets[[size]]), tolerance = 1e-9)
      expect_lte(fit$sizes$rss[size], rss(at) * (1 + 1e-9))
      at <- without_cheapest(at, rss)
    }
    m <- fit$sizes$terms
    gcv <- fit$sizes$rss / (60 * (1 - (m + 2 * (m - 1) / 2) / 60)^2)
    expect_equal(fit$sizes$gcv, ifelse(m + (m - 1) >= 60, Inf, gcv))
    expect_identical(length(fit$selected), which.min(fit$sizes$gcv))
    kept <- stats::lm.wfit(basis[, fit$selected], d$y, w)
    expect_equal(unname(fit$coefficients[, 1L]), unname(kept$coefficients), tolerance = 1e-8)
  })
})

test_that("several responses are taken together", {
  fit <- tec_mars(Species ~ ., iris)
  x <- as.matrix(iris[1:4])
  basis <- mars_basis(x, fit$side, fit$cut, seq_len(nrow(fit$side)))
  y <- outer(iris$Species, levels(iris$Species), "==") + 0
  rss <- function(at) sum(stats::lm.fit(basis[, at, drop = FALSE], y)$residuals^2)
  at <- seq_len(ncol(basis))
  for (size in rev(at)) {
    expect_equal(fit$sizes$rss[size], rss(at), tolerance = 1e-9)
    at <- without_cheapest(at, rss)
  }
})

test_that("probabilities are those of glm() on the terms", {
  d <- mars_data(7, 300)
  d <- data.frame(d$x, y = d$y + stats::rnorm(300))
  d$two <- factor(d$y > 0.3, labels = c("no", "yes"))
  d$three <- cut(d$y, c(-Inf, 0, 0.8, Inf), c("a", "b", "c"))
  weights <- rep(1:3, 100)
  logistic <- function(fit, truth) {
    basis <- mars_basis(as.matrix(d[1:3]), fit$side, fit$cut, fit$selected)
    w <- weights / mean(weights)
    suppressWarnings(stats::glm.fit(basis, truth + 0, w, family = stats::quasibinomial()))
  }
  two <- tec_mars(two ~ x1 + x2 + x3, d, weights = weights)
  glm <- logistic(two, d$two == "yes")
  expect_equal(unname(two$coefficients[, 1L]), unname(glm$coefficients), tolerance = 1e-6)
  expect_equal(predict(two, d, "prob")[, "yes"], unname(glm$fitted.values), tolerance = 1e-6)
  three <- tec_mars(three ~ x1 + x2 + x3, d, weights = weights)
  prob <- vapply(levels(d$three), function(k) logistic(three, d$three == k)$fitted.values, d$y)
  expect_equal(unname(predict(three, d, "prob")), unname(prob / rowSums(prob)), tolerance = 1e-6)
  expect_identical(predict(three, d), factor(levels(d$three)[max.col(prob)], levels(d$three)))
})

test_that("folds choose the size of the smallest error on rows left out", {
  d <- mars_data(3, 120)
  group <- rep(1:4, 30)
  fit <- tec_mars(d$x, d$y, folds = group)
  by_hand <- Reduce(`+`, lapply(1:4, function(k) {
    one <- tec_mars(d$x[group != k, ], d$y[group != k], prune = "none")
    vapply(seq_len(nrow(fit$sizes)), function(size) {
      at <- sort(one$subsets[[min(size, length(one$subsets))]])
      basis <- function(rows) mars_basis(d$x[rows, ], one$side, one$cut, at)
      b <- stats::lm.fit(basis(group != k), d$y[group != k])$coefficients
      sum((d$y[group == k] - basis(group == k) %*% b)^2)
    }, 0)
  }))
  expect_equal(fit$sizes$cv, by_hand / 120)
  expect_identical(length(fit$selected), which.min(by_hand))
})

test_that("factors enter by levels, and rows, weights and threads count as they should", {
  d <- transform(mtcars, cyl = factor(cyl), gear = factor(gear, ordered = TRUE), vs = vs == 1)
  fit <- tec_mars(mpg ~ cyl + gear + vs + hp, d)
  by_hand <- cbind(
    cyl6 = d$cyl == "6", cyl8 = d$cyl == "8", gear = as.integer(d$gear), vsTRUE = d$vs, hp = d$hp
  ) + 0
  same <- tec_mars(by_hand, d$mpg)
  expect_identical(fit$inputs$name, colnames(by_hand))
  expect_equal(unname(fit$coefficients), unname(same$coefficients))
  expect_equal(predict(fit, d), predict(same, by_hand))
  # A row of weight 0 is not used, equal weights change nothing.
  twice <- tec_mars(mpg ~ ., mtcars, weights = rep(c(2, 0), c(20, 12)))
  expect_equal(coef(twice), coef(tec_mars(mpg ~ ., mtcars[1:20, ])))
  threads <- tec_mars(mpg ~ ., mtcars, degree = 2, threads = 2)
  expect_identical(coef(threads), coef(tec_mars(mpg ~ ., mtcars, degree = 2, threads = 1)))
})

test_that("small and large units give the same function", {
  d <- mars_data(5, 80)
  fit <- tec_mars(d$x, d$y)
  for (unit in c(1e-9, 1e40)) {
    other <- tec_mars(d$x * unit, d$y)
    expect_equal(predict(other, d$x * unit), predict(fit, d$x), tolerance = 1e-6)
  }
})

test_that("data without anything to learn are safe", {
  d <- data.frame(y = 1:20 / 7, one = 1, f = factor("a", levels = "a"), x = 1:20)
  expect_identical(variable.names(tec_mars(y ~ ., d), used = TRUE), "x")
  constant <- tec_mars(one ~ x, d)
  expect_identical(length(constant$selected), 1L)
  expect_equal(predict(constant, d), d$one)
  expect_equal(predict(tec_mars(y ~ one, d), d), rep(mean(d$y), 20))
  twins <- tec_mars(y ~ x + z + u, transform(d, z = x, u = -2 * x))
  expect_equal(predict(twins, transform(d, z = x, u = -2 * x)), d$y)
  for (n in 1:6) expect_length(predict(tec_mars(y ~ x, d[seq_len(n), ]), d), 20L)
  wide <- as.data.frame(matrix(stats::rnorm(8 * 30), 8))
  expect_true(all(is.finite(predict(tec_mars(V1 ~ ., wide, degree = 3), wide))))
})

test_that("rows with missing predictors are left out with a message, and predicted as missing", {
  d <- transform(airquality, Month = factor(Month))
  expect_message(expect_message(fit <- tec_mars(Ozone ~ ., d), "response"), "predictors")
  expect_identical(nobs(fit), sum(stats::complete.cases(d)))
  gone <- is.na(d[fit$columns$name[fit$used]])
  expect_identical(is.na(predict(fit, d)), unname(rowSums(gone) > 0))
  expect_error(
    suppressMessages(tec_mars(Ozone ~ ., d, na.action = na.pass)), class = "tec_error_missing"
  )
  expect_error(
    suppressMessages(tec_mars(Ozone ~ ., d, na.action = na.fail)), class = "tec_error_missing"
  )
})

test_that("errors name a solution", {
  d <- data.frame(y = c(1, 2, 3), x = c(1, Inf, 2), z = 1:3, k = factor("a"), c = "one")
  expect_snapshot(show_errors({
    tec_mars(y ~ x, d)
    tec_mars(y ~ k, d)
    tec_mars(c ~ z, d)
    tec_mars(y ~ z, d[0, ])
    tec_mars(y ~ z, d, degree = 0)
    tec_mars(y ~ z, d, thresh = 2)
    tec_mars(y ~ z, d, penalty = -2)
    tec_mars(y ~ z, d, min_span = 1.5)
    tec_mars(y ~ z, d, end_span = 10)
    tec_mars(y ~ z, d, prune = "forward")
    tec_mars(y ~ z, d, prune = "gcv", folds = 3)
    tec_mars(y ~ z, d, folds = c(1, 1, 1))
    tec_mars(y ~ z, d, terms = 2000)
    tec_mars(I(y * 1e200) ~ z, d)
    tec_mars(y ~ z, d, knots = 3)
    tec_mars(data = d)
  }))
})

test_that("a penalty of another type is an error of ours", {
  for (penalty in list(mean, new.env(), quote(x))) {
    expect_error(tec_mars(mpg ~ ., mtcars, penalty = penalty), class = "tec_error_control")
  }
})
