# Trees in Spark: are they the trees of memory, and what do they cost?
#
#   Rscript bench/spark.R [--by=sparklyr|pyspark|odbc|stand-in] [--master=local] [--dsn=NAME]
#     [--part=same,options,tune,scale] [--tables=125] [--rows=1e6] [--depth=8] [--lib=DIR]
#
# One command on a machine with Spark. Without --by: sparklyr if it is installed and finds Spark
# (SPARK_HOME, or sparklyr::spark_install()), otherwise PySpark through reticulate, otherwise the
# ODBC data source of --dsn. `stand-in` is DuckDB behind Spark's SQL, as in the tests: its speed
# does not represent Spark's. same: random tables with hostile names and values, four of all
# criteria each. options: ways to encode, group and advance, weights, bins, a filter, predictions.
# tune: a grid of q by folds. scale: rows x 10 columns, 7 of them with many values. The last line is
# the verdict; the status is 0 if every tree was memory's, 1 if one was not, 2 if there is no Spark.

args <- commandArgs(trailingOnly = TRUE)
file <- grep("^--file=", commandArgs(), value = TRUE)
here <- dirname(sub("^--file=", "", file[[1L]]))
source(file.path(here, "work.R"))
value <- function(name, default) option_value(args, name, default)
use_library(value("lib", NULL))
suppressMessages(library(testthat))
tests <- file.path(here, "..", "tests", "testthat")
for (name in c("cases", "export", "expect", "engines", "spark", "tune", "same")) {
  source(file.path(tests, paste0("helper-", name, ".R")))
}
source(file.path(here, "spark", "connect.R"))
parts <- strsplit(value("part", "same,options,tune,scale"), ",")[[1L]]

spark <- connect_spark(value("by", NULL), value("master", "local"), value("dsn", NULL))
if (is.null(spark$con)) {
  writeLines(c("There is no Spark here, so nothing was compared.", paste(" ", spark$why)))
  quit(status = 2L)
}
con <- spark$con
on_spark <- spark$by != "stand-in"
cat("Spark by ", spark$by, if (on_spark) paste(", version", spark_version_of(con)), "\n", sep = "")

results <- list()
# `expr`: list(compared =, differ = labels, queries =).
trial <- function(what, expr) {
  took <- system.time(out <- tryCatch(expr, error = function(e) {
    list(compared = NA, differ = conditionMessage(e), queries = NA)
  }))[["elapsed"]]
  row <- data.frame(what = what, trees = out$compared, differ = length(out$differ),
    seconds = round(took, 1), queries = if (is.null(out$queries)) NA else out$queries)
  results[[length(results) + 1L]] <<- row
  cat(sprintf("%-44s %5s trees, %d differ, %7.1f s, %s queries\n", what, row$trees, row$differ,
    row$seconds, row$queries))
  if (length(out$differ)) writeLines(paste("   ", utils::head(out$differ, 5L)))
}
n_queries <- function(fit) nrow(tec_passes(fit))

# ---- random tables -------------------------------------------------------------------------------

same_on_spark <- function(seed, per_table = 4L) {
  numbers <- seed %% 6 == 0
  d <- same_table(seed, numbers)
  put_spark(spark, "same_rows", d)
  settings <- same_settings()
  use <- settings_for(numbers, settings)
  use <- unique(use[(seed * per_table + seq_len(per_table) - 1L) %% length(use) + 1L])
  ways <- list(list(encode = "table"), list(encode = "inline"), list(strategy = "stream"))
  way <- ways[[seed %% 3 + 1L]]
  queries <- 0
  differ <- unlist(lapply(use, function(i) {
    rest <- draw_rest(numbers)
    there <- stored_tree(con, "same_rows", d, settings[[i]], rest, way)
    queries <<- queries + n_queries(there)
    if (!is_same_tree(memory_tree(d, settings[[i]], rest), there, d)) {
      paste("seed", seed, "setting", i, paste(names(way), way))
    }
  }))
  list(compared = length(use), differ = as.character(differ), queries = queries)
}

