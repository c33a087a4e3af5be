#' Predict with a boosted model
#'
#' Returns one prediction per row of `newdata`. Rows, missing values and unseen levels are handled
#' as by [predict.tec_tree()].
#'
#' @inheritParams predict.tec_tree
#' @param object A model from [tec_boost()].
#' @param type What to return:
#'   * `"response"`: the class or the number; `"class"`: the class;
#'   * `"prob"`: a matrix of the probabilities of classes. For `"adaboost"` those of scikit-learn,
#'     from the shares of votes divided by K - 1;
#'   * `"link"`: the sum of what the trees add: the number, the logarithm of the odds of the second
#'     of two classes, or a matrix with a column a class. For `"adaboost"` the sums of votes.
#' @param rounds How many rounds to use; all by default. Several numbers give a list, named by
#'   them: the predictions at each stage.
#' @param offset A number for each row, or a matrix, that is added on the scale of `"link"`.
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
  types <- c("response", "class", "prob", "link")
  type <- if (missing(type)) "response" else our_word("type", type, types)
  type <- match_choice(type, types, "type")
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
    tec_abort("argument", c(
      "{.arg rounds} must be whole numbers from 0 to {fit$rounds}, the rounds of the model.",
      x = "It is {describe(rounds)}."
    ))
  }
  as.integer(rounds)
}

# The sums after each number of rounds: a list of matrices, a column an output.
boost_scores <- function(fit, values, n, at = fit$rounds, threads = NULL, start = NULL) {
  outputs <- boost_outputs(fit)
  ada <- fit$method == "adaboost"
  base <- if (ada) numeric(outputs) else fit$base
  start <- start %||% matrix(rep(base, each = n), n, outputs)
  last <- findInterval(at - 1, fit$round)
  some <- unique(last[last > 0L])
  columns <- list(
    values = values, kinds = unname(kind_codes[fit$columns$kind]),
    n_levels = lengths(fit$columns$levels), n = n
  )
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
predict_coded.tec_boost <- function(fit, values, n, type = "response", threads = NULL) {
  finish_boost(fit, boost_scores(fit, values, n, threads = threads)[[1L]], type)
}

# What is predicted from scores.
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

# A model from a file has none.
known_curve <- function(fit) {
  fit$curve %||% tec_abort("data", c(
    "The model has no learning curve.", x = "The losses of its rounds are not known.",
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
    abort_boost("its gains do not fit its columns")
  }
  sound <- is_number(fit$rounds) && fit$rounds >= 0 && is.numeric(fit$round) &&
    length(fit$round) == length(fit$trees$start) - 1L &&
    all_in_range(fit$round, 0, Inf) && !is.unsorted(fit$round)
  if (!sound) abort_boost("its rounds do not fit its trees")
  for (bag in fit$bags) {
    if (!is.list(bag) || !is.list(bag$trees)) abort_boost("a bag has no trees")
    check_boost_trees(fit, bag, nodes)
  }
  invisible(fit)
}

# The trees of a boosted model or of one of its bags, and what each is for.
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
  if (!sound) abort_boost("what its trees add up to is out of range")
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
