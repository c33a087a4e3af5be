# A tree is constant between its cuts: its prediction for one value of each cell is that of the
# whole cell.

# list(from, to, value): cells above `from`, up to `to`, and a value in each; levels have one each.
column_cells <- function(fit, j, range) {
  if (fit$columns$kind[j] != "numeric") {
    at <- seq_along(fit$columns$levels[[j]])
    return(list(from = at - 0.5, to = at + 0.5, value = at))
  }
  cuts <- column_cuts(fit$tree, j)
  range <- range(range, cuts)
  if (!all(is.finite(range))) range <- c(0, 1)
  if (diff(range) == 0) range <- padded(range, 0)
  cuts <- cuts[cuts > range[1L] & cuts < range[2L]]
  to <- c(cuts, range[2L])
  list(from = c(range[1L], cuts), to = to, value = to)
}

# Where splits and surrogates cut a number.
column_cuts <- function(tree, j) {
  at <- which(tree$kind != 0L & tree$variable == j & tree$break_count > 0L)
  cuts <- unlist(lapply(at, function(node) node_breaks(tree, node)))
  aside <- tree$surrogate_cut[tree$surrogate_variable == j & tree$surrogate_kind == 1L]
  cuts <- sort(unique(c(cuts, aside)))
  cuts[is.finite(cuts)]
}

# Values in the type of the column's codes.
as_code <- function(fit, j, x) if (fit$columns$kind[j] == "numeric") as.double(x) else as.integer(x)

dependence_picture <- function(fit, rows, options) {
  j <- picture_columns(fit, options$predictors, 1L)
  used <- sort(unique(c(needed_columns(fit), j)))
  values <- code_newdata(fit, rows$data, used, rows$env, setdiff(optional_columns(fit), j), "data")
  weight <- rows$used_weights
  x <- as.double(values[[j]])
  cells <- column_cells(fit, j, suppressWarnings(range(x[is.finite(x)])))
  classes <- fit$response$task == "classification"
  n <- nrow(rows$data)
  means <- vapply(cells$value, function(v) {
    values[[j]] <- rep(as_code(fit, j, v), n)
    predicted <- predict_coded(fit, values, n, if (classes) "prob" else "response")
    apply(as.matrix(predicted), 2L, mean_of, weight)
  }, numeric(if (classes) length(fit$response$levels) else 1L))
  means <- matrix(means, ncol = length(cells$value))
  shown <- picture_classes(fit, options$class)
  parts <- lapply(if (classes) shown else 1L, function(k) {
    out <- if (fit$columns$kind[j] == "numeric") {
      data.frame(from = cells$from, to = cells$to)
    } else {
      data.frame(level = factor(fit$columns$levels[[j]], fit$columns$levels[[j]]))
    }
    if (classes) out$class <- factor(fit$response$levels[k], fit$response$levels)
    out$value <- means[k, ]
    out
  })
  known <- if (fit$columns$kind[j] == "numeric") unique(x[is.finite(x)])
  as_picture(
    do.call(rbind, parts), "dependence", fit = picture_facts(fit), column = j,
    values = if (length(known)) stats::quantile(known, seq(0, 1, 0.1), names = FALSE)
  )
}
