test_that("a tree that looks ahead never loses more than the greedy one", {
  set.seed(20)
  less <- 0
  wrong <- character()
  seeds <- case_seeds(150)
  for (i in seeds) at_seed(i, {
    problem <- random_ahead_problem(criteria_rows())
    control <- problem$control
    greedy <- grow_ahead(problem, 1)
    ahead <- grow_ahead(problem, pick(c(2, 3, 5, 20, Inf)))
    risks <- lapply(list(greedy, ahead), node_risks, control$risk_is_impurity, problem$cost)
    price <- control$leaf_price_share * risks[[1L]][1L]
    stops <- control$missing == "drop" ||
      (control$missing == "surrogate" && control$use_surrogate < 2L)
    loss <- c(
      penalised_loss(greedy, risks[[1L]], price, stops),
      penalised_loss(ahead, risks[[2L]], price, stops)
    )
    within <- max(ahead$depth) <= control$max_depth && sum(ahead$kind == 0L) <= control$max_leaves
    if (!within || loss[2L] > loss[1L] + 1e-8 * risks[[1L]][1L]) {
      wrong <- c(wrong, paste(i, problem$name, control$missing, toString(loss)))
    }
    less <- less + (loss[2L] < loss[1L] - 1e-8 * risks[[1L]][1L])
  })
  expect_identical(wrong, character())
  expect_gt(less / length(seeds), 0.02)
})

test_that("with all splits tried, no tree of depth 2 loses less", {
  set.seed(21)
  errors <- function(y) function(rows) length(rows) - max(tabulate(y[rows]))
  gini <- function(y) function(rows) length(rows) * (1 - sum((tabulate(y[rows]) / length(rows))^2))
  squares <- function(y) function(rows) sum((y[rows] - mean(y[rows]))^2)
  deviations <- function(y) function(rows) sum(abs(y[rows] - stats::median(y[rows])))
  kinds <- list(
    list(criterion = "gini", risk = "misclassification", loss = errors),
    list(criterion = "gain_ratio", risk = "misclassification", loss = errors),
    list(criterion = "gini", risk = "impurity", loss = gini),
    list(criterion = "l2", risk = "impurity", loss = squares),
    list(criterion = "l1", risk = "impurity", loss = deviations)
  )
  less <- 0
  for (i in case_seeds(15)) at_seed(i, {
    kind <- kinds[[(i - 1) %% length(kinds) + 1]]
    n <- sample(8:25, 1)
    d <- data.frame(
      a = sample(6, n, TRUE), b = round(stats::rnorm(n), 1),
      c = factor(sample(letters[1:4], n, TRUE))
    )
    y <- (d$a > 3) != (d$b > 0) | stats::runif(n) < 0.2
    classes <- kind$criterion %in% c("gini", "gain_ratio")
    d$y <- if (classes) factor(y + sample(0:1, n, TRUE)) else y + round(stats::rnorm(n), 1)
    min_bucket <- sample(3, 1)
    grow <- function(lookahead) {
      fit <- full_tree(y ~ .,
        d, criterion = kind$criterion, risk = kind$risk, max_depth = 2, min_bucket = min_bucket,
        lookahead = lookahead, threads = 1, eligible = "all"
      )
      penalised_loss(fit$tree, node_risks(fit$tree, !classes || kind$risk == "impurity"))
    }
    least <- least_of_depth_two(as.list(d[1:3]), kind$loss(d$y), n, min_bucket)
    expect_equal(grow(Inf), least, tolerance = 1e-8, label = paste("case", i))
    less <- less + (grow(1) > least + 1e-8)
  })
  if (all_cases()) expect_gt(less, 35)
})

