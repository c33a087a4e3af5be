test_that("a forest has the length of its trees, and its parts by name", {
  set.seed(1)
  fit <- small_forest(Species ~ ., iris, trees = 5)
  expect_length(fit, 5)
  expect_identical(n_trees(fit), 5L)
  expect_identical(fit[["oob"]], fit$oob)
  leaves <- vapply(seq_along(fit), function(t) n_leaves(fit[[t]]), 0L)
  expect_identical(sum(leaves), sum(fit$trees$variable == 0L))
  expect_output(str(fit), "List of")
  expect_snapshot(show_errors({
    fit[[6]]
    fit[[0]]
    fit[[1.5]]
    n_trees(1)
  }))
})

test_that("a tree of a forest prints, converts, explains and exports like other trees", {
  set.seed(2)
  d <- forest_data(60)
  fit <- small_forest(y ~ ., d, max_depth = 3)
  tree <- fit[[3]]
  expect_snapshot(print(tree, width = 80))
  expect_identical(nrow(as.data.frame(tree)), n_nodes(tree))
  expect_identical(length(tec_rules(tree)$rule %||% tec_rules(tree)), n_leaves(tree))
  expect_s3_class(summary(tree), "summary.tec_tree")
  expect_s3_class(importance(tree), "tec_importance")
  again <- tec_from_json(tec_json(tree))
  expect_identical(predict(again, d), predict(tree, d))
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  expect_no_error(plot(tree))
  skip_if_not_installed("rpart")
  expect_identical(as.character(predict(as_rpart(tree), d, type = "class")),
    as.character(predict(tree, d)))
})

test_that("gains and impurities follow from the leaves", {
  set.seed(3)
  for (criterion in c("shannon", "gini", "l2")) {
    numbers <- criterion == "l2"
    d <- forest_data(60, classes = !numbers)
    fit <- small_forest(y ~ ., d, criterion = criterion, mtry = "all", trees = 2, min_split = 2)
    bag <- forest_counts(fit)[, 2]
    tree <- full_tree(y ~ ., d, weights = bag, weights_as = "frequency",
      criterion = criterion, missing = "majority", min_bucket = 1, min_split = 2)
    expect_equal(fit[[2]]$tree$gain, tree$tree$gain)
    if (!numbers) expect_equal(fit[[2]]$tree$impurity, tree$tree$impurity)
  }
})

test_that("splits with several branches become splits in two, with the same predictions", {
  set.seed(4)
  d <- forest_data(100)
  for (settings in list(
    list(nominal = "multiway"), list(intervals = 4), list(nominal = "ordered"),
    list(nominal = "multiway", missing = "fractional")
  )) {
    fit <- do.call(small_forest, c(list(y ~ ., d, mtry = "all", trees = 2), settings))
    bag <- forest_counts(fit)[, 1]
    usual <- list(missing = "majority")
    tree <- do.call(full_tree, c(
      list(
        y ~ ., d, weights = bag, weights_as = "frequency", criterion = "gini", min_bucket = 1,
        min_split = 2
      ), settings,
      usual[setdiff("missing", names(settings))]
    ))
    new <- forest_data(60)
    new$d[1:20] <- NA
    new$a[10:30] <- NA
    expect_equal(predict(fit[[1]], new, type = "prob"), predict(tree, new, type = "prob"))
    expect_true(all(fit[[1]]$tree$n_children %in% c(0L, 2L)))
  }
})

test_that("weights of any size are valid", {
  set.seed(1)
  for (weight in c(2e7, 1e12)) {
    fit <- tec_forest(Species ~ ., iris, trees = 2, weights = rep(weight, 150))
    numbers <- tec_forest(Sepal.Length ~ ., iris, trees = 2, weights = rep(weight, 150))
    expect_equal(fit[[1]]$n_rows, 150)
    expect_equal(numbers[[1]]$n_rows, 150)
    expect_identical(predict(fit[[1]], iris), factor(predict(fit, iris, type = "tree")[, 1L]))
    expect_output(print(fit[[1]]), "rows")
    for (write in list(tec_pmml, tec_onnx, tec_code, tec_json)) {
      expect_no_error(write(fit))
      expect_no_error(write(numbers))
    }
    expect_identical(predict(tec_from_json(tec_json(fit)), iris), predict(fit, iris))
  }
})

test_that("a tree says if its gains are not those of the search", {
  d <- iris
  d$Petal.Length[seq(1, 150, 4)] <- NA
  d$Petal.Width[seq(2, 150, 4)] <- NA
  sums <- function(fit) {
    one <- suppressMessages(importance(fit[[1]]))
    one$importance[match(importance(fit)$variable, one$variable)]
  }
  for (missing in c("learned", "mode", "majority", "fractional", "drop")) {
    set.seed(1)
    fit <- tec_forest(Species ~ ., d, trees = 1, missing = missing, threads = 1)
    if (missing %in% c("learned", "mode")) {
      expect_equal(sums(fit), importance(fit)$importance)
      expect_no_message(importance(fit[[1]]))
    } else {
      expect_false(isTRUE(all.equal(sums(fit), importance(fit)$importance)))
      expect_message(importance(fit[[1]]), "Petal.Length", class = "tec_message_gain")
    }
    whole <- tec_forest(Species ~ ., iris, trees = 1, missing = missing, threads = 1)
    expect_equal(sums(whole), importance(whole)$importance)
    expect_no_message(importance(whole[[1]]))
  }
})
