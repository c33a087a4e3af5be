# Tested in test-tec_shapes.R.
# Purifies the shapes of pairs: the effects of single predictors, weighted by the rows, are moved to
# the shapes of these predictors.

# list(constant, terms), with each term a list(columns, weight (by cell), value (cell x output)).
purify_shapes <- function(raw, cells, weight, fit) {
  outputs <- length(raw$constant)
  singles <- list()
  pairs <- list()
  counts <- function(j) cell_count(fit, raw$cuts[[j]], j)
  single <- function(j) {
    singles[[as.character(j)]] %||% list(
      columns = j, weight = rowsum_at(weight, cells[[j]], counts(j)),
      value = matrix(0, counts(j), outputs)
    )
  }
  for (table in raw$tables) {
    j <- table$columns
    if (length(j) == 1L) {
      one <- single(j)
      one$value <- one$value + matrix(table$value, ncol = outputs)
      singles[[as.character(j)]] <- one
      next
    }
    a <- counts(j[1L])
    b <- counts(j[2L])
    w <- matrix(rowsum_at(weight, cells[[j[1L]]] + (cells[[j[2L]]] - 1L) * a, a * b), a, b)
    value <- array(table$value, c(a, b, outputs))
    parts <- main_effects(w)
    first <- single(j[1L])
    second <- single(j[2L])
    for (s in seq_len(outputs)) {
      own <- parts(matrix(value[, , s], a, b))
      first$value[, s] <- first$value[, s] + own$rows
      second$value[, s] <- second$value[, s] + own$columns
      value[, , s] <- own$rest
    }
    singles[[as.character(j[1L])]] <- first
    singles[[as.character(j[2L])]] <- second
    pairs[[length(pairs) + 1L]] <- list(
      columns = j, weight = as.vector(w), value = matrix(value, a * b, outputs)
    )
  }
  constant <- raw$constant
  for (i in seq_along(singles)) {
    mean <- colSums(singles[[i]]$weight * singles[[i]]$value) / sum(weight)
    singles[[i]]$value <- sweep(singles[[i]]$value, 2L, mean)
    constant <- constant + mean
  }
  # A pair without interaction leaves only rounding errors.
  least <- 1e-14 * max(abs(raw$constant), 1, vapply(raw$tables, function(t) max(abs(t$value)), 0))
  pairs <- Filter(function(pair) max(abs(pair$value)) > least, pairs)
  list(constant = constant, terms = c(unname(singles), pairs))
}

# Returns a function that divides a table into row effects, column effects and the rest, whose
# weighted means by row and by column are 0. It uses least squares with the weights `w`. Rows and
# columns without weight have no effect.
main_effects <- function(w) {
  by_row <- rowSums(w)
  by_column <- colSums(w)
  rows <- by_row > 0
  columns <- by_column > 0
  share <- w[rows, columns, drop = FALSE] / by_row[rows]
  # The equations of both effects, reduced to the columns; at least one rank is missing.
  left <- diag(by_column[columns], sum(columns)) - crossprod(w[rows, columns, drop = FALSE], share)
  solved <- qr(left, tol = 1e-11)
  function(value) {
    row <- numeric(nrow(w))
    column <- numeric(ncol(w))
    # The second pass removes the rounding errors of the first.
    for (i in 1:2) {
      rest <- value - row - rep(column, each = nrow(w))
      mean_row <- rowSums(w * rest)[rows] / by_row[rows]
      more <- colSums(w * rest)[columns] -
        drop(crossprod(w[rows, columns, drop = FALSE], mean_row))
      effect <- qr.coef(solved, more)
      effect[is.na(effect)] <- 0
      column[columns] <- column[columns] + effect
      row[rows] <- row[rows] + mean_row - drop(share %*% effect)
    }
    # The last step makes the row means exactly 0.
    list(rows = row, columns = column, rest = value - row - rep(column, each = nrow(w)))
  }
}

# The shapes of another model at the cells of this one: a list of matrices, named by columns.
on_cells <- function(pure, own, raw, fit) {
  out <- lapply(pure$terms, function(term) {
    at <- lapply(term$columns, function(j) {
      if (fit$columns$kind[j] != "numeric") {
        return(seq_len(cell_count(fit, NULL, j)))
      }
      # A number inside each cell.
      cuts <- raw$cuts[[j]]
      inside <- if (length(cuts) == 0L) 0 else c(cuts, Inf)
      c(findInterval(inside, own$cuts[[j]], left.open = TRUE) + 1L, length(own$cuts[[j]]) + 2L)
    })
    index <- if (length(at) == 1L) {
      at[[1L]]
    } else {
      first <- cell_count(fit, own$cuts[[term$columns[1L]]], term$columns[1L])
      as.vector(outer(at[[1L]], (at[[2L]] - 1L) * first, `+`))
    }
    term$value[index, , drop = FALSE]
  })
  stats::setNames(out, vapply(pure$terms, function(term) toString(term$columns), ""))
}

cell_count <- function(fit, cuts, j) {
  levels <- fit$columns$levels[[j]]
  (if (fit$columns$kind[j] != "numeric") length(levels) else length(cuts) + 1L) + 1L
}
