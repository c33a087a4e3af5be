# Tested in test-tec_mars.R, test-mars-earth.R and test-mars-predict.R.
# Fits regression splines: makes the numeric columns, runs both passes in the core, and computes the
# coefficients.

fit_mars <- function(input, na_action, settings, call) {
  settings <- check_mars_settings(settings)
  ready <- prepare_mars(input, na_action, settings$weights_as)
  inputs <- mars_inputs(ready$frame)
  x <- mars_matrix(ready$frame$value, inputs, ready$rows)
  check_mars_columns(x, inputs, ready$frame)
  y <- mars_response(ready)
  weights <- used_weights(ready)
  settings <- mars_defaults(settings, nrow(inputs), nrow(x))
  core <- mars_core(x, y, weights, settings)
  fold_errors <- if (settings$prune == "folds") mars_fold_errors(x, y, weights, settings)
  sizes <- mars_sizes(core, settings, nrow(x), fold_errors)
  size <- mars_best_size(sizes, settings)
  selected <- sort(core$subsets[[size]])
  basis <- core$basis[, selected, drop = FALSE]
  solved <- tec_spline_solve_(basis, y, weights)
  logistic <- if (!is.null(attr(y, "classes"))) mars_logistic(basis, y, weights, ready$response)
  coefficients <- logistic$coefficients %||% solved
  dimnames(coefficients) <- list(NULL, colnames(y))
  used <- sort(unique(inputs$column[colSums(core$side[selected, , drop = FALSE] != 0L) > 0]))
  new_fit("tec_mars", c(
    facts_of_data("tec_mars", ready, input, call, nrow(x)),
    list(
      side = core$side, cut = core$cut, inputs = inputs, selected = selected,
      coefficients = coefficients,
      linear = if (!is.null(logistic)) structure(solved, dimnames = dimnames(coefficients)),
      logistic = if (!is.null(logistic)) logistic[c("deviance", "iterations", "converged")],
      classes = attr(y, "classes"), sizes = sizes, subsets = core$subsets, end = core$end,
      rss = sizes$rss[size], gcv = sizes$gcv[size], r_squared = share_explained(sizes$rss, size),
      gcv_r_squared = share_explained(sizes$gcv, size),
      used = used, settings = settings,
      control = list(unseen = settings$unseen, weights_as = ready$weights_as),
      spread = mars_spread(ready$frame, ready$rows),
      means = column_means(basis, weights)
    )
  ))
}

prepare_mars <- function(input, na_action, weights_as) {
  check_some_rows(input$n)
  y <- check_response(input$response, input$response_name, input$n)
  action <- resolve_na_action(na_action %||% stats::na.omit)
  used <- used_rows(input, y, action)
  response <- withCallingHandlers(
    code_response(y, input$response_name, used$rows),
    tec_warning_one_class = function(w) {
      tec_abort("response", c(
        "Splines for classes need rows of at least two classes.",
        x = "The response {.field {input$response_name}} has only one class."
      ))
    }
  )
  frame <- code_frame(input$values, input$names, used$rows, input$n)
  gone <- names(which(vapply(
    stats::setNames(frame$value, frame$name),
    function(x) anyNA(if (is.null(used$rows)) x else x[used$rows]), NA
  )))
  if (length(gone)) {
    tec_abort("missing", c(
      "{.fn tec_mars} needs complete rows.",
      x = "{cli::qty(length(gone))}Column{?s} with missing values: {.field {gone}}.",
      i = "The default, {.code na.action = na.omit}, leaves these rows out."
    ))
  }
  weights_as <- weights_meaning(input$weights, weights_as)
  weighed <- weigh_rows(used, input$n, weights_as, length(frame$name))
  check_not_too_many(weighed, TRUE)
  list(
    frame = frame, response = response, rows = weighed$rows, weights = weighed$weights,
    weights_as = weights_as, n_missing_response = used$n_missing_response
  )
}

# The numeric columns: a data frame of the predictor, the level of an indicator (0 for a number) and
# the name that model.matrix() would give.
mars_inputs <- function(frame) {
  nominal <- frame$kind == "nominal"
  count <- ifelse(nominal, frame$n_levels - 1L, 1L)
  column <- rep(seq_along(count), count)
  level <- ifelse(nominal[column], sequence(count) + 1L, 0L)
  labels <- vapply(which(level > 0L), function(i) frame$levels[[column[i]]][level[i]], "")
  name <- frame$name[column]
  name[level > 0L] <- paste0(name[level > 0L], labels, recycle0 = TRUE)
  list2DF(list(column = column, level = level, name = name))
}

check_mars_columns <- function(x, inputs, frame) {
  if (nrow(inputs) == 0L) {
    tec_abort("column", c(
      "There is nothing to learn from: every predictor is a factor with one level.",
      x = "Predictors: {.field {frame$name}}."
    ))
  }
  odd <- inputs$name[!(colSums(abs(x) <= 1e100) == nrow(x))]
  if (length(odd)) {
    tec_abort("column", c(
      "Predictors of {.fn tec_mars} must be finite and below 1e100 in size.",
      x = "{cli::qty(length(odd))}Column{?s}: {.field {odd}}."
    ))
  }
}

