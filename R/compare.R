#' Compare split criteria
#'
#' Compares the trees of several criteria by cross-validation on the same folds: their performance,
#' their size, and which differences are significant.
#' *Experimental*, see *Lifecycle* in [tectree-package].
#'
#' # Tests
#'
#' On one data set every pair of criteria is compared by
#' * the corrected resampled t-test of Nadeau and Bengio (2003): the mean difference d of the J fold
#'   values, with variance s^2, gives t = d / sqrt((1/J + n_test/n_train) s^2) with J - 1 degrees of
#'   freedom. The term n_test/n_train corrects for the overlap of the training rows of different
#'   folds; the ordinary paired t-test, which lacks it, finds differences far too often. If all fold
#'   values are equal, p = 1;
#' * Wilcoxon's signed-rank test of the fold values. It assumes independent folds, so its p-values
#'   are too small.
#'
#' With several data sets (`data` is a list), the means of the data sets are compared:
#' Wilcoxon's test over the data sets for each pair, Friedman's test of all, and
#' Nemenyi's critical difference of the mean ranks (Demsar, 2006).
#'
#' p-values are reported unadjusted and adjusted for the number of pairs by Holm's method.
#'
#' # Pruning
#'
#' By default unpruned trees are compared, because pruning hides differences between criteria. To
#' compare the default trees of [tec_tree()], use `prune = "auto"`; each tree is then pruned by
#' cross-validation on its training rows.
#'
#' # Criteria that grow the same tree
#'
#' Some criteria always grow the same tree: `"gini"` and `"tsallis"` with `q = 2`; `"shannon"`,
#' `"cond_entropy"`, `"cami"` and the Tsallis criteria with `q = 1`; `"tsallis_mutual"` and `"beta"`
#' with one parameter; if all splits are binary, `"cair"` and `"cami"`; if no split has more
#' branches than there are classes, `"effcami0"` and `"gain_ratio"`. Such criteria are grown once
#' and share one line, under the first name; ranks and adjusted p-values count them once. Settings
#' in the units of the gain (`min_gain`, or `alpha` with `risk = "impurity"`) and `rules = "c45"`
#' make their trees differ, except for the first pair.
#'
#' # Plot
#'
#' `plot()` draws a critical-difference diagram: the mean rank of each criterion (1 is best) over
#' the folds or the data sets. A bar joins criteria that do not differ significantly: by the
#' adjusted p-value of the corrected t-test on one data set, by Nemenyi's critical difference on
#' several.
#'
#' @param formula,preset,weights,subset,na.action,control As in [tec_tree()].
#' @param data A data frame, or a list of data frames to which the formula applies.
#' @param criteria Names from [tec_criteria()], or a list of names and [tec_criterion()]s. `NULL`:
#'   all criteria that suit the response.
#' @param q,beta Values of the parameters for the criteria given by name; each
#'   value is compared separately.
#' @param folds,repeats,stratified,sample As in [tec_tune()]. With several data sets
#'   `folds` is one number.
#' @param metric One or more metrics to report, see [tec_tune()]; the first is tested.
#' @param level Differences are marked if the adjusted p-value is below `1 - level`.
#' @param ... Arguments of [tec_control()], each with one value.
#' @return An object of class `tec_comparison`, a list with the data frames `table` (one row per
#'   criterion: means, standard errors, `rank`, and in `same` the other criteria that grow the same
#'   tree), `tests` (one row per pair) and `values` (one row per criterion and fold), and more.
#'   [as.data.frame()] and, with the package generics, `tidy()` return them with
#'   `what = "criteria"`, `"tests"` or `"folds"`.
#' @references
#' Nadeau, C. and Bengio, Y. (2003) Inference for the generalization error. *Machine
#' Learning* 52, 239-281.
#'
#' Demsar, J. (2006) Statistical comparisons of classifiers over multiple data sets.
#' *Journal of Machine Learning Research* 7, 1-30.
#' @family choosing settings
#' @examples
#' set.seed(1)
#' compared <- compare_criteria(Species ~ ., iris, c("shannon", "gini", "gain_ratio"))
#' compared
#' as.data.frame(compared, what = "tests")
#' plot(compared)
#' @export
compare_criteria <- function(formula, data, criteria = NULL, q = NULL, beta = NULL, folds = 10,
                             repeats = 1, metric = NULL, level = 0.95, stratified = TRUE,
                             sample = NULL, preset = "tec", weights, subset, na.action = NULL,
                             control = tec_control(...), ...) {
  call <- match.call()
  if (missing(formula)) abort_no_formula("compare_criteria")
  level <- check_level(level)
  known <- setdiff(names(formals()), "...")
  controls <- control_grid(if (!missing(control)) control, list(...), known, "compare_criteria")
  check_one_control(controls)
  controls <- full_trees(controls, check_preset(preset))
  if (!is.null(criteria)) criteria <- as_criterion_list(criteria, "criteria")
  if (!inherits(formula, "formula")) {
    abort_found("{.arg formula} must be a formula.", formula, topic = "formula")
  }
  caller <- parent.frame()
  data <- if (missing(data)) list(NULL) else as_data_sets(data)
  if (length(data) > 1L) check_fold_count(folds, "folds", 2)
  design <- list(
    folds = folds, repeats = repeats, metric = metric, stratified = stratified, sample = sample,
    widen = FALSE, equal = TRUE
  )
  runs <- lapply(data, function(one) {
    input <- formula_input(formula, one, call[["weights"]], call$subset, caller)
    suited <- criteria %||% criteria_for(response_task(input$response))
    asked <- list(
      q = q, criterion = suited, beta = beta, preset = preset, na_action = given_action(na.action),
      tune = character()
    )
    evaluate_grid(input, asked, controls, design)
  })
  out <- describe_comparison(runs, level)
  out$call <- stored_call(call)
  out$call[[1L]] <- quote(compare_criteria)
  structure(out, class = "tec_comparison")
}

