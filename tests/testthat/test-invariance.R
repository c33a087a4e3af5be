# Changes of the data that must not change the tree.

test_that("the order of the rows does not matter", {
  set.seed(201)
  each_criterion(function(name, parameter, task) {
    for (i in case_seeds(2)) at_seed(i, {
      problem <- random_problem(name, parameter, task)
      shuffled <- with_rows(problem, sample(length(problem$y)))
      expect_same_tree(engine_tree(shuffled), engine_tree(problem), label = name)
    })
  })
})

test_that("the order of the columns does not matter without ties", {
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

#' @srrstats {ML7.1} Scales of predictors do not matter for trees.
test_that("a strictly monotone map of a numeric column changes only the cuts", {
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
      expect_identical(
        structure_of(b, breaks = FALSE), structure_of(a, breaks = FALSE),
        label = name
      )
      expect_identical(engine_nodes(b, mapped), engine_nodes(a, problem), label = name)
    }
  })
})

test_that("a decreasing map mirrors the tree of numeric columns", {
  set.seed(205)
  each_criterion(function(name, parameter, task) {
    problem <- smooth_problem(name, parameter, task)
    mirrored <- problem
    mirrored$columns <- lapply(problem$columns, `-`)
    a <- engine_tree(problem)
    b <- engine_tree(mirrored)
    expect_equal(sort(b$weight), sort(a$weight), label = name)
    groups <- function(tree, problem) {
      node <- engine_nodes(tree, problem)
      match(node, unique(node))
    }
    expect_identical(groups(b, mirrored), groups(a, problem), label = name)
  })
})

test_that("repeated columns are never chosen", {
  set.seed(206)
  each_criterion(function(name, parameter, task) {
    for (i in case_seeds(1)) at_seed(i, {
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
    })
  })
})

test_that("the number of threads does not matter", {
  set.seed(207)
  threads <- c(2L, if (all_cases()) 4L)
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

test_that("a weight of 2 repeats the row, a weight of 0 removes it", {
  set.seed(208)
  each_criterion(function(name, parameter, task) {
    for (i in case_seeds(2)) at_seed(i, {
      problem <- random_problem(name, parameter, task)
      times <- sample(0:3, length(problem$y), TRUE, prob = c(1, 3, 2, 1))
      if (all(times == 0)) {
        next
      }
      problem$weights <- problem$w <- as.double(times)
      problem["sizes"] <- problem["unit"] <- list(NULL)
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
    })
  })
})

test_that("a common factor of the weights scales nothing but the weights", {
  set.seed(209)
  each_criterion(function(name, parameter, task) {
    for (factor in c(1 / 3, 7, 1e9)) {
      problem <- random_problem(name, parameter, task)
      problem$weights <- problem$w
      problem["sizes"] <- list(NULL)
      # Sizes, which are the weights here, say how much naming a grouping costs a row.
      problem$control$free_levels <- Inf
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

test_that("through the front end, weights, row order and units of a date do not matter", {
  set.seed(218)
  data <- iris
  data$day <- as.Date("2024-01-01") + round(10 * data$Petal.Length)
  fit <- tec_tree(Species ~ ., data)
  shuffled <- tec_tree(Species ~ ., data[sample(150), ])
  expect_same_tree(shuffled$tree, fit$tree)
  doubled <- tec_tree(Species ~ ., data, weights = rep(2, 150), weights_as = "frequency",
    min_bucket = 10, min_split = 20)
  repeated <- tec_tree(Species ~ ., data[rep(1:150, 2), ], min_bucket = 10, min_split = 20)
  expect_identical(predict(doubled, data), predict(repeated, data))
  expect_identical(doubled$tree$weight, repeated$tree$weight)
  data$day <- as.POSIXct(data$day)
  expect_identical(
    structure_of(tec_tree(Species ~ ., data)$tree, breaks = FALSE),
    structure_of(fit$tree, breaks = FALSE)
  )
})
