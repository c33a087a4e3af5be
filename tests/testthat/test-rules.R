rules <- function(...) as.data.frame(tec_tree(..., min_bucket = 1))$rule

test_that("thresholds read as what they compare with", {
  d <- toy()
  d$day <- as.Date("2024-02-27") + 1:12
  d$time <- as.POSIXct("2024-02-27 10:00:00", tz = "UTC") + 60 * (1:12)
  d$wait <- as.difftime(1:12, units = "hours")
  expect_equal(rules(y ~ x, d), c("root", "x <= 8.5", "x > 8.5"))
  expect_equal(rules(y ~ day, d)[-1], c("day <= 2024-03-04", "day > 2024-03-04"))
  expect_equal(rules(y ~ time, d)[2], "time <= 2024-02-27 10:06:30")
  expect_equal(rules(y ~ wait, d)[2], "wait <= 6.5 hours")
})

test_that("levels read by their labels", {
  d <- toy()
  d$shade <- rep(c("dark", "pale", "light"), c(4, 2, 6))
  d$size <- factor(rep(c("s", "m", "l"), c(3, 3, 6)), levels = c("s", "m", "l"), ordered = TRUE)
  expect_equal(rules(y ~ shade, d), c("root", "shade in {dark, pale}", "shade = light"))
  expect_equal(rules(y ~ size, d), c("root", "size <= m", "size > m"))
  expect_equal(
    rules(y ~ shade, d, nominal = "multiway"),
    c("root", "shade = dark", "shade = light", "shade = pale")
  )
  expect_equal(rules(y ~ shade, d, nominal = "ordered")[2], "shade <= dark")
})

test_that("intervals name both ends", {
  d <- data.frame(x = 1:12, y = factor(rep(c("a", "b", "c"), each = 4)))
  expect_equal(
    rules(y ~ x, d, intervals = 3),
    c("root", "x <= 4.5", "x in (4.5, 8.5]", "x > 8.5")
  )
})

test_that("labels that could be misread are quoted, line breaks escaped", {
  plain <- c("a", "a, b", "", "say \"x\"")
  expect_equal(show_label(plain), c("a", "\"a, b\"", "\"\"", "\"say \\\"x\\\"\""))
  expect_equal(show_label("a\nb"), "a\\nb")
})

test_that("long sets are shortened to a width", {
  labels <- paste0("level", 1:20)
  expect_equal(set_text(labels, Inf), paste(labels, collapse = ", "))
  short <- set_text(labels, 30)
  expect_match(short, "^level1, level2, .*\\+\\d+$")
  expect_lte(nchar(short), 30)
  expect_equal(set_text(c("a", "b"), 30), "a, b")
  expect_equal(set_text(c(strrep("a", 90), "b"), 30), paste0(strrep("a", 90), ", +1"))
})

test_that("numbers are short and recognisable", {
  numbers <- c(0.1 + 0.2, 1e6, 1e-10, -Inf, 100000)
  expect_equal(number_text(numbers), c("0.3", "1000000", "1e-10", "-Inf", "100000"))
  expect_equal(number_text(c(1234567.5, 123456789.5)), c("1234567.5", "123456789.5"))
  expect_equal(number_text(numeric()), character())
})
