# Tested in test-engine-grow.R and test-engine-bins.R.
# A counter of rows in memory. It does what a database does for growth by level; it is used in tests
# and is the shortest example of a counter. Its functions:
#   meta()                  the rows, the columns (name, kind, values or levels, range, missing,
#                           ptype), the response
#   encode(codes)           per column list(values =) or list(cuts =, range =): the meaning of codes
#   counts(frontier, what)  the cells of the requested nodes, see src/counts.cpp
#   rows(frontier)          per requested node, a data frame of the predictors x1, x2, ..., the
#                           response y and the weights w
#   cuts(column, k)         about k values that cut a column into bins of equal size
#   inside(asks)            the cells of parts of bins, see below
#   passes(), close()
# `frontier` is the tree down to the requested nodes: list(column =, branch = by code from 0 (a
# missing value), children =), where a child is NULL, the number of a node, or another such list.

# `s$answered`: the bytes received and the plan, if counting is done elsewhere.
noted <- function(s, what, level, value) {
  started <- proc.time()[["elapsed"]]
  force(value)
  rows <- if (is.data.frame(value)) nrow(value) else length(value)
  s$log <- c(s$log, list(data.frame(
    what = what, level = as.integer(level %||% NA), seconds = proc.time()[["elapsed"]] - started,
    rows = as.double(rows), bytes = s$answered$bytes %||% as.double(utils::object.size(value)),
    plan = s$answered$plan %||% ""
  )))
  value
}

# A counter whose answers are recorded.
noted_counter <- function(s, meta, encode, cuts, counts, inside, rows, close) {
  s$log <- list()
  list(
    meta = function() noted(s, "meta", NULL, meta()), encode = encode, cuts = cuts,
    counts = function(frontier, what = list()) {
      noted(s, "counts", what$level, counts(frontier, what))
    },
    inside = function(asks) noted(s, "inside", NULL, inside(asks)),
    rows = function(frontier) noted(s, "rows", NULL, rows(frontier)),
    passes = function() do.call(rbind, c(list(no_passes), s$log)), close = close
  )
}

memory_response <- function(s, dropped) {
  coded <- suppressWarnings(code_response(s$y, s$response_name, NULL), classes = "tec_warning")
  s$label <- coded$core$y
  if (coded$info$task == "classification") {
    return(list(
      kind = "class", levels = coded$info$levels, ptype = coded$info$ptype, dropped = dropped
    ))
  }
  facts <- unit_facts(s$label, s$w)
  c(list(kind = "number", dropped = dropped), facts, number_units(facts, s$response_name))
}

memory_meta <- function(s) {
  columns <- lapply(seq_along(s$frame$name), function(j) {
    x <- s$frame$value[[j]][s$rows]
    known <- unclass(x)[!is.na(x)] + 0
    values <- s$frame$levels[[j]]
    if (is.null(values)) {
      values <- sort(unique(known))
      if (length(values) > s$max_values) values <- NULL
    }
    list(
      name = s$frame$name[j], kind = s$frame$kind[j], values = values,
      range = if (length(known)) range(known), missing = sum(is.na(x)), ptype = s$frame$ptype[[j]]
    )
  })
  list(
    n = length(s$rows), weight = if (!is.null(s$w)) sum(s$w), columns = columns,
    response = s$response, dropped = s$response$dropped
  )
}

# `response`: that of all data, if these rows are a part of them.
memory_encode <- function(s, codes, response = s$response) {
  coded <- function(value, name, values) value_codes(value, "v", list(name = name, values = values))
  if (response$kind == "class") {
    s$label <- coded(s$response$levels[s$label], s$response_name, response$levels)
  }
  s$response <- response
  s$codes <- codes
  s$code <- lapply(seq_along(codes), function(j) {
    x <- s$frame$value[[j]][s$rows]
    if (!is.null(codes[[j]]$cuts)) {
      bin <- findInterval(unclass(x) + 0, codes[[j]]$cuts, left.open = TRUE) + 1L
      return(replace(bin, is.na(x), 0L))
    }
    value <- if (s$frame$kind[j] == "numeric") unclass(x) + 0 else s$frame$levels[[j]][x]
    coded(value, s$frame$name[j], codes[[j]]$values)
  })
  invisible()
}

