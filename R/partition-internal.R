# Tested in test-partition.R.
# Construction and checks of partitions.

# The canonical form: elements sorted, blocks numbered in the order of their first element, so
# that equal partitions are identical objects.
new_partition <- function(elements, block, call = rlang::caller_env()) {
  check_elements(elements, call)
  if (is.numeric(elements)) {
    elements <- as.double(elements)
  }
  # Radix order is the C locale's: the same on every machine.
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

# `...` are the values that the message speaks of.
abort_partition <- function(message, ..., call = rlang::caller_env(),
                            class = "tec_error_partition") {
  cli::cli_abort(
    message,
    class = unique(c(class, "tec_error")), call = call,
    .envir = rlang::env(rlang::caller_env(), ...)
  )
}
