# The tree of a database is that of memory: splits, counts, gains and predictions.
# bench/engines.R --part=same compares 300 tables.

for (engine in c("sqlite", "duckdb", "postgres", "shards")) {
  test_that(paste("the same tree as in memory:", engine), {
    invisible(engine_connection(engine))
    for (seed in seq_len(random_cases(if (engine == "shards") 8 else 12))) {
      out <- compare_on(engine, seed, 4L)
      expect_identical(out$differ, character())
    }
  })
}
