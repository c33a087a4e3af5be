in_either_order <- function(code) {
  both <- list(c("tectree", "parsnip"), c("parsnip", "tectree"))
  lapply(both, function(order) in_new_session(c(sprintf("library(%s)", order), code)))
}

test_that("the engine is registered in a new session, whichever package is loaded first", {
  slow_test()
  skip_if_not_installed("parsnip")
  said <- in_either_order(c(
    "engines <- show_engines('decision_tree')", "cat(engines$mode[engines$engine == 'tectree'])",
    "spec <- set_engine(decision_tree(mode = 'classification'), 'tectree')",
    "cat('', class(extract_fit_engine(fit(spec, Species ~ ., iris))))"
  ))
  expect_identical(said, rep(list("classification regression tec_tree tec_fit"), 2))
  alone <- in_new_session(c("library(tectree)", "cat('parsnip' %in% loadedNamespaces())"))
  expect_identical(alone, "FALSE")
})

test_that("a fit is the tree of the same settings", {
  skip_if_not_installed("parsnip")
  d <- mixed_data(200)
  same <- function(spec, ..., formula = y ~ ., data = d) {
    fit <- parsnip::extract_fit_engine(parsnip::fit(spec, formula, data))
    expect_true(same_tree_but_call(fit, tec_tree(formula, data, ...)))
  }
  same(tree_spec())
  same(tree_spec("regression"), formula = number ~ .)
  same(tree_spec(tree_depth = 2), max_depth = 2)
  same(tree_spec(min_n = 30), min_split = 30, min_bucket = 1)
  same(tree_spec(min_n = 30, engine = list(minbucket = 4)), min_split = 30, min_bucket = 4)
  # rpart's sizes: a leaf of a third.
  same(tree_spec(min_n = 20, engine = list(preset = "cart", folds = 0)),
    preset = "cart", min_split = 20, min_bucket = 7, folds = 0
  )
  same(tree_spec(min_n = 20, engine = list(preset = "rpart", minbucket = 2, xval = 0)),
    preset = "cart", min_split = 20, min_bucket = 2, folds = 0
  )
  same(tree_spec(cost_complexity = 0), cp = 0, prune = "none", folds = 0)
  same(tree_spec(cost_complexity = 0.02), cp = 0.02, folds = 0)
  same(tree_spec(cost_complexity = 0, engine = list(preset = "c45")),
    preset = "c45", cp = 0, prune = "none", folds = 0
  )
  same(tree_spec(engine = list(q = 2, missing = "surrogate")), q = 2, missing = "surrogate")
  same(tree_spec(engine = list(criterion = "cair", nominal = "multiway")),
    criterion = "cair", nominal = "multiway"
  )
  loss <- matrix(c(0, 1, 5, 1, 0, 5, 1, 1, 0), 3)
  same(tree_spec(engine = list(cost = loss)), cost = loss)
  expect_error(
    parsnip::fit(tree_spec(cost_complexity = 0.1, engine = list(prune = "pep")), y ~ ., d),
    class = "tec_error_prune"
  )
})

test_that("the call is one to tec_tree(), which update() takes up", {
  skip_if_not_installed("parsnip")
  fit <- parsnip::fit(tree_spec(min_n = 30, engine = list(q = 2)), Species ~ ., iris)
  tree <- parsnip::extract_fit_engine(fit)
  expect_identical(tree$call, quote(
    tec_tree(formula = Species ~ ., data = `<data.frame>`, q = 2, min_split = 30, min_bucket = 1)
  ))
  expect_identical(update(tree, data = iris)$tree, tree$tree)
})

