#' Settings for data in databases, files and clusters
#'
#' Settings for trees whose rows stay in a database, in files or in other R processes. [tec_tree()]
#' accepts as `data` a lazy table of dbplyr, a DBI connection with the name of a table, the path of
#' Parquet files, or a cluster of the package parallel.
#' *Experimental*, see *Lifecycle* in [tectree-package].
#'
#' Rows that fit into memory are fetched by one query. From then on everything works as with a data
#' frame in memory: the defaults, `subset`, computed terms in the formula and all settings. The same
#' call on the same data gives the same tree. Rows fit if they need at most `memory`, by default a
#' quarter of the free memory. A tree needs more memory than the rows themselves, so 14 bytes are
#' counted per value and 130 per row. If the rows do not fit, columns with at most 65,536 different
#' values can be read as codes of one or two bytes, which count as 7 or 8 bytes per value; the tree
#' is the same. A message says what will be done before the work begins.
#'
#' Otherwise the engine of the database, or each process, counts the rows where they are. R gets
#' counts and the values that occur in single columns, but no rows except those of nodes of at most
#' `collect_rows` rows. SQLite is an exception: by default its rows are read in blocks and counted
#' in R, because it would sort them in order to count them. The tree is the one that [tec_tree()]
#' grows from the same rows in memory.
#'
#' If no row may leave the database, use `collect_rows = 0, strategy = "group"`.
#'
#' The tree grows level by level. For all nodes of a level that may be split, one query asks how
#' many rows each value of each predictor has, by class (or, for a numeric response, the sum and the
#' sum of squares). The largest branch of a split is not counted: its counts are those of its parent
#' minus those of the other branches. Nodes of at most `collect_rows` rows (100,000 if memory
#' decides) are fetched and grown in memory.
#'
#' A numeric column with at most `max_values` different values has one code per value, and a column
#' of text has one per level. The counts of these codes determine every split for every criterion,
#' without approximation. Numeric columns with more values are counted in bins. Bins that may
#' contain the best cut are examined by finer bins and then by value. `fit$found` says how each node
#' was searched: `"values"` (all values counted), `"certified"` (values counted where the best cut
#' may be), `"bins"` (cuts between bins only: approximate), `"collected"` (rows fetched), or `""`
#' for a leaf that was not searched.
#'
#' A cut is certified if it is proved to be the best cut of all values, although most values were
#' counted in bins. The proof needs an upper bound of the gain of all cuts inside a bin, computed
#' from the counts of the bin. A bin whose bound is below the gain of a known cut is not examined.
#' There is a bound for `"tsallis"`, `"shannon"`, `"gini"`, `"cond_entropy"`, `"cami"` and `"l2"`,
#' and for `"tsallis_mutual"` and `"beta"` with a parameter of at most 2. There is none for the
#' other criteria: ratios (`"gain_ratio"`, `"tsallis_ratio"`, `"cair"` and the `effcami` criteria)
#' and tests (`"chisq"`, `"chisq_lr"`, `"row_effects"`), whose p values are adjusted for the number
#' of values. Nor is there one with the rules of C4.5, with `intervals` above 2, with
#' `splitter = "random"` or with a choice of `eligible`.
#'
#' For a numeric response, sums are exact in whatever order a database adds. The values are
#' multiples of a unit, and large multiples are added digit by digit. Values with few decimals need
#' two sums per count. Other fractions need ten or more, which takes longer; `ROUND()` in the query
#' helps. Values that together need more than 120 binary digits, such as `1e-20` and `1e20`, are an
#' error.
#'
#' Dates are counted as days and times as seconds, in UTC. An `interval` of PostgreSQL or DuckDB is
#' a time difference in seconds, with 30 days per month. Some drivers read such a column as text,
#' others as a number. To predict rows that you have read yourself, make it a `difftime`: use
#' `EXTRACT(EPOCH FROM ...)` in the query and [as.difftime()].
#'
#' @section One state of the table:
#' All queries of a fit see the table as it was at the first query, whatever others write in the
#' meantime. In PostgreSQL, DuckDB and SQLite they share one transaction (in PostgreSQL with
#' `REPEATABLE READ`). A transaction that you have begun is left open. In PostgreSQL it must have
#' this level or `SERIALIZABLE`; other levels are an error. However a fit ends, it leaves the
#' connection as it was, without temporary tables. The only exception is DuckDB, where an error also
#' ends your transaction. In SQLite, others can write during a fit if the database has a write-ahead
#' log (`PRAGMA journal_mode = WAL`). With a rollback journal they wait until the fit ends, or get
#' the error that the database is locked. Files, and databases without such transactions, are
#' counted again at the end; rows that have changed are an error of class `tec_error_changed`. In
#' addition, the counts of every node and predictor must add up to those of the level above.
#' Otherwise the fit stops with an error of class `tec_error_counts`.
#'
#' @section Clusters:
#' `data` can be a cluster from [parallel::makeCluster()], on one machine or several, including MPI
#' processes (`type = "MPI"`, with the packages snow and Rmpi). `table` is then the name of a data
#' frame that each worker has in its global environment: its part of the rows.
#' `parallel::clusterEvalQ(cl, part <- ...)` lets each worker read its own part. Alternatively,
#' `table` is a function that each worker calls at the beginning of a fit. Workers that have lost
#' their parts, and new workers, then read them by themselves, including what has changed since the
#' last fit. The tree is that of `rbind()` of all parts, in the order of the workers: factors have
#' the levels of all parts in order of appearance, levels of text are sorted, and parts without rows
#' are ignored. Columns must have the same names and types in all parts; integers and doubles are
#' one type. Weights must be whole numbers. An interrupt ends the fit as soon as the workers have
#' given the answer they were asked for. They keep their parts and can be used again. The workers
#' need the same version of tectree. The settings `strategy`, `encode`, `max_cells`, `advance_every`
#' and `shard_key` are ignored for clusters. A problem with a worker is an error that names the
#' worker, usually of class `tec_error_cluster`.
#'
#' @section What needs rows:
#' `missing = "surrogate"` and `"fractional"`, `preset = "cart"` and `"chaid"`, `lookahead`,
#' `max_p`, `honest`, `subset`, computed terms of the formula and cross-validated `alpha` need the
#' rows themselves, not only counts. For a
#' numeric response only least squares (`"l2"`) can be counted, with two branches per numeric split
#' (`intervals = 2`), and without `missing = "mode"`, `splitter = "random"` or a choice of
#' `eligible`. If rows are to be counted, these settings are an error before the work begins. If
#' values are missing, the default `"fractional"` becomes `"learned"` (`"majority"` with the rules
#' of C4.5); a message and the printed tree say so. The tree is not pruned unless you give a number
#' for `cp` or `alpha`, or `prune = "ccp"`, `"pep"` or `"ebp"`; a message says so too. Means of
#' numeric responses may differ from those in memory in the last digit.
#'
#' @param collect_rows Tables and nodes of at most this many rows are fetched. `NULL`: a table is
#'   fetched if its rows fit into `memory`, otherwise nodes of at most 100,000 rows are. `Inf`: all
#'   are. 0: none are, but with `strategy = "auto"` the rows of SQLite are still read in blocks.
#' @param memory How much memory fetched rows may need: a share of the free memory or, above 1, a
#'   number of bytes. Limits of the machine, of control groups (containers), of `ulimit -v` and of R
#'   are taken into account.
#' @param max_values Maximum number of different values of a predictor for which each value has its
#'   own code.
#' @param bins Number of bins of a numeric predictor with more values.
#' @param exact Whether the best cut of a binned predictor is certified, that is, proved to be the
#'   best of all its values, see *Details*. `"auto"`: if the criterion has a bound; otherwise a
#'   message says that it has none. `"certify"`: always, which is an error for a criterion without a
#'   bound. `"bins"`: never; only cuts between bins are searched.
#' @param max_cells Maximum number of counts per query.
#' @param strategy `"group"`: the engine groups the rows; `"stream"`: coded rows are streamed to R
#'   and counted there; `"auto"`: the faster of the two on the engine, which is `"stream"` for
#'   SQLite and `"group"` for all others.
#' @param encode `"table"`: a temporary table of codes; `"inline"`: codes are computed in every
#'   query, which needs no right to write; `"auto"`: a table where possible. With a table, DuckDB's
#'   setting `perfect_ht_threshold` is 18 or more until the fit ends.
#' @param advance_every Number of levels after which the temporary table is rebuilt without the rows
#'   of finished nodes.
#' @param shard_key For PostgreSQL tables spread over several servers: the column that divides the
#'   table.
#' @param key A column of whole numbers that identifies the rows, for [tec_forest()] and folds.
#' @param checkpoint A file to which the state is saved after each level, for [tec_resume()]. If its
#'   folder cannot be written to, nothing is counted. If a later save fails, a warning says so and
#'   the fit goes on.
#' @param progress Whether to report how the rows are used, the preparation and each level.
#' @param ... Must be empty.
#' @return A list of class `tec_engine`, for the argument `engine` of [tec_tree()].
#' @family trees of data elsewhere
#' @srrstats {ML4.3, ML4.4} Rows are counted level by level, without epochs; the settings and what
#'   they cost are described.
#' @srrstats {ML4.6} `progress = TRUE`, the default, reports each level.
#' @examplesIf all(vapply(c("RSQLite", "dbplyr"), requireNamespace, NA, quietly = TRUE))
#' con <- DBI::dbConnect(RSQLite::SQLite())
#' DBI::dbWriteTable(con, "iris", iris)
#' fit <- tec_tree(
#'   Species ~ ., dplyr::tbl(con, "iris"), prune = "none",
#'   engine = tec_engine(collect_rows = 0, strategy = "group")
#' )
#' fit
#' tec_passes(fit)[c("what", "level", "rows", "plan")]
#' DBI::dbDisconnect(con)
#' # Two processes, each with its part
#' cl <- parallel::makeCluster(2)
#' invisible(parallel::clusterApply(cl, list(1:80, 81:150), function(rows) part <<- iris[rows, ]))
#' tec_tree(
#'   Species ~ ., cl, table = "part", prune = "none", engine = tec_engine(collect_rows = 0)
#' )
#' parallel::stopCluster(cl)
#' @export
tec_engine <- function(collect_rows = NULL, memory = 0.25, max_values = 4096, bins = 255,
                       exact = c("auto", "certify", "bins"), max_cells = 2e7,
                       strategy = c("auto", "group", "stream"),
                       encode = c("auto", "table", "inline"), advance_every = 6, shard_key = NULL,
                       key = NULL, checkpoint = NULL, progress = TRUE, ...) {
  refuse_dots("tec_engine", ...)
  structure(
    list(
      collect_rows = if (!is.null(collect_rows)) {
        check_engine_count(collect_rows, "collect_rows", 0)
      },
      memory = check_engine_memory(memory),
      max_values = check_engine_count(max_values, "max_values", 2),
      bins = check_engine_count(bins, "bins", 2),
      exact = engine_choice(if (missing(exact)) "auto" else exact, "exact"),
      max_cells = check_engine_count(max_cells, "max_cells", 1),
      strategy = engine_choice(if (missing(strategy)) "auto" else strategy, "strategy"),
      encode = engine_choice(if (missing(encode)) "auto" else encode, "encode"),
      advance_every = check_engine_count(advance_every, "advance_every", 1),
      shard_key = check_engine_name(shard_key, "shard_key"),
      key = check_engine_name(key, "key"),
      checkpoint = check_engine_name(checkpoint, "checkpoint"),
      progress = check_flag(progress, "progress", topic = "engine")
    ),
    class = "tec_engine"
  )
}

