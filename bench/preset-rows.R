# Rows about work beyond growing a tree: absolute deviations against squares, preset "cart" with
# its pruning against rpart(), and missing values.

# Row j: least absolute deviations against least squares.
absolute_row <- function(options, row) {
  data <- regression_data(1e5 * options$scale, 10)
  name <- paste0("l1, ", size(nrow(data), 10), ", min_bucket 7, to the end")
  outcomes <- details <- list()
  for (threads in options$threads) {
    competitors <- lapply(c("l2", "l1"), function(criterion) {
      tectree_competitor(data, Inf, threads, criterion, criterion, rpart_limit)
    })
    timings <- interleave(competitors, options)
    ratio <- median(timings$seconds[[2L]] / timings$seconds[[1L]])
    outcomes <- c(outcomes, list(outcome(
      row, name, threads, timings$median[[2L]], "l2 (ours)", timings$median[[1L]], ratio, "x",
      most = 4
    )))
    details <- c(details, list(detail(row, name, timings)))
  }
  row_result(outcomes, details)
}

# Row k: both with their defaults: surrogates, ten-fold cross-validation, cp = 0.01.
cart_row <- function(options, row) {
  outcomes <- details <- list()
  for (work in list(list(n = 1e5, p = 20, classes = 3), list(n = 1e6, p = 10, classes = 2))) {
    data <- class_data(work$n * options$scale, work$p, work$classes)
    competitors <- lapply(options$threads, function(threads) {
      competitor("tectree", threads, timed(
        function() tec_tree(y ~ ., data, preset = "cart", threads = threads),
        function(fit) sum(fit$tree$kind == 0L)
      ))
    })
    if (has_peer(options, "rpart")) {
      competitors <- c(competitors, list(competitor("rpart", NA, timed(
        function() rpart::rpart(y ~ ., data),
        function(fit) sum(fit$frame$var == "<leaf>")
      ))))
    }
    timings <- interleave(competitors, options)
    name <- paste0("cart, 10 folds, ", size(nrow(data), work$p), ", ", work$classes, " classes")
    outcomes <- c(outcomes, against_fastest(row, name, timings, options, function(threads) 10))
    details <- c(details, list(detail(row, name, timings)))
  }
  row_result(outcomes, details)
}

# Row l: missing values against the same data without, by policy.
missing_row <- function(options, row) {
  whole <- class_data(1e5 * options$scale, 20, 3)
  holed <- whole
  for (column in setdiff(names(holed), "y")) {
    holed[[column]][stats::runif(nrow(holed)) < 0.03] <- NA
  }
  outcomes <- details <- list()
  for (prune in c("none", "ccp")) {
    for (threads in options$threads) {
      grow <- function(label, data, policy) {
        competitor(label, threads, timed(
          function() {
            tec_tree(y ~ ., data, missing = policy, prune = prune, threads = threads)
          },
          function(fit) sum(fit$tree$kind == 0L)
        ))
      }
      policies <- c("fractional", "mode", "surrogate")
      competitors <- c(
        list(grow("complete", whole, "fractional")), lapply(policies, function(p) grow(p, holed, p))
      )
      timings <- interleave(competitors, options)
      for (i in seq_along(policies)) {
        name <- paste0(
          policies[[i]], ", 3% missing, ", size(nrow(whole), 20),
          if (prune == "none") ", to the end" else ", 10 folds"
        )
        ratio <- median(timings$seconds[[i + 1L]] / timings$seconds[[1L]])
        outcomes <- c(outcomes, list(outcome(
          row, name, threads, timings$median[[i + 1L]], "complete", timings$median[[1L]], ratio,
          "x", most = c(3, 1.5, 2.5)[[i]]
        )))
        details <- c(details, list(detail(row, name, timings)))
      }
    }
  }
  row_result(outcomes, details)
}