# The response as numeric columns: the numbers, an indicator of the second of two classes, or one
# indicator per class. Classes without rows are left out.
mars_response <- function(ready) {
  y <- ready$response$core$y
  if (!is.null(ready$rows)) y <- y[ready$rows]
  levels <- ready$response$info$levels
  if (is.null(levels)) {
    check_response_size(y, ready$response$info$name)
    say_numbers(y, ready$response$info$name)
    return(matrix(as.double(y), dimnames = list(NULL, ready$response$info$name)))
  }
  present <- which(tabulate(y, length(levels)) > 0L)
  shown <- if (length(present) == 2L) present[2L] else present
  out <- vapply(shown, function(k) as.double(y == k), numeric(length(y)))
  structure(matrix(out, length(y), dimnames = list(NULL, levels[shown])), classes = present)
}

say_numbers <- function(y, name) {
  if (length(y) > 1L && all(y %in% c(0, 1)) && any(y != y[1L])) {
    tec_inform("regression", c(
      "The response {.field {name}} is numeric: 0 and 1 are fitted as numbers.",
      i = "For probabilities use {.code factor({name})}."
    ))
  }
}

# As in earth, the forward pass depends on the size of squares: a column whose sum of squares is
# below 0.01 enters only as single hinges. Columns in extreme units are multiplied by a power of 2,
# which keeps knots and terms exact.
mars_scale <- function(x) {
  centre <- x[1L, ]
  size <- colSums((x - rep(centre, each = nrow(x)))^2) - nrow(x) * (colMeans(x) - centre)^2
  odd <- which((size > 0 & size < 1e-8) | size > 1e60)
  scale <- rep(1, ncol(x))
  scale[odd] <- 2^-floor(log2(size[odd]) / 2)
  scale
}

mars_core <- function(x, y, weights, settings) {
  scale <- mars_scale(x)
  odd <- which(scale != 1)
  for (j in odd) x[, j] <- x[, j] * scale[j]
  out <- tec_spline_fit_(x, y, weights, settings[mars_rules], default_threads(settings$threads))
  for (j in odd) {
    out$cut[, j] <- out$cut[, j] / scale[j]
    at <- out$side[, j] != 0L
    out$basis[, at] <- out$basis[, at] / scale[j]
  }
  out
}

mars_rules <- c(
  "degree", "terms", "penalty", "thresh", "min_span", "end_span", "end_adjust", "fast_k",
  "fast_beta"
)

mars_logistic <- function(basis, y, weights, response) {
  out <- tec_spline_logit_(basis, y, weights, 1e-8, 25L)
  late <- colnames(y)[!out$converged]
  if (length(late)) {
    tec_warn("converged", c(
      "The logistic regression of {.val {late}} did not converge in 25 steps.",
      i = "Where the terms tell classes apart without error, probabilities near 0 and 1 are \\
           right, and coefficients grow without limit."
    ))
  }
  out
}

share_explained <- function(by_size, size) {
  if (by_size[1L] > 0) 1 - by_size[size] / by_size[1L] else 0
}

column_means <- function(basis, weights) {
  if (is.null(weights)) colMeans(basis) else colSums(basis * weights) / sum(weights)
}

# The distribution of each predictor.
mars_spread <- function(frame, rows) {
  lapply(seq_along(frame$name), function(j) {
    x <- frame$value[[j]]
    if (!is.null(rows)) x <- x[rows]
    value_spread(x, if (frame$kind[j] != "numeric") frame$n_levels[j])
  })
}

# Counts in 30 bins, or per level.
value_spread <- function(x, n_levels = NULL) {
  if (!is.null(n_levels)) {
    return(list(counts = tabulate(x, n_levels)))
  }
  x <- as.double(x)
  range <- if (length(x)) range(x) else c(0, 0)
  if (diff(range) == 0) {
    return(list(range = range, counts = length(x)))
  }
  bin <- pmin(floor((x - range[1L]) / diff(range) * 30), 29) + 1
  list(range = range, counts = tabulate(bin, 30L))
}

# The mean squared error on the held-out rows, by number of terms. If the forward pass of a fold has
# fewer terms, its largest model is used.
mars_fold_errors <- function(x, y, weights, settings) {
  group <- mars_folds(settings$folds %||% 10L, y)
  by_fold <- lapply(sort(unique(group)), function(k) {
    train <- group != k
    own <- if (!is.null(weights)) weights[train] / mean(weights[train])
    core <- mars_core(x[train, , drop = FALSE], y[train, , drop = FALSE], own, settings)
    left_out <- x[!train, , drop = FALSE]
    vapply(seq_along(core$subsets), function(size) {
      at <- sort(core$subsets[[size]])
      b <- tec_spline_solve_(core$basis[, at, drop = FALSE], y[train, , drop = FALSE], own)
      fitted <- mars_basis(left_out, core$side, core$cut, at) %*% b
      error <- rowSums((y[!train, , drop = FALSE] - fitted)^2)
      sum(error * (weights[!train] %||% 1))
    }, 0)
  })
  most <- max(lengths(by_fold))
  total <- Reduce(`+`, lapply(by_fold, function(e) e[pmin(seq_len(most), length(e))]))
  total / sum(weights %||% rep(1, nrow(x)))
}

