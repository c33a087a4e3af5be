# Trees that are grown in a database and in memory, from the same random rows.

# Everything that is compared: criteria with their parameters, and kinds of nominal splits.
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

# Which of them are for a response of numbers, or of classes.
settings_for <- function(numbers, settings) {
  which(vapply(settings, function(x) x$criterion$name == "l2", NA) == numbers)
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
    missing = pick("majority", "drop", "learned", if (numbers) "majority" else "mode"),
    min_bucket = sample(1:5, 1L), min_split = 2, max_depth = pick(2, 4, 8), prune = "none",
    weighted = stats::runif(1) < 0.3
  )
}

# The tree of a setting in memory. `d`: as_stored().
memory_tree <- function(d, setting, rest) {
  grown_by(setting, rest, d, data = d[setdiff(names(d), c("w", "id"))],
    weights = if (rest$weighted) d$w)
}

# The same where `table` holds `d`.
stored_tree <- function(con, table, d, setting, rest, way) {
  engine <- do.call(tec_engine, c(list(collect_rows = 0, progress = FALSE), way))
  grown_by(setting, rest, d, data = con, table = table, engine = engine,
    weights = if (rest$weighted) "w")
}

grown_by <- function(setting, rest, d, ..., weights) {
  names <- setdiff(names(d), c("y", "w", "id"))
  formula <- stats::as.formula(paste("y ~", paste0("`", gsub("`", "\\\\`", names), "`",
    collapse = " + ")))
  quietly_grown(c(
    list(formula, criterion = setting$criterion, nominal = setting$nominal),
    rest[setdiff(names(rest), "weighted")], list(...),
    if (!is.null(weights)) list(weights = weights, weights_as = "frequency")
  ))
}

quietly_grown <- function(arguments) {
  suppressWarnings(suppressMessages(do.call(tec_tree, arguments)))
}

# Identical; means and gains of numbers to rounding, since memory adds doubles in the order of rows.
is_same_tree <- function(memory, engine, d) {
  here <- memory$tree
  there <- engine$tree
  if (!is.null(memory$response$levels)) {
    return(identical(here, there) &&
      identical(predict(memory, d, type = "prob"), predict(engine, d, type = "prob")))
  }
  rounded <- c("yval", "impurity", "gain", "score")
  exact <- setdiff(names(here), rounded)
  identical(here[exact], there[exact]) &&
    isTRUE(all.equal(here[rounded], there[rounded], tolerance = 1e-12)) &&
    isTRUE(all.equal(predict(memory, d), predict(engine, d), tolerance = 1e-12))
}

same_ways <- function(engine) {
  switch(engine,
    sqlite = list(list(strategy = "group", encode = "table"), list(strategy = "stream")),
    duckdb = list(list(encode = "table"), list(encode = "inline")),
    postgres = list(list(encode = "inline"), list(encode = "table", advance_every = 2)),
    shards = list(list()),
    spark = list(
      list(encode = "table", advance_every = 2), list(encode = "inline"), list(strategy = "stream")
    ),
    snowflake = list(list(encode = "table"), list(encode = "inline")), standard = list(list())
  )
}

# Compares `per_table` settings on the table of a seed; the labels of those that differ. Inf: all of
# them, with one draw of the rest, from counts that are asked for once in each way.
compare_on <- function(engine, seed, per_table, settings = same_settings()) {
  numbers <- seed %% 6 == 0
  d <- as_stored(engine, same_table(seed, numbers))
  put_table(engine, "same_rows", d)
  con <- engine_connection(engine)
  ways <- same_ways(engine)
  use <- settings_for(numbers, settings)
  all <- is.infinite(per_table)
  # Every setting has its turn as seeds go on.
  if (!all) use <- use[(seed * per_table + seq_len(per_table) - 1L) %% length(use) + 1L]
  use <- unique(use)
  rest <- if (all) rep(list(draw_rest(numbers)), length(use)) else
    lapply(use, function(i) draw_rest(numbers))
  memory <- Map(memory_tree, list(d), settings[use], rest)
  differ <- lapply(ways, function(way) {
    if (all) share_counter()
    same <- vapply(seq_along(use), function(i) {
      there <- stored_tree(con, "same_rows", d, settings[[use[i]]], rest[[i]], way)
      is_same_tree(memory[[i]], there, d)
    }, NA)
    paste(engine, "seed", seed, "setting", use[!same], paste(way, collapse = " "), recycle0 = TRUE)
  })
  list(compared = length(use) * length(ways), differ = as.character(unlist(differ)))
}

# Until `frame` ends all trees of a table grow from one counter, which is asked once for the counts
# of a path.
share_counter <- function(frame = parent.frame()) {
  open <- tectree:::counter_of
  shared <- NULL
  local_binding("counter_of", function(source, terms, engine, frame) {
    if (is.null(shared)) shared <<- remember_counts(open(source, terms, engine, NULL))
    shared
  }, frame)
  withr::defer(shared$end(), frame)
}

remember_counts <- function(counter) {
  asked <- counter
  cache <- new.env(parent = emptyenv())
  encoded <- FALSE
  counter$encode <- function(codes) {
    if (!encoded) asked$encode(codes)
    encoded <<- TRUE
  }
  counter$counts <- function(frontier, what) {
    found <- tectree:::counts_by_path(asked, cache, frontier, what)
    cells <- do.call(rbind, unname(found))
    cells$node <- rep(as.integer(names(found)), vapply(found, nrow, 0L))
    cells
  }
  counter$end <- asked$close
  counter$close <- function() NULL
  counter
}
