# Tested in test-engine-fetch.R and test-engine-packed.R.
# Data elsewhere that fit into memory are read by one query as a data frame. Everything else is then
# as with any data frame.

# The columns that a call needs, for the formula and for the other arguments, `exprs`.
columns_of_call <- function(formula, names, engine, exprs = list()) {
  of <- terms_among(formula, names, engine)
  terms <- c(list(formula[[2L]]), of$terms$expr)
  plain <- vapply(terms, is.symbol, NA)
  lost <- setdiff(vapply(terms[plain], as.character, ""), names)
  if (length(lost)) abort_unknown(lost[1L], of$columns)
  intersect(names, unlist(lapply(c(terms, exprs), free_variables)))
}

# Whether rows are read or counted, and why: list(read =, packed = whether as codes, n = the number
# of rows, if known, needs =, may = in bytes). If memory does not decide, `collect_rows` does.
choose_way <- function(source, columns, engine) {
  most <- engine$collect_rows
  if (!is.null(most) && (most == 0 || most == Inf)) {
    return(list(read = most == Inf))
  }
  n <- rows_elsewhere(source, engine)
  if (!is.null(most)) {
    return(list(read = n <= most, n = n))
  }
  needs <- rows_need(n, rep(8, length(columns)))
  may <- memory_for_rows(engine$memory)
  least <- rows_need(n, rep(1, length(columns)))
  packed <- needs > may && least <= may && reads_blocks(source$con)
  list(read = needs <= may || packed, packed = packed, n = n, needs = needs, may = may)
}

# The allowed bytes: a share of the free memory, or the number itself.
memory_for_rows <- function(memory) {
  if (memory > 1) {
    return(memory)
  }
  free <- free_memory()
  memory * if (is.na(free)) 2^32 else free
}

# Reports the plan before any work.
say_way <- function(way, columns, engine, con) {
  if (!engine$progress) {
    return(invisible())
  }
  rows <- if (!is.null(way$n)) paste(whole_text(way$n), "rows") else "Rows"
  counted <- if (!way$read && streams_rows(con, engine)) {
    "read in blocks and counted in R"
  } else {
    "counted where they are"
  }
  table <- paste0(rows, " of ", count_text(length(columns), "column"))
  tec_inform("engine", if (isTRUE(way$packed)) {
    "{table} are read as codes: as numbers they would need about {bytes_text(way$needs)}, more
       than the allowed {bytes_text(way$may)}."
  } else if (is.null(way$needs)) {
    "{table} are {if (way$read) 'read' else counted}."
  } else if (way$read) {
    "{table} are read: they need about {bytes_text(way$needs)} of the allowed {bytes_text(way$may)}.
     To count them instead: {.code tec_engine(collect_rows = 0)}."
  } else {
    "{table} are {counted}: reading them would need about {bytes_text(way$needs)},
       more than the allowed {bytes_text(way$may)}.
     To read them: {.code tec_engine(collect_rows = Inf)}."
  })
}

# Whether coded rows come to R in blocks, where they are counted.
streams_rows <- function(con, engine) {
  if (inherits(con, "cluster")) {
    return(FALSE)
  }
  counter_settings(engine, count_dialects()[[dialect_of(con)]])$strategy == "stream"
}

whole_text <- function(n) big_number(round(n))

bytes_text <- function(bytes) {
  unit <- max(1, min(4, floor(log10(max(bytes, 1)) / 3)))
  paste(format(signif(bytes / 1000^unit, 2)), c("kB", "MB", "GB", "TB")[unit])
}

rows_elsewhere <- function(source, engine) {
  if (inherits(source$con, "cluster")) {
    return(source$rows)
  }
  in_database(source, engine, count_rows)
}

in_database <- function(source, engine, use) {
  use(open_state(source$con, source$query, engine, environment()))
}

# list(data = a data frame, passes =)
read_elsewhere <- function(source, columns, engine) {
  if (inherits(source$con, "cluster")) {
    started <- proc.time()[["elapsed"]]
    parts <- ask_workers(source$con, "send_part", source$query, columns)
    data <- do.call(rbind, unname(parts[]))
    passes <- data.frame(
      what = "rows", level = NA_integer_, seconds = proc.time()[["elapsed"]] - started,
      rows = as.double(nrow(data)), bytes = attr(parts, "bytes"), plan = attr(parts, "plan")
    )
    return(list(data = data, passes = passes))
  }
  in_database(source, engine, function(s) {
    data <- if (s$link$name == "sqlite") stored_rows(s, columns) else typed_rows(s, columns)
    list(data = data, passes = log_table(s$link))
  })
}

