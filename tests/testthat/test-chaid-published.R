# Numbers and formulas of CHAID that others have published.

# Facts of the root split's column: categories, branches, and what p is multiplied by.
multiplier <- function(fit) {
  tree <- fit$tree
  c(branches = tree$n_children[1L], times = exp(tree$test[[1L, "log_times"]]))
}

# `k` categories of 60 rows, the first two and the last two alike.
alike_data <- function(k, missing = FALSE) {
  x <- rep(seq_len(k), each = 60)
  share <- c(0.5, 0.5, seq(0.05, 0.95, length.out = k - 4), 0.2, 0.2)
  y <- unlist(lapply(share, function(p) rep(0:1, round(60 * c(1 - p, p)))))
  if (missing) x[x == k] <- NA
  list(x = x, y = factor(y))
}

# Kass (1980, section 4); IBM SPSS Statistics Algorithms, CHAID and Exhaustive CHAID, "Bonferroni
# adjustments": of I categories into r.
kass_free <- function(i, r) {
  v <- 0:(r - 1)
  sum((-1)^v * (r - v)^i / (factorial(v) * factorial(r - v)))
}
kass_monotonic <- function(i, r) choose(i - 1, r - 1)
kass_floating <- function(i, r) choose(i - 2, r - 2) + r * choose(i - 2, r - 1)

test_that("multipliers are those of Kass", {
  seen <- integer()
  for (k in 5:9) {
    for (alpha in c(1e-4, 0.05, 0.5)) {
      grow <- function(x, y) {
        tec_tree(x = data.frame(x = x), y = y, preset = "chaid", max_depth = 1, alpha_merge = alpha)
      }
      d <- alike_data(k)
      free <- multiplier(grow(factor(d$x), d$y))
      expect_equal(free[["times"]], kass_free(k, free[["branches"]]))
      ordered <- multiplier(grow(factor(d$x, ordered = TRUE), d$y))
      expect_equal(ordered[["times"]], kass_monotonic(k, ordered[["branches"]]))
      d <- alike_data(k, missing = TRUE)
      floating <- multiplier(grow(factor(d$x, ordered = TRUE), d$y))
      expect_equal(floating[["times"]], kass_floating(k, floating[["branches"]]))
      seen <- union(seen, c(free[["branches"]], ordered[["branches"]], floating[["branches"]]))
    }
  }
  expect_gt(length(seen), 3L)
})

# Biggs, de Ville and Suen (1991), as in Ritschard (2013, CHAID and earlier supervised tree
# methods): all pairs of all steps. SPSS's document has I (I^2 - 1) / 2 for nominal columns, three
# times as much.
test_that("multipliers of exhaustive merging are those of Biggs, de Ville and Suen", {
  for (k in 5:9) {
    grow <- function(x, y) {
      fit <- tec_tree(x = data.frame(x = x), y = y, preset = "chaid_exhaustive", max_depth = 1)
      multiplier(fit)[["times"]]
    }
    d <- alike_data(k)
    expect_equal(grow(factor(d$x), d$y), sum(choose(2:k, 2)))
    expect_equal(grow(factor(d$x), d$y), k * (k^2 - 1) / 6)
    expect_equal(grow(factor(d$x, ordered = TRUE), d$y), k * (k - 1) / 2)
    d <- alike_data(k, missing = TRUE)
    expect_equal(grow(factor(d$x, ordered = TRUE), d$y), k * (k - 1) / 2)
  }
})

# The passengers of the Titanic, n = 1309, and the tree in the README of the Python package CHAID
# (github.com/Rambatino/CHAID), whose p values are not adjusted.
test_that("the Titanic's passengers: chi-squares and p values of the Python package CHAID", {
  d <- data.frame(
    sex = rep(c("female", "male"), each = 6), class = ordered(rep(rep(1:3, each = 2), 2)),
    survived = factor(rep(0:1, 6)),
    n = c(5, 139, 12, 94, 110, 106, 118, 61, 146, 25, 418, 75)
  )
  fit <- tec_tree(survived ~ sex + class, d,
    weights = n, weights_as = "frequency", preset = "chaid", p_adjust = "none", min_split = 30,
    min_bucket = 1, max_depth = 2
  )
  expect_identical(fit$tree$weight, c(1309, 466, 144, 106, 216, 843, 179, 664))
  test <- split_tests(fit$tree)[c(1, 2, 6), ]
  expect_equal(test$statistic, c(365.8869478111205, 115.70270316146012, 33.004017660910904))
  expect_equal(test$df, c(1, 2, 1))
  published <- c(1.4714531016922666e-81, 7.507187065692296e-26, 9.1968624901058e-09)
  expect_equal(log(test$p), log(published), tolerance = 1e-12)
  expect_equal(test$p_adjusted, test$p)
})

# datasets::Titanic, n = 2201, and the trees and gains in the introduction to the R package chaidr
# 0.1.0, which adjusts as SPSS does; SPSS's settings.
titanic_tree <- function(preset) {
  tec_tree(Survived ~ Class + Sex + Age, as.data.frame(datasets::Titanic),
    weights = Freq, weights_as = "frequency", preset = preset, min_parent = 100,
    min_child = 50, max_depth = 3
  )
}

test_that("datasets::Titanic: the exhaustive tree of the R package chaidr", {
  fit <- titanic_tree("chaid_exhaustive")
  tree <- fit$tree
  size <- c(2201, 1731, 64, 1667, 175, 168, 462, 862, 470, 274, 145, 129, 196)
  expect_identical(tree$weight, size)
  test <- split_tests(tree)[c(1, 2, 4, 9, 10), ]
  expect_identical(formatC(test$statistic, 4), c("456.9", "23.12", "37.99", "127.4", "9.384"))
  # Their multipliers of nominal columns are I (I^2 - 1) / 2.
  theirs <- c(3, 3, 30, 30, 12)
  expect_identical(
    sprintf("%.3g", test$p * theirs), c("6.91e-101", "4.55e-06", "8.53e-07", "4.44e-28", "0.0263")
  )
  expect_equal(test$p_adjusted, test$p * theirs / 3)
})

test_that("datasets::Titanic: the gains of the R package chaidr", {
  fit <- titanic_tree("chaid")
  d <- as.data.frame(datasets::Titanic)
  gains <- tec_gains(fit, d[rep(seq_len(nrow(d)), d$Freq), ], class = "Yes")
  expect_equal(gains$n, c(145, 129, 196, 64, 175, 862, 462, 168))
  expect_equal(gains$gain_n, c(141, 113, 90, 29, 57, 192, 75, 14))
  expect_equal(
    round(gains$gain_percent, 2), c(19.83, 15.89, 12.66, 4.08, 8.02, 27.00, 10.55, 1.97)
  )
  expect_equal(round(gains$index, 1), c(301, 271.2, 142.1, 140.3, 100.8, 69, 50.3, 25.8))
  expect_equal(
    round(gains$cum_gain_percent, 2), c(19.83, 35.72, 48.38, 52.46, 60.48, 87.48, 98.03, 100)
  )
  # Theirs are quotients of rounded percentages.
  expect_equal(
    round(round(gains$cum_gain_percent, 2) / round(gains$cum_n_percent, 2), 3),
    c(3.009, 2.869, 2.266, 2.162, 1.878, 1.226, 1.061, 1)
  )
})
