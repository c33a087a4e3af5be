# Tested in test-plot-fit.R.
# Where the nodes of a tree that grows downwards stand across the page. Subtrees side by side are as
# close as their outlines allow, so that a leaf takes no room from the deeper levels beside it.

# list(x, total): the middle of every node and the width needed. `own` is the width of each node
# with its gap; spare width is divided in proportion.
tree_places <- function(view, own, page_width) {
  children <- split(seq_along(own), factor(view$up, seq_along(own)))
  left <- right <- vector("list", length(own))
  from_parent <- numeric(length(own))
  for (i in rev(seq_along(own))) {
    kids <- children[[i]]
    half <- own[i] / 2
    if (length(kids) == 0L) {
      left[[i]] <- -half
      right[[i]] <- half
      next
    }
    at <- sibling_places(left[kids], right[kids])
    at <- at - (at[1L] + at[length(at)]) / 2
    from_parent[kids] <- at
    left[[i]] <- c(-half, outline(left[kids], at, pmin))
    right[[i]] <- c(half, outline(right[kids], at, pmax))
  }
  first <- min(left[[1L]])
  total <- max(right[[1L]]) - first
  x <- numeric(length(own))
  x[1L] <- -first
  for (i in seq_along(own)[-1L]) x[i] <- x[view$up[i]] + from_parent[i]
  stretch <- max(1, min(page_width / total, 2.2))
  list(x = x * stretch + max(0, page_width - total * stretch) / 2, total = total)
}

# Siblings packed to the left, and to the right within the same width. Each place between is free
# as well: an odd number has its middle one below the parent, where possible.
sibling_places <- function(left, right) {
  n <- length(left)
  low <- packed_places(left, right)
  if (n < 3L) {
    return(low)
  }
  high <- low[n] - rev(packed_places(rev(lapply(right, `-`)), rev(lapply(left, `-`))))
  middle <- (n + 1L) / 2
  share <- 0.5
  slack <- if (n %% 2L == 1L) high[middle] - low[middle] else 0
  if (slack > 1e-9) share <- min(1, max(0, (low[n] / 2 - low[middle]) / slack))
  at <- low + share * (high - low)
  # A branch that misses its parent by a little looks like a mistake.
  off <- if (n %% 2L == 1L) 2 * (at[middle] - at[n] / 2) else 0
  if (abs(off) < 0.5 * min(diff(at))) {
    moved <- if (off > 0) seq_len(n) > middle else seq_len(n) >= middle
    at[moved] <- at[moved] + abs(off)
  }
  at
}

packed_places <- function(left, right) {
  at <- numeric(length(left))
  edge <- right[[1L]]
  for (i in seq_along(left)[-1L]) {
    shared <- seq_len(min(length(edge), length(left[[i]])))
    at[i] <- max(edge[shared] - left[[i]][shared])
    deeper <- edge[-seq_along(right[[i]])]
    edge <- c(at[i] + right[[i]], deeper)
  }
  at
}

# The outermost place on each level, of subtrees that stand `at` these places.
outline <- function(sides, at, outermost) {
  levels <- max(lengths(sides))
  padded <- Map(function(side, x) c(side + x, rep(NA, levels - length(side))), sides, at)
  do.call(outermost, c(unname(padded), na.rm = TRUE))
}

# The room of each node up to its neighbours on the same level and the edges of the page, of which
# each neighbour has half unless it needs more.
free_widths <- function(view, x, own, page_width) {
  half <- pmin(x, page_width - x)
  for (level in split(seq_along(x), view$level)) {
    level <- level[order(x[level])]
    n <- length(level)
    if (n < 2L) next
    apart <- diff(x[level])
    from <- level[-n]
    to <- level[-1L]
    half[from] <- pmin(half[from], apart - pmax(own[to], apart) / 2)
    half[to] <- pmin(half[to], apart - pmax(own[from], apart) / 2)
  }
  pmax(own, 2 * half)
}
