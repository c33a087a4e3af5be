# The data, and the timing of several competitors on them.

# Columns whose means depend on the class by up to 0.3 standard deviations: a tree
# finds something at every depth, and is far from pure early on. `step` rounds the
# values, which leaves about 8 / step distinct ones.
class_data <- function(n, p, classes, step = NULL, seed = 1) {
  set.seed(seed)
  y <- sample.int(classes, n, replace = TRUE)
  columns <- lapply(seq_len(p), function(j) {
    x <- rnorm(n) + runif(classes, 0, 0.3)[y]
    if (is.null(step)) x else round(x / step) * step
  })
  levels <- LETTERS[seq_len(classes)]
  as_frame(c(list(structure(y, levels = levels, class = "factor")), columns))
}

# A smooth part, a step, an interaction and noise of half the signal's size.
regression_data <- function(n, p, seed = 2) {
  set.seed(seed)
  x <- lapply(seq_len(p), function(j) rnorm(n))
  signal <- sin(2 * x[[1]]) + (x[[2]] > 0.5) + 0.5 * x[[3]] * x[[4]]
  as_frame(c(list(signal + rnorm(n, sd = 0.5)), x))
}

# One factor; each of its levels has its own share of the second class.
level_data <- function(n, n_levels, seed = 3) {
  set.seed(seed)
  code <- sample.int(n_levels, n, replace = TRUE)
  share <- runif(n_levels)
  y <- 1L + (runif(n) < share[code])
  as_frame(list(
    structure(y, levels = c("A", "B"), class = "factor"),
    structure(code, levels = sprintf("level%05d", seq_len(n_levels)), class = "factor")
  ))
}

as_frame <- function(columns) {
  names(columns) <- c("y", sprintf("x%02d", seq_len(length(columns) - 1L)))
  structure(columns, row.names = .set_row_names(length(columns[[1L]])), class = "data.frame")
}

# Raw columns, one after another, for programs other than R and for fresh R processes:
# doubles, and the classes as 32-bit codes from 1.
write_raw <- function(data, dir) {
  files <- list(
    x = tempfile("x", dir), y = tempfile("y", dir), n = nrow(data), p = ncol(data) - 1L
  )
  con <- file(files$x, "wb")
  on.exit(close(con))
  for (column in data[-1L]) {
    writeBin(column, con)
  }
  writeBin(as.integer(data$y), files$y)
  files
}

now <- function() as.numeric(Sys.time())

# A competitor: run() returns list(seconds, leaves). `threads` is NA for a program
# that always uses the same number.
competitor <- function(name, threads, run) {
  list(name = name, threads = threads, run = run)
}

# Times call(); leaves(its value) and the garbage of previous runs are not timed.
timed <- function(call, leaves = function(value) NA_integer_) {
  function() {
    gc()
    start <- now()
    value <- call()
    seconds <- now() - start
    list(seconds = seconds, leaves = leaves(value))
  }
}

# Every competitor once per round, so a disturbance of the machine affects all of
# them. The result has one row per competitor; `seconds` is a list, and the runs of
# one competitor are in the order of the rounds.
interleave <- function(competitors, options, times = options$times) {
  seconds <- lapply(competitors, function(one) numeric())
  leaves <- rep(NA_integer_, length(competitors))
  for (round in seq_len(times)) {
    for (i in seq_along(competitors)) {
      one <- competitors[[i]]
      peer <- one$name %in% peer_names
      if (peer && round > 1L && !isTRUE(seconds[[i]][1L] <= options$patience)) {
        next
      }
      result <- try_run(one)
      seconds[[i]][round] <- result$seconds
      leaves[i] <- result$leaves
    }
  }
  timings(competitors, seconds, leaves)
}

# A peer that fails has no time and does not end the benchmark; a failure of tectree
# does.
try_run <- function(one) {
  if (!one$name %in% peer_names) {
    return(one$run())
  }
  tryCatch(one$run(), error = function(e) {
    message(one$name, ": ", conditionMessage(e))
    list(seconds = NA_real_, leaves = NA_integer_)
  })
}

timings <- function(competitors, seconds, leaves) {
  data.frame(
    name = vapply(competitors, `[[`, "", "name"),
    threads = vapply(competitors, function(one) as.integer(one$threads), 1L),
    median = vapply(seconds, median, 1),
    least = vapply(seconds, min, 1),
    most = vapply(seconds, max, 1),
    runs = lengths(seconds),
    leaves = leaves,
    seconds = I(seconds)
  )
}

# The fastest peer with this number of threads; NULL if there is none.
fastest_peer <- function(timings, threads) {
  peers <- timings[timings$name %in% peer_names & !is.na(timings$median), ]
  peers <- peers[is.na(peers$threads) | peers$threads == threads, ]
  if (nrow(peers)) peers[which.min(peers$median), ] else NULL
}

ours_on <- function(timings, threads, name = "tectree") {
  timings[timings$name == name & timings$threads %in% threads, ]
}

# The command-line arguments of a small script: --name=value.
option_value <- function(args, name, default) {
  given <- grep(paste0("^--", name, "="), args, value = TRUE)
  if (length(given)) sub("^[^=]*=", "", given[[1L]]) else default
}

use_library <- function(lib) {
  if (!is.null(lib)) {
    .libPaths(c(lib, .libPaths()))
    # Including worker processes.
    Sys.setenv(R_LIBS = paste(.libPaths(), collapse = .Platform$path.sep))
  }
  library(tectree)
}

# The seconds of an expression, which is evaluated here.
seconds <- function(expr) {
  gc()
  time <- system.time(expr)
  c(elapsed = time[["elapsed"]], processor = time[["user.self"]] + time[["sys.self"]])
}
