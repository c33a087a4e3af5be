#' Use a boosted model as a forest
#'
#' `as_tec_forest()` converts a boosted model into an equivalent forest. Everything that accepts a
#' forest accepts it, such as [tec_shap()] and [tec_dependence()]. Gradient boosting gives a
#' regression forest: it predicts the number for a numeric response, the log odds of the second
#' class for two classes, and the score of one class for more classes. A forest predicts the mean of
#' its trees instead of their sum, so the values of the leaves are multiplied by the number of
#' trees.
#'
#' An AdaBoost model becomes a classification forest that predicts the same class. A tree with the
#' vote `v` gives the share `v / max(v)` to its class and spreads the rest evenly over all classes.
#' The mean share of a class is therefore a linear function of its sum of votes.
#'
#' Exports need no conversion: [tec_sql()], [tec_json()], [tec_code()], [tec_pmml()], [tec_onnx()]
#' and [verify_export()] accept boosted models directly and give the classes and probabilities of
#' [predict()][predict.tec_boost]. `tec_shap()` of a boosted model explains the predictions of the
#' forest that `as_tec_forest()` returns.
#'
#' @param x A model from [tec_boost()].
#' @param class For gradient boosting with more than two classes: the class whose score is predicted
#'   or explained. For `tec_shap()` of an AdaBoost model: as for forests.
#' @param newdata,background,interactions,threads,... As in [tec_shap()].
#' @return `as_tec_forest()`: a forest. `tec_shap()`: see [tec_shap()].
#' @family boosting functions
#' @examples
#' set.seed(1)
#' fit <- tec_boost(mpg ~ wt + hp, mtcars, rounds = 20, min_bucket = 3)
#' forest <- as_tec_forest(fit)
#' all.equal(predict(forest, mtcars), predict(fit, mtcars))
#' tec_shap(fit, mtcars[1:2, ])$values
#'
#' ada <- tec_boost(Species ~ ., iris, method = "adaboost", rounds = 5)
#' identical(predict(as_tec_forest(ada), iris), predict(ada, iris))
#' @name boost-forest
NULL

of_summed_trees <- c("tec_json", "tec_sql", "tec_code", "tec_pmml", "tec_onnx", "verify_export")

#' @rdname boost-forest
#' @export
as_tec_forest.tec_boost <- function(x, class = NULL, ...) {
  refuse_dots("as_tec_forest", ...)
  check_fit(x)
  if (x$method == "adaboost") {
    if (!is.null(class)) abort_only_with("class", "method = \"gradient\"")
    return(voting_forest(x))
  }
  output <- 1L
  if (boost_outputs(x) == 1L) {
    if (!is.null(class)) abort_only_for("class", "more than two classes")
  } else {
    if (is.null(class)) {
      tec_abort("argument", c(
        "{.arg class} is missing: each class has its own score.",
        i = "Use one of {.val {x$response$levels}}."
      ))
    }
    output <- class_numbers(class, x$response$levels)
  }
  summed_output(x, output)
}

# Converts the trees of one output to a forest.
summed_output <- function(x, output) {
  kept <- which(x$output == output - 1L)
  trees <- if (length(kept) < length(x$output)) first_trees(x$trees, kept) else x$trees
  leaf <- trees$variable == 0L
  trees$cut[leaf] <- length(kept) * trees$cut[leaf] + x$base[output]
  levels <- x$response$levels
  name <- x$response$name
  if (!is.null(levels)) {
    of <- levels[if (length(levels) == 2L) 2L else output]
    name <- paste0(if (length(levels) == 2L) "log odds of " else "score of ", name, " = ", of)
  }
  out <- boosted_forest(
    x, trees, list(name = name, task = "regression", levels = NULL, ptype = numeric()),
    tec_criterion("l2"), probability = FALSE
  )
  if (!is.null(levels)) out[c("formula", "call")] <- list(NULL)
  out
}

# Converts AdaBoost's trees to a forest, with shares in proportion to their votes.
voting_forest <- function(x) {
  trees <- x$trees
  if (trees$unknown != 0L) {
    tec_abort("conversion", c(
      "The trees vote for one class, so a row with a missing value must go down one branch.",
      x = "{.arg missing} is {.val {x$control$missing}}.",
      i = "Grow the model with {.code missing = \"learned\"}."
    ))
  }
  k <- length(x$response$levels)
  leaf <- which(trees$variable == 0L)
  class <- trees$right[leaf] # or minus the position of its shares
  mixed <- class < 0L
  if (any(mixed)) {
    stored <- matrix(trees$shares, ncol = k, byrow = TRUE)
    class[mixed] <- largest_share(stored[-class[mixed], , drop = FALSE])
  }
  vote <- (x$vote / max(x$vote))[findInterval(leaf - 1L, trees$start)]
  shares <- matrix((1 - vote) / k, length(leaf), k)
  at <- cbind(seq_along(leaf), class)
  shares[at] <- shares[at] + vote
  full <- vote == 1
  trees$right[leaf] <- ifelse(full, class, -cumsum(!full))
  trees$shares <- as.double(t(shares[!full, , drop = FALSE]))
  out <- boosted_forest(x, trees, x$response, x$criterion, probability = TRUE)
  out$n_missing_response <- x$n_missing_response
  out
}

boosted_forest <- function(x, trees, response, criterion, probability) {
  new_fit("tec_forest", version = x$version, list(
    trees = trees, columns = x$columns, response = response, criterion = criterion,
    control = x$control, formula = x$formula, predictors = x$predictors, call = x$call,
    n_rows = x$n_rows, n_missing_response = 0L, marks = x$marks,
    settings = list(probability = probability), used = used_columns(trees), source = "boosting"
  ))
}

# The form that exports use.
summed_forest <- function(x) {
  check_fit(x, nodes = FALSE)
  if (is.null(x$response$levels)) as_tec_forest.tec_boost(x) else linked_forest(x)
}

# `link`: each tree adds its number to sum `output`, or its `vote` to the sum of its class. Sums
# start from `base`. For two classes there is one sum; the sum of the first class is 0. The
# predicted class has the largest sum, the first on ties. The probabilities are the softmax of the
# sums divided by `scale`.
linked_forest <- function(x) {
  votes <- x$method == "adaboost"
  levels <- x$response$levels
  number <- list(name = x$response$name, task = "regression", levels = NULL, ptype = numeric())
  out <- boosted_forest(
    x, x$trees, if (votes) x$response else number,
    if (votes) x$criterion else tec_criterion("l2"),
    probability = FALSE
  )
  out$link <- list(
    model = x, levels = levels, output = if (!votes) x$output + 1L, vote = if (votes) x$vote,
    base = if (votes) numeric(length(levels)) else x$base,
    scale = if (votes) sum(x$vote) * (length(levels) - 1) else 1
  )
  out
}
