# How good are the tests of the core? Writes faults into it and counts those that the tests find:
#
#   Rscript tools/checks/mutants.R [--faults=400] [--seed=1] [--work=FOLDER] [--report=FILE]
#     [--only=7,12] [--limit=20] [--longest=1000] [--share=0] [--r]
#
# Lines of code are drawn at random, each room of the core by its size, and one fault per line.
# All faults are compiled at once (mutant.hpp). All C++ tests run once, which tells the faults
# that each test reaches. Then each fault is switched on, and the tests that reach it run, the
# fastest first, to the first failure. Kinds of fault: a bound off by one (which is also a tie
# decided the other way), a sign flipped, a factor forgotten, a division turned around, a
# tolerance 1,000 times as large, a comparison reversed, a branch never taken, a reset forgotten,
# an answer reversed, another index. A program that crashes, or takes `limit` seconds of a
# processor more than five times its usual time, has found the fault. Tests of more than
# `longest` seconds of a processor do not run. With `--r` the R tests run with each fault that is
# left, those of the fast files that reach it. `report` has a line per fault. A fault in code that
# the compiler must evaluate is dropped. Prints how many were found, by room, and those that were
# not. If WORK has the programs of an earlier run, these are used; `--only` repeats single faults
# with them. mutants-equal.tsv lists faults that change no result, with the reason; they do not
# count. The status is 1 if fewer are found than would be once in a million draws if tests found
# `share` of all faults.

args <- commandArgs(trailingOnly = TRUE)
option <- function(name, default) {
  found <- grep(paste0("^--", name, "="), args, value = TRUE)
  if (length(found)) sub("^[^=]*=", "", found[[1L]]) else default
}
file <- grep("^--file=", commandArgs(), value = TRUE)
checks <- dirname(normalizePath(sub("^--file=", "", file[[1L]])))
root <- dirname(dirname(checks))
work <- option("work", file.path(tempdir(), "mutants"))
report <- option("report", file.path(work, "mutants.tsv"))
wanted <- as.integer(option("faults", "400"))
limit <- as.numeric(option("limit", "20"))
longest <- as.numeric(option("longest", "1000"))
share <- as.numeric(option("share", "0"))
with_r <- "--r" %in% args
only <- as.integer(strsplit(option("only", ""), ",")[[1L]])
set.seed(as.integer(option("seed", "1")))

headers <- list.files(file.path(root, "inst/include/tectree"), "[.]hpp$", recursive = TRUE)
# The compiler evaluates contracts.
headers <- setdiff(headers, "base/contract.hpp")

# The text with comments, strings and directives blanked, of the same length.
code_of <- function(text) {
  blank <- function(x, pattern) {
    at <- gregexpr(pattern, x, perl = TRUE)
    regmatches(x, at) <- lapply(regmatches(x, at), function(s) strrep(" ", nchar(s)))
    x
  }
  text <- blank(text, "\"([^\"\\\\]|\\\\.)*\"")
  text <- blank(text, "//.*$")
  text[grepl("^\\s*#", text)] <- ""
  text
}

