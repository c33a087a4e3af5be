test_that("numbers that look like a variable are weights with a warning", {
  warned <- function(code) expect_warning(code, class = "tec_warning_weights")
  y <- rep(c(0, 1, 1), 5)
  warned(shannon_entropy(y))
  expect_equal(suppressWarnings(shannon_entropy(y)), log2(10))
  warned(gini_index(c(0, 1, 1)))
  warned(tsallis_entropy(as.integer(iris$Species), 2))
  warned(beta_entropy(as.integer(play_tennis$PlayTennis)))
  warned(shannon_entropy(mtcars$cyl))
  warned(split_information(rep(0:2, 4)))
  warned(kl_divergence(as.table(y), rev(y)))
  for (weights in list(
    c(9, 5), c(1, 1), c(0, 1), c(0, 0, 1), c(1, 1, 1, 1), c(5, 4, 5), rep(50, 3), 1:9,
    c(0.5, 0.5, 0), c(2, 0, 1, 1), rep(3, 50), c(12, 0, 3, 7, 1, 1, 0, 9, 30, 2), y / sum(y),
    as.table(y), matrix(y), tabulate(as.integer(chickwts$feed))
  )) {
    expect_no_warning(shannon_entropy(weights))
  }
  expect_no_warning(shannon_entropy(factor(y)))
  expect_snapshot(shannon_entropy(y))
  expect_snapshot(shannon_entropy(rep(11:17, 7)))
})
