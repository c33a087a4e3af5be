# A learner without faults: means of the cells of site and age, cut at its mean. Each fault is one
# change of it; `fault` names the check that must see it, and no other may.
planted <- function(fault = "") {
  is <- function(name) name == fault
  count <- 0
  known <- list()
  fit <- function(formula, data, weights = NULL, threads = 1) {
    y <- data[[all.vars(formula)[1]]]
    count <<- count + 1
    if (is("session")) options(tectree.planted = count)
    w <- if (is.null(weights)) rep(1, length(y)) else weights
    if (is("weights")) w <- sqrt(w)
    if (is("zero weights")) w <- pmax(w, 0.2)
    numbers <- names(Filter(is.numeric, data[names(data) != all.vars(formula)[1]]))
    by <- if (is("order of columns")) numbers[1] else "age"
    cut <- if (is("units")) 50 else sum(w * data[[by]]) / sum(w)
    cell <- paste(data$site, data[[by]] > cut)
    shift <- 0
    if (is("seed")) shift <- count
    if (is("order of rows")) shift <- y[1] * sum(w) / sum(w * y)
    if (is("constant column")) shift <- ncol(data)
    if (is("unused level")) shift <- nlevels(data$site)
    if (is("threads")) shift <- threads
    key <- new.env()
    known <<- c(known, key)
    list(
      mean = rowsum(w * y, cell)[, 1] / rowsum(w, cell)[, 1] * (1 + shift / 99), by = by, cut = cut,
      all = sum(w * y) / sum(w), levels = levels(data$site), key = key
    )
  }
  predict <- function(fit, newdata) {
    if (is("one row") && nrow(newdata) == 1) stop("subscript out of bounds")
    if (is("missing value")) newdata <- newdata[stats::complete.cases(newdata), ]
    site <- as.character(newdata$site)
    if (is("unseen level") && !all(site %in% fit$levels)) stop("a new level")
    if (is("new levels") && nlevels(newdata$site) <= length(fit$levels)) {
      site <- fit$levels[as.integer(newdata$site)]
    }
    own <- vapply(known, function(one) identical(one, fit$key), NA)
    if (is("stored") && !any(own)) stop("the pointer is null")
    out <- unname(fit$mean[paste(site, newdata[[fit$by]] > fit$cut)])
    out[is.na(out)] <- fit$all
    if (is("predictions")) out <- out[-1]
    if (is("response units")) pmin(out, 11) else out
  }
  list(fit = fit, predict = predict)
}

failed <- function(checks) checks$check[checks$result == "failed"]

check_planted <- function(fault) {
  withr::local_options(tectree.planted = NULL)
  learner <- planted(fault)
  tec_check_learner(learner$fit, number ~ ., predict = learner$predict)
}

test_that("a learner without faults passes every check", {
  checks <- check_planted("")
  expect_s3_class(checks, "tec_learner_check")
  expect_identical(failed(checks), character())
  expect_identical(checks$check[checks$result == "not applicable"], "export")
  expect_lt(max(checks$difference, na.rm = TRUE), 1e-12)
  expect_identical(checks$check, names(learner_checks))
})

test_that("each planted fault is seen by its check, and by no other", {
  faults <- setdiff(names(learner_checks), "export")
  for (fault in faults) expect_identical(failed(check_planted(fault)), fault, label = fault)
})

test_that("an export that predicts something else is seen", {
  local_binding("verify_export", function(...) data.frame(difference = 0.5))
  checks <- tec_check_learner(tec_tree, number ~ ., weights_as = "frequency")
  expect_identical(failed(checks), "export")
})

test_that("models of the package pass, except splines in small units", {
  for (formula in c(class ~ ., number ~ .)) {
    checks <- list(
      tec_check_learner(tec_tree, formula, weights_as = "frequency"),
      tec_check_learner(tec_boost, formula, rounds = 10, weights_as = "frequency"),
      tec_check_learner(tec_forest, formula, trees = 5),
      tec_check_learner(tec_rotation, formula, trees = 3)
    )
    for (one in checks) expect_identical(failed(one), character())
    # As in earth, cuts of a predictor with a tiny variance are at other places.
    splines <- tec_check_learner(tec_mars, formula, weights_as = "frequency")
    expect_identical(failed(splines), "units")
  }
})

