# Checks that a list is a model of many trees: its parts, their lengths, and every node of its
# trees. Prediction skips the nodes, because the core checks those that it visits.

forest_pieces <- c(
  "trees", "columns", "response", "criterion", "control", "predictors", "n_rows", "settings"
)
forest_vectors <- c("start", "variable", "right", "cut", "sides", "weight", "unknown")

# Numbers among the settings that print() shows, in the models that have them.
shown_sizes <- c("rate", "max_depth", "min_bucket", "draws", "drawn_columns", "folds", "held_out")

# Parts that are lists or data frames, in the models that have them.
list_pieces <- c("criterion", "control", "settings", "oob", "importance", "curve", "bags", "tuning")

# Checks that a model of many trees has its parts, and its trees have theirs.
check_pieces <- function(fit, pieces, abort) {
  if (!is.list(fit)) abort("it is not a list")
  fit <- unclass(fit)
  lost <- setdiff(pieces, names(fit))
  if (length(lost)) abort("it has no {.field {lost}}", lost = lost)
  check_columns_info(fit)
  if (is.null(fit$n_rows)) abort("its number of rows is not known")
  if (!is.list(fit$trees)) abort("its trees are not a list")
  lost <- setdiff(forest_vectors, names(fit$trees))
  if (length(lost)) abort("its trees have no {.field {lost}}", lost = lost)
  odd <- names(Filter(function(x) !is.null(x) && !is.list(x), fit[list_pieces]))
  if (length(odd)) abort("{.field {lost}} {?is/are} not a list", lost = odd)
  kept <- function(settings) intersect(settings, names(fit$control))
  if (!sound_control(fit$control, kept(control_words), kept(control_sizes))) {
    abort("one of its settings has the wrong type")
  }
  if (!is.null(fit$criterion) && !is_string(fit$criterion$name)) abort("its criterion has no name")
  if (!is.null(fit$criterion) && !is_known_criterion(fit$criterion)) {
    abort("its criterion is not known")
  }
  if (!is_string(fit$criterion$units %||% "")) abort("its criterion has no unit")
  if (!is_string(fit$importance$type %||% "")) abort("its importance has no type")
  columns <- unname(unclass(fit$curve))
  if (!all(vapply(columns, is.numeric, NA)) || length(unique(lengths(columns))) > 1L) {
    abort("its curve is not a table of numbers")
  }
  gain <- fit$gain
  fits <- is.numeric(gain) && all_in_range(gain, 0, Inf) && length(gain) == length(fit$columns$name)
  if (!is.null(gain) && !fits) abort("its gains do not match its columns")
  sizes <- fit$settings[intersect(shown_sizes, names(fit$settings))]
  if (!all(vapply(Filter(Negate(is.null), sizes), is_size, NA))) {
    abort("one of its settings is not a number")
  }
  check_forest_vectors(fit$trees, abort)
  unknown <- fit$trees$unknown
  if (!is.integer(unknown) || length(unknown) != 1L) {
    abort("its handling of missing values is not described")
  }
  used <- fit$used
  if (!is.null(used) && !(is.numeric(used) && all(used %in% seq_along(fit$columns$name)))) {
    abort("the columns that it uses are not among its columns")
  }
  fit
}

# Checks the types and lengths of the parts of trees.
check_forest_vectors <- function(trees, abort) {
  typed <- is.integer(trees$start) && is.integer(trees$variable) && is.integer(trees$right) &&
    is.double(trees$cut) && is.raw(trees$sides) && is.double(trees$weight) &&
    (is.null(trees$own) || is.double(trees$own))
  if (!typed) abort("a part of its trees has the wrong type")
  n <- length(trees$variable)
  last <- length(trees$start)
  sized <- last > 0L && length(trees$right) == n && length(trees$cut) == n &&
    !anyNA(trees$start) && identical(trees$start[1L], 0L) && identical(trees$start[last], n) &&
    !is.unsorted(trees$start)
  if (!sized) abort("its vectors differ in length")
}

# Checks the nodes of `trees`, which split on columns of these kinds. `classes`: the number of
# classes in leaves, or 0.
check_tree_nodes <- function(trees, kind, n_levels, classes, abort) {
  found <- tec_fault_of_trees_(trees, unname(kind_codes[kind]), n_levels, classes)
  if (nzchar(found)) abort(plain_fault(found))
}

#' @exportS3Method
check_fit.tec_forest <- function(fit, nodes = TRUE) {
  fit <- check_pieces(fit, forest_pieces, abort_forest)
  trees <- fit$trees
  n <- length(trees$variable)
  classes <- length(fit$response$levels)
  if (is.double(trees$shares) != (classes > 0L)) {
    abort_forest("a part of its trees has the wrong type")
  }
  sized <- length(trees$start) > 1L && n > 0L &&
    (is.null(trees$own) || length(trees$own) == n * max(1L, classes))
  if (!sized || (classes > 0L && length(trees$shares) %% classes != 0L)) {
    abort_forest("its vectors differ in length")
  }
  if (nodes) {
    check_tree_nodes(
      trees, fit$columns$kind, lengths(fit$columns$levels), classes, abort_forest
    )
  }
  invisible(fit)
}

abort_forest <- function(what, lost = NULL) {
  tec_abort("damaged", c(
    "The forest is damaged.",
    x = paste0("Found: ", what, "."),
    i = "Grow it again with {.fn tec_forest}."
  ))
}

check_is_forest <- function(x, what) {
  if (!inherits(x, "tec_forest")) {
    tec_abort("argument", c(
      "{.fn {what}} needs a forest from {.fn tec_forest}.", x = "It got {describe(x)}."
    ))
  }
  check_fit(x)
}

class_factor_of <- function(fit, y) {
  factor <- fit$class_factors$prior
  if (is.null(factor)) 1 else factor[y]
}

# "sum": list(votes, shares) or list(sum); "tree", "node": a matrix of rows and trees.
core_forest_predict <- function(fit, values, n, what, threads = NULL) {
  columns <- core_columns(fit, values, n)
  out <- tec_forest_predict_(
    fit$trees, columns, length(fit$response$levels), core_loss(fit$cost) %||% double(), what,
    default_threads(threads)
  )
  if (what == "sum") out else out[[what]]
}

# The forest with only one of its trees. The shares and sides of all trees stay.
cut_forest <- function(fit, i) {
  fit <- unclass(fit)
  trees <- fit$trees
  at <- seq.int(trees$start[i] + 1L, trees$start[i + 1L])
  for (part in c("variable", "right", "cut")) trees[[part]] <- trees[[part]][at]
  trees$start <- c(0L, length(at))
  if (!is.null(trees$own)) trees$own <- own_values(trees, length(fit$response$levels))[, at]
  fit$trees <- trees
  fit$seeds <- fit$seeds[i]
  fit
}

leaf_weights <- function(trees, leaf, classes) {
  if (classes > 0L) {
    return(trees$cut[leaf])
  }
  right <- trees$right[leaf]
  out <- as.double(right)
  out[right < 0L] <- trees$weight[-right[right < 0L]]
  out
}

# The predictions of inner nodes, if rows with a missing value stop there: one column per node.
own_values <- function(trees, classes) matrix(trees$own, max(1L, classes))
