# Rows of all kinds of predictors, with missing values.
shap_rows_of_all_kinds <- function(n, seed) {
  set.seed(seed)
  out <- data.frame(
    a = round(rnorm(n), 1), b = factor(sample(letters[1:4], n, TRUE)),
    c = ordered(sample(1:4, n, TRUE)), d = runif(n) > 0.5
  )
  score <- out$a * (out$b %in% c("a", "c")) + as.integer(out$c) / 2 + out$d * out$a
  out$y <- cut(score + rnorm(n) / 4, c(-Inf, 0.5, 1.5, Inf), c("low", "mid", "high"))
  out$z <- score + rnorm(n) / 4
  for (j in 1:4) out[[j]][sample(n, n %/% 8)] <- NA
  out
}

random_shap_tree <- function(i, rows) {
  set.seed(i)
  pick <- function(...) sample(c(...), 1L)
  classes <- i %% 2L == 0L
  tec_tree(
    if (classes) y ~ a + b + c + d else z ~ a + b + c + d, rows,
    criterion = if (classes) pick("gini", "shannon") else pick("l2", "l1"),
    missing = pick("fractional", "majority", "mode", "drop"), prune = "none",
    nominal = pick("binary", "multiway", "ordered"), intervals = pick(2L, 3L),
    smooth = if (classes) pick(0, 2), min_split = 4, min_bucket = 2,
    max_depth = sample(1:5, 1L), weights = sample(c(0.5, 1, 3), nrow(rows), TRUE)
  )
}

predicted <- function(fit, rows) {
  as.matrix(predict(fit, rows, type = if (is.null(fit$response$levels)) "response" else "prob"))
}

# How far baselines and sums of values are from the predictions.
far_from_prediction <- function(shap, fit, rows) {
  values <- array(shap$values, c(dim(shap$values), 1L)[1:3])
  sums <- matrix(apply(values, c(1L, 3L), sum), nrow(rows))
  max(abs(sweep(sums, 2L, shap$baseline, `+`) - predicted(fit, rows)))
}

test_that("values are the means over all orders, for all kinds of splits and missing values", {
  for (i in case_seeds(4)) at_seed(i, {
    rows <- shap_rows_of_all_kinds(60, i)
    fit <- random_shap_tree(i, rows)
    some <- rows[c(1:3, which(rowSums(is.na(rows[1:4])) > 1)[1:2]), ]
    shap <- tec_shap(fit, some)
    expect_equal(c(shap$values), c(oracle_shap(fit, some)), tolerance = 1e-12, info = i)
    expect_lt(far_from_prediction(shap, fit, some), 1e-12)
    others <- rows[10:14, ]
    against <- tec_shap(fit, some, background = others)
    expect_equal(
      c(against$values), c(oracle_shap(fit, some, others)),
      tolerance = 1e-12, info = i
    )
    expect_equal(unname(against$baseline), unname(colMeans(predicted(fit, others))))
    expect_lt(far_from_prediction(against, fit, some), 1e-12)
  })
})

# The sums of the rows of each matrix (predictors x predictors), by row, predictor and class.
sums_of_pairs <- function(pairs) apply(pairs, setdiff(seq_along(dim(pairs)), 3L), sum)

test_that("interactions are the means over all orders, symmetric, and sum to the values", {
  for (i in case_seeds(4)) at_seed(i, {
    rows <- shap_rows_of_all_kinds(60, i)
    fit <- random_shap_tree(i, rows)
    some <- rows[c(1:2, which(rowSums(is.na(rows[1:4])) > 1)[1:2]), ]
    for (others in list(NULL, rows[10:12, ])) {
      shap <- tec_shap(fit, some, background = others, interactions = TRUE)
      pairs <- shap$interactions
      expect_equal(c(pairs), c(oracle_interactions(fit, some, others)), tolerance = 1e-12, info = i)
      expect_equal(c(sums_of_pairs(pairs)), c(shap$values), tolerance = 1e-12)
      turned <- if (length(dim(pairs)) == 4L) c(1L, 3L, 2L, 4L) else c(1L, 3L, 2L)
      expect_equal(c(pairs), c(aperm(pairs, turned)), tolerance = 1e-14)
      without <- tec_shap(fit, some, background = others)
      expect_identical(unclass(without), unclass(shap)[names(without)])
    }
  })
})

