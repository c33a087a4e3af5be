test_that("a failed registration is a warning", {
  withr::defer(setHook(packageEvent("utils", "onLoad"), NULL, "replace"))
  expect_warning(
    once_loaded("utils", function() stop("no such list")),
    class = "tec_warning_package"
  )
  done <- 0
  once_loaded("utils", function() done <<- done + 1)
  expect_equal(done, 1)
  # The last: other packages may have hooks there too.
  hook <- utils::tail(getHook(packageEvent("utils", "onLoad")), 1)[[1]]
  hook("utils", "")
  expect_equal(done, 2)
})
