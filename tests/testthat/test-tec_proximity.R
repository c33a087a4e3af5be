test_that("proximity is the share of trees in which rows share a leaf", {
  set.seed(1)
  d <- forest_data(25)
  fit <- small_forest(y ~ ., d)
  nodes <- vapply(1:12, function(t) predict(fit[[t]], d, type = "node"), integer(25))
  bags <- forest_counts(fit)
  near <- tec_proximity(fit)
  out <- tec_proximity(fit, oob = TRUE)
  for (i in 1:25) {
    for (j in 1:25) {
      expect_equal(near[i, j], mean(nodes[i, ] == nodes[j, ]))
      both <- bags[i, ] == 0 & bags[j, ] == 0
      expected <- if (any(both)) mean(nodes[i, both] == nodes[j, both]) else NA_real_
      expect_identical(out[i, j], expected)
    }
  }
  new <- mtcars[1:3, ]
  numbers <- small_forest(mpg ~ ., mtcars)
  expect_identical(dimnames(tec_proximity(numbers, new)), list(rownames(new), rownames(new)))
  expect_equal(unname(tec_proximity(numbers, new)), tec_proximity(numbers)[1:3, 1:3])
  expect_error(tec_proximity(numbers, new, oob = TRUE), class = "tec_error_data")
})

test_that("forests from JSON have proximities, those out of bag excepted", {
  skip_if_not_installed("jsonlite")
  set.seed(1)
  fit <- small_forest(Species ~ ., iris)
  again <- tec_from_json(tec_json(fit))
  expect_identical(tec_proximity(again, iris), tec_proximity(fit, iris))
  expect_error(tec_proximity(again), class = "tec_error")
  expect_error(tec_proximity(again, iris, oob = TRUE), class = "tec_error_conversion")
})
