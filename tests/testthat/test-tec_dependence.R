test_that("partial dependence is the mean prediction with the predictor set", {
  set.seed(1)
  d <- forest_data(40)
  numbers <- forest_data(40, classes = FALSE)
  w <- sample(1:3, 40, TRUE)
  fits <- list(
    small_forest(y ~ ., d, weights = w), small_forest(y ~ ., numbers, weights = w),
    full_tree(y ~ ., d, weights = w), full_tree(y ~ ., numbers, weights = w)
  )
  for (k in seq_along(fits)) {
    fit <- fits[[k]]
    data <- if (k %% 2) d else numbers
    for (name in c("a", "d", "e", "f")) {
      found <- tec_dependence(fit, name, n = 5, individual = TRUE)
      own <- attr(found, "individual")
      for (i in seq_len(nrow(found))) {
        new <- data
        value <- found[[name]][i]
        if (name == "e") value <- as.logical(value)
        new[[name]] <- value
        said <- if (k %% 2) {
          predict(fit, new, type = "prob")[, as.character(found$class[i])]
        } else {
          predict(fit, new)
        }
        expect_equal(found$prediction[i], sum(w * said) / sum(w))
        mine <- own[[name]] == found[[name]][i]
        if (k %% 2) mine <- mine & own$class == found$class[i]
        expect_equal(own$prediction[mine], unname(said))
        expect_identical(own$row[mine], 1:40)
      }
    }
    values <- stats::quantile(data$a, seq(0, 1, length.out = 5), type = 1, names = FALSE)
    expect_identical(unique(tec_dependence(fit, "a", n = 5)$a), unique(values))
  }
})

test_that("the dependence of two is the mean prediction with both set, for each kind of model", {
  set.seed(6)
  gaps <- function(d) {
    for (name in c("a", "b", "d")) d[[name]][sample(40, 4)] <- NA
    d
  }
  d <- gaps(forest_data(40))
  numbers <- gaps(forest_data(40, classes = FALSE))
  whole <- forest_data(40, classes = FALSE)
  two <- transform(d, y = factor(y == "low"))
  w <- sample(1:3, 40, TRUE)
  cases <- list(
    list(full_tree(y ~ ., d, weights = w), d),
    list(full_tree(y ~ ., numbers, weights = w), numbers),
    list(small_forest(y ~ ., d, weights = w), d),
    list(small_forest(y ~ ., numbers, weights = w), numbers),
    list(tec_boost(y ~ ., d, weights = w, rounds = 4, folds = 0, min_bucket = 2), d),
    list(tec_boost(y ~ ., two, weights = w, rounds = 4, folds = 0, min_bucket = 2), two),
    list(tec_boost(y ~ ., numbers, weights = w, rounds = 4, folds = 0, min_bucket = 2), numbers),
    list(tec_boost(y ~ ., numbers, weights = w, rounds = 4, folds = 0, cyclic = TRUE), numbers),
    list(tec_boost(y ~ ., d, weights = w, rounds = 4, method = "adaboost"), d),
    list(tec_rotation(y ~ ., d, weights = w, trees = 3), d),
    list(tec_mars(y ~ ., whole, weights = w, degree = 2), whole)
  )
  for (case in cases) {
    fit <- case[[1L]]
    data <- case[[2L]]
    for (pair in list(c("a", "b"), c("d", "a"))) {
      found <- tec_dependence(fit, pair, n = 3)
      expect_s3_class(found, "tec_dependence")
      classes <- unique(as.character(found$class))
      expect_named(found, c(pair, if (length(classes)) "class", "prediction"))
      by_pair <- lapply(pair, function(name) length(unique(stats::na.omit(data[[name]]))))
      by_pair <- Map(function(name, n) if (name == "d") n else 3L, pair, by_pair)
      expect_identical(nrow(found), as.integer(prod(unlist(by_pair), max(length(classes), 1L))))
      expect_false(anyDuplicated(found[setdiff(names(found), "prediction")]) > 0L)
      for (i in seq_len(nrow(found))) {
        new <- data
        new[[pair[1L]]] <- found[[pair[1L]]][i]
        new[[pair[2L]]] <- found[[pair[2L]]][i]
        said <- if (length(classes)) {
          predict(fit, new, type = "prob")[, as.character(found$class[i])]
        } else {
          predict(fit, new)
        }
        expect_equal(found$prediction[i], sum(w * said) / sum(w))
      }
    }
  }
})

