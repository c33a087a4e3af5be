# The problem that the core was given, for the rows that it drew.
core_rows <- function(fit, z, y, tree, weights = NULL) {
  classes <- is.factor(y)
  frame <- list(
    name = colnames(z), kind = rep("numeric", ncol(z)), n_levels = integer(ncol(z)),
    value = lapply(seq_len(ncol(z)), function(j) z[, j])
  )
  core <- if (classes) {
    list(y = as.integer(y), n_classes = nlevels(y))
  } else {
    list(y = as.double(y), n_classes = 0L)
  }
  ready <- list(
    frame = frame, response = list(core = core), weights = weights, criterion = fit$criterion
  )
  problem <- core_problem(ready, NULL, fit$control, NULL, seed = 0L, more = FALSE)
  tec_rotation_rows_(problem, fit$seeds[tree], list(
    group_size = fit$rotation$group_size, fraction = fit$settings$sample_fraction
  ))
}

expect_components <- function(fit, z, y, weights = NULL) {
  for (tree in seq_along(fit$seeds)) {
    drawn <- core_rows(fit, z, y, tree, weights)
    expect_identical(drawn$order, fit$rotation$order[, tree])
    expect_identical(sort(drawn$order), seq_len(ncol(z)))
    whole <- whole_rotation(fit, tree)
    expect_equal(crossprod(whole), diag(ncol(z)), tolerance = 1e-12)
    size <- fit$rotation$group_size
    for (g in seq_along(drawn$rows)) {
      places <- ((g - 1L) * size + 1L):min(g * size, ncol(z))
      rows <- drawn$rows[[g]]
      of_group <- z[rows, drawn$order[places], drop = FALSE]
      components <- if (is.null(weights)) {
        stats::prcomp(of_group)
      } else {
        stats::princomp(covmat = stats::cov.wt(of_group, weights[rows] / sum(weights[rows])))
      }
      naive <- unclass(components$rotation %||% components$loadings)
      naive <- naive %*% diag(apply(naive, 2, function(v) sign(v[which.max(abs(v))])), ncol(naive))
      ours <- whole[drawn$order[places], places, drop = FALSE]
      if (min(abs(diff(components$sdev)), Inf) < 1e-6) next
      expect_equal(ours, naive, tolerance = 1e-9, ignore_attr = TRUE)
      expect_equal(z[, drawn$order[places]] %*% ours, z[, drawn$order[places]] %*% naive,
        tolerance = 1e-10, ignore_attr = TRUE
      )
    }
  }
}

test_that("components are those of prcomp() on the rows drawn, in orthonormal blocks", {
  set.seed(1)
  d <- rotation_data()
  x <- d[setdiff(names(d), c("class", "number"))]
  fit <- tec_rotation(x, d$class, trees = 4, threads = 1)
  z <- naive_columns(fit, x, x)
  expect_equal(ncol(z), nrow(fit$inputs))
  expect_components(fit, z, d$class)
  numbers <- tec_rotation(x, d$number, trees = 3, group_size = 2, sample_fraction = 0.7)
  expect_components(numbers, z, d$number)
  weights <- sample(c(1, 2, 3), nrow(d), TRUE)
  weighted <- tec_rotation(x, d$class, trees = 3, group_size = 4, weights = weights)
  z <- naive_columns(weighted, x, x, weights)
  expect_equal(z, do.call(cbind, scaled_columns(
    code_rows(weighted, x, environment()), weighted$inputs
  )), tolerance = 1e-12)
  expect_components(weighted, z, d$class, weights)
})

test_that("rows are drawn from random sets of classes, the share of them without repeats", {
  set.seed(2)
  d <- rotation_data(200)
  fit <- tec_rotation(class ~ a + b + c + d, d, trees = 100, group_size = 1, threads = 2)
  z <- matrix(0, 200, 4)
  size <- tabulate(d$class)
  sets <- lapply(1:7, function(s) which(bitwAnd(s, c(1L, 2L, 4L)) > 0))
  drawn <- unlist(lapply(1:100, function(t) core_rows(fit, z, d$class, t)$rows), recursive = FALSE)
  seen <- vapply(drawn, function(rows) {
    match(list(sort(unique(as.integer(d$class)[rows]))), sets)
  }, 0L)
  # Halves are rounded up.
  expected <- vapply(sets, function(classes) floor(0.5 * sum(size[classes]) + 0.5), 0)
  expect_equal(lengths(drawn), expected[seen])
  expect_false(any(vapply(drawn, anyDuplicated, 0L) > 0))
  expect_gt(stats::chisq.test(tabulate(seen, 7))$p.value, 1e-4)
})

