# The tree from a database equals that in memory: splits, counts, gains and predictions.
# bench/engines.R --part=same compares 300 tables.

engines_here <- c("sqlite", "duckdb", "postgres", "shards", "spark", "snowflake", "standard")

for (engine in engines_here) {
  test_that(paste("the same tree as in memory:", engine), {
    slow_out_of_turn(engine, engines_here, 3)
    invisible(engine_connection(engine))
    for (seed in case_seeds(1)) {
      out <- compare_on(engine, seed, 4L)
      expect_identical(out$differ, character())
    }
  })
}

test_that("all settings grow from counts that are requested once", {
  invisible(engine_connection("sqlite"))
  settings <- same_settings()[c(1, 7, 30, 66)]
  together <- count_calls("count_cells", out <- compare_on("sqlite", 1, Inf, settings))
  apart <- count_calls("count_cells", compare_on("sqlite", 1, 4L, settings))
  expect_equal(out, list(compared = 8L, differ = character()))
  expect_lt(together, apart)
})
