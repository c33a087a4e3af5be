# Nodes of many rows, where the engine looks at a column coarsely first, keeps compact copies of a
# node and shares work among threads. The small problems of test-oracle.R reach none of that.

large_problem <- function(name, parameter, task, n) {
  problem <- random_problem(name, parameter, task)
  class <- sample(3, n, TRUE, prob = c(5, 3, 2))
  problem$columns <- list(
    stats::rnorm(n) + class / 3,
    round(stats::rnorm(n) + (class == 2), 1),
    replace(stats::rexp(n) + (class == 3) / 2, sample(n, n / 20), NA),
    stats::rcauchy(n),
    sample(6L, n, TRUE, prob = 6:1)
  )
  problem$kinds <- c(0L, 0L, 0L, 0L, 2L)
  problem$n_levels <- c(0L, 0L, 0L, 0L, 6L)
  problem$K <- if (task == "regression") 0L else 3L
  problem$y <- if (task == "regression") class + round(stats::rnorm(n), 1) else class
  problem$weights <- NULL
  problem$w <- rep(1, n)
  problem$rows <- seq_len(n)
  problem$control <- utils::modifyList(problem$control, list(
    min_split = 2, min_bucket = 5, max_depth = Inf, min_gain = 0, nominal = "binary",
    eligible = "all", threads = 2L
  ))
  problem
}

# The cut measure at every threshold of a numeric column, each from its own table of counts. A quick
# look takes those around the chosen one and a tenth of all.
all_cut_measures <- function(problem, x, chosen) {
  known <- which(!is.na(x))
  at <- known[order(x[known])]
  counts <- apply(outer(problem$y[at], seq_len(problem$K), "=="), 2, cumsum)
  total <- counts[length(at), ]
  last <- which(diff(x[at]) > 0)
  last <- last[last >= 5 & length(at) - last >= 5]
  breaks <- (x[at[last]] + x[at[last + 1]]) / 2
  if (!all_cases()) {
    near <- utils::head(order(abs(breaks - chosen)), 30)
    tried <- sort(unique(c(near, seq(1, length(last), 10))))
    last <- last[tried]
    breaks <- breaks[tried]
  }
  measure <- oracle_criteria[[problem$name]]$measure_counts
  cut <- vapply(last, function(i) {
    measure(rbind(counts[i, ], total - counts[i, ]), problem$parameter)[["cut"]]
  }, 0)
  list(cut = cut, breaks = breaks)
}

test_that("in a node of many rows no threshold is better, for classes", {
  set.seed(301)
  for (criterion in Filter(function(row) row$task == "classification", criteria_rows())) {
    problem <- large_problem(criterion$name, criterion$default, criterion$task, n = 6000)
    found <- engine_scores(problem)
    for (i in which(problem$kinds[found$column] == 0)) {
      chosen <- pool(found, "breaks", i)
      every <- all_cut_measures(problem, problem$columns[[found$column[i]]], chosen)
      first <- oracle_first_best(every$cut, 1)
      expect_equal(found$cut[i], every$cut[first], tolerance = 1e-9, label = criterion$name)
      expect_equal(chosen, every$breaks[first], label = criterion$name)
    }
  }
})

test_that("in a node of many rows no threshold is better, for numbers", {
  set.seed(302)
  for (name in c("l2", "l1")) {
    problem <- large_problem(name, NA_real_, "regression", n = 3000)
    found <- engine_scores(problem)
    for (i in which(problem$kinds[found$column] == 0)) {
      x <- problem$columns[[found$column[i]]]
      known <- which(!is.na(x))
      node <- list(y = problem$y[known], w = problem$w[known], K = 0)
      values <- sort(unique(x[known]))
      breaks <- (values[-1] + values[-length(values)]) / 2
      chosen <- pool(found, "breaks", i)
      # Those around the chosen one and a sample of all.
      near <- order(abs(breaks - chosen))[1:60]
      tried <- breaks[unique(c(near, seq(1, length(breaks), length.out = 120)))]
      cut <- vapply(tried, function(t) {
        branch <- 1 + (x[known] > t)
        small <- min(tabulate(branch, 2)) < 5
        if (small) -Inf else oracle_criteria[[name]]$measure(node, branch)[["cut"]]
      }, 0)
      expect_equal(found$cut[i], max(cut), tolerance = 1e-9, label = name)
      expect_equal(cut[which.min(abs(tried - chosen))], max(cut), tolerance = 1e-9, label = name)
    }
  }
})

# The last node below each node, in pre-order.
subtree_ends <- function(tree) {
  end <- seq_along(tree$parent)
  for (i in rev(end)[-length(end)]) {
    end[tree$parent[i]] <- max(end[tree$parent[i]], end[i])
  }
  end
}

# A node's split must not depend on the way by which its rows came there.
test_that("a node of a large tree is split as its rows alone would be", {
  set.seed(303)
  for (criterion in criteria_rows()) {
    n <- if (criterion$name == "l1") 3000 else 12000
    problem <- large_problem(criterion$name, criterion$default, criterion$task, n)
    problem$control$eligible <- "default"
    tree <- engine_tree(problem)
    leaf <- engine_nodes(tree, problem)
    end <- subtree_ends(tree)
    inner <- which(tree$kind != 0)
    for (i in unique(c(utils::head(inner, 6), some_of(sample(inner, min(8, length(inner))), 2)))) {
      problem$rows <- which(leaf >= i & leaf <= end[i])
      alone <- engine_scores(problem)
      at <- which(alone$chosen)
      label <- paste(criterion$name, "node", i)
      expect_identical(length(problem$rows), as.integer(tree$n[i]), label = label)
      expect_identical(alone$column[at], tree$variable[i], label = label)
      expect_equal(alone$gain[at], tree$gain[i], tolerance = 1e-10, label = label)
      expect_identical(pool(alone, "breaks", at), pool(tree, "breaks", i), label = label)
      expect_identical(pool(alone, "level_child", at), pool(tree, "level_child", i), label = label)
    }
  }
})

test_that("equal criteria grow equal large trees", {
  set.seed(304)
  problem <- large_problem("gini", NA_real_, "classification", n = 12000)
  grow <- function(name, parameter = NA_real_) {
    problem$name <- name
    problem$parameter <- parameter
    structure_of(engine_tree(problem))
  }
  expect_identical(grow("tsallis", 2), grow("gini"))
  expect_identical(grow("beta", 1.7), grow("tsallis_mutual", 1.7))
  for (name in c("shannon", "cond_entropy", "cami")) {
    expect_identical(grow(name), grow("tsallis", 1), label = name)
  }
})
