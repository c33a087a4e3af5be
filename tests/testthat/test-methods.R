# The rows and settings no longer exist when the function returns.
made_inside <- function() {
  rows <- iris
  k <- 3
  full_tree(Species ~ log(Petal.Length) + Petal.Width, rows, min_bucket = k)
}

test_that("methods work for a fit made inside a function", {
  fit <- made_inside()
  plain <- full_tree(Species ~ log(Petal.Length) + Petal.Width, iris, min_bucket = 3)
  expect_identical(formula(fit), Species ~ log(Petal.Length) + Petal.Width)
  expect_s3_class(terms(fit), "terms")
  expect_identical(nobs(fit), 150L)
  expect_identical(variable.names(fit), c("log(Petal.Length)", "Petal.Width"))
  expect_identical(fitted(fit, iris), predict(fit, iris))
  expect_identical(residuals(fit, iris), residuals(plain, iris))
  expect_identical(update(fit, data = iris)$tree, plain$tree)
  expect_identical(update(fit, data = iris, q = 2)$criterion, tec_criterion("tsallis", q = 2))
  expect_identical(unname(labels(fit)), as.data.frame(fit)$rule)
  expect_identical(deviance(fit), deviance(plain))
  expect_identical(importance(fit), importance(plain))
  set.seed(1)
  permuted <- importance(fit, type = "permutation", data = iris)
  set.seed(1)
  expect_identical(permuted, importance(plain, type = "permutation", data = iris))
  expect_identical(fit[[2]]$tree, plain[[2]]$tree)
  expect_identical(c(n_leaves(fit), tree_depth(fit)), c(n_leaves(plain), tree_depth(plain)))
})

test_that("prints, pictures and conversions work too", {
  fit <- made_inside()
  plain <- full_tree(Species ~ log(Petal.Length) + Petal.Width, iris, min_bucket = 3)
  for (show in list(
    print, function(x) print(summary(x)), function(x) print(tec_rules(x)),
    function(x) print(explain(x, iris[71, ])), function(x) print(tec_scores(x, iris))
  )) {
    expect_identical(utils::capture.output(show(fit)), utils::capture.output(show(plain)))
  }
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  expect_silent(plot(fit, labels = FALSE))
  expect_silent(text(fit))
  skip_if_not_installed("generics")
  skip_if_not_installed("ggplot2")
  skip_if_not_installed("partykit")
  skip_if_not_installed("rpart")
  expect_identical(generics::tidy(fit), generics::tidy(plain))
  expect_identical(generics::glance(fit), generics::glance(plain))
  expect_identical(generics::augment(fit, data = iris), generics::augment(plain, data = iris))
  expect_silent(print(ggplot2::autoplot(fit)))
  party <- partykit::as.party(fit)
  nodes <- predict(plain, iris, type = "node")
  expect_equal(unname(predict(party, iris, type = "node")), nodes)
  shares <- predict(plain, iris, type = "prob")
  expect_equal(predict(as_rpart(fit), iris), shares, ignore_attr = TRUE)
})

test_that("a dot is expanded, and unusual names are kept", {
  expect_identical(
    formula(tec_tree(Species ~ ., iris)),
    Species ~ Sepal.Length + Sepal.Width + Petal.Length + Petal.Width
  )
  d <- iris
  names(d)[1] <- "a name"
  fit <- tec_tree(Species ~ ., d)
  expect_identical(attr(terms(fit), "term.labels")[1], "`a name`")
  expect_identical(names(model.frame(formula(fit), d))[2], "a name")
  wide <- data.frame(y = 1:20, matrix(rnorm(20 * 300), 20))
  expect_identical(formula(tec_tree(y ~ ., wide)), y ~ .)
})

test_that("deviance is that of the predictions", {
  fit <- tec_tree(fruit ~ ., fruit)
  p <- predict(fit, fruit, type = "prob")[cbind(1:1000, as.integer(fruit$fruit))]
  expect_equal(deviance(fit), -2 * sum(log(p)))
  l2 <- tec_tree(mpg ~ ., mtcars)
  expect_equal(deviance(l2), sum(residuals(l2, mtcars)^2))
  l1 <- tec_tree(mpg ~ ., mtcars, criterion = "l1")
  expect_equal(deviance(l1), sum(abs(residuals(l1, mtcars))))
})

