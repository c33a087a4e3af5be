# Trees that grow in a database and in memory, from the same random rows.

# All that is compared: criteria with their parameters, and kinds of nominal splits.
same_settings <- function() {
  at <- c(0.5, 1, 1.7, 2, 5)
  criteria <- c(
    lapply(at, function(q) tec_criterion("tsallis", q = q)),
    lapply(at, function(q) tec_criterion("tsallis_ratio", q = q)),
    lapply(at, function(q) tec_criterion("tsallis_mutual", q = q)),
    lapply(at, function(beta) tec_criterion("beta", beta = beta)),
    lapply(c(
      "shannon", "gini", "gain_ratio", "cond_entropy", "cami", "cair", "effcami0", "effcami1", "l2"
    ), tec_criterion)
  )
  out <- expand.grid(criterion = seq_along(criteria), nominal = c("binary", "multiway", "ordered"),
    stringsAsFactors = FALSE)
  lapply(seq_len(nrow(out)), function(i) {
    list(criterion = criteria[[out$criterion[i]]], nominal = out$nominal[i], number = i)
  })
}

# A random table whose response depends on it. `numbers`: of the response.
same_table <- function(seed, numbers) {
  set.seed(seed)
  n <- sample(40:220, 1L)
  d <- random_table(n, numbers, odd = stats::runif(1) < 0.4)
  first <- sample(7L, 2L)
  signal <- rowSums(vapply(d[first], function(x) {
    x <- as.numeric(factor(x))
    replace(x, is.na(x), 0) > stats::median(x, na.rm = TRUE)
  }, numeric(n)))
  told <- stats::runif(n) < 0.7 & !is.na(d$y)
  values <- sort(unique(d$y[!is.na(d$y)]))
  d$y[told] <- values[signal[told] %% length(values) + 1]
  d
}

# The rest of the settings.
draw_rest <- function(numbers) {
  pick <- function(...) sample(list(...), 1L)[[1L]]
  list(
    missing = if (numbers) pick("majority", "drop") else pick("majority", "drop", "mode",
      "learned"),
    min_bucket = sample(1:5, 1L), min_split = 2, max_depth = pick(2, 4, 8), prune = "none",
    weighted = stats::runif(1) < 0.3
  )
}

# The two trees of a setting: list(here, there). `d`: as_stored(); `table` holds it.
two_trees <- function(con, table, d, setting, rest, way, shard_key = NULL) {
  names <- setdiff(names(d), c("y", "w", "id"))
  formula <- stats::as.formula(paste("y ~", paste0("`", gsub("`", "\\\\`", names), "`",
    collapse = " + ")))
  use <- c(
    list(formula, criterion = setting$criterion, nominal = setting$nominal),
    rest[setdiff(names(rest), "weighted")]
  )
  weights <- if (rest$weighted) list(weights = d$w)
  here <- quietly_grown(c(use, list(data = d[c(names, "y")]), weights))
  engine <- do.call(tec_engine, c(list(collect_rows = 0, progress = FALSE, shard_key = shard_key),
    way))
  weights <- if (rest$weighted) list(weights = "w")
  there <- quietly_grown(c(use, list(data = con, table = table, engine = engine), weights))
  list(here = here, there = there)
}

quietly_grown <- function(arguments) {
  suppressWarnings(suppressMessages(do.call(tec_tree, arguments)))
}

# Identical; means and gains of numbers to rounding, since memory adds doubles in the order of rows.
is_same_tree <- function(trees, d) {
  here <- trees$here$tree
  there <- trees$there$tree
  if (!is.null(trees$here$response$levels)) {
    return(identical(here, there) &&
      identical(predict(trees$here, d, type = "prob"), predict(trees$there, d, type = "prob")))
  }
  rounded <- c("yval", "impurity", "gain", "score")
  exact <- setdiff(names(here), rounded)
  identical(here[exact], there[exact]) &&
    isTRUE(all.equal(here[rounded], there[rounded], tolerance = 1e-12)) &&
    isTRUE(all.equal(predict(trees$here, d), predict(trees$there, d), tolerance = 1e-12))
}

same_ways <- function(engine) {
  switch(engine,
    sqlite = list(list(strategy = "group", encode = "table"), list(strategy = "stream")),
    duckdb = list(list(encode = "table"), list(encode = "inline")),
    postgres = list(list(encode = "inline"), list(encode = "table", advance_every = 2)),
    shards = list(list())
  )
}

# Compares `per_table` settings on the table of a seed; the labels of those that differ.
compare_on <- function(engine, seed, per_table, settings = same_settings()) {
  numbers <- seed %% 6 == 0
  d <- as_stored(engine, same_table(seed, numbers))
  put_table(engine, "same_rows", d)
  regression <- vapply(settings, function(x) x$criterion$name == "l2", NA)
  use <- which(regression == numbers)
  # Every setting has its turn as seeds go on.
  use <- use[(seed * per_table + seq_len(per_table) - 1L) %% length(use) + 1L]
  differ <- character()
  for (i in unique(use)) {
    rest <- draw_rest(numbers)
    for (way in same_ways(engine)) {
      trees <- two_trees(engine_connection(engine), "same_rows", d, settings[[i]], rest, way)
      if (!is_same_tree(trees, d)) {
        differ <- c(differ, paste(engine, "seed", seed, "setting", i, paste(way, collapse = " ")))
      }
    }
  }
  list(compared = length(unique(use)) * length(same_ways(engine)), differ = differ)
}
