shapes_to_draw <- function() {
  set.seed(1)
  d <- boost_data(200)
  tec_shapes(tec_boost(two ~ a + b + f + o, d, rounds = 20, folds = 0, cyclic = TRUE, bags = 2), d)
}

test_that("numbers have steps, levels bars, pairs a heat map", {
  shapes <- shapes_to_draw()
  ink <- ink_on("white")
  kinds <- function(term) {
    chart <- shape_chart(shapes, find_term(shapes, term), NULL, ink)
    lapply(chart$layers, function(layer) if (nrow(layer$data)) layer$kind)
  }
  expect_true("line" %in% kinds("a"))
  expect_false("line" %in% kinds("f"))
  expect_false("line" %in% kinds("o"))
  # The steps are the function.
  chart <- shape_chart(shapes, find_term(shapes, "b"), NULL, ink)
  line <- Filter(function(layer) layer$kind == "line", chart$layers)[[1]]$data
  middle <- (line$x[c(TRUE, FALSE)] + line$x[c(FALSE, TRUE)]) / 2
  rows <- data.frame(a = 0, b = middle, f = "a", o = "1")
  expect_equal(line$y[c(TRUE, FALSE)], predict(shapes, rows)[, "b"])
  pair <- Filter(function(t) length(t$columns) == 2, shapes$terms)[[1]]
  chart <- shape_chart(shapes, pair, NULL, ink)
  cells <- chart$layers[[1]]$data
  expect_gt(nrow(cells), 3)
  area <- sum((cells$xmax - cells$xmin) * (cells$ymax - cells$ymin))
  expect_equal(area, diff(chart$x$range) * diff(chart$y$range))
})

test_that("charts are drawn", {
  shapes <- shapes_to_draw()
  withr::local_pdf(NULL)
  expect_identical(plot(shapes), shapes)
  for (term in shapes$terms) expect_no_error(plot(shapes, term$predictors, main = "x"))
  expect_no_error(plot(shapes, "a", xlim = c(0, 1), background = "black"))
  skip_if_not_installed("ggplot2")
  for (term in shapes$terms) {
    expect_no_error(ggplot2::ggplot_build(ggplot2::autoplot(shapes, term$predictors)))
  }
})

test_that("functions without a band, of a model without bags, are drawn with ggplot2", {
  skip_if_not_installed("ggplot2")
  fit <- tec_boost(mpg ~ wt + gear, transform(mtcars, gear = factor(gear)),
    rounds = 5, folds = 0, cyclic = TRUE, min_bucket = 3, threads = 1
  )
  shapes <- tec_shapes(fit)
  expect_no_error(ggplot2::ggplot_build(ggplot2::autoplot(shapes, "wt")))
  expect_no_error(ggplot2::ggplot_build(ggplot2::autoplot(shapes, "gear")))
})

test_that("the overview has the strengths and the functions on one axis", {
  shapes <- shapes_to_draw()
  charts <- shape_overview(shapes, 4L, NULL, ink_on("white"))
  expect_length(charts, 1L + min(4L, length(shapes$terms)))
  strength <- charts[[1L]]$layers[[1L]]$data$xmax
  expect_equal(strength, vapply(shapes$terms, `[[`, 0, "strength")[seq_along(strength)])
  single <- Filter(function(chart) isTRUE(chart$shared), charts)
  expect_gt(length(single), 1L)
  ranges <- unique(lapply(single, function(chart) chart$y$range))
  expect_length(ranges, 1L)
  for (chart in single) {
    # Histograms stand on the shared axis, below the function.
    rows <- chart$layers[[1L]]$data
    expect_equal(unique(rows$ymin), ranges[[1L]][1L])
    expect_null(chart$keys)
  }
  # Numbers stand at the first chart of a row only.
  side <- without_repeats(single)
  expect_null(side[[1L]]$y$text)
  expect_true(all(!nzchar(side[[2L]]$y$text)))
  frames <- level_frames(list(
    list(bottom = 1, height = 4, origin = c(0, 0)), list(bottom = 2, height = 2.5, origin = c(0, 0))
  ))
  expect_identical(vapply(frames, `[[`, 0, "bottom"), c(2, 2))
  expect_identical(vapply(frames, `[[`, 0, "height"), c(2.5, 2.5))
})