test_that("residuals are those of rpart for its own tree", {
  skip_if_not_installed("rpart")
  theirs <- rpart::rpart(Species ~ ., iris)
  ours <- as_tec_tree(theirs)
  expect_equal(residuals(ours, iris), unname(residuals(theirs)))
  # Its residuals of the two other types are the squares of what its help page says.
  for (type in c("pearson", "deviance")) {
    expect_equal(residuals(ours, iris, type = type)^2, unname(residuals(theirs, type = type)))
  }
  expect_equal(sum(residuals(ours, iris, type = "deviance")^2), deviance(ours))
  number <- rpart::rpart(mpg ~ ., mtcars)
  expect_equal(residuals(as_tec_tree(number), mtcars), unname(residuals(number)))
})

test_that("rows without a response have no residual; x and y need y", {
  d <- iris[1:60, ]
  d$Species[3] <- NA
  fit <- tec_tree(iris[1:4], iris$Species)
  expect_identical(which(is.na(residuals(fit, d, y = d$Species))), 3L)
  expect_snapshot(show_errors({
    residuals(fit, d)
    fitted(fit, 1)
    residuals(fit, d, type = "raw")
    labels(fit, digts = 3)
  }))
})

test_that("used variables are those with splits", {
  fit <- tec_tree(Species ~ ., iris, max_depth = 1)
  expect_identical(variable.names(fit, used = TRUE), "Petal.Length")
})

#' @srrstats {ML7.3a} Parts of an object of rpart that a tree lacks.
test_that("parts that rpart's users look for are found, with a message", {
  fit <- tec_tree(Species ~ ., iris)
  expect_message(found <- fit$variable.importance, "importance", class = "tec_message_part")
  table <- importance(fit)
  some <- table$importance > 0
  expect_equal(found, stats::setNames(table$importance, table$variable)[some])
  expect_message(where <- fit$where, "predict", class = "tec_message_part")
  expect_identical(where, predict(fit, iris, type = "node"))
  gone <- local({
    rows <- iris
    tec_tree(Species ~ ., rows)
  })
  suppressMessages(expect_error(gone$where, "type = \"node\"", class = "tec_error_data"))
  set.seed(1)
  fit <- tec_tree(Species ~ ., iris, preset = "cart")
  expect_message(theirs <- fit$cptable, "cp_table", class = "tec_message_part")
  ours <- cp_table(fit)
  expect_identical(colnames(theirs), c("CP", "nsplit", "rel error", "xerror", "xstd"))
  expect_identical(unname(theirs[, "CP"]), ours$cp)
  expect_identical(unname(theirs[, "xerror"]), ours$xerror)
  expect_equal(
    prune(fit, cp = theirs[which.min(theirs[, "xerror"]), "CP"])$tree,
    tec_prune(fit, cp = ours$cp[which.min(ours$xerror)])$tree
  )
  plain <- tec_tree(Species ~ ., iris, prune = "none")
  expect_identical(
    colnames(suppressMessages(plain$cptable)), c("CP", "nsplit", "rel error")
  )
  expect_error(fit$frame, "as_rpart", class = "tec_error_part")
  # Other names are as in any list.
  expect_silent(expect_null(fit$no_such_part))
  expect_identical(fit$tree, fit[["tree"]])
  expect_identical(fit$n_row, fit$n_rows)
})

test_that("a tree without a formula reports it", {
  fit <- tec_tree(Species ~ ., iris)
  fit["formula"] <- list(NULL)
  expect_error(formula(fit), "This tree has no formula", class = "tec_error_conversion")
})

test_that("rpart's own functions do not treat a tree as one without splits", {
  skip_if_not_installed("rpart")
  fit <- tec_tree(Species ~ ., iris)
  expect_error(rpart::prune.rpart(fit, cp = 0.5), "as_rpart", class = "tec_error_part")
})
