# Random moments of long calls; test-time-limit.R has fixed ones. `Rscript
# tools/checks/interrupts.R` takes 300 of each call.

test_that("any long call ends with R's own condition, and the next call is right", {
  slow_test()
  skip_on_cran()
  skip_on_os(c("windows", "mac"))
  calls <- long_calls(0.5)
  # A few calls, from commit to commit others.
  calls <- in_turn(calls, 4)
  faults <- stop_at_moments(calls, random_cases(3), seed = case_seeds(1)[1L], latest = 5)
  expect_identical(faults$fault, NULL)
})
