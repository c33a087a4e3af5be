# A forest and its rows, some with missing values, weights or frequencies.
marked_cases <- function() {
  gaps <- fruit[1:150, ]
  gaps$weight[seq(1, 150, 7)] <- NA
  gaps$color[seq(2, 150, 11)] <- NA
  rownames(gaps) <- NULL
  list(
    list(fit = tec_forest(fruit ~ ., gaps, trees = 10, threads = 1), data = gaps),
    list(fit = tec_forest(mpg ~ ., mtcars, trees = 10, threads = 1), data = mtcars),
    list(
      fit = tec_forest(mpg ~ wt + hp, mtcars, trees = 10, weights = carb, threads = 1),
      data = mtcars, weights = mtcars$carb
    ),
    list(
      fit = tec_forest(
        am ~ wt + hp, mtcars, trees = 10, weights = carb, weights_as = "frequency", threads = 1
      ),
      data = mtcars, weights = mtcars$carb
    )
  )
}

test_that("a forest refuses its rows with permuted predictors, wherever bags are used", {
  slow_test()
  set.seed(1)
  for (case in marked_cases()) {
    fit <- case$fit
    w <- case$weights
    verbs <- list(
      function(d) tec_proximity(fit, d, oob = TRUE, weights = w),
      function(d) tec_more(fit, 1, d, weights = w),
      function(d) tec_shrink(fit, c(0, 1), data = d, weights = w),
      function(d) augment(fit, data = d),
      if (fit$response$task == "regression") {
        function(d) predict(fit, d[1:2, ], "quantiles", data = d, weights = w)
      }
    )
    one <- many <- case$data
    x <- fit$columns$name
    one[[x[1]]] <- rev(one[[x[1]]])
    order <- sample(nrow(many))
    many[x] <- many[order, x]
    for (verb in Filter(Negate(is.null), verbs)) {
      expect_no_error(verb(case$data))
      expect_error(verb(one), x[1], class = "tec_error_data")
      expect_error(verb(many), "order", class = "tec_error_data")
    }
    bare <- one[setdiff(names(one), all.vars(fit$formula)[1])]
    expect_error(augment(fit, data = bare), x[1], class = "tec_error_data")
    same <- case$data[names(bare)]
    expect_identical(augment(fit, data = same)$.fitted, augment(fit, data = case$data)$.fitted)
  }
})

test_that("the same rows in another form are accepted", {
  set.seed(2)
  data <- fruit[1:120, ]
  data$count <- seq_len(120)
  data$text <- as.character(data$color)
  data$flag <- data$weight > 100
  fit <- tec_forest(fruit ~ ., data, trees = 5, threads = 1)
  near <- tec_proximity(fit, data, oob = TRUE)
  forms <- list(
    rev(data), data[sample(names(data))], transform(data, count = as.double(count)),
    transform(data, color = factor(color, c("none", rev(levels(color))))),
    transform(data, fruit = factor(fruit, c(rev(levels(fruit)), "plum"))),
    transform(data, text = factor(text)), transform(data, color = as.character(color)),
    transform(data, other = 1)
  )
  if (requireNamespace("tibble", quietly = TRUE)) forms <- c(forms, list(tibble::as_tibble(data)))
  for (form in forms) expect_identical(tec_proximity(fit, form, oob = TRUE), near)
  expect_error(
    tec_proximity(fit, transform(data, count = count + 1), oob = TRUE), "count",
    class = "tec_error_data"
  )
})

# Models of every kind, with gaps, weights, frequencies and held-out rows.
growers_of_marks <- list(
  function(d) tec_tree(mpg ~ ., d),
  function(d) tec_tree(mpg ~ wt + hp, d, missing = "surrogate", criterion = "l1"),
  function(d) tec_tree(factor(am) ~ wt + hp, d, weights = carb, honest = TRUE),
  function(d) tec_tree(am ~ log(wt) + hp, d, weights = carb, weights_as = "frequency"),
  function(d) tec_tree(factor(am) ~ wt + hp, d, preset = "c45", weights = carb),
  function(d) tec_forest(mpg ~ wt + hp, d, trees = 3, threads = 1),
  function(d) tec_boost(mpg ~ wt + hp, d, rounds = 3, folds = 0, threads = 1),
  function(d) tec_boost(mpg ~ wt + hp, d, rounds = 3, validation = 0.2, threads = 1),
  function(d) tec_boost(factor(am) ~ wt + hp, d, method = "adaboost", rounds = 3, threads = 1),
  function(d) tec_boost(mpg ~ wt + hp, d, rounds = 3, folds = 0, weights = carb, subset = gear > 3),
  function(d) tec_rotation(mpg ~ wt + hp, d, trees = 3, threads = 1),
  function(d) {
    tec_rotation(
      factor(am) ~ wt + hp, d, trees = 3, weights = carb, weights_as = "frequency", threads = 1
    )
  },
  function(d) tec_mars(mpg ~ wt + hp, d),
  function(d) tec_mars(mpg ~ wt + hp, d, weights = carb),
  function(d) tec_mars(factor(am) ~ wt + hp, d, weights = carb, weights_as = "frequency")
)

