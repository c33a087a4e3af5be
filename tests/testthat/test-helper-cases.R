# The number of random cases, where they start, and the message of a case that fails.

test_that("TECTREE_CASES sets the number of cases, which is smallest on CRAN", {
  taken <- function(cases, not_cran) {
    withr::local_envvar(TECTREE_CASES = cases, NOT_CRAN = not_cran)
    c(random_cases(1), random_cases(8), length(case_seeds(8, also = 5)), all_cases())
  }
  expect_identical(taken("", "false"), c(1L, 4L, 5L, 0L))
  expect_identical(taken("", "true"), c(1L, 8L, 9L, 0L))
  expect_identical(taken("0", "true"), c(1L, 4L, 5L, 0L))
  expect_identical(taken("10", "true"), c(10L, 80L, 81L, 1L))
  expect_identical(taken("1000", "false"), c(1000L, 8000L, 8001L, 1L))
})

test_that("TECTREE_SEED sets where they start", {
  seeds <- function(start) withr::with_envvar(c(TECTREE_SEED = start), case_seeds(20))
  expect_identical(seeds(NA), seq_along(seeds(NA)))
  all <- unlist(lapply(c("0", "1", "2", "99999"), seeds))
  expect_false(anyDuplicated(all) > 0)
  expect_true(all(all < .Machine$integer.max))
})

test_that("different seeds take different cases, and in the end all of them", {
  withr::local_envvar(TECTREE_CASES = "1")
  taken <- lapply(0:6, function(start) {
    withr::with_envvar(c(TECTREE_SEED = start), in_turn(letters[1:7], 2))
  })
  expect_identical(lengths(taken), rep(2L, 7))
  expect_setequal(unlist(taken), letters[1:7])
  expect_false(any(vapply(taken, is.unsorted, NA)))
  expect_identical(in_turn(1:3, 3), 1:3)
  expect_length(in_turn(1:248, 25), 25)
  withr::local_envvar(TECTREE_CASES = "10")
  expect_identical(in_turn(1:7, 2), 1:7)
})

test_that("tests out of turn are slow ones, and each has its turn", {
  ran <- function(slow, start) {
    withr::local_envvar(TECTREE_CASES = "1", TECTREE_SLOW = slow, TECTREE_SEED = start)
    Filter(function(case) {
      tryCatch({
        slow_out_of_turn(case, letters[1:5], 2)
        TRUE
      }, skip = function(e) FALSE)
    }, letters[1:5])
  }
  skip_on_cran()
  some <- lapply(0:4, function(start) ran("no", start))
  expect_identical(lengths(some), rep(2L, 5))
  expect_setequal(unlist(some), letters[1:5])
  expect_identical(ran(NA, 3), letters[1:5])
  expect_identical(withr::with_envvar(c(TECTREE_SLOW = "no"), fewer(20, 5)), 5)
  expect_identical(withr::with_envvar(c(TECTREE_SLOW = "yes"), fewer(20, 5)), 20)
})

test_that("a case that fails names its seed, and the others run", {
  drawn <- list()
  said <- character()
  caught <- function(code) {
    withCallingHandlers(code, expectation_failure = function(e) {
      said <<- c(said, conditionMessage(e))
      invokeRestart("continue_test")
    })
  }
  for (i in 11:15) at_seed(i, {
    if (i == 12) next
    drawn <- c(drawn, stats::runif(1))
    if (i == 13) caught(at_seed(i, expect_true(FALSE)))
  })
  expect_length(said, 1L)
  expect_match(said, "This random case: 13", fixed = TRUE)
  expect_identical(drawn, lapply(c(11, 13:15), function(i) withr::with_seed(i, stats::runif(1))))
  expect_error(at_seed(16, stop("broken")), "broken\nThis random case: 16", fixed = TRUE)
})
