# rpart's rule for complexity penalties against its definition, on small random trees; against rpart
# itself: test-rpart-same.R.

# Everything that the rule leaves of one grown tree at `least`.
expect_rpart_rule <- function(made, kind, least, label) {
  nested <- nest_fit(made$fit, made$data, made$weights)
  risk <- node_risk(kind)
  root <- risk(nested$problem, nested$root)
  if (root == 0) {
    return(invisible())
  }
  left <- oracle_rpart(nested$problem, nested$root, risk, least * root)
  fit <- tectree:::grown_by_rpart(made$fit, kind, least, relative = TRUE)
  expect_nested(fit, nested$problem, left, label)
  table <- cp_table(fit, risk = kind, penalties = "rpart")
  penalty <- oracle_penalties(left)
  different <- sort(unique(round(penalty, 8)), decreasing = TRUE)
  expect_equal(table$cp * root, c(different, 0), tolerance = 1e-7, label = label)
  for (i in seq_len(nrow(table))) {
    small <- oracle_cut(left, table$cp[i] * root)
    pruned <- tec_prune(fit, cp = table$cp[i], risk = kind, penalties = "rpart")
    expect_nested(pruned, nested$problem, small, label)
    expect_equal(table$n_leaves[i], nested_leaves(small), label = label)
    expect_equal(table$nsplit[i], length(oracle_penalties(small)), label = label)
    expect_equal(table$rel_error[i] * root, below_loss(nested$problem, small, risk))
    # What is pruned keeps its penalties.
    expect_equal(cp_table(pruned)$cp[seq_len(i - 1)], table$cp[seq_len(i - 1)], label = label)
  }
}

test_that("rpart's rule is the one of its definition", {
  for (i in case_seeds(12)) at_seed(i, {
    made <- random_grown(cost = i %% 3 == 0)
    kind <- pick(c("misclassification", "impurity"))
    expect_rpart_rule(made, kind, pick(c(0, 0.01, 0.03, 0.1)), paste(kind, i))
  })
  for (i in case_seeds(2)) at_seed(i, {
    data <- data.frame(x = stats::rnorm(80), z = stats::rnorm(80))
    data$y <- data$x + (data$z > 0) + stats::rnorm(80)
    made <- list(fit = tec_tree(y ~ ., data, prune = "none"), data = data, weights = rep(1, 80))
    expect_rpart_rule(made, "impurity", pick(c(0, 0.01, 0.05)), paste("numbers", i))
  })
})

test_that("a tree grown by rpart's rule is what the rule leaves of the whole tree", {
  for (i in case_seeds(3)) at_seed(i, {
    data <- pruning_data(pick(c(80, 300)), pick(2:4), missing = pick(c(0, 0.1)))
    cp <- stats::runif(1, 0, 0.1)
    grow <- function(...) {
      tec_tree(y ~ ., data, preset = "cart", min_bucket = 2, missing = "majority", ...)
    }
    at_once <- grow(cp = cp, folds = 0)
    whole <- grow(prune = "none")
    left <- tectree:::grown_by_rpart(whole, "misclassification", cp, relative = TRUE)
    expect_identical(at_once$tree, left$tree)
    expect_identical(at_once$pruning$penalties, "rpart")
    by_alpha <- grow(alpha = at_once$pruning$alpha, folds = 0)
    expect_identical(by_alpha$tree, at_once$tree)
    # One tree serves many penalties.
    cps <- sort(stats::runif(3, cp, 0.2))
    many <- tectree:::predict_prunings(at_once, data, data.frame(cp = cps))
    for (j in 1:3) {
      expect_equal(many[[j]]$nodes, length(grow(cp = cps[j], folds = 0)$tree$kind))
    }
  })
})