test_that("each tree is that of tec_tree() on the turned rows, the forest their mean", {
  set.seed(3)
  d <- rotation_data()
  d$a[3:6] <- NA
  d$f[7:9] <- NA
  x <- d[setdiff(names(d), c("class", "number"))]
  new <- x[c(1:20, 3:9), ]
  weights <- sample(c(0.5, 1, 2), nrow(d), TRUE)
  w4 <- weights * 4
  cases <- list(
    list(y = d$class, weights = NULL), list(y = d$class, weights = w4, q = 0.7, min_bucket = 5),
    list(y = d$number, weights = w4), list(y = d$number, weights = NULL, max_depth = 3)
  )
  for (case in cases) {
    settings <- case[setdiff(names(case), "y")]
    fit <- do.call(tec_rotation, c(
      list(x, case$y, trees = 3, threads = 2), settings[lengths(settings) > 0]
    ))
    z <- naive_columns(fit, x, x, case$weights %||% rep(1, nrow(d)))
    z_new <- naive_columns(fit, new, x, case$weights %||% rep(1, nrow(d)))
    type <- if (is.factor(case$y)) "prob" else "response"
    by_tree <- lapply(1:3, function(tree) {
      whole <- whole_rotation(fit, tree)
      defaults <- list(
        min_split = if (is.factor(case$y)) 2 else 6, min_bucket = 1, prune = "none", smooth = 0
      )
      others <- settings[lengths(settings) > 0]
      if (is.null(others$q)) others$criterion <- if (is.factor(case$y)) "gini" else "l2"
      alone <- do.call(tec_tree, c(
        list(as.data.frame(z %*% whole), case$y), utils::modifyList(defaults, others)
      ))
      expect_identical(n_leaves(alone), sum(leaves_of(fit, tree)))
      predict(alone, as.data.frame(z_new %*% whole), type = type)
    })
    expect_equal(
      predict(fit, new, type = type), Reduce(`+`, by_tree) / 3, tolerance = 1e-10,
      ignore_attr = TRUE
    )
  }
})

test_that("no tree splits on a component that is constant except for rounding", {
  # The indicators of a factor, and shares, add up to a constant.
  set.seed(1)
  d <- data.frame(f = factor(sample(letters[1:3], 200, TRUE, c(0.7, 0.2, 0.1))))
  d[c("a", "b")] <- stats::runif(400, 0, 0.5)
  d$c <- 1 - d$a - d$b
  y <- stats::rnorm(200)
  fit <- tec_rotation(d, y, trees = 20, group_size = 3)
  z <- naive_columns(fit, d, d)
  for (tree in 1:20) {
    turned <- z %*% whole_rotation(fit, tree)
    constant <- apply(turned, 2, function(v) diff(range(v))) < 1e-9
    table <- tec_components(fit, tree)
    expect_identical(sum(table$splits[table$component %in% which(constant)]), 0L)
  }
})

test_that("in groups of one all trees are that of tec_tree()", {
  fit <- tec_rotation(Species ~ ., iris, trees = 3, group_size = 1, sample_fraction = 1)
  alone <- tec_tree(Species ~ ., iris,
    criterion = "gini", min_split = 2, min_bucket = 1, prune = "none", smooth = 0
  )
  expect_true(all(fit$rotation$axes == 1))
  expect_equal(predict(fit, iris, type = "prob"), predict(alone, iris, type = "prob"))
})

