# @MODEL@, written by the R package tectree. @NAME@(data) takes a data frame and returns a list of
# @GIVES@, matrices.
# It needs only base R. Numbers, dates, times, factors, text and logicals are used as they are; time
# differences in the units of training.
@NAME@ <- local({
  inputs <- c(@INPUTS@)
  levels <- list(@LEVELS@)
  ordered <- c(@ORDERED@)
  classes <- c(@CLASSES@)
  # By tree: its first node. By node, in pre-order: 0 in a leaf, otherwise the input (negative:
  # missing values go right); the right child, or for a leaf its entry in score; what goes left:
  # numbers up to cut, or by level, from cut on: 1 left, 2 right, 0 neither.
  start <- c(@START@)
  input <- c(@INPUT@)
  right <- c(@RIGHT@)
  cut <- c(@CUT@)
  side <- c(@SIDE@)
  # By node, if rows with a missing value stop: the entry of its prediction.
  stop_at <- c(@STOP@)
  # By entry: the shares of a leaf (or its number), and its weight; then those of nodes where rows
  # stop.
  score <- matrix(c(@SCORE@), ncol = @SCORES@, byrow = TRUE)
  weight <- c(@WEIGHT@)
  # Missing values: 0 go to one side, 1 to both in parts, 2 stop.
  unknown <- @UNKNOWN@
  by_votes <- @BY_VOTES@
  aims <- matrix(c(@AIM@), ncol = @SCORES@, byrow = TRUE)

@READ@

  last_below <- function(node) {
    while (input[node] != 0) node <- right[node]
    node
  }
  leaves_below <- function(node) {
    nodes <- node:last_below(node)
    right[nodes[input[nodes] == 0]]
  }

  # Adds the scores of some rows at a node, times their parts, to `sum`.
  walk <- function(x, rows, part, node, sum) {
    while (length(rows) && input[node] != 0) {
      j <- abs(input[node])
      v <- x[[j]][rows]
      by_cut <- is.null(levels[[j]]) || ordered[j]
      to <- if (by_cut) ifelse(v <= cut[node], 1, 2) else side[cut[node] + v]
      to[is.na(to)] <- 0
      if (unknown == 0) to[to == 0] <- if (input[node] < 0) 2 else 1
      lost <- to == 0
      if (any(lost) && unknown == 2) {
        sum[rows[lost], ] <- sum[rows[lost], , drop = FALSE] +
          outer(part[lost], score[stop_at[node], ])
      } else if (any(lost)) {
        for (child in c(node + 1, right[node])) {
          share <- sum(weight[leaves_below(child)]) / sum(weight[leaves_below(node)])
          if (share > 0) sum <- walk(x, rows[lost], part[lost] * share, child, sum)
        }
      }
      sum <- walk(x, rows[to == 2], part[to == 2], right[node], sum)
      rows <- rows[to == 1]
      part <- part[to == 1]
      node <- node + 1
    }
    if (length(rows)) {
      sum[rows, ] <- sum[rows, , drop = FALSE] + outer(part, score[right[node], ])
    }
    sum
  }

  first_best <- function(x, margin) {
    max.col(x >= apply(x, 1, max) * margin, ties.method = "first")
  }

  # The class chosen by the shares.
  chosen <- function(prob) first_best(prob %*% aims, @MARGIN@)

@END@
