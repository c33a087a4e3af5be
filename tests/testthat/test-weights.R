# What weights mean: importance with mean 1, and frequencies, which are repeated rows.

weight_data <- function(n = 150) {
  d <- mixed_data(n)
  d$number[1:3] <- NA
  d$w <- sample(0:3, n, TRUE)
  d
}

# The same but for the call and what is said of weights.
expect_same_fit <- function(a, b, parts) {
  for (part in parts) expect_equal(unclass(a)[[part]], unclass(b)[[part]], info = part)
}

seeded <- function(code) withr::with_seed(7, suppressWarnings(suppressMessages(code)))

test_that("a tree of frequencies is that of the repeated rows", {
  set.seed(1)
  d <- weight_data()
  all <- d[rep(seq_len(nrow(d)), d$w), ]
  f <- y ~ number + z + colour
  for (set in list(
    list(), list(prune = "none"), list(prune = "ebp"), list(preset = "c45"), list(preset = "cart"),
    list(missing = "surrogate"), list(missing = "majority"), list(prior = c(0.2, 0.3, 0.5)),
    list(alpha = "1se"), list(honest = TRUE), list(q = c(0.5, 2))
  )) {
    a <- seeded(do.call(tec_tree, c(list(f, d, weights = d$w, weights_as = "frequency"), set)))
    b <- seeded(do.call(tec_tree, c(list(f, all), set)))
    expect_same_fit(a, b, c("tree", "n_rows", "cptable", "pruning", "response"))
  }
  for (set in list(list(), list(criterion = "l1"), list(prune = "none"))) {
    a <- seeded(do.call(tec_tree, c(
      list(z ~ x + y, d, weights = d$w, weights_as = "frequency"), set
    )))
    expect_same_fit(a, seeded(do.call(tec_tree, c(list(z ~ x + y, all), set))), c("tree", "n_rows"))
  }
})

test_that("a table of counts is the persons it counts: trees, forests, boosting, splines", {
  d <- as.data.frame(Titanic)
  all <- d[rep(seq_len(nrow(d)), d$Freq), ]
  f <- Survived ~ Class + Sex + Age
  tree <- tec_tree(f, d, weights = Freq, weights_as = "frequency")
  expect_identical(tree$tree, tec_tree(f, all)$tree)
  expect_identical(tree$n_rows, 2201L)
  expect_equal(nobs(tree), 2201)
  expect_length(fitted(tree), 24L)
  forest <- seeded(tec_forest(f, d, trees = 10, weights = Freq, weights_as = "frequency"))
  persons <- seeded(tec_forest(f, all, trees = 10))
  expect_same_fit(forest, persons, c("trees", "oob", "importance", "n_rows", "root"))
  # The predictions of the rows of the data: of all that are alike.
  prob <- predict(forest, type = "prob")
  expect_equal(dim(prob), c(24L, 2L))
  row <- rep(seq_len(24), d$Freq[d$Freq > 0])
  shares <- replace(persons$oob$prob, is.na(persons$oob$prob), 0)
  sums <- rowsum(shares * persons$oob$times, row)
  expect_equal(prob, sums / drop(rowsum(persons$oob$times, row)), ignore_attr = TRUE)
  expect_identical(seeded(tec_more(forest, 2))$oob, seeded(tec_more(persons, 2))$oob)
  for (set in list(
    list(), list(validation = 0.2, sample_fraction = 0.5), list(bags = 2), list(folds = 3),
    list(method = "adaboost", max_depth = 2)
  )) {
    a <- seeded(do.call(tec_boost, c(
      list(f, d, rounds = 8, weights = d$Freq, weights_as = "frequency"), set
    )))
    b <- seeded(do.call(tec_boost, c(list(f, all, rounds = 8), set)))
    expect_same_fit(a, b, c("trees", "output", "base", "curve", "bags", "n_rows"))
  }
  a <- seeded(tec_rotation(f, d, trees = 3, weights = Freq, weights_as = "frequency"))
  expect_same_fit(a, seeded(tec_rotation(f, all, trees = 3)), c("trees", "inputs", "n_rows"))
  a <- tec_mars(f, d, weights = Freq, weights_as = "frequency")
  expect_same_fit(a, tec_mars(f, all), c("coefficients", "gcv", "n_rows"))
})

test_that("tuning by frequencies is that of the repeated rows", {
  d <- as.data.frame(Titanic)
  all <- d[rep(seq_len(nrow(d)), d$Freq), ]
  f <- Survived ~ Class + Sex + Age
  for (by in c("cv", "bootstrap632", "ebp")) {
    grow <- function(...) seeded(tec_tune(f, ..., q = c(1, 2), by = by, folds = if (by != "ebp") 3))
    a <- grow(data = d, weights = d$Freq, weights_as = "frequency")
    b <- grow(data = all)
    expect_equal(as.data.frame(a), as.data.frame(b))
    expect_identical(a$fit$tree, b$fit$tree)
  }
  a <- seeded(tec_tune(
    f, d, q = 1:2, folds = rep(1:4, 8), weights = Freq, weights_as = "frequency"
  ))
  b <- seeded(tec_tune(f, all, q = 1:2, folds = rep(rep(1:4, 8), d$Freq)))
  expect_equal(as.data.frame(a), as.data.frame(b))
})

