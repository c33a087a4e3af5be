# Settings under their names in other packages.

own_settings <- function(entry, value) {
  if (is.null(entry$convert)) stats::setNames(list(value), entry$ours) else entry$convert(value)
}

abort_twice <- function(name, ours) {
  tec_abort("argument", c(
    "{.arg {name}} is another name of {.arg {ours}}.",
    x = "Both are given.",
    i = "Give one of them."
  ))
}

# A list of settings, such as rpart.control() makes, as arguments of tec_control().
control_list <- function(control) {
  if (!is.list(control) || is.data.frame(control)) {
    tec_abort("control", c(
      "{.arg control} must be a list of settings, best made by {.fn tec_control}.",
      x = "It is {describe(control)}."
    ))
  }
  control <- lapply(unclass(control), identity)
  # Of ctree_control(), where mincriterion says the same.
  if (identical(control$criterion, "p.value")) control$criterion <- NULL
  # Another thing there, which has no counterpart.
  if (is.logical(control$lookahead)) control$lookahead <- NULL
  # Of chaid_control().
  if (isTRUE(control$stump) && !is.null(control$alpha2)) control$maxheight <- 1L
  ours <- with_our_names(control, character())
  theirs <- setdiff(names(ours), control_names)
  entries <- lapply(theirs, find_word, kind = "argument")
  # Arguments of tec_tree() itself are no settings either.
  lost <- theirs[lengths(entries) > 0L | theirs %in% tree_arguments]
  check_known(setdiff(dot_names(ours), lost), control_names, "tec_control")
  changes <- vapply(lost, function(name) {
    !is_no_change(find_word("argument", name), control[[name]])
  }, NA)
  if (any(changes)) {
    said <- lost[changes]
    advice <- unlist(lapply(said, function(name) find_word("argument", name)$advice))
    advice <- setdiff(advice, no_equal)
    tec_inform("control", c(
      "Settings of {.arg control} without a counterpart here are left out: {toString(said)}.",
      if (length(advice)) {
        stats::setNames(paste0(upper_first(escape_braces(advice)), "."), rep("i", length(advice)))
      }
    ))
  }
  ours[intersect(names(ours), control_names)]
}

# Whether a setting without a counterpart has a value without effect.
is_no_change <- function(entry, value) {
  default <- entry$default
  if (is.function(default)) {
    return(default(value))
  }
  any(vapply(as.list(default), function(d) {
    isTRUE(all.equal(d, value, check.attributes = FALSE))
  }, NA))
}

# Our settings for an argument of a call. Some arguments have another meaning below 1.
settings_of <- function(name) {
  entry <- if (!name %in% control_names) find_word("argument", name)
  if (is.null(entry$ours)) {
    return(name)
  }
  unique(unlist(lapply(list(TRUE, 0.1), function(value) names(own_settings(entry, value)))))
}

setting_names <- function(names) unlist(lapply(names, settings_of))

# Renames arguments of other tools to ours. `known`: names that stay; `given`: names of arguments
# given beside these.
with_our_names <- function(dots, known, given = character()) {
  names <- dot_names(dots)
  foreign <- !names %in% c(known, control_names) & nzchar(names)
  if (!any(foreign)) {
    return(dots)
  }
  out <- dots[!foreign]
  for (name in names[foreign]) {
    entry <- find_word("argument", name)
    if (is.null(entry$ours)) {
      if (is.function(entry$default) || !is_no_change(entry, dots[[name]])) out[name] <- dots[name]
      next
    }
    settings <- own_settings(entry, dots[[name]])
    main <- names(settings)[1L]
    if (length(main) && main %in% c(names(out), given)) abort_twice(name, main)
    # An explicit setting wins over one that a word implies.
    new <- setdiff(names(settings), c(names(out), given, names[!foreign]))
    out[new] <- settings[new]
  }
  out
}
