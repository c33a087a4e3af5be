same_tree <- function(a, b) expect_identical(a$tree, b$tree)

test_that("update grows the tree of the changed call", {
  fit <- tec_tree(Species ~ ., iris, q = 1.5)
  same_tree(update(fit, data = iris), fit)
  same_tree(update(fit, data = iris, q = 2), tec_tree(Species ~ ., iris, q = 2))
  same_tree(
    update(fit, data = iris, min_bucket = 1), tec_tree(Species ~ ., iris, q = 1.5, min_bucket = 1)
  )
  same_tree(
    update(fit, . ~ . - Petal.Length, data = iris),
    tec_tree(Species ~ . - Petal.Length, iris, q = 1.5)
  )
  same_tree(update(fit, data = iris, preset = "cart"), tec_tree(Species ~ ., iris, preset = "cart"))
  same_tree(
    update(fit, data = iris, criterion = "gain_ratio"),
    tec_tree(Species ~ ., iris, criterion = "gain_ratio")
  )
  ratio <- tec_tree(Species ~ ., iris, criterion = "tsallis_ratio", q = 3)
  same_tree(
    update(ratio, data = iris, q = 0.5),
    tec_tree(Species ~ ., iris, criterion = "tsallis_ratio", q = 0.5)
  )
})

test_that("settings of the first call stay, by any of their names", {
  fit <- tec_tree(fruit ~ ., fruit, minbucket = 30, nominal = "multiway", max_depth = 3)
  same_tree(
    update(fit, data = fruit, minbucket = 10),
    tec_tree(fruit ~ ., fruit, min_bucket = 10, nominal = "multiway", max_depth = 3)
  )
  whole <- tec_tree(fruit ~ ., fruit, control = tec_control(min_bucket = 30))
  same_tree(update(whole, data = fruit), whole)
  same_tree(update(whole, data = fruit, control = tec_control()), tec_tree(fruit ~ ., fruit))
})

test_that("a response of another kind gets its own criterion", {
  fit <- tec_tree(mpg ~ ., mtcars)
  same_tree(
    update(fit, factor(cyl) ~ . - cyl, data = mtcars),
    tec_tree(factor(cyl) ~ disp + hp + drat + wt + qsec + vs + am + gear + carb, mtcars)
  )
})

test_that("weights must be given again, and are found where update is called", {
  w <- rep(1:2, 75)
  fit <- tec_tree(Species ~ ., iris, weights = w)
  grown <- local({
    mine <- rep(1:2, 75)
    update(fit, data = iris, weights = mine)
  })
  same_tree(grown, fit)
  same_tree(update(fit, data = iris, weights = NULL), tec_tree(Species ~ ., iris))
  part <- tec_tree(Species ~ ., iris, subset = Sepal.Length > 5)
  same_tree(update(part, data = iris, subset = Sepal.Length > 5), part)
  expect_snapshot(show_errors({
    update(fit, data = iris)
    update(part, data = iris)
    update(fit, "y ~ x", data = iris, weights = NULL)
  }))
})

test_that("an updated tree can be updated, and has its call", {
  fit <- update(tec_tree(Species ~ ., iris), data = iris, q = 2)
  expect_identical(fit$call$data, quote(iris))
  same_tree(update(fit, data = iris), tec_tree(Species ~ ., iris, q = 2))
})
