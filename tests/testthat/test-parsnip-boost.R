test_that("a fit is the model of the same settings", {
  skip_if_not_installed("parsnip")
  set.seed(1)
  d <- boost_data(120)
  same <- function(spec, f, ...) {
    spec <- parsnip::set_engine(spec, "tectree", threads = 1)
    fit <- withr::with_seed(1, parsnip::extract_fit_engine(parsnip::fit(spec, f, d)))
    alone <- withr::with_seed(1, tec_boost(f, d, threads = 1, ...))
    expect_identical(fit$trees, alone$trees)
    fit
  }
  same(parsnip::boost_tree("regression", trees = 5), number ~ a + b, rounds = 5, folds = 0)
  same(
    parsnip::boost_tree("classification", trees = 4, tree_depth = 2, learn_rate = 0.3, min_n = 5),
    three ~ a + b + f, rounds = 4, folds = 0, max_depth = 2, rate = 0.3, min_bucket = 5
  )
  same(
    parsnip::boost_tree("regression", trees = 6, mtry = 1, sample_size = 0.5, loss_reduction = 2),
    number ~ a + b + f, rounds = 6, folds = 0, column_fraction = 1 / 3, sample_fraction = 0.5,
    min_gain = 2
  )
  same(
    parsnip::boost_tree("classification", trees = 100, stop_iter = 3), two ~ a + b + f,
    rounds = 100, validation = 0.2, patience = 3
  )
})

test_that("predictions have parsnip's columns", {
  skip_if_not_installed("parsnip")
  set.seed(2)
  d <- boost_data(80)
  spec <- parsnip::boost_tree("classification", trees = 5)
  spec <- parsnip::set_engine(spec, "tectree", threads = 1)
  fit <- parsnip::fit(spec, three ~ a + b, d)
  expect_named(predict(fit, d, type = "prob"), c(".pred_u", ".pred_v", ".pred_w"))
  expect_identical(predict(fit, d)$.pred_class, predict(parsnip::extract_fit_engine(fit), d))
  spec <- parsnip::set_engine(parsnip::boost_tree("regression", trees = 5), "tectree", threads = 1)
  fit <- parsnip::fit(spec, number ~ a + b, d)
  expect_identical(predict(fit, d)$.pred, predict(parsnip::extract_fit_engine(fit), d))
})

test_that("cyclic models of tidymodels show their functions", {
  skip_if_not_installed("parsnip")
  spec <- parsnip::set_engine(
    parsnip::boost_tree("regression", trees = 10), "tectree",
    cyclic = TRUE, pairs = 1, threads = 1
  )
  fit <- parsnip::fit(spec, mpg ~ wt + hp, mtcars)
  shapes <- tec_shapes(fit, mtcars)
  expect_identical(shapes, tec_shapes(parsnip::extract_fit_engine(fit), mtcars))
  baseline <- predict(fit, mtcars)$.pred - rowSums(predict(shapes, mtcars))
  expect_equal(baseline, rep(mean(baseline), 32), ignore_attr = TRUE)
})
