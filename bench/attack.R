# Wrong values for every argument of every function, and damaged models for every method:
#
#   Rscript bench/attack.R [CALLS [SEED]]
#
# CALLS (default 20,000): the number of calls, drawn at random. Every call must return, or stop with an error of
# class "tec_error", within 10 processor seconds. Calls run in child processes, so a call that ends R is found
# and the others continue. Prints one line per fault and a summary; the exit status is 1 if there was any fault.

suppressMessages(library(tectree))
options(viewer = NULL)
arguments <- commandArgs(TRUE)
n_calls <- if (length(arguments)) as.numeric(arguments[1L]) else 20000
seed <- if (length(arguments) > 1L) as.integer(arguments[2L]) else 1L
set.seed(seed)
seconds <- 10

here <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
source(file.path(dirname(here), "attack-calls.R"))

# ---- wrong values ----

latin1 <- iconv("caf\u00e9", "UTF-8", "latin1")
invalid <- `Encoding<-`(latin1, "unknown")
bad_factor <- structure(c(1L, 9L), levels = c("a", "b"), class = "factor")
values <- list(
  NULL, NA, NA_integer_, NA_real_, NA_character_, NaN, Inf, -Inf, -1, 0, 0.5, 1.5, 1L, 2, 3, 7, 1e9,
  2^31, 1e300, -1e300, 1e-300, integer(), numeric(), character(), logical(), list(), list(1),
  list(1, "a"), list(a = 1, b = list(2)), "", "a", "no such", invalid, latin1,
  `Encoding<-`(latin1, "bytes"), c(invalid, "a"), strrep("a", 1e4), TRUE, FALSE, c(TRUE, FALSE),
  c(NA, TRUE), 1:3, c(1, NA), c(0.2, 0.8), c(a = 1, b = 2), 1:60, seq(0, 1, length.out = 60),
  c("a", "b"), letters, factor("a"), factor(c("a", "b"))[0], bad_factor, rep(bad_factor, 30),
  structure(1:3, class = "factor"), structure(1, class = "no such class"),
  structure(list(), class = "tec_tree"), structure(list(1), class = "tec_forest"),
  structure(list(), class = "tec_boost"), structure(list(), class = "tec_mars"),
  structure(list(), class = "tec_rotation"), structure(list(), class = "tec_tune"),
  structure(list(), class = "tec_control"), structure(list(), class = "tec_criterion"), small,
  small[0, ], small[, 0], data.frame(), data.frame(a = I(list(1, 2))), matrix(1:4, 2), matrix("a"),
  matrix(numeric(), 0, 0), array(1:8, c(2, 2, 2)), function(x) x, function() stop("no"), quote(x),
  quote(x + y), y ~ x, ~x, y ~ ., new.env(), Sys.Date(), Sys.time(), as.POSIXlt(Sys.time()),
  as.difftime(1, units = "secs"), 1i, raw(3), expression(a), structure(1e-320, class = "integer64"),
  structure(rep(5e-324, 60), class = "integer64"), structure("x", class = "POSIXct"),
  structure(list(1, 2:3), class = "data.frame"), pairlist(a = 1), tree, forest, emptyenv(), sizes,
  classes, as.character(classes), rev(small), small[c(5, 1, 2)], "Species", "gini", 10L, 100
)

arguments_of <- function(name) {
  f <- get0(name, asNamespace("tectree"))
  setdiff(names(formals(f)), "...")
}
# R's generic checks the argument that it dispatches on, not the method.
of_base <- paste0(
  "^(print|plot|summary|predict|format|str|all.equal|as.data.frame|as.list|update|text|labels|",
  "autoplot|tidy|glance|augment|fitted|residuals|variable.names|coef|logLik|deviance|formula|",
  "model.frame|nobs|terms|print.summary|format.summary|prune|printcp|plotcp|\\[\\[)[.]"
)
tries <- do.call(rbind, lapply(seq_along(calls), function(i) {
  name <- names(calls)[i]
  args <- arguments_of(name)
  if (grepl(of_base, name)) args <- setdiff(args, c("x", "object", "target", "formula", "tree"))
  if (length(args)) {
    expand.grid(call = i, arg = args, value = seq_along(values), stringsAsFactors = FALSE)
  }
}))
tried <- list(
  label = paste0(
    vapply(calls, function(x) paste(deparse(x, 500L), collapse = " "), "")[tries$call], " with ",
    tries$arg, " = value ", tries$value, ", ",
    vapply(values, function(x) substr(paste(deparse(x), collapse = ""), 1L, 40L), "")[tries$value]
  ),
  make = function(i) {
    call <- calls[[tries$call[i]]]
    value <- values[[tries$value[i]]]
    call[tries$arg[i]] <- list(if (is.language(value)) call("quote", value) else value)
    call
  }
)

# ---- damaged models ----

