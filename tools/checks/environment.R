# Sessions that are short of something, or unusual: forks, nested futures, eight processes at once,
# a small address space, a small stack, full and read-only folders, other locales.
#
#   Rscript tools/checks/environment.R [--only=stack,locale]
#
# Each session computes the results of tests/testthat/helper-environment.R, which must be those of
# this session, or ends with an error of R or of the package; never with a signal. As root, the
# script mounts a file system of 1 MB in a temporary folder, and takes it off again. Locales are
# compiled with localedef into a temporary folder, if Debian's `locales` is installed. Prints one
# line per session. The exit status is 0 if nothing failed.

suppressPackageStartupMessages(library(tectree))
args <- commandArgs(TRUE)
only <- sub("^--only=", "", grep("^--only=", args, value = TRUE))
only <- if (length(only)) strsplit(only[1L], ",")[[1L]]
script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1L])
tests <- normalizePath(file.path(dirname(script), "..", "..", "tests", "testthat"))
helper <- file.path(tests, "helper-environment.R")
source(helper)
plain <- environment_results()
failed <- 0
skipped <- character()

say <- function(part, what, fault) {
  fault <- as.character(fault)
  if (length(fault)) failed <<- failed + 1
  cat(sprintf("%-10s %-34s %s\n", part, what, if (length(fault)) {
    paste("FAILED:", toString(fault))
  } else {
    "right"
  }))
}

asked <- function(part) is.null(only) || part %in% only

session <- function(...) results_in_session(..., helper = helper)

# NULL if the results are those of this session, otherwise what differs or was said.
compared <- function(out) {
  if (is.list(out)) environment_differences(plain, out) else substring(paste(out), 1, 300)
}

# The same for a session that may also end with an error of R, but not with a signal.
survived <- function(out) {
  if (is.list(out)) {
    return(compared(out))
  }
  crash <- grepl("segfault|caught|Segmentation|Killed|Aborted|terminate called|core dumped", out)
  if (crash || !grepl("Error|[Ff]atal|cannot", out)) substring(out, 1, 300)
}

if (asked("fork") && .Platform$OS.type == "unix") {
  # Growth with threads before the fork, too.
  out <- parallel::mclapply(1:4, function(i) environment_results(), mc.cores = 2)
  for (one in out) say("fork", "mclapply()", compared(one))
  inner <- parallel::mclapply(1:2, function(i) {
    parallel::mclapply(1:2, function(j) environment_results(exports = FALSE)$response, mc.cores = 2)
  }, mc.cores = 2)
  same <- vapply(unlist(inner, recursive = FALSE), identical, NA, plain$response)
  say("fork", "mclapply() in mclapply()", if (!all(same) || length(same) != 4L) "other results")
}

if (asked("future") && requireNamespace("future.apply", quietly = TRUE)) {
  future::plan(list(
    future::tweak("multisession", workers = 2), future::tweak("multisession", workers = I(2))
  ))
  out <- future.apply::future_lapply(1:2, function(i) {
    suppressPackageStartupMessages(library(tectree))
    source(helper)
    list(environment_results()$response, environment_models()$tuned$table)
  }, future.seed = NULL)
  future::plan("sequential")
  same <- vapply(out, function(one) {
    identical(one[[1L]], plain$response) && identical(one[[2L]], environment_models()$tuned$table)
  }, NA)
  say("future", "multisession in multisession", if (!all(same)) "other results")
}

if (asked("processes")) {
  out <- parallel::mclapply(1:8, function(i) session(), mc.cores = 8)
  for (i in 1:8) say("processes", paste("process", i, "of 8 at once"), compared(out[[i]]))
}

if (asked("memory")) {
  for (limit in c(300, 350, 400, 450, 500, 600, 800, 1000, 2000)) {
    out <- session(wrap = sprintf("ulimit -v %d000;", limit))
    say("memory", sprintf("ulimit -v %d MB", limit), survived(out))
  }
}

if (asked("stack")) {
  for (limit in c(256, 512, 1024, 2048, 8192)) {
    out <- session(wrap = sprintf("ulimit -s %d;", limit))
    say("stack", sprintf("ulimit -s %d kB", limit), survived(out))
    # A tree that is 3000 levels deep, and its verbs.
    deep <- c(
      "n <- 3000", "d <- data.frame(x = 2^((1:n) / 8), y = 4^((1:n) / 24))",
      "d$y <- rep(c(0, 1), length.out = n)",
      "tree <- tec_tree(y ~ x, d, min_bucket = 1, min_split = 2, prune = 'none')",
      "uses <- list(predict, format, summary, tec_json, tec_sql, function(f, ...) tec_code(f, 'c'),", # nolint
      "  function(f, ...) tec_shap(f, d[1:2, ]), function(f, ...) tec_prune(f, cp = 0.1),",
      "  function(f, ...) tec_rules(f), function(f, ...) as_rpart(f), function(f, ...) tidy(f),",
      "  function(f, ...) tec_from_json(tec_json(f)), function(f, ...) verify_export(f, d, 'r'),",
      "  function(f, ...) tec_view(f), function(f, ...) tec_pmml(f, missing = 'majority'))",
      "for (use in uses) try(use(tree, d))"
    )
    out <- session(deep, wrap = sprintf("ulimit -s %d;", limit))
    say("stack", sprintf("ulimit -s %d kB, large tree", limit), survived(out))
  }
}

