responses <- c(squared = "number", logistic = "two", multinomial = "three")
outputs <- c(squared = 1, logistic = 1, multinomial = 3)
predictors <- c("a", "b", "f", "o")

test_that("trees are those of a naive oracle: gradients, Newton leaves, missing values, levels", {
  for (i in case_seeds(2)) at_seed(i, {
    for (loss in names(responses)) {
      set.seed(i)
      d <- boost_data(60)
      w <- if (i %% 2 == 0) runif(60, 0.5, 2) else rep(1, 60)
      w <- w / mean(w)
      lambda <- if (i %% 3 == 0) 0 else 1
      x <- d[predictors]
      set <- list(lambda = lambda, min_rows = 3, min_weight = 0.01)
      depth <- 1 + i %% 3
      fit <- tec_boost(x, d[[responses[[loss]]]],
        weights = w, rounds = 4, folds = 0, rate = 0.5, max_depth = depth, lambda = lambda,
        min_bucket = 3,
        min_weight = 0.01, threads = 1 + i %% 2
      )
      y <- as.numeric(d[[responses[[loss]]]])
      expected <- oracle_boost(x, y, loss, w, 4, 0.5, depth, set, fit$base)
      got <- as.matrix(predict(fit, x, type = if (loss == "squared") "response" else "link"))
      expect_equal(unname(got), expected, tolerance = 1e-9, info = paste(i, loss))
    }
  })
})

test_that("if a bound forbids the best grouping of levels, the next best is found", {
  # The best prefix, {a}, is too small; the best grouping allowed, {a, d}, is no prefix.
  d <- data.frame(f = factor(rep(c("a", "b", "c", "d"), c(2, 7, 7, 3))))
  d$y <- c(rep(10, 2), rep(1, 7), rep(1.1, 7), rep(0, 3))
  groups <- oracle_divisions(d$f)
  off <- vapply(groups, function(left) {
    if (min(sum(left), sum(!left)) < 5) Inf else
      sum((d$y - stats::ave(d$y, left))^2)
  }, 0)
  best <- groups[[which.min(off)]]
  fit <- tec_boost(y ~ f, d,
    rounds = 1, folds = 0, rate = 1, max_depth = 1, lambda = 0, min_bucket = 5
  )
  expect_equal(predict(fit, d), stats::ave(d$y, best))
  order <- names(sort(tapply(d$y, d$f, mean)))
  prefix <- vapply(1:3, function(k) {
    left <- d$f %in% order[seq_len(k)]
    if (min(sum(left), sum(!left)) < 5) Inf else sum((d$y - stats::ave(d$y, left))^2)
  }, 0)
  expect_lt(min(off), min(prefix))
})

test_that("values missing only in new rows go down the heavier branch", {
  d <- data.frame(x = c(rep(1, 12), rep(2, 10)), f = factor(rep(c("a", "b"), c(12, 10))))
  d$y <- c(rep(0, 12), rep(5, 10))
  w <- c(rep(1, 12), rep(3, 10))
  for (name in c("x", "f")) {
    f <- reformulate(name, "y")
    one <- d[1, ]
    one[[name]] <- d[[name]][NA_integer_]
    heavy <- tec_boost(f, d,
      weights = w, rounds = 1, folds = 0, rate = 1, lambda = 0, min_bucket = 1
    )
    expect_equal(predict(heavy, one), 5)
    plain <- tec_boost(f, d, rounds = 1, folds = 0, rate = 1, lambda = 0, min_bucket = 1)
    expect_equal(predict(plain, one), 0)
  }
})

test_that("the initial scores are the best constants", {
  set.seed(1)
  d <- boost_data(50)
  w <- runif(50)
  fit <- tec_boost(number ~ a, d, rounds = 1, folds = 0, weights = w)
  expect_equal(fit$base, weighted.mean(d$number, w))
  fit <- tec_boost(two ~ a, d, rounds = 1, folds = 0, weights = w)
  expect_equal(fit$base, qlogis(weighted.mean(d$two == "yes", w)))
  fit <- tec_boost(three ~ a, d, rounds = 1, folds = 0)
  expect_equal(exp(fit$base), as.vector(prop.table(table(d$three))))
})

test_that("without a penalty the trees are those of least squares: the sorted search agrees", {
  for (i in case_seeds(4)) at_seed(i, {
    d <- boost_data(120)
    w <- runif(120, 0.5, 2)
    fit <- tec_boost(number ~ a + b + f + o, d,
      rounds = 1, folds = 0, rate = 1, max_depth = 3, lambda = 0, min_bucket = 1, min_weight = 0,
      weights = w
    )
    # Each row weighs more than the least sizes.
    tree <- tec_tree(number ~ a + b + f + o, d,
      criterion = "l2", max_depth = 3, min_bucket = 1, min_split = 2, missing = "learned",
      prune = "none", weights = w * 4
    )
    expect_equal(predict(fit, d), predict(tree, d), tolerance = 1e-9, info = i)
  })
})

