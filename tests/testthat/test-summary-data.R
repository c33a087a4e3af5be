half <- seq(1, 150, by = 2)

test_that("classes are evaluated on new rows", {
  fit <- tec_tree(Species ~ ., iris[half, ])
  new <- iris[-half, ]
  s <- summary(fit, new)
  guess <- predict(fit, new)
  expect_equal(unname(s$confusion), unname(unclass(table(new$Species, guess))), ignore_attr = TRUE)
  expect_identical(s$accuracy, mean(guess == new$Species))
  expect_identical(s$rows, nrow(new))
  expect_equal(s$classes$precision[2], mean(new$Species[guess == "versicolor"] == "versicolor"))
  expect_equal(s$classes$recall, unname(diag(s$confusion)) / c(25, 25, 25))
  expect_equal(summary(fit, iris[half, ])$confusion, summary(fit)$confusion)
})

test_that("numbers are evaluated on new rows", {
  for (criterion in c("l2", "l1")) {
    fit <- tec_tree(mpg ~ ., mtcars[1:20, ], criterion = criterion)
    new <- mtcars[21:32, ]
    s <- summary(fit, new)
    error <- new$mpg - predict(fit, new)
    expect_equal(s$rmse, sqrt(mean(error^2)))
    expect_equal(s$mae, mean(abs(error)))
    expect_equal(s$r_squared, 1 - sum(error^2) / sum((new$mpg - mean(new$mpg))^2))
  }
})

test_that("rows without a response do not count, losses are averaged", {
  cost <- matrix(c(0, 1, 10, 1, 0, 10, 1, 1, 0), 3)
  fit <- tec_tree(Species ~ ., iris[half, ], cost = cost)
  new <- iris[-half, ]
  truth <- new$Species
  new$Species[1:5] <- NA
  expect_message(s <- summary(fit, new), "5 rows", class = "tec_message_dropped")
  expect_identical(s$rows, 70L)
  guess <- predict(fit, new)[-(1:5)]
  expect_equal(s$loss, mean(cost[cbind(as.integer(truth[-(1:5)]), as.integer(guess))]))
  new$Species <- NA
  expect_error(suppressMessages(summary(fit, new)), class = "tec_error_data")
})

test_that("x and y need y", {
  fit <- tec_tree(iris[half, 1:4], iris$Species[half])
  expect_error(summary(fit, iris[-half, ]), class = "tec_error_newdata")
  expect_identical(summary(fit, iris[-half, ], iris$Species[-half])$rows, 75L)
})

test_that("evaluations print", {
  fit <- tec_tree(Species ~ ., iris[half, ])
  expect_snapshot({
    summary(fit, iris[-half, ])
    summary(tec_tree(mpg ~ ., mtcars[1:20, ]), mtcars[21:32, ])
    summary(tec_tree(Species ~ ., iris, max_depth = 1), iris)
  })
  for (width in c(20, 40)) {
    lines <- format(summary(fit, iris[-half, ]), width = width)
    expect_lte(max(nchar(lines, "width")), width)
  }
})