test_that("interactions of forests and boosted models are means and sums over their trees", {
  set.seed(5)
  forest <- small_forest(Species ~ ., iris, trees = 3, max_depth = 3)
  some <- iris[c(1, 70, 120), ]
  found <- tec_shap(forest, some, interactions = TRUE)
  expected <- Reduce(`+`, lapply(1:3, function(t) oracle_interactions(forest[[t]], some))) / 3
  expect_equal(c(found$interactions), c(expected), tolerance = 1e-12)
  expect_identical(dimnames(found$interactions), list(
    NULL, names(iris)[1:4], names(iris)[1:4], levels(iris$Species)
  ))
  one <- tec_shap(forest, some, class = "virginica", interactions = TRUE)
  expect_identical(one$interactions, found$interactions[, , , "virginica"])
  for (method in c("gradient", "adaboost")) {
    boost <- tec_boost(Species ~ ., iris, rounds = 4, folds = 0, method = method, max_depth = 2)
    class <- if (method == "gradient") "virginica"
    found <- tec_shap(boost, some, class = class, interactions = TRUE)
    as_forest <- as_tec_forest(boost, class)
    expected <- Reduce(`+`, lapply(seq_len(length(as_forest)), function(t) {
      oracle_interactions(as_forest[[t]], some)
    })) / length(as_forest)
    expect_equal(c(found$interactions), c(expected), tolerance = 1e-10)
  }
})

test_that("a sum of single predictors has no interactions, a product has one", {
  set.seed(6)
  d <- expand.grid(a = 1:4, b = 1:4, c = 1:2)
  d$sum <- d$a + d$b
  d$product <- (d$a > 2) * (d$b > 2)
  stumps <- tec_boost(sum ~ a + b + c, d, rounds = 30, folds = 0, max_depth = 1, min_bucket = 1)
  pairs <- tec_shap(stumps, d[1:5, ], interactions = TRUE)$interactions
  expect_equal(max(abs(pairs[, 1, -1])), 0)
  tree <- tec_tree(product ~ a + b + c, d, prune = "none")
  pairs <- tec_shap(tree, d[c(1, 16), ], interactions = TRUE)$interactions
  # Both known give 1 or 0, one of them 1/2 or 0, none 1/4.
  expect_equal(2 * pairs[2, "a", "b"], 0.25)
  expect_equal(2 * pairs[1, "a", "b"], 0.25)
  expect_equal(unname(pairs[, "c", ]), matrix(0, 2, 3))
})

test_that("interactions are printed, drawn and given as a table", {
  fit <- tec_tree(mpg ~ wt + hp + cyl, mtcars, max_depth = 3, prune = "none")
  shap <- tec_shap(fit, mtcars[1:6, ], interactions = TRUE)
  classes <- tec_shap(tec_tree(Species ~ ., iris), iris[c(1, 71), ], interactions = TRUE)
  expect_snapshot({
    shap
    classes
    head(as.data.frame(shap, interactions = TRUE), 8)
    show_errors({
      as.data.frame(tec_shap(fit, mtcars), interactions = TRUE)
      plot(tec_shap(fit, mtcars), type = "interactions")
      tec_shap(fit, mtcars, interactions = 1)
      plot(tec_shap(tec_tree(mpg ~ wt, mtcars), mtcars, interactions = TRUE), "interactions")
    })
  })
  for (one in list(shap, classes)) {
    table <- as.data.frame(one, interactions = TRUE)
    expect_identical(table$value, as.vector(one$interactions))
    at <- sample(nrow(table), 10)
    for (i in at) {
      r <- table[i, ]
      cell <- list(one$interactions, r$row, r$variable, r$with)
      if (!is.null(r$class)) cell <- c(cell, list(as.character(r$class)))
      expect_identical(do.call(`[`, cell), r$value)
      expect_identical(r$with_data, cell_text(one$data[[r$with]])[r$row])
    }
    grDevices::pdf(NULL)
    expect_no_error(plot(one, type = "interactions"))
    grDevices::dev.off()
  }
})

test_that("the baseline of an unpruned tree is the mean of the training rows", {
  fit <- tec_tree(mpg ~ ., mtcars, prune = "none")
  expect_equal(tec_shap(fit, mtcars)$baseline, mean(mtcars$mpg))
})

test_that("values of a forest are the means over its trees", {
  rows <- shap_rows_of_all_kinds(80, 1)
  for (missing in c("majority", "fractional", "drop")) {
    for (formula in list(y ~ a + b + c + d, z ~ a + b + c + d)) {
      set.seed(1)
      forest <- tec_forest(formula, rows, trees = 5, missing = missing, threads = 1)
      some <- rows[1:4, ]
      of_trees <- lapply(1:5, function(i) oracle_shap(forest[[i]], some))
      shap <- tec_shap(forest, some)
      expect_equal(c(shap$values), c(Reduce(`+`, of_trees)) / 5, tolerance = 1e-12)
      expect_lt(far_from_prediction(shap, forest, rows[1:4, ]), 1e-12)
      expect_identical(shap, tec_shap(forest, some, threads = 2))
      against <- tec_shap(forest, rows, background = rows[1:10, ])
      expect_lt(far_from_prediction(against, forest, rows), 1e-12)
    }
  }
})

