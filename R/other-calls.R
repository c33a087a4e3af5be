# Tested in test-other-words.R, test-other-controls.R and test-forest-words.R.
# Translates arguments of other packages. If they stand for arguments of a fitting function (their
# kind has the name of the function: "tree", "forest", ...), they are translated in its call, which
# is evaluated again: columns of `data`, and the call as printed, stay as written. If they stand for
# settings of tec_control() (their kind is "argument"), they are translated as values.

seed_words <- c("seed", "random_state")
seeded_models <- c("tree", "tune", "forest", "boost", "rotation")

# `names`: the names of the arguments in `...`.
has_other_words <- function(names, model) {
  any(names %in% words_by_kind[[model]]$theirs) ||
    model %in% seeded_models && any(names %in% seed_words)
}

# `call`: match.call(expand.dots = FALSE) of the method whose frame is `frame`.
eval_translated <- function(call, method, model, frame, env) {
  dots <- as.list(call[["..."]])
  call[["..."]] <- NULL
  call[[1L]] <- method
  value <- function(i) eval(call("...elt", i), frame)
  seeds <- model %in% seeded_models & dot_names(dots) %in% seed_words
  seed <- check_seed(stats::setNames(lapply(which(seeds), value), names(dots)[seeds]))
  own <- translate(dots[!seeds], model, names(call), value = function(i) value(which(!seeds)[i]))
  call <- as.call(c(as.list(call), own))
  if (is.null(seed)) eval(call, env) else with_own_seed(seed, eval(call, env))
}

# Renames arguments of a call to our names. `given`: names of other arguments of the call; `known`:
# names that stay; `value`: a function that returns the value at a position, if `args` are
# expressions.
translate <- function(args, kind, given = character(), known = arguments_of(kind),
                      value = function(i) args[[i]]) {
  names <- dot_names(args)
  out <- list()
  for (i in seq_along(args)) {
    name <- names[i]
    entry <- if (nzchar(name) && !name %in% known) find_word(kind, name)
    one <- args[i]
    if (!is.null(entry$ours)) {
      plain <- is.null(entry$convert)
      one <- if (plain) stats::setNames(one, entry$ours) else converted(entry, name, value(i))
      # An explicit setting wins over a setting that a word implies, and any setting over NULL.
      taken <- names(one) %in% c(names(out), given, names[-i])
      if (plain && taken && is.null(value(i))) next
      twice <- names(one)[if (kind == "argument") taken[seq_len(min(1L, length(one)))] else taken]
      twice <- setdiff(twice, attr(one, "implied"))
      if (length(twice)) abort_twice(attr(one, "said")[twice[1L]] %||% name, twice[1L])
      one <- one[!taken]
    } else if (!is.null(entry)) {
      one <- without_counterpart(entry, one, value(i))
    }
    out <- c(out, one)
  }
  out
}

# Our settings for the value of a word. The result may become a part of a call.
converted <- function(entry, name, value) {
  wrong <- but_limits(function(e) {
    if (inherits(e, "tec_error")) stop(e)
    abort_found(
      "{.arg {name}} (of {entry$tool}) does not take this value.", value,
      i = "Here it is {.arg {entry$ours}}."
    )
  })
  out <- tryCatch(entry$convert(value), error = wrong, warning = wrong)
  out[] <- lapply(out, function(x) if (is.language(x)) call("quote", x) else x)
  out
}

# An argument without a counterpart: nothing if its value has no effect, otherwise an error. A
# setting is returned, because only the caller knows whether it came from tec_control() or a list.
without_counterpart <- function(entry, one, value) {
  setting <- entry$kind == "argument"
  if (!(setting && is.function(entry$default)) && is_no_change(entry, value)) {
    return(list())
  }
  if (!setting) {
    tec_abort("argument", c(
      "{.fn tec_{entry$kind}} has no argument {.arg {names(one)}}.",
      x = "{.arg {names(one)}} is an argument of {entry$tool}.",
      i = "{upper_first(entry$advice)}."
    ))
  }
  one
}

