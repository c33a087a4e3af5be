# Which criteria must grow the same tree, and that every parameter gives sound numbers.

# Grows the tree of the same random problem by several criteria.
expect_equal_criteria <- function(n, criteria, adapt = identity, ...) {
  for (i in case_seeds(n)) at_seed(i, {
    problem <- random_problem("shannon", NA_real_, "classification", ...)
    problem$control$min_gain <- 0
    problem <- adapt(problem)
    trees <- lapply(criteria, function(criterion) {
      problem$name <- criterion[[1]]
      problem$parameter <- criterion[[2]]
      structure_of(engine_tree(problem))
    })
    for (j in seq_along(trees)[-1]) {
      expect_identical(trees[[j]], trees[[1]], label = paste(criteria[[j]][[1]], "of problem", i))
    }
  })
}

test_that("tsallis_mutual and beta with the same parameter grow the same tree", {
  set.seed(210)
  for (b in c(0.5, 1 - 1e-9, 1, 1 + 1e-9, 1.7, 2, 4)) {
    expect_equal_criteria(2, list(list("tsallis_mutual", b), list("beta", b)))
  }
})

test_that("tsallis with q = 1, shannon, cond_entropy and cami grow the same tree", {
  expect_equal_criteria(5, list(
    list("tsallis", 1), list("shannon", NA_real_), list("cond_entropy", NA_real_),
    list("cami", NA_real_), list("tsallis_mutual", 1), list("beta", 1)
  ))
})

test_that("tsallis with q = 2 is gini", {
  expect_equal_criteria(5, list(list("tsallis", 2), list("gini", NA_real_)))
})

two_way <- function(problem) {
  problem$control$nominal <- "binary"
  problem
}

test_that("cami and cair agree on two-way splits when every attribute is eligible", {
  set.seed(213)
  pair <- list(list("cair", NA_real_), list("cami", NA_real_))
  expect_equal_criteria(5, pair, function(problem) {
    problem$control$eligible <- "all"
    two_way(problem)
  })
})

test_that("cami and cair agree on two-way splits whoever is eligible: the best is", {
  set.seed(218)
  for (rule in c("default", "mean", "mean_sd")) {
    pair <- list(list("cair", NA_real_), list("cami", NA_real_))
    expect_equal_criteria(3, pair, function(problem) {
      problem$control$eligible <- rule
      two_way(problem)
    })
  }
})

test_that("effcami0 is gain_ratio where there are no more branches than classes", {
  set.seed(214)
  pair <- list(list("effcami0", NA_real_), list("gain_ratio", NA_real_))
  expect_equal_criteria(5, pair, two_way)
  # Three branches and more, no more than the six classes.
  expect_equal_criteria(2, pair, function(problem) {
    problem$y <- sample(6, length(problem$y), TRUE)
    problem$K <- 6L
    problem$control$nominal <- "multiway"
    problem
  })
})

# gain_ratio takes the cut of an attribute by information gain and tsallis_ratio by the ratio, so
# they agree where each attribute has one split only.
test_that("tsallis_ratio with q = 1 is gain_ratio on attributes with one split, all eligible", {
  set.seed(215)
  pair <- list(list("tsallis_ratio", 1), list("gain_ratio", NA_real_))
  expect_equal_criteria(5, pair, function(problem) {
    problem$columns <- lapply(1:3, function(j) sample(j + 1, length(problem$y), TRUE))
    problem$kinds <- rep(2L, 3)
    problem$n_levels <- 2:4
    problem$control$nominal <- "multiway"
    problem$control$eligible <- "all"
    problem
  })
})

test_that("every q gives finite numbers, also with huge and tiny weights", {
  set.seed(216)
  grid <- c(-5, -1, 0, 0.5, 1 - 1e-9, 1, 1 + 1e-9, 1.7, 2, 10, 50)
  names <- c("tsallis", "tsallis_ratio", "tsallis_mutual", "beta")
  for (name in names) {
    for (q in some_of(if (name == "beta") grid[grid > 0] else grid, 6)) {
      problem <- smooth_problem(name, q, "classification")
      scores <- list()
      for (scale in c(1, 1e-7, 1e7)) {
        problem$weights <- problem$w * scale
        problem$control$min_bucket <- 12 * scale
        problem$control$min_split <- 24 * scale
        tree <- engine_tree(problem)
        label <- paste0(name, "(", q, "), weights times ", scale)
        inner <- tree$kind != 0
        numbers <- c(tree$impurity, tree$gain[inner], tree$score[inner], tree$prob, tree$breaks)
        expect_true(all(is.finite(numbers)), label = label)
        scores <- c(scores, list(engine_scores(problem)[c("column", "gain", "score")]))
      }
      expect_equal(scores[[2]], scores[[1]], tolerance = 1e-8, label = label)
      expect_equal(scores[[3]], scores[[1]], tolerance = 1e-8, label = label)
    }
  }
})

test_that("the criteria are continuous at q = 1", {
  set.seed(217)
  for (name in c("tsallis", "tsallis_ratio", "tsallis_mutual", "beta")) {
    for (i in case_seeds(1)) at_seed(i, {
      problem <- smooth_problem(name, 1, "classification")
      at_one <- engine_scores(problem)
      for (step in c(-1e-6, -1e-9, -1e-12, 1e-12, 1e-9, 1e-6)) {
        problem$parameter <- 1 + step
        near <- engine_scores(problem)
        expect_equal(near$breaks, at_one$breaks)
        expect_equal(near$gain, at_one$gain, tolerance = 10 * abs(step) + 1e-10)
        expect_equal(near$score, at_one$score, tolerance = 10 * abs(step) + 1e-10)
      }
    })
  }
})
