#' Where the rows are counted
#'
#' Settings of a tree whose rows stay in a database, in files or in other R processes. [tec_tree()]
#' takes a lazy table of dbplyr, a DBI connection with the name of a table, the path of Parquet
#' files, or a cluster of the package parallel as `data`.
#'
#' Rows that fit into memory are read, by one query. Then all is as with a data frame in memory: the
#' defaults, `subset`, computed terms of the formula and every setting, and the same call on the
#' same data gives the same tree. Rows fit if they take at most `memory`, a quarter of the free
#' memory unless you say otherwise; a value counts 14 bytes and a row 130, since a tree needs more
#' than the rows themselves. If they do not, a value of a column with at most 65,536 different ones
#' can be read as a code of one byte or two, and counts 7 or 8 bytes; the tree is the same. A
#' message says which way is taken before the work begins.
#'
#' Other rows stay where they are: the engine of the database, or each process, counts, and only
#' counts come back. The tree is the one that [tec_tree()] grows from the same rows in memory.
#'
#' The tree grows by levels. For all nodes of a level that may be split one query asks how many rows
#' each value of each predictor has, by class (or the sum and the sum of squares of a numeric
#' response). Of the children of a split the largest is not asked for: its counts are what is left
#' of its parent's. Nodes of at most `collect_rows` rows (100,000 where memory decides) are fetched
#' and grown in memory.
#'
#' Every column of numbers with at most `max_values` different values has a code for each of them,
#' as has each level of text. Then the counts decide any split by any criterion: nothing is
#' approximated. Other columns of numbers are counted in bins; bins that may hold the best cut are
#' looked into, by finer bins and then by value. `fit$found` says of every node how it was searched:
#' `"values"` (all values counted), `"certified"` (values counted where the best cut may be),
#' `"bins"` (cuts between bins only: approximate), `"collected"` (rows fetched); `""` for a leaf
#' that was not searched. Criteria `"chisq"` and `"chisq_lr"` adjust their p values for the number
#' of
#' values, which bins do not tell: they are not certified.
#'
#' Sums of a numeric response are exact, whatever the order in which a database adds: its values are
#' whole in some unit, and where these whole numbers are large they are added up by digits. Values
#' with few decimals need two sums for each count, other fractions ten or more, which takes longer:
#' `ROUND()` in the query helps. Values that need more digits than 120 in base 2, such as `1e-20`
#' and
#' `1e20` together, are an error.
#'
#' Dates are numbers of days, times of seconds, in UTC. An `interval` of PostgreSQL or DuckDB is a
#' time difference in seconds, in which a month has 30 days. Some drivers read such a column as
#' text, others as a number: to predict rows that you have read yourself, make it a `difftime` by
#' `EXTRACT(EPOCH FROM ...)` in the query and [as.difftime()].
#'
#' @section One state of the table:
#' All queries of a fit see the table as it was at the first of them, whatever others write
#' meanwhile. In PostgreSQL they are in one transaction (`REPEATABLE READ`), as in DuckDB and
#' SQLite. A transaction that you have begun is left open; in PostgreSQL it must be of this level or
#' of `SERIALIZABLE`, others are an error. However a fit ends, it leaves the connection as it was,
#' without temporary tables; only in DuckDB an error ends a transaction of yours, too. In SQLite
#' such a reader lets others write if the database has a write-ahead log
#' (`PRAGMA journal_mode = WAL`); with a rollback journal they wait until the fit ends, or get the
#' error that the database is locked.
#' Files, and databases without such
#' transactions, are counted once more at the end, and rows that have changed are an error of class
#' `tec_error_changed`. Besides, at each level the counts of every node and predictor must add up to
#' what the level before promised, else it is an error of class `tec_error_counts`.
#'
#' @section Clusters:
#' `data` may be a cluster from [parallel::makeCluster()], on one machine or several, also one of
#' processes of MPI (`type = "MPI"`, by the packages snow and Rmpi). Then `table` is the name of a
#' data frame that each worker has in its global environment, its part of the rows:
#' `parallel::clusterEvalQ(cl, part <- ...)` lets each read its own. Or `table` is a function that
#' each worker calls at the beginning of a fit: then workers that have lost their parts, or new
#' ones, read them by themselves, and so what has changed since the fit before. The tree is that of
#' `rbind()` of all parts, in the order of the workers: factors have the levels of all parts in
#' order of appearance, levels of text are sorted, parts without rows do not matter. Columns must
#' have the same names and types in all parts; whole and other numbers are one type. Weights must
#' be whole numbers. An interrupt ends the fit when the workers have given the answer they were
#' asked
#' for; they keep their parts, and can be used again. The workers need the same version of tectree.
#' The settings `strategy`, `encode`, `max_cells`, `advance_every` and `shard_key` are ignored
#' here. What is wrong with a
#' worker is an error that names it, mostly of class `tec_error_cluster`.
#'
#' @section What needs rows:
#' `missing = "surrogate"` and `"fractional"`, `preset = "cart"` and `"chaid"`, `lookahead`,
#' `max_p`, `honest` and cross-validated `alpha` follow single rows. Numeric responses are counted
#' for least squares (`"l2"`) only, with two branches of a number (`intervals = 2`), without
#' `missing = "mode"`, `splitter = "random"` or a choice of `eligible`. Where rows are counted they
#' are an error before anything is counted.
#' The default `"fractional"` becomes `"learned"` where values are missing (`"majority"` with
#' the rules of C4.5), which a message and the printed tree say; and the tree is not pruned, unless
#' by a number `cp` or `alpha`, `prune = "pep"` or `"ebp"`, which a message says too. Means of
#' numeric responses may differ from memory's in the last digit.
#'
#' @param collect_rows Tables and nodes of at most so many rows are read. `NULL`: memory decides.
#'   0: none is, `Inf`: all are.
#' @param memory What rows that are read may take: a share of the free memory, or, above 1, a number
#'   of bytes. Limits of the machine, of control groups (containers), of `ulimit -v` and of R count.
#' @param max_values The most different values of a predictor that have a code each.
#' @param bins The number of bins of a predictor with more numbers than that.
#' @param exact What becomes of these: `"auto"` certifies the best cut where the criterion has a
#'   bound and says where it has none, `"bins"` never does, `"certify"` is an error without a bound.
#' @param max_cells The most counts that one query brings back.
#' @param strategy `"group"`: the engine groups; `"stream"`: coded rows are streamed and counted
#'   here; `"auto"` takes what is faster on the engine.
#' @param encode `"table"`: a temporary table of codes; `"inline"`: codes are made in every query,
#'   no right to write is needed; `"auto"` takes the first where it can. With a table DuckDB's
#'   setting `perfect_ht_threshold` is 18 or more until the fit ends.
#' @param advance_every After so many levels the temporary table is made anew without the rows of
#'   finished nodes.
#' @param shard_key For PostgreSQL tables over several servers: the column they are divided by.
#' @param key A column of whole numbers that tells rows apart, for [tec_forest()] and folds.
#' @param checkpoint A file to which the state is saved after each level, for [tec_resume()]. Where
#'   its folder cannot be written to, nothing is counted; where it can no longer be, a warning says
#'   so
#'   and the fit goes on.
#' @param progress Whether the way that is taken, the preparation and each level are reported.
#' @param ... Must be empty.
#' @return A list of class `tec_engine`, for the argument `engine` of [tec_tree()].
#' @family trees of data elsewhere
#' @examplesIf all(vapply(c("RSQLite", "dbplyr"), requireNamespace, NA, quietly = TRUE))
#' con <- DBI::dbConnect(RSQLite::SQLite())
#' DBI::dbWriteTable(con, "iris", iris)
#' fit <- tec_tree(
#'   Species ~ ., dplyr::tbl(con, "iris"), prune = "none", engine = tec_engine(collect_rows = 0)
#' )
#' fit
#' tec_passes(fit)[c("what", "level", "rows")]
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
#' What a tree grown from a database, files or a cluster asked for.
#'
#' @param fit A tree that [tec_tree()] grew from a table elsewhere.
#' @return A data frame with a row for each query: `what` it was for, the `level` of the tree, its
#'   `seconds`, the `rows` and `bytes` that came back, and the class of its `plan` where the engine
#'   tells it; of a cluster the seconds of the processor that each worker spent, and `bytes` of all
#'   workers. No rows where the data were in memory.
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