if ("same" %in% parts) {
  tables <- as.integer(value("tables", "125"))
  trial(paste(tables, "random tables"), {
    out <- lapply(seq_len(tables), function(seed) {
      tryCatch(same_on_spark(seed), error = function(e) {
        list(compared = 0, differ = paste("seed", seed, conditionMessage(e)), queries = 0)
      })
    })
    add <- function(name) sum(vapply(out, `[[`, 0, name))
    list(compared = add("compared"), differ = unlist(lapply(out, `[[`, "differ")),
      queries = add("queries"))
  })
}

# ---- options -------------------------------------------------------------------------------------

options_table <- function(n = 3000) {
  set.seed(1)
  d <- data.frame(
    id = seq_len(n), select = sample(40, n, TRUE), `9to5` = round(stats::rnorm(n), 3),
    `a b` = sample(c("it's", "b\\", "\u00fc", NA), n, TRUE), y.z = sample(c(TRUE, FALSE), n, TRUE),
    w = sample(0:3, n, TRUE), check.names = FALSE
  )
  score <- d$select / 20 + d$`9to5` + d$y.z + stats::rnorm(n) / 2
  d$y <- c("no", "perhaps", "o'k")[1 + (score > 1.5) + (score > 2.5)]
  d$z <- round(score, 2)
  d
}

if ("options" %in% parts) {
  d <- options_table()
  put_spark(spark, "options_rows", d)
  terms <- "select + `9to5` + `a b` + y.z"
  compare <- function(what, ..., response = "y", weights = NULL, rows = d, data = con,
                      table = "options_rows", use = list()) {
    trial(what, {
      formula <- stats::as.formula(paste(response, "~", terms))
      common <- c(list(formula, missing = "majority", prune = "none", max_depth = 5), use,
        if (!is.null(weights)) list(weights_as = "frequency"))
      engine <- tec_engine(collect_rows = 0, progress = FALSE, ...)
      remote <- c(common, list(data = data, engine = engine, table = table),
        if (!is.null(weights)) list(weights = weights))
      local <- c(common, list(data = rows), if (!is.null(weights)) list(weights = rows[[weights]]))
      there <- quietly_grown(remote)
      same <- is_same_tree(quietly_grown(local), there, rows)
      list(compared = 1L, differ = if (!same) what, queries = n_queries(there))
    })
  }
  compare("a table of codes", encode = "table")
  compare("inline", encode = "inline")
  compare("rows in blocks", strategy = "stream")
  compare("advance_every = 2", encode = "table", advance_every = 2)
  compare("bins, certified", max_values = 30, bins = 16)
  compare("bins, certified, inline", max_values = 30, bins = 16, encode = "inline")
  compare("small answers", max_cells = 200)
  compare("weights", weights = "w")
  compare("numbers", response = "z")
  compare("numbers, bins, weights", response = "z", max_values = 30, bins = 16, weights = "w")
  for (q in c(0.5, 2)) compare(paste("q =", q), use = list(q = q))
  if (requireNamespace("dbplyr", quietly = TRUE) && requireNamespace("dplyr", quietly = TRUE)) {
    lazy <- dplyr::tbl(con, "options_rows")
    compare("filter() of a lazy table", data = dplyr::filter(lazy, select > 10L), table = NULL,
      rows = d[d$select > 10, ])
    trial("predict() of a lazy table", {
      fit <- tec_tree(stats::as.formula(paste("y ~", terms)), d, missing = "majority")
      out <- as.data.frame(dplyr::collect(predict(fit, lazy)))
      same <- identical(out$.pred[order(out$id)], as.character(predict(fit, d)))
      list(compared = 1L, differ = if (!same) "predictions")
    })
  }
}

# ---- tuning --------------------------------------------------------------------------------------