# Renames settings of tec_control() to our names. `known`: names that stay; `given`: names of other
# arguments.
with_our_names <- function(dots, known, given = character()) {
  names <- dot_names(dots)
  foreign <- !names %in% c(known, control_names) & nzchar(names)
  if (!any(foreign)) {
    return(dots)
  }
  given <- c(given, names[!foreign])
  c(dots[!foreign], translate(dots[foreign], "argument", given, character()))
}

# The seed, or NULL if there is none (or it is None, as in scikit-learn).
check_seed <- function(dots) {
  seed <- dots[["random_state"]] %||% dots[["seed"]]
  name <- if (is.null(dots[["random_state"]])) "seed" else "random_state"
  if (!is.null(seed) && (!is_number(seed) || seed != round(seed) || abs(seed) > 2^31 - 1)) {
    tec_abort("argument", c(
      "{.arg {name}} must be one whole number.",
      x = "It is {describe(seed)}.",
      i = "Give a number that {.fn set.seed} accepts."
    ))
  }
  seed
}

# Runs `code` with the seed and restores the state of the generator afterwards.
with_own_seed <- function(seed, code) {
  before <- globalenv()$.Random.seed
  on.exit({
    if (is.null(before)) {
      rm(".Random.seed", envir = globalenv())
    } else {
      assign(".Random.seed", before, envir = globalenv())
    }
  })
  set.seed(seed)
  code
}

# `method` of rpart() or `mode` of parsnip.
task_words <- function(dots) dots[dot_names(dots) %in% c("method", "mode")]

# These words are accepted if they agree with the response.
check_task_word <- function(words, response) {
  for (name in names(words)) {
    value <- words[[name]]
    wanted <- if (value %in% c("class", "classification")) "classification" else "regression"
    if (wanted != response$task) {
      is <- if (response$task == "classification") "has classes" else "is numeric"
      said <- attr(value, "said") %||% paste0(name, " = \"", value, "\"")
      tec_abort("response", c(
        "{.code {said}} is for {wanted}.",
        x = "The response {.field {response$name}} {is}.",
        i = if (wanted == "classification") "Make it a factor: {.code factor({response$name})}."
      ))
    }
  }
}

# The settings as named in other packages.

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
      "{.arg control} must be a list of settings, preferably from {.fn tec_control}.",
      x = "It is {describe(control)}."
    ))
  }
  control <- lapply(unclass(control), identity)
  # From ctree_control(), where mincriterion has the same meaning.
  if (identical(control$criterion, "p.value")) control$criterion <- NULL
  # It has another meaning there, without a counterpart here.
  if (is.logical(control$lookahead)) control$lookahead <- NULL
  # From chaid_control().
  if (isTRUE(control$stump) && !is.null(control$alpha2)) control$maxheight <- 1L
  ours <- with_our_names(control, character())
  theirs <- setdiff(names(ours), control_names)
  entries <- lapply(theirs, find_word, kind = "argument")
  # Arguments of tec_tree() itself are not settings either.
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
      "Settings of {.arg control} without a counterpart here are ignored: {toString(said)}.",
      if (length(advice)) {
        stats::setNames(paste0(upper_first(escape_braces(advice)), "."), rep("i", length(advice)))
      }
    ))
  }
  ours[intersect(names(ours), control_names)]
}

# Whether the value of a setting without a counterpart has no effect.
is_no_change <- function(entry, value) {
  default <- entry$default
  if (is.function(default)) {
    return(default(value))
  }
  any(vapply(as.list(default), function(d) {
    isTRUE(all.equal(d, value, check.attributes = FALSE))
  }, NA))
}

# Our settings for an argument of a call. Some arguments have a different meaning below 1.
settings_of <- function(name) {
  entry <- if (!name %in% control_names) find_word("argument", name)
  if (is.null(entry$ours)) {
    return(name)
  }
  unique(unlist(lapply(list(TRUE, 0.1), function(value) {
    names(or_null(own_settings(entry, value)))
  })))
}

setting_names <- function(names) unlist(lapply(names, settings_of))
