forest_spec <- function(mode = "classification", ..., engine = list()) {
  spec <- parsnip::rand_forest(mode = mode, trees = 20, ...)
  do.call(parsnip::set_engine, c(list(spec, "tectree"), engine, threads = 1))
}

same_forest <- function(a, b) {
  expect_identical(a$trees, b$trees)
  expect_identical(a$oob, b$oob)
}

with_seed <- function(code) withr::with_seed(1, code)

test_that("the engine is registered in a new session, whichever package is loaded first", {
  slow_test()
  skip_if_not_installed("parsnip")
  for (order in some_of(list(c("tectree", "parsnip"), c("parsnip", "tectree")), 1)) {
    said <- in_new_session(c(
      sprintf("library(%s)", order),
      "engines <- show_engines('rand_forest')", "cat(engines$mode[engines$engine == 'tectree'])",
      "spec <- set_engine(rand_forest(mode = 'classification', trees = 3), 'tectree')",
      "cat('', class(extract_fit_engine(fit(spec, Species ~ ., iris))))"
    ))
    expect_identical(said, "classification regression tec_forest tec_fit")
  }
})

test_that("a fit is the forest of the same settings, by formula and by x and y", {
  skip_if_not_installed("parsnip")
  d <- mixed_data(150)
  same <- function(spec, ..., formula = y ~ .) {
    fit <- with_seed(parsnip::extract_fit_engine(parsnip::fit(spec, formula, d)))
    alone <- with_seed(tec_forest(formula, d, trees = 20, threads = 1, ...))
    same_forest(fit, alone)
  }
  same(forest_spec())
  same(forest_spec("regression"), formula = number ~ .)
  same(forest_spec(mtry = 1), mtry = 1)
  same(forest_spec(min_n = 30), min_split = 30)
  same(forest_spec(mtry = 5), mtry = "all")
  same(forest_spec(engine = list(q = c(0.5, 2), importance = "permutation")),
    q = c(0.5, 2), importance = "permutation"
  )
  same(forest_spec(engine = list(criterion = "cair", missing = "fractional")),
    criterion = "cair", missing = "fractional"
  )
  same(forest_spec(engine = list(nodesize = 9)), nodesize = 9)
  x <- d[c("x", "z", "colour", "size")]
  fit <- with_seed(parsnip::extract_fit_engine(parsnip::fit_xy(forest_spec(), x, d$y)))
  same_forest(fit, with_seed(tec_forest(x, d$y, trees = 20, threads = 1)))
})

test_that("more predictors than there are means all of them, with a warning", {
  skip_if_not_installed("parsnip")
  expect_warning(
    fit <- with_seed(parsnip::fit(forest_spec(mtry = 9), Species ~ ., iris)),
    class = "tec_warning_mtry"
  )
  expect_identical(parsnip::extract_fit_engine(fit)$mtry, 4L)
  # A variable `x` of the user changes nothing.
  x <- data.frame(a = 1)
  fit <- parsnip::fit(forest_spec(mtry = 3), Species ~ ., iris)
  expect_identical(parsnip::extract_fit_engine(fit)$mtry, 3L)
})

test_that("case weights of hardhat are case weights", {
  skip_if_not_installed("parsnip")
  skip_if_not_installed("hardhat")
  d <- mixed_data(120)
  for (weights in list(rep(c(1L, 2L, 0L, 3L), 30), rep(c(0.5, 1, 2.25), 40))) {
    case <- if (is.integer(weights)) hardhat::frequency_weights else hardhat::importance_weights
    fit <- with_seed(parsnip::fit(forest_spec(), y ~ ., d, case_weights = case(weights)))
    alone <- with_seed(tec_forest(y ~ ., d, trees = 20, threads = 1, weights = case(weights)))
    same_forest(parsnip::extract_fit_engine(fit), alone)
  }
})

test_that("predictions are those of the forest, missing values and all", {
  skip_if_not_installed("parsnip")
  d <- mixed_data(150)
  new <- mixed_data(40, seed = 5)
  new$colour[3] <- NA
  fit <- with_seed(parsnip::fit(forest_spec(), y ~ ., d))
  forest <- parsnip::extract_fit_engine(fit)
  expect_identical(predict(fit, new)$.pred_class, predict(forest, new))
  prob <- predict(fit, new, type = "prob")
  expect_identical(names(prob), paste0(".pred_", letters[1:3]))
  expect_equal(as.matrix(prob), predict(forest, new, type = "prob"), ignore_attr = TRUE)
  expect_identical(predict(fit, new, type = "raw"), predict(forest, new))
  number <- with_seed(parsnip::fit(forest_spec("regression"), number ~ ., d))
  expect_identical(predict(number, new)$.pred, predict(parsnip::extract_fit_engine(number), new))
})

