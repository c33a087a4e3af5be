# Tested in test-engine-sql.R and test-engine-bins.R.
# Examines bins: cells by value if there are few rows, otherwise by finer bins, with the smallest
# and the largest value of each.

# `asks`: frontier, and vectors node, column, code (of the bin), from, to (the values of a part of
# the bin; NA: the whole bin), size (the approximate number of rows) and place (consecutive for
# neighbours).
count_inside <- function(s, asks) {
  looks <- lapply(split(seq_along(asks$node), asks$column), function(at) {
    j <- as.integer(asks$column[at[1L]])
    list(j = j, column = s$columns[[j]], runs = look_runs(asks, at, s$settings$parts))
  })
  found <- in_batches(unname(looks), if (takes_sets(s)) s$dialect$sets else 50L, function(some) {
    sql <- if (takes_sets(s)) inside_query(s, asks, some) else inside_union(s, asks, some)
    names <- c("f", "run", "c", "part", "low", "v", "n")
    out <- ask(s$link, sql, "inside", names, tree_levels(asks$frontier))
    out <- out[!is.na(out$run), ]
    of <- as.numeric(out$f)
    if (takes_sets(s) && length(some) > 1L) of <- set_number(of, length(some))
    bind_cells(lapply(seq_along(some), function(i) {
      inside_cells(s, out[of == i, ], some[[i]]$runs, some[[i]]$column, some[[i]]$j)
    }))
  })
  bind_cells(found)
}

# The bins of a column to examine, as runs of neighbours, those by value first: list(node, first and
# last code, from, to, by = "value", "bin" or "part").
look_runs <- function(asks, at, parts) {
  n <- length(at)
  from <- (asks$from %||% rep(NA_real_, length(asks$node)))[at]
  to <- (asks$to %||% rep(NA_real_, length(asks$node)))[at]
  size <- (asks$size %||% numeric(length(asks$node)))[at]
  place <- (asks$place %||% (2 * seq_along(asks$node)))[at]
  node <- asks$node[at]
  few <- size <= 2 * parts | (!is.na(from) & !is.finite(to - from))
  by <- ifelse(few, ifelse(is.na(from), "value", "values"), ifelse(is.na(from), "bin", "part"))
  order <- order(!few, by, node, place)
  before <- order[-n]
  after <- order[-1L]
  follows <- node[after] == node[before] & place[after] == place[before] + 1 &
    by[after] == by[before] & by[after] != "part"
  run <- cumsum(c(TRUE, !follows))
  lapply(split(order, run), function(i) {
    last <- i[length(i)]
    list(
      node = node[i[1L]], codes = asks$code[at][i[1L]]:asks$code[at][last], from = from[i[1L]],
      to = to[last], by = sub("values", "value", by[i[1L]])
    )
  })
}

# Several columns by GROUPING SETS: the values v1, ..., the codes c1, ..., and the run and part of
# each row, run1, ... and part1, .... The fence keeps databases from computing the CASE of all nodes
# again wherever a run is used.
inside_query <- function(s, asks, looks) {
  shared <- c("y", if (!is.null(s$weights)) "w", if (!is.null(s$shards)) "shard")
  stages <- staged(s, s$source, asks$frontier)
  rows <- lapply(seq_along(looks), function(i) {
    paste0(looked_rows(s, stages$tree, looks[[i]]), " AS ", c("v", "c", "run"), i)
  })
  rows <- c(unlist(rows), shared, digits_sql(s, asks))
  keyed <- unlist(lapply(seq_along(looks), function(i) {
    here <- function(x) paste0("CASE WHEN run", i, " IS NOT NULL THEN ", x, " END AS ")
    c(
      paste0(c("v", "run"), i), paste0(here(paste0("c", i)), "c", i),
      paste0(here(part_key(s, looks[[i]]$runs, looks[[i]]$column, i)), "part", i)
    )
  }))
  keyed <- c(keyed, shared, digit_names(s))
  by <- c(if (!is.null(s$shards)) "shard", if (s$task == "class") "y")
  sets <- vapply(seq_along(looks), function(i) {
    toString(c(by, paste0(c("run", "c", "part"), i)))
  }, "")
  paste0(
    "SELECT ", toString(c(by, looked_columns(looks), measures(s, weight_sql(s, NULL)))),
    " FROM (SELECT ", toString(keyed), " FROM (SELECT ", toString(rows), " FROM ", stages$from,
    s$dialect$fence, ") r WHERE ",
    paste0("run", seq_along(looks), " IS NOT NULL", collapse = " OR "), ") s GROUP BY ",
    if (length(looks) == 1L) sets else grouping_sets(sets)
  )
}

