seeded_boost <- function(...) withr::with_seed(1, tec_boost(...))

test_that("rounds are chosen by folds, and settings that are not given follow the rule", {
  set.seed(1)
  d <- boost_data(150)
  fit <- seeded_boost(number ~ a + b + f, d, rounds = 200)
  expect_identical(fit$settings$folds, 5L)
  expect_identical(fit$rounds, which.min(fit$curve$folds))
  expect_identical(
    fit$settings[c("rate", "draws", "drawn_columns", "min_bucket", "patience")],
    list(rate = 0.1, draws = 90, drawn_columns = 2, min_bucket = 3, patience = 20L)
  )
  # The call that says all this is the same.
  same <- seeded_boost(number ~ a + b + f, d,
    rounds = 200, folds = 5, rate = 0.1, sample_fraction = 0.6, column_fraction = 0.6,
    min_bucket = 3, max_depth = 4, patience = 20
  )
  expect_identical(same$trees, fit$trees)
  expect_identical(same$curve, fit$curve)
  # An argument wins.
  own <- tec_boost(number ~ a + b + f, d, rate = 0.3, min_bucket = 7, sample_fraction = 1)
  expect_identical(
    own$settings[c("rate", "min_bucket", "draws")], list(rate = 0.3, min_bucket = 7, draws = 0)
  )
})

test_that("folds = 0 and validation = 0 grow all rounds, with the plain settings", {
  set.seed(1)
  d <- boost_data(100)
  plain <- tec_boost(number ~ a + b, d, rounds = 7, folds = 0)
  full <- tec_boost(number ~ a + b, d,
    rounds = 7, validation = 0, rate = 0.1, max_depth = 4, sample_fraction = 1,
    column_fraction = 1, min_bucket = 10
  )
  expect_identical(plain$rounds, 7L)
  expect_identical(full$trees, plain$trees)
  expect_identical(names(plain$curve), c("round", "training"))
  expect_identical(tec_boost(number ~ a, d, folds = 0)$rounds, 200L)
  expect_error(
    tec_boost(number ~ a, d, folds = 0, patience = 5), class = "tec_error_validation"
  )
  # One of them turns itself off, not the other.
  expect_identical(
    tec_boost(number ~ a, d, rounds = 5, folds = 3, validation = 0)$settings$folds, 3L
  )
  expect_identical(
    tec_boost(number ~ a, d, rounds = 5, folds = 0, validation = 0.2)$settings$held_out, 20L
  )
})

test_that("the rule depends on rows, predictors and rounds", {
  plan <- function(...) utils::modifyList(list(method = "gradient", cyclic = FALSE), list(...))
  none <- list(folds = NULL, validation = NULL)
  expect_identical(choice_of_rounds(plan(), none, 9), none)
  expect_identical(choice_of_rounds(plan(), none, 10)$folds, 5L)
  expect_identical(choice_of_rounds(plan(), none, 20000)$folds, 5L)
  expect_identical(choice_of_rounds(plan(), none, 20001)$validation, 0.1)
  expect_identical(choice_of_rounds(plan(), none, 1e6)$validation, 0.02)
  expect_identical(choice_of_rounds(plan(cyclic = TRUE), none, 6000)$validation, 0.1)
  expect_identical(choice_of_rounds(plan(method = "adaboost"), none, 100), none)
  settings <- function(..., n = 100, p = 5) settings_by_rule(plan(...), TRUE, n, p)
  rate <- function(...) settings(...)$rate
  expect_identical(rate(), 0.05)
  expect_identical(rate(rounds = 250L), 20 / 250)
  expect_identical(rate(rounds = 10L), 0.1)
  expect_identical(settings(p = 1L)$column_fraction, 1)
  expect_identical(settings(rate = 0.02)$patience, 100L)
  expect_null(settings(rate = 0.02)$rate)
  expect_identical(settings(n = 20000)$sample_fraction, 0.6)
  expect_identical(settings(n = 20001)$sample_fraction, 1)
  expect_identical(settings_by_rule(plan(), TRUE, 20001, 5, 50L)$sample_fraction, 1)
  expect_identical(settings_by_rule(plan(), TRUE, 20001, 5, 51L)$sample_fraction, 0.6)
  expect_identical(settings(n = 5000, cyclic = TRUE)$sample_fraction, 0.7)
  ada <- settings(method = "adaboost")
  expect_identical(ada[c("rate", "rounds")], list(rate = 1, rounds = 100L))
})