test_that("values of two are given as a list, and all combinations are there", {
  fit <- tec_tree(mpg ~ wt + hp + cyl, mtcars)
  found <- tec_dependence(fit, c("wt", "hp"), values = list(c(3, 2), c(100, 150, 200)))
  expect_identical(found$wt, rep(c(3, 2), each = 3))
  expect_identical(found$hp, rep(c(100, 150, 200), 2))
  by_name <- tec_dependence(fit, c("wt", "hp"), values = list(hp = c(100, 150, 200), wt = c(3, 2)))
  expect_identical(by_name, found)
  half <- tec_dependence(fit, c("wt", "hp"), values = list(3, NULL), n = 4)
  hp <- stats::quantile(mtcars$hp, 0:3 / 3, type = 1L, names = FALSE)
  expect_identical(as.data.frame(half[c("wt", "hp")]), data.frame(wt = 3, hp = hp))
  expect_output(print(found), "prediction")
})

test_that("two predictors are drawn as heat maps", {
  slow_test()
  set.seed(7)
  d <- forest_data(40)
  numbers <- forest_data(40, classes = FALSE)
  fits <- list(small_forest(y ~ ., d), small_forest(y ~ ., numbers))
  for (k in 1:2) {
    for (pair in list(c("a", "b"), c("d", "a"), c("f", "e"))) {
      found <- tec_dependence(fits[[k]], pair, n = 4)
      drawn_nowhere(expect_invisible(plot(found)))
      drawn_nowhere(plot(found, legend = FALSE, main = "Two", background = "black"))
      charts <- pair_maps(found, FALSE, NULL, ink_on("white"))
      expect_length(charts, if (k == 1L) 3L else 1L)
      # Each pair is a cell around its values, in the colour of its prediction.
      for (i in seq_along(charts)) {
        own <- if (k == 1L) found[as.integer(found$class) == i, ] else found
        cells <- charts[[i]]$layers[[1L]]$data
        cells <- cells[cells$colour != "transparent", ]
        expect_identical(nrow(cells), nrow(own))
        at <- vapply(seq_len(nrow(own)), function(r) {
          x <- axis_place(own[[1L]][r])
          y <- axis_place(own[[2L]][r])
          which(cells$xmin < x & x < cells$xmax & cells$ymin < y & y < cells$ymax)
        }, 0L)
        expect_setequal(at, seq_len(nrow(own)))
        same <- outer(own$prediction, own$prediction, "==")
        colour <- as.character(cells$colour[at])
        expect_true(all(outer(colour, colour, "==")[same]))
      }
      if (requireNamespace("ggplot2", quietly = TRUE)) {
        chart <- ggplot2::autoplot(found, palette = c("white", "black"))
        expect_s3_class(chart, "ggplot")
        drawn_nowhere(expect_silent(print(chart)))
        # A panel for each class, with the cells and colours of its map.
        cells <- ggplot2::ggplot_build(chart)$data[[1L]]
        expect_identical(nlevels(factor(cells$PANEL)), length(charts))
        charts <- pair_maps(found, FALSE, c("white", "black"), ink_on("white"))
        for (i in seq_along(charts)) {
          map <- charts[[i]]$layers[[1L]]$data
          expect_identical(cells$fill[cells$PANEL == i], map$colour)
          expect_identical(cells$xmin[cells$PANEL == i], map$xmin)
        }
      }
    }
  }
  two <- tec_tree(factor(am) ~ wt + hp, mtcars)
  expect_match(
    pair_maps(tec_dependence(two, c("wt", "hp")), FALSE, NULL, ink_on("white"))[[1L]]$caption,
    "mean probability of 1"
  )
  one <- tec_dependence(two, c("wt", "hp"), values = list(3, 100))
  drawn_nowhere(expect_invisible(plot(one)))
})

test_that("values and classes can be chosen, dates and calls are predictors", {
  set.seed(2)
  d <- data.frame(
    y = factor(rep(c("a", "b"), 20)), when = as.Date("2020-01-01") + sample(400, 40),
    size = stats::rexp(40) + 0.1
  )
  fit <- small_forest(y ~ when + log(size), d)
  found <- tec_dependence(fit, "when", values = as.Date(c("2020-02-01", "2020-12-01")))
  expect_identical(found$when, as.Date(c("2020-02-01", "2020-12-01")))
  expect_identical(as.character(found$class), c("b", "b"))
  expect_named(tec_dependence(fit, "log(size)", d[1:5, ]), c("log(size)", "class", "prediction"))
  both <- tec_dependence(fit, "when", class = c("a", "b"), n = 3)
  expect_equal(as.vector(tapply(both$prediction, format(both$when), sum)), rep(1, 3))
})

