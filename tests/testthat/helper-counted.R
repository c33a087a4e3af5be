# Trees from counts of rows in memory, compared with the tree of these rows.

# The tree that a counter of the data frame of a random_road_case() tells, by the arguments of
# tec_tree().
counted_case <- function(case, ..., collect_rows = 0) {
  changed <- list(...)
  case[names(changed)] <- changed
  suppressWarnings(suppressMessages(do.call(counted_tree, c(case, collect_rows = collect_rows))))
}

counted_tree <- function(formula, data, criterion = NULL, q = NULL, preset = "tec", weights = NULL,
                         prior = NULL, cost = NULL, class_weights = NULL, ..., collect_rows = 0,
                         max_values = 1e5, key = NULL, parts = NULL, settings = list()) {
  response <- all.vars(formula)[1L]
  predictors <- setdiff(names(data), c(response, weights, key))
  counter <- memory_counter(
    data, response, predictors, weights, key,
    settings = list(max_values = max_values, parts = parts)
  )
  input <- list(
    names = predictors, needs = as.list(predictors), predictors = lapply(predictors, as.name),
    response_name = response, formula = formula
  )
  asked <- list(
    q = q, criterion = criterion, preset = preset, prior = prior, cost = cost,
    class_weights = class_weights
  )
  engine <- do.call(
    tec_engine, c(list(collect_rows = collect_rows, max_values = max_values, progress = FALSE),
      settings)
  )
  grow_counted(counter, list(input = input), asked,
    tec_control(..., weights_as = if (is.null(weights)) "importance" else "frequency"), engine
  )
}

# Settings beyond those of random_road_case().
random_counted_case <- function(seed) {
  case <- random_road_case(seed)
  set.seed(seed + 1e6)
  pick <- function(...) sample(list(...), 1L)[[1L]]
  classes <- is.factor(case$data$y)
  if (stats::runif(1) < 0.3) case$max_leaves <- sample(2:12, 1)
  if (stats::runif(1) < 0.2) case$min_gain <- 0.01
  if (stats::runif(1) < 0.2) case$max_features <- pick(1, 2, "sqrt")
  if (stats::runif(1) < 0.2) case$ties <- "random"
  if (stats::runif(1) < 0.1) case$min_weighted_gain <- 0.01
  if (classes) {
    if (stats::runif(1) < 0.2) case$intervals <- 3
    if (stats::runif(1) < 0.2) case$eligible <- pick("all", "mean", "mean_sd")
    special <- stats::runif(1)
    if (special < 0.15) {
      case$splitter <- "random"
      case$intervals <- 2
    } else if (special < 0.3 && case$missing != "learned") {
      case$rules <- "c45"
    }
  } else {
    case$criterion <- "l2"
  }
  case
}

# Whether counts alone can serve the case.
is_counted <- function(case) {
  holed <- anyNA(case$data[names(case$data) != "y"])
  served <- if (is.factor(case$data$y)) {
    c("majority", "drop", "mode", "learned")
  } else {
    c("majority", "drop", "learned")
  }
  # What tests take: see check_p_search().
  name <- if (is.list(case$criterion)) case$criterion$name else case$criterion
  refused <- isTRUE(name %in% test_criteria) && (isTRUE(case$intervals > 2) ||
    case$rules == "c45" || identical(case$splitter, "random"))
  if (refused || case$rules %in% chaid_rules || case$max_p < 1) {
    return(FALSE)
  }
  case$missing != "surrogate" && (is.factor(case$data$y) || case$missing != "mode") &&
    (!holed || case$missing %in% served)
}

# Numbers of a regression agree up to rounding, all else exactly.
same_tree <- function(fit, of, classes) {
  rounded <- c("yval", "impurity", "gain", "score")
  if (classes) {
    return(expect_identical(fit$tree, of$tree))
  }
  exact <- setdiff(names(of$tree), rounded)
  expect_identical(fit$tree[exact], of$tree[exact])
  expect_equal(fit$tree[rounded], of$tree[rounded], tolerance = 1e-10)
}
