# preset = "cart" against rpart() on subsamples of real data as they are: numbers, factors, missing
# values, weights, priors and losses, both called with the same seed. bench/rpart-same.R has more of
# them and prints what differs.

test_that("trees, tables and cross-validated errors are rpart's", {
  skip_if_not_installed("rpart")
  folder <- skip_without_shared_data()
  found <- lapply(seq_len(random_cases(40, 10)), function(seed) {
    case <- rpart_case(folder, seed)
    out <- compare_case(case)
    # Every difference has a tie, or another reason that can be shown.
    if (!out$tree || !out$table) expect_type(out$why, "character")
    out
  })
  share <- function(name) mean(vapply(found, `[[`, NA, name))
  expect_gte(share("tree"), 0.85)
  expect_gte(share("table"), 0.6)
})

test_that("rpart's own examples", {
  skip_if_not_installed("rpart")
  same <- function(formula, data, ...) {
    set.seed(5)
    theirs <- rpart::rpart(formula, data)
    set.seed(5)
    ours <- tec_tree(formula, data, preset = "cart", ...)
    expect_true(same_case_table(cp_table(ours), theirs$cptable))
  }
  same(Kyphosis ~ ., rpart::kyphosis)
  same(Mileage ~ Price + Type + Reliability, rpart::cu.summary[!is.na(rpart::cu.summary$Mileage), ])
  same(Price ~ ., rpart::car.test.frame)
})
