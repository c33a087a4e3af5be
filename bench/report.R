# The tables, and the facts about the run.

machine_facts <- function(options) {
  c(
    paste("Date:", format(Sys.Date())),
    paste0("Processor: ", processor(), ", ", parallel::detectCores(), " cores"),
    paste0("System: ", Sys.info()[["sysname"]], " ", Sys.info()[["machine"]], load_average()),
    paste("R:", R.version.string),
    paste("Compiler:", compiler()),
    paste("tectree:", packageVersion("tectree")),
    vapply(peer_names, function(name) {
      paste0(name, ": ", options$peers[[name]] %||% "not installed, left out")
    }, "", USE.NAMES = FALSE),
    if (!is.null(attr(options$peers, "python"))) {
      paste("For scikit-learn:", attr(options$peers, "python"))
    },
    paste("Options:", paste(shown_args(options), collapse = " "))
  )
}

`%||%` <- function(x, y) if (is.null(x)) y else x

# Without the options that name folders of one machine.
shown_args <- function(options) {
  shown <- grep("^--(lib|python)=|^--write$", options$args, value = TRUE, invert = TRUE)
  if (length(shown)) shown else "none"
}

processor <- function() {
  if (!file.exists("/proc/cpuinfo")) {
    return(Sys.info()[["machine"]])
  }
  models <- grep("^model name", readLines("/proc/cpuinfo"), value = TRUE)
  if (length(models)) sub("^[^:]*: *", "", models[[1L]]) else Sys.info()[["machine"]]
}

load_average <- function() {
  if (!file.exists("/proc/loadavg")) {
    return("")
  }
  paste0(", load ", strsplit(readLines("/proc/loadavg"), " ")[[1L]][[1L]], " at the start")
}

# The compiler that R uses for C++17 packages, and its optimisation flags.
compiler <- function() {
  config <- function(name) {
    value <- system2(file.path(R.home("bin"), "R"), c("CMD", "config", name), stdout = TRUE)
    paste(value, collapse = " ")
  }
  command <- strsplit(config("CXX17"), " ")[[1L]][[1L]]
  version <- tryCatch(
    system2(command, "--version", stdout = TRUE, stderr = FALSE)[[1L]],
    error = function(e) command
  )
  flags <- strsplit(config("CXX17FLAGS"), " ")[[1L]]
  flags <- grep("^-(O|march|mtune)", flags, value = TRUE)
  paste0(version, " (", paste(flags, collapse = " "), ")")
}

seconds_text <- function(x) ifelse(is.na(x), "-", sprintf("%.3f s", x))

threads_text <- function(x) ifelse(is.na(x), "1", format(x))

outcome_table <- function(outcomes) {
  data.frame(
    row = outcomes$row,
    work = outcomes$work,
    threads = threads_text(outcomes$threads),
    ours = seconds_text(outcomes$ours),
    peer = outcomes$peer,
    `peer's time` = seconds_text(outcomes$peer_time),
    result = ifelse(
      is.na(outcomes$value), "-", paste0(sprintf("%.2f", outcomes$value), outcomes$unit)
    ),
    `must reach` = outcomes$must,
    reached = ifelse(is.na(outcomes$reached), "-", ifelse(outcomes$reached, "yes", "no")),
    check.names = FALSE
  )
}

detail_table <- function(details) {
  data.frame(
    row = details$row,
    work = details$work,
    who = details$name,
    threads = threads_text(details$threads),
    median = seconds_text(details$median),
    least = seconds_text(details$least),
    most = seconds_text(details$most),
    runs = format(details$runs),
    leaves = ifelse(is.na(details$leaves), "-", format(details$leaves, big.mark = ","))
  )
}

# A Markdown table, which is also readable on a terminal.
table_lines <- function(table) {
  cells <- rbind(names(table), as.matrix(table))
  cells[] <- trimws(cells)
  width <- apply(nchar(cells), 2L, max)
  for (j in seq_along(width)) {
    cells[, j] <- formatC(cells[, j], width = -width[[j]])
  }
  lines <- paste0("| ", apply(cells, 1L, paste, collapse = " | "), " |")
  rule <- paste0("|", paste(strrep("-", width + 2L), collapse = "|"), "|")
  c(lines[[1L]], rule, lines[-1L])
}

print_outcomes <- function(outcomes) {
  if (!is.null(outcomes)) {
    writeLines(c(table_lines(outcome_table(outcomes)), ""))
  }
}

report <- function(results, facts, options) {
  gather <- function(part) do.call(rbind, lapply(unname(results), `[[`, part))
  outcomes <- gather("outcomes")
  details <- gather("details")
  notes <- unlist(lapply(results, `[[`, "notes"), use.names = FALSE)
  if (is.null(outcomes)) {
    writeLines(notes)
    return(invisible())
  }
  lines <- c(
    "## Results", "", table_lines(outcome_table(outcomes)), "",
    if (length(notes)) c(paste("-", notes), ""),
    if (!is.null(details)) c("## Every time", "", table_lines(detail_table(details)), "")
  )
  writeLines(lines)
  if (options$write) {
    writeLines(c(results_head(facts), lines), file.path(options$dir, "RESULTS.md"))
  }
}

results_head <- function(facts) {
  c(
    "# Speed and memory", "",
    "Written by `Rscript bench/run.R --write`.", "",
    paste("-", facts), "",
    "Times are medians, in seconds, of whole calls: a formula and a data frame in, a fitted",
    "tree out. Those of scikit-learn are of `fit()` alone. The competitors take turns. The peer",
    "shown is the fastest with as many threads; rpart and scikit-learn always use one. \"To the",
    "end\" means until no split gains or is allowed by a minimum of one row per leaf (seven in",
    "rows e and j); rpart stops at depth 30. A result of \"12x\" means twelve times faster than",
    "the peer; in rows d and j it is the time as a multiple of that of gini and of l2.",
    "Row f is the cost of a further value at the peak (20 columns minus 10); row g the slope of",
    "log(time) over log(rows), with the time at the largest size; row i the time that one",
    "split adds to a call that makes none.", ""
  )
}
