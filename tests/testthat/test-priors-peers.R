# Priors and losses against rpart on real data: splits, tables, class probabilities, classes.
#
# Tables may differ by ties and by prices of rpart that are not exact, see test-prune-peers.R. And
# rpart charges a row left out of a fold the loss of the two classes exchanged (its ginipred() reads
# the matrix the other way round than its giniinit()), so cross-validated errors are compared for
# symmetric losses alone, and those of others with a cross-validation done here by hand.

# Numbers become powers of their ranks: halfway between two of them there is no third, on which a
# row left out would go right with rpart and left with us.
peer_data <- function(folder, name) {
  data <- read_shared(folder, name)
  data$class <- factor(data$class)
  number <- vapply(data, is.numeric, NA)
  data[number] <- lapply(data[number], function(x) match(x, sort(unique(x)))^1.37)
  data
}

priors_settings <- function(cp, folds = 0) {
  rpart::rpart.control(
    cp = cp, xval = folds, maxcompete = 0, maxsurrogate = 0, usesurrogate = 0, maxdepth = 30
  )
}

priors_rpart <- function(data, case, cp, folds = 0) {
  parms <- list(prior = case$prior, loss = case$cost)
  rpart::rpart(class ~ ., data,
    method = "class", parms = parms[!vapply(parms, is.null, NA)],
    control = priors_settings(cp, folds)
  )
}

priors_tectree <- function(data, case, ...) {
  tec_tree(class ~ ., data,
    preset = "cart", prior = case$prior, cost = case$cost, max_depth = 30, ...
  )
}

sample_shares <- function(y) tabulate(y, nlevels(y)) / length(y)

# rpart wants priors whose sum is 1 to the last digit.
in_exact_shares <- function(x) {
  x <- round(x / sum(x) * 2^45) / 2^45
  x[1] <- 1 - sum(x[-1])
  x
}

# What a row counts in the search, by its definition.
altered_weights <- function(data, case) {
  share <- sample_shares(data$class)
  by_class <- (case$prior %||% share) / share
  if (!is.null(case$cost)) by_class <- by_class * rowSums(case$cost)
  unname(by_class[data$class])
}

# The ties between the two trees, and what cannot be a tie.
priors_walk <- function(data, case) {
  w <- altered_weights(data, case)
  y <- data$class
  impurity <- function(rows) {
    share <- vapply(levels(y), function(s) sum(w[rows][y[rows] == s]), 0) / sum(w[rows])
    1 - sum(share^2)
  }
  gain <- function(node, rows, impurity) {
    sides <- list(node$left$rows, node$right$rows)
    part <- vapply(sides, function(r) sum(w[r]), 0) / sum(w[node$rows])
    impurity(node$rows) - sum(part * vapply(sides, impurity, 0))
  }
  walk_together(
    nested_tectree(priors_tectree(data, case, prune = "none"), data),
    nested_rpart(priors_rpart(data, case, -1)), seq_along(y), impurity, gain
  )
}

# The same for a part of the rows, which keep the factors of the whole.
case_of_part <- function(case, data, part) {
  prior <- (case$prior %||% sample_shares(data$class)) / sample_shares(data$class) *
    sample_shares(part$class)
  case$prior <- in_exact_shares(prior)
  case
}

priors_reasons <- function(data, case, fold) {
  reasons <- 0
  for (out in if (length(fold) > 1) c(0, unique(fold)) else 0) {
    part <- data[fold != out, ]
    own <- case_of_part(case, data, part)
    walk <- priors_walk(part, own)
    expect_identical(walk$wrong, character())
    reasons <- reasons + walk$ties + !defined_table(priors_rpart(part, own, 0)$cptable)
  }
  reasons
}

defined_table <- function(table) {
  n <- nrow(table)
  n < 2 || all(abs(-diff(table[, 3]) / diff(table[, 2]) - table[-n, 1]) < 1e-9)
}

same_columns <- function(ours, theirs, columns) {
  ours <- as.matrix(as.data.frame(ours)[c("cp", "nsplit", "rel_error", "xerror", "xstd")])
  identical(dim(theirs), dim(ours)) && all(abs(ours - theirs)[, columns] < 1e-8)
}

