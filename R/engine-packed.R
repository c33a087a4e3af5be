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
