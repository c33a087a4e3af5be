test_that("every criterion is measured on the same folds, like tec_tree()", {
  d <- mixed_data()
  fold <- rep(1:4, 30)
  criteria <- c("shannon", "gini", "gain_ratio")
  compared <- compare_criteria(
    y ~ x + z + colour, d, criteria,
    folds = fold, min_bucket = 3, smooth = 0
  )
  settings <- lapply(criteria, function(name) list(criterion = name, min_bucket = 3))
  naive <- naive_folds(y ~ x + z + colour, d, settings, fold, "accuracy")
  expect_equal(as.data.frame(compared, what = "folds")[names(naive)], naive, ignore_attr = TRUE)
  expect_equal(compared$table$depth, as.vector(tapply(naive$depth, gl(3, 4), mean)))
  ranks <- apply(matrix(-naive$accuracy, 3, byrow = TRUE), 2, rank)
  expect_equal(compared$table$rank, rowMeans(ranks))
})

test_that("the tests follow their definitions", {
  d <- mixed_data()
  set.seed(1)
  compared <- compare_criteria(number ~ . - y, d, c("l1", "l2"), folds = 5, repeats = 3)
  rmse <- matrix(compared$values$rmse, ncol = 2)
  difference <- rmse[, 1] - rmse[, 2]
  test <- compared$tests
  expect_equal(test$difference, mean(difference))
  t <- mean(difference) / sqrt((1 / 15 + 24 / 96) * var(difference))
  expect_equal(test$t, t)
  expect_equal(test$df, 14)
  expect_equal(test$p, 2 * pt(-abs(t), 14))
  # Without the correction it is the ordinary paired test.
  plain <- t.test(rmse[, 1], rmse[, 2], paired = TRUE)
  expect_equal(corrected_t(t(difference), 0)$p, plain$p.value)
  expect_gt(test$p, plain$p.value)
  wilcoxon <- wilcox.test(rmse[, 1], rmse[, 2], paired = TRUE)
  expect_equal(test$wilcoxon, wilcoxon$statistic[["V"]])
  expect_equal(test$wilcoxon_p, wilcoxon$p.value)
  expect_equal(compared$metric, "rmse")
  expect_equal(compared$table$rank, c(mean(rmse[, 1] > rmse[, 2]), mean(rmse[, 2] > rmse[, 1])) + 1)
})

test_that("p-values of several pairs are adjusted", {
  set.seed(1)
  by_unit <- rbind(a = rnorm(20), b = rnorm(20, 1), c = rnorm(20, 3))
  out <- pair_tests(by_unit, 1 / 9)
  expect_equal(out$p_adjusted, p.adjust(out$p, "holm"))
  expect_equal(out$wilcoxon_p_adjusted, p.adjust(out$wilcoxon_p, "holm"))
  expect_equal(pair_names(c("a", "b", "c"))$second, c("b", "c", "c"))
  expect_equal(out$difference, c(
    mean(by_unit[1, ] - by_unit[2, ]), mean(by_unit[1, ] - by_unit[3, ]),
    mean(by_unit[2, ] - by_unit[3, ])
  ))
})

test_that("equal criteria do not differ, constant differences do", {
  out <- pair_tests(rbind(1:5 / 7, 1:5 / 7 + 1e-15, 1:5 / 7 + 1), 0.1)
  expect_equal(out$p, c(1, 0, 0))
  expect_equal(out$wilcoxon_p[1], 1)
  set.seed(1)
  compared <- compare_criteria(Species ~ ., iris, c("shannon", "gini"), folds = 4, max_depth = 1)
  expect_equal(compared$tests$p, 1)
  expect_equal(compared$table$rank, c(1.5, 1.5))
})

test_that("several data sets: Friedman, Wilcoxon and the critical difference", {
  sets <- list(one = mixed_data(100, 1), two = mixed_data(100, 2), three = mixed_data(100, 3))
  set.seed(2)
  criteria <- c("shannon", "gini", "beta")
  compared <- compare_criteria(y ~ z + number, sets, criteria, beta = 3, folds = 5)
  values <- compared$values
  criterion <- factor(values$criterion, compared$table$criterion)
  means <- tapply(values$accuracy, list(factor(values$data, names(sets)), criterion), mean)
  expect_equal(compared$table$accuracy, unname(colMeans(means)))
  expect_equal(compared$overall$p, friedman.test(unname(signif(means, 12)))$p.value)
  expect_equal(
    compared$tests$wilcoxon_p[2],
    suppressWarnings(wilcox.test(means[, 1], means[, 3], paired = TRUE))$p.value
  )
  expect_false("t" %in% names(compared$tests))
  expect_snapshot(print(compared))
  # Demsar (2006), section 3.2.5: four methods, 14 data sets.
  expect_equal(round(critical_difference(4, 14, 0.95), 2), 1.25)
  expect_equal(round(critical_difference(4, 14, 0.90), 2), 1.12)
})