engine_choice <- function(x, arg) match_choice(x, eval(formals(tec_engine)[[arg]]), arg, "engine")

check_engine_count <- function(x, arg, least) {
  if (!is.numeric(x) || length(x) != 1L || is.na(x) || x < least) {
    tec_abort("engine", c(
      "{.arg {arg}} must be one number of at least {least}.",
      x = "It is {describe(x)}."
    ))
  }
  floor(as.double(x))
}

check_engine_memory <- function(memory) {
  if (!is.numeric(memory) || length(memory) != 1L || is.na(memory) || memory <= 0) {
    tec_abort("engine", c(
      "{.arg memory} must be a share of the free memory, or a number of bytes.",
      x = "It is {describe(memory)}.",
      i = "For example {.code memory = 0.5}, or {.code memory = 2e9}."
    ))
  }
  as.double(memory)
}

check_engine_name <- function(x, arg) {
  if (!is.null(x) && (!is_string(x) || !nzchar(x))) {
    tec_abort("engine", c("{.arg {arg}} must be one name.", x = "It is {describe(x)}."))
  }
  x
}

check_engine <- function(engine) {
  if (is.null(engine)) {
    return(tec_engine())
  }
  if (!inherits(engine, "tec_engine")) {
    tec_abort("engine", c(
      "{.arg engine} must come from {.fn tec_engine}.",
      x = "It is {describe(engine)}.",
      i = "For example {.code engine = tec_engine(collect_rows = 0)}."
    ))
  }
  engine
}