# Trees for which the two rules differ are rare.
data_that_tell_the_rules_apart <- function() {
  for (seed in 1:200) {
    set.seed(seed)
    data <- pruning_data(200)
    fit <- tec_tree(y ~ ., data, preset = "cart", prune = "none")
    tables <- lapply(c("rpart", "weakest_link"), function(rule) cp_table(fit, penalties = rule)$cp)
    if (!isTRUE(all.equal(tables[[1]], tables[[2]]))) {
      return(data)
    }
  }
}

test_that("both rules are there by a word, and the presets have theirs", {
  expect_identical(tec_tree(Species ~ ., iris, preset = "cart")$control$penalties, "rpart")
  fit <- tec_tree(Species ~ ., iris, prune = "ccp", cp = 0)
  expect_identical(fit$control$penalties, "weakest_link")
  expect_identical(fit$pruning$penalties, "weakest_link")

  data <- data_that_tell_the_rules_apart()
  links <- tec_tree(y ~ ., data, preset = "cart", penalties = "weakest_link", cp = 0, folds = 0)
  rpart <- tec_tree(y ~ ., data, preset = "cart", cp = 0, folds = 0)
  expect_false(identical(cp_table(links)$cp, cp_table(rpart)$cp))
  expect_equal(cp_table(rpart, penalties = "weakest_link")$cp, cp_table(links)$cp)
  expect_equal(cp_table(links, penalties = "rpart")$cp, cp_table(rpart)$cp)
  cp <- cp_table(links)$cp[2]
  pruned <- tec_prune(rpart, cp = cp, penalties = "weakest_link")
  expect_identical(pruned$tree, tec_prune(links, cp = cp)$tree)
  expect_identical(pruned$pruning$penalties, "weakest_link")
  expect_error(tec_prune(links, cp = 0.1, penalties = "cart"), class = "tec_error_prune")
  expect_error(tec_control(penalties = 1), class = "tec_error_control")
})

test_that("cross-validated errors by rpart's rule are those of trees grown without each fold", {
  set.seed(33)
  for (i in some_of(1:6, 3)) {
    data <- pruning_data(150, missing = if (i > 4) 0.1 else 0)
    if (i %% 2 == 0) data$y <- as.numeric(data$y) + stats::rnorm(150)
    group <- sample(4, 150, TRUE)
    grow <- function(data, ...) tec_tree(y ~ ., data, preset = "cart", ...)
    fit <- grow(data, cp = 0.02, folds = group)
    table <- cp_table(fit)
    root <- table$alpha[1] / table$cp[1] * 150
    n <- nrow(table)
    probe <- c(10 * table$cp[1], sqrt(table$cp[-n] * table$cp[-1])) * root
    loss <- numeric(n)
    for (fold in 1:4) {
      part <- data[group != fold, ]
      rest <- data[group == fold, ]
      share <- nrow(part) / 150
      at <- grow(part, alpha = 0.02 * root / 150, folds = 0)
      own <- cp_table(at)
      own_root <- own$alpha[1] / own$cp[1] * nrow(part)
      for (j in seq_len(n)) {
        found <- predict(tec_prune(at, cp = probe[j] * share / own_root), rest)
        wrong <- if (is.factor(data$y)) found != rest$y else (found - rest$y)^2
        loss[j] <- loss[j] + sum(wrong)
      }
    }
    expect_equal(table$xerror, loss / root)
  }
})

test_that("a row left out whose level a fold's tree has not seen goes by surrogates", {
  # Column s tells what f tells; level "c" of f is in the first fold alone.
  data <- data.frame(
    f = factor(rep(c("a", "b", "c"), c(40, 40, 8))), s = c(rep(1, 40), rep(2, 40), rep(2, 8)),
    y = factor(rep(c("p", "q", "q"), c(40, 40, 8)))
  )
  group <- c(rep(1:2, 40), rep(1, 8))
  fit <- tec_tree(y ~ f + s, data, preset = "cart", folds = group)
  expect_equal(cp_table(fit)$xerror[2], 0)
  alone <- tec_tree(y ~ f, data, preset = "cart", folds = group)
  expect_gt(cp_table(alone)$xerror[2], 0)
})