test_that("many rows are held out to choose the rounds, and print() says so", {
  set.seed(1)
  n <- 20100
  d <- data.frame(a = runif(n), b = runif(n))
  d$y <- d$a + rnorm(n)
  fit <- tec_boost(y ~ ., d, rounds = 10)
  expect_identical(fit$settings$held_out, 2010L)
  expect_match(format(fit)[2], "by 2,010 held-out rows", fixed = TRUE)
})

test_that("a chosen number of rounds does not depend on threads", {
  set.seed(2)
  d <- boost_data(400)
  for (y in c("number", "two", "three")) {
    f <- reformulate(c("a", "b", "f", "o"), y)
    one <- seeded_boost(f, d, rounds = 60, threads = 1)
    two <- seeded_boost(f, d, rounds = 60, threads = 2)
    expect_identical(one$trees, two$trees)
    expect_identical(one$curve, two$curve)
  }
})

test_that("the run ends when the mean over folds has not fallen for a while", {
  set.seed(3)
  d <- boost_data(120)
  fit <- tec_boost(number ~ a + b, d, rate = 0.5, rounds = 400, patience = 7)
  expect_identical(nrow(fit$curve), fit$rounds + 7L)
  expect_lt(nrow(fit$curve), 400)
})

test_that("small and odd data give a sensible model", {
  set.seed(4)
  n <- 60
  d <- data.frame(
    y = rnorm(n), k = factor(rep(c("a", "b", "c"), c(30, 29, 1))), a = rnorm(n), b = rnorm(n),
    id = factor(seq_len(n)), number = seq_len(n)
  )
  sound <- function(fit, data = d) {
    out <- if (is.null(fit$response$levels)) predict(fit, data) else
      predict(fit, data, type = "prob")
    expect_true(all(is.finite(out)))
    expect_true(all(is.finite(fit$curve$folds)))
  }
  sound(tec_boost(mpg ~ ., mtcars[1:12, ]), mtcars)
  sound(tec_boost(Species ~ ., iris[c(1:4, 51:54, 101:104), ]), iris)
  # Two rows are too few to choose.
  sound(tec_boost(mpg ~ ., mtcars[1:2, ]), mtcars)
  expect_null(tec_boost(mpg ~ ., mtcars[1:9, ])$settings$folds)
  # A class with one row
  sound(tec_boost(k ~ a + b, d))
  # Only identifiers: the model stays near the mean.
  ids <- suppressWarnings(seeded_boost(y ~ id + number, d))
  sound(ids)
  expect_lt(ids$rounds, 200)
  # A constant response, and values that are all missing or constant
  expect_equal(predict(suppressMessages(tec_boost(rep(2, n) ~ a, d)), d), rep(2, n))
  holes <- transform(d, a = ifelse(number %% 2 == 0, NA, a), c = NA_real_, e = 1)
  sound(tec_boost(y ~ a + b + c + e, holes), holes)
  # Weights of 0, in some folds for all rows
  w <- c(rep(0, n - 8), rep(1, 8))
  sound(tec_boost(y ~ a + b, d, weights = w))
  sound(tec_boost(k ~ a + b, d, weights = rep(c(1, 0), n / 2)))
  expect_error(
    tec_boost(factor(rep("x", n)) ~ a, d), class = "tec_error_response"
  )
  expect_error(tec_boost(y ~ a, d, folds = 61), class = "tec_error_control")
  expect_error(tec_boost(y ~ a, d, folds = 1), class = "tec_error")
})

test_that("offsets, directions, bags and turns go with a chosen number of rounds", {
  set.seed(5)
  d <- boost_data(120, missing = FALSE)
  d$start <- 2 * d$a
  fit <- tec_boost(number ~ a + b, d, rounds = 40, offset = start, monotone = c(b = 1), bags = 2)
  expect_identical(fit$rounds, which.min(fit$curve$folds))
  expect_length(fit$bags, 2L)
  turns <- tec_boost(number ~ a + b, d, rounds = 30, cyclic = TRUE)
  expect_identical(turns$settings$folds, 5L)
  expect_identical(turns$settings[c("draws", "min_bucket")], list(draws = 84, min_bucket = 3))
  more <- tec_more(fit, 3)
  expect_identical(more$rounds, fit$rounds + 3L)
})

