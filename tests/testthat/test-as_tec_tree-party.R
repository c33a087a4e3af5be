test_that("party objects predict the same here", {
  skip_if_not_installed("partykit")
  skip_if_not_installed("rpart")
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

test_that("a tree survives the conversion to partykit and back", {
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

test_that("a party without a response, and intervals that share a branch, are refused", {
  skip_if_not_installed("partykit")
  d <- data.frame(y = c(1, 2, 3, 4), x = 1:4)
  make <- function(index, response) {
    split <- partykit::partysplit(2L, breaks = c(1.5, 2.5), index = index)
    kids <- lapply(seq_len(max(index)) + 1L, partykit::partynode)
    fitted <- list("(fitted)" = index[c(1, 2, 3, 3)] + 1L, "(response)" = response)
    fitted <- as.data.frame(fitted[lengths(fitted) > 0L], optional = TRUE)
    partykit::party(partykit::partynode(1L, split, kids), d, fitted, stats::terms(y ~ x, data = d))
  }
  refused <- function(party, text) {
    expect_error(as_tec_tree(party), text, class = "tec_error_conversion")
  }
  refused(make(1:3, NULL), "contains none")
  refused(make(1:3, c("a", "b", "c", "d")), "as classes or numbers")
  refused(make(c(1L, 2L, 1L), d$y), "3 intervals down 2 branches")
  expect_identical(as.vector(predict(as_tec_tree(make(c(3L, 1L, 2L), d$y)), d)), c(1, 2, 3.5, 3.5))
})