# Splits of the root by the engine's list, each child grown to its end by itself.
test_that("the root's split is the one whose greedily finished subtrees lose least", {
  for (i in case_seeds(10)) at_seed(i, {
    n <- 40
    problem <- random_problem("l2", 0, "regression")
    x <- list(stats::rnorm(n), sample(5, n, TRUE), stats::runif(n))
    y <- stats::rnorm(n) + (x[[1]] > 0) * (x[[2]] > 2)
    problem[c("columns", "kinds", "n_levels", "y", "w", "rows")] <- list(
      x, rep(0L, 3), rep(0L, 3), y, rep(1, n), seq_len(n)
    )
    problem[c("weights", "sizes", "unit")] <- list(NULL, NULL, NULL)
    problem$control[c("min_bucket", "min_split", "max_depth", "min_gain")] <- list(2, 4, 3, 0)
    problem$control$risk_is_impurity <- TRUE
    problem$control[c("least_risk", "least_share")] <- list(-Inf, 0)
    loss_of <- function(tree) sum((tree$weight * tree$impurity)[tree$kind == 0L])
    below <- problem
    below$control$max_depth <- 2
    finished <- function(left) {
      loss_of(grow_ahead(below, 1, which(left))) + loss_of(grow_ahead(below, 1, which(!left)))
    }
    cuts <- unlist(lapply(problem$columns, function(x) {
      Filter(function(left) sum(left) >= 2 && sum(!left) >= 2, all_divisions(x))
    }), recursive = FALSE)
    each <- vapply(cuts, finished, 0)
    ahead <- grow_ahead(problem, Inf)
    x <- problem$columns[[ahead$variable[1]]]
    expect_equal(finished(x <= ahead$breaks[1]), min(each), tolerance = 1e-9)
    expect_lte(loss_of(ahead), min(each) * (1 + 1e-9))
  })
})

test_that("an exclusive or is found, by columns that gain nothing alone", {
  d <- expand.grid(a = 0:1, b = 0:1, noise = 1:3)
  d$y <- factor(ifelse(d$a == d$b, "same", "different"))
  expect_identical(n_leaves(full_tree(y ~ ., d, min_bucket = 1, max_depth = 2)), 1L)
  fit <- full_tree(y ~ ., d, min_bucket = 1, max_depth = 2, lookahead = Inf)
  expect_identical(predict(fit, d), d$y)
})

test_that("one split tried is the greedy tree", {
  for (seed in some_of(1:60, 10)) {
    case <- random_road_case(seed)
    expect_identical(grow_case(case, lookahead = 1)$tree, grow_case(case)$tree)
  }
})

test_that("neither threads nor the order of rows change the tree", {
  for (seed in some_of(c(1:40, 100), 6)) {
    case <- random_road_case(seed)
    case$max_p <- 1
    case$lookahead <- 3
    case$max_depth <- min(case$max_depth, 4)
    case$cp <- if (seed %% 2 == 0) 0.01
    if (!is.null(case$cp)) case[c("prune", "folds")] <- list("ccp", 0)
    fit <- grow_case(case)
    expect_identical(grow_case(case, threads = 2)$tree, fit$tree)
    set.seed(seed)
    shuffled <- case$data[sample(nrow(case$data)), ]
    expect_same_tree(grow_case(case, data = shuffled)$tree, fit$tree, label = paste("seed", seed))
  }
})

test_that("large nodes on codes and small ones in sorted columns look ahead alike", {
  skip_on_cran()
  set.seed(23)
  n <- 20000
  d <- data.frame(a = sample(30, n, TRUE), b = sample(20, n, TRUE), c = factor(sample(6, n, TRUE)))
  d$y <- factor(((d$a > 12) != (d$b > 9)) + (d$c == 3) + (stats::runif(n) < 0.2))
  d$z <- (d$a > 12) * (d$b > 9) + stats::rnorm(n)
  for (formula in list(y ~ a + b + c, z ~ a + b + c)) {
    grow <- function(threads = 1, lookahead = 30) {
      full_tree(formula, d, max_depth = 3, lookahead = lookahead, threads = threads)
    }
    coded <- grow()
    tectree:::tec_take_road_(sorted_only = TRUE)
    sorted <- tryCatch(grow(), finally = tectree:::tec_take_road_())
    expect_same_tree(sorted$tree, coded$tree)
    expect_identical(grow(2)$tree, coded$tree)
    greedy <- grow(lookahead = 1)
    risk <- function(fit) penalised_loss(fit$tree, node_risks(fit$tree, FALSE))
    expect_lte(risk(coded), risk(greedy) * (1 + 1e-9))
  }
})

