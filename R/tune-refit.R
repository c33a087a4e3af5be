# Tested in test-tune-fit.R.
# The tree of one setting from all rows: what tec_tree() grows.
grow_setting <- function(ready, setting, several, input, asked, call, env) {
  ready$criterion <- setting$criterion
  ready$control <- setting$control
  if (tuned_penalty(setting, several)) ready$control$folds <- 0
  if (!is.null(setting$alpha)) {
    ready$control$prune <- "ccp"
    ready$control$alpha <- setting$alpha
  }
  grow_ready(ready, input, asked, call, env)
}

# The complexity penalty was chosen on the folds of the run, so the tree needs no cross-validation.
tuned_penalty <- function(setting, several) {
  any(c("cp", "alpha") %in% several) && !is.character(setting$control$alpha) &&
    !is.na(complexity_penalty(setting)$penalty)
}

# The call of tec_tree() that grows the chosen tree. `dots` are the settings that the call of
# tec_tune() gives, under our names.
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
  criterion <- setting$criterion
  parameter <- as.list(criterion$parameter)
  if (identical(names(parameter), "q")) {
    if (criterion$name != "tsallis") args$criterion <- criterion$name
    args$q <- parameter$q
  } else {
    args$criterion <- criterion$name
    if (length(parameter)) {
      args$criterion <- as.call(c(list(quote(tec_criterion), criterion$name), parameter))
    }
  }
  args[setdiff(several, "alpha")] <- setting$control[setdiff(several, "alpha")]
  if (!is.null(setting$alpha)) args$alpha <- setting$alpha
  if (tuned_penalty(setting, several)) args$folds <- 0
  as.call(c(list(quote(tec_tree)), args))
}