# What can go wrong on a line: data frame with columns from, to (characters) and new text. %d is
# the number of the fault.
before <- "(?<=[\\w\\)\\]]) "
rules <- list(
  bound = list(paste0(before, "(<|<=|>|>=)(?= |$)"), function(s) paste0(s, " fault(%d) >")),
  reversed = list(paste0(before, "(==|!=)(?= |$)"), function(s) paste0(s, " fault(%d) ==")),
  sign = list(paste0(before, "[-+](?= |$)"), function(s) paste0(s, " fault(%d)", s)),
  factor = list(paste0(before, "[*/](?= |$)"), function(s) paste0(s, " fault(%d)", s)),
  tolerance = list("(?<![\\w.])[0-9.]+e-[0-9]+", function(s) {
    paste0("((tectree_faults::on(%d) ? 1e3 : 1.0) * ", s, ")")
  }),
  answer = list("(?<=return )(true|false)(?=;)", function(s) {
    paste0("(tectree_faults::on(%d) != ", s, ")")
  }),
  reset = list(paste0(
    "^\\s+[\\w.\\[\\]>-]+( = (0|0[.]0|nullptr|false|true|-1|HUGE_VAL|-HUGE_VAL)",
    "|[.](clear|fill|reset|assign)\\([^;]*\\));$"
  ),
    function(s) sub("^(\\s+)", "\\1if (!tectree_faults::on(%d)) ", s)),
  index = list("(?<=\\w)\\[[01]\\]", function(s) {
    at <- as.integer(substr(s, 2L, 2L))
    paste0("[tectree_faults::on(%d) ? ", 1L - at, " : ", at, "]")
  })
)

# The condition of an `if` on one line.
condition_of <- function(line, start) {
  chars <- strsplit(substring(line, start), "")[[1L]]
  open <- cumsum((chars == "(") - (chars == ")"))
  end <- which(open == 0L)[1L]
  if (is.na(end)) NA_integer_ else start + end - 1L
}

skipped <- paste0(
  "constexpr|static_assert|template|\\busing\\b|typename|operator|noexcept|\\bcase\\b|\\benum\\b|",
  "TECTREE_|\\basm\\b|requires"
)

sites_of_line <- function(line) {
  out <- lapply(names(rules), function(kind) {
    at <- gregexpr(rules[[kind]][[1L]], line, perl = TRUE)[[1L]]
    if (at[1L] < 0L) {
      return(NULL)
    }
    to <- at + attr(at, "match.length") - 1L
    old <- substring(line, at, to)
    new <- vapply(old, rules[[kind]][[2L]], "")
    data.frame(kind = kind, from = as.integer(at), to = to, new = new)
  })
  at <- gregexpr("(?<=\\bif )\\(", line, perl = TRUE)[[1L]]
  if (at[1L] > 0L) {
    end <- condition_of(line, at[1L])
    if (!is.na(end)) {
      inner <- substring(line, at[1L] + 1L, end - 1L)
      if (!grepl(";|\\b(auto|const)\\b", inner)) {
        out <- c(out, list(data.frame(
          kind = "branch", from = at[1L], to = end,
          new = paste0("(!tectree_faults::on(%d) && (", inner, "))")
        )))
      }
    }
  }
  do.call(rbind, out)
}

# In files with vectors of the processor the operators stay as they are: such vectors cannot be
# passed to mutant.hpp's operators.
vectors <- "vector_size|__m256|\\bFour\\b|\\bLanes\\b"
of_operators <- c("bound", "reversed", "sign", "factor")

# Draws lines until there are `n` faults, at most one on a line.
draw_faults <- function(n) {
  lines <- do.call(rbind, lapply(headers, function(name) {
    text <- readLines(file.path(root, "inst/include/tectree", name))
    code <- code_of(text)
    keep <- grepl("\\w", code) & !grepl(skipped, code)
    data.frame(
      file = name, line = seq_along(text), text = code, vectors = any(grepl(vectors, code))
    )[keep, ]
  }))
  lines <- lines[sample(nrow(lines)), ]
  found <- list()
  for (i in seq_len(nrow(lines))) {
    sites <- sites_of_line(lines$text[i])
    if (lines$vectors[i]) sites <- sites[!sites$kind %in% of_operators, ]
    if (is.null(sites) || nrow(sites) == 0L) next
    site <- sites[sample(nrow(sites), 1L), ]
    found[[length(found) + 1L]] <- cbind(lines[i, c("file", "line", "text")], site)
    if (length(found) == n) break
  }
  out <- do.call(rbind, found)
  out$id <- seq_len(nrow(out))
  out
}

