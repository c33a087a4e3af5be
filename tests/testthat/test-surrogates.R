# Rows with missing values go to the same nodes after conversions.

# Every kind of column, each with missing values; some rows have no value at all.
holed <- function(n = 400, share = 0.25, seed = 41) {
  set.seed(seed)
  d <- data.frame(x = round(rnorm(n), 1))
  d$twin <- round(d$x + rnorm(n, sd = 0.3), 1)
  d$down <- -d$twin + rnorm(n, sd = 0.2)
  d$colour <- factor(cut(d$x + rnorm(n, sd = 0.5), c(-Inf, -1, 0, 0.7, Inf), letters[1:4]))
  d$size <- cut(d$down, c(-Inf, -0.8, 0, 0.9, Inf), c("s", "m", "l", "xl"), ordered_result = TRUE)
  d$flag <- d$x + rnorm(n, sd = 0.6) > 0.2
  d$k <- sample(1:9, n, TRUE)
  d$z <- d$x + 0.2 * d$k * d$flag + rnorm(n, sd = 0.4)
  d$y <- cut(d$z, c(-Inf, -0.3, 0.9, Inf), c("low", "middle", "high"))
  for (name in setdiff(names(d), c("y", "z"))) d[[name]][runif(n) < share] <- NA
  d[sample(n, 5), setdiff(names(d), c("y", "z"))] <- NA
  d
}

holed_fits <- function(d, ...) {
  list(
    classes = full_tree(y ~ . - z, d, missing = "surrogate", ...),
    numbers = full_tree(z ~ . - y, d, missing = "surrogate", min_bucket = 10, ...),
    few = full_tree(y ~ . - z, d, missing = "surrogate", max_surrogate = 1, min_bucket = 2, ...),
    none = full_tree(y ~ . - z, d, missing = "surrogate", max_surrogate = 0, ...),
    weighted = full_tree(y ~ . - z, d, missing = "surrogate", weights = rep(1:4, 100), ...),
    levels = full_tree(y ~ colour + size + flag, d, missing = "surrogate", min_bucket = 1, ...),
    ranked = full_tree(y ~ colour + size, d, missing = "surrogate", nominal = "ordered", ...)
  )
}

# Node numbers of an rpart tree as ours: the same rows together, left before right.
rpart_nodes <- function(tree, data) {
  frame <- stats::model.frame(
    stats::delete.response(tree$terms), data, na.action = stats::na.pass,
    xlev = attr(tree, "xlevels")
  )
  unname(rpart:::pred.rpart(tree, rpart:::rpart.matrix(frame)))
}

expect_rpart_nodes <- function(tree, fit, data, info) {
  nodes <- predict(fit, data, type = "node")
  testthat::expect_identical(rpart_nodes(tree, data), nodes, info = info)
  ours <- predict(fit, data, type = if (is.null(attr(tree, "ylevels"))) "response" else "prob")
  testthat::expect_equal(predict(tree, data), ours, ignore_attr = TRUE, info = info)
}

# Numbers of nodes that differ only in which branch comes first.
expect_one_to_one <- function(ours, theirs) {
  pairs <- unique(data.frame(ours, theirs))
  testthat::expect_false(anyDuplicated(pairs$ours) > 0L || anyDuplicated(pairs$theirs) > 0L)
  pairs
}

# Rows together in ours and theirs, whichever branch is left. Between branches of equally many
# rows rpart stops, and rows stopped there are not compared.
expect_rpart_leaves <- function(tree, fit, data, use) {
  theirs <- rpart_nodes(tree, data)
  ours <- predict(fit, data, type = "node")
  number <- as.numeric(row.names(tree$frame))
  n <- tree$frame$n
  tied <- n[match(2 * number, number)] == n[match(2 * number + 1, number)]
  stopped <- use == 2L & !is.na(tied[theirs]) & tied[theirs]
  testthat::expect_lt(mean(stopped), 0.1)
  pairs <- expect_one_to_one(ours[!stopped], theirs[!stopped])
  testthat::expect_equal(fit$tree$n[pairs$ours], tree$frame$n[pairs$theirs])
  type <- if (is.null(attr(tree, "ylevels"))) "response" else "prob"
  testthat::expect_equal(
    as.matrix(predict(fit, data, type = type))[!stopped, ],
    as.matrix(predict(tree, data))[!stopped, ],
    ignore_attr = TRUE
  )
}

test_that("rpart sends rows with missing values where our surrogates do", {
  skip_if_not_installed("rpart")
  d <- holed()
  known <- rowSums(!is.na(d[setdiff(names(d), c("y", "z"))])) > 0
  fits <- holed_fits(d)
  for (name in names(fits)) {
    tree <- as_rpart(fits[[name]])
    expect_rpart_nodes(tree, fits[[name]], d[known, ], name)
  }
  kinds <- unlist(lapply(fits, function(fit) fit$tree$surrogate_kind))
  expect_setequal(kinds, c(1, 3, 4))
  expect_true(any(fits$classes$tree$surrogate_flipped))
})

