test_that("progress is passed to progressr if it listens", {
  skip_if_not_installed("progressr")
  d <- forest_data(300)
  heard <- 0
  progressr::with_progress(
    small_forest(y ~ ., d, trees = 30, q = c(1, 2)),
    handlers = progressr::make_progression_handler("count", list(
      update = function(config, state, progression, ...) heard <<- heard + progression$amount
    ), interval = 0, enable = TRUE),
    enable = TRUE
  )
  expect_equal(heard, 60)
})

test_that("a bar can be left out, and does not change the forest", {
  withr::local_options(rlang_interactive = TRUE, cli.progress_show_after = 0)
  set.seed(2)
  one <- suppressMessages(small_forest(Species ~ ., iris))
  set.seed(2)
  expect_silent(two <- small_forest(Species ~ ., iris, progress = FALSE))
  expect_identical(one$trees, two$trees)
})

test_that("a bar is for interactive sessions that want progress", {
  tick <- function(progress, interactive) {
    withr::local_options(rlang_interactive = interactive)
    forest_ticker(list(progress = progress), 10, environment())$tick
  }
  expect_null(tick(FALSE, TRUE))
  expect_null(tick(TRUE, FALSE))
})
