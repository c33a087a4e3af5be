# Tested in test-engine-standard.R.
# Spark takes about a second for any question, however small: what is asked of several columns is
# one question. And its language is compiled, which long CASEs are too long for.

# All columns in bins at once: one query finds the values at the shares, another row for each.
quantile_cuts <- function(s, k) {
  if (identical(s$quantiles$k, k)) {
    return(s$quantiles$cuts)
  }
  columns <- which(vapply(s$columns, function(x) x$kind == "numeric" && is.null(x$values), NA))
  x <- vapply(s$columns[columns], `[[`, "", "raw")
  at <- format(seq_len(k) / (k + 1), digits = 15, scientific = FALSE, trim = TRUE)
  sql <- paste0(
    "SELECT posexplode(flatten(array(", paste0("a", columns, collapse = ", "), "))) FROM (SELECT ",
    paste(s$dialect$quantiles(x, at), "AS", paste0("a", columns), collapse = ", "), " FROM (",
    s$base, ") b) q"
  )
  out <- ask(s$link, sql, "cuts", c("pos", "col"))
  of <- factor(as.numeric(out$pos) %/% k + 1, seq_along(columns))
  cuts <- vector("list", length(s$columns))
  cuts[columns] <- lapply(split(as.numeric(out$col) + 0, of), function(v) sort(unique(v)))
  s$quantiles <- list(k = k, cuts = cuts)
  cuts
}

# Spark makes one function of a query, and interprets it where that is longer than Java allows, as
# CASEs of many cuts are. In pieces all of it is compiled.
in_small_pieces <- function(s, made) {
  if (s$link$name != "spark") {
    return(made)
  }
  key <- "spark.sql.codegen.wholeStage"
  set <- function(...) {
    sql <- paste0("SET ", key, ...)
    tryCatch(
      suppressWarnings(own_names(run_query(s$link$con, sql))), error = but_limits(function(e) NULL)
    )
  }
  before <- set()$value
  set("=false")
  on.exit(set("=", if (identical(before, "false")) "false" else "true"))
  made
}

# In two steps: of 256 codes first one of 16 groups, then one of its 16 codes.
square_case <- function(x, upper) {
  n <- length(upper) + 1L
  flat <- function(codes, results, last) {
    when <- paste("WHEN", x, "<=", upper[codes], "THEN", results, collapse = " ")
    if (length(codes)) paste("CASE", when, "ELSE", last, "END") else as.character(last)
  }
  groups <- split(seq_len(n), (seq_len(n) - 1L) %/% ceiling(sqrt(n)))
  inside <- vapply(groups, function(codes) {
    most <- max(codes)
    flat(codes[-length(codes)], codes[-length(codes)], most)
  }, "")
  ends <- vapply(groups, max, 0L)
  last <- length(groups)
  flat(ends[-last], inside[-last], inside[[last]])
}
