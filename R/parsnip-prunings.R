# Many settings from one fit, for parsnip and tune.

# Registered for parsnip::multi_predict(): a data frame per row of `new_data`, with one row per
# setting.
#' @rawNamespace S3method(parsnip::multi_predict, "_tec_tree", predict_many)
predict_many <- function(object, new_data, type = NULL, tree_depth = NULL, min_n = NULL,
                         cost_complexity = NULL, ...) {
  fit <- object$fit
  classes <- fit$response$task == "classification"
  types <- if (classes) c("class", "prob") else "numeric"
  type <- if (is.null(type)) types[1L] else match_choice(type, types, "type")
  asked <- list(tree_depth = tree_depth, min_n = min_n, cost_complexity = cost_complexity)
  asked <- even_settings(asked[lengths(asked) > 0L])
  ours <- c(tree_depth = "max_depth", min_n = "min_split", cost_complexity = "cp")
  settings <- stats::setNames(asked, ours[names(asked)])
  cells <- predict_prunings(fit, new_data, settings, type == "prob", names(asked))
  n <- nrow(new_data)
  values <- lapply(asked, rep, times = n)
  predicted <- if (type == "prob") {
    shares <- lapply(seq_along(fit$response$levels), function(k) {
      c(t(vapply(cells, function(cell) cell$prob[, k], numeric(n))))
    })
    stats::setNames(shares, paste0(".pred_", fit$response$levels))
  } else {
    value <- c(t(vapply(cells, function(cell) as.double(cell$value), numeric(n))))
    if (classes) list(.pred_class = as_classes(value, fit$response)) else list(.pred = value)
  }
  as_table(list_column(chop_rows(c(values, predicted), n, nrow(asked))))
}

list_column <- function(x) {
  structure(list(.pred = x), class = "data.frame", row.names = .set_row_names(length(x)))
}

# Columns in pieces of `size` rows, each a table.
chop_rows <- function(columns, n, size) {
  class <- class(as_table(data.frame()))
  lapply(seq_len(n), function(i) {
    at <- (i - 1L) * size + seq_len(size)
    structure(lapply(columns, `[`, at), class = class, row.names = .set_row_names(size))
  })
}

# One setting per element; single values are recycled.
even_settings <- function(asked) {
  size <- max(1L, lengths(asked))
  odd <- lengths(asked) != 1L & lengths(asked) != size
  if (any(odd)) {
    first <- names(asked)[odd][1L]
    tec_abort("argument", c(
      "Arguments with settings must have one value, or as many as the longest.",
      x = "{.arg {first}} has {length(asked[[first]])}, the longest {size}."
    ))
  }
  asked <- lapply(asked, rep_len, size)
  structure(asked,
    names = names(asked) %||% character(), class = "data.frame", row.names = .set_row_names(size)
  )
}

# For generics::min_grid(): the fits that tune needs for a grid. One fit with the smallest penalty
# serves all penalties.
#' @rawNamespace S3method(generics::min_grid, decision_tree, least_penalties)
least_penalties <- function(x, grid, ...) {
  tuned <- if (identical(x$engine, "tectree")) generics::tune_args(x)
  id <- tuned$id[tuned$name == "cost_complexity"]
  if (length(id) == 0L || !id %in% names(grid)) {
    return(NextMethod())
  }
  others <- unname(as.list(grid[setdiff(names(grid), id)]))
  key <- if (length(others)) do.call(paste, c(others, sep = "\r")) else rep("", nrow(grid))
  group <- match(key, unique(key))
  penalty <- split(grid[[id]], group)
  out <- grid[!duplicated(key), ]
  out[[id]] <- vapply(penalty, min, 0, USE.NAMES = FALSE)
  out$.submodels <- lapply(unname(penalty), function(values) {
    rest <- values[-which.min(values)]
    if (length(rest)) stats::setNames(list(rest), id) else list()
  })
  out
}
