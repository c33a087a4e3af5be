test_that("a row's way and values are those of predict()", {
  set.seed(1)
  airs <- airquality[!is.na(airquality$Ozone), ]
  airs$Month <- factor(airs$Month)
  for (missing in c("majority", "surrogate", "fractional")) {
    fit <- tec_tree(Ozone ~ ., airs, missing = missing, min_bucket = 3)
    for (i in c(2, 4, 30, 90)) {
      way <- predict(fit, airs[i, ], type = "path")[[1]]
      view <- tree_view(fit, Inf, NULL, tree_looks(fit, path = airs[i, ]))
      expect_setequal(view$node[view$on_path], way$node)
      on <- view[view$on_path & !view$leaf, ]
      value <- vapply(on$variable, function(v) {
        x <- airs[[v]][i]
        if (is.na(x)) "missing" else if (is.factor(x)) as.character(x) else format(x)
      }, "")
      expect_identical(sub("\n.*", "", on$extra), unname(paste(on$variable, "=", value)))
    }
  }
})

test_that("a path is drawn whole where the tree is not", {
  fit <- wide_path_tree()
  row <- data.frame(V1 = 0.1, V2 = -0.2, V3 = 0.3)
  words <- expect_readable(fit, path = row, width = 7, height = 5)
  view <- attr(words, "layout")$view
  expect_gt(sum(view$hidden > 0), 3)
  expect_setequal(view$node[view$on_path], predict(fit, row, type = "path")[[1]]$node)
  # On a page that is too small for it, what can be read.
  small <- attr(expect_readable(fit, path = row, width = 3.3, height = 3), "layout")
  expect_true(small$direction != "bare")
  expect_true(any(small$view$on_path))
})

test_that("the way stands out, and rows make branches thick", {
  fit <- tec_tree(Species ~ ., iris)
  ink <- ink_on("white")
  view <- tree_view(fit, Inf, NULL, tree_looks(fit, path = iris[77, ]))
  pens <- branch_pens(view, ink, 1)
  expect_true(all(pens$width[view$on_path] > max(pens$width[!view$on_path])))
  expect_identical(unique(pens$colour[view$on_path]), "black")
  view <- tree_view(fit, Inf, NULL, tree_looks(fit, by_rows = TRUE))
  pens <- branch_pens(view, ink, 1)
  expect_equal(pens$width, pmax(0.6, 10 * fit$tree$n / 150))
  expect_lte(max(branch_pens(view, ink, 0.02)$width), 2)
})

test_that("a path is one row", {
  fit <- full_tree(Species ~ ., iris)
  expect_snapshot(show_errors({
    plot(fit, path = iris[1:2, ])
    plot(fit, path = 3)
    plot(fit, path = iris[1, 5, drop = FALSE])
  }))
})
