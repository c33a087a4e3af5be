# What must not change the tree, and which criteria must grow the same one.

# The structure of a tree without its numbers in the criterion's units.
structure_of <- function(tree, breaks = TRUE) {
  kept <- c("parent", "depth", "kind", "variable", "n_children", "child_start", "child", "level", "level_child",
    "default_child", "n", "exact")
  c(tree[kept], if (breaks) tree["breaks"])
}

expect_same_tree <- function(a, b, tolerance = 1e-9, label = NULL) {
  expect_identical(structure_of(a), structure_of(b), label = label)
  for (name in c("weight", "yval", "impurity", "gain", "score", "prob")) {
    expect_equal(a[[name]], b[[name]], tolerance = tolerance, label = label)
  }
}

each_criterion <- function(action) {
  listed <- tectree:::tec_criteria_()
  for (i in seq_along(listed$name)) {
    action(listed$name[i], listed$default_parameter[i], listed$task[i])
  }
}

# Numeric columns and continuous weights: hardly any ties.
smooth_problem <- function(name, parameter, task, n = 300) {
  problem <- random_problem(name, parameter, task)
  y <- sample(3, n, TRUE)
  problem$columns <- lapply(1:4, function(j) stats::rnorm(n) + j * y / 4)
  problem$kinds <- integer(4)
  problem$n_levels <- integer(4)
  problem$K <- if (task == "regression") 0L else 3L
  problem$y <- if (task == "regression") y + stats::rnorm(n) else y
  problem$weights <- problem$w <- stats::runif(n, 0.5, 2)
  problem$rows <- seq_len(n)
  problem$control <- utils::modifyList(
    problem$control,
    list(min_bucket = 12, min_split = 24, max_depth = 4, min_gain = 0, eligible = "default")
  )
  problem
}

with_rows <- function(problem, at) {
  problem$columns <- lapply(problem$columns, `[`, at)
  problem$y <- problem$y[at]
  problem$w <- problem$w[at]
  problem$weights <- problem$weights[at]
  problem$rows <- which(problem$w > 0)
  problem
}

test_that("the order of the rows does not matter", {
  set.seed(201)
  each_criterion(function(name, parameter, task) {
    for (i in 1:15) {
      problem <- random_problem(name, parameter, task)
      shuffled <- with_rows(problem, sample(length(problem$y)))
      expect_same_tree(engine_tree(shuffled), engine_tree(problem), label = name)
    }
  })
})

test_that("the order of the columns does not matter where nothing ties", {
  set.seed(202)
  each_criterion(function(name, parameter, task) {
    problem <- smooth_problem(name, parameter, task)
    tree <- engine_tree(problem)
    order <- c(3L, 1L, 4L, 2L)
    moved <- problem
    moved$columns <- problem$columns[order]
    other <- engine_tree(moved)
    inner <- other$variable > 0
    other$variable[inner] <- order[other$variable[inner]]
    expect_same_tree(other, tree, label = name)
  })
})

test_that("the names of the classes do not matter", {
  set.seed(203)
  each_criterion(function(name, parameter, task) {
    if (task == "regression") {
      return()
    }
    problem <- smooth_problem(name, parameter, task)
    tree <- engine_tree(problem)
    new_code <- c(3L, 1L, 2L)
    renamed <- problem
    renamed$y <- new_code[problem$y]
    other <- engine_tree(renamed)
    other$prob <- other$prob[, new_code]
    other$yval <- as.double(order(new_code)[other$yval])
    expect_same_tree(other, tree, label = name)
  })
})

test_that("a strictly monotone map of a numeric column changes the thresholds alone", {
  set.seed(204)
  maps <- list(exp, function(x) x^3, function(x) 100 * x + 7, function(x) atan(x))
  each_criterion(function(name, parameter, task) {
    for (map in maps) {
      problem <- random_problem(name, parameter, task)
      mapped <- problem
      numeric <- problem$kinds == 0
      mapped$columns[numeric] <- lapply(problem$columns[numeric], map)
      a <- engine_tree(problem)
      b <- engine_tree(mapped)
      expect_identical(structure_of(b, breaks = FALSE), structure_of(a, breaks = FALSE), label = name)
      expect_identical(engine_nodes(b, mapped), engine_nodes(a, problem), label = name)
    }
  })
})

