# Tested in test-engine-sql.R.
# Columns as codes, and a tree as a CASE. A *source* is where rows are counted: the query itself
# (columns x1, x2, ... unchanged) or a temporary table of codes (c1, c2, ...; x1, ... only if a code
# stands for an interval).

encode_columns <- function(s, codes) {
  for (j in seq_along(s$columns)) {
    cuts <- codes[[j]]$cuts
    s$columns[[j]]$cuts <- if (!is.null(cuts)) as.numeric(cuts)
    if (is.null(cuts)) s$columns[[j]]$values <- codes[[j]]$values %||% s$columns[[j]]$values
    values <- s$columns[[j]]$values
    s$columns[[j]]$n_codes <- if (is.null(cuts)) length(values) else length(cuts) + 1L
  }
  s$source <- s$inline
  if (identical(s$dialect$numbers, "explode")) {
    s$exploded <- coded_source(s, function(query) paste0("(", query, ") codes"))
  }
  if (codes_in_table(s)) make_coded_table(s)
  invisible()
}

# A read-only database counts without a table, unless the user asks for one.
make_coded_table <- function(s) {
  say_step(s, "a table of codes")
  tryCatch(
    s$source <- s$coded <- coded_source(s, function(query) {
      quote_name(s$link, in_small_pieces(s, make_table(s, "codes", query)))
    }),
    tec_error_database = function(e) {
      if (s$settings$encode == "table" || !forbids_writing(conditionMessage(e))) {
        rlang::cnd_signal(e)
      }
    }
  )
}

# Spark compiles a query to one function, and interprets it if the function is longer than Java
# allows, as with CASEs of many cuts. In smaller pieces all of it is compiled.
in_small_pieces <- function(s, made) {
  if (s$link$name != "spark") {
    return(made)
  }
  key <- "spark.sql.codegen.wholeStage"
  set <- function(...) {
    sql <- paste0("SET ", key, ...)
    tryCatch(
      suppressWarnings(own_names(run_query(s$link$con, sql))), error = but_limits(function(e) NULL)
    )
  }
  before <- set()$value
  set("=false")
  on.exit(set("=", if (identical(before, "false")) "false" else "true"))
  made
}

codes_in_table <- function(s) {
  if (s$settings$encode != "auto") {
    return(s$settings$encode == "table")
  }
  if (s$settings$strategy == "stream" || !is.null(s$shards) || s$link$name == "standard" ||
    !may_make_tables(s)) {
    return(FALSE)
  }
  # Reading codes pays off if values would have to be looked up in every pass, and if columns of few
  # bytes are grouped much faster than numbers and text.
  any(vapply(s$columns, function(column) !is.null(column$cuts), NA)) ||
    s$link$name %in% c("sqlite", "duckdb", "postgres", "spark")
}

may_make_tables <- function(s) {
  if (s$link$name != "postgres") {
    return(TRUE)
  }
  # Not possible without the right to create tables, nor on a read-only server. An error would end
  # the transaction.
  sql <- paste(
    "SELECT has_database_privilege(current_database(), 'TEMPORARY')",
    "AND current_setting('transaction_read_only') = 'off' AS may"
  )
  isTRUE(as.logical(ask(s$link, sql, "rights")$may))
}

# A column with many levels is not coded, because a CASE of them would be slow. So would one of
# thousands of cuts in Spark.
is_coded <- function(column, dialect) {
  if (column$kind == "nominal") {
    return(column$n_codes <= 32L)
  }
  !dialect$squares || column$n_codes <= 512L || follow_each_other(column)
}

# Rows as codes. `from`: a function that turns their query into the source to read from.
coded_source <- function(s, from) {
  coded <- vapply(s$columns, is_coded, NA, dialect = s$dialect)
  raw <- vapply(s$columns, function(column) !is.null(column$cuts), NA) | !coded
  y <- if (s$task == "class") s$dialect$code_type(class_case(s), length(s$response$levels)) else "y"
  parts <- c(
    vapply(s$columns[coded], function(column) {
      paste(s$dialect$code_type(code_case(s, column), column$n_codes), "AS", code_name(column))
    }, ""),
    vapply(s$columns[raw], `[[`, "", "raw"), paste(y, "AS y"), if (!is.null(s$weights)) "w",
    if (!is.null(s$key)) "k",
    if (identical(s$dialect$numbers, "array")) paste(s$dialect$code_type("0", 65535), "AS start")
  )
  query <- paste0("SELECT ", paste(parts, collapse = ", "), " FROM (", s$base, ") b")
  list(from = from(query), coded = coded, classes = s$task == "class")
}

