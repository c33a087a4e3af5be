# Random problems through tec_tree(), and the roads that must lead to the same tree. The C++ tests
# take many more; see tests/cpp/roads.

# Evaluates `code` on a road of the engine.
on_road <- function(code, sorted_only = FALSE, pass_on_at = 0, simd = TRUE) {
  tec_take_road_(sorted_only, pass_on_at, simd)
  on.exit(tec_take_road_())
  force(code)
}

random_values <- function(kind, n) {
  switch(kind,
    two = sample(c(0, 1), n, TRUE),
    twelve = sample(12L, n, TRUE),
    many = sample(300, n, TRUE) / 8,
    continuous = stats::rnorm(n),
    skewed = floor(stats::rexp(n)^3),
    constant = rep(3, n),
    nominal = factor(sample(letters[1:5], n, TRUE), levels = letters[1:6]),
    ordered = factor(sample(7, n, TRUE), levels = 1:7, ordered = TRUE),
    logical = sample(c(TRUE, FALSE), n, TRUE),
    date = as.Date("2020-01-01") + sample(200, n, TRUE)
  )
}

random_road_data <- function(n, classes) {
  kinds <- c(
    "two", "twelve", "many", "continuous", "skewed", "constant", "nominal", "ordered",
    "logical", "date"
  )
  alike <- stats::runif(1) < 0.3
  p <- sample(5, 1)
  kind <- if (alike) rep(sample(kinds, 1), p) else sample(kinds, p, TRUE)
  d <- lapply(kind, random_values, n = n)
  names(d) <- paste0("x", seq_len(p))
  signal <- rowSums(vapply(d, function(x) as.numeric(x) > stats::median(as.numeric(x)), numeric(n)))
  if (stats::runif(1) < 0.4) {
    d <- lapply(d, function(x) replace(x, stats::runif(n) < 0.1, NA))
  }
  noise <- sample(c(0, 0.2, 1), 1)
  d$y <- if (classes == 0) {
    signal + noise * stats::rnorm(n)
  } else {
    y <- ifelse(stats::runif(n) < noise, sample(classes, n, TRUE), signal %% classes + 1)
    factor(y, levels = seq_len(classes))
  }
  as.data.frame(d)
}

# The arguments of tec_tree() for a random problem.
random_road_case <- function(seed) {
  set.seed(seed)
  n <- if (seed %% 100 == 0) 17000 else if (seed %% 20 == 0) 3000 else sample(20:300, 1)
  classes <- sample(c(0, 2, 3, 4, 5, 6, 8, 12), 1)
  listed <- tec_criteria()
  task <- if (classes == 0) "regression" else "classification"
  name <- sample(listed$name[listed$task == task], 1)
  criterion <- if (grepl("^tsallis", name)) {
    tec_criterion(name, q = sample(c(0.5, 1, 1.5, 2, 3, 5), 1))
  } else if (name == "beta") {
    tec_criterion(name, beta = sample(c(0.7, 1, 1.5, 3), 1))
  } else {
    name
  }
  min_bucket <- sample(c(1, 1, 2, 5, 12, 30), 1)
  tests <- name %in% test_criteria
  policies <- c("fractional", "majority", "mode", "surrogate", "drop", if (!tests) "learned")
  missing <- sample(policies, 1)
  merges <- (tests || name == "l2") && missing != "learned" && stats::runif(1) < 0.4
  rules <- if (merges) sample(chaid_rules, 1) else "exact"
  if (merges && stats::runif(1) < 0.5) missing <- "category"
  list(
    formula = y ~ ., data = random_road_data(n, classes), criterion = criterion,
    nominal = sample(c("binary", "multiway", "ordered"), 1),
    free_levels = sample(c(2, 2, Inf, Inf), 1),
    missing = missing, rules = rules, max_p = if (merges) 1 else sample(c(1, 1, 1, 0.05), 1),
    min_bucket = min_bucket, min_split = min_bucket * sample(1:3, 1),
    max_depth = if (n > 1000) sample(2:5, 1) else sample(c(3, 6, 30), 1), prune = "none",
    threads = 1
  )
}

grow_case <- function(case, ...) {
  changed <- list(...)
  case[names(changed)] <- changed
  suppressWarnings(suppressMessages(do.call(tec_tree, case)))
}

# Structure to the bit, numbers but for the order in which sums are made.
expect_same_road <- function(fit, usual, label) {
  expect_same_tree(fit$tree, usual$tree, tolerance = 1e-11, label = label)
}
