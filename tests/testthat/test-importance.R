# Rows below every node, from the paths.
rows_below <- function(fit, data) {
  paths <- predict(fit, data, type = "path")
  lapply(
    seq_along(fit$tree$parent), function(i) which(vapply(paths, function(p) i %in% p$node, NA))
  )
}

test_that("gain importance follows from the rows", {
  fit <- tec_tree(fruit ~ ., fruit, criterion = "gini")
  rows <- rows_below(fit, fruit)
  tree <- fit$tree
  total <- c(size = 0, color = 0, weight = 0)
  for (i in which(tree$kind != 0L)) {
    kids <- which(tree$parent == i)
    gain <- gini_index(fruit$fruit[rows[[i]]]) - sum(vapply(kids, function(k) {
      length(rows[[k]]) / length(rows[[i]]) * gini_index(fruit$fruit[rows[[k]]])
    }, 0))
    name <- fit$columns$name[tree$variable[i]]
    total[name] <- total[name] + gain * length(rows[[i]]) / nrow(fruit)
  }
  table <- importance(fit)
  expect_equal(table$importance, unname(sort(total, decreasing = TRUE)))
  expect_identical(table$variable, names(sort(total, decreasing = TRUE)))
  expect_equal(sum(table$share), 1)
  expect_equal(sum(table$splits), sum(tree$kind != 0L))
})

test_that("gains of linear criteria sum to the impurity removed", {
  for (fit in list(
    tec_tree(Species ~ ., iris), tec_tree(mpg ~ ., mtcars),
    tec_tree(mpg ~ ., mtcars, criterion = "l1")
  )) {
    leaf <- fit$tree$kind == 0L
    left <- sum(fit$tree$weight[leaf] * fit$tree$impurity[leaf]) / fit$tree$weight[1]
    expect_equal(sum(importance(fit)$importance), fit$tree$impurity[1] - left)
  }
})

test_that("permutation importance is the effect of shuffling the column", {
  fit <- tec_tree(Species ~ ., iris)
  set.seed(7)
  table <- importance(fit, type = "permutation", data = iris, repeats = 3)
  set.seed(7)
  base <- mean(predict(fit, iris) != iris$Species)
  # Shuffled in the order of the columns, those that the tree uses.
  naive <- vapply(variable.names(fit, used = TRUE), function(name) {
    mean(vapply(1:3, function(r) {
      d <- iris
      d[[name]] <- d[[name]][sample.int(150)]
      mean(predict(fit, d) != iris$Species) - base
    }, 0))
  }, 0)
  expect_equal(stats::setNames(table$importance, table$variable)[names(naive)], naive)
  expect_identical(table$importance[table$variable == "Sepal.Width"], 0)
})

test_that("permutation of a number is in squared error", {
  fit <- tec_tree(mpg ~ wt + hp, mtcars)
  set.seed(3)
  table <- importance(fit, type = "permutation", data = mtcars, repeats = 1)
  set.seed(3)
  d <- mtcars
  d$wt <- d$wt[sample.int(32)]
  error <- function(d) mean((mtcars$mpg - predict(fit, d))^2)
  expect_equal(table$importance[table$variable == "wt"], error(d) - error(mtcars))
  expect_identical(table$se, c(NA_real_, NA_real_))
})

test_that("importance of a single leaf is empty, and prints", {
  leaf <- full_tree(Species ~ ., iris, max_depth = 0)
  expect_identical(importance(leaf)$importance, rep(0, 4))
  expect_snapshot({
    importance(leaf)
    importance(tec_tree(Species ~ ., iris))
    print(importance(tec_tree(mpg ~ ., mtcars)), n = 2, width = 30)
  })
  expect_snapshot(show_errors({
    importance(toy_tree(), type = "permutation")
    importance(toy_tree(), type = "gains")
    importance(toy_tree(), repeat_ = 3)
  }))
})

test_that("importance prints shares with even digits, and predictors without any in one line", {
  x <- importance(tec_tree(mpg ~ ., mtcars))
  lines <- utils::capture.output(print(x))
  used <- x[x$importance > 0, ]
  rows <- lines[grepl("%", lines)]
  expect_length(rows, nrow(used))
  number <- strsplit(trimws(sub("=+$", "", rows)), " +")
  digits <- function(text) nchar(sub("^[^.]*[.]?", "", text))
  expect_length(unique(vapply(number, function(n) digits(n[2]), 0L)), 1)
  percent <- as.numeric(sub("%", "", vapply(number, `[[`, "", 3)))
  expect_equal(sum(percent), 100)
  expect_equal(percent, 100 * used$share, tolerance = 0.01)
  expect_match(lines[length(lines)], "^# Not split: ")
  expect_false(any(grepl(" 0[.]0* ", lines)))
})

test_that("permutation importance counts an offset, as residuals do", {
  d <- transform(mtcars, base = 10 * qsec)
  d$mpg <- d$mpg + d$base
  fit <- tec_boost(mpg ~ wt + hp, d, offset = base, rounds = 20, folds = 0, min_bucket = 3)
  set.seed(1)
  found <- importance(fit, "permutation", data = d, repeats = 2)
  set.seed(1)
  error <- function(rows) mean((d$mpg - predict(fit, rows, offset = d$base))^2)
  naive <- lapply(c(wt = "wt", hp = "hp"), function(x) {
    vapply(1:2, function(r) {
      rows <- d
      rows[[x]] <- d[[x]][sample.int(nrow(d))]
      error(rows) - error(d)
    }, 0)
  })
  expect_equal(found$importance, vapply(naive, mean, 0)[found$variable], ignore_attr = TRUE)
  expect_error(
    importance(fit, "permutation", data = d[c("mpg", "wt", "hp")]), class = "tec_error_offset"
  )
})