test_that("case weights of hardhat are case weights", {
  skip_if_not_installed("parsnip")
  skip_if_not_installed("hardhat")
  d <- mixed_data(200)
  times <- rep(c(1L, 2L, 0L, 3L), 50)
  share <- rep(c(0.5, 1, 2.25, 3), 50)
  fit_of <- function(weights) {
    parsnip::extract_fit_engine(parsnip::fit(tree_spec(), y ~ ., d, case_weights = weights))
  }
  whole <- fit_of(hardhat::frequency_weights(times))
  expect_identical(whole$tree, tec_tree(y ~ ., d, weights = times, weights_as = "frequency")$tree)
  parts <- fit_of(hardhat::importance_weights(share))
  expect_identical(parts$tree, tec_tree(y ~ ., d, weights = share)$tree)
  xy <- parsnip::fit_xy(tree_spec(), d[-1], d$y, case_weights = hardhat::importance_weights(share))
  expect_identical(parsnip::extract_fit_engine(xy)$tree, tec_tree(y ~ ., d, weights = share)$tree)
})

test_that("predictions are those of the tree, missing values and all", {
  skip_if_not_installed("parsnip")
  d <- mixed_data(200)
  new <- mixed_data(50, seed = 5)
  new$colour[3] <- NA
  tree <- tec_tree(y ~ ., d)
  for (fit in list(
    parsnip::fit(tree_spec(), y ~ ., d), parsnip::fit_xy(tree_spec(), d[-1], d$y)
  )) {
    expect_identical(predict(fit, new)$.pred_class, predict(tree, new))
    prob <- predict(fit, new, type = "prob")
    expect_identical(names(prob), paste0(".pred_", letters[1:3]))
    expect_equal(as.matrix(prob), predict(tree, new, type = "prob"), ignore_attr = TRUE)
  }
  number <- parsnip::fit(tree_spec("regression"), number ~ ., d)
  expect_identical(predict(number, new)$.pred, predict(tec_tree(number ~ ., d), new))
})

test_that("q and criterion have ranges, the other arguments those of dials", {
  skip_if_not_installed("parsnip")
  skip_if_not_installed("dials")
  tune <- from_package("hardhat", "tune")
  spec <- tree_spec(
    tree_depth = tune(), min_n = tune(), cost_complexity = tune("cp"),
    engine = list(q = tune(), criterion = tune(), min_bucket = tune())
  )
  found <- parsnip::extract_parameter_set_dials(spec)
  wanted <- c("tree_depth", "min_n", "cost_complexity", "q", "criterion", "min_bucket")
  expect_setequal(found$name, wanted)
  object <- function(name) found$object[[match(name, found$name)]]
  expect_identical(object("q"), tec_q_param())
  expect_identical(object("criterion")$values, tec_criterion_param()$values)
  expect_identical(object("cost_complexity")$range, dials::cost_complexity()$range)
  expect_true(is.na(object("min_bucket")))
})

test_that("a workflow with a recipe is tuned, penalties without a fit of their own", {
  slow_test()
  for (package in c("tune", "workflows", "recipes", "rsample")) skip_if_not_installed(package)
  d <- mixed_data(150)
  tune <- hardhat::tune
  spec <- tree_spec(tree_depth = tune(), cost_complexity = tune("cp"), engine = list(q = tune()))
  recipe <- recipes::step_impute_mean(recipes::recipe(y ~ ., d), x)
  flow <- workflows::add_model(workflows::add_recipe(workflows::workflow(), recipe), spec)
  grid <- expand.grid(tree_depth = c(2, 6), cp = c(0.001, 0.03, 0.2), q = c(1, 2))
  folds <- withr::with_seed(1, rsample::vfold_cv(d, 2))
  keep <- tune::control_grid(save_pred = TRUE)
  fits <- count_fits(tuned <- tune::tune_grid(flow, folds, grid = grid, control = keep))
  expect_equal(fits, 2 * 4)
  expect_equal(nrow(tune::collect_notes(tuned)), 0)
  together <- tune::collect_predictions(tuned)
  for (i in some_of(seq_len(nrow(grid)), 3)) {
    one <- grid[i, ]
    ours <- merge(together, one)
    for (fold in folds$splits) {
      train <- recipes::prep(recipe, training = rsample::analysis(fold))
      tree <- tec_tree(y ~ ., recipes::bake(train, NULL),
        q = one$q, cp = one$cp, max_depth = one$tree_depth, folds = 0
      )
      rows <- rsample::complement(fold)
      there <- ours[match(rows, ours$.row), ]
      held <- recipes::bake(train, d[rows, ])
      expect_identical(there$.pred_class, predict(tree, held))
      expect_equal(there$.pred_b, predict(tree, held, type = "prob")[, "b"])
    }
  }
  best <- tune::select_best(tuned, metric = "accuracy")
  final <- parsnip::fit(tune::finalize_workflow(flow, best), d)
  expect_s3_class(workflows::extract_fit_engine(final), "tec_tree")
})

