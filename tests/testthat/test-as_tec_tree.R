test_that("rpart's trees predict the same here", {
  skip_if_not_installed("rpart")
  all <- every_split()
  d <- all$data
  d$word <- as.character(d$colour)
  d$day <- as.numeric(d$day)
  d[["a-b"]] <- d$x
  d[["1"]] <- d$k
  grow <- function(...) rpart::rpart(..., control = rpart::rpart.control(cp = 0.001, minsplit = 4))
  trees <- list(
    grow(y ~ . - z, d), grow(y ~ colour + word + flag, d), grow(y ~ size, d), grow(z ~ . - y, d),
    rpart::rpart(y ~ . - z, d, parms = list(split = "information")),
    rpart::rpart(y ~ . - z, d, parms = list(prior = c(0.1, 0.2, 0.7))),
    rpart::rpart(y ~ x, d, cp = 1), grow(y ~ log(k) + x, d),
    grow(y ~ `a-b` + `1`, d)
  )
  for (tree in trees) {
    fit <- as_tec_tree(tree)
    if (tree$method == "class") {
      expect_equal(predict(fit, d, type = "prob"), predict(tree, d), ignore_attr = TRUE)
    } else {
      expect_equal(predict(fit, d), unname(predict(tree, d)))
    }
    expect_identical(n_leaves(fit), sum(tree$frame$var == "<leaf>"))
    expect_output(print(fit), "tree for")
    expect_s3_class(tec_rules(fit), "tec_rules")
    expect_s3_class(summary(fit), "summary.tec_tree")
  }
})

test_that("impurity and gain of a converted tree are those of ours", {
  skip_if_not_installed("rpart")
  fit <- tec_tree(Species ~ ., iris, criterion = "gini")
  back <- as_tec_tree(as_rpart(fit))
  expect_equal(back$tree$impurity, fit$tree$impurity)
  expect_equal(back$tree$gain, fit$tree$gain)
  expect_equal(back$tree$breaks, fit$tree$breaks)
  number <- tec_tree(mpg ~ ., mtcars)
  back <- as_tec_tree(as_rpart(number))
  expect_equal(back$tree$gain, number$tree$gain)
})

test_that("C5.0's trees predict the same here", {
  skip_if_not_installed("C50")
  all <- every_split()
  d <- all$data
  d$day <- as.numeric(d$day)
  names(d)[names(d) == "colour"] <- "colour: of, it."
  d$flag <- factor(d$flag)
  d$tenth <- round(d$x, 1) + 0.7
  for (subset in c(TRUE, FALSE)) {
    control <- C50::C5.0Control(subset = subset, minCases = 1, CF = 0.9)
    tree <- C50::C5.0(x = d[setdiff(names(d), c("y", "z"))], y = d$y, control = control)
    fit <- as_tec_tree(tree)
    expect_gt(n_leaves(fit), 10)
    expect_identical(predict(fit, d), predict(tree, d))
    from_formula <- C50::C5.0(Species ~ ., iris)
    fit <- as_tec_tree(from_formula)
    expect_identical(predict(fit, iris), predict(from_formula, iris))
    expect_identical(
      formula(fit), Species ~ Sepal.Length + Sepal.Width + Petal.Length + Petal.Width
    )
  }
  leaf <- C50::C5.0(x = data.frame(x = 1:10), y = factor(rep(c("a", "b"), 5)))
  expect_identical(n_leaves(as_tec_tree(leaf)), 1L)
})

test_that("party objects predict the same here", {
  skip_if_not_installed("partykit")
  all <- every_split()
  d <- all$data
  d$day <- as.numeric(d$day)
  d$flag <- factor(d$flag)
  for (tree in list(
    partykit::ctree(y ~ . - z, d), partykit::ctree(z ~ . - y, d), partykit::ctree(y ~ size, d),
    partykit::as.party(rpart::rpart(y ~ . - z - flag, d))
  )) {
    fit <- as_tec_tree(tree)
    expect_equal(as.vector(predict(fit, d)), as.vector(unname(predict(tree, d))))
    expect_identical(n_leaves(fit), length(partykit::nodeids(tree, terminal = TRUE)))
  }
})

