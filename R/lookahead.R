# `lookahead`: what it cannot be combined with. The core looks ahead (grow/look_ahead.hpp).

looks_ahead <- function(control) isTRUE(control$lookahead > 1)

# The number of splits tried in a node.
check_tried <- function(lookahead) {
  if (is.logical(lookahead) && length(lookahead) == 1L) {
    tec_abort("control", c(
      "{.arg lookahead} must be a number of splits of at least 1.",
      x = "It is {lookahead}.",
      i = "The {.arg lookahead} of partykit, whether the daughters of a node can be tested, has no
           counterpart."
    ))
  }
  check_bound(lookahead %||% 1, "lookahead", least = 1, whole = TRUE)
}

# `control` is resolved, and its rules are those of the task.
check_lookahead <- function(control) {
  if (!looks_ahead(control)) {
    return(control)
  }
  other <- c(
    if (identical(control$rules, "c45")) "rules = \"c45\"",
    if (identical(control$ties, "random")) "ties = \"random\"",
    if (!is.null(control$max_features)) "max_features",
    if (identical(control$splitter, "random")) "splitter = \"random\"",
    if (isTRUE(control$max_p < 1)) "max_p"
  )
  if (length(other)) {
    tec_abort("control", c(
      "{.arg lookahead} compares the best splits of all columns.",
      x = "{.code {other[[1L]]}} chooses splits in another way.",
      i = if (other[[1L]] == "rules = \"c45\"") {
        "Use {.code rules = \"exact\"}, or {.code lookahead = 1}."
      } else {
        "Leave one of the two out."
      }
    ))
  }
  control
}

# The penalty of a leaf where subtrees are compared, as pruning will have it; `weight`: of all rows.
leaf_price <- function(control, weight) {
  by_penalty <- control$prune == "ccp"
  absolute <- by_penalty && is.numeric(control$alpha)
  list(
    leaf_price = if (absolute) control$alpha * weight else 0,
    leaf_price_share = if (by_penalty && !absolute) control$cp %||% 0 else 0
  )
}
