# The rows that compare times of fits. Each function takes the options and the
# letter of its row, and returns row_result(outcomes, details).

# The goal of a row: a lower (`least`) or upper (`most`) bound on `value`.
outcome <- function(row, work, threads, ours, peer, peer_time, value, unit,
                    least = NULL, most = NULL) {
  reached <- if (is.na(value)) NA else if (is.null(most)) value >= least else value <= most
  bound <- if (is.null(most)) paste0(">= ", least) else paste0("<= ", most)
  data.frame(
    row = row, work = work, threads = threads, ours = ours, peer = peer,
    peer_time = peer_time, value = value, unit = unit, must = paste0(bound, unit),
    reached = reached
  )
}

# Details are all the times behind the outcomes.
row_result <- function(outcomes, details = list(), notes = character()) {
  list(
    outcomes = do.call(rbind, outcomes),
    details = do.call(rbind, details),
    notes = notes
  )
}

detail <- function(row, work, timings) {
  columns <- c("name", "threads", "median", "least", "most", "runs", "leaves")
  cbind(row = row, work = work, timings[columns])
}

# How many times faster than the fastest peer, for each number of threads.
against_fastest <- function(row, work, timings, options, least) {
  lapply(options$threads, function(threads) {
    ours <- ours_on(timings, threads)$median
    peer <- fastest_peer(timings, threads)
    outcome(
      row, work, threads, ours,
      peer = if (is.null(peer)) "(none installed)" else peer$name,
      peer_time = if (is.null(peer)) NA_real_ else peer$median,
      value = if (is.null(peer)) NA_real_ else peer$median / ours,
      unit = "x", least = least(threads)
    )
  })
}

count <- function(n) format(round(n), big.mark = ",", scientific = FALSE, trim = TRUE)

size <- function(n, p) paste(count(n), "x", p)

depth_name <- function(depth) if (is.finite(depth)) paste("depth", depth) else "to the end"

tree_work <- list(
  a = list(n = 1e5, p = 20, classes = 3, step = NULL, depths = Inf),
  b = list(n = 1e6, p = 10, classes = 2, step = NULL, depths = c(Inf, 8)),
  c = list(n = 2e5, p = 20, classes = 5, step = 0.1, depths = c(Inf, 8))
)

tree_data <- function(work, options) {
  class_data(work$n * options$scale, work$p, work$classes, work$step)
}

describe_work <- function(work, data, depth) {
  values <- length(unique(data[[2L]]))
  paste0(
    size(nrow(data), work$p), ", ", work$classes, " classes",
    if (!is.null(work$step)) paste0(", ", values, " distinct values"), ", ", depth_name(depth)
  )
}

# Rows a, b, c: one exact gini tree.
trees_row <- function(options, row) {
  work <- tree_work[[row]]
  data <- tree_data(work, options)
  files <- write_raw(data, tempdir())
  on.exit(unlink(c(files$x, files$y)))
  outcomes <- details <- list()
  for (depth in work$depths) {
    ours <- lapply(options$threads, function(threads) tectree_competitor(data, depth, threads))
    timings <- interleave(c(ours, class_peers(data, files, depth, options)), options)
    name <- describe_work(work, data, depth)
    least <- function(threads) if (threads == 1L) 6 else 10
    outcomes <- c(outcomes, against_fastest(row, name, timings, options, least))
    details <- c(details, list(detail(row, name, timings)))
  }
  row_result(outcomes, details)
}

# Row d: the other criteria on the same data, in the same rounds as gini.
other_criteria <- function() {
  list(
    "tsallis, q = 1.7" = tec_criterion("tsallis", q = 1.7),
    "gain_ratio" = "gain_ratio",
    "cair" = "cair",
    "beta, beta = 1.7" = tec_criterion("beta", beta = 1.7)
  )
}

criteria_row <- function(options, row) {
  outcomes <- details <- list()
  criteria <- c(list("gini" = "gini"), other_criteria())
  for (work in tree_work) {
    data <- tree_data(work, options)
    for (depth in work$depths) {
      name <- describe_work(work, data, depth)
      for (threads in options$threads) {
        competitors <- Map(function(criterion, label) {
          tectree_competitor(data, depth, threads, criterion, label)
        }, criteria, names(criteria))
        timings <- interleave(competitors, options)
        outcomes <- c(outcomes, against_gini(row, name, timings, threads))
        details <- c(details, list(detail(row, name, timings)))
      }
    }
  }
  row_result(outcomes, details)
}

# The median of the ratios within rounds, which a slow round does not disturb.
against_gini <- function(row, work, timings, threads) {
  gini <- timings[timings$name == "gini", ]
  others <- which(timings$name != "gini")
  lapply(others, function(i) {
    outcome(
      row, paste0(timings$name[[i]], ": ", work), threads, timings$median[[i]], "gini (ours)",
      gini$median, median(timings$seconds[[i]] / gini$seconds[[1L]]), "x",
      most = 1.2
    )
  })
}

# Row e: least squares against rpart, with rpart's own limits on the size of nodes.
# Without them every row becomes a leaf, and rpart's table of complexities, which
# takes the square of the number of leaves, would dominate the time.
regression_row <- function(options, row) {
  data <- regression_data(2e5 * options$scale, 10)
  outcomes <- details <- list()
  for (depth in c(Inf, 8)) {
    competitors <- lapply(options$threads, function(threads) {
      tectree_competitor(data, depth, threads, "l2", limit = rpart_limit)
    })
    if (has_peer(options, "rpart")) {
      competitors <- c(competitors, list(rpart_competitor(data, depth, rpart_limit)))
    }
    timings <- interleave(competitors, options)
    name <- paste0("l2, ", size(nrow(data), 10), ", min_bucket 7, ", depth_name(depth))
    outcomes <- c(outcomes, against_fastest(row, name, timings, options, function(threads) 8))
    details <- c(details, list(detail(row, name, timings)))
  }
  row_result(outcomes, details)
}