write_core <- function(faults) {
  from <- file.path(root, "inst/include/tectree")
  to <- file.path(work, "inst/include/tectree")
  for (name in unique(c(headers, faults$file))) {
    text <- readLines(file.path(from, name))
    mine <- faults[faults$file == name, ]
    for (k in seq_len(nrow(mine))) {
      line <- text[mine$line[k]]
      text[mine$line[k]] <- paste0(
        substring(line, 1L, mine$from[k] - 1L), sprintf(mine$new[k], mine$id[k]),
        substring(line, mine$to[k] + 1L)
      )
    }
    if (nrow(mine)) {
      text <- sub("^#pragma once$", "#pragma once\n#include <tectree/mutant.hpp>", text)
    }
    old <- file.path(to, name)
    new <- paste(text, collapse = "\n")
    if (!file.exists(old) || !identical(paste(readLines(old), collapse = "\n"), new)) {
      writeLines(text, old)
    }
  }
}

copy_project <- function() {
  dir.create(work, recursive = TRUE, showWarnings = FALSE)
  for (part in c("inst", "src", "tests/cpp", "tools", "vignettes")) {
    dir.create(file.path(work, dirname(part)), recursive = TRUE, showWarnings = FALSE)
    file.copy(file.path(root, part), file.path(work, dirname(part)), recursive = TRUE)
  }
  unlink(file.path(work, c("src/*.o", "src/*.so")))
  copy <- function(name, to) {
    file.copy(file.path(checks, name), file.path(work, to), overwrite = TRUE)
  }
  copy("mutant.hpp", "inst/include/tectree")
  copy("mutant-check.h", "tests/cpp")
  # The first failure ends a program.
  check <- readLines(file.path(work, "tests/cpp/check.h"))
  at <- grep("std::fflush(stdout);", check, fixed = TRUE)
  stopifnot(length(at) == 1L)
  check[at] <- "  if (std::getenv(\"TECTREE_MUTANT\")) { std::fflush(stdout); std::_Exit(1); }"
  check <- sub("#include <cstring>", "#include <cstdlib>\n#include <cstring>", check, fixed = TRUE)
  at <- grep("^int main", check)
  check[at] <- paste0("#include <mutant-check.h>\n", check[at])
  check[at + 1L] <- "  return argc > 0 ? check::run_with_fault(std::strrchr(argv[0], '/') + 1) : 2;"
  writeLines(check, file.path(work, "tests/cpp/check.h"))
  unlink(file.path(work, "tests/cpp/test_check.cpp"))
}

# Compiles the tests and keeps the programs. Faults that do not compile are dropped, and the rest
# is compiled again.
compile_tests <- function(faults) {
  repeat {
    write_core(faults)
    kept <- file.path(work, "build")
    reached <- file.path(work, "reached")
    unlink(c(kept, reached), recursive = TRUE)
    dir.create(kept)
    dir.create(reached)
    # Failed allocations take long to compile, and find little that other tests do not.
    words <- paste0(setdiff(dir(file.path(work, "tests/cpp"), "^[a-z_]+$"), "faults"), "/")
    said <- suppressWarnings(system2("sh",
      c(file.path(work, "tools/cpp-tests.sh"), "--plain", "g++", words),
      stdout = TRUE, stderr = TRUE, env = c(
        paste0("TECTREE_CPP_KEEP=", kept), paste0("TECTREE_REACHED=", reached),
        "TECTREE_CPP_FLAGS=-w"
      )
    ))
    # Included headers are named by way of the folder that includes them.
    while (any(grepl(up <- "[^/ ]+/[.][.]/", said))) said <- sub(up, "", said)
    place <- "tectree/([a-z0-9_/]+[.]hpp):([0-9]+):[0-9]+: (fatal )?error"
    where <- regmatches(said, regexec(place, said))
    where <- unique(do.call(rbind, lapply(Filter(length, where), `[`, 2:3)))
    # Also the lines that a failed instantiation was required from.
    if (any(grepl("does not compile", said))) {
      from <- regmatches(said, gregexpr("tectree/[a-z0-9_/]+[.]hpp:[0-9]+", said))
      from <- unique(unlist(from))
      where <- do.call(rbind, strsplit(sub("^tectree/", "", from), ":"))
    }
    # `#include` of mutant.hpp moves the lines of the compiler by one.
    bad <- paste(faults$file, faults$line + 1L) %in% paste(where[, 1L], where[, 2L])
    if (!any(bad)) {
      if (any(grepl("does not compile", said))) {
        stop("The core does not compile:\n", paste(tail(said, 60L), collapse = "\n"))
      }
      message(tail(said, 1L))
      return(faults)
    }
    message(sum(bad), " faults do not compile: ", toString(paste(faults$file, faults$line)[bad]))
    faults <- faults[!bad, ]
  }
}

