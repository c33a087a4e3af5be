# Metrics of the predictions of one fold, with weights.

# task: the tasks of a metric; largest: whether larger is better.
metrics <- list(
  accuracy = list(task = "classification", largest = TRUE, prob = FALSE),
  balanced_accuracy = list(task = "classification", largest = TRUE, prob = FALSE),
  log_loss = list(task = "classification", largest = FALSE, prob = TRUE),
  brier = list(task = "classification", largest = FALSE, prob = TRUE),
  auc = list(task = "classification", largest = TRUE, prob = TRUE),
  rmse = list(task = "regression", largest = FALSE, prob = FALSE),
  mae = list(task = "regression", largest = FALSE, prob = FALSE),
  nodes = list(task = c("classification", "regression"), largest = FALSE, prob = FALSE)
)

# For the bootstrap: an error, and its value if predictors were uninformative.
hidden_metrics <- c("error", "no_information")

sizes <- c("nodes", "leaves", "depth")

check_metric <- function(metric, task) {
  if (is.null(metric)) {
    return(if (task == "classification") "accuracy" else "rmse")
  }
  if (!is.character(metric) || length(metric) == 0L || anyNA(metric)) {
    abort_found(
      "{.arg metric} must be one or more of {.or {.val {names(metrics)}}}.", metric,
      topic = "metric"
    )
  }
  translate <- function(one) our_word("metric", one, names(metrics))
  metric <- vapply(metric, translate, "", USE.NAMES = FALSE)
  for (one in metric) match_choice(one, names(metrics), "metric", "metric")
  suited <- names(metrics)[vapply(metrics, function(m) task %in% m$task, NA)]
  wrong <- setdiff(metric, suited)
  if (length(wrong)) {
    tec_abort("metric", c(
      "{.arg metric} {.val {wrong[1L]}} is not for {task}.",
      i = "Use {.or {.val {suited}}}."
    ))
  }
  unique(metric)
}

needs_prob <- function(metric) {
  any(vapply(metrics[intersect(metric, names(metrics))], `[[`, NA, "prob"))
}
is_largest <- function(metric) isTRUE(metrics[[metric]]$largest)

# A named vector: the requested metrics, then the sizes of the tree.
measure_cell <- function(cell, truth, weight, metric) {
  size <- c(nodes = cell$nodes, leaves = cell$leaves, depth = cell$depth)
  quality <- setdiff(metric, sizes)
  c(vapply(quality, function(name) measure(name, cell, truth, weight), 0), size)
}

measure <- function(name, cell, truth, weight) {
  switch(name,
    accuracy = mean_of(cell$value == truth, weight),
    balanced_accuracy = mean_recall(cell$value, truth, weight),
    log_loss = mean_of(-log(pmin(pmax(own_share(cell$prob, truth), 1e-15), 1)), weight),
    brier = mean_of(rowSums(cell$prob^2) - 2 * own_share(cell$prob, truth) + 1, weight),
    auc = hand_till(cell$prob, truth, weight),
    rmse = sqrt(mean_of((cell$value - truth)^2, weight)),
    mae = mean_of(abs(cell$value - truth), weight),
    error = mean_of(if (is.integer(truth)) cell$value != truth else (cell$value - truth)^2, weight),
    no_information = no_information(cell$value, truth, weight)
  )
}

mean_of <- function(x, weight) {
  if (is.null(weight)) mean(x) else sum(x * weight) / sum(weight)
}

# The mean error over all pairs of the prediction of one row and the response of any row.
no_information <- function(value, truth, weight) {
  if (is.integer(truth)) {
    classes <- seq_len(max(value, truth))
    share <- function(x) vapply(classes, function(s) mean_of(x == s, weight), 0)
    return(sum(share(truth) * (1 - share(value))))
  }
  spread <- function(x) mean_of((x - mean_of(x, weight))^2, weight)
  spread(truth) + spread(value) + (mean_of(truth, weight) - mean_of(value, weight))^2
}

own_share <- function(prob, truth) prob[cbind(seq_along(truth), truth)]

# The mean accuracy over the classes of the rows.
mean_recall <- function(value, truth, weight) {
  if (is.null(weight)) weight <- rep(1, length(truth))
  total <- rowsum(weight, truth)
  mean(rowsum(weight * (value == truth), truth) / total)
}

# Hand and Till (2001): for each pair of classes, the area under the curve that separates them, by
# the share of either; the mean over all pairs. With two classes it is the ordinary area. NA if the
# rows have only one class.
hand_till <- function(prob, truth, weight = NULL) {
  if (is.null(weight)) weight <- rep(1, length(truth))
  present <- sort(unique(truth))
  k <- length(present)
  if (k < 2L) {
    return(NA_real_)
  }
  # Shares of a row that went down several branches are sums, whose last digits depend on their
  # order, so shares that are equal up to rounding are made equal.
  prob <- round(prob, 12)
  # With two levels, the two shares add up to 1 and give the same area.
  total <- 0
  for (a in seq_len(k - 1L)) {
    for (b in seq(a + 1L, k)) {
      pair <- which(truth == present[a] | truth == present[b])
      w <- weight[pair]
      first <- truth[pair] == present[a]
      total <- total + (
        area_under(prob[pair, present[a]], first, w) +
          area_under(prob[pair, present[b]], !first, w)
      ) / 2
    }
  }
  total / (k * (k - 1) / 2)
}

# The share of (yes, no) pairs in which yes has the higher score; ties count one half.
area_under <- function(score, yes, weight) {
  level <- match(score, sort(unique(score)))
  n_levels <- max(level)
  by_level <- function(w) {
    out <- numeric(n_levels)
    sums <- rowsum(w, level)
    out[as.integer(rownames(sums))] <- sums
    out
  }
  pro <- by_level(weight * yes)
  con <- by_level(weight * !yes)
  sum(pro * (cumsum(con) - con / 2)) / (sum(pro) * sum(con))
}