test_that("the other ways of missing values are rpart's too", {
  skip_if_not_installed("rpart")
  d <- holed()
  fits <- c(
    lapply(0:1, function(use) full_tree(y ~ . - z, d, missing = "surrogate", use_surrogate = use)),
    lapply(c("majority", "mode", "learned", "drop"), function(way) {
      full_tree(y ~ . - z, d, missing = way)
    })
  )
  known <- rowSums(!is.na(d[setdiff(names(d), c("y", "z"))])) > 0
  for (fit in fits) {
    # Rows that stop on their way need no branch.
    rows <- if (fit$tree$unknown == 2L) TRUE else known
    expect_rpart_nodes(as_rpart(fit), fit, d[rows, ], fit$control$missing)
    inner <- fit$tree$kind != 0L
    stopped <- inner[predict(fit, d, type = "node")]
    expect_identical(any(stopped), fit$tree$unknown == 2L)
  }
})

test_that("without a value in any column rpart looks for the branch of more rows", {
  skip_if_not_installed("rpart")
  d <- data.frame(x = c(1, 2, 3, 4, 5), y = factor(c("a", "a", "b", "b", "b")))
  new <- data.frame(x = NA_real_)
  fit <- tec_tree(y ~ x, d, weights = c(5, 5, 1, 1, 1), missing = "surrogate", min_bucket = 1)
  expect_identical(as.character(predict(fit, new)), "a")
  expect_identical(as.character(predict(as_rpart(fit), new, type = "class")), "b")
  d$z <- c(3, 1, 2, 3, 1)
  with_other <- tec_tree(
    y ~ x + z, d,
    weights = c(5, 5, 1, 1, 1), missing = "surrogate", min_bucket = 1
  )
  tree <- as_rpart(with_other)
  expect_identical(tree$frame$nsurrogate, c(1L, 0L, 0L))
  expect_identical(tree$splits["z", "adj"], 0)
  for (z in c(-Inf, 0, 2, Inf)) {
    expect_identical(
      as.character(predict(tree, data.frame(x = NA_real_, z = z), type = "class")), "a"
    )
  }
  # What stands in for a default is a default again, and no surrogate.
  back <- as_tec_tree(tree)
  expect_identical(back$tree$default_child[1], 0L)
  expect_length(back$tree$surrogate_variable, 0)
})

test_that("the table of splits is rpart's", {
  skip_if_not_installed("rpart")
  d <- holed()
  # Rows without any predictor are no training rows of rpart's.
  d <- d[rowSums(!is.na(d[c("x", "twin", "down")])) > 0, ]
  for (formula in c(y ~ x + twin + down, z ~ x + twin + down)) {
    theirs <- rpart::rpart(formula, d, maxcompete = 0, xval = 0, minsplit = 20)
    grown <- tec_tree(
      formula, d,
      preset = "cart", max_depth = 30, prune = "ccp", cp = 0.01,
      criterion = if (theirs$method == "class") "gini" else "l2"
    )
    ours <- as_rpart(grown)
    expect_identical(row.names(ours$frame), row.names(theirs$frame))
    expect_identical(ours$frame$nsurrogate, theirs$frame$nsurrogate)
    # For a number rpart's left branch is that of the lower mean.
    if (theirs$method == "class") {
      expect_identical(ours$splits[, "ncat"], theirs$splits[, "ncat"])
    }
    expect_equal(ours$splits[, c("improve", "adj")], theirs$splits[, c("improve", "adj")])
    expect_equal(ours$splits[, "index"], theirs$splits[, "index"], tolerance = 1e-12)
    expect_equal(ours$variable.importance, theirs$variable.importance)
    expect_output(summary(ours), "Surrogate splits")
    expect_true(all(is.na(ours$splits[, "count"])))
    counted <- as_rpart(grown, data = d)
    expect_identical(counted$splits[, "count"], theirs$splits[, "count"])
    expect_identical(names(counted$where), row.names(d))
    expect_identical(rpart_nodes(counted, d), unname(counted$where))
  }
})

test_that("a converted tree with surrogates is pruned and drawn like any other", {
  skip_if_not_installed("rpart")
  d <- holed()
  tree <- as_rpart(full_tree(y ~ . - z, d, missing = "surrogate", max_depth = 3), data = d)
  cut <- rpart::prune(tree, cp = 0.05)
  expect_lt(nrow(cut$frame), nrow(tree$frame))
  again <- as_tec_tree(cut)
  expect_equal(predict(again, d, type = "prob"), predict(cut, d), ignore_attr = TRUE)
  skip_if_not_installed("rpart.plot")
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  expect_no_warning(rpart.plot::rpart.plot(tree, type = 2, roundint = FALSE))
})

