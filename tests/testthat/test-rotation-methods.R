test_that("standard generics work", {
  set.seed(1)
  fit <- tec_rotation(Species ~ ., iris, trees = 4)
  expect_identical(nobs(fit), 150L)
  expect_equal(formula(fit), Species ~ Sepal.Length + Sepal.Width + Petal.Length + Petal.Width)
  expect_identical(variable.names(fit), names(iris)[1:4])
  glance <- as.data.frame(glance(fit))
  expect_identical(glance$trees, 4L)
  expect_identical(glance$columns, 4L)
  expect_equal(glance$leaves, sum(fit$trees$variable == 0L) / 4)
  expect_identical(as.data.frame(tidy(fit)), {
    all <- tec_components(fit, 1:4)
    class(all) <- "data.frame"
    all
  })
  rows <- as.data.frame(augment(fit))
  expect_identical(rows$.fitted, predict(fit, iris))
  expect_identical(rows$.resid, as.double(rows$.fitted != iris$Species))
  expect_equal(
    as.matrix(rows[paste0(".prob_", levels(iris$Species))]), predict(fit, iris, type = "prob"),
    ignore_attr = TRUE
  )
  other <- as.data.frame(augment(fit, newdata = iris[1:3, 1:4]))
  expect_identical(names(other)[5:8], c(".fitted", paste0(".prob_", levels(iris$Species))))
  more <- update(fit, trees = 6)
  expect_identical(length(more$seeds), 6L)
})

test_that("numbers have residuals", {
  fit <- tec_rotation(mpg ~ ., mtcars, trees = 3)
  rows <- as.data.frame(augment(fit, mtcars))
  expect_equal(rows$.resid, mtcars$mpg - predict(fit, mtcars))
})

test_that("its picture shows the importance, and missing exports are errors", {
  fit <- tec_rotation(Species ~ ., iris, trees = 3)
  withr::local_pdf(NULL)
  expect_silent(plot(fit))
  expect_error(tec_json(fit), "saveRDS", class = "tec_error_argument")
  expect_error(tec_sql(fit), "saveRDS", class = "tec_error_argument")
})
