# The defaults of settings that are NULL, unless a preset sets them.
usual_settings <- list(
  nominal = "binary", free_levels = Inf, missing = "fractional", min_gain = 0, smooth = 0,
  rules = "exact", collapse = FALSE, penalties = "weakest_link"
)

# The settings of each preset. `ratio` is min_split / min_bucket, used if only one of the two is
# given. `forest` has the settings of trees in tec_forest(); it is not a preset of tec_tree().
presets <- list(
  tec = list(
    classification = "tsallis", regression = "l2",
    min_bucket = 5, min_split = 10, ratio = 2,
    free_levels = 10, prune = "auto", smooth = 2
  ),
  id3 = list(
    classification = "shannon", regression = "shannon", nominal = "multiway",
    min_bucket = 1, min_split = 2, ratio = 2,
    missing = "majority", prune = "none", min_gain = -Inf
  ),
  c45 = list(
    classification = "gain_ratio", regression = "gain_ratio", nominal = "multiway",
    min_bucket = 2, min_split = 4, ratio = 2,
    prune = "ebp", rules = "c45", collapse = TRUE
  ),
  cart = list(
    classification = "gini", regression = "l2",
    min_bucket = 7, min_split = 20, ratio = 3,
    missing = "surrogate", prune = "ccp", penalties = "rpart"
  ),
  chaid = list(
    classification = "chisq", regression = "l2", nominal = "multiway",
    min_bucket = 7, min_split = 20, ratio = 3,
    missing = "category", prune = "none", rules = "chaid"
  ),
  forest = list(
    classification = "gini", regression = "l2",
    min_bucket = 1, min_split = 2, ratio = 2,
    free_levels = 10, missing = "learned", prune = "none"
  )
)
presets$chaid_exhaustive <- presets$chaid
presets$chaid_exhaustive$rules <- "chaid_exhaustive"
presets <- lapply(presets, function(rule) {
  c(rule, usual_settings[setdiff(names(usual_settings), names(rule))])
})
preset_names <- setdiff(names(presets), "forest")

check_preset <- function(preset) {
  preset <- our_word("preset", preset, preset_names)
  match_choice(preset, preset_names, "preset", topic = "preset")
}

# CHAID has its own test for ordered classes.
preset_criterion <- function(preset, task, ordered = FALSE) {
  if (ordered && preset %in% chaid_rules) "row_effects" else presets[[preset]][[task]]
}

# Fills settings that the user did not give from the preset.
resolve_control <- function(control, preset) {
  rule <- presets[[preset]]
  # Setting a field of an object with a class takes several times as long.
  class <- class(control)
  control <- unclass(control)
  for (name in names(usual_settings)) {
    if (is.null(control[[name]])) control[[name]] <- rule[[name]]
  }
  size <- resolve_sizes(control$min_split, control$min_bucket, rule)
  control$min_split <- size$split
  control$min_bucket <- size$bucket
  control$intervals <- control$intervals %||% if (by_chaid(control)) 10L else 2L
  structure(resolve_prune(control, preset), class = class)
}

# If only one of the two sizes is given, the other is derived from it. Two branches of min_bucket
# always fit into min_split, so that a small min_split has an effect.
resolve_sizes <- function(split, bucket, rule) {
  if (is.null(split) && is.null(bucket)) {
    return(list(split = rule$min_split, bucket = rule$min_bucket))
  }
  split <- split %||% (rule$ratio * bucket)
  bucket <- bucket %||% max(1, min(round(split / rule$ratio), floor(split / 2)))
  list(split = split, bucket = bucket)
}

# ID3 accepts only nominal attributes without missing values.
check_id3 <- function(frame, missing_given) {
  numeric <- frame$name[frame$kind == "numeric"]
  if (length(numeric)) {
    tec_abort("preset", c(
      "Preset {.val id3} accepts only nominal attributes.",
      x = "{cli::qty(length(numeric))}Numeric column{?s}: {.field {numeric}}.",
      i = "Cut them into classes with {.fn cut}, or use {.code preset = \"c45\"}."
    ))
  }
  if (missing_given) {
    return(invisible())
  }
  holed <- frame$name[frame$has_missing]
  if (length(holed)) {
    tec_abort("preset", c(
      "Preset {.val id3} does not accept missing values.",
      x = "{cli::qty(length(holed))}Column{?s} with missing values: {.field {holed}}.",
      i = "Set {.arg missing} to handle them, or use another preset."
    ))
  }
}

# Resolves the pruning of a call: afterwards `prune` is one of prune_methods.
resolve_prune <- function(control, preset) {
  asks_ccp <- is.character(control$alpha) || isTRUE(control$alpha > 0) || isTRUE(control$cp > 0)
  penalties <- c("alpha", "cp")[!c(is.null(control$alpha), is.null(control$cp))]
  method <- control$prune
  if (is.null(method)) {
    method <- if (asks_ccp || is.numeric(control$alpha)) "ccp" else presets[[preset]]$prune
    # A penalty of 0 means no pruning.
    if (method == "auto" && !is.null(control$cp)) method <- "none"
  } else if (method != "ccp" && asks_ccp) {
    tec_abort("prune", c(
      "{.arg {penalties}} {?is/are} for {.code prune = \"ccp\"}.",
      x = "{.arg prune} is {.val {method}}.",
      i = "Leave one of the two out."
    ))
  }
  if (length(penalties) == 2L && is.numeric(control$alpha)) {
    tec_abort("prune", c(
      "{.arg alpha} and {.arg cp} are two names for the same penalty.",
      x = "Both are numbers.",
      i = "Give one: {.arg alpha} is in units of the risk, {.arg cp} is a share of the root's risk."
    ))
  }
  control$prune <- method
  # "auto" decides once the rows are known.
  if (method != "auto") control$folds <- control$folds %||% 10
  if (method == "ccp" && length(penalties) == 0L) {
    control$cp <- 0.01
  }
  control
}
