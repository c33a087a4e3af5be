test_that("parameters of dials", {
  skip_if_not_installed("dials")
  expect_identical(dials::range_get(tec_q_param()), list(lower = 0.2, upper = 4))
  expect_identical(dials::value_seq(tec_q_param(c(1, 2)), 3), c(1, 1.5, 2))
  classes <- tec_criteria()$name[tec_criteria()$task == "classification"]
  expect_identical(tec_criterion_param()$values, classes)
  expect_identical(dials::value_seq(tec_criterion_param(c("l2", "l1")), 2), c("l2", "l1"))
  expect_error(tec_criterion_param("ginni"), class = "tec_error_criterion")
})

test_that("what dials does not take is an error of ours", {
  skip_if_not_installed("dials")
  for (range in list(NULL, "a", 1, list(1), c(3, 2))) {
    expect_error(tec_q_param(range), class = "tec_error_argument")
  }
  expect_error(tec_q_param(trans = "log"), class = "tec_error_argument")
  expect_error(tec_criterion_param(mean), class = "tec_error_criterion")
})
