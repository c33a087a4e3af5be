test_that("a call's settings come to one method", {
  resolved <- function(preset, ...) resolve_control(tec_control(...), preset)
  method <- function(preset, ...) resolved(preset, ...)$prune
  expect_equal(method("tec"), "auto")
  expect_equal(method("tec", prune = "none"), "none")
  expect_equal(method("id3"), "none")
  expect_equal(method("c45"), "ebp")
  expect_equal(method("cart"), "ccp")
  expect_equal(resolved("cart")$cp, 0.01)
  expect_equal(resolved("cart", cp = 0)$cp, 0)
  expect_equal(method("cart", prune = "none"), "none")
  expect_equal(method("tec", cp = 0.1), "ccp")
  expect_equal(method("tec", cp = 0), "none")
  expect_equal(method("tec", alpha = 0), "ccp")
  expect_equal(method("tec", alpha = "1se"), "ccp")
  expect_null(resolved("cart", alpha = "min")$cp)
  expect_equal(resolved("tec", prune = "ccp")$cp, 0.01)
  expect_true(resolved("c45")$collapse)
  expect_false(resolved("cart")$collapse)
  expect_false(resolved("c45", collapse = FALSE)$collapse)
})

test_that("preset c45 prunes whatever the criterion", {
  for (criterion in c("gini", "tsallis", "effcami0", "beta")) {
    fit <- tec_tree(Species ~ ., iris, preset = "c45", criterion = criterion)
    expect_equal(fit$pruning$method, "ebp")
  }
})

test_that("bad settings of pruning are classed errors", {
  fit <- toy_tree()
  number <- tec_tree(mpg ~ ., mtcars)
  expect_snapshot(show_errors({
    tec_control(prune = "cpp")
    tec_control(prune = "1se")
    tec_control(cf = 0)
    tec_control(cf = 0.6)
    tec_control(cf = "low")
    tec_control(alpha = -1)
    tec_control(alpha = "best")
    tec_control(cp = -1)
    tec_control(cp = NA)
    tec_control(cp = c(0.1, 0.2))
    tec_control(folds = -1)
    tec_control(folds = 2.5)
    tec_control(folds = c(1, 1, 1))
    tec_control(folds = c(1, NA))
    tec_control(risk = "gini")
    tec_control(raise = NA)
    tec_control(collapse = "yes")
    tec_tree(y ~ x, toy(), cp = 0.1, prune = "pep")
    tec_tree(y ~ x, toy(), cp = 0.1, alpha = 0.1)
    tec_tree(y ~ x, toy(), alpha = "min", folds = 0)
    tec_tree(y ~ x, toy(), prune = "ccp", folds = 1:5)
    tec_tree(y ~ x, toy(), prune = "rep")
    tec_tree(y ~ x, toy(), validation = toy())
    tec_tree(mpg ~ ., mtcars, prune = "pep")
    tec_tree(mpg ~ ., mtcars, criterion = "l1", preset = "c45")
    tec_tree(mpg ~ ., mtcars, prune = "ccp", risk = "misclassification")
    tec_prune(fit)
    tec_prune(fit, "cpp")
    tec_prune(fit, "ccp")
    tec_prune(fit, cp = 0.1, alpha = 0.1)
    tec_prune(fit, cp = -0.1)
    tec_prune(tec_prune(fit, "pep"), alpha = "min")
    tec_prune(fit, "pep", cp = 0.1)
    tec_prune(fit, "pep", validation = toy())
    tec_prune(fit, "ebp", cf = 0.7)
    tec_prune(fit, "ebp", raise = TRUE)
    tec_prune(fit, "rep")
    tec_prune(fit, "pep", cpp = 0.1)
    tec_prune(iris, "pep")
    tec_prune(number, "pep")
    tec_prune(number, "ebp")
    cp_table(iris)
    cp_table(number, risk = "misclassification")
  }))
  expect_error(tec_prune(fit, "cpp"), class = "tec_error_prune")
})

test_that("folds of another length are an error, whether they are used or not", {
  for (prune in c("none", "pep", "ebp", "ccp")) {
    expect_error(tec_tree(y ~ x, toy(), prune = prune, folds = 1:5), "one value per row",
      class = "tec_error_prune"
    )
  }
})

test_that("bad validation data are classed errors", {
  fit <- toy_tree()
  number <- tec_tree(mpg ~ wt, mtcars)
  other <- toy()
  other$y <- factor(rep(c("no", "maybe"), 6))
  expect_snapshot(show_errors({
    tec_prune(fit, validation = toy()["x"])
    tec_prune(fit, validation = toy()["y"])
    tec_prune(fit, validation = other)
    tec_prune(fit, validation = transform(toy(), y = 1))
    tec_prune(fit, validation = transform(toy(), y = NA_character_))
    tec_prune(fit, validation = toy()[0, ])
    tec_prune(fit, validation = 1:3)
    tec_prune(number, validation = transform(mtcars, mpg = "high"))
    tec_prune(number, validation = transform(mtcars, mpg = Inf))
    tec_prune(fit, "ebp", data = toy()["x"])
    tec_tree(y ~ x, toy(), prune = "rep", validation = toy()["x"])
  }))
  expect_error(tec_prune(fit, validation = other), class = "tec_error_validation")
  expect_message(
    tec_prune(fit, validation = transform(toy(), y = replace(y, 1, NA))),
    class = "tec_message_dropped"
  )
})

test_that("a damaged fit is not pruned", {
  fit <- tec_tree(Species ~ ., iris, min_bucket = 1)
  damage <- function(change) {
    fit$tree <- utils::modifyList(fit$tree, change)
    fit
  }
  n <- length(fit$tree$kind)
  damaged <- list(
    damage(list(parent = rev(fit$tree$parent))),
    damage(list(child = rep(1L, n - 1L))),
    damage(list(n = fit$tree$n[-1])),
    damage(list(weight = as.character(fit$tree$weight))),
    damage(list(yval = fit$tree$yval + 7)),
    damage(list(prob = fit$tree$prob[-1, ])),
    damage(list(variable = rep(9L, n)))
  )
  for (broken in some_of(damaged, 3)) {
    for (method in c("pep", "ebp", "collapse")) {
      expect_error(tec_prune(broken, method), class = "tec_error_damaged")
    }
    expect_error(tec_prune(broken, cp = 0.1), class = "tec_error_damaged")
    expect_error(tec_prune(broken, validation = iris), class = "tec_error_damaged")
    expect_error(tec_prune(broken, "ebp", data = iris), class = "tec_error_damaged")
    expect_error(cp_table(broken), class = "tec_error_damaged")
  }
  fit$cost <- matrix(1, 2, 2)
  expect_error(tec_prune(fit, "pep"), class = "tec_error_damaged")
  fit$cost <- NULL
  fit$tree$more <- 1
  expect_error(tec_prune(fit, "pep"), class = "tec_error_damaged")
})

test_that("TRUE and FALSE for `prune` are errors that name the word", {
  expect_error(
    tec_tree(Species ~ ., iris, prune = FALSE), 'Did you mean "none"', class = "tec_error_control"
  )
  expect_error(tec_tree(Species ~ ., iris, prune = TRUE), 'Did you mean "auto"')
})

test_that("the methods of pruning are named in words", {
  fit <- tec_tree(Species ~ ., iris, prune = "none")
  expect_error(
    tec_prune(fit, method = "pessimistic"), '"pep" is pessimistic', class = "tec_error_prune"
  )
  expect_error(tec_prune(fit), '"rep" reduced-error')
})
