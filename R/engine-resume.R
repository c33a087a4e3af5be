# Tested in test-engine-resume.R and test-engine-servers.R.
# Returns a function that saves the state after each level. If that fails, the fit continues without
# saving.
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
        i = if (file.exists(file)) "The last saved checkpoint still exists."
      ))
    }
  }
  save(list())
  save
}

# Returns NULL, or what went wrong. A file is never left half written: the old one stays until the
# new one can be read.
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

# Checks before anything is counted that a checkpoint can be saved.
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
      i = "Choose an existing folder with free space for {.arg checkpoint}."
    ))
  }
}

read_checkpoint <- function(file) {
  if (!is_string(file) || !file.exists(file)) {
    tec_abort("checkpoint", c(
      "{.arg file} must be a checkpoint that a fit saved.",
      x = "It is {describe(file)}.",
      i = "The fit saves it with {.code engine = tec_engine(checkpoint = file)}."
    ))
  }
  saved <- tryCatch(readRDS(file), error = but_limits(function(e) NULL), warning = function(w) NULL)
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
      "The table differs from that of the checkpoint.",
      x = "It has {now$n} rows with a response; it had {then$n}.",
      i = "Grow the tree again."
    ))
  }
}

#' Drop temporary tables of unfinished fits
#'
#' A tree that grows in a database may need temporary tables. They are dropped when the fit ends,
#' also by an error or an interrupt. If R itself was stopped and the connection is still open, for
#' example in a pool, `tec_cleanup()` drops them. It touches only temporary tables of this
#' connection whose names begin with `tec_`, six characters and `_`. It also rolls back a
#' transaction that a fit has left open in PostgreSQL.
#' *Experimental*, see *Lifecycle* in [tectree-package].
#'
#' @param con A connection from DBI or adbcdrivermanager.
#' @return The names of the dropped tables, invisibly.
#' @family trees of data elsewhere
#' @examplesIf requireNamespace("RSQLite", quietly = TRUE)
#' con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
#' tec_cleanup(con)
#' DBI::dbDisconnect(con)
#' @export
tec_cleanup <- function(con) {
  link <- sql_link(con)
  if (is.null(link$dialect$temporaries)) {
    abort_database(c(
      "This database does not list its temporary tables.",
      x = "The connection is {describe(con)}.",
      i = "They are dropped when the connection is closed, as are cached tables of Spark."
    ))
  }
  end_transaction(link)
  tables <- ask(link, link$dialect$temporaries, "temporary tables", "name")$name
  tables <- grep("^tec_[0-9a-f]{6}_", tables, value = TRUE)
  for (table in tables) {
    tell(link, paste("DROP TABLE", quote_name(link, table)), "a temporary table")
  }
  invisible(tables)
}

# A transaction of a fit is recognised by its setting. A failed transaction answers no query.
end_transaction <- function(link) {
  if (link$name != "postgres") {
    return(invisible())
  }
  sql <- paste0("SELECT current_setting('", open_fit, "', true) AS fit")
  open <- tryCatch(
    suppressWarnings(run_query(link$con, sql)$fit), error = but_limits(function(e) "failed")
  )
  if (!identical(open, "") && !anyNA(open)) tell(link, "ROLLBACK", "a transaction")
}
