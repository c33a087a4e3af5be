test_that("the entropies have their textbook values", {
  expect_equal(shannon_entropy(c(9, 5)), 0.9402859586706311)
  expect_equal(shannon_entropy(c(1, 1, 1, 1)), 2)
  expect_equal(shannon_entropy(c(1, 1), base = exp(1)), log(2))
  expect_equal(tsallis_entropy(c(1, 1)), log(2))
  expect_equal(gini_index(c(9, 5)), 1 - (81 + 25) / 196)
  expect_equal(split_information(c(5, 4, 5)), 1.577406282852345)
  expect_equal(beta_entropy(c(9, 5), beta = 2), 2 * gini_index(c(9, 5)))
})

test_that("special values of q give the named entropies", {
  set.seed(1)
  for (i in 1:20) {
    # A single share is given as a table: a number would be warned of.
    p <- as.table(random_shares(sample(1:6, 1)))
    expect_equal(tsallis_entropy(p, 0), length(p) - 1)
    expect_equal(tsallis_entropy(p, 1), shannon_entropy(p, exp(1)))
    expect_equal(tsallis_entropy(p, 2), gini_index(p))
    expect_equal(beta_entropy(p, 1), shannon_entropy(p))
  }
})

test_that("the defining formula holds for every q and beta", {
  set.seed(2)
  for (q in setdiff(q_grid, 1)) {
    p <- random_shares(4)
    expect_near(tsallis_entropy(p, q), (sum(p^q) - 1) / (1 - q))
    expect_near(tsallis_entropy(p, q), sum(p * q_log(1 / p, q)))
    if (q > 0) {
      expect_near(beta_entropy(p, q), (1 - sum(p^q)) / (1 - 2^(1 - q)))
      expect_near(beta_entropy(p, q), tsallis_entropy(p, q) * (1 - q) / (2^(1 - q) - 1))
    }
  }
})

test_that("the entropies are continuous near 1", {
  p <- c(0.1, 0.2, 0.7)
  for (step in c(1e-15, 1e-12, 1e-9, 1e-6)) {
    for (sign in c(-1, 1)) {
      q <- 1 + sign * step
      tolerance <- 2 * step + 1e-14
      expect_lt(abs(tsallis_entropy(p, q) - tsallis_entropy(p, 1)), tolerance)
      expect_lt(abs(beta_entropy(p, q) - beta_entropy(p, 1)), 2 * tolerance)
      expect_lt(abs(q_log(3, q) - log(3)), tolerance)
      expect_lt(abs(q_exp(3, q) - exp(3)), 100 * tolerance)
    }
  }
})

test_that("weights, variables and tables give the same results", {
  x <- c("a", "b", "a", "c", "a")
  expect_equal(tsallis_entropy(x, 1.5), tsallis_entropy(c(3, 1, 1), 1.5))
  expect_equal(tsallis_entropy(factor(x, letters), 1.5), tsallis_entropy(c(3, 1, 1), 1.5))
  expect_equal(tsallis_entropy(table(x), 1.5), tsallis_entropy(c(3, 1, 1), 1.5))
  expect_equal(gini_index(c(TRUE, FALSE, TRUE)), gini_index(c(2, 1)))
  expect_equal(shannon_entropy(c(0.2, 0, 0.8)), shannon_entropy(c(1, 4)))
  expect_equal(shannon_entropy(c(0.4, 1.6) * 1e308), shannon_entropy(c(1, 4)))
  expect_identical(tsallis_entropy(c(0, 3), -2), 0)
})

test_that("q_exp() inverts q_log() and both keep their limits", {
  for (q in setdiff(q_grid, 50)) {
    expect_equal(q_exp(q_log(c(0.3, 1, 4), q), q), c(0.3, 1, 4))
  }
  expect_equal(q_log(0, 0.5), -2)
  expect_equal(q_log(0, 2), -Inf)
  expect_equal(q_exp(-10, 0.5), 0)
  expect_equal(q_exp(1, 2), Inf)
  # Beyond the pole: 0 where 1 + (1 - q) x < 0.
  expect_identical(q_exp(c(0.5, 1.5, 3, 10, NA), 2), c(2, 0, 0, 0, NA))
  expect_identical(q_exp(-3, 0.5), 0)
  expect_equal(q_log(NA_real_, 2), NA_real_)
})