test_that("one class has the values that it has among all", {
  fit <- tec_tree(Species ~ ., iris)
  all <- tec_shap(fit, iris)
  expect_identical(dim(all$values), c(150L, 4L, 3L))
  expect_identical(names(all$baseline), levels(iris$Species))
  one <- tec_shap(fit, iris, class = "virginica")
  expect_identical(one$values, all$values[, , "virginica"])
  expect_identical(one$baseline, all$baseline[["virginica"]])
  against <- tec_shap(fit, iris[1:9, ], background = iris)
  expect_equal(
    tec_shap(fit, iris[1:9, ], background = iris, class = "setosa")$values,
    against$values[, , "setosa"]
  )
})

test_that("the rows are kept as they were given", {
  rows <- data.frame(
    day = as.Date("2024-01-01") + 0:39, x = 1:40 / 10, unused = "a",
    level = factor(rep(c("u", "v"), 20))
  )
  rows$y <- as.numeric(rows$day > as.Date("2024-01-15")) + log(rows$x) + (rows$level == "u")
  fit <- tec_tree(y ~ day + log(x) + level, rows, prune = "none", min_split = 2)
  shap <- tec_shap(fit, rows)
  expect_identical(shap$data, data.frame(
    day = rows$day, `log(x)` = log(rows$x), level = rows$level, check.names = FALSE
  ))
  expect_identical(colnames(shap$values), c("day", "log(x)", "level"))
  # A predictor that is not used can be absent.
  fit <- tec_tree(Species ~ ., iris)
  absent <- tec_shap(fit, iris[3:5])
  expect_identical(absent$values, tec_shap(fit, iris)$values)
  expect_true(all(is.na(absent$data$Sepal.Length)))
  expect_identical(absent$data$Petal.Width, iris$Petal.Width)
})

test_that("no rows, a tree of one node and a matrix have values", {
  fit <- tec_tree(mpg ~ ., mtcars)
  expect_identical(dim(tec_shap(fit, mtcars[0, ])$values), c(0L, 10L))
  root <- tec_tree(mpg ~ ., mtcars, max_depth = 0)
  expect_true(all(tec_shap(root, mtcars)$values == 0))
  expect_equal(tec_shap(root, mtcars, background = mtcars[1:2, ])$baseline, mean(mtcars$mpg))
  x <- as.matrix(mtcars[-1])
  expect_equal(
    tec_shap(tec_tree(x, mtcars$mpg), x)$values, tec_shap(fit, mtcars)$values
  )
})

test_that("a tree with surrogates explains rows that need none", {
  fit <- tec_tree(Ozone ~ ., airquality, missing = "surrogate", prune = "none")
  complete <- airquality[stats::complete.cases(airquality), ]
  shap <- tec_shap(fit, complete)
  expect_lt(far_from_prediction(shap, fit, complete), 1e-10)
})

test_that("trees of other packages have values", {
  skip_if_not_installed("rpart")
  fit <- as_tec_tree(rpart::rpart(Species ~ ., iris))
  expect_lt(far_from_prediction(tec_shap(fit, iris), fit, iris), 1e-12)
})

test_that("models and rows that cannot be explained are refused", {
  fit <- tec_tree(Species ~ ., iris)
  number <- tec_tree(mpg ~ ., mtcars)
  aside <- tec_tree(Ozone ~ ., airquality, missing = "surrogate", prune = "none")
  damaged <- fit
  damaged$tree$variable[1L] <- 99L
  expect_snapshot(show_errors({
    tec_shap(fit)
    tec_shap(fit, NULL)
    tec_shap(fit, 1:3)
    tec_shap(fit, iris[1:2])
    tec_shap(fit, iris, class = "setos")
    tec_shap(fit, iris, class = 1:2)
    tec_shap(number, mtcars, class = "a")
    tec_shap(fit, iris, background = iris[0, ])
    tec_shap(fit, iris, background = iris[3])
    tec_shap(fit, iris, threads = 0)
    tec_shap(fit, iris, nthreads = 2)
    tec_shap(aside, airquality)
    tec_shap(aside, airquality[2, ], background = airquality)
    tec_shap(lm(mpg ~ wt, mtcars), mtcars)
    tec_shap(damaged, iris)
  }))
  expect_s3_class(tryCatch(tec_shap(aside, airquality), error = identity), "tec_error_missing")
})