test_that("confidence intervals are normal ones about the prediction", {
  skip_if_not_installed("parsnip")
  more <- function(mode) parsnip::set_args(forest_spec(mode), trees = 300)
  fit <- with_seed(parsnip::fit(more("regression"), mpg ~ ., mtcars))
  forest <- parsnip::extract_fit_engine(fit)
  found <- predict(fit, mtcars[1:5, ], type = "conf_int", level = 0.9, std_error = TRUE)
  expect_identical(names(found), c(".pred_lower", ".pred_upper", ".std_error"))
  se <- predict(forest, mtcars[1:5, ], type = "se")
  expect_identical(found$.std_error, se)
  expect_equal(found$.pred_upper - predict(forest, mtcars[1:5, ]), qnorm(0.95) * se)
  expect_equal(found$.pred_upper + found$.pred_lower, 2 * predict(forest, mtcars[1:5, ]))
  classes <- with_seed(parsnip::fit(more("classification"), Species ~ ., iris))
  forest <- parsnip::extract_fit_engine(classes)
  rows <- iris[c(1, 71, 78, 107), ]
  found <- suppressWarnings(predict(classes, rows, type = "conf_int"))
  se <- suppressWarnings(predict(forest, rows, type = "se"))
  prob <- predict(forest, rows, type = "prob")
  expect_identical(
    names(found),
    paste0(c(".pred_lower_", ".pred_upper_"), rep(levels(iris$Species), each = 2))
  )
  for (class in levels(iris$Species)) {
    limits <- prob[, class] + outer(se[, class], c(-1, 1) * qnorm(0.975))
    expect_equal(found[[paste0(".pred_lower_", class)]], pmax(limits[, 1], 0))
    expect_equal(found[[paste0(".pred_upper_", class)]], pmin(limits[, 2], 1))
  }
})

test_that("all arguments have ranges for tuning", {
  skip_if_not_installed("parsnip")
  skip_if_not_installed("dials")
  tune <- from_package("hardhat", "tune")
  spec <- parsnip::rand_forest("classification", mtry = tune(), trees = tune(), min_n = tune())
  spec <- parsnip::set_engine(spec, "tectree", q = tune())
  found <- parsnip::extract_parameter_set_dials(spec)
  expect_setequal(found$name, c("mtry", "trees", "min_n", "q"))
  object <- function(name) found$object[[match(name, found$name)]]
  expect_identical(object("q"), tec_q_param())
  expect_identical(object("trees"), dials::trees())
  expect_identical(object("mtry"), dials::mtry())
})

test_that("a workflow with a recipe is tuned", {
  slow_test()
  withr::local_envvar(TZ = "UTC")
  for (package in c("tune", "workflows", "recipes", "rsample")) skip_if_not_installed(package)
  d <- mixed_data(100)
  tune <- hardhat::tune
  spec <- forest_spec(mtry = tune(), min_n = tune(), engine = list(q = tune()))
  recipe <- recipes::step_impute_mean(recipes::recipe(y ~ ., d), x)
  flow <- workflows::add_model(workflows::add_recipe(workflows::workflow(), recipe), spec)
  grid <- data.frame(mtry = c(1, 4), min_n = c(2, 20), q = c(1, 2))
  folds <- with_seed(rsample::vfold_cv(d, 2))
  tuned <- with_seed(tune::tune_grid(flow, folds, grid = grid))
  expect_equal(nrow(tune::collect_notes(tuned)), 0)
  expect_false(anyNA(tune::collect_metrics(tuned)$mean))
  best <- tune::select_best(tuned, metric = "accuracy")
  final <- parsnip::fit(tune::finalize_workflow(flow, best), d)
  forest <- workflows::extract_fit_engine(final)
  expect_s3_class(forest, "tec_forest")
  expect_identical(forest$mtry, as.integer(best$mtry))
  expect_output(print(forest), "forest for outcome")
})

test_that("plot(), the recipes' names and importance work on the fit", {
  skip_if_not_installed("parsnip")
  fit <- with_seed(parsnip::fit(forest_spec(), Species ~ ., iris))
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  expect_no_error(plot(fit))
  forest <- parsnip::extract_fit_engine(fit)
  expect_identical(variable.names(forest), names(iris)[-5])
  expect_identical(nobs(forest), 150L)
  expect_identical(importance(fit), importance(forest))
  expect_identical(n_trees(fit), length(forest))
  expect_identical(tec_proximity(fit, iris[1:5, ]), tec_proximity(forest, iris[1:5, ]))
  more <- tec_more(fit, 2, data = iris)
  expect_identical(n_trees(more), length(forest) + 2L)
})
