# Tested in test-boost-predict.R and test-boost-more.R.

#' Predict with a boosted model
#'
#' Returns one prediction per row of `newdata`. Rows, missing values and unseen levels are handled
#' as by [predict.tec_tree()].
#'
#' @inheritParams predict.tec_tree
#' @param object A model from [tec_boost()].
#' @param newdata A data frame, or a matrix (also sparse) if the model was grown from one.
#' @param type What to return:
#'   * `"response"`: the class or the number; `"class"`: the class;
#'   * `"prob"`: a matrix of class probabilities. For `"adaboost"` they are computed as in
#'     scikit-learn, from the shares of votes divided by K - 1;
#'   * `"link"`: the sum of the values of the trees: the number, the log odds of the second of two
#'     classes, or a matrix with one column per class. For `"adaboost"` the sums of votes.
#' @param rounds Number of rounds to use; all by default. Several numbers give a list of
#'   predictions, one for each number of rounds, named by them.
#' @param offset One number per row, or a matrix, that is added on the scale of `"link"`.
#' @return A factor, a numeric vector or a matrix, depending on `type`; with several `rounds` a list
#'   of these.
#' @family boosting functions
#' @examples
#' set.seed(1)
#' fit <- tec_boost(Species ~ ., iris, rounds = 30, threads = 2)
#' some <- iris[c(1, 51, 101), ]
#' predict(fit, some)
#' predict(fit, some, type = "prob", rounds = c(1, 10, 30))
#' @export
predict.tec_boost <- function(object, newdata, type = c("response", "class", "prob", "link"),
                              rounds = NULL, offset = NULL, threads = NULL, ...) {
  refuse_dots("predict.tec_boost", ...)
  type <- prediction_type(
    if (missing(type)) "response" else type, c("response", "class", "prob", "link")
  )
  check_fit(object, nodes = FALSE)
  check_type(type, object$response)
  if (missing(newdata) || is.null(newdata)) {
    tec_abort("newdata", c(
      "{.arg newdata} is missing.", i = "Give a data frame of the rows to predict."
    ))
  }
  newdata <- check_newdata(newdata)
  at <- check_rounds(rounds, object)
  values <- code_rows(object, newdata, parent.frame())
  if (is.null(offset) && isTRUE(object$settings$offset)) {
    tec_inform_once("offset", c(
      "The model was fitted with an {.arg offset}, which is not in these predictions.",
      i = "Give the offset of the new rows: {.code predict(fit, newdata, offset = )}."
    ))
  }
  offset <- resolve_offset(offset, nrow(newdata), boost_outputs(object))
  score <- boost_scores(object, values, nrow(newdata), at, threads)
  out <- lapply(seq_along(at), function(i) {
    one <- score[[i]]
    finish_boost(object, if (is.null(offset)) one else one + offset, type)
  })
  if (length(rounds) > 1L) stats::setNames(out, format_rounds(at)) else out[[1L]]
}

format_rounds <- function(at) format(at, trim = TRUE, scientific = FALSE)

boost_outputs <- function(fit) {
  k <- length(fit$response$levels)
  if (fit$method == "adaboost" || k > 2L) k else 1L
}

check_rounds <- function(rounds, fit) {
  if (is.null(rounds)) {
    return(fit$rounds)
  }
  right <- is.numeric(rounds) && length(rounds) > 0L && all(is.finite(rounds)) &&
    all(rounds == round(rounds)) && all(rounds >= 0) && all(rounds <= fit$rounds)
  if (!right) {
    abort_found(
      "{.arg rounds} must be whole numbers from 0 to {fit$rounds}, the rounds of the model.", rounds
    )
  }
  as.integer(rounds)
}

# The sums after each number of rounds: a list of matrices with one column per output.
boost_scores <- function(fit, values, n, at = fit$rounds, threads = NULL, start = NULL) {
  outputs <- boost_outputs(fit)
  ada <- fit$method == "adaboost"
  base <- if (ada) numeric(outputs) else fit$base
  start <- start %||% matrix(rep(base, each = n), n, outputs)
  last <- findInterval(at - 1, fit$round)
  some <- unique(last[last > 0L])
  columns <- core_columns(fit, values, n)
  found <- tec_boost_predict_(
    fit$trees, columns, if (ada) outputs else 0L, start, as.integer(fit$output),
    as.double(fit$vote), some, default_threads(threads)
  )
  found <- array(found, c(n, outputs, length(some)))
  lapply(last, function(one) {
    if (one == 0L) start else matrix(found[, , match(one, some)], n, outputs)
  })
}