#' @export
print.tec_engine <- function(x, ...) {
  plain_numbers()
  refuse_dots("tec_engine", ...)
  shown <- vapply(x, function(v) if (is.null(v)) "(none)" else format(v), "")
  writeLines(c("<tec_engine>", paste0("  ", format(names(shown)), " ", shown)))
  invisible(x)
}

#' The queries of a fit
#'
#' Lists the queries of a tree that was grown from a database, files or a cluster.
#' *Experimental*, see *Lifecycle* in [tectree-package].
#'
#' For a database or files, the main values of `what` are:
#'
#' * `"types"`: the types of the columns.
#' * `"ranges"`: the missing values, the minimum and the maximum of each column.
#' * `"values"`: the different values of a column.
#' * `"cuts"`: the cuts between the bins of a column.
#' * `"counts"`: the number of rows per node, predictor, value and class. `"inside"`: the same
#'   within bins.
#' * `"rows"`: the number of rows (an answer of one row, without a `level`), or rows that were
#'   fetched.
#'
#' So rows were read if `plan` is `"stream"`, or if `"rows"` has a `level` or returned several rows.
#'
#' @param fit A tree that [tec_tree()] grew from data elsewhere.
#' @return A data frame with one row per query: `what` it was for, the `level` of the tree, its
#'   `seconds`, the `rows` and `bytes` returned, and the class of its `plan` if the engine reports
#'   it. For a cluster it also has the processor seconds of each worker, and `bytes` are those of
#'   all workers. There are no rows if the data were in memory.
#' @family trees of data elsewhere
#' @examples
#' tec_passes(tec_tree(Species ~ ., iris))
#' @export
tec_passes <- function(fit) {
  if (!inherits(fit, c("tec_tree", "tec_forest", "tec_tune"))) {
    tec_abort("argument", c(
      "{.arg fit} must be a tree from {.fn tec_tree}.",
      x = "It is {describe(fit)}."
    ))
  }
  fit$passes %||% no_passes
}

no_passes <- data.frame(
  what = character(), level = integer(), seconds = numeric(), rows = numeric(), bytes = numeric(),
  plan = character()
)