# Positions of the rows of each requested node, in a list named by node.
memory_nodes <- function(s, frontier, at = seq_along(s$rows)) {
  if (is.null(frontier)) {
    return(list())
  }
  if (!is.list(frontier)) {
    return(stats::setNames(list(at), frontier))
  }
  branch <- if (!is.null(frontier$at)) {
    x <- unclass(s$frame$value[[frontier$column]][s$rows[at]]) + 0
    ifelse(is.na(x), frontier$missing, ifelse(x <= frontier$at, 1L, 2L))
  } else {
    frontier$branch[s$code[[frontier$column]][at] + 1L]
  }
  parts <- lapply(seq_along(frontier$children), function(j) {
    memory_nodes(s, frontier$children[[j]], at[branch == j])
  })
  do.call(c, parts)
}

memory_counts <- function(s, frontier, what) {
  at <- memory_nodes(s, frontier)
  columns <- what$columns %||% seq_along(s$code)
  bag <- what$bag
  weight <- if (is.null(bag)) s$w else
    (s$w %||% 1) * hash_bag(s$key, bag$tree, bag$replace, bag$fraction)
  fold <- if (!is.null(what$by_fold)) hash_fold(s$key, what$by_fold)
  cells <- lapply(names(at), function(node) {
    here <- at[[node]]
    if (!is.null(weight)) here <- here[weight[here] > 0]
    by <- memory_labels(s, here)
    if (!is.null(fold)) by$fold <- fold[here]
    sums <- memory_sums(s, here, weight, what$centre)
    lapply(columns, function(j) {
      memory_cells(as.integer(node), j, c(list(code = s$code[[j]][here]), by), sums)
    })
  })
  cell_table(unlist(cells, recursive = FALSE))
}

memory_labels <- function(s, here) {
  if (s$response$kind == "class") list(class = s$label[here]) else list()
}

# The sums in cells besides the number of rows.
memory_sums <- function(s, here, weight, centre) {
  sums <- list(n = weight[here])
  if (s$response$kind == "number") {
    digits <- number_digits(s$label[here], s$response, centre)
    sums <- c(sums, digit_sums(digits, sums$n))
  }
  do.call(cbind, sums)
}

# One number per row for its combination of entries in `by`, which are whole numbers from 0.
memory_cells <- function(node, column, by, sums) {
  rows <- length(by[[1L]])
  group <- rep(1, rows)
  size <- 1
  for (x in by) {
    group <- group + x * size
    size <- size * (max(x, 0) + 1)
  }
  if (size > 2 * rows) {
    group <- match(group, sort(unique(group)))
    size <- rows
  }
  one <- integer(size)
  one[group] <- seq_len(rows)
  one <- one[one > 0L] # one row of each group, in the order of groups
  count <- tabulate(group, size)
  out <- c(
    list(node = rep(node, length(one)), column = rep(column, length(one))), lapply(by, `[`, one)
  )
  out$rows <- out$n <- as.double(count[count > 0L])
  if (!is.null(sums)) {
    sums <- rowsum(sums, as.integer(group))
    for (name in colnames(sums)) out[[name]] <- unname(sums[, name])
  }
  out
}

cell_table <- function(cells) {
  out <- bind_cells(cells)
  structure(out, class = "data.frame", row.names = .set_row_names(length(out$n)))
}

memory_rows <- function(s, frontier) {
  at <- memory_nodes(s, frontier)
  lapply(at, function(here) {
    out <- lapply(s$values, function(x) x[s$rows[here]])
    names(out) <- paste0("x", seq_along(out), recycle0 = TRUE)
    out[["y"]] <- s$y[here]
    if (!is.null(s$w)) out[["w"]] <- s$w[here]
    structure(out, class = "data.frame", row.names = .set_row_names(length(here)))
  })
}

memory_cuts <- function(s, column, k) {
  x <- sort(unclass(s$frame$value[[column]][s$rows]) + 0)
  unique(x[unique(pmax(1, round(seq_len(k - 1) * length(x) / k)))])
}

# Examines bins of rows in memory, as engine-sql-inside.R does in a database.

# `ask` and `part` identify the cells of one part of a bin; `value` and `least` are the ends of the
# part.
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

# Parts by value or, for many rows, by the position of the value between the ends, so that the parts
# are the same for data in several places.
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
  noted_counter(
    s,
    meta = function() memory_meta(s), encode = function(codes, ...) memory_encode(s, codes, ...),
    cuts = function(column, k) memory_cuts(s, column, k),
    counts = function(frontier, what) memory_counts(s, frontier, what),
    inside = function(asks) memory_inside(s, asks),
    rows = function(frontier) memory_rows(s, frontier), close = function() invisible()
  )
}
