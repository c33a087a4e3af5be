# Compares cost-complexity pruning with all prunings of small trees, and its cross-validation with
# trees grown one by one.

small_grown <- function(...) {
  repeat {
    made <- random_grown(max_leaves = pick(3:8), ...)
    if (sum(made$fit$tree$kind == 0L) > 1) {
      return(made)
    }
  }
}

expect_sequence <- function(fit, nested, kind, label) {
  prunings <- all_prunings(nested$problem, nested$root, node_risk(kind))
  table <- cp_table(fit, risk = kind)
  root <- prunings$risk[1]
  price <- table$cp * root
  expect_equal(table$alpha, price / nested$root$weight)
  n <- nrow(table)
  expect_true(all(diff(table$cp) < 0) && table$cp[n] == 0)
  # At each price, and between two, the row's tree is the best.
  between <- c(2 * price[1] + 1, (price[-1] + price[-n]) / 2)
  for (i in seq_len(n)) {
    for (at in c(price[i], between[i])) {
      best <- best_pruning(prunings, at)
      expect_equal(table$n_leaves[i], prunings$leaves[best], label = label)
      expect_equal(table$rel_error[i], prunings$risk[best] / root, label = label)
      expect_nested(
        tec_prune(fit, cp = at / root, risk = kind), nested$problem,
        cut_nested(nested$root, prunings$cut[[best]]), label
      )
    }
  }
}

test_that("the sequence is the best pruning at every price", {
  for (i in case_seeds(4)) at_seed(i, {
    made <- small_grown(cost = i %% 3 == 0)
    nested <- nest_fit(made$fit, made$data, made$weights)
    if (below_loss(nested$problem, as_nested_leaf(nested$root)) == 0) next
    for (kind in c("misclassification", "impurity")) {
      expect_sequence(made$fit, nested, kind, paste(kind, i))
    }
  })
  for (criterion in c("l2", "l1")) {
    data <- data.frame(x = stats::rnorm(60), z = stats::rnorm(60))
    data$y <- data$x + (data$z > 0) + stats::rnorm(60)
    fit <- full_tree(y ~ x + z, data, criterion = criterion, max_leaves = 7)
    expect_sequence(fit, nest_fit(fit, data), "impurity", criterion)
  }
})

test_that("equal prices are one row of the table", {
  # Two pure halves of two classes each: both splits below the root save the same.
  data <- data.frame(x = 1:8, y = factor(c("a", "a", "b", "b", "c", "c", "d", "d")))
  fit <- tec_tree(y ~ x, data, min_bucket = 1)
  expect_equal(length(fit$tree$kind), 7)
  table <- cp_table(fit)
  expect_equal(table$n_leaves, c(1, 4))
  expect_equal(table$cp, c(2 / 6, 0))
})

test_that("growing no more than a price can keep gives the same tree", {
  for (i in case_seeds(3)) at_seed(i, {
    data <- pruning_data(pick(c(80, 300)), pick(2:4))
    price <- stats::runif(1, 0, 0.1)
    risk <- pick(c("misclassification", "impurity"))
    nominal <- pick(c("binary", "multiway"))
    whole <- full_tree(y ~ ., data, criterion = "gini", nominal = nominal, min_bucket = 2)
    later <- tec_prune(whole, cp = price, risk = risk)
    at_once <- full_tree(y ~ ., data,
      criterion = "gini", nominal = nominal, min_bucket = 2, cp = price, risk = risk, folds = 0
    )
    expect_identical(at_once$tree, later$tree)
    expect_equal(cp_table(at_once)$cp, cp_table(later)$cp)
    expect_equal(cp_table(at_once), cp_table(later), ignore_attr = TRUE)
    alpha <- at_once$pruning$alpha
    by_alpha <- full_tree(y ~ ., data,
      criterion = "gini", nominal = nominal, min_bucket = 2, alpha = alpha, risk = risk, folds = 0
    )
    expect_identical(by_alpha$tree, later$tree)
  })
  large <- data.frame(x = stats::rnorm(6000), z = stats::rnorm(6000))
  large$y <- factor(stats::runif(6000) < stats::plogis(large$x + large$z^2))
  whole <- full_tree(y ~ ., large, criterion = "gini")
  at_once <- full_tree(y ~ ., large, criterion = "gini", cp = 0.002, folds = 0)
  expect_identical(at_once$tree, tec_prune(whole, cp = 0.002)$tree)
  large$y <- large$x + (large$z > 0) + stats::rnorm(6000)
  whole <- full_tree(y ~ ., large)
  at_once <- full_tree(y ~ ., large, cp = 0.002, folds = 0)
  expect_identical(at_once$tree, tec_prune(whole, cp = 0.002)$tree)
})