# The number of the class; NULL if it is not one of the classes.
class_case <- function(s) {
  values <- switch(s$response$type,
    text = quote_text(s$link, s$response$values),
    logical = s$dialect$booleans[c("FALSE", "TRUE") %in% s$response$values],
    s$dialect$number(s$response$values)
  )
  if (length(values) == 0L) {
    return(s$dialect$whole_type("NULL"))
  }
  paste("CASE", paste("WHEN y =", values, "THEN", seq_along(values), collapse = " "), "END")
}

# The classes of an answer.
response_key <- function(s) {
  if (isTRUE(s$source$classes)) {
    return("code")
  }
  switch(s$response$type, text = "t", logical = "l", "v")
}

# `s$tables` is updated first, so that the table is dropped whatever happens.
make_table <- function(s, what, query) {
  s$counter <- (s$counter %||% 0L) + 1L
  table <- paste(s$id, what, s$counter, sep = "_")
  s$tables <- c(s$tables, table)
  tell(s$link, sprintf(s$dialect$temporary, quote_name(s$link, table), query), "a temporary table")
  table
}

drop_table <- function(s, table) {
  tell(s$link, paste("DROP TABLE", quote_name(s$link, table)), "a temporary table")
  s$tables <- setdiff(s$tables, table)
}

code_name <- function(column) sub("x", "c", column$raw, fixed = TRUE)

# The code of a numeric column as a CASE, with one step per binary digit of the number of codes.
code_case <- function(s, column) {
  x <- column$raw
  if (column$type == "logical") {
    return(paste("CASE WHEN", x, "THEN 2 WHEN NOT", x, "THEN 1 ELSE 0 END"))
  }
  if (column$type == "text") {
    # A value that did not exist at the start then has no code, which is detected.
    if (length(column$values) == 0L) {
      return(paste("CASE WHEN", x, "IS NULL THEN 0 END"))
    }
    when <- paste("WHEN", quote_text(s$link, column$values), "THEN", seq_along(column$values))
    # A text that is not one of the values has no code; the check of conservation then fails.
    return(paste("CASE WHEN", x, "IS NULL THEN 0 ELSE CASE", x, paste(when, collapse = " "),
      "END END"))
  }
  code <- if (follow_each_other(column)) {
    s$dialect$whole_type(paste(x, "-", s$dialect$number(column$values[1L] - 1)))
  } else {
    upper <- s$dialect$number(column$cuts %||% utils::head(column$values, -1L))
    if (s$dialect$squares) square_case(x, upper) else halving_case(x, upper, 1L, length(upper) + 1L)
  }
  # A missing value that did not exist at the start then has no code, which is detected.
  if (follow_each_other(column) && column$missing == 0) {
    return(code)
  }
  paste("CASE WHEN", x, "IS NULL THEN 0 ELSE", code, "END")
}

# Whether the values are consecutive whole numbers, so that a code needs only a subtraction.
follow_each_other <- function(column) {
  values <- column$values
  is.null(column$cuts) && length(values) > 2L && all(abs(values) < 2^52) &&
    all(values == round(values)) && all(diff(values) == 1)
}

halving_case <- function(x, upper, low, high) {
  if (low == high) {
    return(as.character(low))
  }
  middle <- (low + high) %/% 2L
  paste(
    "CASE WHEN", x, "<=", upper[middle], "THEN", halving_case(x, upper, low, middle), "ELSE",
    halving_case(x, upper, middle + 1L, high), "END"
  )
}

# Two steps: for 256 codes, first one of 16 groups, then one of its 16 codes.
square_case <- function(x, upper) {
  n <- length(upper) + 1L
  flat <- function(codes, results, last) {
    when <- paste("WHEN", x, "<=", upper[codes], "THEN", results, collapse = " ")
    if (length(codes)) paste("CASE", when, "ELSE", last, "END") else as.character(last)
  }
  groups <- split(seq_len(n), (seq_len(n) - 1L) %/% ceiling(sqrt(n)))
  inside <- vapply(groups, function(codes) {
    most <- max(codes)
    flat(codes[-length(codes)], codes[-length(codes)], most)
  }, "")
  ends <- vapply(groups, max, 0L)
  last <- length(groups)
  flat(ends[-last], inside[-last], inside[[last]])
}