# Mounts a temporary file system, calls f(folder), and takes it off.
in_small_folder <- function(f) {
  folder <- tempfile("small")
  dir.create(folder)
  mounted <- system2("mount", c("-t", "tmpfs", "-o", "size=1m", "tmpfs", folder),
    stdout = FALSE, stderr = FALSE
  ) == 0
  if (!mounted) {
    skipped <<- c(skipped, "full and read-only folders: mount is not allowed")
    return(invisible())
  }
  on.exit(system2("umount", c("-l", folder)))
  f(folder)
}

if (asked("folder")) {
  in_small_folder(function(folder) {
    set.seed(1)
    d <- data.frame(x = rnorm(40000), y = rnorm(40000))
    large <- tec_tree(y ~ x, d, min_bucket = 2, prune = "none")
    small <- tec_tree(y ~ x, d[1:50, ], prune = "none")
    file <- file.path(folder, "model")
    writes <- list(
      tec_json = tec_json, tec_sql = function(f, file) tec_sql(f, file = file),
      tec_code = function(f, file) tec_code(f, "c", file = file),
      tec_pmml = function(f, file) tec_pmml(f, file, missing = "majority"),
      tec_onnx = function(f, file) tec_onnx(f, file, missing = "majority"),
      tec_view = function(f, file) tec_view(f, file = file)
    )
    for (name in names(writes)) {
      unlink(file)
      writes[[name]](small, file)
      before <- readBin(file, "raw", 1e7)
      said <- tryCatch(writes[[name]](large, file), error = identity)
      after <- readBin(file, "raw", 1e7)
      fault <- c(
        if (!inherits(said, "tec_error_export")) paste("no error, but", class(said)[1L]),
        if (!identical(before, after)) "the old file is lost",
        if (length(dir(folder, all.files = TRUE, no.. = TRUE)) != 1L) "a part is left"
      )
      say("folder", paste("full,", name), fault)
    }
    unlink(file)
    writes$tec_json(small, file)
    system2("mount", c("-o", "remount,ro", folder))
    for (name in names(writes)) {
      said <- tryCatch(writes[[name]](small, file), error = identity)
      say("folder", paste("read-only,", name), if (!inherits(said, "tec_error_export")) {
        paste("no error of the package, but", class(said)[1L])
      })
    }
  })
  in_small_folder(function(folder) {
    # The temporary folder of a session fills up after R has started.
    fill <- sprintf(
      "system(\"dd if=/dev/zero of=%s/full bs=1k count=2000 2>/dev/null\")", folder
    )
    out <- session(fill, env = paste0("TMPDIR=", folder))
    say("folder", "full temporary folder", compared(out))
    unlink(file.path(folder, "full"))
    if (requireNamespace("RSQLite", quietly = TRUE)) {
      code <- c(
        sprintf("con <- DBI::dbConnect(RSQLite::SQLite(), %s)", deparse(file.path(folder, "db"))),
        "d <- data.frame(x = 1:5000 %% 97 / 7, y = factor(1:5000 %% 3))",
        "DBI::dbWriteTable(con, 'rows', d)", fill,
        "count <- tec_engine(collect_rows = 0, progress = FALSE)",
        "fit <- try(tec_tree(y ~ x, con, table = 'rows', engine = count, prune = 'none'))",
        "same <- identical(predict(fit, d), predict(tec_tree(y ~ x, d, prune = 'none'), d))",
        "if (!inherits(attr(fit, 'condition'), 'tec_error') && !same) stop('other tree')"
      )
      out <- session(code, env = paste0("TMPDIR=", tempdir()))
      say("folder", "database on a full disk", compared(out))
    }
  })
}

if (asked("locale")) {
  compiled <- tempfile("locales")
  dir.create(compiled)
  locales <- list(
    c("de_DE", "UTF-8"), c("tr_TR", "UTF-8"), c("et_EE", "UTF-8"), c("cs_CZ", "UTF-8"),
    c("ar_SA", "UTF-8"), c("de_DE", "ISO-8859-1"), c("tr_TR", "ISO-8859-9"), c("ja_JP", "EUC-JP")
  )
  for (one in locales) {
    name <- paste(one, collapse = ".")
    made <- if (nzchar(Sys.which("localedef"))) {
      system2("localedef", c("-i", one[1L], "-f", one[2L], file.path(compiled, name)),
        stdout = FALSE, stderr = FALSE
      )
    } else {
      1
    }
    if (made > 1 || !dir.exists(file.path(compiled, name))) {
      skipped <- c(skipped, paste("locale", name))
      next
    }
    set <- sprintf("stopifnot(nzchar(Sys.setlocale('LC_ALL', '%s')))", name)
    # \\u00e9 does not exist in every character set: R keeps it as UTF-8.
    out <- session(set, env = c(paste0("LOCPATH=", compiled), paste0("LC_ALL=", name)))
    say("locale", name, compared(out))
  }
  out <- session(env = "LC_ALL=C")
  say("locale", "C", compared(out))
}

if (length(skipped)) cat("Skipped:", paste(skipped, collapse = "; "), "\n")
quit(status = as.integer(failed > 0))
