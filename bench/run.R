# How fast is tectree, and how much memory does it take?
#
#   Rscript bench/run.R [options]
#
#   --rows=a,b,...   the tasks (default: all of them)
#     a  100,000 x 20 gaussian, 3 classes, a full tree
#     b  1,000,000 x 10, 2 classes, a full tree and depth 8
#     c  200,000 x 20 with about 80 distinct values a column, 5 classes, full and depth 8
#     d  other criteria against gini, on the data of a, b and c
#     e  regression, 200,000 x 10, leaves of 7 rows or more and depth 8
#     f  memory of a fit above its data, 1,000,000 x 10
#     g  growth of the time from 10^4 to 10^7 rows, depth 8
#     h  prediction of 1,000,000 rows by a tree of depth 8
#     i  one split on a factor of 10,000 levels, 100,000 rows
#     j  l1 against l2, 100,000 x 10
#     k  preset "cart" against rpart(), both with their defaults, 100,000 x 20 and 1,000,000 x 10
#     l  3% missing in each column against complete data, 100,000 x 20: three policies, with and
#        without pruning
#   --times=5        runs of everything that is timed; medians are reported
#   --threads=1,2    numbers of threads
#   --patience=60    a peer whose first run takes longer (seconds) runs only once
#   --quick          a tenth of the rows, to see whether the script works
#   --lib=DIR        the library that contains tectree, if it is not a usual one
#   --python=FILE    a Python with scikit-learn
#   --write          write bench/RESULTS.md
#
# Every time of tectree, and of the peers in R, is that of a whole call: a formula and a
# data frame in, a fitted tree out. scikit-learn's is that of fit() alone, on data already
# in its memory. Nothing here is a test.

bench_dir <- function() {
  file <- grep("^--file=", commandArgs(), value = TRUE)
  if (length(file)) dirname(sub("^--file=", "", file[[1L]])) else "bench"
}

here <- bench_dir()
for (file in c("work.R", "peers.R", "rows.R", "more-rows.R", "preset-rows.R", "report.R")) {
  source(file.path(here, file))
}

read_options <- function(args) {
  value <- function(name, default) {
    given <- grep(paste0("^--", name, "="), args, value = TRUE)
    if (length(given)) sub("^[^=]*=", "", given[[length(given)]]) else default
  }
  known <- "^--(rows|times|threads|patience|lib|python)=|^--(quick|write)$"
  if (any(!grepl(known, args))) {
    stop("Unknown option: ", paste(args[!grepl(known, args)], collapse = " "), call. = FALSE)
  }
  quick <- "--quick" %in% args
  list(
    rows = strsplit(value("rows", paste(letters[1:12], collapse = ",")), ",")[[1L]],
    times = as.integer(value("times", "5")),
    threads = sort(as.integer(strsplit(value("threads", "1,2"), ",")[[1L]])),
    patience = as.double(value("patience", "60")),
    lib = value("lib", NULL),
    python = value("python", default_python()),
    scale = if (quick) 0.1 else 1,
    write = "--write" %in% args,
    dir = here,
    args = args
  )
}

# A distribution's scikit-learn belongs to the system's own Python, which may not be the
# first on the path.
default_python <- function() {
  system_python <- "/usr/bin/python3"
  if (file.exists(system_python)) system_python else unname(Sys.which("python3"))
}

benchmarks <- list(
  a = trees_row, b = trees_row, c = trees_row, d = criteria_row, e = regression_row,
  f = memory_row, g = growth_row, h = predict_row, i = levels_row,
  j = absolute_row, k = cart_row, l = missing_row
)

main <- function() {
  options <- read_options(commandArgs(trailingOnly = TRUE))
  unknown <- setdiff(options$rows, names(benchmarks))
  if (length(unknown)) {
    stop("There is no row ", paste(unknown, collapse = ", "), ".", call. = FALSE)
  }
  if (!is.null(options$lib)) {
    .libPaths(c(options$lib, .libPaths()))
  }
  library(tectree)
  options$peers <- find_peers(options$python)
  facts <- machine_facts(options)
  writeLines(facts)
  warm_up(options)
  results <- list()
  for (row in options$rows) {
    message("-- ", row, " ", format(Sys.time(), "%H:%M:%S"))
    results[[row]] <- benchmarks[[row]](options, row)
    print_outcomes(results[[row]]$outcomes)
    gc()
  }
  report(results, facts, options)
}

main()