test_that("max_leaves and a price bound the trees that are compared", {
  d <- toy_of_two_columns()
  loss <- function(fit, price = 0) penalised_loss(fit$tree, node_risks(fit$tree, FALSE), price)
  for (leaves in 2:6) {
    greedy <- full_tree(y ~ ., d, max_leaves = leaves, min_bucket = 1)
    ahead <- full_tree(y ~ ., d, max_leaves = leaves, min_bucket = 1, lookahead = 30)
    expect_lte(n_leaves(ahead), leaves)
    expect_lte(loss(ahead), loss(greedy) + 1e-9)
  }
  # The penalised loss of the pruned tree is that of the grown one: all that is pruned was counted.
  fit <- tec_tree(y ~ ., d, cp = 0.02, folds = 0, min_bucket = 1, lookahead = 30)
  greedy <- tec_tree(y ~ ., d, cp = 0.02, folds = 0, min_bucket = 1)
  root <- node_risks(fit$tree, FALSE)[1]
  total <- function(fit) {
    leaf <- fit$tree$kind == 0L
    sum(node_risks(fit$tree, FALSE)[leaf]) + 0.02 * root * sum(leaf)
  }
  expect_lte(total(fit), total(greedy) + 1e-9)
})

test_that("folds, tuning and pruning afterwards grow trees that look ahead", {
  d <- toy_of_two_columns()
  set.seed(1)
  fit <- tec_tree(y ~ ., d, max_depth = 2, lookahead = 20, prune = "ccp", alpha = "min")
  # By hand: a tree for each fold.
  set.seed(1)
  fold <- sample(rep(1:10, length.out = nrow(d)), nrow(d), replace = FALSE)
  by_hand <- sum(vapply(1:10, function(k) {
    one <- full_tree(y ~ ., d[fold != k, ], max_depth = 2, lookahead = 20)
    sum(predict(one, d[fold == k, ]) != d$y[fold == k])
  }, 0))
  table <- cp_table(fit)
  full <- nrow(d) - max(base::table(d$y))
  expect_equal(table$xerror[nrow(table)], by_hand / full)

  set.seed(2)
  tuned <- tec_tune(y ~ ., d, q = c(1, 2), lookahead = c(1, 20), max_depth = 2, folds = 4)
  expect_setequal(tuned$table$lookahead, c(1, 20))
  expect_identical(tuned$fit$control$lookahead, 20)
})

test_that("settings that cannot be combined are errors", {
  expect_snapshot(error = TRUE, {
    tec_tree(Species ~ ., iris, lookahead = 0)
    tec_tree(Species ~ ., iris, lookahead = 2.5)
    tec_tree(Species ~ ., iris, lookahead = TRUE)
    tec_tree(Species ~ ., iris, lookahead = 5, preset = "c45")
    tec_tree(Species ~ ., iris, lookahead = 5, ties = "random")
    tec_tree(Species ~ ., iris, lookahead = 5, max_features = 2)
    tec_tree(Species ~ ., iris, lookahead = 5, splitter = "random")
    tec_tree(Species ~ ., iris, lookahead = 5, max_p = 0.05)
    tec_forest(Species ~ ., iris, lookahead = 5)
  })
  expect_error(tec_control(lookahead = 0), class = "tec_error_control")
})

test_that("the lookahead of partykit is left out", {
  control <- list(maxdepth = 2L, lookahead = FALSE)
  fit <- tec_tree(Species ~ ., iris, control = control)
  expect_identical(fit$control$lookahead, 1)
})

test_that("summary() says how many splits were tried", {
  fit <- tec_tree(Species ~ ., iris, lookahead = 5, max_depth = 2)
  expect_true(any(grepl("lookahead 5", capture.output(summary(fit)))))
  expect_false(any(grepl("lookahead", capture.output(summary(tec_tree(Species ~ ., iris))))))
})