test_that("bars join the longest runs without a difference", {
  rank <- c(1, 1.5, 2.2, 4)
  by <- function(gap) joined_groups(abs(outer(rank, rank, `-`)) > gap, order(rank))
  expect_equal(by(1), list(from = c(1, 2), to = c(2, 3)), ignore_attr = TRUE)
  expect_equal(by(1.5), list(from = 1, to = 3))
  expect_equal(by(2), list(from = c(1, 3), to = c(3, 4)))
  expect_equal(by(5), list(from = 1, to = 4))
  expect_equal(lengths(by(0.1)), c(from = 0, to = 0))
  shuffled <- c(3, 1, 4, 2)
  expect_equal(
    joined_groups(abs(outer(rank[shuffled], rank[shuffled], `-`)) > 1.5, order(rank[shuffled])),
    by(1.5)
  )
})

test_that("comparisons are printed, tidied and drawn", {
  set.seed(1)
  compared <- compare_criteria(Species ~ ., iris, c("shannon", "gini", "beta"),
    q = NULL, folds = 5, metric = c("accuracy", "auc")
  )
  expect_snapshot({
    compared
    as.data.frame(compared, what = "tests")[c("first", "second", "difference", "df")]
  })
  expect_output(expect_identical(print(compared), compared))
  expect_named(as.data.frame(compared, what = "tests"), c(
    "first", "second", "difference", "se", "t", "df", "p", "p_adjusted", "wilcoxon", "wilcoxon_p",
    "wilcoxon_p_adjusted"
  ))
  skip_if_not_installed("ggplot2")
  drawn <- ggplot2::autoplot(compared)
  expect_s3_class(drawn, "ggplot")
  words <- page_words(drawn)
  expect_setequal(words$text, c(compared$table$criterion, 1:3))
  stems <- attr(words, "grobs")[[2]]
  place <- function(x) (as.numeric(x) - min(as.numeric(x))) / diff(range(as.numeric(x)))
  expect_equal(place(stems$x0[1:3]), place(sort(compared$table$rank)))
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  expect_identical(plot(compared), compared)
  skip_if_not_installed("generics")
  expect_equal(as.data.frame(generics::tidy(compared, what = "tests")), compared$tests)
})

test_that("by default all suitable criteria are compared", {
  set.seed(1)
  expect_equal(compare_criteria(mpg ~ ., mtcars, folds = 3)$table$criterion, c("l2", "l1"))
  compared <- compare_criteria(Species ~ ., iris, folds = 3)
  same <- unlist(strsplit(compared$table$same, " / ", fixed = TRUE))
  expect_equal(nrow(compared$table) + length(same), 15)
})

test_that("bad calls are classed errors", {
  expect_snapshot(show_errors({
    compare_criteria(Species ~ ., iris, "gini")
    compare_criteria(Species ~ ., iris, character())
    compare_criteria(Species ~ ., iris, 1:2)
    compare_criteria(Species ~ ., iris, c("gini", "shannon"), min_bucket = 1:2)
    compare_criteria(Species ~ ., iris, c("gini", "shannon"), level = 95)
    compare_criteria(Species ~ ., list(), c("gini", "shannon"))
    compare_criteria(Species ~ ., list(iris, 1), c("gini", "shannon"))
    compare_criteria(Species ~ ., list(iris, iris), c("gini", "shannon"), folds = rep(1:2, 75))
    compare_criteria(iris, Species ~ ., c("gini", "shannon"))
    compare_criteria(Species ~ ., iris, c("gini", "shannon"), fodls = 2)
  }))
})

test_that("data sets of both tasks are not compared", {
  two <- list(a = data.frame(y = mtcars$mpg, x = mtcars$hp), b = data.frame(
    y = factor(mtcars$am), x = mtcars$hp
  ))
  expect_error(
    compare_criteria(y ~ x, two, folds = 3), "must all be classes, or all be numeric",
    class = "tec_error_data"
  )
})

test_that("data sets of two tasks are not compared", {
  runs <- list(list(task = "classification"), list(task = "regression"))
  expect_error(describe_comparison(runs, 0.95), "all be classes", class = "tec_error_data")
})
