# Tested in test-engine-sql.R.
# Reads rows in blocks and counts them in R. A database that sorts to group, such as SQLite, returns
# rows faster than it counts them.

stream_cells <- function(s, tree, nodes, what) {
  columns <- s$columns[what$columns]
  names <- ifelse(
    s$source$coded[what$columns], vapply(columns, code_name, ""), vapply(columns, `[[`, "", "raw")
  )
  keyed <- isTRUE(what$by_fold > 0) || !is.null(what$bag)
  parts <- c(names, "y", if (!is.null(s$weights)) "w", if (keyed) "k")
  sums <- new.env(parent = emptyenv())
  read_blocks(s, placed_rows(s, s$source, tree, parts), what$level, function(block) {
    count_block(s, sums, block, names, nodes, what)
  })
  cells <- Map(function(name, j) {
    summed_cells(s, sums[[name]], j, nodes, what)
  }, names, what$columns)
  bind_cells(unname(cells))
}

read_blocks <- function(s, sql, level, each, what = "counts") {
  link <- s$link
  start <- proc.time()[["elapsed"]]
  rows <- bytes <- 0
  # Reads blocks until one returns FALSE.
  take <- function(block) {
    block <- own_names(block)
    block[] <- lapply(block, plain_column)
    rows <<- rows + nrow(block)
    bytes <<- bytes + size_of(block)
    each(block)
  }
  if (inherits(link$con, "adbc_connection")) {
    next_block <- watched(link, arrow_blocks(link$con, sql, s$settings$block_rows), "rows")
    repeat {
      block <- watched(link, next_block(), "rows")
      if (is.null(block) || isFALSE(take(block))) break
    }
  } else if (!reads_blocks(link$con)) {
    take(watched(link, run_query(link$con, sql), "rows"))
  } else {
    result <- watched(link, send_query(link$con, sql), "rows")
    on.exit(suppressWarnings(try(DBI::dbClearResult(result), silent = TRUE)))
    repeat {
      block <- watched(link, DBI::dbFetch(result, n = s$settings$block_rows), "rows")
      if (!is.data.frame(block)) abort_answer(link, "rows", "It gave no table.")
      if (nrow(block) && isFALSE(take(block))) break
      if (nrow(block) < s$settings$block_rows) break
    }
  }
  note(link, what, level, start, rows, bytes, "stream")
}

# sparklyr runs the query again for each block, from its first row, and repeats rows after the last.
reads_blocks <- function(con) {
  inherits(con, "adbc_connection") ||
    (inherits(con, "DBIConnection") && !inherits(con, "spark_connection"))
}

# A function that returns the next rows, about `rows` of them, or NULL at the end. Needs the package
# nanoarrow.
arrow_blocks <- function(con, sql, rows) {
  stream <- adbcdrivermanager::read_adbc(con, sql)
  schema <- stream$get_schema()
  stream_of <- getExportedValue("nanoarrow", "basic_array_stream")
  ended <- FALSE
  function() {
    batches <- list()
    found <- 0
    # Reading a stream of DuckDB after its end is an error.
    while (found < rows && !ended) {
      batch <- stream$get_next()
      ended <<- is.null(batch)
      if (!ended) batches[[length(batches) + 1L]] <- batch
      found <- found + if (ended) 0 else batch$length
    }
    if (length(batches)) as.data.frame(stream_of(batches, schema))
  }
}

