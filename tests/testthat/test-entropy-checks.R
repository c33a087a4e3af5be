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

test_that("five codes with repetitions look like a variable", {
  expect_warning(shannon_entropy(c(1, 1, 2, 2, 3)), class = "tec_warning_weights")
  for (weights in list(c(1, 2, 3), 1:9, c(1, 1, 2), c(2, 0, 1, 1), c(1, 2, 2, 3))) {
    expect_no_warning(shannon_entropy(weights))
  }
})

test_that("a single number is not a distribution", {
  for (code in expression(
    shannon_entropy(9, 5), shannon_entropy(0.5), gini_index(9), tsallis_entropy(9, 5),
    misclassification(0.3)
  )) {
    expect_warning(expect_equal(eval(code), 0), class = "tec_warning_weights")
  }
  expect_no_warning(shannon_entropy(table("a")))
  expect_no_warning(shannon_entropy("a"))
  expect_snapshot(shannon_entropy(9, 5))
})

test_that("a formula is sent to tec_scores()", {
  expect_error(
    information_gain(PlayTennis ~ Outlook, play_tennis), "tec_scores(formula, data)",
    fixed = TRUE, class = "tec_error_entropy"
  )
})

test_that("errors of entropies are errors of the package", {
  expect_error(shannon_entropy("a", base = -1), class = "tec_error")
  expect_error(q_log("a", 2), class = "tec_error")
  expect_error(joint_entropy(iris, c(1, NA)), class = "tec_error")
  expect_error(kl_divergence(list(), 1:2), class = "tec_error")
  expect_error(tec_partition(mean), class = "tec_error")
})
