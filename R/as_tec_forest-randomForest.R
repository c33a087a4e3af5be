# Tested in test-as_tec_forest.R.
# randomForest stores matrices of nodes and trees: the numbers of the children from 1, the
# predictor, and the split value. For a factor the split value is a set of levels, as bits: the
# levels that go left.

#' @rdname as_tec_forest
#' @export
as_tec_forest.randomForest <- function(x, data = NULL, ...) { # nolint: a class of theirs
  refuse_dots("as_tec_forest", ...)
  env <- parent.frame()
  known <- c("classification", "regression")
  check_foreign_forest(x, x$type, known, "classes and numbers", "keep.forest")
  forest <- x$forest
  classes <- x$type == "classification"
  name <- random_forest_names(x)
  predictors <- foreign_predictors(name, x$terms)
  needs <- unique(unlist(lapply(predictors, all.vars)))
  # The rows of the call include those left out by `na.action`.
  n <- length(x$y) + length(x$na.action)
  rows <- foreign_rows(x$call, data, needs, n, env)
  if (!is.null(rows$data) && length(x$na.action) && nrow(rows$data) == n) {
    rows$data <- rows$data[-as.integer(x$na.action), , drop = FALSE]
  }
  columns <- random_forest_columns(x, name, predictors, rows$data, env)
  response <- foreign_response(response_text(x$terms), if (classes) x$classes)
  fit <- foreign_forest(
    columns, response, predictors, if (classes) "gini" else "l2", bare_formula(x$terms),
    length(x$y), "from randomForest"
  )
  if (classes) fit$cost <- cutoff_cost(forest$cutoff, x$classes)
  fit <- assemble_forest(random_forest_nodes(x), fit, function(j, value) {
    foreign_sides(value, columns$code[[j]], forest$ncat[[j]] == 1, 1)
  })
  counts <- if (!is.null(x$inbag)) function(rows) x$inbag[rows, , drop = FALSE]
  finish_foreign(fit, rows, counts, env)
}

random_forest_names <- function(x) {
  names <- if (is.matrix(x$importance)) rownames(x$importance) else names(x$importance)
  names <- names %||% names(x$forest$ncat)
  if (is.null(names)) paste0("V", seq_along(x$forest$ncat)) else names
}

# Unordered factors have more than one category. Ordered factors are compared by their codes; their
# levels are not always stored.
random_forest_columns <- function(x, name, predictors, data, env) {
  levels <- lapply(x$forest$xlevels, function(l) if (is.character(l)) l)
  if (length(levels) != length(name)) levels <- vector("list", length(name))
  class <- attr(x$terms, "dataClasses")
  class <- if (is.null(class)) rep("", length(name)) else unname(class[name])
  class[is.na(class)] <- ""
  has_levels <- !vapply(levels, is.null, NA)
  if (is.null(data)) {
    lost <- name[class %in% c("ordered", "character") & !has_levels]
    if (length(lost)) {
      tec_abort("conversion", c(
        "randomForest did not store the levels of {.field {lost}}.",
        i = "Give the training rows as {.arg data}."
      ))
    }
  }
  types <- ifelse(has_levels, ifelse(x$forest$ncat > 1, "factor", "ordered"), "numeric")
  types[class == "logical"] <- "logical"
  out <- foreign_forest_columns(name, predictors, data, env, types, levels)
  # A factor in the rows may have other levels than in training.
  for (j in which(has_levels & out$kind != "numeric")) {
    out$levels[[j]] <- levels[[j]]
    out$code[[j]] <- seq_along(levels[[j]])
  }
  out
}

# The class with the largest share of votes divided by its cutoff has the smallest expected cost, if
# a wrongly predicted row of class i costs 1 / cutoff[i].
cutoff_cost <- function(cutoff, classes) {
  if (length(unique(cutoff)) == 1L) {
    return(NULL)
  }
  out <- matrix(1 / cutoff, length(classes), length(classes), dimnames = list(classes, classes))
  diag(out) <- 0
  out
}

random_forest_nodes <- function(x) {
  forest <- x$forest
  used <- row(forest$nodestatus) <= rep(forest$ndbigtree, each = nrow(forest$nodestatus))
  size <- as.integer(forest$ndbigtree)
  offset <- rep(cumsum(c(0L, size))[seq_along(size)], size)
  daughter <- function(k, own) {
    child <- if (is.null(forest$treemap)) forest[[own]] else forest$treemap[, k, ]
    child <- as.integer(child[used])
    ifelse(child > 0L, child + as.integer(offset), 0L)
  }
  leaf <- forest$nodestatus[used] == -1L
  out <- list(
    left = daughter(1L, "leftDaughter"), right = daughter(2L, "rightDaughter"),
    variable = forest$bestvar[used], value = as.double(forest$xbestsplit[used]), size = size
  )
  out$left[leaf] <- out$right[leaf] <- 0L
  predicted <- forest$nodepred[used]
  if (x$type == "classification") {
    out$leaf_class <- predicted
  } else {
    # The bias correction is linear, so correcting the mean equals the mean of corrected values.
    out$leaf_number <- if (is.null(x$coefs)) predicted else x$coefs[1L] + x$coefs[2L] * predicted
  }
  out
}
