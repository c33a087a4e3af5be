# Tested in test-tune-fit.R, test-tune-forest.R and test-tune-boost.R.

#' Methods for results of tuning
#'
#' Functions for trees also accept the result of [tec_tune()]. They use `tuned$fit`, the tree,
#' forest or boosted model of the chosen setting, grown on all rows. [print()][print.tec_tune],
#' [plot()][plot.tec_tune] and [as.data.frame()][as.data.frame.tec_tune] show the compared settings;
#' to apply them to the tree, use `tuned$fit` or `as_tec_tree(tuned)`.
#'
#' For a tree grown with several `q`, use `fit` itself: `fit$tuning` has no tree.
#'
#' @param object,x,tree,formula A result of [tec_tune()].
#' @param ... Arguments of the method for trees, such as `newdata`, `data` or `type`.
#' @return The same as for a tree.
#' @family choosing settings
#' @examples
#' set.seed(1)
#' tuned <- tec_tune(Species ~ ., iris, q = 1:3, folds = 5)
#' summary(tuned)
#' importance(tuned)
#' n_leaves(tuned)
#' tec_rules(tuned)
#' explain(tuned, iris[71, ])
#' plot(tuned$fit)
#' @name tec_tune-methods
#' @evalRd tuned_usage()
#' @evalNamespace paste0("S3method(", tuned_verbs, ",tec_tune)")
#' @rawNamespace S3method(generics::explain, tec_tune)
#' @rawNamespace S3method(dplyr::explain, tec_tune)
#' @rawNamespace S3method(ranger::importance, tec_tune)
#' @rawNamespace S3method(randomForest::importance, tec_tune)
NULL

# Calls a function for trees as the user would have done. Rows and variables are looked up where the
# call came from.
of_chosen <- function(.verb, .x, ..., .generic = get(.verb, topenv(), mode = "function")) {
  if (!inherits(.x, "tec_tune")) {
    tec_abort("argument", c(
      "{.fn {(.verb)}} needs a result of {.fn tec_tune}.", x = "It got {describe(.x)}."
    ))
  }
  do.call(.generic, list(chosen_fit(.x, .verb), ...), quote = TRUE, envir = parent.frame(2L))
}

#' @exportS3Method partykit::as.party
as.party.tec_tune <- function(obj, ...) {
  of_chosen("as.party", obj, ..., .generic = partykit::as.party)
}

# The other functions for models that work for a tuning run. Each has a method whose first argument
# has the same name as in the generic.
tuned_verbs <- c(
  "predict", "summary", "importance", "tec_shap", "explain", "fitted", "residuals", "weights",
  "coef", "df.residual", "deviance", "nobs", "formula", "terms", "variable.names", "labels", "text",
  "tec_scores", "as_tec_tree", "augment", "glance", "printcp", "plotcp", "model.frame", "logLik"
)

tuned_method <- function(verb) {
  args <- formals(function(x, ...) NULL)
  names(args)[1L] <- names(formals(get(verb, mode = "function")))[1L]
  body <- bquote(of_chosen(.(verb), .(as.name(names(args)[1L])), ...))
  rlang::new_function(args, body, topenv())
}

for (verb in tuned_verbs) assign(paste0(verb, ".tec_tune"), tuned_method(verb))
rm(verb)

# The usage section of the help page.
tuned_usage <- function() {
  all <- c(tuned_verbs, "prune")
  first <- vapply(all, function(verb) names(formals(tuned_method(verb)))[1L], "")
  c(
    paste0("\\alias{", all, ".tec_tune}"),
    "\\usage{", paste0("\\method{", all, "}{tec_tune}(", first, ", ...)\n"), "}"
  )
}

plan_tuned_boost <- function(setting, job) {
  space <- job$space
  settings <- setting_arguments(setting, "boost")
  settings["patience"] <- list(NULL)
  # The rounds are chosen here.
  settings$folds <- 0L
  if (!is.null(space$at)) settings$rounds <- max(space$at)
  control <- setting_control(setting, job)
  asked <- list(
    criterion = setting$criterion, na_action = given_action(setting$arguments$na.action),
    words = space$words
  )
  plan_boost(
    job$input, asked, check_boost_settings(settings, control), settings, control,
    chooses = space$stops
  )
}

plan_tuned_forest <- function(setting, job) {
  settings <- setting_arguments(setting, "forest")
  settings$importance <- "none"
  settings <- check_forest_settings(settings)
  own <- setting$arguments
  asked <- c(
    own[intersect(c("cost", "cost_in", "prior", "class_weights"), names(own))],
    list(
      criterion = setting$criterion, na_action = given_action(own$na.action),
      words = job$space$words
    )
  )
  control <- forest_control(setting_control(setting, job), job$input$response, settings$probability)
  list(
    ready = prepare(job$input, asked, control, preset = "forest"), asked = asked,
    settings = settings
  )
}

