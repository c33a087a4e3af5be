#' Go on with an interrupted tree
#'
#' Growth from a database or files with `engine = tec_engine(checkpoint = file)` saves what was
#' counted after each level. `tec_resume()` goes on from there, on a new connection or in another
#' session. The tree is the one that growth without the interruption would have given.
#'
#' @param file The file that was given as `checkpoint`.
#' @param data The same table: a lazy table, a connection, paths of Parquet files, or a cluster.
#' @param table The name of the table, where `data` is a connection or a cluster; of a cluster also
#'   a function.
#' @param engine Settings from [tec_engine()]; `NULL`: those of the call that was interrupted.
#' @param validation For `prune = "rep"`: the rows that the call had.
#' @return A tree, as from [tec_tree()].
#' @family trees of data elsewhere
#' @examplesIf requireNamespace("RSQLite", quietly = TRUE)
#' file <- tempfile(fileext = ".rds")
#' con <- DBI::dbConnect(RSQLite::SQLite())
#' DBI::dbWriteTable(con, "iris", iris)
#' engine <- tec_engine(collect_rows = 0, checkpoint = file)
#' fit <- tec_tree(Species ~ ., con, table = "iris", prune = "none", engine = engine)
#' again <- tec_resume(file, con, table = "iris")
#' identical(fit$tree, again$tree)
#' DBI::dbDisconnect(con)
#' @export
tec_resume <- function(file, data, table = NULL, engine = NULL, validation = NULL) {
  saved <- read_checkpoint(file)
  plan <- saved$plan
  if (!is.null(engine)) plan$engine <- counting_engine(check_engine(engine))
  source <- table_source(data, table, "tec_resume")
  on.exit(source$close())
  counter <- counter_of(source, plan$terms, plan$engine, environment())
  check_same_table(counter$meta(), plan$meta)
  counter$encode(plan$codes$meaning)
  finish_counted(plan, counter, validation, saved$call, parent.frame(), saved$answers)
}

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
