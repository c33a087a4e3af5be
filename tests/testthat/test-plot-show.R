view_of <- function(fit, ...) tree_view(fit, Inf, NULL, tree_looks(fit, ...))

test_that("nodes say what was asked for", {
  fit <- tec_tree(Species ~ ., iris)
  table <- as.data.frame(fit)
  view <- view_of(fit, show = c("node", "prediction", "share", "count", "percent"))
  leaf <- view$leaf
  answer <- paste(table$yval, apply(predicted_texts(fit), 1, max))
  expect_identical(view$title[leaf], paste0(table$node, ") ", answer)[leaf])
  expect_identical(view$title, paste0(table$node, ") ", answer))
  size <- paste0("n = ", table$n, ", ", round(100 * table$n / 150), "%")
  expect_identical(view$extra, size)
  # Where the node names its variable, the rest stands below.
  view <- view_of(
    fit, show = c("node", "prediction", "share", "count", "percent"), branches = "value"
  )
  expect_identical(view$title[!leaf], paste0(table$node, ") ", table$variable)[!leaf])
  expect_identical(view$extra[!leaf], paste0(answer, "\n", size)[!leaf])
  all <- view_of(fit, show = "shares")$extra
  expect_identical(all, apply(predicted_texts(fit), 1, paste, collapse = " "))
  # Different ones, and what is drawn by default.
  view <- view_of(fit, show = list(leaf = "percent", inner = "node"))
  expect_identical(view$title[leaf], rep("", sum(leaf)))
  expect_identical(view$title[!leaf], paste0(table$node, ")")[!leaf])
  expect_identical(unique(view$extra[!leaf]), "")
  view <- view_of(fit)
  expect_identical(view$title, answer)
  expect_identical(view$extra, ifelse(leaf, paste("n =", table$n), ""))
  view <- view_of(tec_tree(mpg ~ ., mtcars))
  expect_identical(view$title, sprintf("%.2f", tec_tree(mpg ~ ., mtcars)$tree$yval))
})

test_that("a number written is the one that other functions take", {
  fit <- tec_tree(class ~ ., balance_scale, max_leaves = 12)
  view <- tree_view(fit, 2, NULL, tree_looks(fit, show = c("node", "count")))
  number <- as.integer(sub("\\).*", "", view$title))
  for (i in seq_along(number)) {
    branch <- fit[[number[i]]]
    expect_equal(branch$tree$n[1], view$n[i])
    expect_identical(tree_view(fit, Inf, number[i])$node[1], number[i])
  }
  closed <- view$hidden > 0
  expect_gt(sum(closed), 0)
  expect_identical(closed_texts(view)[closed], paste(view$below[closed], "leaves below"))
})

test_that("shares of less than a percent are not none", {
  shares <- c(1, 0.335, 0.01, 0.0042, 0.00001)
  expect_identical(percent_text(shares), c("100", "34", "1", "0.4", "0.001"))
})

test_that("trees that say more are readable on pages of all sizes", {
  slow_test()
  skip_on_cran()
  set.seed(3)
  d <- as.data.frame(matrix(stats::rnorm(6000), 1000))
  names(d) <- c("age", "income", "left_distance", "x4", "x5", "x6")
  d$many <- cut(d$age + stats::rnorm(1000) / 2, 14, paste0("class", 1:14))
  d$z <- d$age * 2 + stats::rnorm(1000)
  say <- list(
    leaf = c("node", "prediction", "count", "percent"), inner = c("node", "prediction", "count")
  )
  for (leaves in c(1, 12, 60, 400)) {
    grow <- function(f) {
      tec_tree(f, d, max_leaves = leaves, min_bucket = 1, max_depth = if (leaves > 1) Inf else 0)
    }
    for (fit in list(grow(many ~ . - z), grow(z ~ . - many))) {
      numbers <- fit$response$task == "regression"
      kind <- if (numbers) "histogram" else "columns"
      for (page in list(c(3.3, 3), c(7, 5), c(12, 8))) {
        expect_readable(
          fit, width = page[1], height = page[2], show = say, leaves = kind, data = if (numbers) d
        )
        expect_apart(expect_readable(
          fit, width = page[1], height = page[2], strips = TRUE, by_rows = TRUE, path = d[7, ],
          data = d
        ))
      }
    }
  }
})

test_that("60 leaves are drawn whole on 7 x 5 inches", {
  set.seed(2)
  d <- as.data.frame(matrix(stats::rnorm(6000), 1000))
  d$y <- factor(c("low", "middle", "high")[1 + (d$V1 + rnorm(1000) > 0) + (d$V4 * d$V5 > 0.5)])
  fit <- full_tree(y ~ ., d, max_leaves = 60, min_bucket = 1)
  words <- expect_readable(fit, width = 7, height = 5)
  view <- attr(words, "layout")$view
  expect_identical(sum(view$leaf & view$hidden == 0), 60L)
})

test_that("what cannot be written is refused", {
  fit <- tec_tree(mpg ~ ., mtcars)
  expect_snapshot(show_errors({
    plot(fit, show = "share")
    plot(fit, show = "number")
    plot(fit, show = list("node"))
    plot(fit, leaves = "stack")
    plot(fit, strips = NA)
    plot(fit, background = "no colour")
  }))
})

test_that("a tree of one class is drawn in every style", {
  d <- transform(iris, Species = factor("a"))
  fit <- suppressWarnings(tec_tree(Species ~ ., d))
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  for (style in plot_styles) expect_no_error(plot(fit, style = style))
  expect_no_error(plot(tec_shap(fit, d[1:2, ]), type = "waterfall"))
})

test_that("rows with case weights show their weight", {
  d <- as.data.frame(Titanic)
  fit <- suppressMessages(tec_tree(Survived ~ Class + Sex + Age, d, weights = d$Freq))
  view <- view_of(fit, show = c("count", "percent"))
  weight <- fit$tree$weight
  expect_true(all(startsWith(view$extra, "weight = ")))
  shown <- as.numeric(sub("weight = ([0-9.]+),.*", "\\1", view$extra))
  expect_equal(shown, weight, tolerance = 0.01)
  expect_match(view$extra[2L], paste0(round(100 * weight[2L] / weight[1L]), "%"), fixed = TRUE)
  # Frequency weights are rows.
  often <- tec_tree(Survived ~ Class + Sex + Age, d, weights = d$Freq, weights_as = "frequency")
  expect_match(view_of(often, show = "count")$extra[1L], "n = 2,201", fixed = TRUE)
})

test_that("numbers of a plot have one format", {
  expect_identical(plot_numbers(c(706.7, 14420.4, -15103.44)), c("707", "14,420", "-15,103"))
  expect_identical(plot_numbers(c(13.414, 20, 30.07)), c("13.41", "20.00", "30.07"))
  expect_identical(plot_numbers(c(3, 24951)), c("3", "24,951"))
  expect_identical(plot_numbers(c(0, 1000, 9000)), c("0", "1000", "9000"))
  # None hides a difference.
  expect_identical(plot_numbers(c(0.0012, 1000)), c("0.0012", "1000"))
  expect_identical(plot_numbers(c(NA, 1e300)), number_text(c(NA, 1e300), 4L))
  expect_identical(plot_numbers(numeric()), character())
})

test_that("very small and very large numbers have a power of ten", {
  expect_identical(plot_numbers(c(1e-13, 2e-13)), c("1e-13", "2e-13"))
  expect_identical(tick_text(c(0, 1e8, 2e8)), c("0", "1e+08", "2e+08"))
  expect_identical(tick_text(c(0, 20000)), c("0", "20,000"))
})
