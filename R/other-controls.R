# Settings under the names that other tools have for them.

# Arguments with every name ours. `known`: those that are not to be touched; `given`: names given
# beside them.
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
      out[name] <- dots[name]
      next
    }
    settings <- own_settings(entry, dots[[name]])
    main <- names(settings)[1L]
    if (length(main) && main %in% c(names(out), given)) abort_twice(name, main)
    # What a word brings along gives way to what is said outright.
    new <- setdiff(names(settings), c(names(out), given, names[!foreign]))
    out[new] <- settings[new]
  }
  out
}

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
  ours <- with_our_names(control, character())
  theirs <- setdiff(names(ours), control_names)
  entries <- lapply(theirs, find_word, kind = "argument")
  # Of words that the table does not know, those of tec_tree() itself belong elsewhere.
  lost <- theirs[lengths(entries) > 0L | theirs %in% tree_arguments]
  check_known(setdiff(dot_names(ours), lost), control_names, "tec_control")
  said <- lost[!vapply(lost, function(name) is_no_change(name, control[[name]]), NA)]
  if (length(said)) {
    more <- length(said) - 8L
    said <- paste0(toString(utils::head(said, 8L)), if (more > 0L) paste(" and", more, "more"))
    tec_inform("control", c(
      "Settings of {.arg control} that have no equal here are left out: {said}."
    ))
  }
  ours[intersect(names(ours), control_names)]
}

# Whether a setting without an equal has the value that changes nothing.
is_no_change <- function(name, value) {
  default <- find_word("argument", name)$default
  if (is.function(default)) {
    return(default(value))
  }
  any(vapply(as.list(default), function(d) isTRUE(all.equal(d, value)), NA))
}

# The settings that arguments of a call stand for.
setting_names <- function(names) {
  unlist(lapply(names, function(name) {
    entry <- if (!name %in% control_names) find_word("argument", name)
    if (is.null(entry$ours)) name else names(own_settings(entry, TRUE))
  }))
}
