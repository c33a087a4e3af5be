# Tables that break careless SQL, in databases, in clusters and in memory: names, values, responses.

hostile_names <- c(
  "select", "from", "WHERE", "group", "order", "TRUE", "false", "NULL", "table", "index", "case",
  "a b", "a.b", "a\"b", "it's", "a;--", "a`b", "a\\b", "%s", "{x}", "$1", "?", ":x",
  "gr\u00f6\u00dfe",
  "\u4e2d", "9to5", "x1", "X2", "c1", "w", "k", "n", "m", "m1", "node", "code", "class",
  "start", "place", "stage1", "fold", "shard", "h", "f", "t", "v", "g1", "run1", "part1", "low",
  "sum", "squares", "row_count", "cell", "q", "s", "b", "r", "tec_rows", "tec_1", ".response",
  ".weight", ".weights", ".key", ".pred", ".row", "response", "weights", "level", "rowid",
  "current_date", "user", "if", "function", "NA", "Inf", "T"
)

hostile_texts <- c(
  "", " ", "a", "A", "a ", "it's", "\"", "NULL", "NA", "\\", "--", ";", "%", "\u00e9", "e\u0301",
  "\u4e2d\u6587", "1", "01", "1e5", "TRUE", "a,b", "{x}", "?", "$1", "tab\there", "line\nbreak"
)

# A column of n values; `twist`: which rows are alike, so that columns say something of each other.
hostile_column <- function(n, kind, twist) {
  some <- function(x) sample(x, n, TRUE)
  x <- switch(kind,
    whole = some(-3:9), fractions = some(c(-1.5, 0, 0.1, 0.30000000000000004, 2 / 3, 1e10)),
    extreme = some(c(-1e300, -1, -1e-300, 0, 5e-324, 1e-300, 1, 1e300, 1.7e308)),
    infinite = some(c(-Inf, -1, 0, 1, Inf)), normal = stats::rnorm(n),
    close = 1e9 + some(0:20) * 2^-20, skewed = exp(4 * stats::rnorm(n)), one = rep(7, n),
    logical = some(c(TRUE, FALSE)), date = as.Date("2020-02-27") + some(0:9),
    text = some(sample(hostile_texts, 5L)), level = some(sample(hostile_texts, 2L)),
    none_text = rep(NA_character_, n), none_number = rep(NA_real_, n)
  )
  if (stats::runif(1) < 0.5 && kind %in% c("whole", "normal", "close")) x <- x + twist * 4
  share <- sample(c(0, 0, 0.1, 0.5), 1L)
  replace(x, stats::runif(n) < share, NA)
}

# list(d =, formula =, numbers = whether it is a regression, names = of the predictors)
hostile_table <- function(seed) {
  set.seed(seed)
  n <- sample(c(2:9, 10:400), 1L)
  p <- sample(12L, 1L)
  kinds <- c(
    "whole", "fractions", "extreme", "infinite", "normal", "close", "skewed", "one", "logical",
    "date", "text", "level", "none_text", "none_number"
  )
  twist <- stats::rbinom(n, 1, 0.4)
  d <- lapply(sample(kinds, p, TRUE), function(kind) hostile_column(n, kind, twist))
  kinds <- c("text", "text", "logical", "factor", "whole", "cents", "normal", "skewed")
  response <- sample(kinds, 1L)
  told <- stats::runif(n) < 0.7
  y <- switch(response,
    text = sample(hostile_texts, 3L)[ifelse(told, 1L + twist, sample(3L, n, TRUE))],
    logical = ifelse(told, twist == 1, stats::runif(n) < 0.5),
    factor = ifelse(told, c(-1.5, 20)[1L + twist], sample(c(3, -1.5, 20), n, TRUE)),
    whole = ifelse(told, 5 * twist, sample(0:9, n, TRUE)),
    cents = round(100 * stats::rnorm(n, 3 * twist)) / 100, normal = stats::rnorm(n, 3 * twist),
    skewed = exp(stats::rnorm(n, twist, sample(3:4, 1L)))
  )
  d$y <- replace(y, stats::runif(n) < sample(c(0, 0.1), 1L), NA)
  # Many databases take "A" and "a" for one name.
  names <- sample(hostile_names)
  names <- names[!duplicated(tolower(names))][seq_len(p + 1L)]
  d <- structure(d, names = names, class = "data.frame", row.names = seq_len(n))
  quoted <- paste0("`", gsub("`", "\\\\`", gsub("\\", "\\\\", names, fixed = TRUE)), "`")
  left <- quoted[p + 1L]
  if (response == "factor") left <- paste0("factor(", left, ")")
  list(
    d = d, names = names[-(p + 1L)], response = names[p + 1L],
    numbers = response %in% c("whole", "cents", "normal", "skewed"),
    formula = stats::as.formula(paste(left, "~", paste(quoted[-(p + 1L)], collapse = " + ")))
  )
}