engine_nodes <- function(tree, problem) {
  tectree:::tec_predict_(
    tree, problem_columns(problem), as.integer(problem$kinds), as.integer(problem$n_levels), length(problem$y), 1L
  )
}

test_that("a decreasing map mirrors the tree of numeric columns", {
  set.seed(205)
  each_criterion(function(name, parameter, task) {
    problem <- smooth_problem(name, parameter, task)
    mirrored <- problem
    mirrored$columns <- lapply(problem$columns, `-`)
    a <- engine_tree(problem)
    b <- engine_tree(mirrored)
    expect_equal(sort(b$weight), sort(a$weight), label = name)
    groups <- function(tree, problem) match(engine_nodes(tree, problem), unique(engine_nodes(tree, problem)))
    expect_identical(groups(b, mirrored), groups(a, problem), label = name)
  })
})

test_that("repeated columns are never chosen", {
  set.seed(206)
  each_criterion(function(name, parameter, task) {
    for (i in 1:10) {
      problem <- random_problem(name, parameter, task)
      # The mean over attributes is that of the columns without repetition; their sd is not.
      if (name == "effcami1" || problem$control$eligible == "mean_sd") {
        problem$control$eligible <- "mean"
      }
      repeated <- problem
      for (part in c("columns", "kinds", "n_levels")) {
        repeated[[part]] <- c(problem[[part]], problem[[part]])
      }
      expect_same_tree(engine_tree(repeated), engine_tree(problem), tolerance = 1e-12, label = name)
    }
  })
})

test_that("the number of threads does not matter", {
  set.seed(207)
  threads <- c(2L, if (identical(Sys.getenv("NOT_CRAN"), "true")) 4L)
  each_criterion(function(name, parameter, task) {
    problem <- smooth_problem(name, parameter, task, n = if (name == "l1") 800 else 3000)
    problem$columns[[5]] <- sample(5L, length(problem$y), TRUE)
    problem$columns[[6]] <- replace(problem$columns[[1]], problem$columns[[5]] == 2L, NA)
    problem$kinds <- c(problem$kinds, 2L, 0L)
    problem$n_levels <- c(problem$n_levels, 5L, 0L)
    problem$control$max_depth <- Inf
    one <- engine_tree(problem)
    for (n in threads) {
      problem$control$threads <- n
      expect_identical(engine_tree(problem), one, label = name)
    }
  })
})

test_that("weight 2 is the row twice, weight 0 is no row", {
  set.seed(208)
  each_criterion(function(name, parameter, task) {
    for (i in 1:15) {
      problem <- random_problem(name, parameter, task)
      times <- sample(0:3, length(problem$y), TRUE, prob = c(1, 3, 2, 1))
      if (all(times == 0)) {
        next
      }
      problem$weights <- problem$w <- as.double(times)
      problem$rows <- which(times > 0)
      repeated <- with_rows(problem, rep(seq_along(times), times))
      repeated$weights <- NULL
      repeated$w <- rep(1, length(repeated$y))
      repeated$rows <- seq_along(repeated$y)
      a <- engine_tree(problem)
      b <- engine_tree(repeated)
      expect_identical(b$n, a$weight, label = name)
      a$n <- b$n <- NULL
      expect_same_tree(a, b, label = name)
      expect_identical(engine_nodes(a, problem), engine_nodes(b, problem), label = name)
    }
  })
})

