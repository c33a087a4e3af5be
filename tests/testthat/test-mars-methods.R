#' @srrstats {RE7.3} Coefficients, formula and number of rows of splines.
test_that("standard methods and tidy tables describe the fit", {
  fit <- tec_mars(mpg ~ ., mtcars)
  expect_identical(nobs(fit), 32L)
  expect_identical(variable.names(fit), names(mtcars)[-1L])
  expect_equal(formula(fit), mpg ~ cyl + disp + hp + drat + wt + qsec + vs + am + gear + carb,
    ignore_attr = TRUE
  )
  expect_identical(names(coef(fit))[1:2], c("(Intercept)", "max(0, disp - 145)"))
  table <- tidy(fit)
  expect_identical(table$term, names(coef(fit)))
  expect_identical(table$estimate, unname(coef(fit)))
  row <- glance(fit)
  expect_equal(row$r.squared, 1 - sum((mtcars$mpg - predict(fit, mtcars))^2) /
    sum((mtcars$mpg - mean(mtcars$mpg))^2))
  expect_equal(augment(fit)$.resid, mtcars$mpg - predict(fit, mtcars))
  classes <- suppressWarnings(tec_mars(Species ~ ., iris))
  expect_identical(nrow(tidy(classes)), 3L * length(classes$selected))
  wrong <- predict(classes, iris) != iris$Species
  expect_equal(augment(classes, newdata = iris)$.resid, wrong + 0)
  expect_equal(glance(classes)$deviance, sum(classes$logistic$deviance))
})

test_that("training rows are found only if they have not changed", {
  mine <- airquality
  fit <- suppressMessages(tec_mars(Ozone ~ Wind + Temp, mine))
  expect_identical(nrow(suppressMessages(augment(fit))), fit$n_rows)
  mine$Temp <- rev(mine$Temp)
  expect_error(augment(fit), class = "tec_error_data")
})

test_that("importance adds up the falls of the squared error", {
  fit <- tec_mars(mpg ~ ., mtcars, degree = 2)
  found <- importance(fit)
  expect_setequal(found$variable[found$importance > 0], variable.names(fit, used = TRUE))
  first <- found$importance[1L]
  size <- length(fit$selected)
  expect_lte(first, fit$sizes$rss[1L] - fit$sizes$rss[size] + 1e-9)
  expect_equal(sum(found$share), 1)
  expect_snapshot(print(found))
  set.seed(1)
  by_rows <- importance(fit, type = "permutation", data = mtcars)
  expect_true(all(by_rows$importance[!by_rows$variable %in% variable.names(fit, used = TRUE)] == 0))
})

test_that("an explanation adds up to the prediction", {
  fit <- tec_mars(mpg ~ ., mtcars, degree = 2)
  one <- explain(fit, mtcars[5, ])
  expect_equal(one$constant + sum(one$parts$part), one$link)
  expect_equal(sum(one$terms$part), unname(predict(fit, mtcars[5, ])))
  classes <- suppressWarnings(tec_mars(Species ~ ., iris))
  other <- explain(classes, iris[71, ], class = "setosa")
  expect_equal(other$link, predict(classes, iris[71, ], "link")[[1L]])
  expect_snapshot(explain(fit, mtcars[5, ]))
  expect_snapshot(show_errors({
    explain(fit, mtcars[1:2, ])
    explain(fit, transform(mtcars[1, ], hp = NA, wt = NA, disp = NA))
    explain(classes, iris[71, ], class = "none")
  }))
})