test_that("rows of the call that have changed since are not used", {
  start <- mtcars
  start$wt[3] <- NA
  for (grow in in_turn(growers_of_marks, fewer(length(growers_of_marks), 3))) {
    d <- start
    fit <- suppressMessages(grow(d))
    fit$call$data <- quote(d)
    n <- nrow(augment(fit))
    changed <- list(
      predictor = transform(start, wt = rev(wt)), order = start[c(2:32, 1), ],
      response = transform(start, mpg = rev(mpg), am = rev(am)), number = rbind(start, start[1, ]),
      weights = if (!is.null(fit$call$weights)) transform(start, carb = rev(carb))
    )
    for (d in Filter(Negate(is.null), changed)) {
      expect_error(training_rows(fit, "fitted", environment()), class = "tec_error_data")
    }
    # Columns that are added, also where `.` stands for the others, and types that hold the same.
    d <- transform(start, more = 1, hp = as.integer(hp))
    expect_identical(nrow(augment(fit)), n)
  }
})

test_that("a tree is not updated, shrunk or drawn from rows that have changed since", {
  d <- mtcars
  for (fit in list(tec_tree(mpg ~ wt + hp, d), tec_tree(factor(am) ~ wt + hp, d))) {
    d <- transform(mtcars, mpg = rev(mpg), am = rev(am))
    for (verb in list(
      update, fitted, residuals, model.frame, predict, tec_scores, tec_shrink,
      function(fit) tec_dependence(fit, "wt"), function(fit) tec_picture(fit, "dependence")
    )) {
      expect_error(verb(fit), "other rows", class = "tec_error_data")
    }
    expect_error(tec_shrink(fit, data = d), "different values", class = "tec_error_data")
    again <- update(fit, data = d)
    expect_false(identical(again$tree$yval, fit$tree$yval) && identical(again$tree, fit$tree))
    d <- mtcars
    expect_identical(update(fit)$tree, fit$tree)
  }
})

test_that("weights that are equal now are not those of the fit", {
  d <- mtcars
  weighted <- tec_tree(mpg ~ wt, d, weights = carb)
  plain <- tec_tree(mpg ~ wt, d, weights = vs * 0 + 1)
  expect_length(fitted(plain), 32L)
  d$carb <- 1
  expect_error(fitted(weighted), "other rows", class = "tec_error_data")
  d$vs <- mtcars$carb
  plain$call$weights <- quote(vs)
  expect_error(fitted(plain), "other rows", class = "tec_error_data")
})

test_that("an offset is a part of the rows", {
  d <- transform(mtcars, base = qsec, twice = 2L)
  for (fit in list(
    tec_boost(mpg ~ wt + hp, d,
      offset = base, rounds = 3, folds = 0, subset = am == 1, min_bucket = 2
    ),
    tec_boost(factor(gear) ~ wt + hp, d,
      offset = cbind(base, 0, 0), rounds = 3, folds = 0, min_bucket = 2
    ),
    tec_boost(
      mpg ~ wt, d, offset = base, rounds = 3, folds = 0, weights = twice, weights_as = "frequency"
    )
  )) {
    d <- transform(mtcars, base = qsec, twice = 2L)
    expect_length(fitted(fit), if (is.null(fit$call$subset)) 32L else 13L)
    d$base <- rev(d$base)
    expect_error(fitted(fit), "other rows", class = "tec_error_data")
    if (is.null(fit$call$weights) && is.null(fit$call$subset)) {
      expect_error(tec_more(fit, 1, data = d), "offset", class = "tec_error_data")
    }
  }
})

test_that("rounds go on from the same rows only", {
  fit <- tec_boost(mpg ~ wt + hp, mtcars, rounds = 3, folds = 0, threads = 1)
  expect_s3_class(tec_more(fit, 2, data = mtcars), "tec_boost")
  other <- mtcars
  other$hp <- rev(other$hp)
  expect_error(tec_more(fit, 2, data = other), "hp", class = "tec_error_data")
})

test_that("marks detect any two swapped values, whatever their size", {
  values <- list(
    1:50, rnorm(50), rnorm(50) * 1e300, rnorm(50) * 1e-200, 1e6 + runif(50),
    c(NA, Inf, -Inf, rnorm(47)), rep(c(0, NA), 25), as.Date("2020-01-01") + 0:49
  )
  for (x in values) {
    marks <- row_marks(list(x), NULL, NULL)$columns
    expect_true(same_marks(marks, row_marks(list(x), NULL, 1:50)$columns))
    for (at in list(1:2, 3:4, c(1L, 50L), c(20L, 31L))) {
      y <- x
      y[rev(at)] <- x[at]
      if (!identical(y, x)) expect_false(same_marks(marks, row_marks(list(y), NULL, NULL)$columns))
    }
  }
})
