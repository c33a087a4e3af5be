# A counter of rows in a database: answers the questions of growth by level with SQL through DBI.
# Only the rows of small nodes leave the database. Within the queries the predictors are x1, x2, ...
# (their codes in a coded table c1, c2, ...), the response y, the weight w and the key k.

# `frame`: that of the caller; the counter is closed when it ends, in whatever way.
sql_counter <- function(con, query, response, predictors, weights = NULL, key = NULL,
                        task = NULL, settings = list(), frame = NULL) {
  s <- open_state(con, query, settings, frame)
  done <- FALSE
  on.exit(if (!done) close_counter(s))
  if (s$link$name == "standard") say_standard(s$link)
  if (!s$transaction && s$link$name == "postgres") check_isolation(s$link)
  s$changes <- own_changes(s$link)
  describe_columns(s, response, predictors, weights, key, task)
  done <- TRUE
  list(
    meta = function() counter_meta(s),
    encode = function(codes) encode_columns(s, codes),
    cuts = function(column, k) find_cuts(s, column, k),
    counts = function(frontier, what = list()) count_cells(s, frontier, what),
    together = function(frontiers, what) count_together(s, frontiers, what),
    inside = function(asks) count_inside(s, asks),
    rows = function(frontier) fetch_rows(s, frontier),
    passes = function() log_table(s$link),
    ask = function(sql, what) ask(s$link, sql, what),
    check = function(root, centre) check_unchanged(s, root, centre),
    close = function() close_counter(s)
  )
}

# The state before the first query on the rows; close_counter() ends it.
open_state <- function(con, query, settings = list(), frame = NULL) {
  s <- new.env(parent = emptyenv())
  s$link <- sql_link(con)
  if (s$link$name == "standard") learn_dialect(s$link)
  s$dialect <- s$link$dialect
  s$query <- query
  s$from <- queried_rows(query)
  s$settings <- counter_settings(settings, s$dialect)
  s$told <- proc.time()[["elapsed"]]
  # For the names of temporary tables; does not use R's random numbers.
  s$id <- paste0("tec_", substr(rlang::hash(list(Sys.getpid(), Sys.time(), tempfile())), 1L, 6L))
  s$tables <- character()
  done <- FALSE
  on.exit(if (!done) close_counter(s))
  close_at_end(function() close_counter(s), frame)
  # An interrupt waits until it is known what was begun.
  suspendInterrupts(start_transaction(s))
  # Files are read again by each query.
  s$held <- !is.null(s$dialect$begin) && !grepl("\\bread_[a-z_]+\\(", s$query)
  allow_memory(s)
  s$shards <- find_shards(s)
  done <- TRUE
  s
}

counter_settings <- function(settings, dialect) {
  default <- list(
    strategy = "auto", encode = "auto", advance_every = 6, max_cells = 2e7, max_values = 4096,
    shard_key = NULL, block_rows = 1e5, parts = 256, progress = FALSE
  )
  out <- utils::modifyList(default, Filter(Negate(is.null), unclass(settings)))
  if (out$strategy == "auto") out$strategy <- if (dialect$stream) "stream" else "group"
  out
}

# PostgreSQL overestimates the number of groups and would sort the rows for each column, unless it
# has enough memory to hash that many. The setting lasts until the end of our transaction.
allow_memory <- function(s) {
  if (s$link$name != "postgres" || !s$transaction) {
    return(invisible())
  }
  sql <- "SELECT CAST(setting AS bigint) AS kb FROM pg_settings WHERE name = 'work_mem'"
  if (as.numeric(ask(s$link, sql, "a setting")$kb) < 2^17) {
    tell(s$link, "SET LOCAL work_mem = '128MB'", "a setting")
  }
}

# The counter of a source and its terms; it is closed when the `frame` ends.
counter_of <- function(source, terms, engine, frame) {
  if (inherits(source$con, "cluster")) {
    return(cluster_counter(source, terms, engine, frame))
  }
  sql_counter(
    source$con, source$query, terms$response, terms$predictors, terms$weights, engine$key,
    terms$task, engine, frame
  )
}
