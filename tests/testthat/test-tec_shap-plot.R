shap_of_air <- function() {
  air <- airquality
  air$Month <- factor(air$Month)
  fit <- tec_tree(Ozone ~ ., air, missing = "majority", prune = "none", max_depth = 6)
  tec_shap(fit, air)
}

shap_of_iris <- function() {
  tec_shap(tec_tree(Species ~ ., iris, prune = "none", smooth = 0), iris)
}

test_that("all plots are drawn on pages of all sizes", {
  air <- shap_of_air()
  flowers <- shap_of_iris()
  grDevices::pdf(NULL, width = 7, height = 5)
  withr::defer(grDevices::dev.off())
  for (type in c("beeswarm", "waterfall", "dependence", "importance")) {
    for (x in list(air, flowers, tec_shap(tec_tree(mpg ~ ., mtcars, max_depth = 0), mtcars))) {
      expect_identical(plot(x, type = type), x)
    }
  }
  expect_identical(plot(air, type = "dependence", predictor = "Month", colour_by = "Wind"), air)
  expect_identical(plot(air, type = "dependence", predictor = 1, colour_by = "Month"), air)
  expect_identical(plot(flowers, class = "versicolor", background = "black"), flowers)
})

test_that("the waterfall goes from the baseline to the prediction", {
  x <- shap_of_iris()
  bars <- waterfall_bars(x, one_output(x, "virginica", 1L), 120L, 12L)
  expect_identical(bars$from[1L], x$baseline[["virginica"]])
  expect_equal(bars$to[nrow(bars)], x$baseline[["virginica"]] + sum(x$values[120, , "virginica"]))
  expect_identical(bars$to[-nrow(bars)], bars$from[-1L])
  # The largest is on top, the smallest are one bar at the bottom.
  air <- shap_of_air()
  all <- waterfall_bars(air, one_output(air, NULL, 1L), 30L, 12L)
  two <- waterfall_bars(air, one_output(air, NULL, 1L), 30L, 2L)
  expect_identical(two$text[2L], all$text[nrow(all)])
  expect_identical(two$text[1L], "4 others")
  expect_equal(two$to[2L], all$to[nrow(all)])
  expect_false(is.unsorted(abs(all$to - all$from)))
  # The class with the largest probability is drawn.
  expect_identical(likeliest_class(x, 120L), which.max(colSums(x$values[120, , ]) + x$baseline))
  chart <- shap_chart(x, "waterfall", list(row = 120L, most = 12L), ink_on("white"))
  expect_match(chart$title, "Row 120: probability of virginica")
  # The dashed lines stand clear of the numbers beside the bars.
  dashed <- chart$layers[[1L]]$data
  numbers <- Filter(function(layer) layer$kind == "text", chart$layers)[[1L]]$data
  for (i in seq_len(nrow(dashed))) {
    expect_true(all(dashed$yend[i] < numbers$y - 0.3 | dashed$y[i] > numbers$y + 0.3))
  }
})

test_that("points of the beeswarm are the values, the largest mean size on top", {
  x <- shap_of_air()
  chart <- shap_chart(x, NULL, list(most = 2L), ink_on("white"))
  points <- chart$layers[[2L]]$data
  sizes <- sort(colMeans(abs(x$values)), decreasing = TRUE)
  expect_identical(chart$y$text, names(sizes)[1:2])
  expect_identical(points$x, unname(c(x$values[, names(sizes)[1:2]])))
  expect_true(all(abs(points$y - rep(c(-1, -2), each = 153)) <= 0.41))
  # Points of one place lie beside each other.
  expect_identical(anyDuplicated(points[c("x", "y")]), 0L)
})

