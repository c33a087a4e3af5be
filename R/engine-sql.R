# A counter of rows in a database: what growth by level asks, as SQL through DBI. The rows stay
# there, but those of small nodes. Within the queries the predictors are x1, x2, ... (their codes in
# a coded table c1, c2, ...), the response y, the weight w and the key k.

# `frame`: of the caller at whose end, however it comes, the counter is closed.
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
  structure(
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
    ),
    class = "tec_counter"
  )
}

# What is known of a query before anything is asked of its rows; close_counter() ends it.
open_state <- function(con, query, settings = list(), frame = NULL) {
  s <- new.env(parent = emptyenv())
  s$link <- sql_link(con)
  if (s$link$name == "standard") learn_dialect(s$link)
  s$dialect <- s$link$dialect
  s$query <- query
  s$from <- queried_rows(query)
  s$settings <- counter_settings(settings, s$dialect)
  s$told <- proc.time()[["elapsed"]]
  s$id <- paste0("tec_", paste(sample_without_seed(6L), collapse = ""))
  s$tables <- character()
  done <- FALSE
  on.exit(if (!done) close_counter(s))
  close_at_end(function() close_counter(s), frame)
  hold_state(s)
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
  given <- settings[!vapply(settings, is.null, NA)]
  default[intersect(names(default), names(given))] <-
    given[intersect(names(default), names(given))]
  if (default$strategy == "auto") default$strategy <- if (dialect$stream) "stream" else "group"
  default
}

# Letters for the names of temporary tables; R's random numbers are not touched.
sample_without_seed <- function(n) {
  text <- paste(Sys.getpid(), format(Sys.time(), "%H%M%OS6"), tempfile(""))
  codes <- as.integer(charToRaw(text))
  state <- 1
  for (code in codes) state <- (state * 257 + code) %% hash_prime
  out <- character(n)
  for (i in seq_len(n)) {
    out[i] <- c(letters[1:6], 0:9)[state %% 16 + 1]
    state <- (state * 29943829 + 49979687) %% hash_prime
  }
  out
}

# PostgreSQL would sort the rows for each column, since it does not know how few groups there are:
# unless it may hash as many as it fears. Until the end of our transaction.
allow_memory <- function(s) {
  if (s$link$name != "postgres" || !s$transaction) {
    return(invisible())
  }
  sql <- "SELECT CAST(setting AS bigint) AS kb FROM pg_settings WHERE name = 'work_mem'"
  if (as.numeric(ask(s$link, sql, "a setting")$kb) < 2^17) {
    tell(s$link, "SET LOCAL work_mem = '128MB'", "a setting")
  }
}

# The counter of a source and its terms. It is closed at the end of the `frame`.
counter_of <- function(source, terms, engine, frame) {
  if (inherits(source$con, "cluster")) {
    return(cluster_counter(source, terms, engine, frame))
  }
  sql_counter(
    source$con, source$query, terms$response, terms$predictors, terms$weights, engine$key,
    terms$task, engine, frame
  )
}
