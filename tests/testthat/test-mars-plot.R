test_that("the functions drawn are those of the terms", {
  d <- transform(mtcars, cyl = factor(cyl))
  fit <- tec_mars(mpg ~ cyl + hp + wt, d, degree = 2, prune = "none", terms = 11)
  drawn <- drawn_nowhere(plot(fit))
  names <- names(tectree:::mars_functions(fit))
  expect_identical(names(drawn), names)
  for (name in names) {
    own <- drawn[[name]]
    rows <- d[rep(1, nrow(own)), ]
    rows[names(own)[-length(own)]] <- own[-length(own)]
    expect_equal(own$value, unname(predict(fit, rows, "terms")[, name]), tolerance = 1e-8)
  }
})

test_that("pictures are drawn for all kinds of fits", {
  classes <- suppressWarnings(tec_mars(Species ~ ., iris, degree = 2))
  two <- tec_mars(factor(am) ~ hp + factor(cyl), mtcars)
  expect_named(drawn_nowhere(plot(classes, "Petal.Length"))[[1L]], c(
    "Petal.Length", "setosa", "versicolor", "virginica"
  ))
  drawn_nowhere(plot(classes, class = "setosa", background = "black"))
  drawn_nowhere(plot(two, legend = FALSE, main = "Two"))
  none <- tec_mars(mpg ~ carb, mtcars, thresh = 0.9)
  expect_snapshot(show_errors({
    plot(none)
    plot(two, 7)
    plot(two, "hpp")
    plot(classes, class = "rose")
    mars_picked(list(a = 1), 1, FALSE)
  }))
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::autoplot(classes), "ggplot")
  expect_silent(drawn_nowhere(print(ggplot2::autoplot(two, 1))))
})

test_that("pictures stay as they are", {
  skip_if_not_installed("vdiffr")
  skip_on_cran()
  d <- transform(mtcars, cyl = factor(cyl))
  fit <- tec_mars(mpg ~ cyl + hp + wt, d, degree = 2, prune = "none", terms = 11)
  vdiffr::expect_doppelganger("functions of splines", function() plot(fit))
})
