test_that("the CAMI family follows its definition", {
  cells <- rbind(c(3, 0, 2), c(2, 4, 3))
  within <- (5 * shannon_entropy(c(3, 2)) + 5 * shannon_entropy(c(2, 3))) / 14
  gain <- shannon_entropy(c(5, 9)) - within
  expect_equal(cami(cells), gain)
  expect_equal(cami(cells), mutual_information(cells, base = 2))
  expect_equal(cair(cells), gain / log2(3))
  # Three branches, two classes: the bound is the entropy of the class.
  expect_equal(effcami(cells), gain / shannon_entropy(c(5, 9)))
  # Two branches: the split information, the gain ratio.
  two <- cells[, 1:2]
  expect_equal(effcami(two), cami(two) / split_information(colSums(two)))
  # A declared class without rows counts in K.
  x <- factor(c("a", "b", "b"), c("a", "b", "c", "d"))
  expect_equal(cair(x, c(1, 2, 2)), shannon_entropy(c(1, 2)) / 2)
  expect_identical(cair(c("a", "a"), c(1, 1)), 0)
  expect_identical(effcami(c("a", "b"), c(1, 1)), 0)
})
