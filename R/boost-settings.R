# Tested in test-tec_boost.R.
# Checks the settings of boosting.

boost_methods <- c("gradient", "adaboost")

# Checks all settings that do not depend on the data. Those that are not given are NULL:
# settings_by_rule() fills them in.
check_boost_settings <- function(settings, control) {
  method <- settings$method
  if (identical(method, boost_methods)) method <- "gradient"
  if (is_string(method) && method %in% c("class", "anova", "classification", "regression")) {
    tec_abort("argument", c(
      "{.arg method} must be one of {.or {.val {boost_methods}}}.",
      x = "It is {.val {method}}.",
      i = "The loss follows from the response: for classes make it a factor."
    ))
  }
  method <- match_choice(method, boost_methods, "method")
  ada <- method == "adaboost"
  cyclic <- check_flag(settings$cyclic, "cyclic", topic = "argument")
  if (ada) check_for_adaboost(settings, cyclic)
  depth <- settings$max_depth %||% if (is.finite(control$max_depth)) control$max_depth
  # As in lightgbm, -1 is no limit.
  if (is_number(depth) && depth == -1) depth <- Inf
  check <- function(value, check, ...) if (!is.null(value)) check(value, ...)
  out <- list(
    method = method, cyclic = cyclic, rounds = check(settings$rounds, check_trees, "rounds"),
    rate = check(settings$rate, check_above, "rate", most = if (ada) Inf else 1),
    max_depth = check(depth, check_bound, "max_depth", least = if (ada) 0 else 1, whole = TRUE),
    lambda = check_least_zero(settings$lambda, "lambda"),
    min_weight = check_least_zero(settings$min_weight, "min_weight"),
    min_bucket = control$min_bucket,
    asked_sizes = Filter(function(size) !is.null(control[[size]]), c("min_bucket", "min_split")),
    min_gain = max(control$min_gain %||% 0, 0),
    sample_fraction = settings$sample_fraction, column_fraction = settings$column_fraction,
    patience = check_patience(settings),
    bags = check_count(settings$bags, "bags", least = 0, most = 1e7),
    progress = check_flag(settings$progress, "progress", topic = "argument")
  )
  out$pairs <- check_count(settings$pairs %||% (if (cyclic) 5L else 0L), "pairs", least = 0)
  if (out$pairs > 0L && !cyclic) abort_only_with("pairs", "cyclic = TRUE")
  if (asks_to_choose(settings$folds)) {
    check_count(settings$folds, "folds", least = 2)
    if (asks_to_choose(settings$validation)) {
      tec_abort("argument", c(
        "Rounds are chosen on {.arg validation} or on {.arg folds}.", x = "Both are given."
      ))
    }
  }
  out
}

# Whether `folds` or `validation` is given; 0 turns choosing off.
asks_to_choose <- function(value) !is.null(value) && !(is_number(value) && value == 0)

# Early stopping needs rows on which the loss is measured.
check_patience <- function(settings) {
  if (is.null(settings$patience)) {
    return(NULL)
  }
  patience <- check_count(settings$patience, "patience", least = 1)
  given <- !vapply(settings[c("folds", "validation")], is.null, NA)
  held_out <- asks_to_choose(settings$folds) || asks_to_choose(settings$validation)
  if (any(given) && !held_out) {
    tec_abort("validation", c(
      "{.arg patience} (in xgboost {.arg early_stopping_rounds}) needs held-out rows.",
      x = "{.code {names(given)[given][1L]} = 0}: all rounds would be kept.",
      i = "Leave it out, or give {.code validation = 0.2}, or a data frame of other rows."
    ))
  }
  patience
}

check_for_adaboost <- function(settings, cyclic) {
  other <- function(name, value) {
    one <- settings[[name]] %||% value
    !(is_number(one) && one == value)
  }
  refuse_without("method = \"gradient\"", c(
    validation = asks_to_choose(settings$validation), patience = !is.null(settings$patience),
    folds = asks_to_choose(settings$folds),
    monotone = !is.null(settings$monotone), offset = !is.null(settings$offset), cyclic = cyclic,
    bags = other("bags", 0), sample_fraction = other("sample_fraction", 1),
    column_fraction = other("column_fraction", 1), lambda = other("lambda", 1),
    min_weight = other("min_weight", 1e-3)
  ))
}

