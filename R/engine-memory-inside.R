# Tested in test-engine-bins.R.
# Bins of rows in memory that are looked into, as engine-sql-inside.R does it in a database.

# `ask` and `part` tell which cells are of one part of a bin: then `value` and `least` are its ends.
memory_inside <- function(s, asks) {
  at <- memory_nodes(s, asks$frontier)
  cell_table(lapply(seq_along(asks$node), function(i) {
    j <- asks$column[i]
    here <- at[[as.character(asks$node[i])]]
    here <- here[s$code[[j]][here] == asks$code[i]]
    value <- unclass(s$frame$value[[j]][s$rows[here]]) + 0
    ends <- c(asks$from[i], asks$to[i])
    if (!is.na(ends[1L])) {
      within <- value >= ends[1L] & value <= ends[2L]
      here <- here[within]
      value <- value[within]
    }
    key <- memory_parts(s, value, bin_ends(s$codes[[j]], asks$code[i], ends), asks$size[i])
    keys <- sort(unique(key))
    part <- match(key, keys)
    by <- c(list(part = part), memory_labels(s, here))
    cells <- memory_cells(asks$node[i], j, by, memory_sums(s, here, s$w, asks$centre))
    cells$code <- rep(asks$code[i], length(cells$n))
    cells$value <- as.vector(tapply(value, part, max))[cells$part]
    cells$least <- as.vector(tapply(value, part, min))[cells$part]
    cells$part <- keys[cells$part]
    cells$ask <- rep(i, length(cells$n))
    cells
  }))
}

bin_ends <- function(code, bin, ends) {
  if (is.na(ends[1L])) c(code$range[1L], code$cuts, code$range[2L])[bin + 0:1] else ends
}

# By value; or, of many rows, by where the value lies between the ends: so that the parts of data
# in several places are the same.
memory_parts <- function(s, value, ends, size) {
  scale <- s$parts / (ends[2L] - ends[1L])
  divided <- size > 2 * s$parts && is.finite(scale) && scale > 0 && is.finite(ends[1L])
  if (divided) floor((value - ends[1L]) * scale) else value
}

memory_counter <- function(data, response, predictors, weights = NULL, key = NULL, task = NULL,
                           settings = list()) {
  s <- new.env(parent = emptyenv())
  y <- data[[response]]
  if (identical(task, "class") && !is.factor(y)) y <- factor(y)
  w <- if (!is.null(weights)) as.double(data[[weights]])
  keep <- !response_missing(y)
  dropped <- sum(!keep)
  if (!is.null(w)) keep <- keep & w > 0
  s$rows <- which(keep)
  s$values <- unname(lapply(predictors, function(name) data[[name]]))
  s$frame <- code_frame(s$values, predictors, s$rows, length(y))
  s$y <- y[s$rows]
  s$w <- w[s$rows]
  s$key <- if (!is.null(key)) data[[key]][s$rows]
  s$max_values <- settings$max_values %||% 4096
  s$parts <- settings$parts %||% 256
  s$response_name <- response
  s$response <- memory_response(s, dropped)
  s$log <- list()
  structure(
    list(
      meta = function() noted(s, "meta", NULL, memory_meta(s)),
      encode = function(codes, ...) memory_encode(s, codes, ...),
      cuts = function(column, k) memory_cuts(s, column, k),
      counts = function(frontier, what = list()) {
        noted(s, "counts", what$level, memory_counts(s, frontier, what))
      },
      inside = function(asks) noted(s, "inside", NULL, memory_inside(s, asks)),
      rows = function(frontier) noted(s, "rows", NULL, memory_rows(s, frontier)),
      passes = function() do.call(rbind, c(list(no_passes), s$log)),
      close = function() invisible()
    ),
    class = "tec_counter"
  )
}
