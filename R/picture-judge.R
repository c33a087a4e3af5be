# The performance of predictions on new rows: calibration and ROC curves.

calibration_picture <- function(fit, rows, options) {
  judged <- judged_rows(fit, rows)
  bins <- check_count(options$bins %||% 10, "bins", least = 1)
  shown <- picture_classes(fit, options$class)
  if (fit$response$task == "regression") {
    p <- judged$predicted[, 1L]
    table <- calibration_table(p, judged$truth, range(p), bins, mean_interval)
    return(as_picture(table, "calibration", fit = picture_facts(fit), range = range(p)))
  }
  parts <- lapply(shown, function(k) {
    table <- calibration_table(
      judged$predicted[, k], judged$truth == k, c(0, 1), bins, wilson_interval
    )
    cbind(class = factor(fit$response$levels[k], fit$response$levels), table)
  })
  as_picture(do.call(rbind, parts), "calibration", fit = picture_facts(fit), range = c(0, 1))
}

# One row per non-empty bin; bins include their upper end, the first also its lower end.
calibration_table <- function(predicted, observed, range, bins, interval) {
  width <- max(diff(range), 1e-300) / bins
  bin <- pmin(pmax(ceiling((predicted - range[1L]) / width - 1e-9), 1), bins)
  at <- factor(bin, sort(unique(bin)))
  over <- function(x, f) vapply(split(x, at), f, 0, USE.NAMES = FALSE)
  ends <- vapply(split(as.double(observed), at), interval, c(0, 0))
  data.frame(
    predicted = over(predicted, mean), observed = over(as.double(observed), mean),
    low = ends[1L, ], high = ends[2L, ], rows = as.integer(table(at))
  )
}

# Intervals for a share (Wilson, 1927) and for a mean.
wilson_interval <- function(x) {
  n <- length(x)
  z <- stats::qnorm(0.975)
  middle <- (mean(x) + z^2 / (2 * n)) / (1 + z^2 / n)
  half <- z / (1 + z^2 / n) * sqrt(mean(x) * (1 - mean(x)) / n + z^2 / (4 * n^2))
  c(max(0, middle - half), min(1, middle + half))
}

mean_interval <- function(x) {
  half <- if (length(x) > 1L) stats::qnorm(0.975) * stats::sd(x) / sqrt(length(x)) else NA_real_
  mean(x) + c(-half, half)
}

roc_picture <- function(fit, rows, options) {
  if (fit$response$task == "regression") {
    tec_abort("argument", c(
      "{.code type = \"roc\"} is for classes.",
      x = "The response {.field {fit$response$name}} is numeric."
    ))
  }
  judged <- judged_rows(fit, rows)
  classes <- picture_classes(fit, options$class)
  present <- intersect(classes, judged$truth)
  if (length(unique(judged$truth)) < 2L || length(present) == 0L) {
    tec_abort("data", "A ROC curve needs rows of the class and rows of others.")
  }
  levels <- fit$response$levels
  curves <- lapply(present, function(k) {
    # Equal sums of shares can differ in their last digits.
    curve <- roc_curve(round(judged$predicted[, k], 12), judged$truth == k)
    cbind(class = factor(levels[k], levels), curve)
  })
  auc <- vapply(present, function(k) {
    score <- round(judged$predicted[, k], 12)
    area_under(score, judged$truth == k, rep(1, length(score)))
  }, 0)
  out <- as_picture(do.call(rbind, curves), "roc", fit = picture_facts(fit))
  attr(out, "auc") <- data.frame(class = factor(levels[present], levels), auc = auc)
  out
}

# From no row called positive to all.
roc_curve <- function(score, yes) {
  threshold <- sort(unique(score), decreasing = TRUE)
  level <- match(score, threshold)
  rate <- function(which) cumsum(tabulate(level[which], length(threshold))) / sum(which)
  data.frame(
    threshold = c(Inf, threshold), false_positive = c(0, rate(!yes)),
    true_positive = c(0, rate(yes))
  )
}
