# Tested in test-engine-fetch.R.

# What is done before the first level, said before it is done.
say_stage <- function(engine, text, envir = parent.frame()) {
  if (engine$progress) tec_inform("engine", paste0("Preparation: ", text, "."), envir)
}

# A step of the preparation: said where something has taken a second since the last line.
say_step <- function(s, text, envir = parent.frame()) {
  now <- proc.time()[["elapsed"]]
  if (!isTRUE(s$settings$progress) || now - s$told < 1) {
    return(invisible())
  }
  s$told <- now
  say_stage(s$settings, text, envir)
}
