shape_models <- function() {
  set.seed(1)
  d <- boost_data(250)
  w <- runif(250)
  w <- w / mean(w)
  f <- function(y) reformulate(c("a", "b", "f", "o"), y)
  list(
    list(d = d, fit = tec_boost(f("number"), d,
      rounds = 40, folds = 0, max_depth = 2, weights = w
    ), w = w),
    list(d = d, fit = tec_boost(f("two"), d,
      rounds = 40, folds = 0, max_depth = 1
    ), w = rep(1, 250)),
    list(
      d = d, fit = tec_boost(f("two"), d,
        rounds = 20, folds = 0, cyclic = TRUE, bags = 2
      ), w = rep(1, 250)
    ),
    list(d = d, fit = tec_boost(f("three"), d,
      rounds = 20, folds = 0, max_depth = 2
    ), w = rep(1, 250))
  )
}

test_that("functions and baseline sum to the prediction, of new rows too", {
  for (one in shape_models()) {
    shapes <- suppressMessages(tec_shapes(one$fit, one$d), classes = "tec_message_weights")
    set.seed(9)
    new <- boost_data(300)
    new$f[1:3] <- NA
    new$o[4:6] <- NA
    type <- if (one$fit$loss == "squared") "response" else "link"
    for (rows in list(one$d, new)) {
      score <- as.matrix(predict(one$fit, rows, type = type))
      for (k in seq_len(ncol(score))) {
        class <- if (ncol(score) > 1) colnames(score)[k]
        sum <- shapes$baseline[[k]] + rowSums(predict(shapes, rows, class = class))
        expect_lt(max(abs(sum - score[, k])), 1e-10)
      }
    }
  }
})

test_that("means are 0 by the weights of the training rows, and pairs carry no main effect", {
  for (one in shape_models()) {
    shapes <- if (is.null(one$fit$call$weights)) {
      tec_shapes(one$fit, one$d)
    } else {
      d <- one$d
      w <- one$w
      tec_shapes(one$fit)
    }
    parts <- predict(shapes, one$d)
    expect_lt(max(abs(colSums(one$w * parts))), 1e-10)
    for (term in shapes$terms) {
      expect_equal(sum(term$table$weight), sum(one$w) * length(shapes$baseline))
      if (length(term$columns) == 1) next
      table <- term$table
      class <- table$class %||% 1
      for (key in c("from", "from2", "level", "level2")) {
        if (is.null(table[[key]])) next
        of <- paste(class, table[[key]])
        expect_lt(max(abs(tapply(table$weight * table$value, of, sum))), 1e-9)
      }
    }
  }
})

test_that("a model of stumps has the functions of its trees", {
  set.seed(2)
  d <- data.frame(a = runif(100), b = runif(100))
  d$y <- sin(6 * d$a) + (d$b > 0.5)
  fit <- tec_boost(y ~ a + b, d, rounds = 30, folds = 0, max_depth = 1)
  shapes <- tec_shapes(fit)
  # By partial dependence, which is exact up to a constant where nothing interacts.
  at <- data.frame(a = seq(0, 1, 0.01), b = 0.3)
  mine <- predict(shapes, at)[, "a"]
  theirs <- predict(fit, at)
  expect_equal(mine - mine[1], theirs - theirs[1])
  strength <- vapply(shapes$terms, function(t) sqrt(mean(predict(shapes, d)[, t$predictors]^2)), 0)
  expect_equal(vapply(shapes$terms, `[[`, 0, "strength"), strength)
  expect_false(is.unsorted(-strength))
})

test_that("a pure interaction has no main effects", {
  d <- expand.grid(a = 1:2, b = 1:2)[rep(1:4, each = 25), ]
  d$y <- ifelse(d$a == d$b, 1, -1) + rep(c(-0.001, 0.001), 50)
  d$a <- d$a + rep(c(0, 1e-9), 50)
  # Growth is greedy: the first cut gains next to nothing.
  fit <- tec_boost(y ~ a + b, d, rounds = 80, folds = 0, max_depth = 2, min_bucket = 1, lambda = 0)
  skip_if(length(fit$used) < 2)
  shapes <- tec_shapes(fit)
  names <- vapply(shapes$terms, function(t) toString(t$predictors), "")
  expect_identical(names[1], "a, b")
})

test_that("bags say how far functions vary", {
  set.seed(3)
  d <- data.frame(a = runif(150), f = factor(sample(letters[1:3], 150, TRUE)))
  d$y <- d$a + rnorm(150)
  fit <- tec_boost(y ~ a + f, d, rounds = 20, folds = 0, max_depth = 2, bags = 4)
  shapes <- tec_shapes(fit)
  a <- Filter(function(t) identical(t$predictors, "a"), shapes$terms)[[1]]$table
  # From the bags' own models.
  values <- vapply(fit$bags, function(bag) {
    own <- fit
    own[c("trees", "output", "base")] <- bag
    own$bags <- NULL
    some <- pmin(a$to[!a$missing], 2)
    predict(tec_shapes(own, d), data.frame(a = some, f = "a"))[, "a"]
  }, numeric(sum(!a$missing)))
  expect_equal(a$se[!a$missing], apply(values, 1, sd))
})

test_that("the table has all functions", {
  set.seed(4)
  fit <- tec_boost(Species ~ ., iris, rounds = 5, folds = 0, max_depth = 2)
  shapes <- tec_shapes(fit)
  table <- as.data.frame(shapes)
  expect_identical(nrow(table), sum(vapply(shapes$terms, function(t) nrow(t$table), 0L)))
  expect_identical(unique(table$term), colnames(predict(shapes, iris)))
  set.seed(5)
  expect_snapshot_output({
    print(tec_shapes(tec_boost(mpg ~ wt + hp, mtcars, rounds = 20, folds = 0, max_depth = 2)))
    print(shapes, n = 2)
  })
})

test_that("bad input gives errors that name a solution", {
  fit <- tec_boost(mpg ~ ., mtcars, rounds = 5, folds = 0, max_depth = 6, min_bucket = 1)
  flat <- tec_shapes(tec_boost(mpg ~ wt, mtcars[1:12, ], rounds = 1, folds = 0))
  some <- tec_shapes(tec_boost(mpg ~ wt, mtcars, rounds = 3, folds = 0, max_depth = 1))
  classes <- tec_shapes(tec_boost(Species ~ ., iris, rounds = 3, folds = 0, max_depth = 1))
  expect_snapshot_output(show_errors({
    tec_shapes(1)
    tec_shapes(fit)
    tec_shapes(tec_boost(Species ~ ., iris, method = "adaboost", rounds = 3))
    tec_shapes(tec_boost(mpg ~ wt, mtcars, rounds = 3, folds = 0), mtcars["hp"])
    plot(flat)
    plot(some, "hp")
    predict(some, mtcars["hp"])
    predict(classes, iris, class = "rosa")
  }))
})

test_that("bags may use predictors that the model does not", {
  set.seed(1)
  fit <- tec_boost(Species ~ ., iris, rounds = 1, folds = 0, bags = 6, max_depth = 2, threads = 1)
  of_bags <- unique(unlist(lapply(fit$bags, needed_columns)))
  expect_gt(length(setdiff(of_bags, needed_columns(fit))), 0L)
  shapes <- tec_shapes(fit)
  expect_true(all(as.data.frame(shapes)$se >= 0))
  expect_identical(dim(predict(shapes, iris[0, ])), c(0L, length(shapes$terms)))
})
