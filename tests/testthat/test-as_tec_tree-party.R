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
