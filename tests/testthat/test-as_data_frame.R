test_that("there is one row per node, in pre-order", {
  fit <- tec_tree(Species ~ ., iris)
  nodes <- as.data.frame(fit)
  expect_named(nodes, c(
    "node", "parent", "depth", "kind", "variable", "rule", "n", "weight", "yval", "impurity",
    "gain", "score", "exact", "n_children", paste0("prob_", levels(iris$Species))
  ))
  expect_equal(nodes$node, seq_len(nrow(nodes)))
  expect_equal(nodes$parent[1], 0)
  expect_true(all(nodes$parent[-1] < nodes$node[-1]))
  expect_equal(nodes$depth[-1], nodes$depth[nodes$parent[-1]] + 1L)
  inner <- nodes$kind != "leaf"
  expect_equal(is.na(nodes$variable), !inner)
  expect_equal(is.na(nodes$gain), !inner)
  expect_equal(is.na(nodes$exact), !inner)
  expect_equal(nodes$n_children, unname(as.vector(table(factor(nodes$parent, nodes$node)))))
  below <- tapply(nodes$n[-1], nodes$parent[-1], sum)
  expect_equal(as.vector(below), nodes$n[inner])
  shares <- as.matrix(nodes[grep("^prob_", names(nodes))])
  expect_equal(unname(rowSums(shares)), rep(1, nrow(nodes)))
  expect_s3_class(nodes$yval, "factor")
})

test_that("regression trees have numbers and no shares", {
  nodes <- as.data.frame(tec_tree(mpg ~ ., mtcars))
  expect_type(nodes$yval, "double")
  expect_false(any(grepl("^prob_", names(nodes))))
  expect_equal(nodes$yval[1], mean(mtcars$mpg))
})

test_that("unknown arguments are refused", {
  expect_error(as.data.frame(toy_tree(), rows = 3), class = "tec_error_argument")
})

test_that("row names are unique, one per row", {
  fit <- tec_tree(Species ~ ., iris)
  n <- n_nodes(fit)
  names <- letters[seq_len(n)]
  expect_identical(rownames(as.data.frame(fit, row.names = names)), names)
  numbered <- as.data.frame(tec_rules(fit), row.names = 10 + seq_len(n_leaves(fit)))
  expect_identical(rownames(numbered)[1L], "11")
  tables <- list(fit, cp_table(fit), tec_shap(fit, iris[1:2, ]), tec_rules(fit))
  for (wrong in list("a", list(1), new.env(), rep("a", n), factor(names))) {
    for (table in tables) {
      expect_error(as.data.frame(table, row.names = wrong), class = "tec_error_argument")
    }
  }
})
