test_that("a rectangle predicts one value, and they fill the plane", {
  airs <- airquality[stats::complete.cases(airquality), ]
  airs$Month <- factor(airs$Month)
  titanic <- long_levels()
  cases <- list(
    list(tec_tree(Species ~ ., iris, min_bucket = 1), iris, c("Petal.Length", "Petal.Width")),
    list(tec_tree(Species ~ ., iris, min_bucket = 1), iris, c("Sepal.Width", "Petal.Length")),
    list(tec_tree(Ozone ~ Wind + Temp + Month, airs), airs, c("Month", "Temp")),
    list(tec_tree(Survived ~ Class + Sex + Age, titanic), titanic, c("Class", "Sex"))
  )
  set.seed(6)
  for (case in cases) {
    fit <- case[[1]]
    pair <- case[[3]]
    picture <- tec_picture(fit, "surface", data = case[[2]], predictors = pair)
    expect_equal(
      sum((picture$xmax - picture$xmin) * (picture$ymax - picture$ymin)),
      diff(range(picture$xmin, picture$xmax)) * diff(range(picture$ymin, picture$ymax))
    )
    # A point of each rectangle, with the others at their typical values.
    rows <- case[[2]][rep(1, nrow(picture)), ]
    for (column in setdiff(fit$columns$name, pair)) {
      x <- case[[2]][[column]]
      typical <- if (is.factor(x)) names(which.max(table(x))) else median(x)
      rows[[column]] <- if (is.factor(x)) factor(typical, levels(x)) else typical
    }
    inside <- function(low, high) low + stats::runif(length(low), 0.01, 1) * (high - low)
    place <- list(inside(picture$xmin, picture$xmax), inside(picture$ymin, picture$ymax))
    for (i in 1:2) {
      x <- case[[2]][[pair[i]]]
      rows[[pair[i]]] <- if (is.factor(x)) levels(x)[round(place[[i]] - 1e-9)] else place[[i]]
    }
    expect_equal(predict(fit, rows), picture$prediction)
    expect_equal(predict(fit, rows, type = "node"), picture$node)
  }
})

test_that("other predictors can be held where the user says", {
  fit <- tec_tree(mpg ~ ., mtcars)
  heavy <- tec_picture(fit, "surface", predictors = c("cyl", "hp"), at = mtcars["Fiat 128", ])
  expect_equal(unique(heavy$prediction), predict(fit, mtcars["Fiat 128", ]), ignore_attr = TRUE)
  expect_identical(fixed_text(attr(heavy, "picture")), "At wt = 2.2")
  # The defaults are the most important.
  expect_identical(names(picture_columns(fit, NULL, 2L)), c("wt", "cyl"))
})

test_that("cells are merged to rectangles", {
  node <- rbind(c(1, 1, 2), c(1, 1, 2), c(3, 1, 2))
  boxes <- merge_cells(node)
  expect_equal(sum((boxes$right - boxes$left + 1) * (boxes$high - boxes$low + 1)), 9)
  for (i in seq_len(nrow(boxes))) {
    cells <- node[boxes$left[i]:boxes$right[i], boxes$low[i]:boxes$high[i]]
    expect_identical(unique(as.vector(cells)), boxes$node[i])
  }
  expect_identical(nrow(boxes), 4L)
})
