# Compares each rule with its recursive oracle, on trees of every kind.

test_that("pessimistic pruning follows its formula", {
  for (i in case_seeds(6)) at_seed(i, {
    made <- random_grown(missing = pick(c(0, 0.2)), cost = i %% 3 == 0)
    nested <- nest_fit(made$fit, made$data, made$weights)
    expect_nested(made$fit, nested$problem, nested$root, paste("grown", i))
    pruned <- tec_prune(made$fit, "pep")
    expect_nested(pruned, nested$problem, oracle_pep(nested$problem, nested$root), paste("pep", i))
    expect_identical(pruned$pruning$method, "pep")
  })
})

# Four leaves of 10, 5, 3 and 2 rows with 2, 1, 1 and 0 errors; as a leaf the node makes 9 errors of
# 20. Its own errors: 4 + 4/2 + sqrt(20 * 0.3 * 0.7) = 8.05 < 9.5, so it stays. The printed variant
# compares with the sum of the leaves' errors, 4 + 0.5, and would cut it.
worked_example <- function() {
  rows <- function(x, yes, no) data.frame(x = x, y = rep(c("yes", "no"), c(yes, no)))
  rbind(rows("p", 8, 2), rows("q", 1, 4), rows("r", 2, 1), rows("s", 0, 2))
}

test_that("pessimistic pruning takes the node's own errors, not its leaves' sum", {
  data <- worked_example()
  data$x <- factor(data$x)
  data$y <- factor(data$y)
  fit <- tec_tree(y ~ x, data, preset = "id3")
  expect_equal(fit$tree$n, c(20, 10, 5, 3, 2))
  own <- 20 - max(table(data$y))
  leaves <- sum(tapply(data$y, data$x, function(y) length(y) - max(table(y))))
  expect_equal(c(own, leaves), c(9, 4))
  r <- (leaves + 0.5 * 4) / 20
  bound <- 20 * r + sqrt(20 * r * (1 - r))
  expect_lt(bound, own + 0.5)
  expect_gte(bound, leaves + 0.5)
  expect_equal(length(tec_prune(fit, "pep")$tree$kind), 5)
})

# Quinlan (1993), section 4.2: education spending in the votes of Congress, leaves of 6, 9 and 1
# rows without an error, as a leaf one error of 16.
test_that("both rules cut the worked example of the book on C4.5, with the numbers it gives", {
  data <- data.frame(
    spending = factor(rep(c("n", "y", "unknown"), c(6, 9, 1))),
    party = factor(rep(c("democrat", "republican"), c(15, 1)))
  )
  fit <- tec_tree(party ~ spending, data, preset = "id3")
  expect_setequal(fit$tree$n, c(16, 6, 9, 1))
  # Bounds of a binomial share; from an error on, the book and the program each approximate.
  bound <- function(n, e) qbeta(0.75, e + 1, n - e)
  expect_equal(round(bound(c(6, 9, 1), 0), 3), c(0.206, 0.143, 0.750))
  expect_equal(bound(16, 1), 0.157, tolerance = 0.02)
  program <- function(n, e) e + oracle_extra_errors(n, e, 0.25)
  expect_equal(program(6, 0) + program(9, 0) + program(1, 0), 3.273, tolerance = 3e-4)
  expect_equal(program(16, 1), 2.512, tolerance = 0.02)
  expect_equal(length(tec_prune(fit, "ebp", data = data)$tree$kind), 1)
  # Pessimistic pruning: the node's own error and a half; the printed variant has the half alone.
  r <- (0 + 0.5 * 3) / 16
  most <- 16 * r + sqrt(16 * r * (1 - r))
  as_leaf <- 16 - max(table(data$party)) + 0.5
  printed <- sum(fit$tree$n[-1] - fit$tree$n[-1] * apply(fit$tree$prob[-1, ], 1, max)) + 0.5
  expect_equal(c(as_leaf, printed, most), c(1.5, 0.5, 2.666), tolerance = 1e-3)
  expect_equal(length(tec_prune(fit, "pep")$tree$kind), 1)
})

test_that("collapsing removes splits that save no training error", {
  for (i in case_seeds(3)) at_seed(i, {
    made <- random_grown(cost = i %% 3 == 0)
    nested <- nest_fit(made$fit, made$data, made$weights)
    pruned <- tec_prune(made$fit, "collapse")
    expect_nested(pruned, nested$problem, oracle_collapse(nested$problem, nested$root))
  })
})

test_that("error-based pruning follows its formula, with and without raising", {
  set.seed(3)
  raised <- 0
  for (i in case_seeds(8)) at_seed(i, {
    made <- random_grown(missing = pick(c(0, 0, 0.2)), cost = i %% 4 == 0)
    nested <- nest_fit(made$fit, made$data, made$weights)
    cf <- pick(c(0.01, 0.1, 0.25, 0.5))
    flat <- tec_prune(made$fit, "ebp", cf = cf)
    expect_nested(
      flat, nested$problem, oracle_ebp(nested$problem, nested$root, cf, FALSE), paste("flat", i)
    )
    data <- made$data
    pruned <- tec_prune(made$fit, "ebp", cf = cf, data = data, weights = made$weights)
    expect_nested(
      pruned, nested$problem, oracle_ebp(nested$problem, nested$root, cf, TRUE), paste("raise", i)
    )
    raised <- raised + !identical(flat$tree, pruned$tree)
    expect_identical(
      predict(pruned, data, type = "node"), rank_of_leaf(nested$problem, pruned, data)
    )
  })
  if (all_cases()) expect_gte(raised, 5)
})

