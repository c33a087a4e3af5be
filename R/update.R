#' Update and refit a tree
#'
#' Grows the tree again with the settings of the fit, except for those given here. Without `data`,
#' the data, weights and subset of the first call are evaluated where `update()` is called, and used
#' again. It is an error if they have changed since. For a tree that was grown inside a function,
#' give `data`.
#'
#' Settings that depend on the preset are derived again, so `update(fit, min_bucket = 3)` grows the
#' same tree as the first call with `min_bucket = 3` added. With `data`, weights and subsets must be
#' given again, or turned off with `weights = NULL`.
#'
#' @param object A tree from [tec_tree()].
#' @param formula. The new formula, in which `.` stands for the old one, as in
#'   [stats::update.formula()].
#' @param data The rows to grow from. The default is the rows of the first call.
#' @param ... Other arguments of [tec_tree()], such as `q`, `preset`, `weights`,
#'   `min_bucket`.
#' @return A tree.
#' @family tree growing functions
#' @examples
#' fit <- tec_tree(Species ~ ., iris)
#' update(fit, q = 2, min_bucket = 1)
#' update(fit, . ~ . - Petal.Length, data = iris)
#' @importFrom stats update
#' @export
update.tec_tree <- function(object, formula., data = NULL, ...) {
  check_fit(object)
  shrunk <- object$shrunk
  object <- unshrunk(object)
  changed <- as.list(substitute(list(...)))[-1L]
  if (is.null(object$call) || is.null(object$formula)) {
    abort_fit_without_formula(object)
  }
  rows <- if (is.null(data)) {
    first_rows(object, changed, parent.frame())
  } else {
    check_rows_given(object, changed)
    list(value = list(data = check_newdata(data, "data")), shown = list(data = substitute(data)))
  }
  new <- if (missing(formula.)) object$formula else update_formula(object, formula.)
  environment(new) <- parent.frame()
  settings <- c(kept_settings(object, changed), changed)
  call <- as.call(c(list(quote(tec_tree), formula = new), rows$shown, settings))
  grown <- call
  grown[names(rows$shown)] <- lapply(paste0(".tec_", names(rows$shown)), as.name)
  # The arguments are evaluated where update() was called, except for the rows.
  values <- stats::setNames(rows$value, paste0(".tec_", names(rows$value)))
  out <- eval(grown, c(list(tec_tree = tec_tree), values), parent.frame())
  out$call <- stored_call(call)
  shrunk_like(out, shrunk)
}

# The rows of the first call, with its weights and subset unless they are given again.
first_rows <- function(fit, changed, env) {
  found <- training_rows(fit, "update", env)
  also <- intersect(c("weights", "subset"), names(fit$call))
  also <- setdiff(also[lengths(found[also]) > 0L], names(changed))
  list(
    value = c(list(data = found$source), found[also]),
    shown = c(list(data = call_data(fit$call)), as.list(fit$call)[also])
  )
}

update_formula <- function(object, change) {
  check_new_formula(change)
  stats::update.formula(stats::formula(object), change)
}

check_rows_given <- function(object, changed) {
  lost <- setdiff(intersect(c("weights", "subset"), names(object$call)), names(changed))
  lost <- lost[!vapply(lost, function(arg) is.null(object$call[[arg]]), NA)]
  if (length(lost)) {
    first <- lost[1L]
    tec_abort("data", c(
      "The tree was grown with {.arg {first}}, which a fit does not keep.",
      i = "Give {.arg {first}} again, or use {.code {first} = NULL} to omit it."
    ))
  }
}

# The settings of the first call that the new call does not change.
kept_settings <- function(object, changed) {
  asked <- names(object$call)
  given <- names(changed)
  out <- kept_criterion(object, asked, given)
  if (!"preset" %in% given) out$preset <- object$preset
  for (field in setdiff(intersect(c("cost", "cost_in", "prior", "class_weights"), asked), given)) {
    out[[field]] <- .subset2(object, field)
  }
  if (!"na.action" %in% given) out$na.action <- object$call$na.action
  c(out, kept_control(object, asked, given))
}

# A new q changes the parameter of the given criterion. A new preset has its own criterion.
kept_criterion <- function(object, asked, given) {
  own <- c("q", "criterion", "beta")
  if (!any(own %in% asked)) {
    return(list())
  }
  if (!any(c(own, "preset") %in% given)) {
    return(list(criterion = object$criterion))
  }
  takes_q <- identical(names(object$criterion$parameter), "q")
  if ("q" %in% given && !"criterion" %in% given && "criterion" %in% asked && takes_q) {
    return(list(criterion = object$criterion$name))
  }
  list()
}

kept_control <- function(object, asked, given) {
  if ("control" %in% given) {
    return(list())
  }
  whole <- if ("control" %in% asked) control_names else asked
  # A class of hardhat may have set the meaning of the weights.
  whole <- c(whole, if (counts_frequencies(object)) "weights_as")
  fields <- setdiff(intersect(setting_names(whole), control_names), setting_names(given))
  unclass(object$control)[fields]
}
