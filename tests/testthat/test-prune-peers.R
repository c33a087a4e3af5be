# Pruning against rpart and J48 on real data.
#
# Folds are dealt out class by class here; rpart's factors of the classes are those of the whole
# sample, so that others do as well (test-priors-peers.R).
#
# Two things make a table differ: a tie between two splits, in the tree or in that of a fold (see
# helper-peers.R); and a row left out that lies on a threshold of the fold's tree, which rpart sends
# right (x < t is left) and we, as is usual, left (x <= t).

rpart_settings <- function(cp, folds) {
  rpart::rpart.control(
    cp = cp, xval = folds, maxcompete = 0, maxsurrogate = 0, usesurrogate = 0, maxdepth = 30
  )
}

# Rows of each class in a number that `k` divides, and a fold for each.
even_folds <- function(data, k) {
  rows <- split(seq_len(nrow(data)), data$class)
  rows <- sort(unlist(lapply(rows, function(i) utils::head(i, k * (length(i) %/% k)))))
  data <- data[rows, ]
  data$class <- factor(data$class)
  fold <- integer(nrow(data))
  for (i in split(seq_len(nrow(data)), data$class)) {
    fold[i] <- sample(rep_len(seq_len(k), length(i)))
  }
  list(data = data, fold = fold)
}

same_table <- function(ours, theirs) {
  columns <- c("cp", "nsplit", "rel_error", "xerror", "xstd")
  identical(dim(theirs), c(nrow(ours), 5L)) &&
    all(abs(as.matrix(as.data.frame(ours)[columns]) - theirs) < 1e-8)
}

# How many rows change leaf if the tree's thresholds move by next to nothing.
rows_on_thresholds <- function(fit, data) {
  beside <- data
  numeric <- names(data) %in% fit$columns$name[fit$columns$kind == "numeric"]
  beside[numeric] <- lapply(data[numeric], function(x) x + 1e-9 * max(1, abs(x)))
  sum(predict(fit, data, type = "node") != predict(fit, beside, type = "node"))
}

# Ties in the trees of the whole and of each fold, and rows on thresholds.
count_reasons <- function(data, response, fold, method) {
  impurity <- if (method == "class") node_gini else node_variance
  formula <- stats::as.formula(paste(response, "~ ."))
  reasons <- 0
  for (out in c(0, unique(fold))) {
    part <- data[fold != out, ]
    whole <- rpart::rpart(formula, part, method = method, control = rpart_settings(-1, 0))
    ours <- tec_tree(formula, part, preset = "cart", prune = "none", max_depth = 30)
    walk <- walk_together(
      nested_tectree(ours, part), nested_rpart(whole), part[[response]], impurity
    )
    reasons <- reasons + walk$ties + rows_on_thresholds(ours, data[fold == out, ])
  }
  reasons
}

compare_tables <- function(data, response, fold, method, name) {
  formula <- stats::as.formula(paste(response, "~ ."))
  theirs <- rpart::rpart(formula, data, method = method, control = rpart_settings(0.01, fold))
  ours <- tec_tree(formula, data, preset = "cart", folds = fold, max_depth = 30)
  same <- same_table(cp_table(ours), theirs$cptable)
  if (!same) expect_gt(count_reasons(data, response, fold, method), 0, label = name)
  same
}

test_that("gini's table is rpart's", {
  skip_if_not_installed("rpart")
  folder <- skip_without_shared_data()
  set.seed(1)
  names <- c(
    "iris", "wine", "glass", "glass_weka", "zoo", "haberman", "heart_statlog", "sonar",
    "ionosphere", "yeast", "balance_scale", "monks1_train", "monks3", "vehicle", "page_blocks"
  )
  same <- vapply(in_turn(names, 3), function(name) {
    made <- even_folds(read_shared(folder, name), 5)
    compare_tables(made$data, "class", made$fold, "class", name)
  }, NA)
  if (all_cases()) expect_gte(sum(same), 8)
})

test_that("l2's table is rpart's", {
  skip_if_not_installed("rpart")
  folder <- skip_without_shared_data()
  set.seed(2)
  names <- c(
    "iris", "wine", "glass", "vehicle", "pima", "abalone", "yeast", "page_blocks", "haberman",
    "heart_statlog"
  )
  same <- vapply(in_turn(names, 3), function(name) {
    data <- as_regression(read_shared(folder, name))
    data$class <- NULL
    compare_tables(data, "target", sample(rep_len(1:10, nrow(data))), "anova", name)
  }, NA)
  if (all_cases()) expect_gte(sum(same), 6)
})

