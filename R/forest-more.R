#' Grow more trees
#'
#' Adds trees to a forest, or rounds to a boosted model, with the same settings and new samples.
#' After `set.seed(1)`, a forest of 100 trees with 100 more equals a forest of 200 trees, if nothing
#' else uses R's random numbers in between. Out-of-bag results and importance are those of all
#' trees.
#' *Experimental*, see *Lifecycle* in [tectree-package].
#'
#' The training rows are found as described in [tec_tree-methods], or given as `data`.
#'
#' A boosted model continues where it ended and equals a model grown with all rounds at once. Its
#' rounds must not have been chosen on held-out rows, and it must not have been grown with `cyclic`.
#'
#' @param fit A forest from [tec_forest()], or a gradient boosting model from [tec_boost()].
#' @param trees Number of trees or rounds to add.
#' @param data The training rows with the response, needed only if they cannot be found.
#' @param y The response, needed only with `data` and if the forest was grown from `x` and `y`.
#' @param weights,sample_weights As in [tec_forest()], with `data`.
#' @param progress Whether to show a progress bar if growing takes long.
#' @param threads Number of threads, see [tec_control()].
#' @param ... Forests from [tec_forest()], grown from the same rows with the same settings and other
#'   seeds, for example on several machines.
#' @return A forest or a boosted model. `c()` returns a forest with the trees of all its arguments,
#'   with out-of-bag results and importance as if they had been grown at once.
#' @family forest functions
#' @examples
#' set.seed(1)
#' fit <- tec_forest(Species ~ ., iris, trees = 20, threads = 2)
#' tec_more(fit, 30, threads = 2)
#'
#' set.seed(2)
#' other <- tec_forest(Species ~ ., iris, trees = 20, threads = 2)
#' c(fit, other)
#' @srrstats {ML3.1} A trained model is given to this function, to [tec_prune()], [tec_shrink()],
#'   [update()][update.tec_tree] and the conversions of models of other packages.
#' @export
tec_more <- function(fit, trees, data = NULL, y = NULL, weights = NULL, sample_weights = NULL,
                     progress = TRUE, threads = NULL) {
  fit <- wrapped_tree(fit)
  if (inherits(fit, "tec_boost")) {
    if (!is.null(sample_weights)) abort_only_for("sample_weights", "forests")
    return(more_rounds(fit, trees, data, y, weights, progress, threads, parent.frame()))
  }
  check_is_forest(fit, "tec_more")
  trees <- check_trees(trees, "trees")
  settings <- list(progress = check_flag(progress, "progress", topic = "argument"))
  if (is.null(fit$seeds)) {
    tec_abort("conversion", c(
      "{.fn tec_more} needs a forest that {.fn tec_forest} grew.",
      x = "This one was converted from another package."
    ))
  }
  if (is.null(fit$oob$response)) {
    tec_abort("oob", c(
      "{.fn tec_more} needs a forest with its out-of-bag predictions.",
      x = "This one has lost them, for example in {.fn butcher::butcher}."
    ))
  }
  shrunk <- fit$shrunk
  fit <- unshrunk(fit)
  rows <- list(data = data, y = y, weights = weights, sample_weights = sample_weights)
  training <- forest_training(fit, "tec_more", parent.frame(), rows)
  plan <- forest_plan(fit, training)
  if (!is.null(threads)) plan$ready$control$threads <- check_count(threads, "threads", least = 1)
  seeds <- draw_seeds(trees)
  ticker <- forest_ticker(settings, trees, environment())
  on.exit(ticker$close())
  core <- grow_core(plan, seeds, ticker$tick)
  if (!is.null(ticker$tick)) ticker$tick(trees)
  out <- joined_forest(
    fit, core$trees, core$oob, forest_importance(core$importance, plan), seeds, plan
  )
  if (is.null(shrunk)) out else shrink_forest(out, shrunk$lambda, rows, parent.frame())
}

#' @rdname tec_more
#' @export
c.tec_forest <- function(..., data = NULL, y = NULL, weights = NULL, sample_weights = NULL) {
  forests <- list(...)
  for (fit in forests) check_can_join(fit, forests[[1L]])
  seeds <- unlist(lapply(forests, `[[`, "seeds"))
  if (anyDuplicated(seeds)) {
    tec_abort("argument", c(
      "The forests have the same trees.",
      x = "They were grown after the same {.fn set.seed}.",
      i = "Grow each after another seed, or add trees with {.fn tec_more}."
    ))
  }
  rows <- list(data = data, y = y, weights = weights, sample_weights = sample_weights)
  env <- parent.frame()
  plan <- forest_plan(forests[[1L]], forest_training(forests[[1L]], "c", env, rows))
  Reduce(function(a, b) {
    joined_forest(a, b$trees, c(oob_sums(b), b$oob["times"]), b$importance, b$seeds, plan)
  }, forests)
}

