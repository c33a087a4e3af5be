# The rows about memory, growth of time, prediction and many levels.

# Row f: the peak of a fresh process above its memory before the fit. With 10 and
# with 20 columns, the difference is the cost of a value, and the rest is the cost
# of a row.
memory_row <- function(options, row) {
  if (!file.exists("/proc/self/status")) {
    return(row_result(list(), notes = "Row f needs Linux's /proc and was left out."))
  }
  n <- 1e6 * options$scale
  data <- class_data(n, 20, 2)
  outcomes <- list()
  notes <- character()
  for (depth in c(Inf, 8)) {
    growth <- vapply(c(10, 20), function(p) memory_growth(data, p, depth, options), 1)
    value <- (growth[[2L]] - growth[[1L]]) / (10 * n)
    name <- paste0("memory, ", size(n, 10), ", 2 classes, ", depth_name(depth))
    notes <- c(notes, memory_note(name, growth, value, n))
    outcomes <- c(outcomes, list(outcome(
      row, name, max(options$threads), NA_real_, "-", NA_real_, value, " bytes/value",
      most = 12
    )))
  }
  row_result(outcomes, notes = notes)
}

memory_growth <- function(data, p, depth, options) {
  files <- write_raw(data[seq_len(p + 1)], tempdir())
  on.exit(unlink(c(files$x, files$y)))
  args <- c(
    file.path(options$dir, "memory.R"), files$x, files$y, files$n, files$p, depth,
    max(options$threads)
  )
  libraries <- paste(.libPaths(), collapse = .Platform$path.sep)
  said <- system2(
    file.path(R.home("bin"), "Rscript"), shQuote(args),
    stdout = TRUE, env = paste0("R_LIBS=", shQuote(libraries))
  )
  as.double(said[[length(said)]])
}

memory_note <- function(name, growth, value, n) {
  sprintf(
    paste0(
      "%s: the peak is %.0f MB above the data with 10 columns (%.1f bytes per value, in total) ",
      "and %.0f MB with 20: %.1f bytes per value and %.0f bytes per row."
    ),
    name, growth[[1L]] / 1e6, growth[[1L]] / (10 * n), growth[[2L]] / 1e6, value,
    growth[[1L]] / n - 10 * value
  )
}

# Row g: the slope of log(time) over log(rows), by least squares.
growth_row <- function(options, row) {
  sizes <- 10^(4:7) * options$scale
  name <- paste0(size(min(sizes), 10), " to ", size(max(sizes), 10), ", 2 classes, depth 8")
  details <- list()
  for (n in sizes) {
    data <- class_data(n, 10, 2)
    competitors <- lapply(options$threads, function(threads) tectree_competitor(data, 8, threads))
    # Short runs are repeated until they fill a second.
    one <- competitors[[1L]]$run()$seconds
    times <- max(options$times, ceiling(1 / one))
    timings <- interleave(competitors, options, times)
    details <- c(details, list(detail(row, paste0(size(n, 10), ", depth 8"), timings)))
  }
  medians <- vapply(details, function(one) one$median, numeric(length(options$threads)))
  medians <- matrix(medians, nrow = length(options$threads))
  outcomes <- lapply(seq_along(options$threads), function(i) {
    slope <- coef(lm(log(medians[i, ]) ~ log(sizes)))[[2L]]
    outcome(
      row, name, options$threads[[i]], medians[i, length(sizes)], "-", NA_real_, slope, " slope",
      most = 1.1
    )
  })
  row_result(outcomes, details)
}

# Row h: as many rows as the tree was grown from.
predict_row <- function(options, row) {
  data <- tree_data(tree_work$b, options)
  ours <- tectree_fit(data, 8, max(options$threads))
  competitors <- lapply(options$threads, function(threads) {
    competitor("tectree", threads, timed(function() {
      predict(ours, data, type = "class", threads = threads)
    }))
  })
  if (has_peer(options, "rpart")) {
    rpart <- rpart_fit(data, 8)
    competitors <- c(competitors, list(
      competitor("rpart", NA, timed(function() predict(rpart, data, type = "class")))
    ))
  }
  if (has_peer(options, "ranger")) {
    ranger <- ranger_fit(data, 8, max(options$threads))
    competitors <- c(competitors, lapply(options$threads, function(threads) {
      competitor("ranger", threads, timed(function() {
        predict(ranger, data, num.threads = threads, verbose = FALSE)$predictions
      }))
    }))
  }
  timings <- interleave(competitors, options)
  name <- paste0("predict class, ", count(nrow(data)), " rows, depth 8")
  row_result(
    against_fastest(row, name, timings, options, function(threads) 5),
    list(detail(row, name, timings))
  )
}

# Row i: the time of the search for one split, compared with a call that reads the
# same data and makes no split.
levels_row <- function(options, row) {
  n_levels <- 1e4 * options$scale
  data <- level_data(1e5 * options$scale, n_levels)
  name <- paste0("one binary split, ", count(nrow(data)), " rows, ", count(n_levels), " levels")
  outcomes <- details <- list()
  for (threads in options$threads) {
    timings <- interleave(list(
      tectree_competitor(data, 1, threads, name = "tectree"),
      tectree_competitor(data, 0, threads, name = "tectree, no split")
    ), options)
    added <- 1000 * median(timings$seconds[[1L]] - timings$seconds[[2L]])
    outcomes <- c(outcomes, list(outcome(
      row, name, threads, timings$median[[1L]], "reading (ours, depth 0)", timings$median[[2L]],
      added, " ms",
      most = 50
    )))
    details <- c(details, list(detail(row, name, timings)))
  }
  row_result(outcomes, details)
}