test_that("any number of threads gives the same model", {
  set.seed(2)
  n <- 6000
  d <- data.frame(matrix(rnorm(n * 8), n))
  d$y <- d$X1 + d$X2 * d$X3 + rnorm(n)
  grow <- function(threads) {
    set.seed(3)
    tec_boost(y ~ ., d,
      rounds = 5, max_depth = 6, sample_fraction = 0.7, column_fraction = 0.5, validation = 0.2,
      threads = threads
    )
  }
  one <- grow(1)
  two <- grow(2)
  expect_identical(one$trees, two$trees)
  expect_identical(one$curve, two$curve)
})

test_that("a share of rows and of predictors is drawn in each round", {
  set.seed(4)
  d <- boost_data(80)
  set.seed(1)
  some <- tec_boost(number ~ a + b + f + o, d,
    rounds = 30, folds = 0, sample_fraction = 0.5, column_fraction = 0.25
  )
  leaves <- some$trees$variable == 0
  tree <- findInterval(seq_along(leaves) - 1, some$trees$start)
  # Leaf weights are those of the rows drawn; one predictor in each tree.
  expect_true(all(tapply(some$trees$right[leaves], tree[leaves], sum) == 40))
  used <- tapply(abs(some$trees$variable[!leaves]), tree[!leaves], function(v) length(unique(v)))
  expect_true(all(used == 1))
  expect_gt(length(some$used), 1)
})

#' @srrstats {ML7.10} The path of the loss.
test_that("the training loss is that of the predictions, and falls", {
  set.seed(5)
  d <- boost_data(200)
  for (loss in names(responses)) {
    y <- d[[responses[[loss]]]]
    fit <- tec_boost(d[predictors], y, rounds = 20, folds = 0)
    expect_true(all(diff(fit$curve$training) < 0))
    if (loss == "squared") {
      mine <- mean((predict(fit, d) - y)^2)
    } else {
      p <- predict(fit, d, type = "prob")
      mine <- -mean(log(p[cbind(seq_along(y), as.integer(y))]))
    }
    expect_equal(mine, fit$curve$training[20], tolerance = 1e-12)
  }
})

test_that("validation ends the run and keeps the best rounds", {
  set.seed(6)
  d <- boost_data(300)
  new <- boost_data(100)
  for (y in responses) {
    f <- reformulate(predictors, y)
    set.seed(1)
    fit <- tec_boost(f, d, rounds = 300, rate = 0.5, validation = new, patience = 5)
    expect_lt(fit$rounds, 300)
    expect_identical(fit$rounds, which.min(fit$curve$validation))
    expect_identical(nrow(fit$curve), fit$rounds + 5L)
    if (y == "number") {
      stages <- predict(fit, new, rounds = c(1, fit$rounds))
      mine <- vapply(stages, function(p) mean((p - new$number)^2), 0)
      expect_equal(unname(mine), fit$curve$validation[c(1, fit$rounds)])
    }
  }
  set.seed(2)
  part <- tec_boost(number ~ a + b, d, rounds = 50, validation = 0.25)
  expect_identical(part$n_rows, 225L)
})

test_that("folds choose the rounds, and the model is that of all rows", {
  set.seed(7)
  d <- boost_data(150)
  set.seed(1)
  plainly <- function(...) {
    tec_boost(number ~ a + b + f, d,
      rate = 0.5, sample_fraction = 1, column_fraction = 1, min_bucket = 10, ...
    )
  }
  fit <- plainly(rounds = 40, folds = 4)
  expect_identical(fit$rounds, which.min(fit$curve$folds))
  plain <- plainly(rounds = fit$rounds, folds = 0)
  expect_identical(plain$trees, fit$trees)
  expect_true(all(fit$curve$folds_se > 0))
})

# tests/cpp/ensemble/test_boost.cpp has a thousand more.
test_that("predictions follow the monotone directions", {
  for (i in case_seeds(25)) at_seed(i, {
    n <- 40
    d <- data.frame(a = round(rnorm(n), 1), b = rnorm(n))
    d$o <- factor(sample(1:4, n, TRUE), ordered = TRUE)
    d$y <- -d$a + d$b + rnorm(n)
    if (i %% 3 == 0) d$y <- factor(d$y > 0)
    direction <- sample(c(-1, 1), 2, TRUE)
    fit <- tec_boost(y ~ ., d,
      rounds = 5, folds = 0, rate = 0.7, max_depth = 1 + i %% 5, lambda = i %% 2,
      min_bucket = 1 + i %% 3,
      monotone = c(a = direction[1], o = direction[2]), threads = 1
    )
    grid <- expand.grid(a = seq(-3, 3, 0.25), b = d$b[1:6], o = levels(d$o))
    grid$o <- factor(grid$o, levels(d$o), ordered = TRUE)
    p <- array(predict(fit, grid, type = "link"), c(25, 6, 4))
    expect_true(all(direction[1] * (p[-1, , ] - p[-25, , ]) >= -1e-12), info = i)
    expect_true(all(direction[2] * (p[, , -1] - p[, , -4]) >= -1e-12), info = i)
  })
})

