# Tested in test-other-words.R and test-other-controls.R.
# Arguments of other packages for tec_tree() and tec_tune() themselves, not for tec_control(): the
# call is rewritten with our arguments and evaluated.

call_words <- c("parms", "random_state", "seed", "scoring")

# `words`: the entries of call_words that the function accepts.
other_call <- function(dots, words) any(dot_names(dots) %in% words)

# `call`: match.call() of the method, without its `...`, whose values are `dots`.
make_own_call <- function(call, method, dots, words, env) {
  theirs <- dots[dot_names(dots) %in% words]
  own <- c(
    if (!is.null(theirs[["parms"]])) parms_as_arguments(theirs[["parms"]]),
    if (!is.null(theirs[["scoring"]])) list(metric = theirs[["scoring"]])
  )
  words_of <- c(
    criterion = "parms$split", prior = "parms$prior", cost = "parms$loss", metric = "scoring"
  )
  for (name in intersect(names(own), names(call))) abort_twice(words_of[[name]], name)
  seed <- check_seed(theirs)
  call[[1L]] <- method
  call[["..."]] <- NULL
  call <- as.call(c(as.list(call), own, dots[!dot_names(dots) %in% words]))
  if (is.null(seed)) eval(call, env) else with_own_seed(seed, eval(call, env))
}

# rpart's list of `split`, `prior` and `loss`, whose names may be shortened.
parms_as_arguments <- function(parms) {
  ours <- c(split = "criterion", prior = "prior", loss = "cost")
  at <- pmatch(dot_names(parms), names(ours))
  if (!is.list(parms) || anyNA(at)) {
    named <- is.list(parms) && all(nzchar(dot_names(parms)))
    tec_abort("argument", c(
      "{.arg parms} must be a list of {.field {names(ours)}}, or some of them.",
      x = if (named) "It has {.field {names(parms)[is.na(at)]}}." else "It is {describe(parms)}."
    ))
  }
  names(parms) <- names(ours)[at]
  if (!is.null(parms$split)) parms$split <- parms_split(parms$split)
  parms <- parms[lengths(parms) > 0L]
  stats::setNames(parms, ours[names(parms)])
}

parms_split <- function(split) {
  splits <- c("gini", "information")
  at <- if (is.character(split) && length(split) == 1L) pmatch(split, splits) else NA
  if (is.na(at)) {
    tec_abort("criterion", c(
      "{.code split} of {.arg parms} must be {.or {.val {splits}}}.",
      x = "It is {describe(split)}.",
      i = "For others use {.arg criterion}: see {.fn tec_criteria}."
    ))
  }
  splits[at]
}

# NULL where there is none, or scikit-learn's None.
check_seed <- function(dots) {
  seed <- dots[["random_state"]] %||% dots[["seed"]]
  name <- if (is.null(dots[["random_state"]])) "seed" else "random_state"
  if (!is.null(seed) && (!is_number(seed) || seed != round(seed) || abs(seed) > 2^31 - 1)) {
    tec_abort("argument", c(
      "{.arg {name}} must be one whole number.",
      x = "It is {describe(seed)}.",
      i = "It is what {.fn set.seed} would take."
    ))
  }
  seed
}

# `code` uses the seed; the state of the generator is restored afterwards.
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

# Accepted if they agree with the response.
check_task_word <- function(words, response) {
  for (name in names(words)) {
    value <- words[[name]]
    wanted <- if (value %in% c("class", "classification")) "classification" else "regression"
    if (wanted != response$task) {
      is <- if (response$task == "classification") "holds classes" else "is numeric"
      said <- attr(value, "said") %||% paste0(name, " = \"", value, "\"")
      tec_abort("response", c(
        "{.code {said}} is for {wanted}.",
        x = "The response {.field {response$name}} {is}.",
        i = if (wanted == "classification") "Make it a factor: {.code factor({response$name})}."
      ))
    }
  }
}

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
