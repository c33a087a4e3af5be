# Tested in test-as_tec_forest.R.
# ranger stores each tree as vectors: the numbers of the children from 0 (0: none), the number of
# the predictor from 0, and the split value. For a factor the split value is a set of levels, as
# bits: the levels that go right. For a leaf it is the prediction.

#' @rdname as_tec_forest
#' @export
as_tec_forest.ranger <- function(x, data = NULL, ...) { # nolint: a class of theirs
  refuse_dots("as_tec_forest", ...)
  env <- parent.frame()
  check_ranger(x)
  forest <- x$forest
  name <- forest$independent.variable.names
  predictors <- foreign_predictors(name)
  if (!is.null(data)) check_ranger_products(setdiff(name, names(data)))
  rows <- foreign_rows(x$call, data, name, x$num.samples, env)
  columns <- ranger_columns(forest, predictors, rows$data, env)
  formula <- ranger_formula(x$call, env)
  response <- ranger_response(x, formula)
  numbers <- x$treetype == "Regression"
  fit <- foreign_forest(
    columns, response, predictors, if (numbers) "l2" else "gini", formula, x$num.samples,
    "from ranger"
  )
  fit$settings$probability <- x$treetype == "Probability estimation"
  fit <- assemble_forest(ranger_nodes(forest, response), fit, function(j, value) {
    foreign_sides(value, columns$code[[j]], forest$is.ordered[j], 0)
  })
  counts <- if (!is.null(x$inbag.counts)) {
    function(rows) vapply(x$inbag.counts, function(n) as.double(n[rows]), numeric(length(rows)))
  }
  finish_foreign(fit, rows, counts, env, by_weight = FALSE)
}

check_ranger <- function(x) {
  known <- c("Classification", "Regression", "Probability estimation")
  kinds <- "classes, probabilities and numbers"
  check_foreign_forest(x, x$treetype, known, kinds, "write.forest")
  if (is.null(x$forest$independent.variable.names) || !is.null(x$forest$dependent.varID)) {
    tec_abort("conversion", c(
      "{.arg x} was grown by a version of ranger before 0.11.5.", i = "Grow it again."
    ))
  }
}

# Levels that ranger ordered or stored are in ranger's order; others have the codes of the factor.
ranger_columns <- function(forest, predictors, data, env) {
  name <- forest$independent.variable.names
  kept <- forest$covariate.levels %||% vector("list", length(name))
  if (!is.null(names(kept))) kept <- kept[name]
  of_factor <- !vapply(kept, is.null, NA)
  if (is.null(data)) check_ranger_levels(name, of_factor, forest$is.ordered)
  out <- foreign_forest_columns(
    name, predictors, data, env, ifelse(of_factor, "factor", "numeric"), kept
  )
  for (j in which(of_factor & out$kind != "numeric")) {
    if (!setequal(out$levels[[j]], kept[[j]])) out$levels[[j]] <- kept[[j]]
    out$code[[j]] <- match(out$levels[[j]], kept[[j]])
  }
  out
}

check_ranger_levels <- function(name, of_factor, is_ordered) {
  lost <- name[!of_factor & !is_ordered]
  if (length(lost)) {
    tec_abort("conversion", c(
      "ranger did not store the levels of {.field {lost}}.",
      i = "Give the training rows as {.arg data}."
    ))
  }
  check_ranger_products(name)
}

# ranger names the columns that it makes of interactions "a:b".
check_ranger_products <- function(name) {
  products <- grep(":", name, fixed = TRUE, value = TRUE)
  if (length(products)) {
    tec_abort("conversion", c(
      "Interactions in the formula cannot be converted.",
      x = "{.arg x} has {.field {products}}.",
      i = "Fit it on data with columns for them."
    ))
  }
}

# Class values are numbers: the codes of the levels, or the classes themselves.
ranger_response <- function(x, formula) {
  forest <- x$forest
  name <- x$dependent.variable.name %||% as.list(x$call)$dependent.variable.name
  if (length(formula) == 3L) name <- expr_text(formula[[2L]])
  if (!is_string(name)) name <- "y"
  if (x$treetype == "Regression") {
    return(foreign_response(name, NULL))
  }
  values <- sort(forest$class.values)
  levels <- if (is.null(forest$levels)) as.character(values) else forest$levels[values]
  foreign_response(name, levels)
}

# The formula as written in the call, or the value of the variable named there.
ranger_formula <- function(call, env) {
  named <- as.list(call)[-1L]
  plain <- if (is.null(names(named))) seq_along(named) else which(names(named) == "")
  expr <- named$formula %||% if (length(plain)) named[[plain[1L]]]
  if (is.symbol(expr)) expr <- or_null(eval(expr, env))
  if (is.call(expr) && identical(expr[[1L]], quote(`~`))) {
    attributes(expr) <- NULL
    class(expr) <- "formula"
    return(expr)
  }
  NULL
}

ranger_nodes <- function(forest, response) {
  pool <- function(of) unlist(of, use.names = FALSE)
  size <- lengths(forest$split.varIDs)
  offset <- rep(cumsum(c(0L, size))[seq_along(size)], size)
  children <- function(k) {
    child <- as.integer(pool(lapply(forest$child.nodeIDs, `[[`, k)))
    ifelse(child > 0L, child + 1L + as.integer(offset), 0L)
  }
  # If training rows had missing values, a third vector has the child that such rows go to.
  # Otherwise ranger sends them left.
  learned <- length(forest$child.nodeIDs[[1L]]) > 2L
  out <- list(
    left = children(1L), right = children(2L), variable = pool(forest$split.varIDs) + 1,
    value = pool(forest$split.values), size = size,
    leaf_weight = pool(forest$num.samples.nodes)
  )
  out$unknown_right <- logical(length(out$left))
  if (learned) out$unknown_right <- out$right > 0L & children(3L) == out$right
  if (is.null(response$levels)) {
    out$leaf_number <- out$value
  } else if (is.null(forest$terminal.class.counts)) {
    out$leaf_class <- match(out$value, sort(forest$class.values))
  } else {
    out$shares <- ranger_shares(forest$terminal.class.counts, order(forest$class.values))
  }
  out
}

# A matrix of nodes and classes, ordered by their values; inner nodes have zeros.
ranger_shares <- function(counts, order) {
  of_node <- unlist(counts, recursive = FALSE, use.names = FALSE)
  out <- matrix(0, length(of_node), length(order))
  there <- lengths(of_node) > 0L
  out[there, ] <- matrix(unlist(of_node[there]), ncol = length(order), byrow = TRUE)
  out[, order, drop = FALSE]
}