# Adds a block to `sums`: for each column a vector by fold, class, node and code, the last fastest.
count_block <- function(s, sums, block, names, nodes, what) {
  group <- match(as.numeric(block$node), nodes) - 1
  if (s$task == "class") {
    class <- value_codes(block$y, response_key(s), s$response)
    group <- group + length(nodes) * (class - 1)
  }
  groups <- length(nodes) * class_count(s)
  if (isTRUE(what$by_fold > 0)) {
    group <- group + groups * (hash_fold(as.numeric(block$k), what$by_fold) - 1)
  }
  weight <- if (!is.null(s$weights)) as.numeric(block$w)
  bag <- what$bag
  drawn <- if (!is.null(bag)) {
    hash_bag(as.numeric(block$k), bag$tree, bag$replace %||% TRUE, bag$fraction %||% 1)
  }
  weight <- if (is.null(weight) || is.null(drawn)) c(weight, drawn) else weight * drawn
  m <- if (s$task == "number") number_digits(as.numeric(block$y), s$response, what$centre %||% 0)
  parts <- row_parts(s, weight, drawn, m)
  for (i in seq_along(names)) {
    j <- what$columns[i]
    codes <- block_codes(s, block[[names[i]]], s$columns[[j]], s$source$coded[j])
    n_codes <- codes_of(s, j)
    at <- group * n_codes + codes + 1
    add_block(sums, names[i], at, groups * fold_count(what) * n_codes, parts)
  }
}

block_codes <- function(s, x, column, coded) {
  if (coded) {
    return(value_codes(x, "code", column))
  }
  if (!is.null(column$cuts)) {
    code <- findInterval(as.numeric(x), column$cuts, left.open = TRUE) + 1L
    code[is.na(x)] <- 0L
    return(code)
  }
  as <- switch(column$type, text = "t", logical = "l", "v")
  value_codes(x, as, column)
}

# `parts`: the values that each row adds to its cell, by name.
add_block <- function(sums, name, at, size, parts) {
  old <- sums[[name]] %||% lapply(parts, function(part) numeric(size))
  for (what in names(parts)) {
    if (is.null(parts[[what]])) {
      old[[what]] <- old[[what]] + tabulate(at, size)
    }
  }
  summed <- Filter(Negate(is.null), parts)
  if (length(summed) && length(at)) {
    added <- rowsum(do.call(cbind, summed), at)
    here <- as.integer(rownames(added))
    for (what in names(summed)) old[[what]][here] <- old[[what]][here] + added[, what]
  }
  sums[[name]] <- old
}

# A NULL weight means 1 for each row. `m`: digits.
row_parts <- function(s, weight, drawn, m) {
  parts <- list(n = weight)
  if (!is.null(s$weights)) parts["rows"] <- list(drawn)
  if (is.null(m)) parts else c(parts, digit_sums(m, weight))
}

# The cells of a column, from its sums.
summed_cells <- function(s, sums, j, nodes, what) {
  at <- which(sums$n != 0)
  codes <- codes_of(s, j)
  group <- (at - 1) %/% codes
  cells <- list(
    node = nodes[group %% length(nodes) + 1], column = rep(j, length(at)),
    code = as.integer((at - 1) %% codes)
  )
  group <- group %/% length(nodes)
  if (s$task == "class") cells$class <- as.integer(group %% class_count(s)) + 1L
  for (name in sum_names(s)) cells[[name]] <- sums[[name]][at]
  if (isTRUE(what$by_fold > 0)) cells$fold <- as.integer(group %/% class_count(s)) + 1L
  cells
}

# The values of all columns from one pass over the rows. A database that sorts to group would sort
# the rows once per column.
streamed_values <- function(s, at) {
  raw <- vapply(s$columns[at], `[[`, "", "raw")
  seen <- vector("list", length(at))
  many <- logical(length(at))
  sql <- paste0("SELECT ", paste(raw, collapse = ", "), " FROM (", s$base, ") b")
  read_blocks(s, sql, NA_real_, function(block) {
    for (i in which(!many)) {
      x <- block[[i]]
      if (s$columns[[at[i]]]$type != "text") x <- as.numeric(x)
      seen[[i]] <<- unique(c(seen[[i]], unique(x)))
      many[i] <<- length(seen[[i]]) > s$settings$max_values + 1
    }
  }, "values")
  lapply(seq_along(at), function(i) {
    if (!many[i]) ordered_values(s, s$columns[[at[i]]], seen[[i]])
  })
}
