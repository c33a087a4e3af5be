# A split may gain nothing, or less, where min_gain says so; and a column whose best split gains
# nothing counts in the mean that decides eligibility.

xor_data <- function(k, times = 2) {
  grid <- rep(list(c("a", "b")), k)
  names(grid) <- paste0("x", seq_len(k))
  data <- expand.grid(grid, stringsAsFactors = TRUE)
  data$y <- factor(rowSums(data == "b") %% 2 == 1)
  data[rep(seq_len(nrow(data)), times), ]
}

accuracy <- function(fit, data, truth) mean(predict(fit, data) == truth)

test_that("ID3 learns the exclusive or of 2, 3 and 4 columns", {
  for (k in 2:4) {
    data <- xor_data(k)
    fit <- tec_tree(y ~ ., data, preset = "id3")
    expect_equal(n_leaves(fit), 2^k)
    expect_identical(accuracy(fit, data, data$y), 1)
    # Numbers and two groups of levels learn it too, where any gain will do.
    codes <- data.frame(lapply(data[seq_len(k)], as.integer), y = data$y)
    for (d in list(data, codes)) {
      for (criterion in c("gini", "shannon", "gain_ratio", "tsallis_ratio", "beta")) {
        fit <- tec_tree(y ~ ., d, criterion = criterion, min_bucket = 1, min_gain = -Inf)
        expect_identical(accuracy(fit, d, d$y), 1)
      }
    }
    regression <- transform(codes, y = as.numeric(y))
    for (criterion in c("l2", "l1")) {
      fit <- tec_tree(y ~ ., regression, criterion = criterion, min_bucket = 1, min_gain = -Inf)
      expect_equal(unname(predict(fit, regression)), regression$y)
    }
  }
  expect_identical(n_leaves(tec_tree(y ~ ., xor_data(2), min_bucket = 1)), 1L)
})

test_that("ID3 learns monks1", {
  monks <- read_shared(skip_without_shared_data(), "monks1")
  monks[] <- lapply(monks, factor)
  fit <- tec_tree(class ~ ., monks, preset = "id3")
  expect_identical(accuracy(fit, monks, monks$class), 1)
  threshold <- tec_tree(class ~ ., monks, preset = "id3", min_gain = 0)
  expect_lt(accuracy(threshold, monks, monks$class), 0.8)
})

test_that("a split needs more than any number given", {
  # At this q the gain of every split is negative.
  d <- data.frame(x = c(1, 1, 2, 2), y = c("a", "b", "a", "b"))
  at <- function(min_gain) {
    suppressWarnings(n_nodes(tec_tree(y ~ x, d, q = -1, min_bucket = 1, min_gain = min_gain)))
  }
  gain <- suppressWarnings(
    tec_scores(y ~ x, d, q = -1, min_bucket = 1, min_gain = -Inf)$gain
  )
  expect_lte(gain, 0)
  expect_identical(at(0), 1L)
  expect_identical(at(gain - 0.01), 3L)
  expect_identical(at(gain + 0.01), 1L)
  expect_identical(at(-Inf), 3L)
})

test_that("columns without a gain lower the mean that the others must reach", {
  y <- rep(c("n", "y"), each = 8)
  # How many of each class have the value "u".
  column <- function(n) ifelse(c(1:8, 1:8) <= rep(n, each = 8), "u", "v")
  data <- data.frame(
    most = column(c(7, 1)), some = column(c(6, 2)), none1 = column(c(4, 4)),
    none2 = column(c(2, 2)), y
  )
  scores <- function(data) tec_scores(y ~ ., data, criterion = "gain_ratio", min_bucket = 1)
  eligible <- function(data) {
    found <- scores(data)
    stats::setNames(found$eligible, found$variable)[c("most", "some")]
  }
  gain <- with(scores(data), stats::setNames(gain, variable))
  expect_equal(gain[["none1"]], 0)
  expect_equal(gain[["none2"]], 0)
  expect_lt(gain[["some"]], mean(gain[c("most", "some")]))
  expect_gt(gain[["some"]], mean(gain))
  expect_identical(eligible(data[c("most", "some", "y")]), c(most = TRUE, some = FALSE))
  expect_identical(eligible(data), c(most = TRUE, some = TRUE))
})
