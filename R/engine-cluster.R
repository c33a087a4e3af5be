# Data spread over R processes: each worker of a cluster of the package parallel has a data frame of
# the same name, and counts it by memory_counter(). Here the answers of all become one.

cluster_counter <- function(source, terms, engine, frame) {
  s <- new.env(parent = emptyenv())
  s$log <- list()
  terms <- terms[c("response", "predictors", "weights", "task")] # not the formula's environment
  terms$type <- source$types[[terms$response]]
  ask <- function(f, ...) {
    answers <- ask_workers(source$con, f, ...)
    s$answered <- attributes(answers)[c("bytes", "plan")]
    unname(answers)
  }
  of_all <- function(method, ...) ask("use_part", method, ...)
  close <- function() try(ask("close_part"), silent = TRUE)
  close_at_end(close, frame)
  levels <- ask("part_levels", source$query, c(terms$predictors, terms$response))
  levels <- do.call(Map, c(list(f = function(...) unique(c(...))), levels))
  ask("open_part", source$query, levels, terms, engine)
  structure(
    list(
      meta = function() {
        s$meta <- s$meta %||% noted(s, "meta", NULL, merge_meta(of_all("meta"), terms, engine))
      },
      encode = function(codes) invisible(of_all("encode", codes, s$meta$response)),
      cuts = function(column, k) merge_cuts(of_all("cuts", column, k), s$meta$parts, k),
      counts = function(frontier, what = list()) {
        noted(s, "counts", what$level, merge_counts(of_all("counts", frontier, what)))
      },
      inside = function(asks) noted(s, "inside", NULL, merge_inside(of_all("inside", asks))),
      rows = function(frontier) {
        noted(s, "rows", NULL, merge_rows(of_all("rows", frontier), s$meta$response$levels))
      },
      passes = function() do.call(rbind, c(list(no_passes), s$log)),
      close = close
    ),
    class = "tec_counter"
  )
}

merge_meta <- function(parts, terms, engine) {
  of <- function(what) lapply(parts, `[[`, what)
  columns <- do.call(Map, c(list(f = function(...) merge_column(list(...), engine)), of("columns")))
  weight <- unlist(of("weight"))
  dropped <- sum(unlist(of("dropped")))
  response <- of("response")
  response <- if (response[[1L]]$kind == "class") {
    merge_classes(response, terms)
  } else {
    merge_numbers(response, terms$response)
  }
  list(
    n = sum(unlist(of("n"))), parts = unlist(of("n")), weight = if (!is.null(weight)) sum(weight),
    columns = columns, response = c(response, dropped = dropped), dropped = dropped
  )
}

# Levels of a factor are the same in all parts by now.
merge_column <- function(parts, engine) {
  of <- function(what) lapply(parts, `[[`, what)
  out <- parts[[1L]]
  values <- unique(unlist(of("values")))
  if (out$kind == "numeric") {
    many <- any(vapply(of("values"), is.null, NA)) || length(values) > engine$max_values
    values <- if (!many) sort(values)
    out$ptype <- c(Filter(is.double, of("ptype")), of("ptype"))[[1L]]
  } else if (is.character(out$ptype)) {
    values <- sort(values, method = "radix")
  }
  out["values"] <- list(values)
  known <- unlist(of("range"))
  out["range"] <- list(if (length(known)) range(known))
  out$missing <- sum(unlist(of("missing")))
  out
}

# Classes are in the order that factor() or code_classes() gives them.
merge_classes <- function(parts, terms) {
  out <- parts[[1L]]
  levels <- unique(unlist(lapply(parts, `[[`, "levels")))
  made <- identical(terms$task, "class") && !grepl("factor", terms$type)
  if (made && terms$type == "numeric") {
    levels <- levels[order(as.numeric(levels))]
  } else if (made) {
    levels <- sort(levels)
  } else if (is.character(out$ptype)) {
    levels <- sort(levels, method = "radix")
  }
  list(kind = "class", levels = levels, ptype = out$ptype)
}

# The unit is the first in which all parts are whole.
merge_numbers <- function(parts, name) {
  some <- Filter(function(part) part$n > 0, parts)
  if (length(some) == 0L) {
    return(parts[[1L]])
  }
  of <- function(what) vapply(some, `[[`, 0, what)
  mean <- stats::weighted.mean(of("mean"), of("n"))
  facts <- list(
    n = sum(of("n")), mean = mean, weight = sum(of("weight")),
    squares = sum(of("squares") + of("weight") * (of("mean") - mean)^2),
    range = range(unlist(lapply(some, `[[`, "range"))), least = least_size(of("least")),
    scales = Reduce(intersect, lapply(some, `[[`, "scales")), exponent = max(of("exponent"))
  )
  c(list(kind = "number"), facts, number_units(facts, name))
}

merge_counts <- function(parts) cell_table(list(add_up(bind_cells(parts))))

# A part of a bin has the least and the largest value that any worker found in it.
merge_inside <- function(parts) {
  cells <- bind_cells(parts)
  part <- group_of(unname(cells[c("ask", "part")]))
  cells$value <- as.vector(tapply(cells$value, part, max))[part]
  cells$least <- as.vector(tapply(cells$least, part, min))[part]
  merge_counts(list(cells[setdiff(names(cells), c("ask", "part"))]))
}

# About k of the values that the workers name, each for its share of a worker's rows.
merge_cuts <- function(parts, rows, k) {
  parts <- lapply(parts, function(x) x[!is.na(x)])
  share <- rep(rows / pmax(lengths(parts), 1L), lengths(parts))
  values <- unlist(parts)
  order <- order(values)
  up_to <- cumsum(share[order]) / sum(share)
  unique(values[order][findInterval(seq_len(k - 1) / k, up_to) + 1L])
}

# rbind() unites classes in order of appearance.
merge_rows <- function(parts, levels) {
  lapply(do.call(Map, c(list(f = rbind), parts)), function(rows) {
    y <- rows[["y"]]
    if (is.factor(y)) rows[["y"]] <- factor(y, levels, ordered = is.ordered(y))
    rows
  })
}
