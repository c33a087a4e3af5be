# Predictions for many settings from one fit, for parsnip and tune.

# Registered for parsnip::multi_predict(): one data frame per row of `new_data`, with one row per
# setting.
#' @rawNamespace S3method(parsnip::multi_predict, "_tec_tree", predict_many)
predict_many <- function(object, new_data, type = NULL, tree_depth = NULL, min_n = NULL,
                         cost_complexity = NULL, ...) {
  fit <- object$fit
  classes <- fit$response$task == "classification"
  types <- if (classes) c("class", "prob") else "numeric"
  type <- if (is.null(type)) types[1L] else match_choice(type, types, "type")
  asked <- list(tree_depth = tree_depth, min_n = min_n, cost_complexity = cost_complexity)
  asked <- even_settings(asked[lengths(asked) > 0L])
  ours <- c(tree_depth = "max_depth", min_n = "min_split", cost_complexity = "cp")
  settings <- stats::setNames(asked, ours[names(asked)])
  cells <- predict_prunings(fit, new_data, settings, type == "prob", names(asked))
  n <- nrow(new_data)
  values <- lapply(asked, rep, times = n)
  predicted <- if (type == "prob") {
    shares <- lapply(seq_along(fit$response$levels), function(k) {
      c(t(vapply(cells, function(cell) cell$prob[, k], numeric(n))))
    })
    stats::setNames(shares, paste0(".pred_", fit$response$levels))
  } else {
    value <- c(t(vapply(cells, function(cell) as.double(cell$value), numeric(n))))
    if (classes) list(.pred_class = as_classes(value, fit$response)) else list(.pred = value)
  }
  as_table(list_column(chop_rows(c(values, predicted), n, nrow(asked))))
}

list_column <- function(x) {
  structure(list(.pred = x), class = "data.frame", row.names = .set_row_names(length(x)))
}

# Divides columns into tables of `size` rows.
chop_rows <- function(columns, n, size) {
  class <- class(as_table(data.frame()))
  lapply(seq_len(n), function(i) {
    at <- (i - 1L) * size + seq_len(size)
    structure(lapply(columns, `[`, at), class = class, row.names = .set_row_names(size))
  })
}

# One setting per element; single values are recycled.
even_settings <- function(asked) {
  size <- max(1L, lengths(asked))
  odd <- lengths(asked) != 1L & lengths(asked) != size
  if (any(odd)) {
    first <- names(asked)[odd][1L]
    tec_abort("argument", c(
      "Arguments with settings must have one value, or as many values as the longest of them.",
      x = "{.arg {first}} has {length(asked[[first]])}, the longest {size}."
    ))
  }
  asked <- lapply(asked, rep_len, size)
  structure(asked,
    names = names(asked) %||% character(), class = "data.frame", row.names = .set_row_names(size)
  )
}

# For generics::min_grid(): the fits that tune needs for a grid. One fit with the smallest penalty
# is enough for all penalties.
#' @rawNamespace S3method(generics::min_grid, decision_tree, least_penalties)
least_penalties <- function(x, grid, ...) {
  tuned <- if (identical(x$engine, "tectree")) generics::tune_args(x)
  id <- tuned$id[tuned$name == "cost_complexity"]
  if (length(id) == 0L || !id %in% names(grid)) {
    return(NextMethod())
  }
  others <- unname(as.list(grid[setdiff(names(grid), id)]))
  key <- if (length(others)) do.call(paste, c(others, sep = "\r")) else rep("", nrow(grid))
  group <- match(key, unique(key))
  penalty <- split(grid[[id]], group)
  out <- grid[!duplicated(key), ]
  out[[id]] <- vapply(penalty, min, 0, USE.NAMES = FALSE)
  out$.submodels <- lapply(unname(penalty), function(values) {
    rest <- values[-which.min(values)]
    if (length(rest)) stats::setNames(list(rest), id) else list()
  })
  out
}

# Predictions of several subtrees of one grown tree, for packages that tune settings which only
# prune a tree. See tune-prunings.R.

# The arguments of tec_tree() for a tree that contains the trees of all larger `min_split` and `cp`
# and smaller `max_depth`. `asked`: those of the three that are set; `more`: the other arguments of
# the user; `word`: the user's name for `cp`.
prunable_arguments <- function(asked, more, word = "cp") {
  more <- with_our_names(more, tree_arguments)
  # Only min_split decides, so that its values are prunings of one tree. With preset "cart",
  # min_bucket follows from min_split, as in rpart.
  as_rpart <- identical(check_preset(more[["preset"]] %||% "tec"), "cart")
  if (!is.null(asked$min_split) && !as_rpart) asked$min_bucket <- more[["min_bucket"]] %||% 1
  if (!is.null(asked$cp)) {
    clash <- intersect(c("prune", "cp", "alpha"), names(more))
    if (length(clash)) {
      tec_abort("prune", c(
        "{.arg {word}} determines the pruning.", x = "{.arg {clash[1L]}} is given too."
      ))
    }
    asked$prune <- if (is_number(asked$cp) && asked$cp == 0) "none" else "ccp"
    asked$folds <- more[["folds"]] %||% 0
  }
  c(asked, more[setdiff(names(more), names(asked))])
}

