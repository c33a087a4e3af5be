# Three dependent variables, one of them with an unused level.
three_variables <- function(n = 60) {
  x <- sample(3, n, TRUE)
  y <- (x + sample(0:1, n, TRUE)) %% 3
  list(
    x = factor(x, 1:4), y = c("a", "b", "c")[y + 1],
    z = (x + y + sample(0:1, n, TRUE, prob = c(0.8, 0.2))) %% 2 > 0
  )
}

test_that("by default the units agree: information is entropy minus conditional entropy", {
  set.seed(21)
  v <- three_variables()
  expect_equal(
    shannon_entropy(v$x) - conditional_entropy(v$x, v$y), mutual_information(v$x, v$y)
  )
  expect_equal(joint_entropy(v$x, v$y), shannon_entropy(paste(v$x, v$y)))
  expect_equal(joint_entropy(c("a", "b", "c", "d"), 1:4), 2)
  # `q` is Tsallis', nats at 1; `beta` bits at 1; `base` sets Shannon's unit.
  for (f in list(joint_entropy, conditional_entropy, mutual_information, cross_entropy)) {
    bits <- f(v$x, v$y)
    if (is.finite(bits)) {
      expect_equal(f(v$x, v$y, q = 1), bits * log(2))
      expect_equal(f(v$x, v$y, beta = 1), bits)
      expect_equal(f(v$x, v$y, base = 4), bits / 2)
      expect_equal(f(v$x, v$y, q = 1, base = 2), bits)
    }
  }
  expect_equal(
    tsallis_entropy(v$x, 1.6) - conditional_entropy(v$x, v$y, q = 1.6),
    mutual_information(v$x, v$y, q = 1.6)
  )
})

# S_q of the combinations of some variables, by its formula.
naive_joint <- function(q, ...) {
  p <- as.vector(table(paste(...))) / length(..1)
  if (q == 1) -sum(p * log(p)) else (1 - sum(p^q)) / (q - 1)
}

test_that("the chain rules hold for three and four variables, q and beta", {
  set.seed(22)
  for (q in setdiff(q_grid, 50)) {
    v <- three_variables()
    w <- sample(letters[1:2], 60, TRUE)
    joint <- joint_entropy(v$x, v$y, v$z, q = q)
    expect_near(joint, naive_joint(q, v$x, v$y, v$z))
    expect_near(joint_entropy(v$x, v$y, v$z, w, q = q), naive_joint(q, v$x, v$y, v$z, w))
    expect_near(
      joint,
      tsallis_entropy(v$x, q) + conditional_entropy(v$y, v$x, q = q) +
        conditional_entropy(v$z, v$x, v$y, q = q)
    )
    # Information of y and z on x: first z, then what y adds.
    yz <- data.frame(v$y, v$z)
    expect_near(
      mutual_information(v$x, yz, q = q),
      mutual_information(v$x, v$z, q = q) + mutual_information(v$x, v$y, given = v$z, q = q),
      scale = joint
    )
    # The conditional form, of two variables given a third.
    expect_near(
      conditional_entropy(data.frame(v$x, v$y), v$z, q = q),
      conditional_entropy(v$x, v$z, q = q) + conditional_entropy(v$y, v$x, v$z, q = q)
    )
    if (q > 0) {
      multiple <- beta_entropy(c(1, 2), q) / tsallis_entropy(c(1, 2), q)
      expect_near(joint_entropy(v$x, v$y, v$z, beta = q), multiple * joint)
      expect_near(
        mutual_information(v$x, v$y, given = v$z, beta = q),
        multiple * mutual_information(v$x, v$y, given = v$z, q = q)
      )
    }
  }
  # Shannon's, in bits.
  expect_equal(joint_entropy(v$x, v$y, v$z), naive_joint(1, v$x, v$y, v$z) / log(2))
})

test_that("conditional information is the mean over what is known, with weights p^q", {
  set.seed(23)
  for (q in c(0.4, 1, 1.7, 2, 3)) {
    v <- three_variables()
    inside <- vapply(split(seq_along(v$z), v$z), function(i) {
      (length(i) / 60)^q * mutual_information(v$x[i], v$y[i], q = q)
    }, 0)
    shared <- mutual_information(v$x, v$y, given = v$z, q = q)
    expect_near(shared, sum(inside))
    expect_near(shared, mutual_information(v$y, v$x, given = v$z, q = q))
    if (q >= 1) expect_gte(shared, -1e-12)
  }
  # Each alone says nothing, both together everything: one bit.
  both <- expand.grid(a = 0:1, b = 0:1)
  xor <- both$a != both$b
  expect_equal(mutual_information(xor, both$a), 0)
  expect_equal(mutual_information(xor, both$a, given = both$b), 1)
  expect_equal(mutual_information(xor, both), 1)
})

test_that("tables of several dimensions, data frames and partitions are several variables", {
  set.seed(24)
  v <- three_variables()
  all <- table(v$x, v$y, v$z)
  expect_equal(joint_entropy(all, q = 2), joint_entropy(v$x, v$y, v$z, q = 2))
  expect_equal(joint_entropy(as.data.frame(v), q = 2), joint_entropy(v$x, v$y, v$z, q = 2))
  expect_equal(conditional_entropy(all), conditional_entropy(v$x, v$y, v$z))
  parts <- lapply(v, function(x) tec_partition(as.character(x)))
  expect_equal(
    joint_entropy(parts$x, parts$y, parts$z, beta = 2),
    beta_entropy(tec_meet(parts$x, parts$y, parts$z), 2)
  )
  expect_equal(
    mutual_information(parts$x, parts$y, given = parts$z),
    mutual_information(v$x, v$y, given = v$z)
  )
  refused <- function(code) expect_error(code, class = "tec_error_entropy")
  refused(mutual_information(v$x, v$y, v$z))
  refused(mutual_information(all))
  refused(mutual_information(table(v$x, v$y), given = v$z))
  refused(mutual_information(v$x, v$y, given = v$z[-1]))
  refused(conditional_entropy(as.data.frame(v)))
  refused(conditional_entropy(v$x, data.frame(a = c(NA, 1:59))))
  refused(joint_entropy(v$x, v$y, 2))
})
