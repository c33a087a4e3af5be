# Tested in test-engine-sql.R and test-engine-bins.R.
# Bins that are looked into: cells by value where few rows are, else by finer bins, of which the
# least and the largest value are told.

# `asks`: frontier, and vectors node, column, code (of the bin); then from, to (the values of a part
# of the bin; NA: all of it), size (about how many rows) and place (neighbours follow each other).
count_inside <- function(s, asks) {
  found <- lapply(split(seq_along(asks$node), asks$column), function(at) {
    j <- as.integer(asks$column[at[1L]])
    runs <- look_runs(asks, at, s$settings$parts)
    sql <- inside_query(s, asks, runs, s$columns[[j]])
    out <- ask(s$link, sql, "inside", c("run", "low", "v", "n"), tree_levels(asks$frontier))
    inside_cells(s, out, runs, s$columns[[j]], j)
  })
  bind_cells(unname(found))
}

# Looks of a column as runs of neighbours, by value first: list(node, first and last code, from, to,
# by = "value", "bin" or "part").
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

inside_query <- function(s, asks, runs, column) {
  source <- s$source
  coded <- source$coded[as.integer(substring(column$raw, 2L))]
  node <- vapply(runs, `[[`, 0, "node")
  hits <- function(of) {
    at <- which(node == of)
    when <- vapply(at, function(i) {
      paste("WHEN", run_condition(s, source, column, runs[[i]]), "THEN", i)
    }, "")
    if (length(when)) paste("CASE", paste(when, collapse = " "), "END")
  }
  shared <- c(
    "y", if (!is.null(s$weights)) "w", if (!is.null(s$shards)) "shard",
    if (s$task == "number") "m"
  )
  rows <- c(
    paste(column$raw, "AS v"), paste(if (coded) code_name(column) else code_case(s, column), "AS c"),
    setdiff(shared, "m"), if (s$task == "number") paste(unit_sql(s, asks), "AS m"),
    paste(node_case(s, source, asks$frontier, hits), "AS run")
  )
  by <- c(if (!is.null(s$shards)) "shard", "run", if (s$task == "class") "y", "c")
  keyed <- c("v", shared, "run", "c", paste(part_key(s, runs, column), "AS part"))
  paste0(
    "SELECT ", paste(c(by, "part"), collapse = ", "), ", MIN(v) AS low, MAX(v) AS v, ",
    measures(s, weight_sql(s, NULL)), " FROM (SELECT ", paste(keyed, collapse = ", "),
    " FROM (SELECT ", paste(rows, collapse = ", "), " FROM ", source$from,
    ") r WHERE run IS NOT NULL) s GROUP BY ", paste(c(by, "part"), collapse = ", ")
  )
}

run_condition <- function(s, source, column, run) {
  if (is.na(run$from)) {
    return(code_condition(s, source, column, run$codes))
  }
  number <- s$dialect$number
  paste0("(", column$raw, " >= ", number(run$from), " AND ", column$raw, " <= ", number(run$to), ")")
}

# What is grouped by: the value, or where it lies between the ends of its bin, or of the part.
# Rounded or cut off, that does not fall where the value rises; so groups are intervals.
part_key <- function(s, runs, column) {
  number <- s$dialect$number
  by <- vapply(runs, `[[`, "", "by")
  place <- function(from, to) {
    scale <- s$settings$parts / (to - from)
    usable <- is.finite(scale) & is.finite(from)
    ifelse(usable, s$dialect$number_type(s$dialect$whole_type(
      paste0("(v - ", number(from), ") * ", number(ifelse(usable, scale, 0)))
    )), "v")
  }
  case <- function(of, keys, values) {
    if (length(keys)) paste("CASE", of, paste("WHEN", keys, "THEN", values, collapse = " "), "END")
  }
  codes <- sort(unique(unlist(lapply(runs[by == "bin"], `[[`, "codes"))))
  ends <- c(column$range[1L], column$cuts, column$range[2L])
  bin <- case("c", codes, place(ends[codes], ends[codes + 1L]))
  parts <- which(by == "part")
  part <- case("run", parts, place(
    vapply(runs[parts], `[[`, 0, "from"), vapply(runs[parts], `[[`, 0, "to")
  ))
  last <- cumsum(table(factor(by, c("value", "bin", "part"))))
  keys <- list(value = if (any(by == "value")) "v", bin = bin, part = part)
  keys <- keys[!vapply(keys, is.null, NA)]
  if (length(keys) == 1L) {
    return(keys[[1L]])
  }
  case("", paste("run <=", last[names(keys)]), unlist(keys))
}

inside_cells <- function(s, out, runs, column, j) {
  run <- as.integer(out$run)
  least <- as.numeric(out$low) + 0
  value <- as.numeric(out$v) + 0
  # All cells of a part have its ends.
  part <- group_of(list(run, as.numeric(out$c), as.numeric(out$part) + 0))
  first <- order(part, least)
  first <- first[!duplicated(part[first])]
  last <- order(part, -value)
  last <- last[!duplicated(part[last])]
  cells <- list(
    node = vapply(runs, `[[`, 0, "node")[run], column = rep(as.integer(j), length(value)),
    code = as.integer(out$c), value = value[last][part], least = least[first][part]
  )
  if (s$task == "class") cells$class <- value_codes(out$y, response_key(s), s$response)
  for (name in sum_names(s)) {
    cells[[name]] <- as.numeric(out[[if (name == "rows") "row_count" else name]])
  }
  add_up(cells)
}

# The number of the group of equal entries, in the order of the groups.
group_of <- function(by) {
  n <- length(by[[1L]])
  order <- do.call(order, by)
  new <- Reduce(`|`, lapply(by, function(x) {
    x <- x[order]
    c(TRUE, x[-1L] != x[-n])[seq_len(n)]
  }))
  out <- integer(n)
  out[order] <- cumsum(new)
  out
}