# The tests that reach each fault: data frame with columns program, test (a number), seconds, id.
read_reached <- function() {
  parts <- lapply(list.files(file.path(work, "reached"), full.names = TRUE), function(file) {
    tests <- utils::read.delim(file, header = FALSE, quote = "", colClasses = "character")
    ids <- strsplit(trimws(tests[[4L]]), " ")
    program <- sub("[.]tsv$", "", basename(file))
    data.frame(
      program = rep(program, sum(lengths(ids))), test = rep(tests[[1L]], lengths(ids)),
      seconds = rep(as.numeric(tests[[3L]]), lengths(ids)), id = as.integer(unlist(ids))
    )
  })
  do.call(rbind, parts)
}

# Whether the tests of a program find a fault: "" or why.
run_tests <- function(program, tests, id, seconds) {
  seconds <- ceiling(limit + 5 * seconds)
  status <- suppressWarnings(system2("sh", c("-c", shQuote(sprintf(
    "%s; TECTREE_MUTANT=%d TECTREE_TESTS='%s' exec timeout %d %s",
    sprintf("ulimit -t %d; ulimit -c 0; ulimit -v 8000000", seconds), id,
    paste(tests, collapse = " "), 10 * seconds, file.path(work, "build", program)
  ))), stdout = FALSE, stderr = FALSE))
  switch(as.character(status), "0" = "", "77" = "no fault", program)
}

# Writes a line per fault into the report.
run_faults <- function(faults) {
  reached <- read_reached()
  reached <- reached[reached$seconds <= longest, ]
  invisible(two_at_once(seq_len(nrow(faults)), function(i) {
    mine <- reached[reached$id == faults$id[i], ]
    mine <- split(mine, mine$program)
    found <- if (length(mine)) "" else "not reached"
    for (part in mine[order(vapply(mine, function(x) sum(x$seconds), 0))]) {
      part <- part[order(part$seconds), ]
      found <- run_tests(part$program[1L], part$test, faults$id[i], sum(part$seconds))
      if (found != "") break
    }
    line <- paste(faults$id[i], faults$file[i], faults$line[i], faults$kind[i], found,
      trimws(faults$text[i]), sep = "\t")
    cat(line, "\n", sep = "", file = report, append = TRUE)
    NULL
  }))
}