test_that("the folds are drawn as rpart draws them", {
  skip_if_not_installed("rpart")
  set.seed(3)
  ours <- cp_table(tec_tree(mpg ~ ., mtcars, preset = "cart"))
  set.seed(3)
  theirs <- rpart::rpart(mpg ~ ., mtcars)$cptable
  expect_true(same_table(ours, theirs))
})

test_that("pruned trees and tables are those of rpart's prune()", {
  skip_if_not_installed("rpart")
  folder <- skip_without_shared_data()
  set.seed(4)
  same <- 0
  for (name in c("iris", "wine", "ionosphere", "balance_scale")) {
    made <- even_folds(read_shared(folder, name), 5)
    ours <- tec_tree(class ~ ., made$data, preset = "cart", folds = made$fold, max_depth = 30)
    theirs <- rpart::rpart(class ~ ., made$data, control = rpart_settings(0.01, made$fold))
    # Where a fold's tree differs the errors before pruning do already: see above.
    equal <- same_table(cp_table(ours), theirs$cptable)
    same <- same + equal
    for (cp in c(theirs$cptable[, 1], 0.02, 0.07)) {
      small <- rpart::prune(theirs, cp)
      pruned <- rpart::prune(ours, cp = cp)
      expect_equal(sum(pruned$tree$kind == 0L), sum(small$frame$var == "<leaf>"))
      expect_equal(
        unname(predict(pruned, made$data, type = "prob")), unname(predict(small, made$data)),
        tolerance = 1e-10
      )
      expect_equal(cp_table(pruned)$cp, unname(small$cptable[, "CP"]))
      if (equal) expect_true(same_table(cp_table(pruned), small$cptable))
    }
  }
  expect_gte(same, 2)
})

j48_size <- function(fit) {
  c(
    rJava::.jcall(fit$classifier, "D", "measureNumLeaves"),
    rJava::.jcall(fit$classifier, "D", "measureTreeSize")
  )
}

tree_size <- function(fit) c(sum(fit$tree$kind == 0L), length(fit$tree$kind))

test_that("ebp prunes as J48 does, where the trees before it are equal", {
  slow_test()
  folder <- skip_without_j48()
  names <- c(
    "car", "balance_scale", "hayes_roth", "monks1", "monks1_train", "monks2", "monks2_train",
    "monks3", "monks3_train", "kr_vs_kp", "splice", "splice_name", "tic_tac_toe"
  )
  settings <- list(
    list(j48 = list(U = TRUE, O = TRUE), ours = list(prune = "none", collapse = FALSE)),
    list(j48 = list(U = TRUE), ours = list(prune = "none")),
    list(j48 = list(O = TRUE, S = TRUE), ours = list(collapse = FALSE, raise = FALSE)),
    list(j48 = list(S = TRUE), ours = list(raise = FALSE)),
    list(j48 = list(), ours = list()),
    list(j48 = list(C = 0.1), ours = list(cf = 0.1)),
    list(j48 = list(C = 0.45, M = 1), ours = list(cf = 0.45, min_bucket = 1))
  )
  # test-c45-j48.R has the first, the second and the fifth, for most of these sets.
  only_here <- list(
    c("monks1_train", "monks2", "monks3"), c("monks1_train", "monks2", "monks3", "splice"),
    names, names, c("monks1_train", "monks2", "monks3"), names, names
  )
  for (name in some_of(names, 4)) {
    data <- read_shared(folder, name)
    for (i in which(vapply(only_here, function(sets) name %in% sets, NA))) {
      options <- do.call(RWeka::Weka_control, settings[[i]]$j48)
      theirs <- RWeka::J48(class ~ ., data, control = options)
      ours <- do.call(tec_tree, c(
        list(class ~ ., data, preset = "c45"), settings[[i]]$ours
      ))
      label <- paste(name, i)
      expect_equal(tree_size(ours), j48_size(theirs), label = label)
      expect_identical(
        as.character(predict(ours, data)), as.character(predict(theirs, data)),
        label = label
      )
    }
  }
})
