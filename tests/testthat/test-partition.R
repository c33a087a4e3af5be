random_partition <- function(n, n_blocks = sample(n, 1)) {
  tec_partition(sample(n_blocks, n, replace = TRUE))
}

# A coarser partition: some blocks of x joined.
random_coarsening <- function(x) {
  join <- sample(length(x), length(x), replace = TRUE)
  tec_partition(join[x$block], x$elements)
}

expect_near <- function(object, expected) {
  expect_lte(abs(object - expected), 1e-9 * max(1, abs(object), abs(expected)))
}

beta_grid <- c(0.2, 0.5, 1 - 1e-9, 1, 1 + 1e-9, 1.7, 2, 3.9, 10)

test_that("a variable and its list of blocks give the same partition", {
  from_variable <- tec_partition(c("b", "a", "b", "c"))
  expect_identical(from_variable, tec_partition(list(4, c(3, 1), 2)))
  expect_identical(as.list(from_variable), list(c(1, 3), 2, 4))
  expect_length(from_variable, 3)
  named <- tec_partition(factor(c("x", "y", "x")), c("r", "p", "q"))
  expect_identical(as.list(named), list("p", c("q", "r")))
})

test_that("the meet is the set of non-empty intersections", {
  x <- tec_partition(list(1:3, 4:6))
  y <- tec_partition(list(c(1, 2, 4), c(3, 5, 6)))
  expect_identical(tec_meet(x, y), tec_partition(list(1:2, 3, 4, 5:6)))
  z <- tec_partition(list(c(1, 5), c(2, 3, 4, 6)))
  expect_identical(tec_meet(x, y, z), tec_partition(as.list(1:6)))
  for (i in case_seeds(3)) at_seed(i, {
    x <- random_partition(12)
    y <- random_partition(12)
    z <- random_partition(12)
    expect_identical(tec_meet(x, y), tec_meet(y, x))
    expect_identical(tec_meet(tec_meet(x, y), z), tec_meet(x, tec_meet(y, z)))
    expect_identical(tec_meet(x, x), x)
  })
})

test_that("finer is the order that belongs to the meet", {
  for (i in case_seeds(5)) at_seed(i, {
    x <- random_partition(10)
    y <- if (i %% 2) random_partition(10) else random_coarsening(x)
    expect_true(tec_is_finer(tec_meet(x, y), x))
    expect_true(tec_is_finer(tec_meet(x, y), y))
    expect_true(tec_is_finer(x, x))
    expect_identical(tec_is_finer(x, y), identical(tec_meet(x, y), x))
  })
  finest <- tec_partition(1:4)
  coarsest <- tec_partition(rep(1, 4))
  expect_true(tec_is_finer(finest, coarsest))
  expect_false(tec_is_finer(coarsest, finest))
})

test_that("traces on the blocks add up to the meet", {
  for (i in case_seeds(2)) at_seed(i, {
    x <- random_partition(10)
    y <- random_partition(10, 3)
    traces <- lapply(as.list(y), function(block) tec_trace_on(x, block))
    joined <- if (length(traces) > 1) do.call(tec_partition_sum, traces) else traces[[1]]
    expect_identical(joined, tec_meet(x, y))
  })
})

test_that("H(x meet y) = H(x | y) + H(y)", {
  set.seed(14)
  for (beta in beta_grid) {
    x <- random_partition(15)
    y <- random_partition(15)
    expect_near(
      beta_entropy(tec_meet(x, y), beta),
      conditional_entropy(x, y, beta = beta) + beta_entropy(y, beta)
    )
    expect_near(joint_entropy(x, y, beta = beta), beta_entropy(tec_meet(x, y), beta))
  }
})

test_that("the conditional entropy is the sum over traces", {
  set.seed(15)
  for (beta in beta_grid) {
    x <- random_partition(15)
    y <- random_partition(15)
    terms <- vapply(as.list(y), function(block) {
      (length(block) / 15)^beta * beta_entropy(tec_trace_on(x, block), beta)
    }, 0)
    expect_near(conditional_entropy(x, y, beta = beta), sum(terms))
  }
})

test_that("H(x | y) = 0 exactly when y is finer than x", {
  set.seed(16)
  n_finer <- 0
  for (i in case_seeds(6)) at_seed(i, {
    y <- random_partition(12)
    x <- if (i %% 2) random_coarsening(y) else random_partition(12)
    n_finer <- n_finer + tec_is_finer(y, x)
    for (beta in c(0.5, 1, 2, 3)) {
      expect_identical(conditional_entropy(x, y, beta = beta) == 0, tec_is_finer(y, x))
    }
  })
  expect_gt(n_finer, random_cases(6) / 6)
})

test_that("a finer condition leaves no more entropy, for beta of at least 1", {
  for (i in case_seeds(4)) at_seed(i, {
    fine <- random_partition(12)
    coarse <- random_coarsening(fine)
    x <- random_partition(12)
    for (beta in c(1, 1.5, 2, 4)) {
      expect_lte(
        conditional_entropy(x, fine, beta = beta),
        conditional_entropy(x, coarse, beta = beta) + 1e-12
      )
      expect_gte(mutual_information(x, coarse, beta = beta), -1e-12)
    }
  })
})

test_that("the entropies of a partition are those of its block sizes", {
  x <- tec_partition(list(1:3, 4, 5:6))
  expect_equal(tsallis_entropy(x, 1.4), tsallis_entropy(c(3, 1, 2), 1.4))
  expect_equal(gini_index(x), gini_index(c(3, 1, 2)))
  expect_equal(
    conditional_entropy(x, tec_partition(list(1:2, 3:6)), q = 2),
    conditional_entropy(x$block, c(1, 1, 2, 2, 2, 2), q = 2)
  )
  # The elements are matched, not the positions.
  shuffled <- tec_partition(c(2, 2, 1), c("c", "a", "b"))
  expect_equal(conditional_entropy(shuffled, tec_partition(c(1, 2, 1), c("a", "b", "c"))), 0)
})

test_that("a partition prints its blocks", {
  x <- tec_partition(list(c(1, 2, 8), c(3, 7), 4:6))
  expect_identical(format(x), "{1, 2, 8 | 3, 7 | 4, 5, 6}")
  expect_identical(format(x, width = 12), "{1, 2, 8 ...")
  expect_output(print(x), "8 elements in 3 blocks")
  expect_output(print(tec_partition(1)), "1 element in 1 block")
  expect_invisible(print(x))
})

test_that("bad arguments raise classed errors", {
  refused <- function(code) expect_error(code, class = "tec_error_partition")
  x <- tec_partition(1:3)
  refused(tec_partition(sum))
  refused(tec_partition(NULL))
  refused(tec_partition(integer()))
  refused(tec_partition(c(1, NA)))
  refused(tec_partition(1:3, 1:2))
  refused(tec_partition(1:2, c("a", "a")))
  refused(tec_partition(1:2, c("a", NA)))
  refused(tec_partition(1:2, list(1, 2)))
  refused(tec_partition(list(1, integer())))
  refused(tec_partition(list(1:2, 2:3)))
  refused(tec_partition(list(1, "a")))
  refused(tec_partition(list(1, 2), 1:2))
  refused(tec_meet(x, 1:3))
  refused(tec_meet(x, tec_partition(1:4)))
  refused(tec_trace_on(x, 4))
  refused(tec_trace_on(x, integer()))
  refused(tec_partition_sum(x, tec_partition(1:2)))
  refused(tec_is_finer(x, tec_partition(1:4)))
  refused(tec_is_finer(1:3, x))
})
