#' Partitions of a set
#'
#' The algebra of partitions behind the beta-entropy: a decision tree's class attribute
#' is a partition of the rows, and a split is another.
#'
#' @details
#' * `tec_partition()` makes a partition, either from a variable (rows with equal values share a
#'   block) or from a list of disjoint blocks.
#' * `tec_meet(x, y, ...)` is the partition whose blocks are the non-empty intersections of a block
#'   of each.
#' * `tec_trace_on(x, set)` is the trace of `x` on a subset: its blocks cut down to `set`.
#' * `tec_partition_sum(x, y, ...)` joins partitions of disjoint sets into one of their union.
#' * `tec_is_finer(x, y)` is `TRUE` when every block of `x` lies inside a block of `y`. A partition
#'   is finer than itself.
#'
#' Two partitions of the same set into the same blocks are [identical()]: elements are kept
#' sorted, blocks in the order of their smallest element.
#'
#' @param x For `tec_partition()`: a vector or factor, or a list of vectors, the blocks. Otherwise a
#'   partition.
#' @param elements The names of the elements when `x` is a variable: numbers or strings without
#'   repetition, as many as `x` has values.
#' @param y,... Further partitions; for `print()` and `format()` not used.
#' @param set The elements of the subset; each must belong to `x`.
#' @param width Longest text to make; `Inf` for no limit.
#' @return `tec_partition()`, `tec_meet()`, `tec_trace_on()` and `tec_partition_sum()`: an object of
#'   class `tec_partition`, for which [as.list()] gives the blocks and [length()] their number.
#'   `tec_is_finer()`: `TRUE` or `FALSE`.
#' @seealso [beta_entropy()] and [conditional_entropy()], which take partitions.
#' @family entropies and partitions
#' @examples
#' class <- tec_partition(c("no", "no", "yes", "yes", "no"))
#' split <- tec_partition(list(c(1, 2, 3), c(4, 5)))
#' class
#' tec_meet(class, split)
#' tec_trace_on(class, 1:3)
#' tec_partition_sum(tec_trace_on(class, 1:3), tec_trace_on(class, 4:5))
#' tec_is_finer(tec_meet(class, split), class)
#' conditional_entropy(class, split, beta = 2)
#' @export
tec_partition <- function(x, elements = NULL) {
  if (is.list(x)) {
    return(partition_from_blocks(x, elements))
  }
  if (!is.atomic(x) || is.null(x) || is.matrix(x)) {
    abort_partition(c(
      "{.arg x} must be a vector, a factor or a list of blocks.",
      "x" = "It is {.obj_type_friendly {x}}."
    ), x = x)
  }
  if (is.null(elements)) {
    elements <- seq_along(x)
  }
  if (length(elements) != length(x)) {
    abort_partition(c(
      "{.arg elements} must name each value of {.arg x}.",
      "x" = "There are {length(elements)} elements and {length(x)} values."
    ), x = x, elements = elements)
  }
  if (anyNA(x)) {
    abort_partition(c(
      "{.arg x} must not have missing values.",
      "x" = "It has {sum(is.na(x))}."
    ), x = x)
  }
  new_partition(elements, match(x, unique(x)))
}

#' @rdname tec_partition
#' @export
tec_meet <- function(x, y, ...) {
  check_partition(x, "x")
  for (other in list(y, ...)) {
    check_partition(other, "y")
    pair <- paste(x$block, aligned_blocks(other, x, class = "tec_error_partition"))
    x <- new_partition(x$elements, match(pair, unique(pair)))
  }
  x
}

#' @rdname tec_partition
#' @export
tec_trace_on <- function(x, set) {
  check_partition(x, "x")
  outside <- setdiff(set, x$elements)
  if (length(outside) > 0) {
    abort_partition(c(
      "{.arg set} must be a subset of the elements of {.arg x}.",
      "x" = "Not among them: {.val {outside}}."
    ), outside = outside)
  }
  inside <- x$elements %in% set
  new_partition(x$elements[inside], x$block[inside])
}

#' @rdname tec_partition
#' @export
tec_partition_sum <- function(x, y, ...) {
  parts <- list(x, y, ...)
  for (part in parts) {
    check_partition(part, "x")
  }
  elements <- lapply(parts, function(part) part$elements)
  all_elements <- do.call(c, elements)
  if (anyDuplicated(all_elements)) {
    abort_partition(c(
      "The partitions must be of disjoint sets.",
      "x" = "In more than one: {.val {unique(all_elements[duplicated(all_elements)])}}."
    ), all_elements = all_elements)
  }
  n_blocks <- vapply(parts, length, 0L)
  shift <- rep(cumsum(c(0L, n_blocks[-length(n_blocks)])), lengths(elements))
  blocks <- do.call(c, lapply(parts, function(part) part$block))
  new_partition(all_elements, blocks + shift)
}

#' @rdname tec_partition
#' @export
tec_is_finer <- function(x, y) {
  check_partition(x, "x")
  check_partition(y, "y")
  other <- aligned_blocks(y, x, class = "tec_error_partition")
  # Finer: the block of x decides the block of y.
  all(tapply(other, x$block, function(block) length(unique(block))) == 1)
}

#' @rdname tec_partition
#' @export
format.tec_partition <- function(x, width = Inf, ...) {
  refuse_dots("tec_partition", ...)
  check_bound(width, "width", least = 1)
  blocks <- vapply(as.list(x), function(block) paste(block, collapse = ", "), "")
  text <- paste0("{", paste(blocks, collapse = " | "), "}")
  if (nchar(text, "width") > width) {
    text <- paste0(strtrim(text, max(width - 3, 1)), "...")
  }
  text
}

#' @rdname tec_partition
#' @export
print.tec_partition <- function(x, ...) {
  refuse_dots("tec_partition", ...)
  n <- length(x$elements)
  cat(
    "<tec_partition> ", n, ngettext(n, " element in ", " elements in "),
    length(x), ngettext(length(x), " block", " blocks"), "\n",
    sep = ""
  )
  cat(format(x, width = 4 * getOption("width")), "\n", sep = "")
  invisible(x)
}

#' @export
length.tec_partition <- function(x) {
  max(x$block)
}

#' @export
as.list.tec_partition <- function(x, ...) {
  refuse_dots("as.list", ...)
  unname(split(x$elements, x$block))
}
