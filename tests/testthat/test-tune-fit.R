test_that("functions of trees use the chosen tree", {
  set.seed(1)
  tuned <- full_tune(Species ~ ., iris, q = 1:3, folds = 3)
  fit <- tuned$fit
  expect_identical(summary(tuned), summary(fit))
  expect_identical(importance(tuned), importance(fit))
  expect_identical(explain(tuned, iris[71, ]), explain(fit, iris[71, ]))
  expect_identical(explain(tuned, iris[71, ], data = iris), explain(fit, iris[71, ], data = iris))
  expect_identical(n_leaves(tuned), n_leaves(fit))
  expect_identical(n_nodes(tuned), n_nodes(fit))
  expect_identical(tree_depth(tuned), tree_depth(fit))
  expect_identical(tec_rules(tuned), tec_rules(fit))
  expect_identical(predict(tuned, iris, type = "prob"), predict(fit, iris, type = "prob"))
  expect_identical(fitted(tuned, iris), fitted(fit, iris))
  expect_identical(residuals(tuned, iris), residuals(fit, iris))
  expect_identical(deviance(tuned), deviance(fit))
  expect_identical(nobs(tuned), nobs(fit))
  expect_equal(formula(tuned), formula(fit))
  expect_equal(terms(tuned), terms(fit))
  expect_identical(variable.names(tuned, used = TRUE), variable.names(fit, used = TRUE))
  expect_identical(labels(tuned), labels(fit))
  expect_identical(tec_scores(tuned, iris), tec_scores(fit, iris))
  expect_identical(as_tec_tree(tuned), fit)
  expect_identical(cp_table(tuned), cp_table(fit))
  expect_identical(tec_prune(tuned, "pep"), tec_prune(fit, "pep"))
  # These stay the tuning's own.
  expect_named(as.data.frame(tuned)[1:2], c("criterion", "q"))
  expect_output(print(tuned), "3 settings")
})

test_that("rows and variables are found where the call came from", {
  inside <- function() {
    twice <- function(x) 2 * x
    d <- mtcars
    tuned <- full_tune(mpg ~ twice(wt), d, min_bucket = c(3, 6), folds = 2)
    fit <- tuned$fit
    list(
      list(predict(tuned, d), explain(tuned, d[1, ]), tec_scores(tuned, d)),
      list(predict(fit, d), explain(fit, d[1, ]), tec_scores(fit, d))
    )
  }
  set.seed(1)
  both <- inside()
  expect_identical(both[[1]], both[[2]])
})

test_that("generics of other packages reach the tree too", {
  set.seed(1)
  tuned <- full_tune(Species ~ ., iris, q = 1:2, folds = 3)
  skip_if_not_installed("generics")
  expect_equal(generics::augment(tuned, iris), generics::augment(tuned$fit, iris))
  expect_equal(generics::glance(tuned), generics::glance(tuned$fit))
  expect_equal(generics::explain(tuned, iris[3, ]), explain(tuned$fit, iris[3, ]))
  skip_if_not_installed("rpart")
  expect_equal(rpart::prune(tuned, cp = 0.1), tec_prune(tuned$fit, cp = 0.1))
  expect_equal(as_rpart(tuned), as_rpart(tuned$fit))
  skip_if_not_installed("partykit")
  expect_equal(partykit::as.party(tuned), partykit::as.party(tuned$fit), ignore_formula_env = TRUE)
})

test_that("a tuning result without a tree says where the tree is", {
  set.seed(1)
  fit <- full_tree(Species ~ ., iris, q = 1:2)
  expect_snapshot(show_errors({
    summary(fit$tuning)
    n_leaves(fit$tuning)
    predict(fit$tuning, iris)
  }))
})

test_that("weights and coefficients of a tuning run are those of its tree", {
  run <- tec_tune(Species ~ ., iris, q = c(1, 2), folds = 3)
  expect_identical(weights(run), rep(1, 150))
  expect_error(coef(run), class = "tec_error_argument")
  expect_error(df.residual(run), class = "tec_error_argument")
})

test_that("the help page lists each method with the first argument of its generic", {
  lines <- tuned_usage()
  for (verb in c(tuned_verbs, "prune")) {
    first <- names(formals(get(verb, mode = "function")))[1L]
    expect_true(paste0("\\alias{", verb, ".tec_tune}") %in% lines)
    expect_true(paste0("\\method{", verb, "}{tec_tune}(", first, ", ...)\n") %in% lines)
    method <- tuned_method(verb)
    expect_named(formals(method), c(first, "..."))
  }
  expect_length(lines, 2L * (length(tuned_verbs) + 1L) + 2L)
})
