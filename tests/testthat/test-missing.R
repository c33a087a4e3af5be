# The five policies for missing values against the naive oracle: searches, whole trees, surrogates
# and predictions, for every criterion and kind of split.

policies <- c("fractional", "majority", "mode", "surrogate", "drop")

# A random problem with holes: 0 to 60 % of each column, now and then a whole column.
with_holes <- function(policy, intervals = FALSE) {
  function(problem) {
    problem$columns <- lapply(problem$columns, function(x) {
      share <- pick(c(0, 0.1, 0.3, 0.6))
      if (stats::runif(1) < 0.05) share <- 1
      replace(x, stats::runif(length(x)) < share, NA)
    })
    problem$control$missing <- policy
    problem$control$max_surrogate <- pick(c(5L, 5L, 1L, 0L))
    problem$control$use_surrogate <- pick(c(2L, 2L, 1L, 0L))
    problem$control$surrogate_style <- pick(0:1)
    if (intervals) problem$control$intervals <- 3L
    problem
  }
}

for (policy in policies) {
  test_that(paste0("'", policy, "' searches and grows as the oracle does"), {
    set.seed(301)
    expect_oracle(60, check_both, with_holes(policy))
    set.seed(302)
    expect_oracle(8, check_both, with_holes(policy, intervals = TRUE), most_rows = 9)
  })

  test_that(paste0("'", policy, "' best-first makes the oracle's tree"), {
    set.seed(303)
    expect_oracle(6, check_tree, function(problem) {
      problem <- with_holes(policy)(problem)
      problem$control$max_leaves <- pick(2:6)
      problem
    })
  })
}
