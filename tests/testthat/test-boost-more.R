test_that("adding rounds gives the model that is grown at once", {
  set.seed(1)
  d <- boost_data(120)
  d$start <- d$a
  d$start[is.na(d$start)] <- 0
  w <- runif(120)
  for (y in c("number", "two", "three")) {
    f <- reformulate(c("a", "b", "f", "o"), y)
    grow <- function(rounds) {
      set.seed(2)
      tec_boost(f, d,
        rounds = rounds, folds = 0, weights = w, sample_fraction = 0.7, column_fraction = 0.5
      )
    }
    all <- grow(9)
    part <- grow(4)
    more <- tec_more(part, 5)
    expect_identical(more$trees, all$trees)
    expect_identical(more$curve, all$curve)
    expect_equal(more$gain, all$gain)
    expect_identical(predict(more, d), predict(all, d))
  }
  set.seed(3)
  all <- tec_boost(number ~ a + b, d, rounds = 6, folds = 0, offset = start)
  set.seed(3)
  part <- tec_boost(number ~ a + b, d, rounds = 2, folds = 0, offset = start)
  expect_identical(tec_more(part, 4)$trees, all$trees)
})

test_that("bad input has errors that say what to do", {
  fit <- tec_boost(mpg ~ wt + hp, mtcars, rounds = 2, folds = 0)
  held <- tec_boost(mpg ~ wt + hp, mtcars, rounds = 2, validation = 0.2)
  turns <- tec_boost(mpg ~ wt + hp, mtcars, rounds = 2, folds = 0, cyclic = TRUE)
  ada <- tec_boost(Species ~ ., iris, method = "adaboost", rounds = 2)
  expect_snapshot_output(show_errors({
    tec_more(fit, 0)
    tec_more(fit, 3, data = mtcars[-1, ])
    tec_more(held, 2)
    tec_more(turns, 2)
    tec_more(ada, 2)
  }))
})
