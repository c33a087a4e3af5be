# Missing values as a user meets them: presets, columns without any value, absent columns, unseen
# levels, scores of a node, damaged fits.

holed_iris <- function(share = 0.3) {
  data <- iris
  for (name in names(data)[1:4]) data[[name]][stats::runif(150) < share] <- NA
  data
}

test_that("presets choose the policy and an argument overrides it", {
  policy <- function(...) tec_tree(Species ~ ., iris, ...)$control$missing
  expect_equal(policy(), "fractional")
  expect_equal(policy(preset = "c45"), "fractional")
  expect_equal(policy(preset = "cart"), "surrogate")
  expect_equal(policy(preset = "cart", missing = "drop"), "drop")
  expect_equal(
    tec_tree(Species ~ ., iris, preset = "cart", maxsurrogate = 2)$control$max_surrogate, 2L
  )
})

#' @srrstats {G5.8c} Columns of missing values; constant ones are in test-response.R.
test_that("a column without any value is never split on, and changes nothing", {
  for (policy in policies_of_missing) {
    data <- iris
    whole <- tec_tree(Species ~ ., data, missing = policy)
    data$nothing <- NA_real_
    data$no_level <- factor(NA, levels = c("a", "b"))
    fit <- tec_tree(Species ~ ., data, missing = policy)
    expect_false(any(as.data.frame(fit)$variable %in% c("nothing", "no_level")))
    expect_equal(structure_of(fit$tree), structure_of(whole$tree))
    only <- tec_tree(Species ~ nothing + no_level, data, missing = policy)
    expect_equal(nrow(as.data.frame(only)), 1)
  }
})

test_that("without missing values all policies make the same tree", {
  trees <- lapply(policies_of_missing, function(policy) {
    structure_of(tec_tree(Species ~ ., iris, missing = policy)$tree)[c("variable", "breaks", "n")]
  })
  for (tree in trees) expect_identical(tree, trees[[1]])
})

test_that("class shares sum to one and rows do not depend on each other", {
  set.seed(321)
  data <- holed_iris(0.5)
  for (policy in policies_of_missing) {
    fit <- tec_tree(Species ~ ., data, missing = policy, min_bucket = 2)
    prob <- predict(fit, data, type = "prob")
    expect_equal(rowSums(prob), rep(1, 150), tolerance = 1e-12)
    some <- sample(150, 20)
    expect_identical(predict(fit, data[some, ], type = "prob"), prob[some, ])
    expect_identical(predict(fit, data[some, ]), predict(fit, data)[some])
    expect_identical(predict(fit, data, threads = 2), predict(fit, data))
  }
})

test_that("the class of a shared row is that of the largest summed share", {
  set.seed(322)
  data <- holed_iris(0.5)
  fit <- tec_tree(Species ~ ., data, missing = "fractional", min_bucket = 2)
  prob <- predict(fit, data, type = "prob")
  class <- max.col(prob >= apply(prob, 1, max) * (1 - 1e-12), "first")
  expect_identical(as.integer(predict(fit, data)), class)
})

test_that("a tree does not depend on the order of rows or the number of threads", {
  set.seed(323)
  for (name in c("gini", "gain_ratio", "l2", "l1")) {
    task <- if (name %in% c("l2", "l1")) "regression" else "classification"
    problem <- smooth_problem(name, NA_real_, task)
    problem$columns <- lapply(problem$columns, function(x) replace(x, stats::runif(300) < 0.2, NA))
    at <- sample(300)
    for (policy in policies_of_missing) {
      problem$control$missing <- policy
      tree <- engine_tree(problem)
      shuffled <- problem
      shuffled <- with_rows(shuffled, at)
      expect_same_tree(engine_tree(shuffled), tree, label = paste(name, policy))
      threaded <- problem
      threaded$control$threads <- 2L
      expect_identical(engine_tree(threaded), tree, label = paste(name, policy))
    }
  }
})

test_that("frequencies are repeated rows", {
  set.seed(324)
  data <- holed_iris()
  times <- sample(0:3, 150, TRUE)
  for (policy in policies_of_missing) {
    by_weight <- full_tree(Species ~ ., data,
      weights = times, missing = policy, weights_as = "frequency"
    )
    repeated <- full_tree(Species ~ ., data[rep(1:150, times), ], missing = policy)
    expect_equal(
      structure_of(by_weight$tree)[c("variable", "kind")],
      structure_of(repeated$tree)[c("variable", "kind")]
    )
    expect_equal(by_weight$tree$weight, repeated$tree$weight)
    expect_equal(by_weight$tree$prob, repeated$tree$prob)
  }
})

