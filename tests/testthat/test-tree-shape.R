test_that("sizes are those of the printed tree", {
  fit <- tec_tree(Species ~ ., iris)
  nodes <- as.data.frame(fit)
  expect_identical(n_nodes(fit), nrow(nodes))
  expect_identical(n_leaves(fit), sum(nodes$kind == "leaf"))
  expect_identical(tree_depth(fit), max(nodes$depth))
  leaf <- tec_tree(Species ~ ., iris, max_depth = 0)
  expect_identical(c(n_nodes(leaf), n_leaves(leaf), tree_depth(leaf)), c(1L, 1L, 0L))
})

test_that("a branch is a tree that predicts as the whole does there", {
  d <- fruit
  fits <- list(
    tec_tree(fruit ~ ., d), tec_tree(fruit ~ ., d, nominal = "multiway"),
    tec_tree(fruit ~ ., d, intervals = 4), tec_tree(weight ~ ., d)
  )
  for (fit in fits) {
    node <- predict(fit, d, type = "node")
    for (i in some_of(seq_along(fit$tree$parent), 15)) {
      branch <- fit[[i]]
      expect_silent(check_fit(branch))
      end <- subtree_end(fit$tree, i)
      here <- node >= i & node <= end
      expect_identical(n_nodes(branch), as.integer(end - i + 1L))
      if (!any(here)) next
      expect_identical(predict(branch, d[here, ], type = "node") + i - 1L, node[here])
      expect_identical(predict(branch, d[here, ]), predict(fit, d[here, ]))
    }
  }
})

test_that("a branch holds only its own breaks and levels", {
  fit <- full_tree(Species ~ ., iris)
  branch <- fit[[3]]
  expect_length(branch$tree$breaks, sum(branch$tree$kind != 0L))
  expect_identical(fit[[1]], fit)
  expect_identical(branch$tree, branch[[1]]$tree)
  expect_identical(as.data.frame(branch)$n, as.data.frame(fit)$n[3:n_nodes(fit)])
})

test_that("a fit is still a list", {
  fit <- full_tree(Species ~ ., iris)
  expect_identical(fit[["tree"]], fit$tree)
  expect_identical(lapply(fit, class)$tree, "list")
  expect_output(str(fit), "n_rows")
  expect_true(all.equal(fit, fit[[1]]))
  expect_false(isTRUE(all.equal(fit, fit[[3]])))
  expect_match(all.equal(fit, 1), "tec_tree")
})

test_that("numbers that are not nodes are refused", {
  fit <- toy_tree()
  expect_snapshot(show_errors({
    fit[[0]]
    fit[[4]]
    fit[[1.5]]
    n_leaves(1)
    tree_depth(lm(dist ~ speed, cars))
  }))
})
