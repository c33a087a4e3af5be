test_that("a node cut by hand is a leaf, and the rest of the tree stays", {
  fit <- tec_tree(fruit ~ ., fruit, min_bucket = 1)
  nodes <- as.data.frame(fit)
  for (node in utils::head(nodes$node[nodes$kind != "leaf"], 12)) {
    cut <- tec_prune(fit, node = node)
    gone <- nodes$node > node & nodes$node <= subtree_end(fit$tree, node)
    left <- as.data.frame(cut)
    same <- setdiff(names(nodes), c("node", "parent", "kind", "variable", "gain", "score", "exact",
      "n_children"))
    expect_equal(left[same], nodes[!gone, same], ignore_attr = TRUE)
    expect_identical(left$kind[node], "leaf")
    before <- predict(fit, fruit, type = "node")
    inside <- before >= node & before <= subtree_end(fit$tree, node)
    expect_true(all(predict(cut, fruit, type = "node")[inside] == node))
    expect_identical(predict(cut, fruit)[!inside], predict(fit, fruit)[!inside])
  }
})

test_that("several nodes, nested ones and the root are cut", {
  fit <- full_tree(Species ~ ., iris, min_bucket = 1)
  inner <- which(fit$tree$kind != 0L)
  expect_identical(tec_prune(fit, node = 1)$tree, full_tree(Species ~ ., iris, max_depth = 0)$tree)
  expect_identical(tec_prune(fit, node = inner)$tree, tec_prune(fit, node = 1)$tree)
  apart <- inner[inner > subtree_end(fit$tree, 4)][1]
  expect_true(4 %in% inner && !is.na(apart))
  two <- tec_prune(fit, node = c(4, apart))
  one_by_one <- tec_prune(tec_prune(fit, node = apart), node = 4)
  expect_identical(two$tree, one_by_one$tree)
  expect_identical(two$pruning$method, "by hand")
  expect_identical(tec_prune(fit, node = 1)$pruning$nodes, "1")
  expect_null(two[["cptable"]])
})

test_that("rpart's snip leaves the same tree", {
  skip_if_not_installed("rpart")
  theirs <- rpart::rpart(Species ~ ., iris, minbucket = 1, minsplit = 2, cp = 0)
  ours <- as_tec_tree(theirs)
  # rpart's children of the root are its nodes 2 and 3, the one that is split is cut.
  root <- which(ours$tree$parent == 1L)
  at <- root[ours$tree$kind[root] != 0L][1]
  below <- theirs$frame[c("2", "3"), ]
  name <- as.numeric(rownames(below)[below$var != "<leaf>"][1])
  cut <- tec_prune(ours, node = at)
  counts <- c(sum(cut$tree$kind == 0L), max(cut$tree$depth))
  snipped <- as_tec_tree(rpart::snip.rpart(theirs, name))
  expect_identical(counts, c(sum(snipped$tree$kind == 0L), max(snipped$tree$depth)))
  expect_identical(predict(cut, iris), predict(snipped, iris))
})

test_that("surrogates and shared rows survive a cut", {
  holes <- iris
  holes$Petal.Length[seq(1, 150, 7)] <- NA
  for (missing in c("surrogate", "fractional")) {
    fit <- tec_tree(Species ~ ., holes, missing = missing, min_bucket = 1)
    inner <- which(fit$tree$kind != 0L)
    cut <- tec_prune(fit, node = inner[length(inner)])
    expect_equal(rowSums(predict(cut, holes, type = "prob")), rep(1, 150))
    expect_identical(n_leaves(cut), n_leaves(fit) - 1L)
  }
})

test_that("nodes that cannot be cut are classed errors", {
  fit <- toy_tree()
  expect_snapshot(show_errors({
    tec_prune(fit, node = 2)
    tec_prune(fit, node = 2:3)
    tec_prune(fit, node = 9)
    tec_prune(fit, node = 1.5)
    tec_prune(fit, node = "a")
    tec_prune(fit, node = 1, cp = 0.1)
  }))
})
