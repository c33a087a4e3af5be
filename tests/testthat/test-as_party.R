skip_if_not_installed("partykit")

test_that("partykit predicts the same, node for node, for every kind of split", {
  slow_test()
  all <- every_split()
  kinds <- unlist(lapply(all$fits, function(fit) split_kinds[fit$tree$kind + 1L]))
  expect_setequal(kinds, split_kinds)
  for (name in names(all$fits)) {
    fit <- all$fits[[name]]
    party <- partykit::as.party(fit)
    nodes <- unname(predict(party, all$data, type = "node"))
    expect_identical(as.integer(nodes), predict(fit, all$data, type = "node"), info = name)
    if (fit$response$task == "classification") {
      ours <- predict(fit, all$data, type = "prob")
      theirs <- predict(party, all$data, type = "prob")
      expect_equal(unname(theirs), unname(ours), info = name)
      expect_identical(
        as.character(predict(party, all$data)), as.character(predict(fit, all$data)),
        info = name
      )
    } else {
      expect_equal(unname(predict(party, all$data)), predict(fit, all$data), info = name)
    }
    expect_identical(partykit::nodeids(party), seq_along(fit$tree$parent))
    expect_output(print(party), "root")
  }
})

test_that("the size and spread of leaves are kept", {
  fit <- tec_tree(mpg ~ ., mtcars)
  party <- partykit::as.party(fit)
  fitted <- party$fitted
  leaf <- which(fit$tree$kind == 0L)
  weight <- tapply(fitted[["(weights)"]], fitted[["(fitted)"]], sum)
  expect_equal(unname(c(weight)), fit$tree$weight[leaf])
  square <- tapply(fitted[["(weights)"]] * fitted[["(response)"]]^2, fitted[["(fitted)"]], sum)
  expect_equal(unname(c(square / weight)) - fit$tree$yval[leaf]^2, fit$tree$impurity[leaf])
})

test_that("with data the fitted values are those of the rows", {
  fit <- full_tree(Species ~ ., iris)
  party <- partykit::as.party(fit, data = iris)
  expect_identical(party$fitted[["(response)"]], iris$Species)
  expect_equal(
    predict(party, iris, type = "prob"), predict(fit, iris, type = "prob"), ignore_attr = TRUE
  )
})

test_that("an empty branch predicts as its parent does", {
  d <- toy()
  d$colour <- factor(d$colour, c("red", "green", "blue", "none"))
  fit <- tec_tree(y ~ colour, d, nominal = "multiway", min_bucket = 1)
  party <- partykit::as.party(fit)
  new <- data.frame(colour = factor("none", levels(d$colour)))
  expect_equal(unname(predict(party, new, type = "prob")), unname(predict(fit, new, type = "prob")))
})

test_that("missing values and terms that are calls are converted", {
  fit <- tec_tree(Species ~ log(Petal.Length) + Petal.Width, iris)
  party <- partykit::as.party(fit)
  expect_equal(unname(predict(party, iris, type = "node")), predict(fit, iris, type = "node"))
  holed <- iris
  holed$Petal.Width[c(1, 60, 110)] <- NA
  plain <- tec_tree(Species ~ Petal.Length + Petal.Width, iris, missing = "majority")
  expect_equal(
    unname(predict(partykit::as.party(plain), holed, type = "node")),
    predict(plain, holed, type = "node")
  )
})

test_that("characters become factors", {
  d <- toy()
  d$colour <- as.character(d$colour)
  fit <- tec_tree(y ~ colour, d, min_bucket = 1)
  party <- partykit::as.party(fit)
  expect_equal(unname(predict(party, d, type = "node")), predict(fit, d, type = "node"))
})

test_that("trees that partykit cannot represent are refused", {
  fit <- tec_tree(mpg ~ ., mtcars, criterion = "l1")
  expect_snapshot(show_errors({
    as.party.tec_tree(fit, data = mtcars)
  }))
})

test_that("the object equals that of partykit::party()", {
  for (fit in every_split()$fits[c("binary", "numeric", "multiway", "intervals", "leaf")]) {
    ours <- partykit::as.party(fit)
    parts <- unclass(ours)
    theirs <- partykit::party(
      parts$node, parts$data, parts$fitted, parts$terms,
      info = parts$info
    )
    expect_identical(ours, structure(theirs, class = c("constparty", "party")))
  }
})

test_that("a tree of 5,000 leaves takes seconds, and one too deep for partykit is refused", {
  slow_test()
  skip_on_cran()
  set.seed(1)
  d <- as.data.frame(matrix(stats::rnorm(60000), 20000))
  d$y <- factor(sample(3, 20000, TRUE))
  fit <- tec_tree(y ~ ., d, min_bucket = 1)
  expect_lt(processor_seconds(party <- partykit::as.party(fit)), 10)
  some <- d[seq(1, 20000, 40), ]
  expect_identical(
    as.integer(predict(party, some, type = "node")), predict(fit, some, type = "node")
  )
  deep <- partykit::as.party(chain_tree(60))
  expect_equal(unname(predict(deep, data.frame(x = c(3, 59.5, 90)))), c(6, 120, 121))
  for (depth in c(4000, 100000)) {
    expect_error(partykit::as.party(chain_tree(depth)), class = "tec_error_conversion")
  }
  expect_snapshot(show_errors({
    as.party.tec_tree(chain_tree(4000))
  }))
})

test_that("a tree without a formula becomes a party", {
  skip_if_not_installed("partykit")
  skip_if_not_installed("jsonlite")
  fit <- tec_tree(Species ~ ., iris, missing = "majority")
  names <- c("a b", "c+d", "if", "\u00e9")
  odd <- tec_tree(x = stats::setNames(iris[1:4], names), y = iris$Species, missing = "majority")
  rows <- stats::setNames(iris[1:4], names)
  party <- partykit::as.party(tec_from_json(tec_json(fit)))
  expect_identical(as.character(predict(party, iris)), as.character(predict(fit, iris)))
  party <- partykit::as.party(tec_from_json(tec_json(odd)))
  expect_identical(unname(predict(party, rows, type = "node")), predict(odd, rows, "node"))
})

test_that("the error of a tree that is too deep says how deep it is", {
  expect_error(abort_party_depth(list(depth = 0:7)), "7 deep", class = "tec_error_conversion")
})