test_that("a tree that went to partykit comes back", {
  skip_if_not_installed("partykit")
  all <- every_split()
  for (name in names(all$fits)) {
    fit <- all$fits[[name]]
    back <- as_tec_tree(partykit::as.party(fit))
    where <- function(tree) predict(tree, all$data, type = "node")
    expect_identical(where(back), where(fit), info = name)
    if (fit$response$task == "classification") {
      expect_equal(back$tree$prob, fit$tree$prob, info = name)
    }
    # A number's weights are not whole in partykit's hands, a class's leaves are.
    expect_equal(back$tree$weight, fit$tree$weight, tolerance = 1e-6, info = name)
  }
})

test_that("what cannot be converted says so", {
  skip_if_not_installed("C50")
  skip_if_not_installed("rpart")
  boosted <- C50::C5.0(iris[1:4], iris$Species, trials = 5)
  rules <- C50::C5.0(iris[1:4], iris$Species, rules = TRUE)
  counts <- rpart::rpart(carb ~ wt, mtcars, method = "poisson")
  expect_snapshot(show_errors({
    as_tec_tree(boosted)
    as_tec_tree(rules)
    as_tec_tree(counts)
    as_tec_tree(lm(dist ~ speed, cars))
  }))
  fit <- toy_tree()
  expect_identical(as_tec_tree(fit), fit)
})

test_that("a converted tree is visible at the console", {
  skip_if_not_installed("rpart")
  expect_visible(as_tec_tree(rpart::rpart(Species ~ ., iris)))
})

test_that("titles say what grew a converted tree", {
  skip_if_not_installed("partykit")
  skip_if_not_installed("rpart")
  title <- function(fit) format(fit)[1L]
  tree <- rpart::rpart(Species ~ ., iris)
  expect_identical(title(as_tec_tree(tree)), "Classification tree for Species (gini, from rpart)")
  information <- rpart::rpart(Species ~ ., iris, parms = list(split = "information"))
  expect_match(title(as_tec_tree(information)), "(shannon, from rpart)", fixed = TRUE)
  expect_match(title(as_tec_tree(partykit::as.party(tree))), "(from rpart)", fixed = TRUE)
  inference <- as_tec_tree(partykit::ctree(Species ~ ., iris))
  expect_match(title(inference), "(from ctree)", fixed = TRUE)
  expect_match(format(summary(inference))[1L], "(from ctree)", fixed = TRUE)
  number <- as_tec_tree(partykit::ctree(dist ~ speed, cars))
  expect_match(title(number), "Regression tree for dist (from ctree)", fixed = TRUE)
  ours <- partykit::as.party(tec_tree(Species ~ ., iris))
  expect_match(title(as_tec_tree(ours)), "from tectree (tsallis", fixed = TRUE)
  skip_if_not_installed("C50")
  five <- as_tec_tree(C50::C5.0(Species ~ ., iris))
  expect_match(title(five), "(gain_ratio, from C5.0)", fixed = TRUE)
})

test_that("the shares of another tool's tree are predicted as they are", {
  skip_if_not_installed("rpart")
  theirs <- rpart::rpart(Species ~ ., iris, control = rpart::rpart.control(minsplit = 4, cp = 0))
  fit <- as_tec_tree(theirs)
  expect_equal(predict(fit, iris, type = "prob"), predict(theirs, iris), ignore_attr = TRUE)
  skip_if_not_installed("jsonlite")
  ours <- tec_tree(Species ~ ., iris)
  again <- tec_from_json(tec_json(ours))
  expect_equal(predict(again, iris, type = "prob"), predict(ours, iris, type = "prob"))
})