test_that("a common factor of the weights scales nothing but the weights", {
  set.seed(209)
  each_criterion(function(name, parameter, task) {
    for (factor in c(1 / 3, 7, 1e9)) {
      problem <- random_problem(name, parameter, task)
      problem$weights <- problem$w
      scaled <- problem
      scaled$weights <- scaled$w <- problem$w * factor
      scaled$control$min_bucket <- problem$control$min_bucket * factor
      scaled$control$min_split <- problem$control$min_split * factor
      a <- engine_tree(problem)
      b <- engine_tree(scaled)
      b$weight <- b$weight / factor
      expect_same_tree(b, a, label = name)
    }
  })
})

# Grows the tree of the same random problem by several criteria.
expect_equal_criteria <- function(n, criteria, adapt = identity, ...) {
  for (i in seq_len(n)) {
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
  }
}

test_that("tsallis_mutual and beta with the same parameter grow the same tree", {
  set.seed(210)
  for (b in c(0.5, 1 - 1e-9, 1, 1 + 1e-9, 1.7, 2, 4)) {
    expect_equal_criteria(20, list(list("tsallis_mutual", b), list("beta", b)))
  }
})

test_that("tsallis with q = 1, shannon, cond_entropy and cami grow the same tree", {
  set.seed(211)
  expect_equal_criteria(100, list(
    list("tsallis", 1), list("shannon", NA_real_), list("cond_entropy", NA_real_), list("cami", NA_real_),
    list("tsallis_mutual", 1), list("beta", 1)
  ))
})

test_that("tsallis with q = 2 is gini", {
  set.seed(212)
  expect_equal_criteria(100, list(list("tsallis", 2), list("gini", NA_real_)))
})

two_way <- function(problem) {
  problem$control$nominal <- "binary"
  problem
}

test_that("cami and cair agree on two-way splits when every attribute is eligible", {
  set.seed(213)
  expect_equal_criteria(100, list(list("cair", NA_real_), list("cami", NA_real_)), function(problem) {
    problem$control$eligible <- "all"
    two_way(problem)
  })
})

test_that("effcami0 is gain_ratio where there are no more branches than classes", {
  set.seed(214)
  expect_equal_criteria(100, list(list("effcami0", NA_real_), list("gain_ratio", NA_real_)), two_way)
  # Three branches and more, no more than the six classes.
  expect_equal_criteria(50, list(list("effcami0", NA_real_), list("gain_ratio", NA_real_)), function(problem) {
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
  expect_equal_criteria(100, list(list("tsallis_ratio", 1), list("gain_ratio", NA_real_)), function(problem) {
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
    for (q in if (name == "beta") grid[grid > 0] else grid) {
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
    for (i in 1:5) {
      problem <- smooth_problem(name, 1, "classification")
      at_one <- engine_scores(problem)
      for (step in c(-1e-6, -1e-9, -1e-12, 1e-12, 1e-9, 1e-6)) {
        problem$parameter <- 1 + step
        near <- engine_scores(problem)
        expect_equal(near$breaks, at_one$breaks)
        expect_equal(near$gain, at_one$gain, tolerance = 10 * abs(step) + 1e-10)
        expect_equal(near$score, at_one$score, tolerance = 10 * abs(step) + 1e-10)
      }
    }
  }
})

test_that("through the front end, weights, row order and units of a date do not matter", {
  set.seed(218)
  data <- iris
  data$day <- as.Date("2024-01-01") + round(10 * data$Petal.Length)
  fit <- tec_tree(Species ~ ., data)
  shuffled <- tec_tree(Species ~ ., data[sample(150), ])
  expect_same_tree(shuffled$tree, fit$tree)
  doubled <- tec_tree(Species ~ ., data, weights = rep(2, 150), min_bucket = 10, min_split = 20)
  repeated <- tec_tree(Species ~ ., data[rep(1:150, 2), ], min_bucket = 10, min_split = 20)
  expect_identical(predict(doubled, data), predict(repeated, data))
  expect_identical(doubled$tree$weight, repeated$tree$weight)
  data$day <- as.POSIXct(data$day)
  expect_identical(
    structure_of(tec_tree(Species ~ ., data)$tree, breaks = FALSE),
    structure_of(fit$tree, breaks = FALSE)
  )
})
