# Compares each pruning with a tree that is grown with its settings.
expect_many <- function(mode, formula, data, new, grid, engine = list()) {
  widest <- c(list(mode), as.list(c(tree_depth = 10, min_n = 2, cost_complexity = 0)))
  fit <- parsnip::fit(do.call(tree_spec, c(widest, list(engine = engine))), formula, data)
  new$colour[2] <- NA
  alone <- lapply(seq_len(nrow(grid)), function(i) {
    settings <- c(as.list(grid[i, , drop = FALSE]), engine)
    do.call(tec_parsnip_tree, c(list(formula, data), settings), quote = TRUE)
  })
  for (type in if (mode == "regression") "numeric" else c("class", "prob")) {
    many <- do.call(parsnip::multi_predict, c(list(fit, new, type = type), grid))$.pred
    expect_identical(as.data.frame(many[[1]])[names(grid)], grid)
    ours <- as.data.frame(do.call(rbind, many))
    ours <- ours[setdiff(names(ours), names(grid))]
    for (i in seq_along(alone)) {
      found <- ours[seq(i, nrow(ours), by = nrow(grid)), , drop = FALSE]
      theirs <- predict(alone[[i]], new, type = if (type == "prob") "prob" else "response")
      expect_equal(found, as.data.frame(theirs), ignore_attr = TRUE)
    }
  }
}

many_settings <- expand.grid(
  tree_depth = c(1, 3, 10), min_n = c(2, 15, 40), cost_complexity = c(0, 0.004, 0.05)
)
attr(many_settings, "out.attrs") <- NULL

test_that("settings read off one fit are those of a fit each", {
  skip_if_not_installed("parsnip")
  d <- mixed_data(150)
  new <- mixed_data(30, seed = 8)
  expect_many("classification", y ~ z + x + colour + size, d, new, many_settings)
  expect_many("regression", number ~ z + x + colour, d, new, many_settings)
  few <- many_settings[c(5, 9, 14, 22, 27), ]
  rownames(few) <- NULL
  for (engine in list(
    list(missing = "majority", min_bucket = 3), list(preset = "cart", min_bucket = 2),
    list(criterion = "cair", nominal = "multiway")
  )) {
    expect_many("classification", y ~ z + x + colour + size, d, new, few, engine)
  }
})

test_that("one fit serves all settings", {
  skip_if_not_installed("parsnip")
  fits <- count_fits({
    fit <- parsnip::fit(tree_spec("regression", min_n = 2), mpg ~ ., mtcars)
    many <- parsnip::multi_predict(fit, mtcars,
      tree_depth = rep(0:4, 5), min_n = rep(2:6, each = 5)
    )
  })
  expect_equal(fits, 1)
  expect_equal(nrow(many$.pred[[1]]), 25)
  expect_equal(many$.pred[[1]]$.pred[1], mean(mtcars$mpg))
  alone <- parsnip::multi_predict(fit, mtcars[1:3, ])
  expect_identical(do.call(rbind, alone$.pred)$.pred, predict(fit, mtcars[1:3, ])$.pred)
})

test_that("penalties prune a tree of any kind, depths do not", {
  skip_if_not_installed("parsnip")
  d <- mixed_data(150)
  kinds <- list(list(preset = "c45"), list(max_leaves = 9), list(class_weights = "balanced"))
  for (engine in kinds) {
    spec <- function(cp) tree_spec(cost_complexity = cp, engine = engine)
    fit <- parsnip::fit(spec(0), y ~ z + colour, d)
    many <- do.call(rbind, parsnip::multi_predict(fit, d, cost_complexity = c(0, 0.01, 0.04))$.pred)
    for (cp in c(0, 0.01, 0.04)) {
      alone <- predict(parsnip::fit(spec(cp), y ~ z + colour, d), d)
      expect_identical(many$.pred_class[many$cost_complexity == cp], alone$.pred_class)
    }
  }
  fit_of <- function(...) parsnip::fit(tree_spec(...), y ~ z, d)
  expect_snapshot(show_errors({
    parsnip::multi_predict(fit_of(engine = list(max_leaves = 9)), d, tree_depth = 2)
    parsnip::multi_predict(fit_of(engine = list(prune = "pep")), d, cost_complexity = 0.1)
    parsnip::multi_predict(fit_of(engine = list(class_weights = "balanced")), d, min_n = 30)
    parsnip::multi_predict(fit_of(), d, tree_depth = 2)
    parsnip::multi_predict(fit_of(tree_depth = 3, cost_complexity = 0), d, tree_depth = 4)
    parsnip::multi_predict(fit_of(min_n = 20, cost_complexity = 0), d, min_n = c(20, 10))
    parsnip::multi_predict(fit_of(cost_complexity = 0.1), d, cost_complexity = 0.01)
    parsnip::multi_predict(fit_of(), d, cost_complexity = -1)
    parsnip::multi_predict(fit_of(), d, min_n = 20:22, tree_depth = 1:2)
    parsnip::multi_predict(fit_of(), d, type = "numeric")
    parsnip::multi_predict(fit_of(min_n = 20, engine = list(preset = "cart")), d, min_n = 30)
  }))
})

test_that("the fits that a grid needs", {
  skip_if_not_installed("parsnip")
  tune <- from_package("hardhat", "tune")
  skip_if_not_installed("tune")
  spec <- tree_spec(cost_complexity = tune("cp"), min_n = tune())
  grid <- tibble::tibble(cp = c(0.1, 0.01, 0.2, 0.05), min_n = c(2L, 4L, 2L, 8L))
  least <- generics::min_grid(spec, grid)
  expect_identical(least$cp, c(0.1, 0.01, 0.05))
  expect_identical(least$min_n, c(2L, 4L, 8L))
  expect_identical(least$.submodels, list(list(cp = 0.2), list(), list()))
  other <- parsnip::set_engine(spec, "rpart")
  expect_equal(nrow(generics::min_grid(other, grid)), 4)
})