# "same", what differs, or the class of the package's own error.
compare_hostile <- function(engine, seed, way) {
  case <- hostile_table(seed)
  case$d <- as_stored(engine, case$d)
  criteria <- if (case$numbers) "l2" else c("tsallis", "gini", "gain_ratio", "shannon", "chisq")
  asked <- list(
    criterion = sample(criteria, 1L), max_depth = sample(c(2, 5, 30), 1L), prune = "none",
    min_split = 2, min_bucket = sample(3L, 1L)
  )
  policies <- c("majority", "drop", if (!asked$criterion %in% c("l2", "chisq")) "learned")
  asked$missing <- sample(policies, 1L)
  # Without a bound cuts are searched between bins only.
  bins <- seed %% 3 == 0 && way == "counted" && !asked$criterion %in% c("chisq", "gain_ratio")
  settings <- list(
    collect_rows = if (way == "fetched") Inf else if (way == "counted") 0,
    memory = if (way == "codes") memory_for_codes(nrow(case$d), length(case$d)) else 0.25,
    progress = FALSE, strategy = sample(c("auto", "group"), 1L),
    encode = sample(c("auto", "inline"), 1L)
  )
  if (bins) settings <- c(settings, max_values = 25, bins = 8)
  run <- function(...) {
    tryCatch(quietly_grown(c(list(case$formula), asked, list(...))), error = function(e) e)
  }
  here <- run(data = case$d)
  there <- tryCatch(
    run(data = put_hostile(engine, case$d), table = hostile_place(engine),
      engine = do.call(tec_engine, settings)),
    error = function(e) e
  )
  list(result = told_difference(here, there, case), here = here, there = there, case = case)
}

hostile_place <- function(engine) if (engine == "cluster") "part" else "hostile rows"

put_hostile <- function(engine, d) {
  if (engine == "cluster") {
    side <- sample(1:2, nrow(d), TRUE)
    return(give_parts(cluster_of_two(), list(d[side == 1L, ], d[side == 2L, ])))
  }
  con <- engine_connection(engine)
  put_table(engine, tectree:::quote_name(tectree:::sql_link(con), hostile_place(engine)), d)
  con
}

told_difference <- function(here, there, case) {
  failed <- function(x) inherits(x, "error")
  class_of <- function(x) c(grep("^tec_error_", class(x), value = TRUE), class(x)[1L])[1L]
  if (failed(here)) {
    return(if (failed(there) && startsWith(class_of(there), "tec_error_")) "same" else
      paste("memory:", conditionMessage(here)))
  }
  if (failed(there)) {
    own <- paste0("tec_error_", c("engine", "column", "response", "collation"))
    if (class_of(there) %in% own) {
      return(class_of(there))
    }
    return(paste(class_of(there), conditionMessage(there)))
  }
  split_of <- c("kind", "parent", "column", "threshold", "n", "weight", "child")
  split_of <- intersect(split_of, names(here$tree))
  if (!identical(here$tree[split_of], there$tree[split_of])) {
    return("the tree")
  }
  type <- if (case$numbers) "response" else "prob"
  a <- stats::predict(here, case$d, type = type)
  b <- stats::predict(there, case$d, type = type)
  near <- if (case$numbers) all(abs(a - b) <= 1e-9 * abs(a)) else identical(a, b)
  if (near) "same" else "predictions"
}

# The trees of a data frame of which an engine counts the rows, in each of its ways.
counted_trees <- function(engine, d, formula, ..., min_bucket = 1) {
  ways <- if (engine == "cluster") list(list()) else same_ways(engine)
  lapply(ways, function(way) {
    data <- if (engine == "cluster") {
      side <- rep_len(1:2, nrow(d))
      give_parts(cluster_of_two(), list(d[side == 1L, ], d[side == 2L, ]))
    } else {
      put_table(engine, "hostile", d)
      engine_connection(engine)
    }
    settings <- c(list(collect_rows = 0, progress = FALSE), way)
    quietly_grown(list(
      formula, data = data, table = if (engine == "cluster") "part" else "hostile", prune = "none",
      min_split = 2, min_bucket = min_bucket, engine = do.call(tec_engine, settings), ...
    ))
  })
}

# Of numbers: the same splits, and predictions to rounding of each, not of their mean.
expect_near_tree <- function(there, here, d) {
  exact <- c("kind", "parent", "column", "threshold", "n")
  exact <- intersect(exact, names(here$tree))
  expect_identical(there$tree[exact], here$tree[exact])
  a <- stats::predict(here, d)
  expect_true(all(abs(stats::predict(there, d) - a) <= 1e-12 * abs(a)))
}