# Columns by the types that the database reports.
typed_rows <- function(s, names) {
  of <- describe_types(s, names)
  raw <- vapply(of, `[[`, "", "raw")
  out <- ask(s$link, typed_query(s, of), "rows", raw)
  as_rows(lapply(of, function(column) typed_values(out[[column$raw]], column)), names, nrow(out))
}

typed_query <- function(s, of) {
  paste("SELECT", paste(vapply(of, base_column, "", s = s), collapse = ", "), "FROM", s$from)
}

# SQLite's columns have no types, only its values do, and R's driver uses the type of the first
# value. All values are read beforehand only if their types differ.
stored_rows <- function(s, names) {
  raw <- paste0("x", seq_along(names))
  sql <- paste0("q.", quote_name(s$link, names), " AS ", raw, collapse = ", ")
  out <- tryCatch(
    ask(s$link, paste("SELECT", sql, "FROM", s$from), "rows", raw),
    tec_error_database = function(e) NULL
  )
  usable <- function(x) is.numeric(x) || is.character(x) || is.logical(x) || is.object(x)
  if (is.null(out) || !all(vapply(out, usable, NA))) {
    return(typed_rows(s, names))
  }
  as_rows(lapply(raw, function(x) {
    x <- out[[x]]
    if (is.object(x) || is.character(x)) x else as.numeric(x)
  }), names, nrow(out))
}

as_rows <- function(values, names, n) {
  structure(values, names = names, class = "data.frame", row.names = .set_row_names(n))
}

# Only frequencies can be counted.
check_counted_weights <- function(weights, control) {
  if (!is.null(weights) && !identical(control$weights_as, "frequency")) {
    tec_abort("weights", c(
      "Rows that are counted where they are cannot have importance weights.",
      x = "{.arg weights} are importance.",
      i = "If a row of weight n stands for n rows: {.code weights_as = \"frequency\"}.",
      i = "Or read the rows: {.code engine = tec_engine(collect_rows = Inf)}."
    ))
  }
}

# If memory decides, nodes with few rows are fetched.
counting_engine <- function(engine) {
  engine$collect_rows <- engine$collect_rows %||% 1e5
  engine
}

# For many trees: bins are not examined, and nothing is fetched, saved or reported.
engine_of_many <- function(engine) {
  own <- list(exact = "bins", collect_rows = 0, checkpoint = NULL, progress = FALSE)
  engine[names(own)] <- own
  engine
}

# list(name =, task =) of the response, without reading all rows.
response_elsewhere <- function(source, terms) {
  classes <- identical(terms$task, "class") || !holds_numbers(source, terms$response)
  list(
    name = terms$input$response_name, task = if (classes) "classification" else "regression"
  )
}

# Whether a column contains numbers, judged by its first value.
holds_numbers <- function(source, name) {
  if (inherits(source$con, "cluster")) {
    return(source$types[[name]] == "numeric")
  }
  link <- sql_link(source$con)
  y <- paste0("q.", quote_name(link, name))
  from <- queried_rows(source$query)
  sql <- paste("SELECT", y, "AS y FROM", from, "WHERE", y, "IS NOT NULL LIMIT 1")
  y <- ask(link, sql, "the response")[[1L]]
  is.numeric(y) && !is.object(y)
}

# Rows that fit into memory as codes of one or two bytes per value, but not as numbers. They are
# read block by block, and each value becomes its code among the different values of the column. The
# columns look like any others (src/packed.cpp); the core uses their codes.

# `way`: from choose_way(). Returns the same as read_elsewhere(), or NULL if there are too many
# values.
read_packed <- function(source, columns, way, engine) {
  in_database(source, engine, function(s) {
    of <- describe_types(s, columns)
    raw <- vapply(of, `[[`, "", "raw")
    text <- vapply(of, `[[`, "", "type") == "text"
    packer <- tec_packer_(text, way$n)
    fits <- TRUE
    read_blocks(s, typed_query(s, of), NA_real_, function(block) {
      values <- Map(function(x, text) if (text) as.character(x) else as.double(x), block[raw], text)
      fits <<- rows_need(way$n, tec_pack_(packer, values)) <= way$may
    }, "rows")
    if (!fits) {
      return(NULL)
    }
    like <- lapply(of, function(column) prototypes[[column$type]])
    values <- tec_packed_(packer, like)
    list(data = as_rows(values, columns, length(values[[1L]])), passes = log_table(s$link))
  })
}
