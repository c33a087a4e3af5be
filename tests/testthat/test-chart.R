# Pictures of several kinds, among them one of 14 classes.
some_pictures <- function() {
  set.seed(7)
  d <- data.frame(x = rnorm(600), y = rnorm(600), day = as.Date("2026-01-01") + 0:599)
  d$many <- cut(d$x + rnorm(600) / 3, 14, paste("class of number", 1:14))
  d$f <- factor(sample(month.name, 600, TRUE))
  many <- full_tree(many ~ x + y + f, d)
  days <- full_tree(x ~ day + f, d, min_bucket = 2)
  leaf <- full_tree(Species ~ ., iris, max_depth = 0)
  list(
    roc = tec_picture(many, "roc", data = d),
    calibration = tec_picture(many, "calibration", data = d),
    dependence = tec_picture(many, "dependence", data = d),
    levels = tec_picture(many, "dependence", data = d, predictors = "f"),
    surface = tec_picture(many, "surface", data = d, predictors = c("x", "y")),
    months = tec_picture(many, "surface", data = d, predictors = c("f", "x")),
    days = tec_picture(days, "surface", data = d, predictors = c("day", "f")),
    numbers = tec_picture(days, "calibration", data = d),
    leaf = tec_picture(leaf, "surface", data = iris),
    flat = tec_picture(leaf, "dependence", data = iris)
  )
}

test_that("panels and texts keep to pages of all sizes, and settings come back", {
  pictures <- some_pictures()
  for (page in list(c(3.3, 3), c(7, 5), c(12, 8))) {
    grDevices::pdf(NULL, width = page[1], height = page[2])
    before <- graphics::par(no.readonly = TRUE)
    for (name in names(pictures)) {
      expect_identical(expect_invisible(plot(pictures[[name]])), pictures[[name]])
      same <- c("mar", "cex", "mex", "bg", "lheight", "xpd")
      expect_identical(graphics::par(no.readonly = TRUE)[same], before[same])
      chart <- picture_chart(pictures[[name]], NULL, ink_on("white"))
      graphics::par(cex = page_scale())
      frame <- chart_frame(chart, list(width = page[1] - 0.3, height = page[2] - 1.1))
      expect_gte(frame$width, 0.45 * page[1])
      expect_gte(frame$height, 0.25 * page[2])
      expect_lte(frame$left + frame$width, page[1])
      expect_lte(max(inches(strsplit(frame$caption, "\n")[[1]], 0.8), 0), page[1])
      # Marks do not meet.
      wide <- inches(frame$marks$x$text, 0.8)
      if (!frame$upright) expect_lte(sum(wide), frame$width)
      graphics::par(cex = 1)
    }
    grDevices::dev.off()
  }
})

test_that("both drawers take the same data", {
  skip_if_not_installed("ggplot2")
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  for (picture in some_of(some_pictures(), 4)) {
    chart <- picture_chart(picture, NULL, ink_on("white"))
    drawn <- ggplot2::autoplot(picture)
    expect_silent(print(drawn))
    built <- ggplot2::ggplot_build(drawn)$data
    shown <- Filter(function(layer) nrow(layer$data) > 0, chart$layers)
    for (i in seq_along(shown)) {
      layer <- shown[[i]]$data
      places <- c("x", "y", "xmin", "xmax", "ymin", "ymax", "xend", "yend")
      for (column in intersect(places, names(layer))) {
        expect_equal(sort(as.numeric(built[[i]][[column]])), sort(as.numeric(layer[[column]])))
      }
      expect_setequal(built[[i]]$fill, layer$colour)
    }
  }
})

test_that("a class has one colour in all pictures", {
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  fit <- tec_tree(Species ~ ., iris)
  ink <- ink_on("white")
  chart <- function(type, ...) {
    picture_chart(tec_picture(fit, type, data = iris, ...), NULL, ink)
  }
  for (type in c("roc", "calibration", "dependence", "surface")) {
    expect_identical(chart(type)$keys$colours, class_colours(3))
  }
  some <- chart("roc", class = c("virginica", "setosa"))
  expect_identical(some$keys$colours, class_colours(3)[c(1, 3)])
  expect_match(some$keys$text[2], "^[01]\\.[0-9]+ virginica$")
  roc <- tec_picture(fit, "roc", data = iris)
  expect_error(plot(roc, palette = "red"), class = "tec_error_argument")
})

