test_that("predictions are the sum of the terms as they are written", {
  d <- transform(mtcars, cyl = factor(cyl), wt = as.Date("2020-01-01") + 100 * wt)
  fit <- tec_mars(mpg ~ cyl + wt + hp + disp, d, degree = 2)
  by_hand <- Reduce(`+`, lapply(seq_along(fit$selected), function(k) {
    t <- fit$selected[k]
    value <- rep(fit$coefficients[[k, 1L]], nrow(d))
    for (j in which(fit$side[t, ] != 0)) {
      name <- fit$columns$name[fit$inputs$column[j]]
      x <- if (name == "cyl") {
        d$cyl == levels(d$cyl)[fit$inputs$level[j]]
      } else {
        as.numeric(d[[name]])
      }
      value <- value * switch(as.character(fit$side[t, j]),
        "1" = ifelse(x > fit$cut[t, j], x - fit$cut[t, j], 0),
        "-1" = ifelse(x < fit$cut[t, j], fit$cut[t, j] - x, 0), x
      )
    }
    value
  }))
  expect_equal(predict(fit, d), by_hand)
  expect_identical(predict(fit, d, "link"), predict(fit, d))
})

test_that("the functions add up to the link", {
  fit <- tec_mars(mpg ~ ., mtcars, degree = 2)
  parts <- predict(fit, mtcars, "terms")
  expect_equal(unname(rowSums(parts)) + attr(parts, "constant"), predict(fit, mtcars))
  expect_equal(unname(colMeans(parts)), rep(0, ncol(parts)))
  classes <- suppressWarnings(tec_mars(Species ~ ., iris))
  parts <- predict(classes, iris, "terms")
  link <- predict(classes, iris, "link")
  for (k in 1:3) {
    expect_equal(unname(rowSums(parts[, , k])) + attr(parts, "constant")[k], unname(link[, k]))
  }
  prob <- predict(classes, iris, "prob")
  expect_equal(rowSums(prob), rep(1, 150))
  expect_identical(as.integer(predict(classes, iris)), max.col(link, "first"))
})

test_that("classes without rows have probability 0, and two classes are two", {
  few <- droplevels(iris[51:150, ])
  few$Species <- factor(few$Species, c("other", levels(few$Species)))
  fit <- tec_mars(Species ~ ., few)
  prob <- predict(fit, few, "prob")
  expect_identical(colnames(prob), levels(few$Species))
  expect_true(all(prob[, 1L] == 0))
  expect_identical(ncol(fit$coefficients), 1L)
  text <- tec_mars(as.character(Species) ~ ., few)
  expect_equal(unname(predict(text, few, "prob")), unname(prob[, -1L]))
})

test_that("new rows may lack columns that no term uses, unseen levels are missing", {
  d <- transform(mtcars, cyl = factor(cyl))
  fit <- tec_mars(mpg ~ cyl + disp + hp, d, prune = "none")
  expect_true("cyl" %in% variable.names(fit, used = TRUE))
  expect_warning(p <- predict(fit, transform(d[1:2, ], cyl = "5")), class = "tec_warning_unseen")
  expect_identical(p, c(NA_real_, NA_real_))
  strict <- tec_mars(mpg ~ cyl + disp + hp, d, prune = "none", unseen = "error")
  alone <- tec_mars(mpg ~ ., mtcars)
  used <- variable.names(alone, used = TRUE)
  expect_equal(predict(alone, mtcars[used]), predict(alone, mtcars))
  expect_identical(predict(alone, mtcars[0, ]), numeric())
  expect_snapshot(show_errors({
    predict(strict, transform(d[1:2, ], cyl = "5"))
    predict(fit, d["hp"])
    predict(fit)
    predict(fit, d, type = "prob")
    predict(fit, transform(d, hp = "many"))
    predict(fit, d, type = "node")
    predict(structure(list(), class = "tec_mars"), d)
  }))
})

test_that("splines with parts of another type are refused", {
  fit <- tec_mars(mpg ~ wt + hp, mtcars)
  parts <- list(
    side = fit$side + 9L, cut = fit$cut * NA, coefficients = fit$coefficients * NaN, used = 99L,
    rss = 1:2, settings = 1, inputs = data.frame(fit$inputs[c("level", "name")], column = 7L)
  )
  for (name in names(parts)) {
    bad <- structure(replace(unclass(fit), name, list(parts[[name]])), class = "tec_mars")
    expect_error(predict(bad, mtcars), class = "tec_error_damaged", info = name)
    expect_error(format(bad), class = "tec_error_damaged", info = name)
  }
})

test_that("zero rows give predictions of the same kind", {
  fit <- tec_mars(Species ~ ., iris)
  for (type in c("class", "prob", "link", "terms")) {
    one <- predict(fit, iris[1, ], type = type)
    none <- predict(fit, iris[0, ], type = type)
    expect_identical(length(none), 0L)
    expect_identical(dim(none)[-1L], dim(one)[-1L])
    expect_identical(levels(none), levels(one))
  }
})

test_that("rows that splines cannot predict are left out of results about all rows", {
  data <- transform(mtcars, am = factor(am))
  data$hp[c(2, 9)] <- NA
  data$qsec[4] <- NA # not used
  data$wt[5] <- NaN
  for (fit in list(tec_mars(mpg ~ wt + hp + qsec, mtcars), tec_mars(
    factor(am) ~ wt + hp, transform(mtcars, am = factor(am))
  ))) {
    used <- c("wt", "hp", "qsec")[c(TRUE, TRUE, 3 %in% fit$used)]
    whole <- data[stats::complete.cases(data[used]), ]
    expect_message(found <- summary(fit, data), "not used", class = "tec_message_dropped")
    # OpenBLAS may round the product of a row differently if other rows are beside it.
    expect_equal(found, summary(fit, whole), tolerance = 1e-12)
    expect_identical(found$rows, nrow(whole))
    # A missing value in the predictor that is set does not matter.
    known <- data[stats::complete.cases(data[setdiff(used, "hp")]), ]
    at <- c(80, 120)
    expect_message(found <- tec_dependence(fit, "hp", data, values = at, individual = TRUE), "not")
    naive <- vapply(at, function(x) {
      said <- predict(fit, transform(known, hp = x), type = "link")
      mean(if (is.null(fit$response$levels)) said else stats::plogis(said))
    }, 0)
    expect_equal(found$prediction, naive)
    own <- attr(found, "individual")
    expect_identical(unique(own$row), match(rownames(known), rownames(data)))
    expect_false(anyNA(own$prediction))
    permuted <- function(rows) {
      set.seed(1)
      importance(fit, "permutation", data = rows, repeats = 3)
    }
    expect_message(found <- permuted(data), "not used", class = "tec_message_dropped")
    expect_identical(found, permuted(whole))
  }
  expect_error(
    summary(fit, data[c(2, 9), ]), "can be predicted", class = "tec_error_missing"
  )
})
