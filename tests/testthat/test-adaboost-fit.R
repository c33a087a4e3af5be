ada <- function(x, y, ...) {
  tec_boost(x, y, method = "adaboost", ..., threads = 1)
}

test_that("weights and votes are those of a naive oracle with gini stumps", {
  for (i in case_seeds(2)) at_seed(i, {
    n <- 40
    x <- data.frame(a = rnorm(n), b = rnorm(n), c = round(rnorm(n), 1))
    y <- factor(sample(letters[1:(2 + i %% 3)], n, TRUE))
    w <- if (i %% 2 == 0) sample(1:3, n, TRUE) else rep(1, n)
    rate <- c(1, 0.5)[1 + i %% 2]
    fit <- ada(x, y, rounds = 12, weights = w, rate = rate)
    w <- w / mean(w)
    expected <- oracle_samme(y, w, 12, rate, gini_stump(x, y))
    expect_equal(fit$vote, expected$votes, tolerance = 1e-12, info = i)
    expect_lt(max(abs(fit$weight - expected$weight)), 1e-12 * sum(w))
  })
})

test_that("weights equal those of single trees grown by other criteria", {
  for (i in case_seeds(2)) at_seed(i, {
    n <- 60
    x <- data.frame(a = rnorm(n), b = rnorm(n), f = factor(sample(letters[1:3], n, TRUE)))
    y <- factor(sample(letters[1:3], n, TRUE))
    settings <- list(
      list(criterion = "gain_ratio", max_depth = 1), list(q = 0.5, max_depth = 2),
      list(q = 2, max_depth = 3)
    )[[1 + i %% 3]]
    grow <- function(w) {
      # Sizes must not bind; weights are relative.
      tree <- do.call(tec_tree, c(
        list(x, y, weights = w * 1e6, min_bucket = 1, min_split = 2, prune = "none", smooth = 0,
          missing = "learned"
        ), settings
      ))
      predict(tree, x)
    }
    fit <- do.call(ada, c(list(x, y, rounds = 8), settings))
    expected <- oracle_samme(y, rep(1, n), 8, 1, grow)
    expect_equal(fit$vote, expected$votes, tolerance = 1e-10, info = i)
    expect_lt(max(abs(fit$weight - expected$weight)), 1e-9)
  })
})

test_that("only sizes that are given bound the weights of the rows", {
  set.seed(11)
  d <- data.frame(x = rnorm(40), y = factor(sample(c("a", "b"), 40, TRUE)))
  grow <- function(...) tec_boost(y ~ x, d, method = "adaboost", rounds = 3, max_depth = 6, ...)
  leaves <- function(fit) sum(fit$trees$variable[seq_len(fit$trees$start[2])] == 0)
  expect_gt(leaves(grow()), leaves(grow(min_split = 15)))
  expect_gt(leaves(grow()), leaves(grow(min_bucket = 8)))
  expect_identical(grow(min_bucket = 1)$trees, grow(min_bucket = 1, min_split = 2)$trees)
})

test_that("the class with the most votes wins; a tree without errors ends the run", {
  set.seed(1)
  fit <- tec_boost(Species ~ ., iris, method = "adaboost", rounds = 15)
  votes <- matrix(0, 150, 3)
  for (t in 1:15) {
    one <- predict(fit, iris, type = "link", rounds = t) -
      (if (t > 1) predict(fit, iris, type = "link", rounds = t - 1) else 0)
    votes <- votes + one
    expect_equal(unname(rowSums(one)), rep(fit$vote[t], 150))
  }
  expect_identical(as.integer(predict(fit, iris)), max.col(votes, "first"))
  p <- predict(fit, iris, type = "prob")
  expect_equal(rowSums(p), rep(1, 150))
  perfect <- tec_boost(Species ~ ., iris, method = "adaboost", max_depth = 20)
  expect_identical(perfect$rounds, 1L)
  expect_identical(perfect$vote, 1)
})

test_that("scikit-learn's AdaBoostClassifier has the same votes and weights", {
  slow_test()
  python <- skip_without_sklearn()
  code <- paste(
    "import sys, numpy as np", "from sklearn.ensemble import AdaBoostClassifier",
    "from sklearn.tree import DecisionTreeClassifier",
    "d = np.loadtxt(sys.argv[1], delimiter=','); x = d[:, :-1].astype(np.float32); y = d[:, -1]",
    "m = AdaBoostClassifier(DecisionTreeClassifier(max_depth=int(sys.argv[3]), random_state=0),",
    "  n_estimators=10, algorithm='SAMME', random_state=0).fit(x, y)",
    "p = m.predict_proba(x)",
    "both = np.concatenate([m.estimator_weights_, p.ravel(order='F')])",
    "np.savetxt(sys.argv[2], both, fmt='%.17g')",
    sep = "\n"
  )
  script <- withr::local_tempfile(fileext = ".py")
  writeLines(code, script)
  for (i in case_seeds(1)) at_seed(i, {
    n <- 200
    # Numbers that single precision holds, so that both see the same.
    x <- as.data.frame(matrix(sample(2^16, 4 * n) / 2^10, n))
    y <- cut(x[[1]] + x[[2]] + 20 * rnorm(n), 2 + i %% 2, labels = FALSE)
    files <- withr::local_tempfile(pattern = c("in", "out"))
    write_numbers(c(x, list(y)), files[1])
    system2(python, c(script, files, 1 + (i %% 4 == 0)))
    said <- scan(files[2], quiet = TRUE)
    fit <- ada(x, factor(y), rounds = 10, max_depth = 1 + (i %% 4 == 0))
    expect_equal(fit$vote, said[1:10], tolerance = 1e-9, info = i)
    expect_equal(as.vector(predict(fit, x, type = "prob")), said[-(1:10)], tolerance = 1e-9)
  })
})
