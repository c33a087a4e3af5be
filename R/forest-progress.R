# Progress of a forest: list(tick = a function of the number of finished trees or NULL, close).
# cli shows its bar only after two seconds.
forest_ticker <- function(settings, total, envir) {
  none <- list(tick = NULL, close = function() NULL)
  if (!settings$progress) {
    return(none)
  }
  if (progressr_listens()) {
    step <- progressr::progressor(steps = total, envir = envir)
    last <- 0
    tick <- function(done) {
      if (done > last) step(amount = done - last)
      last <<- done
    }
    return(list(tick = tick, close = function() NULL))
  }
  if (!rlang::is_interactive()) {
    return(none)
  }
  bar <- cli::cli_progress_bar("Growing trees", total = total, .auto_close = FALSE)
  list(
    tick = function(done) cli::cli_progress_update(set = done, id = bar),
    close = function() cli::cli_progress_done(id = bar)
  )
}

progressr_listens <- function() {
  if (!isNamespaceLoaded("progressr")) {
    return(FALSE)
  }
  around <- vapply(sys.calls(), function(call) call_head(call) == "with_progress", NA)
  any(around) || isTRUE(progressr::handlers(global = NA))
}
