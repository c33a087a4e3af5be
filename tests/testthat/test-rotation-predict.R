test_that("prediction does not depend on the rows beside, nor on threads", {
  set.seed(1)
  d <- rotation_data(1500)
  fit <- tec_rotation(class ~ . - number, d, trees = 8, threads = 2)
  whole <- predict(fit, d, type = "prob", threads = 2)
  expect_identical(predict(fit, d, type = "prob", threads = 1), whole)
  expect_identical(
    do.call(rbind, lapply(1:30, function(i) predict(fit, d[i, ], type = "prob"))), whole[1:30, ]
  )
  expect_identical(predict(fit, d), predict(fit, d, type = "class"))
  expect_identical(
    as.integer(predict(fit, d)), unname(apply(whole, 1L, which.max))
  )
  expect_equal(rowSums(whole), rep(1, nrow(d)))
  expect_identical(dim(predict(fit, d[0, ], type = "prob")), c(0L, 3L))
  numbers <- tec_rotation(number ~ . - class, d, trees = 3)
  expect_identical(predict(numbers, d[5, ]), predict(numbers, d)[5])
})

#' @srrstats {ML7.2} Imputed values are compared with those computed here.
test_that("missing values and new levels are filled in", {
  set.seed(2)
  d <- rotation_data(80)
  fit <- tec_rotation(class ~ . - number, d, trees = 5)
  new <- filled <- d[1:6, ]
  new$a[1:3] <- NA
  new$f[2:4] <- NA
  new$o[3:5] <- NA
  filled$a[1:3] <- stats::median(d$a)
  filled$f[2:4] <- names(which.max(table(d$f)))
  expect_true(stats::median(as.integer(d$o)) %in% 1:4)
  filled$o[3:5] <- as.character(stats::median(as.integer(d$o)))
  expect_identical(predict(fit, new, type = "prob"), predict(fit, filled, type = "prob"))
  other <- new
  other$f <- factor(c(as.character(d$f[1]), rep("new", 5)))
  other$f[5:6] <- filled$f[5:6] <- NA
  filled$f <- d$f[1:6]
  filled$f[2:6] <- names(which.max(table(d$f)))
  expect_warning(found <- predict(fit, other, type = "prob"), class = "tec_warning_unseen")
  expect_identical(found, predict(fit, filled, type = "prob"))
})

test_that("errors of prediction say what to do", {
  set.seed(3)
  fit <- tec_rotation(Species ~ ., iris, trees = 2)
  numbers <- tec_rotation(mpg ~ ., mtcars, trees = 2)
  expect_snapshot_output(show_errors({
    predict(fit)
    predict(fit, iris[1:3])
    predict(fit, iris$Sepal.Width)
    predict(fit, iris, type = "votes")
    predict(fit, iris, probs = TRUE)
    predict(numbers, mtcars, type = "prob")
    predict(fit, transform(iris, Sepal.Width = "a"))
    tec_components(fit, tree = 3)
    tec_components(fit, tree = "one")
    tec_components(iris)
  }))
})

test_that("a damaged fit is an error, never a crash", {
  slow_test()
  set.seed(4)
  fit <- tec_rotation(Species ~ ., iris, trees = 3)
  damage <- function(...) {
    changed <- fit
    for (path in list(...)) changed[[path[[1]]]] <- path[[2]]
    expect_error(predict(changed, iris), class = "tec_error")
    expect_error(print(changed), class = "tec_error")
  }
  damage(list("trees", NULL))
  damage(list("rotation", NULL))
  damage(list("rotation", 1))
  damage(list("inputs", fit$inputs[1:2, ]))
  damage(list("inputs", replace(fit$inputs, "scale", list(NA_real_))))
  damage(list("inputs", replace(fit$inputs, "column", 9L)))
  damage(list("seeds", 1))
  damage(list(c("rotation", "group_size"), 0L))
  damage(list(c("rotation", "group_size"), 9L))
  damage(list(c("rotation", "order"), fit$rotation$order + 1L))
  damage(list(c("rotation", "order"), fit$rotation$order[, 1:2]))
  damage(list(c("rotation", "axes"), fit$rotation$axes[1:3, ]))
  damage(list("columns", fit$columns[1:2]))
  # What only the core sees.
  wrong <- function(part, value) {
    changed <- fit
    changed$trees[[part]] <- value
    expect_error(predict(changed, iris), class = "tec_error")
    expect_error(predict(changed, iris[1:2, ]), class = "tec_error")
  }
  wrong("variable", fit$trees$variable * 9L)
  wrong("right", fit$trees$right + 1000L)
  wrong("start", c(0L, 1e6L, 2e6L, 3e6L))
  wrong("cut", 1)
  wrong("shares", NULL)
  for (i in case_seeds(20)) at_seed(i, {
    changed <- fit
    part <- sample(c("variable", "right", "start"), 1)
    at <- sample(length(changed$trees[[part]]), 1)
    changed$trees[[part]][at] <- sample(c(-1e6L, -3L:9L, 1e6L, NA), 1)
    out <- tryCatch(predict(changed, iris), error = identity)
    expect_true(is.factor(out) || inherits(out, "tec_error"))
  })
})
