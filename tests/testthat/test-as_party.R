skip_if_not_installed("partykit")

test_that("partykit predicts the same, node for node, for every kind of split", {
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

test_that("the size and spread of the leaves come out", {
  fit <- tec_tree(mpg ~ ., mtcars)
  party <- partykit::as.party(fit)
  fitted <- party$fitted
  leaf <- which(fit$tree$kind == 0L)
  weight <- tapply(fitted[["(weights)"]], fitted[["(fitted)"]], sum)
  expect_equal(unname(c(weight)), fit$tree$weight[leaf])
  square <- tapply(fitted[["(weights)"]] * fitted[["(response)"]]^2, fitted[["(fitted)"]], sum)
  expect_equal(unname(c(square / weight)) - fit$tree$yval[leaf]^2, fit$tree$impurity[leaf])
})

test_that("with the rows the fitted values are theirs", {
  fit <- tec_tree(Species ~ ., iris)
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

test_that("missing values and terms that are calls", {
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

test_that("what partykit cannot hold is refused", {
  fit <- tec_tree(mpg ~ ., mtcars, criterion = "l1")
  expect_snapshot(show_errors({
    as.party.tec_tree(fit, data = mtcars)
  }))
})