criteria_for <- function(task) {
  all <- tec_criteria()
  all$name[all$task == task]
}

check_level <- function(level) {
  if (!is_number(level) || level <= 0 || level >= 1) {
    abort_found("{.arg level} must be one number between 0 and 1.", level)
  }
  level
}

full_trees <- function(controls, preset) {
  controls$control <- lapply(controls$control, function(control) {
    if (is.null(control$prune) && resolve_control(control, preset)$prune == "auto") {
      control$prune <- "none"
    }
    control
  })
  controls
}

check_one_control <- function(controls) {
  if (length(controls$control) > 1L) {
    tec_abort("grid", c(
      "{.fn compare_criteria} compares criteria under the same settings.",
      x = "Several values are given for {.arg {names(controls$table)}}.",
      i = "Use {.fn tec_tune} for a grid of settings."
    ))
  }
}

as_data_sets <- function(data) {
  if (!is.list(data) || is.data.frame(data)) {
    return(list(data))
  }
  if (length(data) == 0L || !all(vapply(data, is.data.frame, NA))) {
    abort_found("{.arg data} must be a data frame, or a list of data frames.", data, topic = "data")
  }
  if (is.null(names(data))) names(data) <- paste0("data", seq_along(data))
  data
}

# The table, the values and the tests of one run, or of one run per data set.
describe_comparison <- function(runs, level) {
  check_same_metric(runs)
  metric <- runs[[1L]]$metric
  first <- first_in_all(runs)
  every <- setting_labels(runs[[1L]]$table)
  check_different(every, first)
  kept <- unique(first)
  labels <- every[kept]
  same <- vapply(kept, function(i) {
    paste(every[setdiff(which(first == i), i)], collapse = " / ")
  }, "")
  for (i in seq_along(runs)) {
    runs[[i]]$values <- runs[[i]]$values[kept, , , drop = FALSE]
    runs[[i]]$errors <- runs[[i]]$errors[kept, , drop = FALSE]
  }
  several <- length(runs) > 1L
  for (run in runs) check_all_fitted(run, labels)
  tables <- lapply(runs, function(run) {
    summarise_cells(run$values, max(table(run$folds[["repeat"]])))
  })
  by_unit <- if (several) {
    vapply(tables, function(t) t[[metric[1L]]], numeric(length(labels)))
  } else {
    defined_folds(runs[[1L]]$values, metric[1L])
  }
  if (ncol(by_unit) < 2L) {
    tec_abort("metric", c(
      "{.arg metric} {.val {metric[1L]}} must be defined on at least 2 folds.",
      x = "It is defined on {ncol(by_unit)}."
    ))
  }
  rank <- mean_ranks(by_unit, is_largest(metric[1L]))
  table <- if (several) mean_table(tables) else tables[[1L]]
  folds <- runs[[1L]]$folds
  tests <- pair_tests(by_unit, if (!several) mean(folds$n_test / folds$n_train))
  list(
    table = cbind(
      data.frame(criterion = labels, stringsAsFactors = FALSE), table,
      rank = rank, same = same, stringsAsFactors = FALSE
    ),
    tests = cbind(pair_names(labels), tests),
    values = comparison_values(runs, labels),
    metric = metric, level = level, data = if (several) names(runs),
    overall = if (several) overall_tests(by_unit, level),
    n_folds = vapply(runs, `[[`, 0L, "n_folds"),
    partial = any(vapply(runs, function(run) nrow(run$folds) < run$n_folds, NA)),
    n_rows = vapply(runs, `[[`, 0L, "n_rows"), response = runs[[1L]]$ready$response$info$name
  )
}

