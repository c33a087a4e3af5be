models <- names(own_arguments)

test_that("the table has the arguments of every method, and x and y have those of a formula", {
  for (model in models) {
    by_formula <- formals(get(paste0("tec_", model, ".formula")))
    by_xy <- formals(get(paste0("tec_", model, ".default")))
    listed <- c(arguments_of(model), "...")
    expect_setequal(c(names(by_formula), "x", "y"), listed)
    expect_setequal(c(names(by_xy), "formula", "data", intersect(place_arguments, listed)), listed)
    shared <- setdiff(intersect(names(by_formula), names(by_xy)), c("weights", "subset"))
    shared <- setdiff(shared, row_arguments)
    expect_identical(by_xy[shared], by_formula[shared])
  }
  expect_error(tec_forest(Species ~ ., iris, sample_weights = no_such_column))
})

test_that("every setting is an argument with its default, which passes its check unchanged", {
  expect_identical(as.list(formals(tec_control))[control_names], control_defaults)
  expect_identical(names(formals(tec_control)), c(control_names, "..."))
  expect_identical(checked_settings(control_defaults), control_defaults)
  expect_identical(do.call(tec_control, control_defaults), tec_control())
  expect_identical(unclass(tec_control()), control_defaults)
  expect_error(tec_control(alpha_merge = 0.01, alpha_resplit = 0.02), class = "tec_error_control")
  expect_error(tec_control(unseen = NULL), class = "tec_error_control")
})

test_that("no setting is open after a preset, but for those that mean nothing", {
  unset <- c("max_features", "threads", "alpha", "cp", "risk", "folds", "p_by")
  for (preset in preset_names) {
    control <- resolve_control(tec_control(), preset)
    expect_identical(setdiff(names(Filter(is.null, control)), unset), character())
  }
  expect_identical(resolve_control(tec_control(), "chaid_exhaustive")$rules, "chaid_exhaustive")
  expect_identical(resolve_control(tec_control(rules = "exact"), "chaid")$intervals, 2L)
})

test_that("a learner of mlr3 has every setting of its model, with its range", {
  kinds <- c("number", "whole", "word", "flag", "any")
  type <- lapply(stats::setNames(kinds, kinds), function(kind) function(...) c(kind, ...))
  tree <- mlr3_settings(type, "classif", "tree")
  expect_named(tree, control_names)
  expect_identical(tree$alpha_merge, c("number", "0", "1"))
  expect_identical(tree$rules, c("word", "exact", "c45", chaid_rules))
  expect_false("rep" %in% tree$prune)
  lost <- setdiff(control_names, names(mlr3_settings(type, "regr", "tree")))
  expect_setequal(lost, c("cf", "raise", "collapse", "risk"))
  forest <- names(mlr3_settings(type, "regr", "forest"))
  expect_false(any(c("prune", "cp", "smooth", "honest", "lookahead", "alpha_merge") %in% forest))
  expect_setequal(
    names(mlr3_settings(type, "regr", "boost")),
    c("min_bucket", "max_depth", "max_leaves", "min_gain", "unseen", "threads", "weights_as")
  )
})
