# What saves the state after each level. Where that fails the fit goes on without.
checkpoint_keeper <- function(plan, call) {
  file <- plan$engine$checkpoint
  if (is.null(file)) {
    return(function(answers) NULL)
  }
  on <- TRUE
  save <- function(answers) {
    if (!on) {
      return(invisible())
    }
    state <- list(
      plan = plan, answers = answers, call = call,
      version = getNamespaceVersion("tectree")[["version"]]
    )
    failed <- save_whole(structure(state, class = "tec_checkpoint"), file)
    if (!is.null(failed)) {
      on <<- FALSE
      tec_warn("checkpoint", c(
        "No more checkpoints are saved; the fit goes on.",
        x = "{.file {basename(file)}}: {failed}",
        i = if (file.exists(file)) "The last one that was saved is still there."
      ))
    }
  }
  save(list())
  save
}

# NULL, or what went wrong. A file is never left half written: the old one stays until the new one
# can be read.
save_whole <- function(state, file) {
  part <- paste0(file, ".part")
  on.exit(unlink(part))
  tryCatch(
    {
      saveRDS(state, part)
      if (!inherits(readRDS(part), class(state))) stop("It was not written whole.")
      if (!file.rename(part, file)) stop("It could not be renamed.")
      NULL
    },
    error = but_limits(conditionMessage), warning = conditionMessage
  )
}

# Before anything is counted: whether a checkpoint can be saved.
check_checkpoint <- function(file) {
  if (is.null(file)) {
    return(invisible())
  }
  try_out <- tempfile(".tectree", dirname(file))
  failed <- if (dir.exists(file)) {
    paste(basename(file), "is a folder itself.")
  } else {
    save_whole(structure(list(), class = "tec_checkpoint"), try_out)
  }
  unlink(try_out)
  if (!is.null(failed)) {
    tec_abort("checkpoint", c(
      "A checkpoint cannot be saved in the folder {.file {dirname(file)}}.",
      x = "{failed}",
      i = "Name a file in a folder that is there, with room, for {.arg checkpoint}."
    ))
  }
}

read_checkpoint <- function(file) {
  if (!is_string(file) || !file.exists(file)) {
    tec_abort("checkpoint", c(
      "{.arg file} must be a file that a fit saved.",
      x = "It is {describe(file)}.",
      i = "The fit saves it with {.code engine = tec_engine(checkpoint = file)}."
    ))
  }
  saved <- tryCatch(readRDS(file), error = function(e) NULL, warning = function(w) NULL)
  if (!inherits(saved, "tec_checkpoint")) {
    tec_abort("checkpoint", c(
      "{.file {basename(file)}} is not a checkpoint, or it is damaged.",
      i = "Grow the tree again."
    ))
  }
  own <- getNamespaceVersion("tectree")[["version"]]
  if (!identical(saved$version, own)) {
    tec_abort("checkpoint", c(
      "{.file {basename(file)}} was saved by version {saved$version} of tectree.",
      x = "This is version {own}.", i = "Grow the tree again."
    ))
  }
  saved
}

check_same_table <- function(now, then) {
  if (!identical(as.double(now$n), as.double(then$n))) {
    tec_abort("counts", c(
      "The table is not the one of the checkpoint.",
      x = "It has {now$n} rows with a response; it had {then$n}.",
      i = "Grow the tree again."
    ))
  }
}
