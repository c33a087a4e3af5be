test_that("a missing package is named, with the command to install it", {
  expect_snapshot(show_errors({
    need_package("not.a.package", "as_rpart")
  }))
  expect_error(need_package("not.a.package", "f"), class = "tec_error_package")
  expect_invisible(need_package("stats", "f"))
})

test_that("every function that needs another package asks for it first", {
  set.seed(1)
  fit <- toy_tree()
  tuned <- tec_tune(Species ~ ., iris, q = 1:2, folds = 3)
  compared <- compare_criteria(Species ~ ., iris, c("gini", "shannon"), folds = 3)
  check <- need_package
  local_binding("need_package", function(package, what) check(paste0("not.", package), what))
  refused <- function(call, package) {
    error <- expect_error(call, class = "tec_error_package")
    install <- paste0('install.packages("not.', package, '")')
    expect_match(conditionMessage(error), install, fixed = TRUE)
  }
  refused(as_rpart(fit), "rpart")
  refused(as.party.tec_tree(fit), "partykit")
  refused(as_tec_tree(structure(list(), class = "party")), "partykit")
  refused(autoplot.tec_tree(fit), "ggplot2")
  refused(autoplot.tec_tune(tuned), "ggplot2")
  refused(autoplot.tec_comparison(compared), "ggplot2")
  refused(autoplot.tec_importance(importance(fit)), "ggplot2")
  rsplits <- structure(list(), class = c("vfold_cv", "rset"))
  refused(tec_tune(Species ~ ., iris, q = 1:2, folds = rsplits), "rsample")
})