# One entry per row of `settings`, a data frame with some of the columns `max_depth`, `min_split`
# and `cp`: list(value =, prob =, nodes =, ...). `words` are the user's names for these columns.
predict_prunings <- function(fit, newdata, settings, prob = FALSE, words = names(settings)) {
  check_fit(fit)
  check_prunings(fit, settings, stats::setNames(words, names(settings)))
  newdata <- check_newdata(newdata)
  held <- code_rows(fit, newdata, parent.frame())
  job <- list(prob = prob, threads = NULL)
  prune_cells(fit, pruning_settings(fit, settings), held, nrow(newdata), job)
}

# The settings for prune_cells(). Settings that are not requested stay as the tree was grown.
pruning_settings <- function(fit, settings) {
  control <- pruned_by(fit)
  own <- complexity_penalty(list(control = control))
  unpriced <- identical(control$prune, "none")
  lapply(seq_len(nrow(settings)), function(i) {
    cp <- settings$cp[i]
    list(
      grown = 1L,
      control = list(
        max_depth = settings$max_depth[i] %||% Inf, min_split = settings$min_split[i] %||% 0
      ),
      penalty = if (is.null(cp)) own$penalty else if (cp == 0 && unpriced) NA_real_ else cp,
      relative = if (is.null(cp)) own$relative else TRUE
    )
  })
}

check_prunings <- function(fit, settings, words) {
  for (name in names(settings)) {
    check_setting_values(settings[[name]], words[[name]], if (name == "min_split") 1 else 0)
  }
  control <- pruned_by(fit)
  fixed <- setdiff(names(settings), "cp")
  if ("cp" %in% names(settings)) check_penalties(fit, settings$cp, words[["cp"]])
  if (length(fixed) && !is_pruning(list(control = control))) {
    abort_no_pruning(words[[fixed[1L]]], identical(control$prune, "auto"))
  }
  if ("min_split" %in% fixed && (!is.null(fit$class_factors) || has_own_sizes(fit))) {
    abort_no_pruning(words[["min_split"]])
  }
  if ("min_split" %in% fixed && fit$preset == "cart" && !"min_bucket" %in% names(fit$call)) {
    tec_abort("prune", c(
      "Predictions for other values of {.arg {words[['min_split']]}} cannot be read off this tree.",
      x = "With {.code preset = \"cart\"} {.arg min_bucket} follows from it.",
      i = "Grow the tree with a {.arg min_bucket}, or one tree for each value."
    ))
  }
  if (any(settings$max_depth > control$max_depth)) {
    abort_beyond(words[["max_depth"]], "above", control$max_depth)
  }
  if (any(settings$min_split < control$min_split)) {
    abort_beyond(words[["min_split"]], "below", control$min_split)
  }
}

# The settings of a fit. "auto" does not prune a tree of few rows.
pruned_by <- function(fit) {
  control <- fit$control
  if (identical(control$prune, "auto") && is.null(fit$pruning)) control$prune <- "none"
  control
}

check_setting_values <- function(values, word, least) {
  if (!is.numeric(values) || !all_in_range(values, least, Inf)) {
    tec_abort("prune", c(
      "{.arg {word}} must be numbers of at least {least}.", x = "It is {describe(values)}."
    ))
  }
}

# Penalties can prune any tree that was not pruned, or was pruned with a smaller penalty.
check_penalties <- function(fit, cp, word) {
  control <- pruned_by(fit)
  if (!control$prune %in% c("none", "ccp", "auto")) abort_no_pruning(word)
  if (control$prune == "none") {
    return(invisible())
  }
  chosen <- control$prune == "auto" || !is.null(control$alpha)
  floor <- (if (chosen) fit$pruning$cp else control$cp) %||% 0
  if (any(cp < floor * (1 - 1e-9))) abort_beyond(word, "below", signif(floor, 4))
}

abort_no_pruning <- function(word, auto = FALSE) {
  tec_abort("prune", c(
    "Predictions for other values of {.arg {word}} cannot be read off this tree.",
    x = "It was grown or pruned by rules that involve several nodes at once.",
    i = if (auto) {
      "Without a complexity penalty a tree is pruned by cross-validation: give one, or 0."
    },
    i = "Grow a tree for each value. In the way are {.arg max_leaves}, pruning other than by \\
         {.arg cp}, presets but {.val tec} and {.val cart}, and for sizes {.arg weights}, \\
         {.arg class_weights} and {.arg prior}."
  ))
}

abort_beyond <- function(word, side, limit) {
  tec_abort("prune", c(
    "Only smaller trees can be read off a tree.",
    x = "{.arg {word}} is {side} {limit}, with which this tree was grown.",
    i = "Grow the largest tree that you need."
  ))
}
