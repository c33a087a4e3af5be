skip_if_not_installed("ggplot2")

test_that("on a small page fewer levels are drawn, and a message says so", {
  slow_test()
  fit <- tec_tree(class ~ ., balance_scale, max_leaves = 31)
  picture <- ggplot2::autoplot(fit)
  expect_silent(large <- page_words(picture, 7, 5))
  expect_identical(sum(startsWith(large$text, "n =")), n_leaves(fit))
  expect_message(
    small <- page_words(picture, 3.3, 3), "top [2-4] levels",
    class = "tec_message_plot"
  )
  expect_gte(min(small$points), 5)
  below <- grep("leaves$", small$text, value = TRUE)
  below <- as.numeric(sub("(.|\n)*:\\s(.*) leaves$", "\\2", below))
  ended <- sum(startsWith(small$text, "n =") & !grepl("leaves$", small$text))
  expect_identical(as.integer(sum(below)) + ended, n_leaves(fit))
  # The same part once more is not worth a word; the whole tree has nothing to tell.
  expect_silent(page_words(picture, 3.3, 3))
  expect_silent(again <- page_words(picture, 7, 5))
  expect_identical(again$text, large$text)
  # What was asked for stays.
  expect_silent(asked <- page_words(ggplot2::autoplot(fit, depth = Inf), 5, 4))
  expect_identical(sum(startsWith(asked$text, "n =")), n_leaves(fit))
  expect_silent(asked <- page_words(ggplot2::autoplot(fit, size = 1.5), 7, 5))
  expect_equal(unique(asked$points), 1.5 / 25.4 * 72.27)
})

test_that("pages of all sizes show a tree, with readable letters if any", {
  fit <- tec_tree(class ~ ., balance_scale, max_leaves = 31)
  for (size in in_turn(list(c(6.7, 6.7), c(12, 3), c(2.5, 9), c(4, 3)), 1)) {
    words <- suppressMessages(page_words(ggplot2::autoplot(fit), size[1], size[2]))
    expect_identical(overlaps(words), character())
    expect_gte(min(words$points), 5)
  }
  # Without room for anything.
  expect_no_error(suppressMessages(page_words(ggplot2::autoplot(fit), 0.6, 0.6)))
})
