# What each preset stands for. `ratio` is min_split / min_bucket, used where
# only one of the two is given; `bucket_from_split` says whether a min_split
# given alone moves min_bucket too, as rpart does.
presets <- list(
  tec = list(
    classification = "tsallis", regression = "l2", nominal = "binary",
    min_bucket = 5, min_split = 10, ratio = 2, bucket_from_split = FALSE,
    missing = "fractional", prune = "none"
  ),
  id3 = list(
    classification = "shannon", regression = "shannon", nominal = "multiway",
    min_bucket = 1, min_split = 2, ratio = 2, bucket_from_split = FALSE,
    missing = "majority", prune = "none"
  ),
  c45 = list(
    classification = "gain_ratio", regression = "gain_ratio", nominal = "multiway",
    min_bucket = 2, min_split = 4, ratio = 2, bucket_from_split = FALSE,
    missing = "fractional", prune = "ebp"
  ),
  cart = list(
    classification = "gini", regression = "l2", nominal = "binary",
    min_bucket = 7, min_split = 20, ratio = 3, bucket_from_split = TRUE,
    missing = "surrogate", prune = "ccp"
  )
)

check_preset <- function(preset) {
  match_choice(preset, names(presets), "preset", topic = "preset")
}

preset_criterion <- function(preset, task) presets[[preset]][[task]]

# Fills what the user left open from the preset.
resolve_control <- function(control, preset) {
  rule <- presets[[preset]]
  control$rules <- control$rules %||% preset_rules(preset)
  size <- resolve_sizes(control$min_split, control$min_bucket, rule)
  control$min_split <- size$split
  control$min_bucket <- size$bucket
  control$nominal <- control$nominal %||% rule$nominal
  control$missing <- control$missing %||% rule$missing
  resolve_prune(control, preset)
}

resolve_sizes <- function(split, bucket, rule) {
  if (is.null(split) && is.null(bucket)) {
    return(list(split = rule$min_split, bucket = rule$min_bucket))
  }
  if (is.null(split)) {
    return(list(split = rule$ratio * bucket, bucket = bucket))
  }
  if (is.null(bucket)) {
    bucket <- if (rule$bucket_from_split) max(1, round(split / rule$ratio)) else rule$min_bucket
  }
  list(split = split, bucket = bucket)
}

# ID3 takes nominal attributes without missing values, and nothing else.
check_id3 <- function(frame, missing_given) {
  numeric <- frame$name[frame$kind == "numeric"]
  if (length(numeric)) {
    tec_abort("preset", c(
      "Preset {.val id3} takes nominal attributes only.",
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
      "Preset {.val id3} takes no missing values.",
      x = "{cli::qty(length(holed))}Column{?s} with missing values: {.field {holed}}.",
      i = "Say with {.arg missing} what to do with them, or use another preset."
    ))
  }
}
