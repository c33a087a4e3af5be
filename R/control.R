eligible_rules <- c("default", "all", "mean", "mean_sd")
control_names <- c(
  "min_split", "min_bucket", "max_depth", "max_leaves", "min_gain", "nominal", "intervals",
  "missing", "max_surrogate", "use_surrogate", "surrogate_style", "unseen", "prune", "eligible",
  "rules", "threads", "cf", "raise", "collapse", "cp", "alpha", "folds", "risk",
  "min_weighted_gain", "min_bucket_share", "min_impurity", "ties", "max_features", "splitter",
  "penalties", "smooth", "smooth_to", "honest", "lookahead", "alpha_merge", "alpha_split",
  "alpha_resplit", "p_adjust", "max_p", "p_by", "permutations", "weights_as"
)
missing_policies <- c(
  "fractional", "majority", "mode", "learned", "surrogate", "drop", "category"
)

default_threads <- function(threads = NULL) {
  if (!is.null(threads)) {
    return(check_count(threads, "threads", least = 1))
  }
  option <- getOption("tectree.threads")
  if (!is.null(option)) {
    return(check_count(option, "tectree.threads", least = 1))
  }
  cores <- tec_cores_()
  # CRAN's checks set this where at most two cores may be used.
  if (nzchar(Sys.getenv("_R_CHECK_LIMIT_CORES_"))) {
    cores <- min(cores, 2L)
  }
  limit <- suppressWarnings(as.integer(Sys.getenv("OMP_THREAD_LIMIT")))
  if (!is.na(limit) && limit >= 1L) min(cores, limit) else cores
}

core_control <- function(control) {
  control$threads <- default_threads(control$threads)
  control$rules <- control$rules %||% "exact"
  # A formula needs no permutations.
  if (!by_permutation(control)) control$permutations <- 0L
  unclass(control)[control_names[!control_names %in% c(prune_settings, outside_core)]]
}
outside_core <- c(
  "unseen", "ties", "max_features", "splitter", "smooth", "smooth_to", "honest", "p_by",
  "weights_as"
)

shown_setting <- function(v) if (length(v) == 1L) format(v) else paste(length(v), "values")

#' @export
print.tec_control <- function(x, ...) {
  plain_numbers()
  refuse_dots("tec_control", ...)
  shown <- vapply(x, function(v) if (is.null(v)) "(default)" else shown_setting(v), "")
  writeLines(c("<tec_control>", paste0("  ", format(names(shown)), " ", shown)))
  invisible(x)
}
