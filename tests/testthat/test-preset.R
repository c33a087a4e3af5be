test_that("a size given alone moves the other as documented", {
  size <- function(preset, ...) {
    control <- resolve_control(tec_control(...), preset)
    c(control$min_bucket, control$min_split)
  }
  expect_equal(size("tec"), c(5, 10))
  expect_equal(size("id3"), c(1, 2))
  expect_equal(size("c45"), c(2, 4))
  expect_equal(size("cart"), c(7, 20))
  expect_equal(size("tec", min_bucket = 3), c(3, 6))
  expect_equal(size("tec", min_split = 3), c(1, 3))
  expect_equal(size("tec", min_split = 40), c(20, 40))
  expect_equal(size("id3", min_split = 5), c(2, 5))
  expect_equal(size("c45", min_bucket = 5), c(5, 10))
  expect_equal(size("c45", min_split = 10), c(5, 10))
  expect_equal(size("cart", min_bucket = 3), c(3, 9))
  expect_equal(size("cart", min_split = 9), c(3, 9))
  expect_equal(size("cart", min_split = 1), c(1, 1))
  skip_if_not_installed("rpart")
  for (split in 2:40) {
    theirs <- rpart::rpart.control(minsplit = split)
    expect_equal(size("cart", min_split = split), c(max(1, theirs$minbucket), split))
  }
  expect_equal(size("cart", min_split = 4, min_bucket = 4), c(4, 4))
})

test_that("a small min_split has an effect on few rows in every preset", {
  for (preset in c("tec", "cart")) {
    few <- tec_tree(PlayTennis ~ ., play_tennis, preset = preset, prune = "none")
    more <- tec_tree(PlayTennis ~ ., play_tennis,
      preset = preset, prune = "none", min_split = 2
    )
    expect_gt(n_leaves(more), n_leaves(few))
  }
  expect_gt(n_leaves(tec_tree(PlayTennis ~ ., play_tennis, minsplit = 3)), 2)
})

test_that("presets choose criterion and nominal splits", {
  expect_equal(tec_tree(y ~ x, toy())$criterion, tec_criterion("tsallis", q = 1))
  expect_equal(tec_tree(y ~ x, toy(), preset = "cart")$criterion, tec_criterion("gini"))
  expect_equal(tec_tree(y ~ x, toy(), preset = "c45")$criterion, tec_criterion("gain_ratio"))
  expect_equal(tec_tree(mpg ~ ., mtcars)$criterion, tec_criterion("l2"))
  expect_equal(tec_tree(mpg ~ ., mtcars, preset = "cart")$criterion, tec_criterion("l2"))
  id3 <- tec_tree(y ~ colour + size, toy(), preset = "id3")
  expect_equal(id3$control$nominal, "multiway")
  expect_equal(id3$columns$kind, c("nominal", "nominal"))
  binary <- tec_tree(y ~ colour, toy(), preset = "id3", nominal = "binary")
  expect_equal(binary$control$nominal, "binary")
  shannon <- tec_tree(y ~ x, toy(), preset = "cart", criterion = "shannon")
  expect_equal(shannon$criterion$name, "shannon")
})

test_that("id3 refuses data that ID3 does not accept", {
  d <- toy()
  d$colour[2] <- NA
  expect_snapshot(show_errors({
    tec_tree(Species ~ ., iris, preset = "id3")
    tec_tree(y ~ colour, d, preset = "id3")
    tec_tree(y ~ x, toy(), preset = "crat")
    tec_tree(y ~ x, toy(), preset = NULL)
  }))
  expect_error(tec_tree(y ~ x, toy(), preset = "id3"), class = "tec_error_preset")
  expect_s3_class(tec_tree(y ~ colour, d, preset = "id3", missing = "majority"), "tec_tree")
  expect_s3_class(tec_tree(y ~ colour, d, preset = "id3", subset = -2), "tec_tree")
})

test_that("id3 grows Quinlan's tree on both tables", {
  for (data in list(play_tennis, play_tennis_slides)) {
    nodes <- as.data.frame(tec_tree(PlayTennis ~ ., data, preset = "id3"))
    expect_equal(nrow(nodes), 8)
    expect_equal(sum(nodes$kind == "leaf"), 5)
    expect_equal(nodes$variable[1], "Outlook")
    below <- function(level) nodes[nodes$rule == paste("Outlook =", level), ]
    expect_equal(as.character(below("overcast")$yval), "yes")
    expect_equal(below("overcast")$kind, "leaf")
    expect_equal(below("sunny")$variable, "Humidity")
    expect_equal(below("rain")$variable, "Wind")
  }
})
