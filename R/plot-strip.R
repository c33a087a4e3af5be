# The split of an inner node: the distribution of its variable in the node's rows, and the cut.

# list(bars, points, means, cuts): places from 0 to 1. `bars` has a line a class and bin, `points`
# a line a row of a numeric response, `means` the mean of each branch, `cuts` the ends of branches.
split_strip <- function(fit, node, rows) {
  tree <- fit$tree
  here <- rows_of(rows, node)
  x <- rows$values[[tree$variable[node]]][here]
  known <- !is.na(x)
  here <- here[known]
  axis <- strip_axis(fit, node, x[known])
  y <- rows$y[here]
  out <- list(cuts = axis$cuts)
  if (fit$response$task == "regression") {
    span <- max(diff(rows$range), 1e-300)
    high <- (y - rows$range[1L]) / span
    out$points <- data.frame(x = axis$at, y = high)
    ends <- c(0, axis$cuts, 1)
    branch <- findInterval(axis$at, axis$cuts, left.open = TRUE) + 1L
    out$means <- data.frame(
      from = ends[-length(ends)], to = ends[-1L],
      y = vapply(seq_len(length(ends) - 1L), function(b) mean(high[branch == b]), 0)
    )
    return(out)
  }
  k <- length(fit$response$levels)
  count <- matrix(tabulate((axis$bin - 1L) * k + y, k * axis$bins), k)
  high <- apply(count, 2L, cumsum)
  high <- matrix(high, k) / max(colSums(count), 1)
  some <- which(count > 0)
  bin <- col(count)[some]
  out$bars <- data.frame(
    left = axis$left[bin], right = axis$right[bin],
    low = high[some] - count[some] / max(colSums(count), 1), high = high[some],
    class = row(count)[some], count = count[some]
  )
  out
}

# Where values stand: at (0 to 1) and in which bin; where bins begin and end; where branches do.
strip_axis <- function(fit, node, x) {
  tree <- fit$tree
  if (fit$columns$kind[tree$variable[node]] == "numeric") {
    return(number_axis(x, node_breaks(tree, node)))
  }
  level_axis(x, level_branch(fit, node))
}

node_breaks <- function(tree, node) {
  tree$breaks[tree$break_start[node] + seq_len(tree$break_count[node])]
}

# Bins of equal width, one of which ends at the first cut.
number_axis <- function(x, breaks, bins = 24L) {
  finite <- x[is.finite(x)]
  range <- range(finite, breaks)
  if (diff(range) == 0) range <- range + c(-0.5, 0.5)
  place <- function(v) pmin(pmax((v - range[1L]) / diff(range), 0), 1)
  cut <- place(breaks)
  edges <- sort(unique(c(0, seq(cut[1L], 0, by = -1 / bins), seq(cut[1L], 1, by = 1 / bins), 1)))
  # Edges that differ only by rounding are one edge.
  edges <- edges[c(TRUE, diff(edges) > 1e-9)]
  at <- place(x)
  bin <- findInterval(at, edges, left.open = TRUE, rightmost.closed = TRUE, all.inside = TRUE)
  last <- length(edges)
  list(
    at = at, bin = bin, bins = last - 1L, left = edges[-last], right = edges[-1L], cuts = cut
  )
}

# The branch of every level; levels without training rows in the node go where missing values go.
level_branch <- function(fit, node) {
  tree <- fit$tree
  levels <- seq_along(fit$columns$levels[[tree$variable[node]]])
  if (tree$kind[node] == 5L) {
    return(levels)
  }
  if (tree$kind[node] == 4L) {
    at <- set_positions(tree, node)
    branch <- tree$level_child[at][match(levels, tree$level[at])]
    branch[is.na(branch)] <- tree$default_child[node]
    return(branch + 1L)
  }
  findInterval(levels, node_breaks(tree, node), left.open = TRUE) + 1L
}

# A place for each level there is, branch after branch, with room between branches.
level_axis <- function(x, branch) {
  shown <- sort(unique(x))
  shown <- shown[order(branch[shown], shown, na.last = TRUE)]
  group <- branch[shown]
  # Levels that go nowhere stand apart.
  group[is.na(group)] <- 0L
  between <- c(0, cumsum(diff(group) != 0)) * 0.6
  start <- seq_along(shown) - 1 + between
  total <- max(start) + 1
  bin <- match(x, shown)
  last <- which(diff(group) != 0)
  # Points of a level are side by side; their order has no meaning.
  aside <- (seq_along(x) * 0.618034) %% 1
  list(
    at = (start[bin] + 0.15 + 0.7 * aside) / total, bin = bin, bins = length(shown),
    left = (start + 0.08) / total, right = (start + 0.92) / total,
    cuts = (start[last] + 1.3) / total
  )
}

# The strips of the inner nodes `at` in their rooms, as in leaf_layers().
strip_layers <- function(layout, rooms, at) {
  if (length(at) == 0L) {
    return(NULL)
  }
  looks <- attr(layout$view, "looks")
  ink <- layout$ink
  rooms <- rooms[at, ]
  strips <- lapply(layout$view$node[at], function(node) split_strip(looks$fit, node, looks$rows))
  layer <- function(kind, part, ...) room_layer(kind, rooms, lapply(strips, part), ...)
  shapes <- if (is.null(strips[[1L]]$bars)) {
    list(
      layer("point", function(strip) {
        points <- strip$points
        points[utils::head(order((seq_along(points$x) * 0.618034) %% 1), 400L), ]
      }, colour = grDevices::adjustcolor(ink$line, 0.6), width = 0.35),
      layer("segment", function(strip) {
        means <- strip$means
        data.frame(x = means$from, y = means$y, xend = means$to, yend = means$y)
      }, colour = ink$text, width = 2)
    )
  } else {
    list(layer("rect", function(strip) {
      bars <- strip$bars[c("left", "right", "low", "high")]
      bars$colour <- layout$colours$class[strip$bars$class]
      bars
    }))
  }
  cuts <- layer("segment", function(strip) {
    x <- strip$cuts
    data.frame(x, y = rep(-0.06, length(x)), xend = x, yend = rep(1, length(x)))
  }, colour = ink$text, dash = 2, width = 1.2)
  c(shapes, list(base_line(rooms, ink), cuts))
}
