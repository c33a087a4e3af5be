test_that("each round has a tree for every predictor, and pairs come after", {
  set.seed(1)
  d <- boost_data(200)
  fit <- tec_boost(number ~ a + b + f + o, d, rounds = 6, folds = 0, cyclic = TRUE, pairs = 2)
  expect_identical(fit$rounds, 12L)
  expect_identical(as.vector(table(fit$round)), rep(c(4L, 2L), each = 6))
  used <- function(t) {
    nodes <- (fit$trees$start[t] + 1):fit$trees$start[t + 1]
    setdiff(unique(abs(fit$trees$variable[nodes])), 0)
  }
  for (t in seq_along(fit$round)) {
    allowed <- if (t <= 24) (t - 1) %% 4 + 1 else fit$settings$chosen[[(t - 25) %% 2 + 1]]
    expect_true(all(used(t) %in% allowed))
  }
})

test_that("the pair with an interaction is chosen", {
  set.seed(2)
  n <- 1000
  d <- data.frame(matrix(runif(n * 5), n))
  d$y <- d$X1 + d$X4 + 4 * (d$X2 > 0.5) * (d$X5 > 0.3) + rnorm(n) / 10
  fit <- tec_boost(y ~ ., d, rounds = 60, folds = 0, cyclic = TRUE, pairs = 1)
  expect_identical(fit$settings$chosen, list(c(2L, 5L)))
})

test_that("a round is a sequence of Newton steps", {
  set.seed(3)
  d <- boost_data(60)[c("a", "b", "number")]
  fit <- tec_boost(number ~ a + b, d,
    rounds = 3, folds = 0, rate = 0.5, cyclic = TRUE, pairs = 0, min_bucket = 3
  )
  score <- rep(mean(d$number), 60)
  set <- list(lambda = 1, min_rows = 3, min_weight = 1e-3)
  for (r in 1:3) {
    for (j in c("a", "b")) {
      score <- score + 0.5 * oracle_newton_tree(d[j], score - d$number, rep(1, 60), 1:60, 1, set)
    }
  }
  expect_equal(predict(fit, d), score, tolerance = 1e-9)
})

test_that("validation and folds choose the rounds of cyclic boosting", {
  set.seed(4)
  d <- boost_data(300)
  for (y in c("number", "three")) {
    f <- reformulate(c("a", "b", "o"), y)
    fit <- tec_boost(f, d, rounds = 60, rate = 0.5, cyclic = TRUE, validation = 0.3, patience = 5)
    expect_identical(nrow(fit$curve), fit$rounds)
    expect_identical(max(fit$round) + 1L, fit$rounds)
    by_folds <- tec_boost(f, d, rounds = 10, rate = 0.5, cyclic = TRUE, folds = 3, pairs = 1)
    expect_identical(by_folds$rounds, which.min(by_folds$curve$folds))
    expect_identical(max(by_folds$round) + 1L, by_folds$rounds)
  }
})
