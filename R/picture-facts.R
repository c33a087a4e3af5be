# Tested in test-picture-judge.R and test-picture-steps.R.

picture_types <- c("tree", "surface", "dependence", "importance", "calibration", "roc", "cp")

picture_options <- list(
  surface = c("predictors", "at", "y"), dependence = c("predictors", "class"),
  importance = character(), calibration = c("class", "bins", "y"), roc = c("class", "y"),
  cp = character()
)

as_picture <- function(table, type, ...) {
  structure(table, class = c("tec_picture", "data.frame"), picture = list(type = type, ...))
}

check_options <- function(names, type) {
  check_known(names %||% character(), c("data", unique(unlist(picture_options))), "tec_picture")
  wrong <- setdiff(names, picture_options[[type]])
  if (length(wrong)) {
    tec_abort("argument", "{.arg {wrong[1L]}} is not for {.code type = \"{type}\"}.")
  }
}

check_judged_data <- function(data, type) {
  if (is.null(data)) {
    tec_abort("data", c(
      "{.code type = \"{type}\"} needs {.arg data}.",
      i = "Give rows with a response, preferably rows not used for training."
    ))
  }
  check_newdata(data, "data")
}

# Arguments for drawing the tree do not apply to other types.
check_picture_arguments <- function(call, type) {
  wrong <- intersect(names(call), c(
    "depth", "nodes", "direction", "labels", "cex", "show", "leaves", "strips", "path", "by_rows",
    "size", "branches", "style"
  ))
  if (length(wrong)) {
    tec_abort("argument", c(
      "{.arg {wrong[1L]}} is for {.code type = \"tree\"}.", x = "{.arg type} is {.val {type}}."
    ))
  }
}

# Importance and the cp table have no classes.
picture_looks <- function(picture, palette, main, background, legend) {
  classes <- if (inherits(picture, "tec_picture")) list(palette = palette, legend = legend)
  c(list(main = main, background = background), classes)
}

# The columns of a fit by name, or the most important ones.
picture_columns <- function(fit, predictors, number) {
  names <- fit$columns$name
  if (is.null(predictors)) {
    predictors <- utils::head(gain_order(fit), number)
  }
  if (!is.character(predictors) || length(predictors) != number || anyDuplicated(predictors)) {
    tec_abort("argument", c(
      "{.arg predictors} must name {number} different predictor{?s}.",
      x = if (is.character(predictors)) "It names {length(unique(predictors))}."
      else "It is {describe(predictors)}."
    ))
  }
  vapply(predictors, function(p) match(match_choice(p, names, "predictors"), names), 0L)
}

gain_order <- function(fit) {
  table <- gain_importance(fit)
  table$variable[order(-table$importance)]
}

# Rows with a response: their truth and what the tree predicts.
judged_rows <- function(fit, rows) {
  truth <- node_response(fit, rows$data, rows$y, rows$env)
  known <- which(!is.na(truth))
  if (length(known) == 0L) {
    tec_abort("data", "No row of {.arg data} has a response.")
  }
  type <- if (fit$response$task == "classification") "prob" else "response"
  list(
    truth = truth[known],
    predicted = as.matrix(predict.tec_tree(fit, rows$data[known, , drop = FALSE], type = type))
  )
}

# The performance of predictions on new rows: calibration and ROC curves.

calibration_picture <- function(fit, rows, options) {
  calibration_of(fit, judged_rows(fit, rows), options)
}

# `judged`: as judged_rows() returns it.
calibration_of <- function(fit, judged, options = list()) {
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

# Intervals for a share and for a mean.
wilson_interval <- function(x) unlist(wilson_ends(mean(x), length(x), 0.95), use.names = FALSE)

mean_interval <- function(x) {
  half <- if (length(x) > 1L) stats::qnorm(0.975) * stats::sd(x) / sqrt(length(x)) else NA_real_
  mean(x) + c(-half, half)
}

roc_picture <- function(fit, rows, options) {
  check_roc_task(fit)
  roc_of(fit, judged_rows(fit, rows), options)
}

check_roc_task <- function(fit) {
  if (fit$response$task == "regression") {
    tec_abort("argument", c(
      "{.code type = \"roc\"} is for classes.",
      x = "The response {.field {fit$response$name}} is numeric."
    ))
  }
}

roc_of <- function(fit, judged, options = list()) {
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

# A tree is constant between its cuts: its prediction for one value of each cell is that of the
# whole cell.

# list(from, to, value): cells above `from`, up to `to`, and a value in each; levels have one each.
column_cells <- function(fit, j, range) {
  if (fit$columns$kind[j] != "numeric") {
    at <- seq_along(fit$columns$levels[[j]])
    return(list(from = at - 0.5, to = at + 0.5, value = at))
  }
  cuts <- column_cuts(fit$tree, j)
  range <- range(range, cuts)
  if (!all(is.finite(range))) range <- c(0, 1)
  if (diff(range) == 0) range <- padded(range, 0)
  cuts <- cuts[cuts > range[1L] & cuts < range[2L]]
  to <- c(cuts, range[2L])
  list(from = c(range[1L], cuts), to = to, value = to)
}

# Where splits and surrogates cut a number.
column_cuts <- function(tree, j) {
  at <- which(tree$kind != 0L & tree$variable == j & tree$break_count > 0L)
  cuts <- unlist(lapply(at, function(node) node_breaks(tree, node)))
  aside <- tree$surrogate_cut[tree$surrogate_variable == j & tree$surrogate_kind == 1L]
  cuts <- sort(unique(c(cuts, aside)))
  cuts[is.finite(cuts)]
}

# Values in the type of the column's codes.
as_code <- function(fit, j, x) if (fit$columns$kind[j] == "numeric") as.double(x) else as.integer(x)

dependence_picture <- function(fit, rows, options) {
  j <- picture_columns(fit, options$predictors, 1L)
  used <- sort(unique(c(needed_columns(fit), j)))
  values <- code_newdata(fit, rows$data, used, rows$env, setdiff(optional_columns(fit), j), "data")
  weight <- rows$used_weights
  x <- as.double(values[[j]])
  cells <- column_cells(fit, j, suppressWarnings(range(x[is.finite(x)])))
  classes <- fit$response$task == "classification"
  n <- nrow(rows$data)
  means <- vapply(cells$value, function(v) {
    values[[j]] <- rep(as_code(fit, j, v), n)
    predicted <- predict_coded(fit, values, n, if (classes) "prob" else "response")
    apply(as.matrix(predicted), 2L, mean_of, weight)
  }, numeric(if (classes) length(fit$response$levels) else 1L))
  means <- matrix(means, ncol = length(cells$value))
  shown <- picture_classes(fit, options$class)
  parts <- lapply(if (classes) shown else 1L, function(k) {
    out <- if (fit$columns$kind[j] == "numeric") {
      data.frame(from = cells$from, to = cells$to)
    } else {
      data.frame(level = factor(fit$columns$levels[[j]], fit$columns$levels[[j]]))
    }
    if (classes) out$class <- factor(fit$response$levels[k], fit$response$levels)
    out$value <- means[k, ]
    out
  })
  known <- if (fit$columns$kind[j] == "numeric") unique(x[is.finite(x)])
  as_picture(
    do.call(rbind, parts), "dependence", fit = picture_facts(fit), column = j,
    values = if (length(known)) stats::quantile(known, seq(0, 1, 0.1), names = FALSE)
  )
}
