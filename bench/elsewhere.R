# Hostile tables whose rows are elsewhere: is the tree that of the same rows in memory?
#
#   Rscript bench/elsewhere.R [--tables=1000] [--from=1] [--lib=DIR]
#     [--engines=sqlite,duckdb,postgres,cluster]
#
# Random tables of 2 to 400 rows and 1 to 12 predictors. Names are SQL and R keywords, names that
# the package itself uses, quotes, points, other alphabets. Columns are numbers (whole, fractions,
# from 1e-300 to 1e300, infinite, log-normal, many values or one), booleans, dates, texts (empty,
# quotes, blanks, alphabets) and NULLs, including columns of nothing but NULLs. The response has
# classes, or numbers from whole to log-normal, or is factor() of numbers. Each table is read in all
# ways: its rows are fetched, as they are and as codes, and they are counted; for every third table
# the columns with many numbers are counted in bins. Splits, numbers of rows, and predictions are
# compared with those of memory. Errors of the package are counted by class; 0 trees may differ.
# Progress is printed to stderr every 200 tables. Nothing here is a test.

args <- commandArgs(trailingOnly = TRUE)
file <- grep("^--file=", commandArgs(), value = TRUE)
here <- dirname(sub("^--file=", "", file[[1L]]))
source(file.path(here, "work.R"))
value <- function(name, default) option_value(args, name, default)
use_library(value("lib", NULL))
suppressMessages(library(testthat))
for (name in c("cases", "export", "expect", "engines", "same", "cluster", "fetch", "hostile")) {
  source(file.path(here, "..", "tests", "testthat", paste0("helper-", name, ".R")))
}
wanted <- strsplit(value("engines", "sqlite,duckdb,postgres,cluster"), ",")[[1L]]
seeds <- as.integer(value("from", "1")) - 1L + seq_len(as.integer(value("tables", "1000")))

rows <- lapply(wanted, function(engine) {
  for (way in c("fetched", "counted", if (engine != "cluster") "codes")) {
    took <- system.time(found <- lapply(seq_along(seeds), function(i) {
      if (i %% 200L == 0L) message(engine, ", ", way, ": table ", i, " of ", length(seeds))
      compare_hostile(engine, seeds[i], way)
    }))
    result <- vapply(found, `[[`, "", "result")
    cat(sprintf(
      "%-9s %s: %d tables, %d the same, %d refused, %d differ (%.0f s)\n", engine, way,
      length(seeds), sum(result == "same"), sum(startsWith(result, "tec_error")),
      sum(result != "same" & !startsWith(result, "tec_error")), took[["elapsed"]]
    ))
    refused <- table(result[startsWith(result, "tec_error")])
    if (length(refused)) cat("  ", paste(names(refused), refused, collapse = ", "), "\n")
    bad <- which(result != "same" & !startsWith(result, "tec_error"))
    for (i in utils::head(bad, 20L)) cat("   seed", seeds[i], result[i], "\n")
  }
})