check_different <- function(labels, first) {
  if (length(unique(first)) > 1L) {
    return(invisible())
  }
  tec_abort("criterion", c(
    "There must be at least 2 criteria to compare.",
    x = if (length(labels) < 2L) {
      "There is {length(labels)}."
    } else {
      "With these settings {.val {labels}} grow the same tree."
    }
  ))
}

check_same_metric <- function(runs) {
  tasks <- vapply(runs, `[[`, "", "task")
  if (length(unique(tasks)) > 1L) {
    tec_abort("data", c(
      "The responses of the data sets must all be classes, or all be numeric.",
      x = "Some need {unique(tasks)[1L]}, some {unique(tasks)[2L]}."
    ))
  }
}

check_all_fitted <- function(run, labels) {
  check_failures(run$values, run$errors, labels, run$metric[1L])
  failed <- rowSums(!is.na(run$errors)) > 0L
  if (any(failed)) {
    tec_abort("tune", c(
      "Every criterion must be fitted on every fold to be compared.",
      x = "{cli::qty(sum(failed))}Not fitted: {.val {labels[failed]}}."
    ))
  }
}

defined_folds <- function(values, metric) {
  out <- matrix(values[, metric, ], dim(values)[1L])
  out[, colSums(is.na(out)) == 0L, drop = FALSE]
}

mean_table <- function(tables) {
  out <- Reduce(`+`, tables) / length(tables)
  measured <- grep("_se$", names(out), invert = TRUE, value = TRUE)
  for (name in measured) {
    each <- vapply(tables, `[[`, numeric(nrow(out)), name)
    out[[paste0(name, "_se")]] <- apply(each, 1L, stats::sd) / sqrt(length(tables))
  }
  out
}

comparison_values <- function(runs, labels) {
  grid <- data.frame(criterion = labels, stringsAsFactors = FALSE)
  tables <- lapply(runs, function(run) fold_values(grid, run$folds, run$values))
  if (length(runs) > 1L) {
    tables <- Map(function(t, name) cbind(data = name, t), tables, names(runs))
  }
  out <- do.call(rbind, unname(tables))
  rownames(out) <- NULL
  out
}

# One row per setting and fold, with the folds of a setting together.
fold_values <- function(grid, folds, values) {
  settings <- nrow(grid)
  out <- cbind(
    grid[rep(seq_len(settings), each = nrow(folds)), , drop = FALSE],
    folds[rep(seq_len(nrow(folds)), settings), , drop = FALSE]
  )
  for (name in dimnames(values)[[2L]]) {
    out[[name]] <- as.vector(t(matrix(values[, name, ], settings)))
  }
  rownames(out) <- NULL
  out
}
