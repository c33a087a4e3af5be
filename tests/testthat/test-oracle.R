# The engine against the naive oracle of helper-oracle*.R, on random small problems: the attributes'
# splits with all their numbers, and whole trees. The loops run over tec_criteria(), so that a new
# criterion fails here until it has an oracle.

test_that("every criterion has an oracle", {
  known <- c(names(oracle_criteria), test_criteria)
  expect_identical(setdiff(tec_criteria()$name, known), character())
})

test_that("splits, scores, ties and whole trees are the oracle's", {
  expect_oracle(3, check_both)
})

test_that("of leaves with the same gain times weight the first is split first", {
  data <- data.frame(
    x = rep(1:4, each = 2), z = rep(1:2, 4),
    y = factor(c("a", "a", "b", "b", "c", "c", "d", "d"))
  )
  nodes <- as.data.frame(tec_tree(y ~ x + z, data, min_bucket = 1, min_split = 2, max_leaves = 3))
  expect_identical(nodes$parent, c(0L, 1L, 2L, 2L, 1L))
})

#' @srrstats {G5.4, G5.4a} Trees and predictions are those of a second implementation in R.
test_that("tec_tree() and predict() give the oracle's tree", {
  expect_oracle(1, function(problem) {
    problem <- as_user_problem(problem)
    fit <- user_tree(problem)
    nodes <- oracle_tree(problem)
    leaf <- integer(length(problem$y))
    for (i in seq_along(nodes)) {
      if (is.null(nodes[[i]]$split)) leaf[nodes[[i]]$rows] <- i
    }
    found <- predict(fit, problem_frame(problem), type = "node")
    rows <- vapply(nodes, function(node) as.double(node$n), 0)
    c(
      tree_differences(fit$tree, nodes),
      if (!identical(as.integer(found)[problem$rows], leaf[problem$rows])) "rows of the leaves",
      if (!identical(as.data.frame(fit)$n, rows)) "n in the data frame"
    )
  })
})

test_that("above twelve levels a best prefix that is too lopsided leaves a heuristic", {
  x <- factor(rep(letters[1:16], c(2, rep(3, 14), 2)), letters)
  data <- data.frame(y = factor(x %in% c("a", "p")), x)
  barred <- tec_scores(y ~ x, data, criterion = "gini", min_bucket = 5)
  expect_false(barred$exact)
  expect_true(tec_scores(y ~ x, data, criterion = "gini", min_bucket = 4)$exact)
})

# Above twelve levels: prefixes of the order along the first principal component. Its sign is
# arbitrary, so only the values are compared.
test_that("many levels with many classes are ordered by the first principal component", {
  for (i in case_seeds(1)) at_seed(i, {
    n <- 400
    x <- sample(20, n, TRUE)
    y <- as.integer(cut(stats::rnorm(n) + sin(x), 4))
    problem <- random_problem("gini", NA_real_, "classification")
    problem$y <- y
    problem$K <- 4L
    problem$columns <- list(x)
    problem$kinds <- 2L
    problem$n_levels <- 20L
    problem$rows <- seq_len(n)
    problem[c("weights", "sizes", "unit")] <- NULL
    problem$w <- rep(1, n)
    problem$control[c("nominal", "free_levels")] <- list("binary", Inf)
    share <- prop.table(table(x, y), 1)
    axis <- svd(sqrt(tabulate(x)) * sweep(share, 2, tabulate(y) / n))$v[, 1]
    ordered_levels <- order(drop(share %*% axis))
    gains <- vapply(oracle_prefixes(ordered_levels), function(group) {
      oracle_criteria$gini$measure(problem, 1 + (x %in% group), NA)[["gain"]]
    }, 0)
    found <- engine_scores(problem)
    expect_equal(found$gain, max(gains), tolerance = 1e-10)
    expect_false(found$exact)
  })
})

test_that("every candidate is listed, in the order of the enumeration", {
  expect_oracle(1, function(problem) {
    listed <- engine_scores(problem, all = TRUE)
    differences <- character()
    for (column in seq_along(problem$columns)) {
      found <- oracle_column(column, problem$rows, problem)
      found$values <- found$values * rep(found$left, each = 3)
      at <- which(listed$column == column)
      n_expected <- length(found$candidates)
      if (length(at) != n_expected) {
        return(paste("column", column, "has", length(at), "candidates, not", n_expected))
      }
      for (name in rownames(found$values)) {
        if (!agrees(listed[[name]][at], found$values[name, ])) {
          differences <- c(differences, paste(name, "of column", column))
        }
      }
      admissible <- if (n_expected) oracle_admissible(found, column, problem) else logical()
      if (!identical(listed$admissible[at], admissible)) {
        differences <- c(differences, paste("admissible of column", column))
      }
    }
    differences
  })
})
