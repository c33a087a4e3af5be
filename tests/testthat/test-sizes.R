# Work must not grow faster than the tree, its classes or its levels. It is counted, not timed.

many_classes <- function() {
  set.seed(1)
  data <- data.frame(a = runif(3000), b = runif(3000), y = factor(sample(300, 3000, TRUE)))
  tec_tree(y ~ ., data, prune = "none")
}

# A root with one branch per level.
many_branches <- function(n = 2000) {
  data <- data.frame(f = factor(rep(seq_len(n), 2)), y = factor(rep(c("a", "b"), n)))
  tec_tree(y ~ f, data, nominal = "multiway", min_bucket = 1, min_split = 2, prune = "none")
}

test_that("nodes x classes are looked at some classes at a time, with the same result", {
  fit <- many_classes()
  blocks <- class_blocks(fit$tree)
  expect_identical(unlist(blocks, use.names = FALSE), 1:300)
  at_once <- 5000
  small <- class_blocks(fit$tree, at_once)
  expect_lte(max(lengths(small)) * n_nodes(fit), at_once)
  expect_identical(unlist(small, use.names = FALSE), 1:300)
  # More nodes than that: a class at a time.
  expect_identical(lengths(class_blocks(fit$tree, 10), use.names = FALSE), rep(1L, 300))
  whole <- summary(fit)
  deviance <- deviance(fit)
  local_binding("class_blocks", function(tree) small)
  expect_identical(summary(fit), whole)
  expect_equal(deviance(fit), deviance)
})

test_that("repeated numbers have one text each, and a node's shares become text together", {
  numbers <- c(0, 0.1, 1 / 3, NA, NaN, Inf, -Inf, 1e-300, 2^53 + 2)
  expect_identical(exact_number(rep(numbers, 100)), rep(exact_number(numbers), 100))
  expect_identical(exact_number(rep(c(0, -0, 1), 100)), rep(c("0", "-0", "1"), 100))
  most <- 0
  exact <- exact_number
  local_binding("exact_number", function(x) {
    most <<- max(most, length(x))
    exact(x)
  })
  fit <- many_classes()
  tec_json(fit)
  expect_lt(most, 0.1 * length(fit$tree$prob))
})

test_that("a rule names the levels of its own branch alone", {
  fit <- many_branches()
  shown <- 0
  show <- show_label
  local_binding("show_label", function(x) {
    shown <<- shown + length(x)
    show(x)
  })
  rules <- tec_rules(fit)
  expect_identical(rules$rule, paste("f =", 1:2000))
  expect_lt(shown, 10 * 2000)
})

test_that("of a set of many levels only what may have room is measured", {
  labels <- as.character(1:50000)
  letters <- 0
  measure <- function(text) {
    letters <<- letters + sum(nchar(text))
    nchar(text)
  }
  parts <- list(
    name = "f", rest = paste0("in {", toString(labels), "}"), short = NA, sets = list(labels)
  )
  fitted <- fit_condition(parts, 1L, 30, 3L, measure, FALSE)
  expect_match(fitted$text, "^f in [{]1, 2, 3, .*[+]49[0-9]{3}[}]$")
  expect_true(all(nchar(strsplit(fitted$text, "\n")[[1]]) <= 30))
  expect_lt(letters, nchar(parts$rest) / 4)
  # What fits one line may be longer than what is looked at otherwise.
  whole <- fit_condition(parts, 1L, 1e6, 3L, nchar, FALSE)
  expect_identical(whole, list(text = paste("f", parts$rest), lost = 0L, cut = FALSE))
})