test_that("dark pages have light ink, and light ones dark", {
  expect_true(is_dark("#1B1B1B") && is_dark("navy"))
  expect_false(is_dark("white") || is_dark("transparent") || is_dark("grey80"))
  light <- function(colour) colMeans(grDevices::col2rgb(colour))
  for (ground in c("white", "transparent", "#1B1B1B", "black")) {
    ink <- ink_on(ground)
    expect_gt(abs(light(ink$text) - light(ink$ground)), 180)
    expect_gt(abs(light(ink$line) - light(ink$ground)), 80)
  }
  skip_if_not_installed("ggplot2")
  fit <- tec_tree(Species ~ ., iris)
  for (type in c("tree", "surface")) {
    dark <- ggplot2::autoplot(fit, type = type, background = "black")
    expect_identical(dark$theme$plot.background$fill, "black")
    expect_identical(dark$theme$legend.text$colour, ink_on("black")$text)
  }
  withr::defer(ggplot2::theme_set(old))
  night <- ggplot2::theme(plot.background = ggplot2::element_rect(fill = "#101010"))
  old <- ggplot2::theme_set(ggplot2::theme_grey() + night)
  expect_identical(ggplot2::autoplot(fit)$theme$plot.background$fill, "#101010")
})

test_that("other pictures are reached through plot() and autoplot()", {
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  fit <- tec_tree(Species ~ ., iris)
  for (type in picture_types) {
    data <- if (type %in% c("calibration", "roc")) iris
    expect_identical(expect_invisible(plot(fit, type = type, data = data, main = "x")), fit)
    skip_if_not_installed("ggplot2")
    expect_s3_class(ggplot2::autoplot(fit, type = type, data = data), "ggplot")
  }
  expect_s3_class(ggplot2::autoplot(cp_table(fit), upper = "none"), "ggplot")
})

test_that("the legend of 14 ROC curves has the areas and short names", {
  skip_if_not_installed("ggplot2")
  keys <- function(roc) ggplot2::autoplot(roc)$scales$get_scales("fill")$labels
  long <- some_pictures()$roc
  expect_identical(substr(keys(long), 1, 5), sprintf("%.3f", attr(long, "auc")$auc))
  d <- data.frame(x = 1:280, y = factor(rep(c(month.name, "first", "second"), each = 20)))
  roc <- tec_picture(tec_tree(y ~ x, d), "roc", data = d)
  expect_identical(keys(roc), sprintf("%.3f %s", attr(roc, "auc")$auc, levels(d$y)))
})

test_that("charts are as they were looked at", {
  skip_if_not_installed("vdiffr")
  fit <- full_tree(Species ~ ., iris)
  new <- iris[seq(2, 150, 4), ]
  half <- full_tree(Species ~ ., iris[seq(1, 150, 2), ], max_depth = 2)
  draw <- function(title, plot) vdiffr::expect_doppelganger(title, plot)
  draw("surface", function() plot(fit, type = "surface", data = iris))
  draw("roc on dark", function() plot(half, type = "roc", data = new, background = "#1B1B1B"))
  draw("strips and a path", function() {
    plot(fit, strips = TRUE, path = iris[77, ], data = iris, show = c("node", "count"))
  })
  skip_if_not_installed("ggplot2")
  skip_unless_ggplot2_draws_so()
  draw("gg calibration", ggplot2::autoplot(half, type = "calibration", data = new))
  draw(
    "gg tree with a path",
    ggplot2::autoplot(fit, path = iris[77, ], show = c("node", "prediction"))
  )
})

test_that("titles, labels, limits, colours and lines are checked before anything is drawn", {
  file <- withr::local_tempfile()
  withr::local_pdf(file)
  fit <- tec_tree(Species ~ ., iris)
  forest <- with_seed(1, tec_forest(Species ~ ., iris, trees = 3, threads = 1))
  penalties <- cp_table(fit)
  refused <- function(call) expect_error(call, class = "tec_error_argument")
  refused(plot(forest, main = 3))
  refused(plot(forest, main = quote(x)))
  refused(plot(forest, xlim = c(1, 1)))
  refused(plot(forest, ylab = 1:2))
  refused(plot(fit, legend = "yes"))
  refused(plot(fit, palette = list("red", "blue", "green")))
  refused(plot(fit, show = mean))
  refused(plot(fit, type = c(1, 2)))
  refused(plot(importance(fit), col = NA))
  refused(plot(importance(fit), col = 1e300))
  refused(plot(penalties, min_line = list()))
  # With this number R itself crashes.
  refused(plot(penalties, lty = 1e300))
  refused(plot_impurity(scale = NULL))
  refused(plot(tec_shapes(tec_boost(mpg ~ ., mtcars,
    rounds = 2, folds = 0, max_depth = 1
  ), mtcars), mean))
  plot(penalties, lty = "dashed", col = 2)
  skip_if_not_installed("ggplot2")
  refused(autoplot.tec_tree(fit, size = "large"))
})

test_that("names of several words are folded if all then fit side by side", {
  letters <- function(text) vapply(strsplit(text, "\n"), function(l) max(nchar(l)), 0)
  expect_identical(
    fold_marks(c("all paid here", "none"), c(0, 8.2), letters), c("all paid\nhere", "none")
  )
  expect_identical(fold_marks(c("unemployed", "none"), c(0, 3), letters), c("unemployed", "none"))
  expect_identical(fold_marks(c("a b", "c"), c(0, 9), letters), c("a b", "c"))
})
