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

test_that("shapes of numeric leaves stand on the ground, and the line of the mean is as high", {
  fit <- tec_tree(mpg ~ ., mtcars)
  leaves <- unique(predict(fit, mtcars, type = "node"))
  local_binding("room_layer", function(kind, rooms, parts, ...) parts)
  local_binding("base_line", function(...) NULL)
  for (shape in c("density", "histogram")) {
    view <- structure(
      list(node = leaves, yval = fit$tree$value[leaves]),
      looks = tree_looks(fit, leaves = shape, data = mtcars)
    )
    layout <- list(view = view, colours = list(node = rep("red", length(leaves))), ink = list())
    layers <- number_layers(layout, NULL, seq_along(leaves))
    lines <- do.call(rbind, layers[[length(layers)]])
    expect_true(all(lines$x >= 0 & lines$x <= 1 & lines$xend == lines$x))
    expect_true(all(lines$y == 0 & lines$yend == 1))
    if (shape == "density") {
      for (curve in layers[[1L]]) {
        ends <- c(1L, nrow(curve))
        expect_identical(list(curve$x[ends], curve$y[ends]), list(c(0, 1), c(0, 0)))
      }
    }
  }
})
