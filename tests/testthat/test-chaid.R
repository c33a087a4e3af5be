# A random problem for CHAID: predictors of all kinds, some with missing values, frequencies.
chaid_case <- function() {
  task <- sample(c("two", "classes", "ordered", "numbers"), 1L, prob = c(3, 3, 1, 3))
  n <- sample(c(30L, 80L, 150L), 1L)
  lacking <- function(x, p) replace(x, stats::runif(length(x)) < p, NA)
  p <- sample(c(0, 0.15), 1L)
  level <- function(k) factor(sample(letters[seq_len(k)], n, TRUE), letters[seq_len(k)])
  data <- data.frame(
    a = lacking(level(sample(2:7, 1L)), p),
    b = lacking(factor(level(sample(3:6, 1L)), ordered = TRUE), p),
    x = lacking(sample(if (stats::runif(1) < 0.5) stats::rnorm(n) else round(stats::rnorm(n), 1)), p),
    c = level(4L)
  )
  signal <- as.integer(data$a) %% 3 + 0.7 * as.integer(data$b) + ifelse(is.na(data$x), 1, data$x)
  signal[is.na(signal)] <- 1
  z <- signal + stats::rnorm(n, sd = sample(c(0.5, 2), 1L))
  y <- switch(task,
    two = factor(z > stats::median(z)),
    classes = factor(cut(z, stats::quantile(z, 0:4 / 4), include.lowest = TRUE, labels = FALSE)[
      sample(n, n, prob = 1 + seq_len(n))
    ]),
    ordered = factor(cut(z, 4L, labels = FALSE), ordered = TRUE),
    numbers = round(z, 2)
  )
  list(
    data = data, y = y, task = task,
    weight = if (stats::runif(1) < 0.3) sample(0:3, n, TRUE) else rep(1, n),
    by = switch(task,
      two = , classes = sample(c("chisq", "chisq_lr"), 1L), ordered = "row_effects", numbers = "f"
    ),
    settings = list(
      rules = sample(c("chaid", "chaid_exhaustive"), 1L), alpha_merge = sample(c(0.05, 0.3), 1L),
      alpha_split = sample(c(0.05, 0.5, 1), 1L), alpha_resplit = sample(c(0, 0.05), 1L),
      p_adjust = sample(c("bonferroni", "none"), 1L, prob = c(3, 1)),
      missing = sample(c("category", "majority"), 1L, prob = c(3, 1)),
      min_bucket = sample(c(1, 7), 1L), min_split = sample(c(10, 20), 1L),
      max_depth = sample(1:2, 1L), intervals = sample(c(3L, 6L), 1L)
    )
  )
}

grow_case <- function(case, ...) {
  given <- c(
    list(x = case$data, y = case$y, preset = "chaid", weights = case$weight), case$settings, list(...)
  )
  if (case$by != "f") given$criterion <- case$by
  suppressWarnings(do.call(tec_tree, given))
}

expect_oracle_tree <- function(fit, case) {
  y <- if (case$task == "numbers") case$y else as.integer(case$y)
  nodes <- oracle_chaid(case$data, y, case$weight, c(case$settings, by = case$by))
  tree <- fit$tree
  expect_identical(length(tree$parent), length(nodes))
  if (length(tree$parent) != length(nodes)) {
    return(invisible())
  }
  expect_equal(tree$weight, vapply(nodes, function(node) sum(case$weight[node$rows]), 0))
  column <- vapply(nodes, function(node) as.integer(node$column %||% 0L), 0L)
  expect_identical(as.integer(tree$variable), column)
  inner <- which(column > 0L)
  test <- function(f) vapply(nodes[inner], function(node) as.double(node$test[[f]]), 0)
  if (length(inner)) {
    found <- split_tests(tree)[inner, ]
    expect_equal(found$statistic, test("statistic"), tolerance = 1e-6)
    expect_identical(found$df, test("df"))
    expect_equal(found$df2, test("df2"))
    expect_equal(tree$test[inner, "log_p"], test("log_p"), tolerance = 1e-6, ignore_attr = TRUE)
    expect_equal(found$p_adjusted, exp(test("log_adjusted")), tolerance = 1e-6)
    expect_equal(tree$score[inner], -test("log_adjusted") / log(10), tolerance = 1e-6)
  }
  leaf <- integer(length(case$y))
  for (i in which(column == 0L)) leaf[nodes[[i]]$rows] <- i
  used <- case$weight > 0
  expect_identical(as.integer(predict(fit, case$data, type = "node"))[used], leaf[used])
}

test_that("trees are those of the oracle", {
  for (seed in seq_len(random_cases(60L))) {
    set.seed(seed)
    case <- chaid_case()
    withr::with_options(list(warn = 1), expect_oracle_tree(grow_case(case), case))
  }
})

test_that("the row effects model is that of glm()", {
  set.seed(1)
  for (i in 1:5) {
    n <- matrix(stats::rpois(12, 8) + 1, 3)
    cells <- data.frame(n = c(n), row = factor(row(n)), class = factor(col(n)), score = c(col(n)))
    deviance_of <- function(formula) stats::deviance(stats::glm(formula, stats::poisson, cells))
    rows <- cells[rep(seq_len(12), cells$n), ]
    fit <- tec_tree(
      rows["row"], ordered(rows$class), preset = "chaid", alpha_merge = 1, alpha_split = 1,
      min_bucket = 1, min_split = 2
    )
    expect_equal(
      fit$tree$test[1, "statistic"], ignore_attr = TRUE, tolerance = 1e-7,
      deviance_of(n ~ row + class) - deviance_of(n ~ row + class + row:score)
    )
    expect_identical(fit$criterion$name, "row_effects")
  }
})