test_that("joint, conditional and mutual entropy satisfy the chain rule", {
  set.seed(3)
  for (q in q_grid) {
    cells <- random_cells()
    joint <- joint_entropy(cells, q = q)
    x_given_y <- conditional_entropy(cells, q = q)
    y_given_x <- conditional_entropy(t(cells), q = q)
    x <- tsallis_entropy(rowSums(cells), q)
    y <- tsallis_entropy(colSums(cells), q)
    expect_near(joint, x + y_given_x)
    expect_near(joint, y + x_given_y)
    shared <- mutual_information(cells, q = q)
    expect_near(shared, x - x_given_y)
    expect_near(shared, mutual_information(t(cells), q = q), scale = max(1, joint))
    expect_near(y_given_x + x_given_y, joint - shared, scale = max(1, joint))
  }
})

test_that("the chain rule holds for three variables", {
  set.seed(4)
  n <- 40
  x <- sample(3, n, TRUE)
  y <- sample(2, n, TRUE)
  z <- (x + sample(0:1, n, TRUE)) %% 3
  yz <- paste(y, z)
  xy <- paste(x, y)
  for (q in q_grid) {
    expect_near(
      joint_entropy(xy, z, q = q),
      tsallis_entropy(as.character(x), q) + conditional_entropy(y, x, q = q) +
        conditional_entropy(z, xy, q = q)
    )
    # The conditional form: S(Y, Z | X) = S(Y | X) + S(Z | X, Y).
    expect_near(
      conditional_entropy(yz, x, q = q),
      conditional_entropy(y, x, q = q) + conditional_entropy(z, xy, q = q)
    )
  }
})

test_that("independent variables add up with the term (1 - q) S(X) S(Y)", {
  set.seed(5)
  for (q in q_grid) {
    x <- random_shares(3)
    y <- random_shares(4)
    s_x <- tsallis_entropy(x, q)
    s_y <- tsallis_entropy(y, q)
    expect_near(joint_entropy(outer(x, y), q = q), s_x + s_y + (1 - q) * s_x * s_y)
  }
})

test_that("beta chooses the beta-entropy and base the unit", {
  cells <- rbind(c(3, 0, 2), c(2, 4, 3))
  for (beta in c(0.4, 1, 2, 3.3)) {
    multiple <- beta_entropy(c(1, 2), beta) / tsallis_entropy(c(1, 2), beta)
    for (f in list(joint_entropy, conditional_entropy, mutual_information)) {
      expect_equal(f(cells, beta = beta), multiple * f(cells, q = beta))
    }
  }
  expect_equal(mutual_information(cells, base = 2), mutual_information(cells, q = 1) / log(2))
})

test_that("vectors and their table give the same", {
  x <- factor(c("n", "n", "y", "y", "y"), c("y", "n", "unused"))
  y <- c(1.5, 2, 2, 1.5, 7)
  expect_equal(conditional_entropy(x, y, q = 3), conditional_entropy(table(x, y), q = 3))
  # Numbers that differ after the 15th digit are different values.
  close <- c(0.3, 0.1 + 0.2, 0.3, 0.1 + 0.2)
  expect_equal(conditional_entropy(c(1, 2, 1, 2), close), 0)
})

test_that("bad arguments raise classed errors", {
  refused <- function(code) expect_error(code, class = "tec_error_entropy")
  refused(tsallis_entropy(c(1, -1)))
  refused(tsallis_entropy(c(1, NA)))
  refused(tsallis_entropy(c(1, Inf)))
  refused(tsallis_entropy(c(0, 0)))
  refused(tsallis_entropy(numeric()))
  refused(tsallis_entropy(factor(c("a", NA))))
  refused(tsallis_entropy(list(1)))
  refused(tsallis_entropy(NULL))
  refused(tsallis_entropy(1, q = NA))
  refused(tsallis_entropy(1, q = Inf))
  refused(tsallis_entropy(1, q = "1"))
  refused(tsallis_entropy(1, q = 1:2))
  refused(beta_entropy(1, beta = 0))
  refused(beta_entropy(1, beta = -1))
  refused(shannon_entropy(1, base = 1))
  refused(q_log(-1, 2))
  refused(q_log("a", 2))
  refused(q_exp(factor("a"), 2))
  refused(joint_entropy(1:3, 1:2))
  refused(joint_entropy(1:3))
  refused(joint_entropy(c(1, NA), 1:2))
  refused(joint_entropy(integer(), integer()))
  refused(joint_entropy(list(1), 1))
  refused(joint_entropy(1:2, 1:2, q = 2, beta = 2))
  refused(joint_entropy(1:2, 1:2, q = 2, base = 2))
  refused(joint_entropy(tec_partition(1:2), tec_partition(1:3)))
  refused(cami(matrix("a")))
})
