# preset = "cart" against rpart() on subsamples of real data as they are: numbers, factors, missing
# values, weights, priors and losses, both called with the same seed. bench/rpart-same.R has more of
# them and prints what differs.

test_that("trees, tables and cross-validated errors are rpart's", {
  skip_if_not_installed("rpart")
  folder <- skip_without_shared_data()
  compare <- function(seed) {
    out <- compare_case(rpart_case(folder, seed))
    # Every difference has a tie, or another reason that can be shown.
    if (!out$tree || !out$table) expect_type(out$why, "character")
    out
  }
  # A last class that a fold lacks, and columns that tie there only.
  for (seed in case_seeds(2, also = 374125658)) at_seed(seed, compare(seed))
  found <- lapply(seq_len(if (all_cases()) 40 else 10), compare)
  share <- function(name) mean(vapply(found, `[[`, NA, name))
  expect_gte(share("tree"), 0.85)
  expect_gte(share("table"), 0.6)
})

test_that("rpart's own examples", {
  skip_if_not_installed("rpart")
  same <- function(formula, data, ...) {
    theirs <- rpart::rpart(formula, data, xval = 0, ...)
    ours <- tec_tree(formula, data, preset = "cart", folds = 0, ...)
    expect_equal(sum(ours$tree$kind == 0L), sum(theirs$frame$var == "<leaf>"))
    expect_equal(
      as.matrix(as.data.frame(cp_table(ours))[c("cp", "nsplit", "rel_error")]),
      theirs$cptable, ignore_attr = TRUE
    )
    rows_of <- function(leaf) sort(as.vector(table(leaf)))
    expect_identical(rows_of(predict(ours, data, type = "node")), rows_of(theirs$where))
  }
  same(Kyphosis ~ ., rpart::kyphosis)
  same(Kyphosis ~ ., rpart::kyphosis, parms = list(split = "information"))
  same(Kyphosis ~ ., rpart::kyphosis, parms = list(prior = c(0.65, 0.35), split = "inf"))
  loss <- matrix(c(0, 2, 1, 0), 2)
  same(Kyphosis ~ ., rpart::kyphosis, parms = list(loss = loss), method = "class")
  same(Price ~ ., rpart::car.test.frame, method = "anova")
  same(skips ~ ., rpart::solder.balance, cp = 0.002, minsplit = 10)
})