test_that("colours go from low to high, and are grey without an order", {
  colours <- data_colour(c(5, NA, 1, 9))
  expect_identical(colours, c("#B9A3B8", no_order_colour, data_colours[1L], data_colours[3L]))
  expect_identical(unique(data_colour(factor(c("a", "b", "c")))), no_order_colour)
  # In the beeswarm, their levels have colours of their own, which the keys name.
  swarm <- swarm_colours(factor(c("a", "b", "a", NA)), "x")
  expect_identical(swarm$points[1L], swarm$points[3L])
  expect_identical(anyDuplicated(swarm$points[c(1L, 2L, 4L)]), 0L)
  expect_identical(swarm$keys$text, c("x: a", "x: b", "missing or other"))
  many <- swarm_colours(rep(letters, 26:1), "x")
  expect_identical(many$keys$text, c(paste("x:", letters[1:8]), "missing or other"))
  keys <- swarm_keys(list(swarm, list(keys = data_keys(data_colours, "missing")), swarm))
  expect_identical(keys$text, c("low", "high", swarm$keys$text))
  expect_identical(data_colour(ordered(1:3)), data_colours)
  expect_identical(data_colour(c(FALSE, TRUE)), data_colours[c(1L, 3L)])
})

test_that("dependence draws the values against the data", {
  x <- shap_of_air()
  chart <- shap_chart(x, "dependence", list(predictor = "Solar.R"), ink_on("white"))
  points <- chart$layers[[2L]]$data
  known <- !is.na(airquality$Solar.R)
  expect_identical(points$x, as.numeric(airquality$Solar.R[known]))
  expect_identical(points$y, unname(x$values[known, "Solar.R"]))
  expect_match(chart$caption, "7 rows with a missing value")
  levels <- shap_chart(x, "dependence", list(predictor = "Month"), ink_on("white"))
  expect_identical(levels$x$text, as.character(5:9))
})

test_that("importance stacks the classes", {
  x <- shap_of_iris()
  bars <- shap_chart(x, "importance", list(most = 12L), ink_on("white"))$layers[[1L]]$data
  means <- apply(abs(x$values), 2:3, mean)
  means <- means[order(-rowSums(means)), ]
  means <- means[rowSums(means) > 0, ]
  expect_equal(bars$xmax - bars$xmin, c(means), ignore_attr = TRUE)
  one <- shap_chart(x, "importance", list(most = 1L, class = "setosa"), ink_on("white"))
  expect_equal(one$layers[[1L]]$data$xmax, max(colMeans(abs(x$values[, , "setosa"]))))
})

test_that("the ggplot has the same points", {
  skip_if_not_installed("ggplot2")
  x <- shap_of_air()
  chart <- shap_chart(x, "beeswarm", list(most = 12L), ink_on("white"))
  built <- ggplot2::ggplot_build(ggplot2::autoplot(x))
  expect_equal(built$data[[2L]]$x, chart$layers[[2L]]$data$x)
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  for (type in c("waterfall", "dependence", "importance")) {
    expect_silent(print(ggplot2::autoplot(x, type = type)))
    if (type == "waterfall") {
      grid::grid.force()
      words <- grid::grid.get("text", grep = TRUE, global = TRUE)
      amounts <- Filter(function(grob) any(grepl("^ +[+-]", grob$label)), words)
      expect_length(amounts, 1L)
      # They begin where their bars end.
      expect_identical(unique(amounts[[1L]]$hjust), 0)
    }
  }
})

test_that("values that cannot be drawn are refused", {
  x <- shap_of_iris()
  one <- tec_shap(tec_tree(Species ~ ., iris), iris, class = "setosa")
  air <- shap_of_air()
  expect_snapshot(show_errors({
    plot(x, type = "bee")
    plot(x, type = "waterfall", row = 151)
    plot(x, type = "dependence", predictor = "Petal")
    plot(x, type = "dependence", colour_by = "no")
    plot(x, class = "no")
    plot(one, class = "virginica")
    plot(air, class = "setosa")
    plot(x, kind = "bee")
    plot(tec_shap(tec_tree(mpg ~ ., mtcars), mtcars[0, ]))
  }))
})
