#' Partitions of a set
#'
#' The algebra of partitions behind the beta-entropy. The classes of a decision tree are a partition
#' of the rows, and a split is another.
#'
#' @details
#' * `tec_partition()` makes a partition, either from a variable (rows with equal values share a
#'   block) or from a list of disjoint blocks.
#' * `tec_meet(x, y, ...)` is the partition whose blocks are the non-empty intersections of one
#'   block from each partition.
#' * `tec_trace_on(x, set)` is the trace of `x` on a subset: each block is restricted to `set`.
#' * `tec_partition_sum(x, y, ...)` joins partitions of disjoint sets into a partition of the union.
#' * `tec_is_finer(x, y)` is `TRUE` if every block of `x` lies inside a block of `y`. A partition is
#'   finer than itself.
#'
#' Two partitions of the same set into the same blocks are [identical()]: elements are kept sorted,
#' and blocks in the order of their smallest element.
#'
#' @param x For `tec_partition()`: a vector or factor, or a list of vectors, which are the blocks.
#'   Otherwise a partition.
#' @param elements If `x` is a variable: the names of the elements, different numbers or strings,
#'   one per value of `x`.
#' @param y,... Further partitions; for `print()` and `format()` not used.
#' @param set The elements of the subset; each must belong to `x`.
#' @param width Maximum width of the text; `Inf` for no limit.
#' @return `tec_partition()`, `tec_meet()`, `tec_trace_on()` and `tec_partition_sum()`: an object of
#'   class `tec_partition`. [as.list()] returns its blocks and [length()] their number.
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
  if (!is.null(set) && !is.atomic(set)) {
    abort_found("{.arg set} must hold elements of {.arg x}.", set, topic = "partition")
  }
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

# Construction and checks of partitions.

# The canonical form: elements sorted, blocks numbered in the order of their first element, so
# that equal partitions are identical objects.
new_partition <- function(elements, block, call = rlang::caller_env()) {
  check_elements(elements, call)
  if (is.numeric(elements)) {
    elements <- as.double(elements)
  }
  # Radix sorting uses the C locale, so the order is the same on every machine.
  at <- order(elements, method = "radix")
  block <- block[at]
  structure(
    list(elements = elements[at], block = match(block, unique(block))),
    class = "tec_partition"
  )
}

partition_from_blocks <- function(blocks, elements, call = rlang::caller_env()) {
  if (!is.null(elements)) {
    abort_partition(c(
      "{.arg elements} must not be given with a list of blocks.",
      "i" = "The blocks name their elements themselves."
    ), call = call)
  }
  is_block <- vapply(blocks, function(block) is.numeric(block) || is.character(block), NA)
  if (is.object(blocks) || !all(is_block)) {
    abort_partition(c(
      "{.arg x} must be a list of numeric or character vectors.",
      "x" = "It is {.obj_type_friendly {blocks}}."
    ), blocks = blocks, call = call)
  }
  if (length(unique(vapply(blocks, is.numeric, NA))) > 1) {
    abort_partition(c(
      "The blocks of {.arg x} must be all numeric or all character.",
      "x" = "Both kinds were found."
    ), call = call)
  }
  if (any(lengths(blocks) == 0)) {
    abort_partition(c(
      "{.arg x} must not have empty blocks.",
      "x" = "Block {which(lengths(blocks) == 0)[1]} is empty."
    ), blocks = blocks, call = call)
  }
  members <- unlist(blocks, use.names = FALSE)
  new_partition(members, rep(seq_along(blocks), lengths(blocks)), call)
}

check_elements <- function(elements, call) {
  if (!is.numeric(elements) && !is.character(elements) || is.object(elements)) {
    found <- "They are {.obj_type_friendly {elements}}."
    abort_partition(c(
      "The elements of a partition must be numbers or strings.",
      "x" = found
    ), elements = elements, call = call)
  }
  if (length(elements) == 0) {
    abort_partition(c("A partition must have at least one element."), call = call)
  }
  if (anyNA(elements)) {
    abort_partition(c("The elements of a partition must not be missing."), call = call)
  }
  if (anyDuplicated(elements)) {
    abort_partition(c(
      "An element can be in one block only.",
      "x" = "More than once: {.val {unique(elements[duplicated(elements)])}}."
    ), elements = elements, call = call)
  }
}

check_partition <- function(x, arg, call = rlang::caller_env()) {
  if (!inherits(x, "tec_partition")) {
    abort_partition(c(
      "{.arg {arg}} must be a partition.",
      "x" = "It is {.obj_type_friendly {x}}.",
      "i" = "Make one with {.fn tec_partition}."
    ), x = x, arg = arg, call = call)
  }
}

# The blocks of x in the order of the elements of `like`.
aligned_blocks <- function(x, like, call = rlang::caller_env(), class = "tec_error_entropy") {
  if (!setequal(x$elements, like$elements)) {
    abort_partition(c(
      "The partitions must be of the same set.",
      "x" = "They have {length(like$elements)} and {length(x$elements)} elements,
             {sum(x$elements %in% like$elements)} in common."
    ), x = x, like = like, call = call, class = class)
  }
  x$block[match(like$elements, x$elements)]
}

# `...`: the values that the message refers to.
abort_partition <- function(message, ..., call = rlang::caller_env(),
                            class = "tec_error_partition") {
  cli::cli_abort(
    message,
    class = unique(c(class, "tec_error")), call = call,
    .envir = rlang::env(rlang::caller_env(), ...)
  )
}
