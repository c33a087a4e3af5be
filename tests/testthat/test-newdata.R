test_that("newdata of the wrong shape or type is a classed error", {
  d <- toy()
  d$day <- as.Date("2024-01-01") + 1:12
  by_x <- toy_tree()
  by_day <- tec_tree(y ~ day, d, min_bucket = 1)
  by_colour <- tec_tree(y ~ colour, d, min_bucket = 1)
  expect_snapshot(show_errors({
    predict(by_x, NULL)
    predict(by_x, 3)
    predict(by_x, d["colour"])
    predict(by_x, data.frame(X = 1))
    predict(by_x, data.frame(x = "1"))
    predict(by_x, data.frame(x = factor(1)))
    predict(by_x, data.frame(x = TRUE))
    predict(by_x, data.frame(x = I(list(1))))
    predict(by_x, data.frame(x = as.Date("2024-01-01")))
    predict(by_day, data.frame(day = 3))
    predict(by_colour, data.frame(colour = 3))
  }))
  expect_error(predict(by_x, NULL), class = "tec_error_newdata")
  expect_error(predict(by_x, d["colour"]), class = "tec_error_newdata")
  expect_error(predict(by_x, data.frame(x = "1")), class = "tec_error_newdata")
})

test_that("all missing columns are named, and only others are suggested", {
  fit <- tec_tree(Species ~ ., iris)
  renamed <- stats::setNames(iris, c("Sepal.Length", "Sepal.Width", "Petal.length", "width", "y"))
  expect_snapshot(show_errors({
    predict(fit, iris[, 1:2])
    predict(fit, renamed)
    predict(fit, iris[, 1:3])
  }))
})

test_that("a missing column of a call is named", {
  fit <- tec_tree(y ~ log(x), toy(), min_bucket = 1)
  x <- 1
  expect_error(predict(fit, toy()["y"]), "Missing column: x", class = "tec_error_newdata")
})

test_that("levels match by label, whatever the type of the column", {
  d <- toy()
  d$flag <- rep(c(FALSE, TRUE), each = 6)
  d$shade <- rep(c("dark", "light"), each = 6)
  fit <- tec_tree(y ~ shade, d, min_bucket = 1)
  expect_equal(predict(fit, data.frame(shade = factor(c("light", "dark")))), factor(c("yes", "no")))
  dark <- factor("dark", levels = c("x", "light", "dark"))
  expect_equal(predict(fit, data.frame(shade = dark)), d$y[1])
  by_flag <- tec_tree(y ~ flag, d, min_bucket = 1)
  expect_equal(predict(by_flag, data.frame(flag = c("TRUE", "FALSE"))), factor(c("yes", "no")))
  expect_equal(predict(by_flag, data.frame(flag = factor(TRUE))), d$y[12])
  expect_length(predict(by_flag, data.frame(flag = NA)), 1)
})

test_that("columns with only NA are missing values", {
  expect_length(predict(toy_tree(), data.frame(x = c(NA, NA))), 2)
  expect_length(predict(tec_tree(y ~ colour, toy()), data.frame(colour = NA_real_)), 1)
})

test_that("unseen levels are missing, with one warning", {
  d <- toy()
  d$shade <- rep(c("dark", "light"), each = 6)
  fit <- tec_tree(y ~ shade, d, min_bucket = 1)
  new <- data.frame(shade = c("pink", "light", "grey", NA))
  expect_snapshot(got <- predict(fit, new))
  expect_length(got, 4)
  expect_equal(as.character(got[2]), "yes")
  expect_warning(predict(fit, new), class = "tec_warning_unseen")
  expect_warning(predict(fit, data.frame(shade = letters)), "\\(26 levels\\)")
  expect_silent(predict(fit, data.frame(shade = factor("dark", levels = c("dark", "pink")))))
})

test_that("time differences are converted to the training unit", {
  d <- data.frame(y = toy()$y, x = as.difftime(1:12, units = "hours"))
  fit <- tec_tree(y ~ x, d, min_bucket = 1)
  minutes <- d
  units(minutes$x) <- "mins"
  expect_equal(predict(fit, minutes), d$y)
})

test_that("a label that only rows without a response have is missing, without a warning", {
  d <- data.frame(
    y = c(NA, rep(c("a", "b"), 20)), v = c("rare", rep(c("p", "q"), 20)), stringsAsFactors = FALSE
  )
  fit <- suppressMessages(tec_tree(y ~ v, d))
  expect_no_warning(predict(fit, d))
  expect_warning(predict(fit, data.frame(v = "new")), class = "tec_warning_unseen")
  expect_null(tec_tree(y ~ v, d[-1, ])$columns$unused)
})

test_that("a vector or a matrix without names says what to give", {
  fit <- full_tree(Species ~ ., iris)
  rows <- as.matrix(iris[1:3, 1:4])
  expect_identical(predict(fit, rows[1, , drop = FALSE]), predict(fit, iris[1, ]))
  expect_snapshot(show_errors({
    predict(fit, rows[1, ])
    predict(fit, unname(rows))
    predict(fit, NULL[1])
  }))
})

test_that("levels that differ in case or spaces only are named", {
  fit <- tec_tree(PlayTennis ~ ., play_tennis, preset = "id3")
  row <- data.frame(Outlook = "Sunny", Humidity = "high ", Wind = "weak")
  expect_warning(
    predict(fit, row), 'Case and spaces count: "Sunny" is not "sunny"',
    fixed = TRUE, class = "tec_warning_unseen"
  )
  row <- data.frame(Outlook = factor("sunny"), Humidity = factor("high "), Wind = "weak")
  expect_warning(predict(fit, row), '"high " is not "high"', fixed = TRUE)
  row$Humidity <- "moist"
  message <- tryCatch(predict(fit, row), warning = conditionMessage)
  expect_match(message, "moist")
  expect_no_match(message, "Case and spaces")
  strict <- tec_tree(PlayTennis ~ ., play_tennis, preset = "id3", unseen = "error")
  row$Outlook <- "SUNNY"
  expect_error(predict(strict, row), '"SUNNY" is not "sunny"', fixed = TRUE)
})

test_that("new data without columns say which are missing, of every model", {
  fits <- list(
    tec_tree(Species ~ ., iris), tec_forest(Species ~ ., iris, trees = 3, progress = FALSE),
    tec_boost(Species ~ ., iris, rounds = 3, folds = 0, progress = FALSE),
    tec_rotation(Species ~ ., iris, trees = 3), tec_mars(Sepal.Length ~ ., iris)
  )
  for (fit in fits) {
    for (new in list(data.frame(), iris[0], matrix(0, 0, 0), matrix(0, 3, 0))) {
      expect_error(predict(fit, new), "lacks columns.*Petal.Width", class = "tec_error_newdata")
    }
    expect_no_warning(none <- predict(fit, iris[0, ]))
    expect_length(none, 0)
  }
})

test_that("no part of a fit is read by partial matching", {
  withr::local_options(warnPartialMatchDollar = TRUE)
  fit <- tec_forest(Species ~ ., iris, trees = 3, progress = FALSE)
  expect_no_warning({
    tec_shap(fit, iris[1:2, ])
    tec_sql(fit, table = "rows")
    predict(fit, iris)
  })
})
