# Columns with too many values for one code each: bins, and certified cuts.

test_that("certified cuts grow the tree of the rows", {
  certified <- 0
  for (seed in case_seeds(8)) at_seed(seed, {
    case <- random_counted_case(seed)
    case$max_leaves <- NULL
    if (!is_counted(case) || nrow(case$data) > 5000) next
    set.seed(1)
    rows <- grow_case(case)
    set.seed(1)
    counts <- counted_case(case, max_values = 8, settings = list(bins = 5), parts = seed %% 3 * 4)
    if (any(counts$found == "bins")) next
    same_tree(counts, rows, is.factor(case$data$y))
    certified <- certified + any(counts$found == "certified")
  })
  if (all_cases()) expect_gt(certified, 0)
})

# `parts`: into how many a bin is divided at a time, where it is large.
ways_with_bins <- function(engine) {
  out <- list(list(parts = 4), list(parts = 1000))
  if (engine %in% c("duckdb", "postgres", "spark")) out[[2L]] <- list(parts = 2, encode = "inline")
  if (engine == "sqlite") out <- c(out, list(list(parts = 3, strategy = "group", encode = "table")))
  out
}

test_that("few bins of a long column are examined", {
  set.seed(2)
  n <- 4000
  d <- data.frame(x = round(runif(n), 5), z = round(rnorm(n), 5))
  d$y <- factor(ifelse(d$x + rnorm(n, sd = 0.2) > 0.6, "a", "b"))
  counts <- counted_tree(y ~ ., d, prune = "none", max_depth = 2, max_values = 100)
  rows <- tec_tree(y ~ ., d, prune = "none", max_depth = 2)
  expect_identical(counts$tree, rows$tree)
  expect_true("certified" %in% counts$found)
  passes <- tec_passes(counts)
  first <- which(passes$what == "inside")[1L]
  # Of 4,000 rows in two columns those of the bins where the best cut of all may be.
  expect_lt(passes$rows[first], 0.3 * 2 * n)
  d$u <- as.numeric(d$y) + d$z / 10
  counts <- counted_tree(
    u ~ x + z, d[c("x", "z", "u")], prune = "none", max_depth = 2, max_values = 100
  )
  rows <- tec_tree(u ~ x + z, d, prune = "none", max_depth = 2)
  expect_identical(counts$tree$breaks, rows$tree$breaks)
  expect_equal(counts$tree, rows$tree, tolerance = 1e-12)
})

test_that("without a bound cuts are between bins, and the tree says so", {
  set.seed(3)
  d <- data.frame(x = rnorm(500), z = rnorm(500))
  d$y <- factor(d$x > 0.2)
  expect_message(
    fit <- counted_tree(
      y ~ ., d, criterion = "gain_ratio", prune = "none", max_values = 20,
      settings = list(bins = 10)
    ),
    class = "tec_message_engine"
  )
  expect_true(all(fit$found %in% c("bins", "")))
  # The tree routes rows as the bins were counted.
  node <- predict(fit, d, type = "node")
  leaf <- fit$tree$kind == 0L
  expect_identical(tabulate(node, length(leaf))[leaf], as.integer(fit$tree$n[leaf]))
  expect_snapshot(error = TRUE, counted_tree(
    y ~ ., d, criterion = "gain_ratio", prune = "none", max_values = 20,
    settings = list(bins = 10, exact = "certify")
  ))
})

for (engine in c("sqlite", "duckdb", "postgres", "shards", "spark", "snowflake", "standard")) {
  test_that(paste("certified cuts of a database are those of memory:", engine), {
    slow_out_of_turn(engine, c("sqlite", "duckdb", "postgres"), 1)
    con <- engine_connection(engine)
    set.seed(6)
    n <- 200
    d <- data.frame(
      # Even, skewed, with infinite values, with few values.
      a = stats::rnorm(n), b = round(exp(4 * stats::rnorm(n)), 3),
      c = sample(c(-Inf, Inf, NA, round(stats::rnorm(60), 2)), n, TRUE), e = sample(6, n, TRUE)
    )
    d$y <- ifelse(d$a + log(d$b) / 4 + stats::rnorm(n) / 3 > 0.2, "u",
      ifelse(d$c > 0.5 & !is.na(d$c), "v", "w"))
    d$z <- round(d$a, 1) + 2 * (d$b > 1)
    put_table(engine, "binned", d)
    for (way in ways_with_bins(engine)) {
      settings <- tec_engine(collect_rows = 0, max_values = 10, bins = 6, progress = FALSE)
      settings[names(way)] <- way
      use <- list(max_depth = 4, missing = "majority", prune = "none", min_bucket = 3)
      for (formula in list(y ~ a + b + c + e, z ~ a + b + c + e)) {
        there <- do.call(tec_tree, c(list(formula, con, table = "binned", engine = settings), use))
        here <- do.call(tec_tree, c(list(formula, d), use))
        expect_true(is_same_tree(here, there, d))
        expect_true("certified" %in% there$found)
        if (way$parts == 4 && identical(formula[[2L]], quote(y))) {
          # Each of the 6 bins has 33 rows and gives 5 parts by 3 classes, and by server.
          passes <- tec_passes(there)
          first <- passes$rows[passes$what == "inside"][1L]
          expect_lte(first, 6 * 5 * 3 * if (engine == "shards") 3 else 1)
        }
      }
    }
  })
}

test_that("PostgreSQL computes the nodes of rows once when bins are examined", {
  con <- engine_connection("postgres")
  set.seed(1)
  d <- data.frame(x = rnorm(400), z = rnorm(400))
  d$y <- ifelse(d$x + d$z + rnorm(400) > 0, "a", "b")
  put_table("postgres", "looked", d)
  plans <- list()
  asks <- get("ask", asNamespace("tectree"))
  local_binding("ask", function(link, sql, what, ...) {
    if (what == "inside") {
      plan <- asks(link, paste("EXPLAIN", sql), "the plan")[[1L]]
      plans[[length(plans) + 1L]] <<- plan
    }
    asks(link, sql, what, ...)
  })
  tec_tree(y ~ ., con, table = "looked", max_depth = 3, prune = "none", missing = "majority",
    engine = tec_engine(collect_rows = 0, max_values = 20, bins = 8, progress = FALSE))
  expect_gt(length(plans), 0L)
  for (plan in plans) expect_match(plan, "Subquery Scan on r", fixed = TRUE, all = FALSE)
})
