test_that("the curve shows training, validation and folds", {
  set.seed(1)
  ink <- ink_on("white")
  d <- boost_data(150)
  fits <- list(
    tec_boost(number ~ a + b, d, rounds = 8, folds = 0),
    tec_boost(two ~ a + b, d, rounds = 8, validation = 0.3),
    tec_boost(three ~ a + b, d, rounds = 8, folds = 3),
    tec_boost(three ~ a + b, d, method = "adaboost", rounds = 8)
  )
  shown <- list("training", c("training", "validation"), c("training", "folds"), "training")
  withr::local_pdf(NULL)
  for (i in seq_along(fits)) {
    chart <- curve_chart(fits[[i]], ink)
    lines <- Filter(function(layer) layer$kind == "line", chart$layers)[[1]]$data
    expect_setequal(unique(lines$group), shown[[i]])
    # A point marks the rounds of the model on the curve that chose them.
    point <- Filter(function(layer) layer$kind == "point", chart$layers)[[1]]$data
    expect_identical(as.integer(point$x), as.integer(fits[[i]]$rounds))
    judged <- lines[lines$group == shown[[i]][length(shown[[i]])], ]
    expect_identical(point$y, judged$y[judged$x == fits[[i]]$rounds])
    expect_match(chart$caption, count_text(fits[[i]]$rounds, "round"), fixed = TRUE)
    expect_identical(plot(fits[[i]]), fits[[i]])
  }
  skip_if_not_installed("ggplot2")
  expect_no_error(ggplot2::ggplot_build(ggplot2::autoplot(fits[[3]])))
})

test_that("importance is the share of the loss removed by splits", {
  set.seed(2)
  d <- data.frame(matrix(rnorm(1500), 300))
  d$y <- 3 * d$X2 + d$X4 + rnorm(300) / 10
  fit <- tec_boost(y ~ ., d, rounds = 30, folds = 0)
  table <- importance(fit)
  expect_identical(table$variable[1:2], c("X2", "X4"))
  expect_equal(sum(table$share), 1)
  expect_equal(table$importance, unname(fit$gain[table$variable]))
  # A single split takes off what the gain says: twice the loss, without shrinkage and penalty.
  one <- tec_boost(y ~ X2, d, rounds = 1, folds = 0, rate = 1, max_depth = 1, lambda = 0)
  less <- 300 * (var(d$y) * 299 / 300 - one$curve$training)
  expect_equal(one$gain[["X2"]], less, tolerance = 1e-7)
})

test_that("all kinds of models have importance by gain and by permutation, with plots", {
  set.seed(3)
  fits <- list(
    classes = tec_boost(Species ~ ., iris, rounds = 3, folds = 0, threads = 1),
    numbers = tec_boost(Sepal.Width ~ ., iris, rounds = 3, folds = 0, threads = 1),
    adaboost = tec_boost(Species ~ ., iris, rounds = 3, method = "adaboost", threads = 1),
    rotation = tec_rotation(Species ~ ., iris, trees = 3, threads = 1)
  )
  grDevices::pdf(withr::local_tempfile(fileext = ".pdf"))
  on.exit(grDevices::dev.off())
  for (name in names(fits)) {
    fit <- fits[[name]]
    own <- importance(fit)
    expect_s3_class(own, "tec_importance")
    expect_equal(sum(own$share), 1)
    shuffled <- importance(fit, type = "permutation", data = iris, repeats = 2)
    expect_named(shuffled, c("variable", "importance", "se"))
    expect_gt(shuffled$importance[1], 0)
    expect_no_error(plot(own))
    expect_no_error(plot(shuffled))
    expect_error(importance(fit, type = "cover"), class = "tec_error_argument")
    expect_error(importance(fit, type = "permutation"), class = "tec_error_data")
    expect_error(predict(fit, iris, type = "odds"), class = "tec_error_argument")
  }
  expect_identical(attr(importance(fits$adaboost), "type"), "splits")
  skip_if_not_installed("ggplot2")
  expect_no_error(ggplot2::ggplot_build(ggplot2::autoplot(importance(fits$classes))))
  # Without folds there is no band.
  expect_no_error(ggplot2::ggplot_build(ggplot2::autoplot(fits$numbers)))
})