check_can_join <- function(fit, first) {
  check_is_forest(fit, "c")
  if (is.null(fit$seeds) || is.null(fit$oob$response) || !is.null(fit$shrunk)) {
    tec_abort("conversion", c(
      "{.fn c} combines only forests as {.fn tec_forest} returned them.",
      x = "One was converted, has lost its out-of-bag predictions, or was shrunk."
    ))
  }
  same <- function(parts, of = identity) {
    identical(of(unclass(fit))[parts], of(unclass(first))[parts])
  }
  if (!same(c("columns", "response", "n_rows", "root"))) abort_other_rows()
  settings <- c("criterion", "cost", "cost_in", "prior", "class_weights", "mtry", "settings")
  grown <- setdiff(names(fit$control), "threads")
  kind <- function(fit) fit$importance["type"]
  if (!same(settings) || !same(grown, function(x) x$control) || !same("type", kind)) {
    tec_abort("argument", c(
      "{.fn c} combines only forests that were grown with the same settings.",
      i = "Compare their calls, {.code fit$call}."
    ))
  }
}

abort_other_rows <- function() {
  tec_abort("data", c(
    "{.fn c} combines only forests that were grown from the same rows.",
    x = "Their columns, classes, numbers of rows or responses differ."
  ))
}

# `oob`: the sums of the new trees by row, as oob_sums() returns them.
joined_forest <- function(fit, trees, oob, importance, seeds, plan) {
  out <- unclass(fit)
  out$trees <- joined_trees(fit$trees, trees, fit)
  out$seeds <- c(fit$seeds, seeds)
  out$used <- used_columns(out$trees)
  out$oob <- joined_oob(fit, trees, oob, seeds, plan)
  out["importance"] <- list(joined_importance(
    fit$importance, importance, length(fit), length(seeds)
  ))
  structure(out, class = class(fit))
}

joined_oob <- function(before, trees, new, seeds, plan) {
  so_far <- oob_sums(before)
  sums <- Map(`+`, so_far, new[names(so_far)])
  sums$times <- before$oob$times + new$times
  more <- more_curve(before, trees, seeds, plan)
  # Trees grown from other rows have other out-of-bag predictions.
  if (!isTRUE(all.equal(more$sums, lapply(sums[names(so_far)], as.matrix)))) abort_other_rows()
  finish_oob(sums, c(before$oob$curve, more$curve), plan)
}

# list(curve =, sums =): the error of all trees so far after each new tree, and the sums at the end.
more_curve <- function(fit, trees, seeds, plan) {
  y <- used_response(plan$ready)
  w <- used_weights(plan$ready) %||% rep(1, length(y))
  extra <- unclass(fit)
  extra$trees <- trees
  extra$seeds <- seeds
  values <- used_values(plan$ready)
  bags <- forest_bags(extra, y, plan$drawn$weights, plan$ready$control$threads)
  times <- fit$oob$times
  sums <- oob_sums(fit)
  curve <- vapply(seq_along(seeds), function(t) {
    one <- cut_forest(extra, t)
    said <- core_forest_predict(one, values, length(y), "sum", plan$ready$control$threads)
    out <- which(bags[, t] == 0L)
    times[out] <<- times[out] + 1L
    for (part in names(sums)) {
      to <- as.matrix(sums[[part]])
      to[out, ] <- to[out, ] + as.matrix(said[[part]])[out, ]
      sums[[part]] <<- to
    }
    known <- which(times > 0L)
    of_known <- lapply(sums, function(x) x[known, , drop = FALSE])
    off <- if (is.null(sums$sum)) {
      class_of_forest(
        of_known$votes, of_known$shares / times[known], plan$probability, plan$cost
      ) != y[known]
    } else {
      (of_known$sum[, 1L] / times[known] - y[known])^2
    }
    weighted_mean(off, w[known])
  }, 0)
  list(curve = curve, sums = lapply(sums, as.matrix))
}

# Means over all trees, and their standard errors from those of both parts.
joined_importance <- function(first, second, n, m) {
  if (is.null(first)) {
    return(NULL)
  }
  out <- first
  out$value <- (n * first$value + m * second$value) / (n + m)
  if (!is.null(first$se)) {
    squares <- function(part, trees) {
      spread <- if (trees > 1L) part$se^2 * trees * (trees - 1) else 0 * part$value
      spread + trees * (part$value - out$value)^2
    }
    out$se <- sqrt((squares(first, n) + squares(second, m)) / ((n + m) * (n + m - 1)))
  }
  out
}
