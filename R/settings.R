# The table of the settings of trees. It defines the arguments of tec_control() with their defaults
# and checks, `control_names`, the settings that the core gets, and the parameters of mlr3's
# learners.

# A setting: its default, its kind with the check, whether the core gets it (under its name), the
# models in which it has an effect, and whether it is for classification only. If the default is
# NULL, the preset (preset.R) or other settings decide, and NULL is always valid.
setting <- function(default, kind, core = TRUE, models = many_models, classes = FALSE) {
  check <- kind$check
  if (is.null(default)) {
    kind$check <- function(value, arg) if (!is.null(value)) check(value, arg)
  }
  c(list(default = default, core = core, models = models, classes = classes), kind)
}

# The kinds of settings. `type` is the type of mlr3's parameter.
a_number <- function(least = -Inf, most = Inf,
                     check = function(value, arg) check_bound(value, arg, least)) {
  list(type = "number", bounds = c(least, most), check = check)
}

a_whole <- function(least, most = Inf,
                    check = function(value, arg) check_count(value, arg, least)) {
  list(type = "whole", bounds = c(least, most), check = check)
}

# A whole number or Inf; NULL means Inf.
a_limit <- function(least) {
  a_whole(least, check = function(value, arg) {
    check_bound(value %||% Inf, arg, least, whole = TRUE)
  })
}

a_code <- function(codes) {
  a_whole(min(codes), max(codes), function(value, arg) check_code(value, arg, codes))
}

a_word <- function(..., check = function(value, arg) match_choice(value, words, arg, "control")) {
  words <- c(...)
  list(type = "word", words = words, check = check)
}

a_flag <- function() list(type = "flag", check = function(value, arg) check_flag(value, arg))

# A setting with its own check.
anything <- function(check) list(type = "any", check = by_itself(check))

by_itself <- function(check) function(value, arg) check(value)

# "boost" is gradient boosting.
every_model <- c("tree", "forest", "adaboost", "boost")
many_models <- setdiff(every_model, "boost")

tree_settings <- list(
  min_split = setting(NULL, a_number(1)),
  min_bucket = setting(NULL, a_number(1), models = every_model),
  max_depth = setting(Inf, a_limit(0), models = every_model),
  max_leaves = setting(Inf, a_limit(1), models = every_model),
  min_gain = setting(NULL, a_number(), models = every_model),
  nominal = setting(NULL, a_word("binary", "multiway", "ordered")),
  intervals = setting(NULL, a_whole(2)),
  free_levels = setting(NULL, a_number(2, check = function(value, arg) {
    check_bound(value, arg, 2, whole = TRUE)
  })),
  missing = setting(NULL, a_word(missing_policies)),
  max_surrogate = setting(5L, a_whole(0), models = "tree"),
  use_surrogate = setting(2L, a_code(0:2), models = "tree"),
  surrogate_style = setting(0L, a_code(0:1), models = "tree"),
  unseen = setting("missing", a_word("missing", "error"), core = FALSE, models = every_model),
  prune = setting(NULL, a_word(prune_methods, check = by_itself(check_pruner)),
    core = FALSE, models = "tree"
  ),
  eligible = setting("default", a_word("default", "all", "mean", "mean_sd")),
  rules = setting(NULL, a_word("exact", "c45", chaid_rules)),
  threads = setting(NULL, a_whole(1), models = every_model),
  cf = setting(0.25, a_number(0, 0.5, by_itself(check_cf)),
    core = FALSE, models = "tree", classes = TRUE
  ),
  raise = setting(TRUE, a_flag(), core = FALSE, models = "tree", classes = TRUE),
  collapse = setting(NULL, a_flag(), core = FALSE, models = "tree", classes = TRUE),
  cp = setting(NULL, a_number(0, check = by_itself(check_cp)), core = FALSE, models = "tree"),
  alpha = setting(NULL, anything(check_alpha), core = FALSE, models = "tree"),
  folds = setting(NULL, anything(check_folds), core = FALSE, models = "tree"),
  risk = setting(NULL, a_word(risk_kinds), core = FALSE, models = "tree", classes = TRUE),
  min_weighted_gain = setting(0, a_number(0)),
  min_bucket_share = setting(0, a_number(0, 0.5, check_share)),
  min_impurity = setting(0, a_number(0)),
  ties = setting("first", a_word("first", "random"), core = FALSE),
  max_features = setting(NULL, anything(check_max_features), core = FALSE),
  splitter = setting("best", a_word("best", "random"), core = FALSE),
  penalties = setting(NULL, a_word(penalty_rules), core = FALSE, models = "tree"),
  smooth = setting(NULL, anything(check_smooth), core = FALSE, models = "tree"),
  smooth_to = setting("even", a_word("even", "root"), core = FALSE, models = "tree"),
  honest = setting(FALSE, anything(check_honest), core = FALSE, models = "tree"),
  lookahead = setting(1, a_number(1, check = by_itself(check_tried)), models = "tree"),
  alpha_merge = setting(0.05, a_number(0, 1, check_alpha_level), models = "tree"),
  alpha_split = setting(0.05, a_number(0, 1, check_alpha_level), models = "tree"),
  # Its upper bound is `alpha_merge`, see tec_control().
  alpha_resplit = setting(0, a_number(0, 1, by_itself(identity)), models = "tree"),
  p_adjust = setting("bonferroni", a_word("bonferroni", "none"), models = "tree"),
  max_p = setting(1, a_number(0, 1, check_alpha_level)),
  p_by = setting(NULL, a_word("formula", "permutation"), core = FALSE),
  permutations = setting(999L, a_whole(19)),
  weights_as = setting("importance", a_word("importance", "frequency"),
    core = FALSE, models = every_model
  )
)

control_names <- names(tree_settings)
control_defaults <- lapply(tree_settings, `[[`, "default")
core_names <- control_names[vapply(tree_settings, `[[`, NA, "core")]

# The settings for the core.
core_control <- function(control) {
  # Setting a field of an object with a class takes several times as long.
  control <- unclass(control)
  control$threads <- default_threads(control$threads)
  control$rules <- control$rules %||% "exact"
  # Fits of earlier versions have none.
  control$free_levels <- control$free_levels %||% Inf
  # A formula needs no permutations.
  if (!by_permutation(control)) control$permutations <- 0L
  control[core_names]
}

# `given`: settings by name, in any order.
checked_settings <- function(given) {
  given <- given[control_names[control_names %in% names(given)]]
  for (name in names(given)) {
    given[name] <- list(tree_settings[[name]]$check(given[[name]], name))
  }
  given
}