check_above <- function(value, arg, most) {
  if (!is_number(value) || value <= 0 || value > most || !is.finite(value)) {
    tec_abort("control", c(
      if (is.finite(most)) {
        "{.arg {arg}} must be one number above 0, and at most {most}."
      } else {
        "{.arg {arg}} must be one finite number above 0."
      },
      x = "It is {describe(value)}."
    ))
  }
  as.double(value)
}

check_least_zero <- function(value, arg) {
  value <- check_bound(value, arg, least = 0)
  if (is.infinite(value)) {
    tec_abort("control", c("{.arg {arg}} must be finite.", x = "It is {describe(value)}."))
  }
  value
}

# Converts a share of `n`, or a number, to a number; 0 means all.
count_share <- function(value, arg, n, what) {
  right <- is_number(value) && value > 0 && (value <= 1 || value == floor(value) && value <= n)
  if (!right) {
    tec_abort("sample", c(
      "{.arg {arg}} must be a share of the {what} up to 1, or a whole number of them.",
      x = "It is {describe(value)}; there are {n}."
    ))
  }
  count <- if (value <= 1) round(value * n) else value
  if (value == 1 || count == n) 0 else max(1, count)
}

# The direction of each column, or NULL.
resolve_monotone <- function(monotone, frame, response) {
  if (is.null(monotone)) {
    return(NULL)
  }
  monotone <- plain_vector(monotone)
  names <- names(monotone)
  p <- length(frame$name)
  right <- is.numeric(monotone) && all(monotone %in% c(-1, 0, 1)) &&
    (!is.null(names) || length(monotone) == p) && !anyDuplicated(names)
  if (!right) {
    tec_abort("monotone", c(
      "{.arg monotone} must contain 1, -1 or 0, named by predictors.",
      x = "It is {describe(monotone)}.",
      i = "For example {.code monotone = c({frame$name[1L]} = 1)}."
    ))
  }
  lost <- setdiff(names, frame$name)
  if (length(lost)) {
    tec_abort("monotone", c(
      "{.arg monotone} contains names that are not predictors.", x = "Not found: {.field {lost}}.",
      suggestion(lost[1L], frame$name)
    ))
  }
  if (length(response$levels) > 2L) {
    tec_abort("monotone", c(
      "{.arg monotone} needs a numeric response or two classes.",
      x = "The response {.field {response$name}} has {length(response$levels)} classes."
    ))
  }
  out <- integer(p)
  out[if (is.null(names)) seq_len(p) else match(names, frame$name)] <- as.integer(monotone)
  free <- frame$name[out != 0L & frame$kind == "nominal"]
  if (length(free)) {
    tec_abort("monotone", c(
      "Only numbers and ordered factors have a direction.",
      x = "{.field {free}} {?is/are} not ordered.", i = "See {.fn ordered}."
    ))
  }
  out
}

# The scores that are added to those of the trees: a matrix with one column per output, or NULL.
resolve_offset <- function(offset, n, outputs) {
  if (is.null(offset)) {
    return(NULL)
  }
  offset <- plain_vector(offset)
  right <- is.numeric(offset) && NROW(offset) == n && NCOL(offset) == outputs &&
    all(is.finite(offset))
  if (!right) {
    tec_abort("offset", c(
      if (outputs == 1L) {
        "{.arg offset} must have one finite number per row."
      } else {
        "{.arg offset} must be a matrix of finite numbers, with a row for each row and a \\
         column for each of the {outputs} classes."
      },
      x = "It is {describe(offset)}; there {cli::qty(n)}{?is/are} {n} row{?s}."
    ))
  }
  matrix(as.double(offset), n, outputs)
}
