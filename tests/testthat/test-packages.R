test_that("a package that is not there is named, with the way to get it", {
  expect_snapshot(show_errors(need_package("not.a.package", "as_rpart")))
  expect_error(need_package("not.a.package", "f"), class = "tec_error_package")
  expect_invisible(need_package("stats", "f"))
})