test_that("a column that only surrogates use may be absent; one that is split on may not", {
  data <- toy()
  data$twin <- data$x + 0.5
  fit <- tec_tree(y ~ x + twin, data, missing = "surrogate", min_bucket = 1)
  expect_equal(surrogates_of(fit), data.frame(
    node = 1L, variable = "twin", rule = "twin <= 9", agree = 1, adj = 1
  ))
  new <- data.frame(x = c(NA, NA, 1), twin = c(3, 14, 14))
  expect_equal(as.character(predict(fit, new)), c("no", "yes", "no"))
  path <- predict(fit, new, type = "path")
  expect_equal(path[[1]]$surrogate, c(NA, "twin"))
  expect_equal(path[[3]]$surrogate, c(NA_character_, NA))
  expect_equal(as.character(predict(fit, new["x"])), c("no", "no", "no"))
  expect_true(predict(fit, new["x"], type = "path")[[2]]$by_default[2])
  expect_error(predict(fit, new["twin"]), class = "tec_error_newdata")
  shown <- tec_tree(y ~ x + twin, data, missing = "surrogate", min_bucket = 1, use_surrogate = 0)
  expect_equal(predict(shown, new["x"], type = "node"), c(1L, 1L, 2L))
})

test_that("surrogates are shown as rules", {
  data <- data.frame(
    y = rep(1:2, each = 20), x = c(1:20, 31:50),
    colour = rep(c("red", "green", "blue", "red"), each = 10), down = 40:1,
    size = factor(rep(c("s", "m", "l"), c(20, 10, 10)), levels = c("s", "m", "l"), ordered = TRUE)
  )
  fit <- tec_tree(y ~ ., data, missing = "surrogate")
  found <- surrogates_of(fit)
  expect_equal(found$variable, c("down", "size", "colour"))
  expect_equal(found$rule, c("down > 20.5", "size <= s", "colour = green"))
  expect_equal(found$agree, c(1, 1, 0.75))
  expect_equal(found$adj, c(1, 1, 0.5))
  none <- surrogates_of(tec_tree(y ~ x, data))
  expect_equal(dim(none), c(0L, 5L))
})

test_that("unseen levels are missing, or an error on request", {
  data <- toy()
  data$shade <- rep(c("dark", "light"), each = 6)
  new <- data.frame(shade = c("pink", "light"))
  fit <- tec_tree(y ~ shade, data, min_bucket = 1)
  expect_warning(prob <- predict(fit, new, type = "prob"), class = "tec_warning_unseen")
  expect_equal(unname(prob[1, ]), c(0.5, 0.5))
  strict <- tec_tree(y ~ shade, data, min_bucket = 1, unseen = "error")
  expect_snapshot(show_errors({
    predict(strict, new)
    predict(strict, data.frame(shade = c(letters, NA)))
  }))
  expect_identical(predict(strict, data), data$y)
})

test_that("scores of a node count the parts of rows that reach it", {
  set.seed(325)
  data <- holed_iris(0.4)
  for (policy in policies_of_missing) {
    fit <- tec_tree(Species ~ ., data, missing = policy)
    nodes <- as.data.frame(fit)
    for (node in which(nodes$kind != "leaf")) {
      scores <- tec_scores(fit, data, node = node)
      chosen <- scores[scores$chosen, ]
      expect_equal(chosen$variable, nodes$variable[node])
      expect_equal(chosen$gain, nodes$gain[node], tolerance = 1e-10)
    }
  }
})

test_that("damage to the routes of missing values is found", {
  data <- toy()
  data$twin <- data$x
  good <- tec_tree(y ~ x + twin + colour, data, missing = "surrogate", min_bucket = 1)
  new <- data.frame(x = c(NA, 1), twin = c(1, NA), colour = "red")
  damage <- list(
    unknown = 3L, unknown = NULL, by_surrogate = NA, surrogate_start = 5L,
    surrogate_count = c(9L, 0L, 0L),
    surrogate_variable = 9L, surrogate_kind = 2L, surrogate_kind = 4L, surrogate_cut = double(),
    surrogate_level_start = 7L, surrogate_level_count = -1L, surrogate_flipped = NA,
    surrogate_agree = NULL
  )
  for (i in seq_along(damage)) {
    bad <- good
    bad$tree[names(damage)[i]] <- damage[i]
    expect_error(predict(bad, new), class = "tec_error_damaged", label = names(damage)[i])
  }
  expect_silent(predict(good, new))
})

test_that("a level that a node has not seen is distributed like a missing value", {
  d <- data.frame(
    x = rep(c(1, 2), c(12, 11)), colour = rep(c("green", "red", "blue", "red"), c(6, 6, 2, 9)),
    y = factor(rep(c("a", "b"), c(14, 9)))
  )
  fit <- full_tree(y ~ x + colour, d, min_bucket = 1, criterion = "gini")
  holed <- green <- data.frame(x = 2, colour = NA_character_)
  green$colour <- "green"
  expect_equal(predict(fit, green, type = "prob"), predict(fit, holed, type = "prob"))
  expect_equal(predict(fit, green, type = "prob")[1, "a"], c(a = 2 / 11))
})

