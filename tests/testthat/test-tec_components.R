test_that("components are a table of loadings", {
  set.seed(1)
  d <- rotation_data(80)
  fit <- tec_rotation(class ~ . - number, d, trees = 4, group_size = 4)
  p <- nrow(fit$inputs)
  table <- tec_components(fit, tree = 2)
  whole <- whole_rotation(fit, 2)
  for (i in seq_len(nrow(table))) {
    column <- match(table$column[i], fit$inputs$name)
    expect_identical(table$loading[i], whole[column, table$component[i]])
  }
  expect_identical(sum(whole != 0), sum(table$loading != 0))
  expect_equal(unname(tapply(table$loading^2, table$component, sum)), rep(1, p),
    ignore_attr = TRUE
  )
  largest <- tapply(table$loading, table$component, function(v) v[which.max(abs(v))])
  expect_true(all(largest > 0))
  at <- seq.int(fit$trees$start[2] + 1, fit$trees$start[3])
  expect_equal(
    table$splits[!duplicated(table$component)], tabulate(abs(fit$trees$variable[at]), p)
  )
  both <- tec_components(fit, tree = c(2, 4))
  expect_identical(as.data.frame(both)[both$tree == 2, ], as.data.frame(table))
  expect_identical(table$group, (table$component - 1L) %/% 4L + 1L)
  part <- table[1:3, c("column", "loading")]
  expect_output(print(part), "loading")
})

test_that("importance is the gain, shared out by squared loadings", {
  set.seed(2)
  d <- rotation_data(80)
  x <- d[setdiff(names(d), c("class", "number"))]
  fit <- tec_rotation(x, d$class, trees = 3, group_size = 2)
  z <- naive_columns(fit, x, x)
  by_tree <- vapply(1:3, function(tree) {
    whole <- whole_rotation(fit, tree)
    alone <- tec_tree(as.data.frame(z %*% whole), d$class,
      criterion = "gini", min_split = 2, min_bucket = 1, prune = "none", smooth = 0
    )
    gain <- importance(alone)
    gain <- gain$importance[match(paste0("V", seq_len(ncol(z))), gain$variable)]
    rowsum(as.vector(whole^2 %*% gain), fit$inputs$column)[, 1L]
  }, numeric(ncol(x)))
  expect_equal(unname(fit$gain), unname(rowMeans(by_tree)), tolerance = 1e-10)
  found <- importance(fit)
  expect_equal(sum(found$share), 1)
  expect_identical(found$variable, names(sort(fit$gain, decreasing = TRUE)))
})