test_that("a constant times the weights changes nothing, and equal weights are none", {
  set.seed(2)
  d <- mixed_data(120)
  w <- runif(120)
  grow <- list(
    function(w) tec_tree(y ~ number + z + colour, d, weights = w),
    function(w) tec_tree(number ~ z + y, d, weights = w),
    function(w) tec_forest(y ~ number + z, d, trees = 5, weights = w),
    function(w) tec_boost(y ~ number + z, d, rounds = 5, folds = 0, weights = w),
    function(w) tec_boost(y ~ number + z, d, rounds = 5, weights = w, method = "adaboost"),
    function(w) tec_tune(y ~ number + z, d, q = 1:2, folds = 3, weights = w)$fit,
    function(w) tec_rotation(number ~ z + y, d, trees = 2, weights = w)
  )
  for (one in grow) {
    part <- if (inherits(seeded(fit <- one(w)), "tec_tree")) "tree" else "trees"
    expect_same_fit(seeded(one(w * 8)), fit, part)
    expect_same_fit(seeded(one(w / 7e5)), fit, part)
    expect_identical(seeded(one(rep(0.1, 120)))[[part]], seeded(one(NULL))[[part]])
  }
  expect_identical(
    tec_tree(Species ~ ., iris, weights = rep(1 / 150, 150))$tree, tec_tree(Species ~ ., iris)$tree
  )
})

test_that("sizes count rows, and those of C4.5 weights", {
  w <- rep(c(0.1, 1.9), 75)
  fit <- tec_tree(Species ~ ., iris, weights = w, min_bucket = 20, prune = "none")
  expect_gte(min(fit$tree$n[fit$tree$kind == 0L]), 20)
  expect_lt(min(fit$tree$weight[fit$tree$kind == 0L]), fit$tree$n[1])
  halves <- tec_tree(Species ~ ., iris, preset = "c45", weights = rep(0.5, 150))
  expect_equal(halves$tree$weight[1], 75)
  doubled <- tec_tree(Species ~ ., iris[rep(1:150, 2), ], preset = "c45")
  twice <- tec_tree(Species ~ ., iris, preset = "c45", weights = rep(2, 150))
  expect_equal(twice$tree[c("variable", "breaks")], doubled$tree[c("variable", "breaks")])
})

test_that("hardhat's classes say what weights are", {
  skip_if_not_installed("hardhat")
  d <- as.data.frame(Titanic)
  f <- Survived ~ Class + Sex
  asked <- tec_tree(f, d, weights = Freq, weights_as = "frequency")
  said <- tec_tree(f, d, weights = hardhat::frequency_weights(Freq))
  expect_identical(said$tree, asked$tree)
  expect_identical(said$control$weights_as, "frequency")
  full <- update(said, prune = "none", data = d, weights = d$Freq)
  expect_identical(full$tree, update(asked, prune = "none")$tree)
  w <- hardhat::importance_weights(seq(0.1, 1, length.out = 32))
  expect_identical(tec_tree(f, d, weights = w)$tree, tec_tree(f, d, weights = as.double(w))$tree)
  expect_error(
    tec_tree(f, d, weights = w, weights_as = "frequency"), class = "tec_error_weights"
  )
})

test_that("weights that look like frequencies are asked about, once", {
  rlang::reset_message_verbosity("tectree_frequency")
  d <- as.data.frame(Titanic)
  expect_message(tec_tree(Survived ~ Sex, d, weights = Freq), class = "tec_message_frequency")
  expect_no_message(tec_tree(Survived ~ Sex, d, weights = Freq))
  rlang::reset_message_verbosity("tectree_frequency")
  expect_no_message(tec_tree(Survived ~ Sex, d, weights = Freq + 0.5))
  expect_no_message(tec_tree(Survived ~ Sex, d, weights = rep(1:2, c(31, 1))))
  expect_no_message(tec_tree(Survived ~ Sex, d, weights = Freq, weights_as = "frequency"))
})

test_that("frequencies that are none are classed errors", {
  d <- as.data.frame(Titanic)
  grow <- function(...) tec_tree(Survived ~ Sex, d, ..., weights_as = "frequency")
  expect_snapshot(error = TRUE, {
    grow(weights = d$Freq + 0.5)
    grow(weights = d$Freq * 1e9)
    tec_forest(Survived ~ Sex, d, weights = Freq * 1e9, weights_as = "frequency")
    tec_tree(Survived ~ Sex, d, weights_as = "rows")
    tec_tune(Survived ~ Sex, d, weights_as = c("importance", "frequency"))
  })
  many <- grow(weights = d$Freq * 1e9, prune = "none")
  expect_equal(many$n_rows, 2201e9)
  expect_equal(many$tree$prob, grow(weights = d$Freq, prune = "none")$tree$prob, tolerance = 0.05)
})

test_that("rows that are counted where they are need frequencies", {
  skip_if_not_installed("RSQLite")
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  withr::defer(DBI::dbDisconnect(con))
  d <- as.data.frame(Titanic)
  d[1:4] <- lapply(d[1:4], as.character)
  DBI::dbWriteTable(con, "titanic", d)
  grow <- function(...) {
    suppressMessages(tec_tree(
      Survived ~ Class + Sex, con, table = "titanic", weights = Freq, prune = "none", ...
    ))
  }
  counted <- grow(engine = tec_engine(collect_rows = 0), weights_as = "frequency")
  read <- grow(weights_as = "frequency")
  expect_identical(counted$tree, read$tree)
  expect_equal(counted$n_rows, 2201)
  expect_error(grow(engine = tec_engine(collect_rows = 0)), class = "tec_error_weights")
  expect_equal(grow()$tree$weight[1], 24)
})

test_that("importance weights of hardhat need no `weights_as`", {
  skip_if_not_installed("hardhat")
  w <- rep(c(1, 2), 16)
  fit <- tec_tree(mpg ~ wt, mtcars, weights = hardhat::importance_weights(w))
  expect_equal(predict(fit), predict(tec_tree(mpg ~ wt, mtcars, weights = w)))
  expect_identical(weights_meaning(w, NULL), "importance")
})
