# Tested in test-mars-predict.R.
# The terms: their values in rows, and as text.

# `x`: a matrix of the inputs. A column for each of `terms`.
mars_basis <- function(x, side, cut, terms) {
  out <- matrix(1, nrow(x), length(terms))
  for (k in seq_along(terms)) {
    t <- terms[k]
    for (j in which(side[t, ] != 0L)) {
      out[, k] <- out[, k] * mars_factor(x[, j], side[t, j], cut[t, j])
    }
  }
  out
}

mars_factor <- function(x, side, cut) {
  switch(as.character(side), "1" = pmax(0, x - cut), "-1" = pmax(0, cut - x), "2" = x)
}

# The terms that are kept, as text: "max(0, x - 3) * (f = a)".
mars_term_texts <- function(fit, digits = 5L) {
  vapply(fit$selected, function(t) {
    at <- which(fit$side[t, ] != 0L)
    if (length(at) == 0L) {
      return("1")
    }
    paste(vapply(at, function(j) mars_factor_text(fit, t, j, digits), ""), collapse = " * ")
  }, "")
}

mars_factor_text <- function(fit, t, j, digits) {
  column <- fit$inputs$column[j]
  name <- show_names(fit$columns$name[column])
  if (fit$inputs$level[j] > 0L) {
    label <- show_label(fit$columns$levels[[column]][fit$inputs$level[j]])
    # A hinge of an indicator is a multiple of it, or of the other levels.
    is <- paste0("(", name, " = ", label, ")")
    return(switch(as.character(fit$side[t, j]),
      "2" = is, "1" = paste0("max(0, ", is, " - ", number_text(fit$cut[t, j], digits), ")"),
      paste0("max(0, ", number_text(fit$cut[t, j], digits), " - ", is, ")")
    ))
  }
  cut <- mars_cut_text(fit, column, fit$cut[t, j], digits)
  switch(as.character(fit$side[t, j]),
    "2" = name, "1" = paste0("max(0, ", name, " - ", cut, ")"),
    paste0("max(0, ", cut, " - ", name, ")")
  )
}

mars_cut_text <- function(fit, column, cut, digits) {
  ptype <- fit$columns$ptype[[column]]
  if (fit$columns$kind[column] == "numeric" && is.object(ptype)) {
    return(quantity_text(cut, ptype, digits))
  }
  number_text(cut, digits)
}

# The functions that the sum is made of: the terms of the same predictors. list(columns, terms),
# `terms` by their place in `selected`; those of one predictor first.
mars_functions <- function(fit) {
  of_term <- lapply(fit$selected, function(t) {
    sort(unique(fit$inputs$column[fit$side[t, ] != 0L]))
  })
  key <- vapply(of_term, paste, "", collapse = " ")
  keys <- unique(key[lengths(of_term) > 0L])
  out <- lapply(keys, function(one) {
    at <- which(key == one)
    list(columns = of_term[[at[1L]]], terms = at)
  })
  by <- order(
    vapply(out, function(f) length(f$columns), 0L), vapply(out, function(f) f$columns[1L], 0L),
    vapply(out, function(f) c(f$columns, 0L)[2L], 0L)
  )
  out <- out[by]
  names(out) <- vapply(out, function(f) {
    paste(show_names(fit$columns$name[f$columns]), collapse = ", ")
  }, "")
  out
}

mars_basis_of <- function(fit, values, n) {
  needed <- which(colSums(fit$side[fit$selected, , drop = FALSE] != 0L) > 0)
  x <- mars_matrix(values, fit$inputs, n = n, needed = needed)
  mars_basis(x, fit$side, fit$cut, fit$selected)
}

# `values`: coded columns; only those of `needed` inputs are read, others are 0.
mars_matrix <- function(values, inputs, rows = NULL, n = length(values[[1L]]), needed = NULL) {
  size <- if (is.null(rows)) n else length(rows)
  out <- matrix(0, size, nrow(inputs))
  for (i in needed %||% seq_len(nrow(inputs))) {
    v <- values[[inputs$column[i]]]
    if (!is.null(rows)) v <- v[rows]
    # 0 and -0 are one number.
    out[, i] <- if (inputs$level[i] > 0L) v == inputs$level[i] else as.double(v) + 0
  }
  out
}