test_that("dependence is drawn, with and without the rows", {
  set.seed(3)
  d <- forest_data(30)
  fit <- small_forest(y ~ ., d)
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  for (name in c("a", "d")) {
    for (individual in c(FALSE, TRUE)) {
      found <- tec_dependence(fit, name, individual = individual, n = 4)
      expect_invisible(plot(found))
      expect_invisible(plot(found, centre = TRUE))
      chart <- individual_chart(found, TRUE, NULL, ink_on("white"))
      kinds <- vapply(chart$layers, `[[`, "", "kind")
      mean <- chart$layers[[max(which(kinds == "line"))]]
      at <- chart$layers[[length(kinds)]]$data
      # Levels without an order are dots, which no line joins.
      unordered <- name == "d"
      expect_identical(nrow(at) > 0, unordered)
      if (!unordered) expect_equal(mean$data$y[!duplicated(mean$data$group)], rep(0, 3))
      if (requireNamespace("ggplot2", quietly = TRUE)) {
        expect_s3_class(ggplot2::autoplot(found), "ggplot")
      }
    }
  }
})

test_that("a dependence plot is zoomed to its curve, above marks of the data", {
  set.seed(5)
  fit <- small_forest(Species ~ ., iris)
  chart <- individual_chart(tec_dependence(fit, "Petal.Width"), FALSE, NULL, ink_on("white"))
  found <- tec_dependence(fit, "Petal.Width")
  inside <- (found$prediction - chart$y$range[1L]) / diff(chart$y$range)
  expect_gt(min(inside), 0.02)
  expect_lt(min(inside), 0.1)
  expect_gt(max(inside), 0.9)
  rug <- chart$layers[[1L]]$data
  expect_true(all(rug$x %in% iris$Petal.Width))
  expect_equal(range(rug$x), range(iris$Petal.Width))
  expect_true(all(rug$yend < min(found$prediction)))
})

test_that("wrong requests are errors that help", {
  set.seed(4)
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  fit <- small_forest(Species ~ ., iris, trees = 2)
  expect_snapshot(show_errors({
    tec_dependence(fit, "Petal.With")
    tec_dependence(iris, "Petal.Width")
    tec_dependence(fit, "Petal.Width", values = "a")
    tec_dependence(fit, "Petal.Width", class = "rose")
    tec_dependence(fit, "Petal.Width", data = iris[1:2])
    plot.tec_dependence(data.frame(a = 1, class = 2, prediction = 3))
    tec_dependence(fit, names(iris)[1:3])
    tec_dependence(fit, c("Petal.Width", "Petal.Width"))
    tec_dependence(fit, c("Petal.Width", "Petal.With"))
    tec_dependence(fit, names(iris)[3:4], individual = TRUE)
    tec_dependence(fit, names(iris)[3:4], values = 1:2)
    tec_dependence(fit, names(iris)[3:4], values = list(1, 2), n = 3)
    plot(tec_dependence(fit, names(iris)[3:4], n = 2), centre = TRUE)
  }))
})

test_that("many values asked for are those of the column, and no values are an error", {
  fit <- tec_tree(Sepal.Length ~ ., iris)
  all <- tec_dependence(fit, "Petal.Width", iris, n = 1e9)
  expect_identical(all$Petal.Width, sort(unique(iris$Petal.Width)))
  expect_identical(all, tec_dependence(fit, "Petal.Width", iris, values = all$Petal.Width))
  expect_error(tec_dependence(fit, "Petal.Width", values = numeric()), class = "tec_error_argument")
})

test_that("a predictor that is called as a column of the table is an error", {
  d <- data.frame(prediction = 1:30, row = rep(1:5, 6), z = sqrt(1:30))
  fit <- tec_tree(z ~ ., d)
  for (name in c("prediction", "row")) {
    expect_error(tec_dependence(fit, name), name, class = "tec_error_argument")
  }
})

test_that("a message says that rows which are given have no weights", {
  w <- seq_len(150)
  fit <- tec_tree(Species ~ ., iris, weights = w)
  expect_message(
    given <- tec_dependence(fit, "Petal.Width", iris, class = "virginica"),
    class = "tec_message_weights"
  )
  expect_no_message(found <- tec_dependence(fit, "Petal.Width", class = "virginica"))
  expect_false(isTRUE(all.equal(given$prediction, found$prediction)))
  boosted <- tec_boost(mpg ~ wt + hp, mtcars, rounds = 3, folds = 0, weights = seq_len(32))
  expect_message(tec_shapes(boosted, mtcars), class = "tec_message_weights")
  expect_no_message(tec_shapes(tec_boost(mpg ~ wt + hp, mtcars, rounds = 3, folds = 0), mtcars))
})
