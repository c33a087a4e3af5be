strip_of <- function(fit, node, data) {
  split_strip(fit, node, tree_looks(fit, strips = TRUE, data = data)$rows)
}

# The rows that come to a node.
inside <- function(fit, node, data) {
  vapply(predict(fit, data, type = "path"), function(way) node %in% way$node, NA)
}

test_that("bars count each class on each side of the cut", {
  fit <- tec_tree(Species ~ ., iris)
  table <- as.data.frame(fit)
  for (node in which(fit$tree$kind == 1L)) {
    strip <- strip_of(fit, node, iris)
    bars <- strip$bars
    expect_length(strip$cuts, 1)
    here <- iris[inside(fit, node, iris), ]
    cut <- node_breaks(fit$tree, node)
    left <- here[[table$variable[node]]] <= cut
    # No bar lies across the cut.
    expect_true(all(bars$right <= strip$cuts + 1e-9 | bars$left >= strip$cuts - 1e-9))
    side <- bars$right <= strip$cuts + 1e-9
    for (k in 1:3) {
      one <- bars$class == k
      right <- as.integer(here$Species) == k
      expect_equal(sum(bars$count[one & side]), sum(right & left))
      expect_equal(sum(bars$count[one & !side]), sum(right & !left))
    }
    expect_equal(bars$high - bars$low, bars$count / (max(tapply(bars$count, bars$left, sum))))
  }
})

test_that("levels stand with their branch", {
  for (nominal in c("binary", "multiway")) {
    fit <- tec_tree(Survived ~ ., long_levels(), min_bucket = 200, nominal = nominal)
    d <- long_levels()
    for (node in which(fit$tree$kind != 0L)) {
      strip <- strip_of(fit, node, d)
      variable <- fit$columns$name[fit$tree$variable[node]]
      here <- d[inside(fit, node, d), ]
      children <- which(fit$tree$parent == node)
      expect_equal(sum(strip$bars$count), nrow(here))
      ends <- c(0, strip$cuts, 1)
      sizes <- vapply(seq_len(length(ends) - 1), function(b) {
        sum(strip$bars$count[strip$bars$left >= ends[b] & strip$bars$right <= ends[b + 1]])
      }, 0)
      expect_equal(sizes, fit$tree$n[children][fit$tree$n[children] > 0])
      expect_length(unique(strip$bars$left), length(unique(here[[variable]])))
    }
  }
})

test_that("a numeric response has points and the mean of each branch", {
  airs <- airquality[!is.na(airquality$Ozone), ]
  airs$Month <- factor(airs$Month)
  fit <- tec_tree(Ozone ~ Wind + Temp + Month, airs, min_bucket = 5)
  range <- range(airs$Ozone)
  for (node in which(fit$tree$kind != 0L)) {
    strip <- strip_of(fit, node, airs)
    means <- fit$tree$yval[fit$tree$parent == node]
    expect_equal(strip$means$y, (means - range[1]) / diff(range))
    expect_equal(nrow(strip$points), fit$tree$n[node])
    expect_true(all(strip$points$x >= 0 & strip$points$x <= 1))
  }
})

test_that("intervals have a cut each, and empty or constant nodes are drawn", {
  fit <- tec_tree(Species ~ ., iris, intervals = 4, min_bucket = 5)
  node <- which(fit$tree$kind == 2L)[1]
  strip <- strip_of(fit, node, iris)
  expect_length(strip$cuts, fit$tree$break_count[node])
  strip <- strip_of(fit, node, iris[1, ])
  expect_equal(sum(strip$bars$count), 1)
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  expect_silent(plot(fit, strips = TRUE, data = iris[1, ]))
  expect_silent(plot(fit, strips = TRUE, data = transform(iris, Petal.Width = NA_real_)))
})