test_that("the sequence is nested and pruning goes down it step by step", {
  set.seed(13)
  data <- pruning_data(300)
  fit <- full_tree(y ~ ., data, min_bucket = 1)
  table <- cp_table(fit)
  step <- fit
  for (i in rev(seq_len(nrow(table)))) {
    step <- tec_prune(step, cp = table$cp[i])
    expect_identical(step$tree, tec_prune(fit, cp = table$cp[i])$tree)
    expect_equal(sum(step$tree$kind == 0L), table$n_leaves[i])
    expect_equal(sum(step$tree$kind != 0L), table$nsplit[i])
  }
})

# Fold by fold with tec_tree() and tec_prune(): the definition, in the user's own words.
naive_cross_validation <- function(data, weights, group, table, root, ...) {
  n <- nrow(table)
  price <- table$cp * root
  probe <- c(10 * price[1], sqrt(price[-n] * price[-1]))
  loss <- square <- numeric(n)
  for (fold in sort(unique(group))) {
    train <- group != fold
    share <- sum(weights[train]) / sum(weights)
    part <- data[train, ]
    part$w <- weights[train]
    fit <- full_tree(y ~ . - w, part, weights = w, weights_as = "frequency", ...)
    own <- cp_table(fit)
    own_root <- own$alpha[1] / own$cp[1] * sum(part$w)
    for (i in seq_len(n)) {
      pruned <- tec_prune(fit, cp = probe[i] * share / own_root)
      found <- predict(pruned, data[!train, ])
      wrong <- if (is.factor(data$y)) found != data$y[!train] else (found - data$y[!train])^2
      loss[i] <- loss[i] + sum(weights[!train] * wrong)
      square[i] <- square[i] + sum(weights[!train] * wrong^2)
    }
  }
  spread <- sqrt(square - loss^2 / sum(weights))
  list(xerror = loss / root, xstd = spread / root)
}

test_that("cross-validated errors are those of trees grown without each fold", {
  set.seed(14)
  for (i in some_of(1:6, 3)) {
    data <- pruning_data(120, missing = if (i > 4) 0.1 else 0)
    if (i %% 2 == 0) data$y <- as.numeric(data$y) + stats::rnorm(120)
    data$w <- weights <- if (i %% 3 == 0) sample(1:2, 120, TRUE) else rep(1, 120)
    group <- sample(4, 120, TRUE)
    for (cp in c(0, 0.02)) {
      fit <- full_tree(y ~ . - w, data,
        weights = w, weights_as = "frequency", prune = "ccp", cp = cp, folds = group, min_bucket = 2
      )
      table <- cp_table(fit)
      root <- table$alpha[1] / table$cp[1] * sum(weights)
      expected <- naive_cross_validation(data, weights, group, table, root, min_bucket = 2)
      expect_equal(table$xerror, expected$xerror)
      expect_equal(table$xstd, expected$xstd)
    }
  }
})

test_that("folds give the same table on any number of threads, and by any names", {
  set.seed(15)
  data <- pruning_data(200)
  group <- sample(5, 200, TRUE)
  grow <- function(threads, folds = group, ...) {
    fit <- tec_tree(y ~ ., data, preset = "cart", cp = 0, folds = folds, threads = threads, ...)
    fit[["cptable"]]
  }
  expect_identical(grow(1), grow(2))
  expect_identical(grow(1), grow(1, folds = 10 * group - 3))
  keep <- 21:200
  expect_identical(
    grow(1, subset = keep), grow(1, folds = group[keep], subset = keep)
  )
  expect_null(grow(1, folds = 0)$xerror)
  fit <- tec_tree(y ~ ., data, preset = "cart", folds = group)
  expect_equal(fit$control$folds, 5)
  expect_equal(fit$pruning$folds, 5)
})

