# All messages and warnings of an expression, none of them shown.
capture_conditions <- function(expr) {
  caught <- list()
  keep <- function(restart) {
    function(condition) {
      caught[[length(caught) + 1L]] <<- condition
      tryInvokeRestart(restart)
    }
  }
  withCallingHandlers(expr, message = keep("muffleMessage"), warning = keep("muffleWarning"))
  caught
}
