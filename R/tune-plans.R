# Tested in test-tune-forest.R and test-tune-boost.R.

plan_tuned_boost <- function(setting, job) {
  space <- job$space
  settings <- setting_arguments(setting, list(
    method = "gradient", rounds = NULL, rate = NULL, max_depth = NULL, lambda = 1,
    min_weight = 1e-3, sample_fraction = 1, column_fraction = 1, monotone = NULL, offset = NULL,
    cyclic = FALSE, pairs = NULL, bags = 0L
  ))
  settings$progress <- FALSE
  if (!is.null(space$at)) settings$rounds <- max(space$at)
  control <- setting_control(setting, job)
  asked <- list(
    criterion = setting$criterion, na_action = given_action(setting$arguments$na.action),
    words = space$words
  )
  plan <- plan_boost(job$input, asked, check_boost_settings(settings, control), settings, control)
  plan$sample_fraction <- settings$sample_fraction
  plan
}

plan_tuned_forest <- function(setting, job) {
  settings <- setting_arguments(setting, list(
    trees = 500L, mtry = NULL, replace = TRUE, sample_fraction = NULL, sample_weights = NULL,
    by_class = NULL, probability = FALSE
  ))
  settings <- check_forest_settings(c(settings, list(importance = "none", progress = FALSE)))
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

# list(ready, plan, settings): what all folds of a setting share. Messages and warnings are those of
# the first setting.
plan_of_setting <- function(setting, job, quiet = FALSE) {
  plan <- if (job$space$kind == "forest") plan_tuned_forest else plan_tuned_boost
  if (!quiet) {
    return(plan(setting, job))
  }
  suppressWarnings(
    suppressMessages(plan(setting, job), classes = "tec_message"), classes = "tec_warning"
  )
}

# The control of a setting. Processes share the processor, so each keeps to one thread.
setting_control <- function(setting, job) {
  own <- setting$arguments[setdiff(names(setting$arguments), job$space$known)]
  control <- merge_control(job$space$control, own, tune_data, "tec_tune")
  if (job$parallel && is.null(control$threads)) control["threads"] <- list(1L)
  control
}

# The arguments of a setting over the defaults of the function.
setting_arguments <- function(setting, usual) {
  own <- setting$arguments[intersect(names(setting$arguments), names(usual))]
  usual[names(own)] <- own
  usual
}

tune_data <- c("formula", "data", "x", "y", "weights", "subset", "control", "engine", "table")
