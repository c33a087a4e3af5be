widened <- function(...) suppressMessages(full_tune(...), classes = "tec_message_widened")

test_that("a grid whose last or first q is the best goes on, on the same folds", {
  run <- function(q, seed, widen = TRUE) {
    set.seed(seed)
    full_tune(class ~ ., balance_scale, q = q, folds = 3, widen = widen)
  }
  given <- seq(0.5, 2, by = 0.25)
  expect_snapshot(print(high <- run(given, 2)))
  expect_equal(high$table$q, c(given, 2.5, 3, 3.5, 4))
  expect_equal(high$widened, c(2.5, 3, 3.5, 4))
  expect_null(high$edge)
  low <- NULL
  expect_message(low <- run(given, 1), "first of the grid", class = "tec_message_widened")
  expect_equal(low$table$q, c(0.125, 0.25, given))
  # As if all had been given at once.
  for (tuned in list(list(high, 2), list(low, 1))) {
    once <- run(tuned[[1]]$table$q, tuned[[2]], widen = FALSE)
    expect_equal(tuned[[1]]$table, once$table)
    expect_identical(tuned[[1]]$values, once$values)
    expect_identical(tuned[[1]]$chosen, once$chosen)
    expect_true(same_tree_but_call(tuned[[1]]$fit, once$fit))
  }
})

test_that("every other dimension of the grid goes along, other criteria do not", {
  set.seed(2)
  tuned <- widened(class ~ ., balance_scale,
    q = c(0.5, 2), criterion = c("gini", "tsallis"), min_bucket = c(5, 50), folds = 3, widen = TRUE
  )
  set.seed(2)
  once <- full_tune(class ~ ., balance_scale,
    q = sort(c(0.5, 2, tuned$widened)), criterion = c("gini", "tsallis"), min_bucket = c(5, 50),
    folds = 3, widen = FALSE
  )
  expect_gt(length(tuned$widened), 0)
  expect_equal(tuned$table, once$table)
  expect_identical(tuned$values, once$values)
})

test_that("values that are given stay what they are, with a message; the default grid goes on", {
  run <- function(seed, ...) {
    set.seed(seed)
    full_tune(class ~ ., balance_scale, folds = 3, ...)
  }
  expect_snapshot(few <- run(2, q = c(0.5, 1, 2)))
  expect_equal(few$table$q, c(0.5, 1, 2))
  expect_output(print(few), "The best q, 2, is the last of the grid: a larger one may be better")
  expect_no_message(tuned <- run(2, q = seq(0.5, 2, 0.25), widen = FALSE))
  expect_null(tuned$widened)
  expect_equal(tuned$edge$q, 2)
  expect_no_message(run(2, q = c(1, 2)))
  # full_tree() takes one of the values that it is given.
  set.seed(2)
  expect_no_message(fit <- full_tree(class ~ ., balance_scale, q = seq(0.5, 2, 0.25)))
  expect_equal(nrow(fit$tuning$table), 7)
  local_binding("usual_q_grid", seq(0.5, 2, 0.25))
  expect_message(tuned <- run(2, tune = "q", prune = "none"), class = "tec_message_widened")
  expect_equal(tuned$widened, c(2.5, 3, 3.5, 4))
  expect_no_message(
    expect_equal(nrow(run(2, tune = "q", prune = "none", widen = FALSE)$table), 7)
  )
  expect_error(run(2, widen = NA), class = "tec_error_argument")
})

# A run whose metric is a function of q alone.
run_of <- function(q, accuracy) {
  measures <- c("accuracy", sizes)
  values <- array(3, c(length(q), length(measures), 2), list(NULL, measures, NULL))
  values[, "accuracy", ] <- accuracy(q)
  list(
    table = data.frame(criterion = "tsallis", q = q), settings = as.list(q), values = values,
    errors = matrix(NA_character_, length(q), 2), metric = "accuracy", n_folds = 2,
    folds = data.frame("repeat" = 1, fold = 1:2, check.names = FALSE)
  )
}

widen_from <- function(q, accuracy, ...) {
  more <- function(criteria, folds) {
    run_of(vapply(criteria, function(one) one$parameter[["q"]], 0), accuracy)
  }
  suppressMessages(widen_q(run_of(q, accuracy), TRUE, list(1, 2), more))
}

test_that("it goes on until the best lies inside, or the range ends", {
  peak <- function(at) function(q) -abs(q - at)
  run <- widen_from(seq(0.2, 4, by = 0.2), peak(8.9))
  expect_equal(run$widened, seq(4.5, 10, by = 0.5))
  expect_null(run$edge)
  expect_equal(run$table$q[choose_setting(
    cbind(run$table, summarise_cells(run$values, 2)), "accuracy", "best"
  )$row], 9)
  expect_equal(unlist(run$settings), run$table$q)
  # Large steps stay large.
  expect_equal(widen_from(c(1, 4), peak(6))$widened, c(7, 10))
  endless <- widen_from(seq(0.2, 4, by = 0.2), peak(100))
  expect_equal(max(endless$widened), 10)
  expect_equal(endless$edge[c("side", "q")], list(side = "last", q = 10))
  low <- widen_from(seq(0.2, 4, by = 0.2), peak(0))
  expect_equal(low$widened, c(0.05, 0.1))
  expect_equal(low$edge$side, "first")
  expect_equal(widen_from(1:3, peak(0.4))$table$q, c(0.25, 0.5, 1:3))
  # Nothing to do inside, beyond the range, or where all are as good.
  expect_null(widen_from(1:3, peak(2))$widened)
  expect_null(widen_from(c(5, 10, 20), peak(30))$widened)
  expect_null(widen_from(c(-1, 0, 1), peak(-3))$widened)
  expect_null(widen_from(c(0.5, 1, 2), function(q) 0 * q)$widened)
  expect_message(
    widen_q(run_of(c(1, 9), peak(20)), TRUE, list(1, 2), function(criteria, folds) {
      run_of(10, peak(20))
    }), "still the last, 10"
  )
})

test_that("an interrupt while the grid is widened leaves the grid", {
  withr::local_options(tectree.threads = 1)
  cells <- fit_cells
  local_binding("fit_cells", function(job, settings, folds) {
    if (length(settings) == 4) rlang::interrupt()
    cells(job, settings, folds)
  })
  set.seed(2)
  expect_warning(
    tuned <- full_tune(class ~ ., balance_scale, q = seq(0.5, 2, 0.25), folds = 3, widen = TRUE),
    "while the grid of `q` was widened", class = "tec_warning_partial"
  )
  expect_false(tuned$partial)
  expect_equal(tuned$table$q, seq(0.5, 2, 0.25))
  expect_equal(nrow(tuned$folds), 3)
})