test_that("the forest depends on the seed alone, and trees are the first of more", {
  d <- rotation_data(80)
  grow <- function(...) {
    set.seed(4)
    without_call(tec_rotation(class ~ . - number, d, ...))
  }
  grown <- c("trees", "rotation", "gain", "seeds", "inputs")
  one <- grow(trees = 9, threads = 1)
  expect_identical(grow(trees = 9, threads = 2)[grown], one[grown])
  few <- grow(trees = 4, threads = 2)
  expect_identical(few$rotation$axes, one$rotation$axes[, 1:4])
  expect_identical(few$trees$cut, one$trees$cut[seq_len(one$trees$start[5])])
  set.seed(5)
  other <- tec_rotation(class ~ . - number, d, trees = 9)
  expect_false(identical(other$rotation, one$rotation))
  before <- .Random.seed
  seeded <- tec_rotation(class ~ . - number, d, trees = 2, seed = 1)
  expect_identical(.Random.seed, before)
  expect_identical(seeded$trees, tec_rotation(class ~ . - number, d, L = 2, seed = 1)$trees)
})

test_that("a time limit keeps the first trees", {
  set.seed(6)
  d <- rotation_data(400)
  grow <- function(...) {
    set.seed(7)
    tec_rotation(number ~ . - class, d, threads = 2, ...)
  }
  few <- grow(trees = 3000, time_limit = 0.05)
  n <- length(few$seeds)
  expect_true(n >= 1 && n < 3000)
  expect_identical(few$settings$asked, 3000L)
  n <- min(n, 5)
  all <- grow(trees = n)
  expect_identical(all$rotation$axes, few$rotation$axes[, seq_len(n), drop = FALSE])
  expect_match(format(few)[2], "stopped by")
  expect_equal(length(grow(trees = 2, time_limit = 1e-9)$seeds), 1)
})

test_that("weights count rows, and columns without variance are no trouble", {
  set.seed(8)
  d <- rotation_data(60)
  d$constant <- 7
  d$one_level <- factor("only")
  d$nothing <- NA_real_
  fit <- suppressWarnings(tec_rotation(class ~ . - number, d, trees = 10, sample_fraction = 0.2))
  expect_true(all(is.finite(fit$rotation$axes)))
  expect_false("one_level" %in% variable.names(fit, used = TRUE))
  expect_gt(mean(predict(fit, d) == d$class), 0.9)
  # A row of weight 2 is two rows for medians, levels, means and the trees; with all rows drawn for
  # the components too.
  d <- d[c("a", "b", "f", "number")]
  w <- rep(1:2, 30)
  grow <- function(...) {
    set.seed(9)
    tec_rotation(number ~ ., ..., trees = 4, sample_fraction = 1, min_split = 2)
  }
  a <- grow(d, weights = w)
  b <- grow(d[rep(seq_along(w), w), ])
  expect_equal(a$inputs, b$inputs, tolerance = 1e-12)
  expect_equal(a$rotation, b$rotation, tolerance = 1e-8)
  large <- grow(d, weights = w * 1e250)
  expect_equal(large$inputs, a$inputs, tolerance = 1e-12)
  expect_equal(predict(large, d), predict(a, d), tolerance = 1e-8)
})

test_that("extreme numbers are scaled, and infinite ones are far away", {
  set.seed(10)
  d <- data.frame(y = rep(1:2, 20) + 0, x = 1:40 * 1e-200, z = 1:40 * 1e95, w = 1e9 + 1:40 / 1e3)
  d$y <- d$y + (d$x > 2e-199)
  fit <- tec_rotation(y ~ ., d, trees = 10)
  expect_true(all(is.finite(unlist(fit$inputs[c("centre", "scale")]))))
  expect_equal(fit$inputs$scale / c(1e-200, 1e95, 1e-3), rep(sd(1:40) * sqrt(39 / 40), 3),
    tolerance = 1e-5
  )
  new <- d[1:3, ]
  new$x <- c(Inf, -Inf, NaN)
  new$z[1] <- 1e308
  expect_true(all(is.finite(predict(fit, new))))
  scaled <- suppressMessages(tec_rotation(I(y * 1e99) ~ ., d, trees = 2))
  expect_gt(cor(predict(scaled, d) / 1e99, d$y), 0.5)
})
