# Tested in test-tec_json-forest.R.
# Checks the JSON of a forest against the schema and the rules of its trees. The first fault is an
# error that names its place.

check_forest_json <- function(parts) {
  check_json_fields(parts, json_fields$forest, "top")
  classes <- check_json_top(parts)
  if (!is.null(parts$link)) {
    if (!is.null(parts$cost)) json_fault("cost", "it cannot be combined with \"link\"")
    check_json_link(parts$link, classes, length(parts$trees))
  }
  by_class <- !is.null(classes) && is.null(parts$cost) && is.null(parts$link)
  if (by_class) {
    if (is.null(parts$class_by)) json_fault("class_by", "it is missing")
    check_json_word(parts$class_by, c("votes", "shares"), "class_by")
  } else if (!is.null(parts$class_by)) {
    json_fault("class_by", "it is only for classes of a forest without costs")
  }
  check_json_whole(parts$rows, "rows", 0, 2^31 - 1)
  columns <- check_json_columns(parts$columns)
  if (!is.null(parts$mtry)) check_json_whole(parts$mtry, "mtry", 1, length(columns))
  check_json_list(parts$trees, "trees", 1L)
  stops <- json_has_inner_values(parts)
  # The trees of a boosted classifier have numbers, unless they vote.
  if (!is.null(parts$link$output)) classes <- NULL
  for (i in seq_along(parts$trees)) {
    check_json_forest_tree(
      parts$trees[[i]], paste0("trees[", i, "]"), columns, length(classes), stops
    )
  }
}

# The link of a boosted classifier: from the sums of its trees to classes and probabilities.
check_json_link <- function(link, classes, trees) {
  if (is.null(classes)) json_fault("link", "it is not for a numeric response")
  if (length(classes) < 2L) json_fault("response.levels", "\"link\" needs at least two")
  check_json_fields(link, json_fields$link, "link")
  votes <- !is.null(link$vote)
  if (votes == !is.null(link$output)) json_fault("link", "it must have \"output\" or \"vote\"")
  k <- length(classes)
  sums <- if (votes || k > 2L) k else 1L
  round <- check_json_numbers(link$round, "link.round", 1, 2^31 - 1, n = trees, whole = TRUE)
  if (is.unsorted(round)) json_fault("link.round", "the rounds must ascend")
  base <- check_json_numbers(link$base, "link.base", -Inf, Inf, n = sums)
  check_json_number(link$scale, "link.scale")
  if (votes) {
    if (any(base != 0)) json_fault("link.base", "sums of votes start from 0")
    vote <- check_json_numbers(link$vote, "link.vote", 0, .Machine$double.xmax, n = trees)
    scale <- sum(vote) * (k - 1)
  } else {
    check_json_numbers(link$output, "link.output", 1, sums, n = trees, whole = TRUE)
    scale <- 1
  }
  if (scale <= 0 || abs(link$scale - scale) > 1e-9 * scale) {
    json_fault("link.scale", "it must be ", format(scale, digits = 15))
  }
}

# Whether inner nodes have predictions: all of them if rows can stop, otherwise none.
json_has_inner_values <- function(parts) {
  parts$missing == "stop" && "inner_value" %in% names(parts$trees[[1L]])
}

check_json_forest_tree <- function(x, where, columns, classes, stops) {
  at <- function(field) paste0(where, ".", field)
  check_json_fields(x, json_fields$forest_tree, where)
  column <- check_json_numbers(x$column, at("column"), 0, length(columns), whole = TRUE)
  n <- length(column)
  inner <- which(column != 0)
  check_json_children(x, column, inner, at)
  check_json_list(x$split, at("split"), 0L)
  if (length(x$split) != length(inner)) json_fault(at("split"), "there must be ", length(inner))
  kind <- vapply(columns, `[[`, "", "kind")[column[inner]]
  for (k in seq_along(inner)) {
    check_json_forest_split(
      x$split[[k]], paste0(at("split"), "[", k, "]"), columns[[column[inner[k]]]], kind[k]
    )
  }
  check_json_numbers(x$weight, at("weight"), 0, .Machine$double.xmax, n = n - length(inner))
  check_json_leaves(x$value, at("value"), n - length(inner), classes)
  if (("inner_value" %in% names(x)) != stops) {
    json_fault(at("inner_value"), "all trees must have it if \"missing\" is \"stop\"")
  }
  if (stops) {
    check_json_leaves(x$inner_value, at("inner_value"), length(inner), classes, mixed = TRUE)
  }
}

# Nodes are in pre-order, so the first child is the next node, and the other one is known.
check_json_children <- function(x, column, inner, at) {
  n <- length(column)
  size <- rep(1L, n)
  right <- integer(n)
  for (i in rev(inner)) {
    right[i] <- if (i < n) i + 1L + size[i + 1L] else n + 1L
    if (right[i] > n) json_fault(at("column"), "the nodes do not form a tree in pre-order")
    size[i] <- 1L + size[i + 1L] + size[right[i]]
  }
  if (n == 0L || size[1L] != n) {
    json_fault(at("column"), "the nodes do not form a tree in pre-order")
  }
  said <- check_json_numbers(x$right, at("right"), 1, n, n = length(inner), whole = TRUE)
  odd <- which(said != right[inner])[1L]
  if (!is.na(odd)) {
    json_fault(paste0(at("right"), "[", odd, "]"), "it must be ", right[inner[odd]])
  }
  default <- check_json_numbers(x$default, at("default"), 1, n, n = length(inner), whole = TRUE)
  odd <- which(default != said & default != inner + 1L)[1L]
  if (!is.na(odd)) {
    json_fault(paste0(at("default"), "[", odd, "]"), "it must be one of the children")
  }
}

check_json_forest_split <- function(x, where, column, kind) {
  if (kind == "numeric") {
    return(check_json_number(x, where))
  }
  n <- length(column$levels)
  if (kind == "ordered") {
    return(check_json_whole(x, where, 1, n - 1))
  }
  if (!is.list(x) || length(x) != 2L) json_fault(where, "it must be two lists of levels")
  all <- c(
    check_json_numbers(x[[1L]], where, 1, n, whole = TRUE),
    check_json_numbers(x[[2L]], where, 1, n, whole = TRUE)
  )
  if (anyDuplicated(all)) json_fault(where, "level ", all[duplicated(all)][1L], " occurs twice")
}

# `mixed`: all leaves must have class shares. Otherwise a leaf of one class has its number.
check_json_leaves <- function(x, where, n, classes, mixed = FALSE) {
  if (classes == 0L) {
    return(check_json_numbers(x, where, -Inf, Inf, n = n))
  }
  if (!is.list(x) || length(x) != n) json_fault(where, "there must be ", n)
  mixed <- mixed | vapply(x, is.list, NA)
  check_json_numbers(x[!mixed], where, 1, classes, whole = TRUE)
  for (i in which(mixed)) check_json_shares(x[[i]], paste0(where, "[", i, "]"), classes)
}
