test_that("stacks and columns are the shares", {
  shares <- c(0.2, 0, 0.8)
  stack <- stacked(shares, c("red", "green", "blue"))
  expect_equal(stack$right - stack$left, c(0.2, 0.8))
  expect_identical(stack$colour, c("red", "blue"))
  expect_equal(columns_of(shares, c("red", "green", "blue"))$high, shares)
})

test_that("histograms and densities are of the leaf's rows", {
  fit <- tec_tree(mpg ~ ., mtcars)
  looks <- tree_looks(fit, leaves = "histogram", data = mtcars)
  node <- predict(fit, mtcars, type = "node")
  for (leaf in unique(node)) expect_identical(rows_of(looks$rows, leaf), which(node == leaf))
  expect_identical(rows_of(looks$rows, 1L), seq_len(32))
  y <- mtcars$mpg[node == node[1]]
  range <- range(mtcars$mpg)
  bars <- histogram_bars(y, range, "red", 16L)
  ends <- seq(range[1], range[2], length.out = 17)
  naive <- table(cut(y, ends, include.lowest = TRUE, right = FALSE))
  expect_equal(bars$high, as.vector(naive[naive > 0]) / max(naive))
  expect_equal(bars$left, (which(naive > 0) - 1) / 16, ignore_attr = TRUE)
  curve <- density_curve(y, mtcars$mpg)
  naive <- density(y, bw = bw.nrd0(mtcars$mpg) / 2, from = range[1], to = range[2], n = 128)$y
  expect_equal(curve$high, naive / max(naive))
  # One row, and one value.
  expect_identical(nrow(histogram_bars(3, c(3, 3), "red")), 1L)
  expect_true(all(is.finite(density_curve(3, c(3, 3))$high)))
})

test_that("pictures take the rows of the call, or those given", {
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  cars <- mtcars
  fit <- tec_tree(mpg ~ ., cars)
  expect_silent(plot(fit, leaves = "histogram", strips = TRUE))
  cars <- cars[1:10, ]
  expect_error(plot(fit, leaves = "histogram"), class = "tec_error_data")
  expect_silent(plot(fit, leaves = "density", data = mtcars))
  expect_silent(plot(fit, strips = TRUE, data = mtcars[1:5, ]))
  # Response and rows where the tree has no formula.
  fit <- tec_tree(x = iris[1:4], y = iris$Species)
  expect_silent(plot(fit, strips = TRUE))
})