# list(ready, plan, settings), which all folds of a setting share. Only the first setting gives
# messages and warnings.
plan_of_setting <- function(setting, job, quiet = FALSE) {
  plan <- if (job$space$kind == "forest") plan_tuned_forest else plan_tuned_boost
  if (!quiet) {
    return(plan(setting, job))
  }
  suppressWarnings(
    suppressMessages(plan(setting, job), classes = "tec_message"), classes = "tec_warning"
  )
}

# The settings of tec_control() for one setting. Processes share the processor, so each uses one
# thread.
setting_control <- function(setting, job) {
  own <- setting$arguments[setdiff(names(setting$arguments), job$space$known)]
  control <- merge_control(job$space$control, own, tune_data, "tec_tune")
  if (job$parallel && is.null(control$threads)) control["threads"] <- list(1L)
  control
}

# The arguments of a setting over the defaults of the function.
setting_arguments <- function(setting, model) {
  defaults <- formals(get(paste0("tec_", model, ".default")))
  out <- lapply(defaults[own_arguments[[model]]], eval)
  own <- setting$arguments[intersect(names(setting$arguments), names(out))]
  out[names(own)] <- own
  out$progress <- FALSE
  out
}

tune_data <- c("formula", "data", "x", "y", "weights", "subset", "control", "engine", "table")

# The tree of the chosen setting.

tune_input <- function(input, asked, controls, design, rule, call, env) {
  run <- evaluate_grid(input, asked, controls, design, env)
  tuned <- describe_run(run, rule)
  setting <- run$settings[[tuned$chosen]]
  call_of_fit <- tree_call(call, setting, run$several, controls$given$dots)
  tuned$fit <- grow_setting(run$ready, setting, run$several, input, asked, call_of_fit, env)
  tuned$call <- stored_call(call)
  tuned$call[[1L]] <- quote(tec_tune)
  structure(tuned, class = "tec_tune")
}

# For tec_tree() with several values of q.
tree_of_best_q <- function(input, asked, control, call, env) {
  controls <- control_grid(control, list(), tree_arguments, "tec_tree")
  # Only the given values are compared.
  design <- list(
    repeats = 1, metric = NULL, stratified = TRUE, sample = NULL, widen = FALSE,
    by = asked$by, by_arg = "tune_by"
  )
  run <- evaluate_grid(input, asked, controls, design, env)
  tuned <- describe_run(run, "best")
  penalty <- intersect(run$several, "cp")
  fit <- grow_setting(run$ready, run$settings[[tuned$chosen]], penalty, input, asked, call, env)
  tuned$call <- fit$call
  fit$tuning <- structure(tuned, class = "tec_tune")
  fit
}

# The tree of one setting from all rows, as grown by tec_tree().
grow_setting <- function(ready, setting, several, input, asked, call, env) {
  ready$criterion <- setting$criterion
  ready$control <- setting$control
  if (tuned_penalty(setting, several)) ready$control$folds <- 0
  if (!is.null(setting$alpha)) {
    ready$control$prune <- "ccp"
    ready$control$alpha <- setting$alpha
  }
  with_part_sizes(grow_ready(ready, input, asked, call, env), ready)
}

# The complexity penalty was chosen on the folds of the run, so the tree needs no cross-validation.
tuned_penalty <- function(setting, several) {
  any(c("cp", "alpha") %in% several) && !is.character(setting$control$alpha) &&
    !is.na(complexity_penalty(setting)$penalty)
}

# The call of tec_tree() that grows the chosen tree. `dots`: the settings in the call of tec_tune(),
# under our names.
tree_call <- function(call, setting, several, dots) {
  args <- as.list(call)[-1L]
  settings <- lapply(names(args), settings_of)
  one <- lengths(settings) == 1L
  kept <- setdiff(
    c(tree_arguments, setdiff(control_names, tune_arguments)), c("q", "beta", "criterion", several)
  )
  args <- args[one & vapply(settings, function(s) s[1L] %in% kept, NA)]
  # An argument of another package can stand for several settings, of which some vary.
  own <- intersect(unlist(settings[!one]), intersect(names(dots), kept))
  args[own] <- dots[own]
  args <- c(args, criterion_arguments(setting$criterion))
  args[setdiff(several, "alpha")] <- setting$control[setdiff(several, "alpha")]
  if (!is.null(setting$alpha)) args$alpha <- setting$alpha
  if (tuned_penalty(setting, several)) args$folds <- 0
  as.call(c(list(quote(tec_tree)), args))
}

criterion_arguments <- function(criterion) {
  parameter <- as.list(criterion$parameter)
  if (identical(names(parameter), "q")) {
    return(c(if (criterion$name != "tsallis") list(criterion = criterion$name), parameter))
  }
  name <- criterion$name
  if (length(parameter)) name <- as.call(c(list(quote(tec_criterion), name), parameter))
  list(criterion = name)
}
