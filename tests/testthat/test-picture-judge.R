halves <- function() {
  set.seed(4)
  train <- sample(nrow(iris), 75)
  list(fit = tec_tree(Species ~ ., iris[train, ], max_depth = 2), new = iris[-train, ])
}

test_that("ROC curves and areas are pROC's", {
  skip_if_not_installed("pROC")
  case <- halves()
  set.seed(5)
  d <- data.frame(x = rnorm(400), z = sample(c("a", "b", NA), 400, TRUE))
  d$y <- factor(ifelse(d$x + rnorm(400) > 0, "yes", "no"))
  two <- tec_tree(y ~ x + z, d[1:200, ], missing = "fractional", min_bucket = 5)
  for (one in list(list(case$fit, case$new), list(two, d[201:400, ]))) {
    fit <- one[[1]]
    new <- one[[2]]
    truth <- new[[fit$response$name]]
    picture <- tec_picture(fit, "roc", data = new)
    auc <- attr(picture, "auc")
    prob <- predict(fit, new, type = "prob")
    for (class in as.character(auc$class)) {
      theirs <- pROC::roc(
        truth == class, round(prob[, class], 12),
        levels = c(FALSE, TRUE), direction = "<", quiet = TRUE
      )
      ours <- picture[picture$class == class, ]
      expect_equal(auc$auc[auc$class == class], as.numeric(theirs$auc))
      expect_equal(rev(ours$true_positive), theirs$sensitivities)
      expect_equal(rev(ours$false_positive), 1 - theirs$specificities)
    }
  }
  expect_identical(as.character(auc$class), "yes")
})

test_that("curves are counts of rows above each threshold", {
  case <- halves()
  picture <- tec_picture(case$fit, "roc", data = case$new, class = "virginica")
  p <- predict(case$fit, case$new, type = "prob")[, "virginica"]
  yes <- case$new$Species == "virginica"
  for (i in seq_len(nrow(picture))) {
    called <- round(p, 12) >= picture$threshold[i]
    expect_equal(picture$true_positive[i], mean(called[yes]))
    expect_equal(picture$false_positive[i], mean(called[!yes]))
  }
})

test_that("calibration is the share in each bin, with Wilson's interval", {
  case <- halves()
  new <- case$new
  new$Species[3] <- NA
  picture <- tec_picture(case$fit, "calibration", data = new, bins = 5)
  prob <- predict(case$fit, new, type = "prob")
  known <- !is.na(new$Species)
  for (class in levels(iris$Species)) {
    p <- prob[known, class]
    yes <- new$Species[known] == class
    bin <- cut(p, seq(0, 1, 0.2), include.lowest = TRUE)
    ours <- picture[picture$class == class, ]
    by_bin <- function(x, f) as.vector(tapply(x, droplevels(bin), f))
    expect_equal(ours$predicted, by_bin(p, mean))
    expect_equal(ours$observed, by_bin(yes, mean))
    expect_equal(ours$rows, by_bin(yes, length))
    for (i in seq_len(nrow(ours))) {
      ends <- suppressWarnings(
        prop.test(ours$observed[i] * ours$rows[i], ours$rows[i], correct = FALSE)$conf.int
      )
      expect_equal(c(ours$low[i], ours$high[i]), as.vector(ends))
    }
  }
})

test_that("calibration of numbers is the mean in each bin", {
  fit <- tec_tree(mpg ~ ., mtcars[1:20, ], min_bucket = 2)
  picture <- tec_picture(fit, "calibration", data = mtcars, bins = 4)
  p <- predict(fit, mtcars)
  bin <- droplevels(cut(p, seq(min(p), max(p), length.out = 5), include.lowest = TRUE))
  expect_equal(picture$observed, as.vector(tapply(mtcars$mpg, bin, mean)))
  expect_equal(picture$predicted, as.vector(tapply(p, bin, mean)))
  se <- as.vector(tapply(mtcars$mpg, bin, function(y) sd(y) / sqrt(length(y))))
  expect_equal(picture$high - picture$observed, qnorm(0.975) * se)
})

test_that("rows that cannot be evaluated are refused", {
  case <- halves()
  fit <- case$fit
  new <- case$new
  cars <- tec_tree(mpg ~ ., mtcars)
  expect_snapshot(show_errors({
    tec_picture(fit, "roc")
    tec_picture(fit, "roc", data = new[new$Species == "setosa", ])
    tec_picture(fit, "roc", data = transform(new, Species = NA))
    tec_picture(cars, "roc", data = mtcars)
    tec_picture(fit, "calibration", data = new, bins = 0)
    tec_picture(fit, "calibration", data = new, class = "rose")
    tec_picture(fit, "roc", data = new, bins = 3)
    tec_picture(new, "roc")
    tec_picture(fit, "tree")
  }))
})