test_that("min and 1se choose from the table", {
  set.seed(16)
  data <- pruning_data(300, noise = 0.6)
  group <- sample(rep(1:10, 30))
  grow <- function(...) tec_tree(y ~ ., data, min_bucket = 2, folds = group, ...)
  whole <- grow(prune = "ccp", cp = 0)
  table <- cp_table(whole)
  best <- which.min(table$xerror)
  least <- grow(alpha = "min")
  expect_identical(least$tree, tec_prune(whole, cp = table$cp[best])$tree)
  expect_identical(least$tree, tec_prune(whole, alpha = "min")$tree)
  within <- which(table$xerror <= table$xerror[best] + table$xstd[best])[1]
  expect_lt(within, best)
  small <- grow(alpha = "1se")
  expect_identical(small$tree, tec_prune(whole, cp = table$cp[within])$tree)
  expect_identical(small$tree, tec_prune(whole, alpha = "1se")$tree)
  expect_equal(small$pruning$cp, table$cp[within])
  expect_equal(sum(cp_table(small)$kept), within)
  expect_equal(cp_table(small)$xerror, table$xerror)
})

test_that("with as many leaves as allowed nothing is left out early", {
  set.seed(17)
  data <- pruning_data(300)
  whole <- tec_tree(y ~ ., data, max_leaves = 12)
  at_once <- tec_tree(y ~ ., data, max_leaves = 12, cp = 0.03, folds = 0)
  expect_identical(at_once$tree, tec_prune(whole, cp = 0.03)$tree)
})

test_that("a rare class survives pruning by impurity", {
  # 0.1 % against 2.5 %: both groups' commonest class is the same.
  data <- data.frame(
    exposed = factor(rep(c("no", "yes"), c(8000, 2000))),
    ill = factor(rep(c("no", "yes", "no", "yes"), c(7992, 8, 1950, 50)))
  )
  by_error <- full_tree(ill ~ exposed, data, preset = "cart", folds = 0)
  expect_length(by_error$tree$kind, 1)
  by_impurity <- full_tree(ill ~ exposed, data, preset = "cart", risk = "impurity", folds = 0)
  expect_length(by_impurity$tree$kind, 3)
  whole <- full_tree(ill ~ exposed, data, criterion = "gini")
  expect_length(tec_prune(whole, cp = 0.01)$tree$kind, 1)
  expect_length(tec_prune(whole, cp = 0.01, risk = "impurity")$tree$kind, 3)
  expect_equal(cp_table(by_impurity)$alpha[1], whole$tree$gain[1])
})

test_that("rpart's own prune() knows our trees", {
  skip_if_not_installed("rpart")
  fit <- tec_tree(Species ~ ., iris, min_bucket = 1)
  expect_identical(rpart::prune(fit, cp = 0.05), tec_prune(fit, cp = 0.05))
  expect_identical(rpart::prune(fit, 0.05), tec_prune(fit, cp = 0.05))
})

test_that("a tree without a table is pruned by the risk that is asked for", {
  fit <- tec_tree(Species ~ ., iris, min_split = 2)
  set.seed(1)
  pruned <- tec_prune(fit, alpha = "min", risk = "impurity", data = iris)
  expect_identical(pruned$pruning$risk, "impurity")
})

test_that("a tree without a table is pruned as one that was grown with it", {
  d <- airquality[!is.na(airquality$Ozone), ]
  for (rule in c("weakest_link", "rpart")) {
    fit <- tec_tree(Ozone ~ ., d, min_split = 2, prune = "none")
    set.seed(1)
    pruned <- tec_prune(fit, alpha = "min", penalties = rule, data = d)
    set.seed(1)
    grown <- tec_tree(
      Ozone ~ ., d, min_split = 2, prune = "ccp", alpha = "min", penalties = rule
    )
    expect_identical(pruned$tree, grown$tree)
    expect_identical(cp_table(pruned), cp_table(grown))
    expect_identical(pruned$control$penalties, rule)
  }
})