#' @exportS3Method
predict_coded.tec_boost <- function(fit, values, n, type = "response", threads = NULL,
                                    offset = NULL) {
  score <- boost_scores(fit, values, n, threads = threads)[[1L]]
  offset <- resolve_offset(offset, n, boost_outputs(fit))
  finish_boost(fit, if (is.null(offset)) score else score + offset, type)
}

# Predictions from scores.
finish_boost <- function(fit, score, type) {
  levels <- fit$response$levels
  if (is.null(levels)) {
    return(score[, 1L])
  }
  if (type == "link") {
    if (ncol(score) == 1L) {
      return(score[, 1L])
    }
    return(structure(score, dimnames = list(NULL, levels)))
  }
  if (type == "prob") {
    return(boost_prob(fit, score))
  }
  code <- if (ncol(score) == 1L) 1L + (score[, 1L] > 0) else max.col(score, ties.method = "first")
  as_classes(code, fit$response)
}

boost_prob <- function(fit, score) {
  levels <- fit$response$levels
  if (ncol(score) == 1L) {
    p <- stats::plogis(score[, 1L])
    return(matrix(c(stats::plogis(-score[, 1L]), p), ncol = 2L, dimnames = list(NULL, levels)))
  }
  if (fit$method == "adaboost") score <- score / pmax(rowSums(score), 1e-300) / (length(levels) - 1)
  score <- exp(score - apply(score, 1L, max))
  structure(score / rowSums(score), dimnames = list(NULL, levels))
}

# A model from a file has no curve.
known_curve <- function(fit) {
  fit$curve %||% tec_abort("data", c(
    "The model has no learning curve.", x = "It does not store the losses of its rounds.",
    i = "Grow it again with {.fn tec_boost}."
  ))
}

boost_pieces <- c(
  "method", "loss", "rounds", "trees", "round", "columns", "response", "control", "predictors",
  "n_rows"
)

#' @exportS3Method
check_fit.tec_boost <- function(fit, nodes = TRUE) {
  fit <- check_pieces(fit, boost_pieces, abort_boost)
  if (!is_string(fit$method) || !fit$method %in% c("gradient", "adaboost")) {
    abort_boost("its method is not known")
  }
  classes <- length(fit$response$levels)
  loss <- if (fit$method == "adaboost") {
    "exponential"
  } else if (classes == 0L) {
    "squared"
  } else if (classes == 2L) {
    "logistic"
  } else {
    "multinomial"
  }
  if (!identical(fit$loss, loss)) abort_boost("its loss is not that of its response")
  check_boost_trees(fit, fit, nodes)
  if (!is.null(fit$gain) && !identical(names(fit$gain), fit$columns$name)) {
    abort_boost("its gains do not match its columns")
  }
  sound <- is_number(fit$rounds) && is.numeric(fit$round) &&
    length(fit$round) == length(fit$trees$start) - 1L &&
    all_in_range(fit$round, 0, Inf) && !is.unsorted(fit$round) &&
    fit$rounds == max(-1, fit$round) + 1
  if (!sound) abort_boost("its rounds do not match its trees")
  curve <- fit$curve
  if (!is.null(curve) && !all(c("round", "training") %in% names(curve))) {
    abort_boost("its curve has no losses")
  }
  for (bag in fit$bags) {
    if (!is.list(bag) || !is.list(bag$trees)) abort_boost("a bag has no trees")
    check_forest_vectors(bag$trees, abort_boost)
    check_boost_trees(fit, bag, nodes)
  }
  invisible(fit)
}

# Checks the trees of a boosted model or of one of its bags, and the output of each.
check_boost_trees <- function(fit, of, nodes) {
  n <- length(of$trees$start) - 1L
  ada <- fit$method == "adaboost"
  outputs <- boost_outputs(fit)
  each <- if (ada) of$vote else of$output
  if (length(each) != n || !is.numeric(each)) abort_boost("its vectors differ in length")
  sound <- if (ada) {
    all(is.finite(each))
  } else {
    all_in_range(each, 0, outputs - 1) && is.numeric(of$base) && all(is.finite(of$base)) &&
      length(of$base) == outputs
  }
  if (!sound) abort_boost("the sum of its trees is out of range")
  if (nodes) {
    check_tree_nodes(
      of$trees, fit$columns$kind, lengths(fit$columns$levels), if (ada) outputs else 0L, abort_boost
    )
  }
}

abort_boost <- function(what, lost = NULL) {
  tec_abort("damaged", c(
    "The boosted model is damaged.", x = paste0("Found: ", what, "."),
    i = "Grow it again with {.fn tec_boost}."
  ))
}