odd <- list(
  NULL, NA, -1L, 0L, 1L, 2147483647L, -2147483647L, 1e300, NaN, Inf, "x", list(), integer(), 0:9
)
# Somewhere in a list of lists: changes an element, or drops, shortens or lengthens a part.
damage <- function(x, depth = 0L) {
  if (is.list(x) && length(x) && depth < 4L && (depth == 0L || stats::runif(1) < 0.8)) {
    i <- sample.int(length(x), 1L)
    part <- unclass(x)[[i]]
    new <- damage(part, depth + 1L)
    class <- oldClass(x)
    x <- unclass(x)
    if (is.null(new)) x[i] <- list(NULL) else x[[i]] <- new
    class(x) <- class
    return(x)
  }
  how <- sample.int(4L, 1L)
  if (how == 1L || length(x) == 0L || !is.atomic(x)) return(odd[[sample.int(length(odd), 1L)]])
  at <- sample.int(length(x), 1L)
  if (how == 2L) return(x[-at])
  if (how == 3L) return(c(x, x[at]))
  to <- odd[[sample(2:10, 1L)]]
  if (is.raw(x)) x[at] <- as.raw(9L) else if (!is.factor(x)) x[at] <- to
  x
}
methods <- alist(
  predict(m, small), print(m), summary(m), plot(m), tidy(m), glance(m), importance(m), m[[1]],
  tec_json(m), tec_code(m), tec_sql(m), tec_pmml(m), tec_onnx(m), tec_shrink(m, 2),
  tec_shapes(m, small),
  tec_shap(m, small[1:3, ]), tec_more(m, 2), as_tec_forest(m), tec_prune(m, alpha = 0),
  tec_rules(m),
  tec_proximity(m, small), tec_components(m), as.data.frame(m), explain(m, small[1, ]), cp_table(m),
  as_rpart(m), tec_intervals(m), tec_gains(m, data = small), predict(m, small, type = "prob"),
  predict(m, small[1, ]), tec_scores(m, data = small), nobs(m), augment(m, newdata = small)
)
kinds <- setdiff(names(models), "scores")
damaged <- list(
  label = function(i) paste0("damaged ", kinds[i %% length(kinds) + 1L], " ", i),
  make = function(i) {
    set.seed(1e5 * seed + i)
    m <- damage(models[[kinds[i %% length(kinds) + 1L]]])
    as.call(list(quote(local), as.call(list(
      quote(`{`), call("<-", quote(m), m), methods[[sample.int(length(methods), 1L)]]
    ))))
  }
)

# ---- running ----

jobs <- c(
  lapply(sample(nrow(tries), min(nrow(tries), round(n_calls * 2 / 3))), function(i) {
    list(label = tried$label[i], make = function() tried$make(i))
  }),
  lapply(seq_len(round(n_calls / 3)), function(i) {
    list(label = damaged$label(i), make = function() damaged$make(i))
  })
)
quiet <- function(expr) {
  sink(nullfile())
  on.exit(sink())
  suppressWarnings(suppressMessages(eval(expr, globalenv())))
}
# "" or the fault.
fault_of <- function(job) {
  call <- job$make()
  start <- sum(proc.time()[1:2])
  said <- tryCatch(
    {
      setTimeLimit(cpu = seconds, transient = TRUE)
      quiet(call)
      ""
    },
    tec_error = function(e) "",
    error = function(e) paste0("raw error: ", conditionMessage(e)[1L])
  )
  setTimeLimit()
  took <- sum(proc.time()[1:2]) - start
  if (took > seconds) said <- sprintf("took %.0f s", took)
  # Functions of the generic that do not know the class belong to R.
  theirs <- "no applicable method|unused argument|cannot coerce class|no 'nobs' method"
  if (grepl(theirs, said)) "" else said
}

folder <- tempfile("attack")
dir.create(folder)
log <- file.path(folder, "log")
run <- function(from, to) {
  setwd(folder)
  grDevices::pdf(NULL)
  options(width = 80, browser = "true", warn = -1)
  for (i in seq.int(from, to)) {
    cat(i, "\n", file = log, append = TRUE)
    said <- fault_of(jobs[[i]])
    if (nzchar(said)) cat(i, "FAULT", gsub("[\r\n]+", " ", said), "\n", file = log, append = TRUE)
  }
  cat("end\n", file = log, append = TRUE)
}

faults <- list()
at <- 1L
batch <- 500L
while (at <= length(jobs)) {
  unlink(log)
  to <- min(length(jobs), at + batch - 1L)
  child <- parallel::mcparallel(run(at, to), silent = TRUE, mc.set.seed = FALSE)
  since <- proc.time()[[3L]]
  seen <- 0
  repeat {
    done <- parallel::mccollect(child, wait = FALSE, timeout = 1)
    lines <- if (file.exists(log)) readLines(log, warn = FALSE) else character()
    if (length(lines) != seen) {
      seen <- length(lines)
      since <- proc.time()[[3L]]
    }
    stuck <- proc.time()[[3L]] - since > 6 * seconds
    if (stuck) tools::pskill(child$pid, tools::SIGKILL)
    if (!is.null(done) || stuck || utils::tail(c("", lines), 1L) == "end") break
  }
  parallel::mccollect(child, wait = FALSE)
  found <- grep(" FAULT ", lines, value = TRUE, useBytes = TRUE)
  which <- as.integer(sub(" .*", "", found, useBytes = TRUE))
  new <- unlist(Map(function(i, x) {
    paste0(jobs[[i]]$label, ": ", sub("^[0-9]+ FAULT ", "", x, useBytes = TRUE))
  }, which, found))
  last <- suppressWarnings(max(as.integer(sub(" .*", "", lines[lines != "end"], useBytes = TRUE))))
  if (utils::tail(c("", lines), 1L) != "end") {
    new <- c(new, paste0(jobs[[last]]$label, ": ", if (stuck) "hangs" else "ends R"))
    at <- last + 1L
  } else {
    at <- to + 1L
  }
  if (length(new)) writeLines(new)
  faults <- c(faults, new)
  message(at - 1L, " of ", length(jobs), " calls, ", length(faults), " faults")
}
cat(length(jobs), "calls,", length(faults), "faults\n")
quit(status = length(faults) > 0L)