mars_folds <- function(folds, y) {
  n <- nrow(y)
  if (is.numeric(folds) && length(folds) == 1L) {
    folds <- check_fold_number(folds, n)
    class <- if (!is.null(attr(y, "classes"))) max.col(cbind(0.5, unclass(y)), "first")
    return(draw_folds(folds, n, class))
  }
  if (length(folds) != n || anyNA(folds) || length(unique(folds)) < 2L) {
    abort_found(
      "{.arg folds} must be one number, or the fold of each of the {n} rows used, at least two.",
      folds, topic = "folds"
    )
  }
  match(folds, unique(folds))
}

# The values of the terms and their text.

# A matrix with one column for each of `terms`. `x`: a matrix of the inputs.
mars_basis <- function(x, side, cut, terms) {
  out <- matrix(1, nrow(x), length(terms))
  for (k in seq_along(terms)) {
    t <- terms[k]
    for (j in which(side[t, ] != 0L)) {
      out[, k] <- out[, k] * mars_factor(x[, j], side[t, j], cut[t, j])
    }
  }
  out
}

mars_factor <- function(x, side, cut) {
  switch(as.character(side), "1" = pmax(0, x - cut), "-1" = pmax(0, cut - x), "2" = x)
}

# The text of the terms that are kept: "max(0, x - 3) * (f = a)".
mars_term_texts <- function(fit, digits = 5L) {
  vapply(fit$selected, function(t) {
    at <- which(fit$side[t, ] != 0L)
    if (length(at) == 0L) {
      return("1")
    }
    paste(vapply(at, function(j) mars_factor_text(fit, t, j, digits), ""), collapse = " * ")
  }, "")
}

mars_factor_text <- function(fit, t, j, digits) {
  column <- fit$inputs$column[j]
  name <- show_names(fit$columns$name[column])
  if (fit$inputs$level[j] > 0L) {
    label <- show_label(fit$columns$levels[[column]][fit$inputs$level[j]])
    # A hinge of an indicator is a multiple of the indicator, or of 1 minus it.
    is <- paste0("(", name, " = ", label, ")")
    return(switch(as.character(fit$side[t, j]),
      "2" = is, "1" = paste0("max(0, ", is, " - ", number_text(fit$cut[t, j], digits), ")"),
      paste0("max(0, ", number_text(fit$cut[t, j], digits), " - ", is, ")")
    ))
  }
  cut <- mars_cut_text(fit, column, fit$cut[t, j], digits)
  switch(as.character(fit$side[t, j]),
    "2" = name, "1" = paste0("max(0, ", name, " - ", cut, ")"),
    paste0("max(0, ", cut, " - ", name, ")")
  )
}

mars_cut_text <- function(fit, column, cut, digits) {
  ptype <- fit$columns$ptype[[column]]
  if (fit$columns$kind[column] == "numeric" && is.object(ptype)) {
    return(quantity_text(cut, ptype, digits))
  }
  number_text(cut, digits)
}

# The functions of the sum; each has the terms of the same predictors. list(columns, terms), with
# `terms` as positions in `selected`. Functions of one predictor come first.
mars_functions <- function(fit) {
  of_term <- lapply(fit$selected, function(t) {
    sort(unique(fit$inputs$column[fit$side[t, ] != 0L]))
  })
  key <- vapply(of_term, paste, "", collapse = " ")
  keys <- unique(key[lengths(of_term) > 0L])
  out <- lapply(keys, function(one) {
    at <- which(key == one)
    list(columns = of_term[[at[1L]]], terms = at)
  })
  by <- order(
    vapply(out, function(f) length(f$columns), 0L), vapply(out, function(f) f$columns[1L], 0L),
    vapply(out, function(f) c(f$columns, 0L)[2L], 0L)
  )
  out <- out[by]
  names(out) <- vapply(out, function(f) {
    paste(show_names(fit$columns$name[f$columns]), collapse = ", ")
  }, "")
  out
}

mars_basis_of <- function(fit, values, n) {
  needed <- which(colSums(fit$side[fit$selected, , drop = FALSE] != 0L) > 0)
  x <- mars_matrix(values, fit$inputs, n = n, needed = needed)
  mars_basis(x, fit$side, fit$cut, fit$selected)
}

# `values`: coded columns. Only those of `needed` inputs are read; the others are 0.
mars_matrix <- function(values, inputs, rows = NULL, n = length(values[[1L]]), needed = NULL) {
  size <- if (is.null(rows)) n else length(rows)
  out <- matrix(0, size, nrow(inputs))
  for (i in needed %||% seq_len(nrow(inputs))) {
    v <- values[[inputs$column[i]]]
    if (!is.null(rows)) v <- v[rows]
    # 0 and -0 are one number.
    out[, i] <- if (inputs$level[i] > 0L) v == inputs$level[i] else as.double(v) + 0
  }
  out
}
