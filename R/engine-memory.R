# Tested in test-engine-grow.R.
# A counter of rows in memory: what a database does for growth by level, for tests and as the
# shortest example of what a counter is. Its functions:
#   meta()                  the rows, the columns (name, kind, values or levels, range, missing,
#                           ptype), the response
#   encode(codes)           by column list(values =) or list(cuts =): what its codes stand for
#   counts(frontier, what)  cells of the nodes asked for, see src/counts.cpp
#   rows(frontier)          by node asked for, a data frame of predictors, .response and .weight
#   cuts(column, k)         about k values that cut a column into bins of as many rows
#   inside(asks)            cells of the parts of bins, see engine-sql-inside.R
#   passes(), close()
# `frontier` is the tree down to the nodes asked for: list(column =, branch = by code from 0 (no
# value), children =), where a child is NULL, the number of a node, or such a list.

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
  s$response <- memory_response(s, dropped)
  s$log <- list()
  structure(
    list(
      meta = function() noted(s, "meta", NULL, memory_meta(s)),
      encode = function(codes) memory_encode(s, codes),
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

noted <- function(s, what, level, value) {
  started <- proc.time()[["elapsed"]]
  force(value)
  rows <- if (is.data.frame(value)) nrow(value) else length(value)
  s$log <- c(s$log, list(data.frame(
    what = what, level = as.integer(level %||% NA), seconds = proc.time()[["elapsed"]] - started,
    rows = as.double(rows), bytes = as.double(utils::object.size(value)), plan = ""
  )))
  value
}

memory_response <- function(s, dropped) {
  coded <- suppressWarnings(code_response(s$y, "y", NULL), classes = "tec_warning")
  s$label <- coded$core$y
  if (coded$info$task == "classification") {
    return(list(
      kind = "class", levels = coded$info$levels, ptype = coded$info$ptype, dropped = dropped
    ))
  }
  scale <- whole_scale(s$label)
  list(
    kind = "number", n = length(s$label), mean = mean(s$label), scale = scale, dropped = dropped,
    min = min(s$label), max = max(s$label)
  )
}

# The least power of ten that makes all numbers whole, or NA.
whole_scale <- function(y) {
  for (digits in 0:6) {
    scaled <- y * 10^digits
    if (all(abs(scaled) < 2^52) && all(round(scaled) / 10^digits == y)) {
      return(10^digits)
    }
  }
  NA_real_
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

memory_encode <- function(s, codes) {
  s$cuts <- lapply(codes, `[[`, "cuts")
  s$code <- lapply(seq_along(codes), function(j) {
    x <- s$frame$value[[j]][s$rows]
    code <- if (!is.null(codes[[j]]$cuts)) {
      findInterval(unclass(x) + 0, codes[[j]]$cuts, left.open = TRUE) + 1L
    } else if (s$frame$kind[j] == "numeric") {
      match(unclass(x) + 0, codes[[j]]$values)
    } else {
      x
    }
    replace(as.integer(code), is.na(x), 0L)
  })
  invisible()
}

# Positions by node asked for, in a list named by node.
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
  by <- memory_factor(s, what)
  cells <- lapply(names(at), function(node) {
    here <- at[[node]]
    do.call(rbind, lapply(columns, function(j) {
      memory_cells(s, as.integer(node), j, here, s$code[[j]][here], by, what)
    }))
  })
  do.call(rbind, cells)
}

# What rows count by, and their fold.
memory_factor <- function(s, what) {
  w <- s$w %||% rep(1, length(s$rows))
  if (!is.null(what$bag)) {
    w <- w * hash_bag(s$key, what$bag$tree, what$bag$replace, what$bag$fraction)
  }
  fold <- if (!is.null(what$by_fold)) hash_fold(s$key, what$by_fold) else rep(0L, length(w))
  list(w = w, fold = fold)
}

memory_cells <- function(s, node, column, here, code, by, what, value = NULL) {
  classes <- s$response$kind == "class"
  label <- if (classes) s$label[here] else rep(0L, length(here))
  w <- by$w[here]
  group <- paste(code, label, by$fold[here], match(value, unique(value)))[w > 0]
  here <- here[w > 0]
  first <- !duplicated(group)
  id <- match(group, group[first])
  sums <- function(x) as.vector(rowsum(x, id, reorder = TRUE))
  out <- data.frame(
    node = rep(node, sum(first)), column = rep(column, sum(first)), code = code[w > 0][first],
    n = sums(w[w > 0]), rows = sums(rep(1, length(here)))
  )
  if (!is.null(value)) out$value <- value[w > 0][first]
  if (!is.null(what$by_fold)) out$fold <- by$fold[here][first]
  if (classes) {
    out$class <- label[w > 0][first]
    return(out)
  }
  scale <- s$response$scale
  z <- if (is.na(scale)) {
    s$label[here] - what$centre
  } else {
    round(s$label[here] * scale) - round(what$centre * scale)
  }
  out$sum <- sums(z * w[w > 0])
  out$squares <- sums(z * z * w[w > 0])
  out
}

memory_rows <- function(s, frontier) {
  at <- memory_nodes(s, frontier)
  lapply(at, function(here) {
    out <- lapply(s$values, function(x) x[s$rows[here]])
    names(out) <- s$frame$name
    out$.response <- s$y[here]
    if (!is.null(s$w)) out$.weight <- s$w[here]
    structure(out, class = "data.frame", row.names = .set_row_names(length(here)))
  })
}

memory_cuts <- function(s, column, k) {
  x <- sort(unclass(s$frame$value[[column]][s$rows]) + 0)
  unique(x[unique(pmax(1, round(seq_len(k - 1) * length(x) / k)))])
}

memory_inside <- function(s, asks) {
  by <- memory_factor(s, list())
  at <- memory_nodes(s, asks$frontier)
  do.call(rbind, lapply(seq_along(asks$node), function(i) {
    j <- asks$column[i]
    here <- at[[as.character(asks$node[i])]]
    here <- here[s$code[[j]][here] == asks$code[i]]
    value <- unclass(s$frame$value[[j]][s$rows[here]]) + 0
    if (!is.na(asks$from[i])) {
      within <- value >= asks$from[i] & value <= asks$to[i]
      here <- here[within]
      value <- value[within]
    }
    part <- memory_parts(s, value, asks$size[i])
    most <- as.vector(tapply(value, part, max))
    cells <- memory_cells(
      s, asks$node[i], j, here, s$code[[j]][here], by, asks["centre"], most[part]
    )
    cells$least <- as.vector(tapply(value, part, min))[match(cells$value, most)]
    cells
  }))
}

# By value, or by finer bins of some rows each.
memory_parts <- function(s, value, size) {
  rank <- match(value, sort(unique(value)))
  if (size <= 2 * s$parts || max(rank) <= 5) rank else match(rank %/% 5, unique(sort(rank %/% 5)))
}
