test_that("of more curves than can be told apart the best of each point are left", {
  set.seed(1)
  tuned <- tec_tune(Ozone ~ ., na.omit(airquality), folds = 3)
  expect_message(few <- best_curves(tuned, "cp", "rmse"), class = "tec_message_curves")
  expect_equal(few$grid, c("cp", "min_split", "min_bucket"))
  # The slow way: a group at a time.
  parts <- split(tuned$table, tuned$table[c("cp", "min_split", "min_bucket")], drop = TRUE)
  best <- vapply(parts, function(part) min(part$rmse), 0)
  found <- few$table[order(few$table$min_bucket, few$table$min_split, few$table$cp), ]
  expect_equal(found$rmse, unname(best))
  expect_equal(few$table[few$chosen, ], tuned$table[tuned$chosen, ], ignore_attr = TRUE)
  expect_lte(nlevels(curve_of_settings(few, few$table, "cp")), most_curves)
  other <- suppressMessages(best_curves(tuned, "min_bucket", "rmse"))
  expect_equal(other$grid, c("min_split", "min_bucket"))
})

test_that("the chosen setting stays, also where it is not the best", {
  set.seed(1)
  tuned <- tec_tune(Ozone ~ ., na.omit(airquality), folds = 3, rule = "1se")
  few <- suppressMessages(best_curves(tuned, "cp", "rmse"))
  expect_false(tuned$chosen == tuned$best)
  expect_equal(few$table[few$chosen, ], tuned$table[tuned$chosen, ], ignore_attr = TRUE)
})

test_that("few curves stay as they are", {
  set.seed(1)
  tuned <- full_tune(Species ~ ., iris, q = c(0.5, 1, 2), min_bucket = c(1, 5), folds = 3)
  expect_identical(best_curves(tuned, "q", "accuracy"), tuned)
  race <- full_tune(Species ~ ., iris, criterion = c("gini", "shannon"), folds = 3)
  expect_identical(best_curves(race, NULL, "accuracy"), race)
})