# ---- learned sides -------------------------------------------------------------------------------

test_that("a learned side is kept in the tree, used in prediction, and can be seen", {
  # Who does not tell an income has a small one.
  d <- data.frame(y = rep(c("no", "yes"), each = 20), income = c(1:8, rep(NA, 12), 21:40))
  sent <- function(missing) {
    fit <- tec_tree(y ~ income, d, missing = missing, prune = "none", min_bucket = 1)
    predict(fit, data.frame(income = NA_real_))
  }
  expect_identical(as.character(sent("learned")), "no")
  expect_identical(as.character(sent("majority")), "yes")
  fit <- tec_tree(y ~ income, d, missing = "learned", prune = "none", min_bucket = 1)
  expect_equal(fit$tree$n, c(40L, 20L, 20L))
  expect_equal(sum(fit$tree$kind == 0L), 2)
  expect_identical(tec_scores(fit, d)$missing_branch, 1L)
})

test_that("without missing values in training a learned side is the largest branch", {
  d <- data.frame(y = factor(rep(c("a", "b"), c(30, 10))), x = 1:40)
  fit <- tec_tree(y ~ x, d, missing = "learned", prune = "none")
  expect_identical(as.character(predict(fit, data.frame(x = NA_real_))), "a")
})

test_that("missing values are one more level where levels are grouped, but no group of their own", {
  d <- data.frame(
    y = factor(rep(c("a", "b"), c(40, 60))),
    x = factor(c(rep("u", 15), rep(NA, 25), rep("v", 40), rep("w", 20)))
  )
  fit <- tec_tree(y ~ x, d, missing = "learned", prune = "none", min_bucket = 1)
  expect_equal(fit$tree$n, c(100L, 40L, 60L))
  expect_identical(as.character(predict(fit, data.frame(x = NA_character_))), "a")
  # A cut between the missing values and all levels would gain most.
  d$x <- factor(c(rep(NA, 40), rep(c("u", "v", "w"), each = 20)))
  fit <- tec_tree(y ~ x, d, missing = "learned", prune = "none", min_bucket = 1, nominal = "binary")
  expect_identical(fit$tree$kind[1], 4L)
  expect_setequal(fit$tree$level_child[fit$tree$level_start[1] + 1:3], 0:1)
  expect_setequal(fit$tree$n[fit$tree$depth == 1], c(40, 60))
  set.seed(331)
  # More levels than all groupings are tried for.
  many <- data.frame(
    y = factor(sample(c("a", "b", "c"), 400, TRUE)), x = factor(sample(letters, 400, TRUE))
  )
  many$x[many$y == "a" & runif(400) < 0.5] <- NA
  for (y in list(many$y, factor(many$y == "a"), as.numeric(many$y) + 0.5)) {
    many$y <- y
    grown <- suppressMessages(tec_tree(y ~ x, many, missing = "learned", prune = "none"))
    back <- predict(grown, many, type = "node")
    leaf <- grown$tree$kind == 0L
    expect_equal(tabulate(back, length(leaf))[leaf], grown$tree$n[leaf])
    expect_gt(sum(leaf), 1)
  }
})

test_that("random cuts try both sides", {
  set.seed(332)
  d <- holed_iris(0.4)
  d$kind <- factor(sample(c("u", "v", "w", NA), 150, TRUE))
  for (seed in 1:5) {
    grow <- function(threads) {
      set.seed(seed)
      tec_tree(Species ~ ., d, missing = "learned", splitter = "random", threads = threads)
    }
    fit <- grow(1)
    expect_identical(grow(2)$tree, fit$tree)
    leaf <- fit$tree$kind == 0L
    expect_equal(tabulate(predict(fit, d, type = "node"), length(leaf))[leaf], fit$tree$n[leaf])
  }
  # One cut can be drawn, and only one side gains.
  y <- factor(rep(c("a", "b"), each = 20))
  number <- rep(c(0, NA, 1), c(10, 10, 20))
  for (x in list(number, factor(number))) {
    fit <- tec_tree(y ~ x, data.frame(y = y, x = x), missing = "learned", splitter = "random")
    expect_equal(fit$tree$n, c(40L, 20L, 20L))
  }
})

test_that("the rules of C4.5 learn no side, and the error says what to use", {
  d <- holed_iris()
  refused <- function(expr) expect_error(expr, "fractional", class = "tec_error_control")
  refused(tec_tree(Species ~ ., d, preset = "c45", missing = "learned"))
  refused(tec_tree(Species ~ ., d, rules = "c45", missing = "learned"))
  refused(tec_scores(Species ~ ., d, rules = "c45", missing = "learned"))
  fit <- tec_tree(Species ~ ., d, missing = "learned")
  refused(tec_scores(fit, d, rules = "c45"))
  expect_s3_class(
    tec_tree(Species ~ ., d, preset = "c45", rules = "exact", missing = "learned"), "tec_tree"
  )
})
