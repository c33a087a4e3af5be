test_that("there is one prediction per row, for every type", {
  fit <- tec_tree(Species ~ ., iris)
  for (n in c(0, 1, 7)) {
    new <- iris[seq_len(n), ]
    expect_length(predict(fit, new), n)
    expect_length(predict(fit, new, type = "class"), n)
    expect_equal(dim(predict(fit, new, type = "prob")), c(n, 3))
    expect_length(predict(fit, new, type = "node"), n)
    expect_length(predict(fit, new, type = "path"), n)
  }
  holes <- iris
  holes[cbind(seq_len(150), rep_len(1:4, 150))] <- NA
  expect_length(predict(fit, holes), 150)
  expect_false(anyNA(predict(fit, holes)))
})

test_that("the types agree with each other and with the nodes", {
  fit <- tec_tree(Species ~ ., iris)
  nodes <- as.data.frame(fit)
  node <- predict(fit, iris, type = "node")
  expect_type(node, "integer")
  expect_true(all(nodes$kind[node] == "leaf"))
  expect_equal(as.vector(table(node)), nodes$n[sort(unique(node))])
  expect_identical(predict(fit, iris), nodes$yval[node])
  prob <- predict(fit, iris, type = "prob")
  expect_equal(colnames(prob), levels(iris$Species))
  expect_equal(rowSums(prob), rep(1, 150))
  class <- predict(fit, iris, type = "class")
  expect_equal(levels(iris$Species)[max.col(prob, "first")], as.character(class))
  path <- predict(fit, iris[c(1, 80), ], type = "path")
  for (i in 1:2) {
    visited <- path[[i]]$node
    expect_equal(visited[1], 1L)
    expect_equal(nodes$parent[visited[-1]], visited[-length(visited)])
    expect_equal(visited[length(visited)], node[c(1, 80)[i]])
  }
})

test_that("a path says where a value was missing", {
  fit <- toy_tree(missing = "majority")
  path <- predict(fit, data.frame(x = c(NA, 1)), type = "path")
  expect_equal(path[[1]]$by_default, c(FALSE, TRUE))
  expect_equal(path[[2]]$by_default, c(FALSE, FALSE))
  shared <- predict(toy_tree(), data.frame(x = c(NA, 1)), type = "path")
  expect_equal(shared[[1]], data.frame(
    node = 1:3, by_default = c(FALSE, TRUE, TRUE), share = c(1, 0.5, 0.5)
  ))
  expect_named(shared[[2]], c("node", "by_default"))
})

test_that("regression predicts numbers only", {
  fit <- tec_tree(mpg ~ ., mtcars)
  expect_type(predict(fit, mtcars), "double")
  expect_snapshot(show_errors({
    predict(fit, mtcars, type = "prob")
    predict(fit, mtcars, type = "class")
    predict(fit, mtcars, type = "probs")
    predict(fit, mtcars, typ2 = "prob")
  }))
})

test_that("unused columns may be absent and extra ones are ignored", {
  fit <- tec_tree(Species ~ ., iris, max_depth = 1)
  used <- stats::na.omit(as.data.frame(fit)$variable)
  expect_equal(predict(fit, iris[used]), predict(fit, iris))
  expect_equal(predict(fit, cbind(iris, more = 1)), predict(fit, iris))
  leaf <- tec_tree(Species ~ ., iris, max_depth = 0)
  expect_length(predict(leaf, data.frame(a = 1:3)), 3)
  expect_length(predict(leaf, data.frame(row.names = 1:4)), 4)
})

test_that("threads do not change a prediction", {
  fit <- tec_tree(Species ~ ., iris)
  expect_identical(predict(fit, iris, threads = 1), predict(fit, iris, threads = 2))
  expect_error(predict(fit, iris, threads = 0), class = "tec_error_control")
})

test_that("a chain of 5,000 grows, prints and predicts", {
  d <- data.frame(x = 1:5001, y = factor(rep_len(c("a", "b"), 5001)))
  fit <- full_tree(y ~ x, d, criterion = "gini", min_bucket = 1, min_split = 2, threads = 2)
  expect_equal(max(fit$tree$depth), 5000)
  expect_identical(predict(fit, d), d$y)
  expect_equal(nrow(as.data.frame(fit)), 10001)
  expect_lte(length(format(fit)), 50)
})

test_that("a hand-built chain of 100,000 overflows nothing", {
  slow_test()
  skip_on_cran()
  fit <- chain_tree(100000)
  expect_equal(predict(fit, data.frame(x = c(0, 1.5, 1e6))), c(2, 4, 200001))
  expect_equal(predict(fit, data.frame(x = c(0, 1e6)), type = "node"), c(2L, 200001L))
  expect_length(predict(fit, data.frame(x = 1e6), type = "path")[[1]]$node, 100001)
  expect_equal(nrow(as.data.frame(fit)), 200001)
  lines <- format(fit, n = Inf, width = 80)
  expect_gte(length(lines), 200001)
  expect_lte(max(nchar(lines, "width")), 80)
})

test_that("without newdata the training rows are predicted, where they are found", {
  fit <- tec_tree(Species ~ ., iris)
  expect_identical(predict(fit), fitted(fit))
  expect_identical(predict(fit, type = "prob"), predict(fit, iris, type = "prob"))
  d <- iris
  lost <- tec_tree(Species ~ ., d)
  rm(d)
  expect_error(predict(lost), "newdata", class = "tec_error_data")
  expect_error(predict(fit, NULL), class = "tec_error_newdata")
})
