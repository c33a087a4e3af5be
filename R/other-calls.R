# Tested in test-other-words.R.
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