test_that("an offset is added to the predictions of the trees", {
  set.seed(8)
  d <- boost_data(100, missing = FALSE)
  d$start <- 3 * d$a
  fit <- tec_boost(number ~ a + b, d, rounds = 10, folds = 0, offset = start)
  plain <- tec_boost(I(number - start) ~ a + b, d, rounds = 10, folds = 0)
  rlang::local_options(rlib_message_verbosity = "verbose")
  expect_message(found <- predict(fit, d), "offset", class = "tec_message_offset")
  expect_equal(found, predict(plain, d))
  expect_no_message(with_offset <- predict(fit, d, offset = d$start))
  expect_equal(with_offset, found + d$start)
  fit <- tec_boost(two ~ b, d, rounds = 1, folds = 0, max_depth = 1, offset = start)
  glm <- glm(two ~ 1, binomial, d, offset = start)
  expect_equal(fit$base, unname(coef(glm)), tolerance = 1e-6)
  fit <- tec_boost(d["b"], d$three, rounds = 2, folds = 0, offset = matrix(0, 100, 3))
  expect_identical(fit$trees, tec_boost(d["b"], d$three, rounds = 2, folds = 0)$trees)
})

test_that("frequencies are rows", {
  set.seed(9)
  d <- boost_data(60)
  w <- sample(1:3, 60, TRUE)
  for (y in responses) {
    f <- reformulate(predictors, y)
    one <- tec_boost(f, d,
      rounds = 5, folds = 0, weights = w, weights_as = "frequency", min_bucket = 1, min_weight = 1
    )
    all <- tec_boost(f, d[rep(1:60, w), ], rounds = 5, folds = 0, min_bucket = 1, min_weight = 1)
    type <- if (y == "number") "response" else "link"
    expect_equal(predict(one, d, type = type), predict(all, d, type = type), tolerance = 1e-7)
  }
})

test_that("factors of hundreds of levels are split as by least squares, round by round", {
  for (i in case_seeds(1)) at_seed(i, {
    n <- 900
    d <- data.frame(f = factor(sample(400, n, TRUE), 1:400), a = round(rnorm(n), 1))
    d$o <- factor(sample(300, n, TRUE), 1:300, ordered = TRUE)
    d$f[sample(n, 50)] <- NA
    d$y <- as.integer(d$f) %% 5 + as.integer(d$o) / 100 + d$a
    d$y[is.na(d$y)] <- 3
    w <- runif(n, 0.5, 2)
    fit <- tec_boost(y ~ f + o + a, d,
      rounds = 2, folds = 0, rate = 1, max_depth = 2, lambda = 0, min_bucket = 1, min_weight = 0,
      weights = w
    )
    rest <- d$y
    for (round in 1:2) {
      d$rest <- rest
      tree <- tec_tree(rest ~ f + o + a, d,
        criterion = "l2", max_depth = 2, min_bucket = 1, min_split = 2, missing = "learned",
        prune = "none", weights = w * 4, free_levels = Inf
      )
      rest <- rest - predict(tree, d)
    }
    expect_equal(predict(fit, d), d$y - rest, tolerance = 1e-9, info = i)
  })
})

test_that("a share of the rows is drawn of the rows of each fold", {
  set.seed(3)
  n <- 90
  d <- as.data.frame(matrix(sample(0:1, 5 * n, TRUE), n))
  d$y <- d$V1 + d$V2 * d$V3 + rnorm(n)
  grow <- function(data, w, folds = 0, ...) {
    tec_boost(d[names(d)[1:5]][data, ], d$y[data],
      rounds = 8, folds = folds, max_depth = 2, lambda = 0, min_weight = 0, min_bucket = 2,
      column_fraction = 1, threads = 1,
      weights = w[data], ...
    )
  }
  for (w in list(NULL, runif(n, 0.5, 3))) {
    for (share in c(0.3, 0.7, 10)) {
      set.seed(5)
      fit <- grow(1:n, w, sample_fraction = share, folds = 3)
      set.seed(5)
      draw_seeds(8)
      group <- draw_folds(3, n)
      loss <- vapply(1:3, function(k) {
        set.seed(5)
        one <- grow(which(group != k), w, sample_fraction = share)
        out <- which(group == k)
        said <- predict(one, d[out, ], rounds = 1:8)
        vapply(said, function(s) weighted.mean((s - d$y[out])^2, (w %||% rep(1, n))[out]), 0)
      }, numeric(8))
      expect_equal(fit$curve$folds, unname(rowMeans(loss)), tolerance = 1e-7)
    }
  }
})