test_that("rpart's surrogates are ours", {
  skip_if_not_installed("rpart")
  d <- holed()
  d$word <- as.character(d$colour)
  for (use in 0:2) {
    control <- rpart::rpart.control(cp = 0.001, minsplit = 8, usesurrogate = use, xval = 0)
    for (tree in list(
      rpart::rpart(y ~ . - z, d, control = control), rpart::rpart(z ~ . - y, d, control = control),
      rpart::rpart(y ~ word + size + flag + x, d, control = control),
      rpart::rpart(y ~ . - z, d, weights = rep(1:4, 100), control = control)
    )) {
      fit <- as_tec_tree(tree)
      expect_identical(length(fit$tree$surrogate_variable), sum(tree$frame$nsurrogate))
      expect_rpart_leaves(tree, fit, d, use)
      expect_identical(fit$control$use_surrogate, use)
    }
  }
})

test_that("partykit sends rows with missing values where our surrogates do", {
  skip_if_not_installed("partykit")
  d <- holed()
  ways <- c(majority = "majority", mode = "mode", learned = "learned")
  fits <- c(holed_fits(d), lapply(ways, function(way) {
    tec_tree(y ~ . - z, d, missing = way, min_bucket = 2)
  }))
  for (name in names(fits)) {
    fit <- fits[[name]]
    party <- partykit::as.party(fit)
    nodes <- as.integer(predict(party, d, type = "node"))
    expect_identical(nodes, predict(fit, d, type = "node"), info = name)
    back <- as_tec_tree(party)
    expect_identical(predict(back, d, type = "node"), nodes, info = name)
    # Levels in order by `nominal = "ordered"` are sets to partykit.
    if (fit$tree$by_surrogate && name != "ranked") {
      expect_equal(surrogates_of(back), surrogates_of(fit), info = name)
    }
  }
})

test_that("surrogates of partykit's own trees are ours", {
  skip_if_not_installed("partykit")
  skip_if_not_installed("rpart")
  d <- holed()
  d$flag <- factor(d$flag)
  set.seed(3)
  control <- partykit::ctree_control(maxsurrogate = 3, majority = TRUE, alpha = 0.5)
  # partykit takes rpart's surrogates on ordered levels for unordered, so those are left out.
  for (tree in list(
    partykit::ctree(y ~ . - z, d, control = control),
    partykit::ctree(z ~ . - y, d, control = control),
    partykit::as.party(rpart::rpart(y ~ . - z - size, d, cp = 0.001))
  )) {
    fit <- as_tec_tree(tree)
    expect_gt(length(fit$tree$surrogate_variable), 3)
    expect_one_to_one(predict(fit, d, type = "node"), unname(predict(tree, d, type = "node")))
    expect_equal(as.vector(predict(fit, d)), as.vector(unname(predict(tree, d))))
  }
})

test_that("a surrogate without a counterpart is named", {
  skip_if_not_installed("partykit")
  d <- data.frame(y = factor(rep(c("a", "b"), each = 6)), x = 1:12, z = c(1:6, 1:6))
  split <- function(...) partykit::partysplit(..., prob = c(0, 1))
  wide <- partykit::partysplit(3L, breaks = c(2, 4), index = c(1L, 2L, 1L))
  narrow <- partykit::partysplit(3L, breaks = 3, index = 2:1)
  node <- partykit::partynode(
    1L,
    split = split(2L, breaks = 6), surrogates = list(wide, narrow),
    kids = lapply(2:3, partykit::partynode)
  )
  fitted <- data.frame(rep(2:3, each = 6), d$y)
  names(fitted) <- c("(fitted)", "(response)")
  party <- partykit::party(node, d, fitted, terms = terms(y ~ x + z, data = d))
  expect_snapshot(fit <- as_tec_tree(party))
  expect_warning(as_tec_tree(party), class = "tec_warning_conversion")
  expect_identical(surrogates_of(fit)$rule, "z > 3")
})

test_that("C5.0 shares rows with missing values out as we do", {
  skip_if_not_installed("C50")
  d <- holed(800)
  d$flag <- factor(d$flag)
  predictors <- d[setdiff(names(d), c("y", "z"))]
  for (subset in c(TRUE, FALSE)) {
    control <- C50::C5.0Control(subset = subset, CF = 0.9)
    tree <- C50::C5.0(predictors, d$y, control = control)
    fit <- as_tec_tree(tree)
    expect_gt(n_leaves(fit), 10)
    expect_identical(predict(fit, d), predict(tree, predictors))
  }
})

test_that("a tree that went to rpart comes back, rows without any value too", {
  skip_if_not_installed("rpart")
  d <- holed()
  others <- lapply(c("majority", "mode", "learned", "drop"), function(way) {
    tec_tree(y ~ . - z, d, missing = way)
  })
  for (fit in c(holed_fits(d), holed_fits(d, use_surrogate = 1), others)) {
    back <- as_tec_tree(as_rpart(fit))
    expect_identical(predict(back, d, type = "node"), predict(fit, d, type = "node"))
  }
})