# Installs the package with the faults, and returns the names of the fast R test files, each with
# the faults that it reaches.
reached_by_r <- function(library) {
  parts <- c(
    "R", "DESCRIPTION", "NAMESPACE", "data", "tests/testthat", "README.md", ".Rbuildignore"
  )
  for (part in parts) {
    file.copy(file.path(root, part), file.path(work, dirname(part)), recursive = TRUE)
  }
  dir.create(library, showWarnings = FALSE)
  flags <- file.path(work, "Makevars")
  writeLines("CXX17FLAGS = -O1 -w", flags)
  options <- c("--no-docs", "--no-test-load", paste0("--library=", library))
  status <- system2("R", c("CMD", "INSTALL", options, work),
    stdout = FALSE, stderr = FALSE, env = c(paste0("R_MAKEVARS_USER=", flags), "MAKEFLAGS=-j2")
  )
  if (status != 0L) stop("The package with faults cannot be installed.")
  files <- list.files(file.path(work, "tests/testthat"), "^test-.*[.]R$")
  rows <- two_at_once(files, function(file) {
    written <- tempfile()
    start <- Sys.time()
    status <- run_r(library, file, paste0("TECTREE_REACHED_FILE=", written))
    seconds <- as.numeric(Sys.time() - start, units = "secs")
    if (status != 0L || seconds > 30 || !file.exists(written)) {
      return(NULL)
    }
    ids <- unique(scan(written, 0L, quiet = TRUE))
    data.frame(file = rep(file, length(ids)), seconds = rep(seconds, length(ids)), id = ids)
  })
  do.call(rbind, rows)
}

run_r <- function(library, files, env, seconds = 600) {
  script <- file.path(checks, "r-mutant-tests.R")
  arguments <- c(script, file.path(work, "tests/testthat"), "installed", "none", files)
  libraries <- paste0("R_LIBS=", library, ":", Sys.getenv("R_LIBS"))
  suppressWarnings(system2("timeout", c(seconds, "Rscript", "--vanilla", arguments),
    stdout = FALSE, stderr = FALSE, env = c(env, libraries, "NOT_CRAN=true", "TECTREE_SLOW=no")
  ))
}

# Which of the faults the R tests find.
found_by_r <- function(ids) {
  library <- file.path(work, "library")
  reached <- reached_by_r(library)
  unlist(two_at_once(ids, function(id) {
    mine <- reached[reached$id == id, ]
    mine <- mine[order(mine$seconds), ]
    mine <- mine[cumsum(mine$seconds) <= 120, ]
    nrow(mine) > 0L && run_r(library, mine$file, paste0("TECTREE_MUTANT=", id)) != 0L
  }))
}

two_at_once <- function(x, f) parallel::mclapply(x, f, mc.cores = 2L, mc.preschedule = FALSE)

drawn <- file.path(work, "faults.rds")
if (file.exists(drawn)) {
  faults <- readRDS(drawn)
} else {
  faults <- draw_faults(wanted)
  copy_project()
  faults <- compile_tests(faults)
  saveRDS(faults, drawn)
}
if (length(only)) faults <- faults[faults$id %in% only, ]
unlink(report)
run_faults(faults)
result <- utils::read.delim(report, header = FALSE, quote = "", na.strings = character(),
  colClasses = "character", col.names = c("id", "file", "line", "kind", "found", "text"))
result <- result[result$found != "no fault", ]
result$found[result$found == "not reached"] <- ""
if (with_r) {
  left <- result$found == ""
  result$found[left] <- ifelse(found_by_r(result$id[left]), "R", "")
}
equal <- file.path(checks, "mutants-equal.tsv")
equal <- utils::read.delim(equal, quote = "", colClasses = "character")
key <- function(x) do.call(paste, x[c("file", "kind", "text")])
same <- result$found == "" & key(result) %in% key(equal)
result <- result[!same, ]
result$room <- sub("/.*", "", result$file)
print(tapply(result$found != "", result$room, function(x) paste(sum(x), "of", length(x))))
left <- result[result$found == "", c("id", "file", "line", "kind", "text")]
if (nrow(left)) cat("Not found:", do.call(paste, c(left, sep = "\t")), sep = "\n")
cat(sprintf(
  "%d faults, %d found (%.1f %%), %d more change nothing\n",
  nrow(result), sum(result$found != ""), 100 * mean(result$found != ""), sum(same)
))
least <- qbinom(1e-6, nrow(result), share)
if (sum(result$found != "") < least) {
  cat(sprintf("FAILED: fewer than %d are found\n", least))
  quit(status = 1L)
}
