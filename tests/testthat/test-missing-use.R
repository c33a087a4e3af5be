# Missing values as a user meets them: presets, whole columns without a value, absent columns,
# levels never seen, scores of a node, damaged fits.

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

test_that("weights count as repeated rows", {
  set.seed(324)
  data <- holed_iris()
  times <- sample(0:3, 150, TRUE)
  for (policy in policies_of_missing) {
    by_weight <- full_tree(Species ~ ., data, weights = times, missing = policy)
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

test_that("surrogates are rules in words", {
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

test_that("levels never seen are missing, or an error for those who want it", {
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

test_that("damage to what says where missing values go is found", {
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

test_that("a level that a node has not seen is shared out as a missing value is", {
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
