# Tested in test-engine-servers.R.
# PostgreSQL tables whose parts lie on other servers (postgres_fdw). Each server counts its part
# only where the column that divides the table is in GROUP BY; then no row is shipped. The plan of
# every kind of query is looked at, since otherwise the fit would be right, and very slow.

# The column that divides the table between servers, or NULL where all is here.
find_shards <- function(s) {
  if (s$link$name != "postgres") {
    return(NULL)
  }
  plan <- ask(s$link, paste("EXPLAIN (VERBOSE) SELECT 1 FROM", s$from), "the plan")[[1L]]
  if (!any(grepl("Foreign Scan", plan))) {
    return(NULL)
  }
  column <- s$settings$shard_key %||% shard_column(s, plan)
  if (is.null(column)) {
    warn_plan("The table is on another server, and the column that divides it is not known.")
  } else {
    tell(s$link, "SET LOCAL enable_partitionwise_aggregate = on", "a setting")
  }
  column
}

# The key of the one partitioned table with parts on other servers that the plan reads.
shard_column <- function(s, plan) {
  sql <- paste(
    "SELECT DISTINCT CAST(a.attname AS text) AS name, CAST(c.relname AS text) AS part",
    "FROM pg_partitioned_table p JOIN pg_inherits i ON i.inhparent = p.partrelid",
    "JOIN pg_class c ON c.oid = i.inhrelid AND c.relkind = 'f'",
    "JOIN pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0]",
    "WHERE p.partnatts = 1"
  )
  found <- ask(s$link, sql, "the shards")
  text <- paste(plan, collapse = "\n")
  used <- vapply(found$part, grepl, NA, text, fixed = TRUE)
  name <- unique(found$name[used])
  there <- ask(s$link, paste0("SELECT * FROM (", s$query, ") q LIMIT 0"), "the columns",
    own = FALSE)
  if (length(name) == 1L && name %in% names(there)) name
}

# "pushed down" where each foreign scan is of an aggregate. The first other plan is warned of.
check_plan <- function(s, sql) {
  plan <- ask(s$link, paste("EXPLAIN (VERBOSE)", sql), "the plan")[[1L]]
  scans <- sum(grepl("Foreign Scan", plan))
  pushed <- sum(grepl("Relations: Aggregate on", plan, fixed = TRUE))
  if (pushed >= scans) {
    return("pushed down")
  }
  if (is.null(s$warned)) {
    warn_plan("{scans - pushed} of {scans} scans on other servers send all rows to this one.")
  }
  s$warned <- TRUE
  "rows shipped"
}

warn_plan <- function(what, envir = parent.frame()) {
  tec_warn("plan", c(
    "The other servers do not count for themselves: this will be slow.",
    x = what,
    i = "Give {.code shard_key}, the column that divides a table partitioned by list between them.",
    i = "Servers with the option {.code fdw_tuple_cost} '1' are less likely to be sent rows.",
    i = "{.code postgres_fdw} must be able to send the conditions in the query."
  ), envir)
}