test_that("tuning, caret and parsnip mean by `rounds` what they did", {
  set.seed(6)
  d <- boost_data(120)
  tuned <- tec_tune(number ~ a + b, d,
    model = "boost", rounds = c(5, 10), max_depth = 2, folds = 3
  )
  expect_true(tuned$fit$rounds %in% c(5L, 10L))
  expect_identical(tuned$fit$settings[c("rate", "draws")], list(rate = 0.1, draws = 0))
  # With early stopping, the settings are those of a chosen number of rounds.
  tuned <- tec_tune(number ~ a + b, d, model = "boost", max_depth = 1:2, folds = 3)
  expect_null(tuned$fit$settings$folds)
  expect_identical(tuned$fit$rounds, tuned$table$rounds[tuned$chosen])
  expect_identical(
    tuned$fit$settings[c("rate", "draws", "min_bucket")],
    list(rate = 0.05, draws = 72, min_bucket = 3)
  )
})

test_that("if choosing takes long, a message says once how to turn it off", {
  rlang::local_options(rlib_message_verbosity = "verbose")
  ticked <- 0
  tick <- with_word_of_time(function(done) ticked <<- done, list(by_default = TRUE), seconds = 0)
  expect_message(tick(1), "folds = 0", class = "tec_message_rounds")
  expect_no_message(tick(2))
  expect_identical(ticked, 2)
  asked <- with_word_of_time(function(done) NULL, list(by_default = FALSE), seconds = 0)
  expect_no_message(asked(1))
  expect_no_message(with_word_of_time(function(done) NULL, list(by_default = TRUE))(1))
})

test_that("identifiers in the order of the response tell boosting nothing", {
  d <- iris
  d$id <- factor(seq_len(150))
  out <- seq(2, 150, 2)
  loss <- function(formula) {
    set.seed(1)
    fit <- tec_boost(formula, d[-out, ],
      rounds = 60, folds = 0, sample_fraction = 0.6, min_bucket = 3, progress = FALSE
    )
    p <- predict(fit, d[out, ], type = "prob")
    -mean(log(p[cbind(seq_along(out), as.integer(d$Species[out]))]))
  }
  in_order <- suppressWarnings(loss(Species ~ .), classes = "tec_warning")
  expect_lt(in_order, 1.1 * loss(Species ~ . - id))
  # So the codes of its levels do not matter.
  d$id <- factor(seq_len(150), levels = c(seq(1, 149, 2), seq(2, 150, 2))[order(sin(1:150))])
  other <- suppressWarnings(loss(Species ~ .), classes = "tec_warning")
  expect_equal(in_order, other, tolerance = 0.02)
})

test_that("a factor of many levels that mean nothing, or a column of identifiers, does no harm", {
  set.seed(3)
  n <- 2400
  d <- data.frame(x = runif(n), z = runif(n))
  d$many <- factor(sample(600, n, TRUE))
  d$id <- factor(seq_len(n))
  d$y <- factor(rbinom(n, 1, plogis(3 * d$x - 1.5)))
  d$number <- d$x + rnorm(n) / 2
  training <- seq_len(n / 2)
  loss <- function(formula, ...) {
    set.seed(1)
    fit <- suppressWarnings(
      tec_boost(formula, d[training, ], progress = FALSE, threads = 2, ...),
      classes = "tec_warning"
    )
    new <- d[-training, ]
    if (is.numeric(eval(formula[[2]], d))) {
      return(sqrt(mean((new$number - predict(fit, new))^2)))
    }
    p <- predict(fit, new, type = "prob")
    -mean(log(p[cbind(seq_len(nrow(p)), as.integer(new$y))]))
  }
  fixed <- list(rounds = 60, folds = 0, sample_fraction = 0.6, min_bucket = 3)
  fixed_loss <- function(formula, ...) {
    do.call(loss, c(formula, utils::modifyList(fixed, list(...))))
  }
  for (response in c("y", "number")) {
    of <- function(...) stats::reformulate(c("x", "z", ...), response)
    alone <- loss(of())
    expect_lt(loss(of("many")), alone * 1.02)
    expect_lt(loss(of("id")), alone * 1.02)
    # Without rows that are not drawn, the levels' own rows order them.
    expect_lt(fixed_loss(of("many")), fixed_loss(of("many"), sample_fraction = 1) * 0.97)
  }
})