# Without GROUPING SETS, one part per column: only few rows of few columns are examined.
inside_union <- function(s, asks, looks) {
  parts <- vapply(seq_along(looks), function(i) {
    sub("1 AS f", paste(i, "AS f"), inside_query(s, asks, looks[i]), fixed = TRUE)
  }, "")
  paste(parts, collapse = " UNION ALL ")
}

# The value of a row, its code, and its run.
looked_rows <- function(s, tree, look) {
  source <- s$source
  column <- look$column
  coded <- source$coded[look$j]
  node <- vapply(look$runs, `[[`, 0, "node")
  hits <- function(of) {
    when <- vapply(which(node == of), function(i) {
      paste("WHEN", run_condition(s, source, column, look$runs[[i]]), "THEN", i)
    }, "")
    if (length(when)) paste("CASE", paste(when, collapse = " "), "END")
  }
  c(
    column$raw, if (coded) code_name(column) else code_case(s, column),
    node_case(s, source, tree, hits)
  )
}

# The result columns for all columns in one answer: the set of a row, and the columns of that set.
looked_columns <- function(looks) {
  n <- length(looks)
  if (n == 1L) {
    return(c("1 AS f", "run1 AS run", "c1 AS c", "part1 AS part", "MIN(v1) AS low", "MAX(v1) AS v"))
  }
  all <- function(name) paste0(name, seq_len(n), collapse = ", ")
  end <- function(f) {
    own <- paste0("WHEN GROUPING(run", seq_len(n), ") = 0 THEN ", f, "(v", seq_len(n), ")")
    paste("CASE", paste(own, collapse = " "), "END")
  }
  c(
    paste0("GROUPING(", all("run"), ") AS f"),
    paste0("COALESCE(", c(all("run"), all("c"), all("part")), ") AS ", c("run", "c", "part")),
    paste(c(end("MIN"), end("MAX")), "AS", c("low", "v"))
  )
}

run_condition <- function(s, source, column, run) {
  if (is.na(run$from)) {
    return(code_condition(s, source, column, run$codes))
  }
  end <- s$dialect$number
  paste0("(", column$raw, " >= ", end(run$from), " AND ", column$raw, " <= ", end(run$to), ")")
}

# The grouping key: the value, or its position between the ends of its bin or of the part. After
# rounding, the position still does not decrease as the value increases, so groups are intervals.
part_key <- function(s, runs, column, i) {
  v <- paste0("v", i)
  number <- s$dialect$number
  by <- vapply(runs, `[[`, "", "by")
  place <- function(from, to) {
    scale <- s$settings$parts / (to - from)
    # Not from or to infinity: infinity times a scale of 0 is not a number.
    usable <- is.finite(scale) & scale > 0 & is.finite(from)
    ifelse(usable, s$dialect$number_type(s$dialect$whole_type(
      paste0("(", v, " - ", number(from), ") * ", number(ifelse(usable, scale, 0)))
    )), v)
  }
  case <- function(of, keys, values) {
    if (length(keys)) paste("CASE", of, paste("WHEN", keys, "THEN", values, collapse = " "), "END")
  }
  codes <- sort(unique(unlist(lapply(runs[by == "bin"], `[[`, "codes"))))
  ends <- c(column$range[1L], column$cuts, column$range[2L])
  bin <- case(paste0("c", i), codes, place(ends[codes], ends[codes + 1L]))
  parts <- which(by == "part")
  part <- case(paste0("run", i), parts, place(
    vapply(runs[parts], `[[`, 0, "from"), vapply(runs[parts], `[[`, 0, "to")
  ))
  last <- cumsum(table(factor(by, c("value", "bin", "part"))))
  keys <- list(value = if (any(by == "value")) v, bin = bin, part = part)
  keys <- keys[!vapply(keys, is.null, NA)]
  if (length(keys) == 1L) {
    return(keys[[1L]])
  }
  case("", paste0("run", i, " <= ", last[names(keys)]), unlist(keys))
}

inside_cells <- function(s, out, runs, column, j) {
  run <- as.integer(out$run)
  least <- as.numeric(out$low) + 0
  value <- as.numeric(out$v) + 0
  # All cells of a part have the ends of the part.
  part <- group_of(list(run, as.numeric(out$c), as.numeric(out$part) + 0))
  cells <- list(
    node = vapply(runs, `[[`, 0, "node")[run], column = rep(as.integer(j), length(value)),
    code = as.integer(out$c), value = -least_of(-value, part),
    least = least_of(least, part)
  )
  if (s$task == "class") cells$class <- value_codes(out$y, response_key(s), s$response)
  add_up(c(cells, answer_sums(s, out)))
}