# tec_more() for boosted models

more_rounds <- function(fit, rounds, data, y, weights, progress, threads, env) {
  check_fit(fit)
  rounds <- check_trees(rounds, "trees")
  check_may_go_on(fit)
  training <- boost_training(fit, data, y, weights, env)
  plan <- plan_of_fit(fit, training$ready)
  plan$offset <- training$offset
  if (!is.null(threads)) plan$ready$control$threads <- check_count(threads, "threads", least = 1)
  seeds <- boost_seeds(plan, rounds)
  progress <- check_flag(progress, "progress", topic = "argument")
  ticker <- forest_ticker(list(progress = progress), rounds, environment())
  on.exit(ticker$close())
  values <- plan$ready$frame$value
  start <- boost_scores(
    fit, values, plan$n, threads = threads, start = start_scores(plan, fit$base)
  )
  core <- boost_core(
    plan, seeds, first = fit$rounds, tick = ticker$tick, base = fit$base, start = start[[1L]]
  )
  joined_rounds(fit, core, seeds)
}

boost_sizes <- c(
  "rate", "max_depth", "lambda", "min_weight", "min_bucket", "min_gain", "draws", "drawn_columns",
  "pairs", "patience", "held_out"
)

check_may_go_on <- function(fit) {
  why <- if (fit$method == "adaboost") {
    "This model was fitted by AdaBoost."
  } else if (length(fit$settings) == 0L) {
    "This model was read from a file, which does not store how it was grown."
  } else if (!all(vapply(fit$settings[boost_sizes], is_size, NA))) {
    abort_boost("its settings are not those that it was grown with")
  } else if (isTRUE(fit$settings$cyclic)) {
    "This model was grown with {.code cyclic = TRUE}."
  } else if (fit$settings$held_out > 0) {
    "The rounds of this model were chosen on held-out rows."
  }
  if (length(why)) {
    tec_abort("argument", c(
      "{.fn tec_more} needs a gradient boosting model grown from all rows.", x = why,
      i = "Grow it again with more {.arg rounds}."
    ))
  }
}

# list(ready, input, offset) of the training rows.
boost_training <- function(fit, data, y, weights, env) {
  check_needs_data(data, y = y, weights = weights)
  found <- if (is.null(data)) {
    training_rows(fit, "tec_more", env)
  } else {
    list(input = given_input(fit, check_newdata(data, "data"), y, weights, env), source = data)
  }
  ready <- suppressMessages(input_ready(fit, found), classes = "tec_message")
  same <- length(used_response(ready)) == fit$n_rows &&
    isTRUE(all.equal(root_of_rows(ready), fit$root))
  if (!same) {
    tec_abort("data", c(
      "{.fn tec_more} needs the rows that the model was grown from.",
      x = "These rows do not match: their number or their response differs."
    ))
  }
  offset <- if (isTRUE(fit$settings$offset)) {
    eval_argument(fit$call$offset, found$source, env, globalenv(), "offset")
  }
  offset <- copied(resolve_offset(offset, found$input$n, boost_outputs(fit)), ready)
  check_marks(
    fit, c(marks_of(ready), list(offset = offset_marks(offset, ready$rows))), "tec_more"
  )
  list(ready = ready, input = found$input, offset = offset)
}

plan_of_fit <- function(fit, ready) {
  n <- length(ready$response$core$y)
  info <- ready$response$info
  ready$control <- check_prune_task(ready$control, info, NULL)
  c(
    list(
      method = "gradient", loss = fit$loss, ready = ready, n = n,
      rows = ready$rows %||% seq_len(n), outputs = boost_outputs(fit), held_out = integer()
    ),
    fit$settings[c(
      "rate", "max_depth", "lambda", "min_weight", "min_bucket", "min_gain", "draws",
      "drawn_columns", "monotone", "cyclic", "pairs", "patience"
    )]
  )
}

joined_rounds <- function(fit, core, seeds) {
  out <- unclass(fit)
  out$trees <- joined_trees(fit$trees, core$trees, list(response = NULL, columns = fit$columns))
  out$output <- c(fit$output, core$output)
  out$round <- c(fit$round, core$round)
  out$rounds <- fit$rounds + length(core$training)
  out$gain <- fit$gain + core$gain
  curve <- fit$curve[seq_len(fit$rounds), "training"]
  out$curve <- data.frame(round = seq_len(out$rounds), training = c(curve, core$training))
  out$seeds <- c(fit$seeds, seeds)
  out$used <- used_columns(out$trees)
  out$bags <- NULL
  structure(out, class = class(fit))
}