test_that("butcher removes the call, and predictions do not change", {
  butcher <- from_package("butcher", "butcher")
  fit <- tec_tree(Species ~ ., iris)
  small <- butcher(fit)
  expect_null(small$call)
  expect_identical(predict(small, iris), predict(fit, iris))
  expect_error(residuals(small), class = "tec_error_data")
  skip_if_not_installed("parsnip")
  whole <- parsnip::fit(tree_spec(), Species ~ ., iris)
  expect_identical(predict(butcher(whole), iris), predict(whole, iris))
})

test_that("vip shows importance by gain", {
  vi <- from_package("vip", "vi")
  found <- vi(tec_tree(Species ~ ., iris))
  expect_identical(found$Variable[1], importance(tec_tree(Species ~ ., iris))$variable[1])
})

test_that("vip gets a table of importance", {
  fit <- tec_tree(Species ~ ., iris)
  found <- vi_model.tec_fit(fit)
  expect_s3_class(found, "vi")
  expect_identical(found$Variable, importance(fit)$variable)
  expect_identical(found$Importance, importance(fit)$importance)
  expect_identical(attr(found, "type"), "gain")
})

test_that("functions of trees take the fit of parsnip and the workflow", {
  skip_if_not_installed("parsnip")
  skip_if_not_installed("workflows")
  spec <- parsnip::decision_tree(mode = "classification")
  spec <- parsnip::set_engine(spec, "tectree", prune = "none")
  wrapped <- parsnip::fit(spec, Species ~ ., iris)
  tree <- parsnip::extract_fit_engine(wrapped)
  flow <- parsnip::fit(workflows::workflow(Species ~ ., spec), iris)
  for (fit in list(wrapped, flow)) {
    expect_equal(n_leaves(fit), n_leaves(tree))
    expect_equal(tec_rules(fit)$rule, tec_rules(tree)$rule)
    expect_equal(tec_sql(fit, dialect = "sqlite"), tec_sql(tree, dialect = "sqlite"))
    expect_equal(tec_prune(fit, cp = 0.5)$tree, tec_prune(tree, cp = 0.5)$tree)
    expect_error(tec_prune(fit, alpha = "1se"), "tec_prune", class = "tec_error_data")
  }
  expect_output(print(parsnip::extract_fit_engine(flow)), "tree for outcome")
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  expect_no_error(plot(wrapped))
})

test_that("generics of ours take a parsnip fit and a workflow", {
  skip_if_not_installed("workflows")
  spec <- parsnip::set_engine(parsnip::decision_tree(mode = "classification"), "tectree")
  fit <- parsnip::fit(spec, Species ~ ., iris)
  flow <- workflows::add_formula(workflows::workflow(spec = spec), Species ~ .)
  fitted <- parsnip::fit(flow, iris)
  for (model in list(fit, fitted)) {
    tree <- parsnip::extract_fit_engine(model)
    expect_identical(importance(model), importance(tree))
    expect_identical(explain(model, iris[1, ]), explain(tree, iris[1, ]))
    expect_identical(tec_shap(model, iris[1:3, ])$values, tec_shap(tree, iris[1:3, ])$values)
    gains <- tec_gains(model, iris, class = "setosa", y = iris$Species)
    expect_identical(gains, tec_gains(tree, iris, class = "setosa", y = iris$Species))
    expect_identical(prune(model, cp = 0.5), tec_prune(tree, cp = 0.5))
    expect_output(printcp(model), "Cost-complexity")
  }
  expect_error(tec_sql(flow), "must be fitted", class = "tec_error_argument")
  expect_error(importance(flow), "must be fitted", class = "tec_error_argument")
})