# A condition that holds for the rows with these codes of a column; each code is 0..n_codes.
code_condition <- function(s, source, column, codes) {
  if (length(codes) == 0L) {
    return(NULL)
  }
  known <- codes[codes > 0L]
  zero <- 0L %in% codes
  coded <- in_codes(source, column)
  name <- if (coded) code_name(column) else column$raw
  # In a table, 0 is next to the first code; without missing values it may be included.
  low <- coded && 1L %in% known && (zero || column$missing == 0)
  parts <- if (coded) {
    runs_condition(name, known, column$n_codes, identity, if (!low) paste(name, "> 0"))
  } else if (column$kind == "numeric") {
    upper <- column$cuts %||% column$values
    runs_condition(name, known, column$n_codes, function(k) s$dialect$number(upper[k]))
  } else if (column$type == "logical") {
    c(if (1L %in% known) paste("NOT", name), if (2L %in% known) name)
  } else if (length(known)) {
    paste0(name, " IN (", toString(quote_text(s$link, column$values[known])), ")")
  }
  if (zero && !low) parts <- c(parts, paste(name, if (coded) "= 0" else "IS NULL"))
  paste0("(", paste(parts, collapse = " OR "), ")")
}

in_codes <- function(source, column) source$coded[as.integer(substring(column$raw, 2L))]

# Runs of codes as intervals of `x`; code k has the upper end `end(k)`. `least`: the condition from
# the first code on.
runs_condition <- function(x, codes, n, end, least = NULL) {
  if (length(codes) == 0L) {
    return(NULL)
  }
  codes <- sort(codes)
  start <- codes[c(TRUE, diff(codes) > 1L)]
  stop <- codes[c(diff(codes) > 1L, TRUE)]
  vapply(seq_along(start), function(i) {
    both <- c(
      if (start[i] > 1L) paste(x, ">", end(start[i] - 1L)) else least,
      if (stop[i] < n) paste(x, "<=", end(stop[i]))
    )
    if (is.null(both)) paste(x, "IS NOT NULL") else paste(both, collapse = " AND ")
  }, "")
}

# The number of the requested node that a row is in, or `none`. `tree`: see counts(). `leaf`: the
# text for a requested node instead of its number.
node_case <- function(s, source, tree, leaf = function(node) sprintf("%.0f", node),
                      none = "NULL") {
  # Avoids promises of promises, which use up R's stack.
  force(list(s, source, leaf, none))
  if (is.null(tree) || length(tree) == 0L) {
    return(NULL)
  }
  if (!is.list(tree)) {
    return(leaf(tree))
  }
  below <- lapply(tree$children, function(child) node_case(s, source, child, leaf, none))
  if (all(vapply(below, is.null, NA))) {
    return(NULL)
  }
  # A tree that starts at the places in a table, see engine-sql-rows.R.
  at_place <- inherits(tree, "tec_places")
  if (!at_place && length(below) == 2L && takes_all(s, tree)) {
    condition <- branch_condition(s, source, tree, 1L)
    if (!is.null(condition)) {
      below[vapply(below, is.null, NA)] <- none
      return(paste("CASE WHEN", condition, "THEN", below[[1L]], "ELSE", below[[2L]], "END"))
    }
  }
  when <- unlist(lapply(which(!vapply(below, is.null, NA)), function(b) {
    condition <- if (at_place) {
      paste(attr(tree, "stage", exact = TRUE) %||% "place", "=", b)
    } else {
      branch_condition(s, source, tree, b)
    }
    if (!is.null(condition)) paste("WHEN", condition, "THEN", below[[b]])
  }))
  if (length(when)) paste("CASE", paste(when, collapse = " "), "ELSE", none, "END")
}

# Whether every row of a node goes to a branch; two branches then need only one condition.
takes_all <- function(s, tree) {
  missing <- if (is.null(tree$at)) tree$branch[1L] else tree$missing
  (s$columns[[tree$column]]$missing == 0 || as.integer(missing) > 0L) && all(tree$branch[-1L] > 0L)
}

branch_condition <- function(s, source, tree, b) {
  column <- s$columns[[tree$column]]
  if (is.null(tree$at)) {
    return(code_condition(s, source, column, which(tree$branch == b) - 1L))
  }
  at <- s$dialect$number(tree$at)
  side <- if (b == 1L) paste(column$raw, "<=", at) else paste(column$raw, ">", at)
  if (identical(as.integer(tree$missing), as.integer(b))) {
    side <- paste(side, "OR", column$raw, "IS NULL")
  }
  paste0("(", side, ")")
}

# The requested nodes, in order, without recursion because trees may be deep.
asked_nodes <- function(tree) {
  nodes <- list(tree)
  while (any(vapply(nodes, is.list, NA))) nodes <- with_children(nodes)
  as.numeric(unlist(nodes))
}

tree_levels <- function(tree) {
  levels <- 0
  nodes <- list(tree)
  while (length(nodes <- Filter(is.list, nodes))) {
    levels <- levels + 1
    nodes <- with_children(nodes)
  }
  levels
}

# Replaces each inner node by its children.
with_children <- function(nodes) {
  unlist(lapply(nodes, function(x) if (is.list(x)) x$children else list(x)), recursive = FALSE)
}
