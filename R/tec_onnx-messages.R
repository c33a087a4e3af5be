# Tested in test-tec_onnx.R.
# Writes the messages of ONNX as bytes.

# Protocol buffers: a field is its number and type, then its bytes. A non-negative number has seven
# bits in each byte, the lowest first; all bytes but the last have the eighth bit set.
pb_varint <- function(x) {
  bits <- pb_bits(x)
  as.raw(bits$bytes[seq_len(bits$size)])
}

# The bytes of several numbers, one column per number, and the number of bytes.
pb_bits <- function(x) {
  if (any(x < 0)) stop("negative numbers are not needed")
  size <- pmax(1L, findInterval(x, 128^(0:8)))
  most <- max(size, 1L)
  low <- outer(128^(seq_len(most) - 1L), x, function(unit, x) x %/% unit %% 128)
  list(bytes = low + 128 * (row(low) < rep(size, each = most)), size = size)
}

# A message is a list of its parts in bytes, which are joined once, at the end.
pb_number <- function(field, x) list(c(pb_varint(field * 8), pb_varint(x)))

pb_bytes <- function(field, x) {
  if (is.raw(x)) x <- list(x)
  c(list(c(pb_varint(field * 8 + 2), pb_varint(sum(lengths(x))))), x)
}

pb_text <- function(field, x) pb_bytes(field, charToRaw(enc2utf8(x)))

# Most texts occur many times, so each is converted once.
pb_texts <- function(field, x) {
  values <- unique(x)
  bytes <- lapply(values, function(value) unlist(pb_text(field, value)))
  list(unlist(bytes[match(x, values)]))
}

pb_numbers <- function(field, x) {
  key <- as.integer(pb_varint(field * 8))
  bits <- pb_bits(x)
  all <- rbind(matrix(key, length(key), length(x)), bits$bytes)
  list(as.raw(all[row(all) <= length(key) + rep(bits$size, each = nrow(all))]))
}

pb_float <- function(field, x) {
  list(c(pb_varint(field * 8 + 5), writeBin(x, raw(), size = 4L, endian = "little")))
}

int64_bytes <- function(x) {
  pairs <- rbind(as.integer(x), -(x < 0))
  writeBin(as.integer(pairs), raw(), size = 4L, endian = "little")
}

double_bytes <- function(x) writeBin(as.double(x), raw(), size = 8L, endian = "little")

onnx_types <- c(double = 11L, int64 = 7L, string = 8L)

# A TensorProto: its shape, type, name and values.
onnx_tensor <- function(name, x, type, dim = length(x)) {
  data <- switch(type,
    string = pb_texts(6L, x), double = pb_bytes(9L, double_bytes(x)),
    int64 = pb_bytes(9L, int64_bytes(x))
  )
  c(
    pb_numbers(1L, dim), pb_number(2L, onnx_types[[type]]), pb_text(8L, name), data
  )
}

# An AttributeProto: a tensor, or several texts, floats or integers. A list contains a single value.
onnx_attribute <- function(name, x) {
  tensor <- inherits(x, "tensor")
  one <- is.list(x) && !tensor
  if (one) x <- x[[1L]]
  value <- if (tensor) {
    c(pb_bytes(5L, unclass(x)), pb_number(20L, 4L))
  } else if (is.character(x)) {
    c(pb_texts(9L, x), pb_number(20L, 8L))
  } else if (is.double(x)) {
    floats <- lapply(x, pb_float, field = if (one) 2L else 7L)
    c(do.call(c, floats), pb_number(20L, if (one) 1L else 6L))
  } else {
    ints <- pb_numbers(if (one) 3L else 8L, x)
    c(ints, pb_number(20L, if (one) 2L else 7L))
  }
  pb_bytes(5L, c(pb_text(1L, name), value))
}

onnx_node <- function(op, inputs, output, attributes = list(), ml = FALSE) {
  pb_bytes(1L, c(
    pb_texts(1L, inputs), pb_text(2L, output), pb_text(3L, paste0("make_", output)),
    pb_text(4L, op),
    do.call(c, unname(Map(onnx_attribute, names(attributes), attributes))),
    if (ml) pb_text(7L, "ai.onnx.ml")
  ))
}

# A ValueInfoProto of rows x columns, or of one dimension if `columns` is 0.
onnx_value <- function(field, name, type, columns) {
  rows <- pb_bytes(1L, pb_text(2L, "rows"))
  shape <- c(rows, if (columns) pb_bytes(1L, pb_number(1L, columns)))
  tensor <- c(pb_number(1L, onnx_types[[type]]), pb_bytes(2L, shape))
  pb_bytes(field, c(pb_text(1L, name), pb_bytes(2L, pb_bytes(1L, tensor))))
}

# A tensor that is stored in the model.
onnx_table <- function(name, x, type, dim = length(x)) {
  pb_bytes(5L, onnx_tensor(name, x, type, dim))
}