test_that("the fit raises branches as tec_prune() does with its data", {
  set.seed(4)
  data <- pruning_data(200)
  grown <- tec_tree(y ~ ., data, preset = "c45", prune = "none")
  at_once <- tec_tree(y ~ ., data, preset = "c45")
  later <- tec_prune(grown, "ebp", data = data)
  expect_identical(at_once$tree, later$tree)
  expect_identical(at_once$pruning, list(method = "ebp", cf = 0.25, raise = TRUE))
  flat <- tec_tree(y ~ ., data, preset = "c45", raise = FALSE)
  expect_identical(flat$tree, tec_prune(grown, "ebp")$tree)
  plain <- tec_tree(y ~ ., data, preset = "c45", prune = "none", collapse = FALSE)
  expect_identical(grown$tree, tec_prune(plain, "collapse")$tree)
})

test_that("reduced-error pruning follows its definition", {
  for (i in case_seeds(4)) at_seed(i, {
    made <- random_grown(cost = i %% 3 == 0)
    other <- pruning_data(pick(c(1, 10, 80)), length(made$fit$response$levels))
    nested <- nest_fit(made$fit, made$data, made$weights)
    seen <- nest_fit(made$fit, other)
    expected <- oracle_rep(seen$problem, seen$root, nested$root)
    pruned <- suppressWarnings(tec_prune(made$fit, validation = other))
    expect_nested(pruned, nested$problem, expected, paste("rep", i))
    expect_identical(pruned$pruning, list(method = "rep", n_validation = nrow(other)))
  })
  for (criterion in c("l2", "l1")) {
    data <- mtcars[1:20, ]
    data$y <- data$mpg
    other <- mtcars[21:32, ]
    other$y <- other$mpg
    fit <- tec_tree(y ~ cyl + hp + wt + qsec, data, criterion = criterion, min_bucket = 1)
    nested <- nest_fit(fit, data)
    seen <- nest_fit(fit, other)
    pruned <- tec_tree(y ~ cyl + hp + wt + qsec, data,
      criterion = criterion, min_bucket = 1, prune = "rep", validation = other
    )
    expect_nested(pruned, nested$problem, oracle_rep(seen$problem, seen$root, nested$root))
    expect_lt(length(pruned$tree$kind), length(fit$tree$kind))
  }
})

test_that("a response made by a call is found in new rows", {
  data <- data.frame(x = 1:20, z = exp(c(1:10, 1:10) / 10))
  fit <- tec_tree(log(z) ~ x, data, min_bucket = 1)
  pruned <- tec_prune(fit, validation = data)
  expect_equal(predict(pruned, data), predict(fit, data))
})

test_that("pruning twice, a leaf, and everything else of a fit are fine", {
  set.seed(6)
  made <- random_grown()
  fit <- made$fit
  for (method in c("pep", "ebp", "collapse")) {
    once <- tec_prune(fit, method)
    # Of these the pessimistic rule alone may find more to do: its leaves have become fewer.
    if (method != "pep") expect_identical(tec_prune(once, method)$tree, once$tree)
    expect_lte(length(tec_prune(once, method)$tree$kind), length(once$tree$kind))
    kept <- setdiff(names(fit), c("tree", "pruning"))
    expect_identical(once[kept], fit[kept])
    expect_s3_class(as.data.frame(once), "data.frame")
    expect_output(print(once), "root")
  }
  leaf <- tec_tree(y ~ x, toy(), max_depth = 0)
  for (method in c("pep", "ebp", "collapse")) {
    expect_identical(tec_prune(leaf, method)$tree, leaf$tree)
  }
  expect_identical(tec_prune(leaf, cp = 0.1)$tree, leaf$tree)
  expect_identical(tec_prune(leaf, validation = toy())$tree, leaf$tree)
  expect_identical(tec_prune(leaf, "ebp", data = toy())$tree, leaf$tree)
})

test_that("a very deep tree is pruned", {
  deep <- chain_tree(20000L)
  tree <- deep$tree
  # Each split takes 2 off the risk; the last few are the dearest.
  deep$tree$impurity <- ifelse(tree$kind == 0L, 0, 2 * (20000 - tree$depth) + 1)
  expect_length(tec_prune(deep, cp = 0)$tree$kind, 40001L)
  expect_length(tec_prune(deep, alpha = 3)$tree$kind, 1L)
  table <- cp_table(deep)
  expect_equal(range(table$n_leaves), c(1, 20001))
  expect_true(all(diff(table$cp) < 0))
})