random_case <- function(k, kind) {
  prior <- stats::runif(k, 0.5, 2)
  cost <- matrix(stats::runif(k * k, 0.5, 4), k)
  diag(cost) <- 0
  switch(kind,
    prior = list(prior = in_exact_shares(prior)),
    cost = list(cost = cost),
    both = list(prior = in_exact_shares(prior), cost = cost),
    symmetric = list(prior = in_exact_shares(prior), cost = cost + t(cost))
  )
}

test_that("splits, tables, probabilities and classes are rpart's", {
  slow_test()
  skip_if_not_installed("rpart")
  folder <- skip_without_shared_data()
  set.seed(11)
  names <- c(
    "iris", "wine", "glass", "haberman", "heart_statlog", "sonar", "ionosphere", "vehicle",
    "balance_scale", "page_blocks", "pima", "segment"
  )
  same <- c(prior = 0, cost = 0, both = 0, symmetric = 0)
  for (name in some_of(names, 3)) {
    data <- peer_data(folder, name)
    fold <- sample(rep_len(1:5, nrow(data)))
    for (kind in names(same)) {
      label <- paste(name, kind)
      case <- random_case(nlevels(data$class), kind)
      theirs <- priors_rpart(data, case, 0.01, fold)
      ours <- priors_tectree(data, case, folds = fold)
      columns <- if (kind %in% c("prior", "symmetric")) 1:5 else 1:3
      if (!same_columns(cp_table(ours), theirs$cptable, columns)) {
        expect_gt(priors_reasons(data, case, fold), 0, label = label)
        next
      }
      off <- abs(predict(ours, data, type = "prob") - predict(theirs, data))
      if (any(off > 1e-10)) {
        # Two splits that tie may make the same table.
        expect_gt(priors_reasons(data, case, 1), 0, label = label)
        next
      }
      same[kind] <- same[kind] + 1
      expect_identical(
        as.character(predict(ours, data)), as.character(predict(theirs, data, type = "class")),
        label = label
      )
    }
  }
  least <- if (all_cases()) c(5, 8, 8, 5) else 1
  expect_true(all(same >= least), label = paste(deparse(same), collapse = ""))
})

# The losses of rows left out, by rpart's trees pruned at the table's prices.
by_hand <- function(data, case, fold, table) {
  share <- sample_shares(data$class)
  cost <- case$cost
  prior <- case$prior %||% share
  root <- min(colSums(prior * cost)) * nrow(data)
  cp <- c(10 * table$cp[1], sqrt(table$cp[-1] * table$cp[-nrow(table)]))
  loss <- numeric(length(cp))
  for (out in unique(fold)) {
    part <- data[fold != out, ]
    own <- case_of_part(case, data, part)
    tree <- priors_rpart(part, own, 0)
    # rpart's priors of the part sum to 1, with the factors of the whole they do not.
    total <- sum(prior / share * sample_shares(part$class))
    part_root <- min(colSums(own$prior * cost)) * total * nrow(part)
    for (i in seq_along(cp)) {
      small <- rpart::prune(tree, cp[i] * root * nrow(part) / nrow(data) / part_root)
      rest <- data[fold == out, ]
      said <- predict(small, rest, type = "class")
      row <- cbind(as.integer(rest$class), as.integer(said))
      loss[i] <- loss[i] + sum((prior / share)[rest$class] * cost[row])
    }
  }
  loss / root
}

test_that("with any loss the cross-validated error is what its definition says", {
  slow_test()
  skip_if_not_installed("rpart")
  folder <- skip_without_shared_data()
  set.seed(12)
  same <- 0
  names <- c("iris", "wine", "glass", "heart_statlog", "ionosphere", "page_blocks", "vehicle")
  for (name in some_of(names, 3)) {
    data <- peer_data(folder, name)
    fold <- sample(rep_len(1:5, nrow(data)))
    case <- random_case(nlevels(data$class), "both")
    table <- as.data.frame(cp_table(priors_tectree(data, case, folds = fold)))
    equal <- max(abs(by_hand(data, case, fold, table) - table$xerror)) < 1e-8
    same <- same + equal
    if (!equal) expect_gt(priors_reasons(data, case, fold), 0, label = name)
  }
  if (all_cases()) expect_gte(same, 3)
})