if ("tune" %in% parts) {
  d <- options_table()
  put_spark(spark, "options_rows", d)
  trial("tec_tune(q = c(1, 2)), 10 folds", {
    formula <- y ~ select + `9to5` + `a b` + y.z
    tuned <- suppressMessages(tec_tune(
      formula, con, table = "options_rows", q = c(1, 2), missing = "majority", max_depth = 5,
      engine = tec_engine(collect_rows = 0, key = "id", progress = FALSE)
    ))
    memory <- quietly_grown(list(formula, d, missing = "majority", max_depth = 5, prune = "none",
      criterion = tuned$fit$criterion))
    same <- is_same_tree(memory, tuned$fit, d)
    list(compared = 1L, differ = if (!same) "the chosen tree", queries = nrow(tec_passes(tuned)))
  })
}

# ---- scale ---------------------------------------------------------------------------------------

# A hash of the row's number: 7 columns with many values, 3 with 50; two classes.
made_by_sql <- function(dialect, rows) {
  key <- dialect$whole_type("i")
  x <- vapply(1:10, function(j) {
    hash <- tectree:::hash_sql(key, j, dialect)
    if (j > 7) dialect$mod(hash, 50) else hash
  }, "")
  noise <- dialect$mod(tectree:::hash_sql(key, 99, dialect), 10)
  paste0(
    "SELECT ", paste0(dialect$number_type(paste0("h", 1:10)), " AS x", 1:10, collapse = ", "),
    ", CASE WHEN noise = 0 OR (h1 < 30000000 AND h8 > 20) OR (h2 > 50000000 AND h3 < 40000000) ",
    "THEN 'a' ELSE 'b' END AS y FROM (SELECT ", paste0(x, " AS h", 1:10, collapse = ", "), ", ",
    noise, " AS noise FROM (", rows, ") r) m"
  )
}

if ("scale" %in% parts) {
  n <- as.numeric(value("rows", "1e6"))
  depth <- as.integer(value("depth", "8"))
  make_large(spark, "large_rows", n, made_by_sql)
  use <- list(y ~ ., max_depth = depth, prune = "none", min_bucket = 20)
  took <- system.time(d <- as.data.frame(DBI::dbGetQuery(con, "SELECT * FROM large_rows")))
  cat(sprintf("%.0f rows read in %.1f s\n", n, took[["elapsed"]]))
  memory <- quietly_grown(c(use, list(data = d)))
  for (collect in c(0, 1e5)) {
    trial(sprintf("%.0f rows, depth %d, collect_rows = %.0f", n, depth, collect), {
      fit <- quietly_grown(c(use, list(data = con, table = "large_rows",
        engine = tec_engine(collect_rows = collect, progress = FALSE))))
      passes <- tec_passes(fit)
      print(stats::aggregate(cbind(queries = 1, seconds, rows) ~ what, passes, sum))
      same <- is_same_tree(memory, fit, d)
      list(compared = 1L, differ = if (!same) "the large tree", queries = nrow(passes))
    })
  }
  if (spark$by == "sparklyr") {
    trial("MLlib's tree of 256 bins (seconds alone)", {
      ml <- getExportedValue("sparklyr", "ml_decision_tree_classifier")
      ml(dplyr::tbl(con, "large_rows"), y ~ ., max_depth = depth, max_bins = 256L)
      list(compared = 0L)
    })
  }
}

# ---- what was found ------------------------------------------------------------------------------

results <- do.call(rbind, results)
cat("\n")
print(results, row.names = FALSE)
left <- if (on_spark) left_behind(con) else character()
if (length(left)) cat("Left behind:", left, "\n")
differ <- sum(results$differ) + length(left)
cat(sprintf(
  "%s: %.0f trees compared with memory's, %.0f differ or failed.\n",
  if (on_spark) "Spark" else "The stand-in of Spark", sum(results$trees, na.rm = TRUE), differ
))
invisible(spark$close())
quit(status = as.integer(differ > 0))
