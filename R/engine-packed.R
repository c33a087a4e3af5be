# Tested in test-engine-packed.R.
# Rows that fit into memory as codes of one byte or two a value, but not as numbers: they are read
# block by block, and each value becomes the code of its column's different values. The columns look
# like any others (src/packed.cpp); the core takes their codes.

# `way`: from choose_way(). As read_elsewhere(); NULL where there turn out to be too many values.
read_packed <- function(source, columns, way, engine) {
  in_database(source, engine, function(s) {
    of <- describe_types(s, columns)
    raw <- vapply(of, `[[`, "", "raw")
    packer <- tec_packer_(vapply(of, `[[`, "", "type") == "text", way$n)
    fits <- TRUE
    read_blocks(s, typed_query(s, of), NA_real_, function(block) {
      values <- lapply(of, function(column) block_values(block[[column$raw]], column))
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

block_values <- function(x, column) {
  if (column$type == "text") as.character(x) else as.double(x)
}

# The different texts of a column, NA among them; of `rows` if they are given.
different_texts <- function(x, rows = NULL) {
  if (tec_is_packed_(x)) {
    return(unique(tec_packed_texts_(x, rows)))
  }
  unique(if (is.null(rows)) as.vector(x) else x[rows])
}

# match(x, levels)
levels_of_texts <- function(x, levels) {
  if (!tec_is_packed_(x)) {
    return(match(x, levels))
  }
  tec_packed_levels_(x, as.double(match(tec_packed_texts_(x, NULL), levels)))
}

# Vectors that order rows as the columns do.
sort_keys <- function(values, rows) {
  packed <- vapply(values, tec_is_packed_, NA)
  run <- cumsum(!packed | c(TRUE, !packed[-length(packed)]))
  keys <- lapply(split(seq_along(values), run), function(at) {
    if (all(packed[at])) {
      return(tec_packed_keys_(values[at], rows))
    }
    lapply(values[at], function(x) if (is.null(rows)) x else x[rows])
  })
  unlist(unname(keys), recursive = FALSE)
}
