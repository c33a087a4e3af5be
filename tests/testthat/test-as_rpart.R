skip_if_not_installed("rpart")

test_that("rpart predicts the same from the converted tree", {
  all <- every_split()
  for (name in names(binary_fits(all$fits))) {
    fit <- all$fits[[name]]
    tree <- as_rpart(fit)
    if (fit$response$task == "classification") {
      theirs <- predict(tree, all$data)
      ours <- predict(fit, all$data, type = "prob")
      expect_equal(unname(theirs), unname(ours), info = name, ignore_attr = TRUE)
      class <- predict(tree, all$data, type = "class")
      expect_identical(as.character(class), as.character(predict(fit, all$data)), info = name)
    } else {
      expect_equal(unname(predict(tree, all$data)), predict(fit, all$data), info = name)
    }
    expect_output(print(tree), "root")
  }
})

test_that("a row on the cut goes the same way", {
  d <- data.frame(x = c(1, 2, 3, 4), y = factor(c("a", "a", "b", "b")))
  fit <- tec_tree(y ~ x, d, min_bucket = 1)
  at <- data.frame(x = 2.5 + c(-1, 0, 1) * 2^-51)
  expect_identical(as.character(predict(as_rpart(fit), at, type = "class")), c("a", "a", "b"))
  expect_identical(as.character(predict(fit, at)), c("a", "a", "b"))
})

test_that("the next double is the next", {
  x <- c(1, 2.5, 1e300, 1e-300, 2^-1074, 0, -1, -2.5, 0.1, 8, 2^-1022, -0.1)
  up <- next_double(x)
  expect_true(all(up > x))
  middle <- x / 2 + up / 2
  expect_true(all(middle <= x | middle >= up))
  expect_identical(previous_double(up), x)
})

# Nodes in an order that does not depend on which branch is left.
by_size <- function(frame) {
  frame$complexity[frame$var == "<leaf>"] <- 0
  frame[4:6] <- lapply(frame[4:6], signif, 10)
  frame <- frame[do.call(order, frame[c("n", "wt", "dev", "complexity", "var", "yval")]), ]
  frame[c("var", "n", "wt", "dev", "yval", "complexity")]
}

#' @srrstats {ML7.3} The parts of a tree are those of an object of rpart.
test_that("frame and complexity table equal rpart's", {
  set.seed(2)
  d <- data.frame(x = rnorm(300), z = rnorm(300), f = factor(sample(letters[1:5], 300, TRUE)))
  d$y <- factor(ifelse(d$x + d$z * (d$f %in% c("a", "c")) + rnorm(300) > 0, "yes", "no"))
  grow <- function(formula, ...) {
    control <- rpart::rpart.control(
      cp = 0, minsplit = 6, xval = 0, maxsurrogate = 0, maxcompete = 0
    )
    rpart::rpart(formula, ..., control = control)
  }
  weighted <- rpart::rpart(
    y ~ ., d,
    weights = rep(1:3, 100), cp = 0, minsplit = 6, xval = 0, maxsurrogate = 0, maxcompete = 0
  )
  for (theirs in list(
    grow(Species ~ ., iris), grow(y ~ ., d), grow(mpg ~ ., mtcars), weighted
  )) {
    ours <- as_rpart(as_tec_tree(theirs))
    expect_equal(by_size(ours$frame), by_size(theirs$frame), ignore_attr = TRUE)
    steps <- function(tree) unname(tree$cptable[-nrow(tree$cptable), ])
    expect_equal(steps(ours), steps(theirs))
    if (!is.null(theirs$frame$yval2)) {
      expect_equal(colSums(ours$frame$yval2), colSums(theirs$frame$yval2), ignore_attr = TRUE)
    }
  }
})

test_that("rpart can prune the converted tree", {
  fit <- tec_tree(Species ~ ., iris, criterion = "gini", min_bucket = 7, min_split = 20)
  cut <- rpart::prune(as_rpart(fit), cp = 0.1)
  expect_identical(sum(cut$frame$var == "<leaf>"), 3L)
})

test_that("rpart.plot draws it", {
  skip_if_not_installed("rpart.plot")
  file <- withr::local_tempfile(fileext = ".pdf")
  grDevices::pdf(file)
  withr::defer(grDevices::dev.off())
  all <- every_split()
  # A single leaf of three classes is one that rpart.plot 3.1 fails on in rpart's own trees.
  for (fit in some_of(binary_fits(all$fits[names(all$fits) != "leaf"]), 3)) {
    # Large trees make it warn that letters are small.
    expect_no_error(suppressWarnings(
      rpart.plot::rpart.plot(as_rpart(fit), type = 2, roundint = FALSE)
    ))
  }
  expect_no_warning(rpart.plot::rpart.plot(as_rpart(tec_tree(Species ~ ., iris)), type = 2))
})

#' @srrstats {ML7.3b} What objects of rpart cannot contain.
test_that("more than two branches and deep trees are refused", {
  all <- every_split()
  expect_snapshot(show_errors({
    as_rpart(all$fits$multiway)
    as_rpart(all$fits$intervals)
    as_rpart(chain_tree(40))
    as_rpart(1)
  }))
})

test_that("losses are those of the leaves", {
  cost <- matrix(c(0, 1, 1, 1, 0, 1, 10, 10, 0), 3, byrow = TRUE)
  fit <- tec_tree(Species ~ ., iris, cost = cost, min_bucket = 1)
  tree <- as_rpart(fit)
  expect_identical(tree$parms$loss, cost)
  expect_identical(predict(tree, iris, type = "class"), predict(fit, iris), ignore_attr = TRUE)
  paid <- vapply(split(iris, tree$frame$wt[1]), function(rows) {
    sum(cost[cbind(rows$Species, predict(fit, rows))])
  }, 0)
  leaf <- tree$frame$var == "<leaf>"
  expect_equal(sum(tree$frame$dev[leaf]), unname(paid))
})

test_that("a tree with one class is refused", {
  skip_if_not_installed("rpart")
  fit <- suppressWarnings(tec_tree(Species ~ ., transform(iris, Species = factor("a"))))
  expect_error(as_rpart(fit), "one class", class = "tec_error_conversion")
})