test_that("a model stands for the settings of its call, and importance is not frequency", {
  fit <- tec_tree(mpg ~ wt, mtcars, min_bucket = 30, weights_as = "frequency")
  expect_identical(failed(tec_check_learner(fit, number ~ .)), character())
  checks <- tec_check_learner(fit, number ~ ., weights_as = "importance")
  expect_identical(failed(checks), "weights")
  expect_match(checks$found[checks$check == "weights"], "only ratios of weights matter")
})

test_that("learners of parsnip and mlr3 are checked", {
  set <- from_package("parsnip", "set_engine")
  spec <- set(parsnip::decision_tree("regression"), "tectree")
  skip_if_not_installed("hardhat")
  checks <- tec_check_learner(spec)
  expect_identical(failed(checks), character())
  expect_true(all(c("weights", "export") %in% checks$check[checks$result == "passed"]))
  lrn <- from_package("mlr3", "lrn")
  checks <- tec_check_learner(lrn("classif.tectree", min_bucket = 30))
  # mlr3 itself refuses new rows with other levels.
  expect_identical(failed(checks), c("weights", "new levels", "unseen level"))
  expect_true("export" %in% checks$check[checks$result == "passed"])
})

test_that("a random learner that ignores weights is seen, and the seed of the session is kept", {
  jitter <- function(formula, data, weights = NULL) mean(data$number) * stats::runif(1)
  set.seed(5)
  before <- .Random.seed
  checks <- tec_check_learner(jitter, number ~ ., predict = function(fit, newdata) {
    rep(fit, nrow(newdata))
  })
  expect_identical(.Random.seed, before)
  expect_identical(failed(checks), "weights")
  expect_identical(checks$found[checks$check == "weights"], "Weights have no effect.")
  expect_match(checks$found[checks$check == "order of rows"], "random")
  fixed <- function(formula, data) set.seed(3)
  checks <- tec_check_learner(fixed, predict = function(fit, newdata) rep("a", nrow(newdata)))
  expect_identical(failed(checks), "session")
})

test_that("errors of a learner are part of the table, and it prints", {
  checks <- tec_check_learner(function(formula, data) stop("no model {today}"))
  expect_identical(failed(checks), "predictions")
  expect_identical(checks$found[1], "Error: no model {today}")
  said <- utils::capture.output(print(checks, width = 60))
  expect_true(all(nchar(said) <= 60))
  expect_match(said[1], "0 passed, 1 failed, 17 not applicable")
  expect_output(print(checks[0, ]), "0 passed")
  lists <- tec_check_learner(function(formula, data) 1, predict = function(fit, newdata) list(1))
  expect_match(lists$found[1], "use `predict`")
})

test_that("arguments are checked", {
  expect_error(tec_check_learner("rpart"), "learner", class = "tec_error_argument")
  expect_error(tec_check_learner(tec_tree, predict = 1), "predict", class = "tec_error_argument")
  expect_error(tec_check_learner(tec_tree, ~x), "formula", class = "tec_error")
  log_of <- mpg ~ log(wt)
  expect_error(tec_check_learner(tec_tree, log_of, mtcars), "log", class = "tec_error_formula")
  expect_error(tec_check_learner(tec_tree, tolerance = -1), "tolerance", class = "tec_error")
})

test_that("settings of a learner of another framework are set in it", {
  skip_if_not_installed("parsnip")
  expect_error(
    tec_check_learner(parsnip::linear_reg(), penalty = 2), "Set them in `learner`",
    class = "tec_error_argument"
  )
  a <- cbind(p = c(1, 2), q = c(3, 4))
  expect_identical(difference_of(a[, 2:1], a), 0)
  expect_equal(difference_of(a + c(0, 1), a), 1 / 4)
  expect_equal(difference_of(cbind(c("a", "b")), cbind(c("a", "c"))), 1 / 2)
  expect_error(difference_of(a, a[, 1, drop = FALSE]), "another number of columns")
  expect_error(difference_of(cbind(NA), cbind(1)), "other rows are missing")
})
