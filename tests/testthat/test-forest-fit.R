test_that("bags are drawn as defined", {
  seeds <- c(0, 1, 2^53 - 1, 123456789012345)
  weights <- c(0, 5, 1, 1, 2, 0.5, 3, 0, 1, 1, 4, 2)
  classes <- rep(1:3, each = 4)
  cases <- list(
    list(replace = TRUE, draws = 12L), list(replace = FALSE, draws = 7L),
    list(replace = FALSE, draws = 12L), list(replace = TRUE, draws = 8L, sample_weights = weights),
    list(replace = FALSE, draws = 10L, sample_weights = weights),
    list(replace = TRUE, draws = 6L, by_class = c(3L, 0L, 3L)),
    list(replace = FALSE, draws = 6L, by_class = c(1L, 4L, 1L)),
    list(replace = TRUE, draws = 5L, by_class = c(2L, 2L, 1L), sample_weights = weights)
  )
  for (one in cases) {
    settings <- c(list(seeds = seeds, threads = 1L, importance = "none"), one)
    found <- tectree:::tec_forest_bags_(settings, 12, classes)
    expected <- vapply(seeds, function(seed) {
      oracle_bag(seed, 12L, one$draws, one$replace, one$sample_weights, classes, one$by_class)
    }, integer(12))
    expect_identical(found, expected)
  }
})

test_that("a table of draws stays unchanged", {
  settings <- list(
    seeds = c(1, 2^52 + 12345), replace = TRUE, draws = 20L, threads = 1L, importance = "none"
  )
  expect_identical(
    tectree:::tec_forest_bags_(settings, 20, integer()),
    readRDS(test_path("fixtures", "forest-draws.rds"))
  )
})

test_that("each tree is grown from its draws, as tec_tree() with weights grows it", {
  set.seed(1)
  for (classes in c(TRUE, FALSE)) {
    d <- forest_data(60, classes)
    fit <- small_forest(y ~ ., d, mtry = "all", trees = 5, min_split = 2, importance = "none")
    bags <- forest_counts(fit)
    for (t in 1:5) {
      tree <- full_tree(y ~ ., d,
        weights = bags[, t], weights_as = "frequency", criterion = fit$criterion,
        missing = "majority", min_split = 2, min_bucket = 1
      )
      mine <- fit[[t]]
      same <- c("parent", "variable", "breaks", "level", "level_child", "kind")
      expect_identical(mine$tree[same], lapply(tree$tree[same], identity))
      expect_equal(mine$tree$weight, tree$tree$weight)
      expect_equal(mine$tree$prob, tree$tree$prob)
      expect_equal(mine$tree$yval, as.double(tree$tree$yval))
      expect_equal(mine$tree$gain, tree$tree$gain)
      expect_identical(predict(mine, d), predict(tree, d))
    }
  }
})

test_that("one tree of all rows and columns is that of tec_tree()", {
  set.seed(2)
  for (classes in c(TRUE, FALSE)) {
    d <- forest_data(80, classes)
    fit <- small_forest(y ~ ., d, mtry = "all", replace = FALSE, sample_fraction = 1, trees = 1)
    tree <- full_tree(y ~ ., d,
      criterion = if (classes) "gini" else "l2", missing = "majority", min_bucket = 1,
      min_split = if (classes) 2 else 6
    )
    new <- forest_data(50, classes)
    expect_identical(predict(fit, new), predict(tree, new))
    expect_identical(predict(fit, new, type = "node")[, 1], predict(tree, new, type = "node"))
    same <- c("parent", "variable", "breaks", "level", "level_child", "weight", "n")
    expect_identical(lapply(fit[[1]]$tree[same], as.double), lapply(tree$tree[same], as.double))
    leaf <- tree$tree$kind == 0
    expect_identical(fit[[1]]$tree$yval[leaf], as.double(tree$tree$yval[leaf]))
    expect_equal(fit[[1]]$tree$yval, as.double(tree$tree$yval))
    if (classes) {
      expect_identical(predict(fit, new, type = "prob"), predict(tree, new, type = "prob"))
    }
  }
})

test_that("out-of-bag votes, shares, errors and their curve are those of the single trees", {
  set.seed(3)
  for (probability in c(FALSE, TRUE)) {
    d <- forest_data(60)
    fit <- small_forest(y ~ ., d, probability = probability)
    expected <- oracle_oob(fit, d, d$y)
    expect_equal(unname(fit$oob$votes), expected$votes)
    expect_equal(unname(fit$oob$prob), expected$mean)
    expect_identical(fit$oob$times, expected$times)
    expect_equal(fit$oob$curve, expected$curve)
    class <- oracle_forest_class(fit, expected$votes, expected$mean)
    class[expected$times == 0] <- NA
    expect_identical(as.integer(fit$oob$response), class)
    expect_equal(fit$oob$error, mean(class != as.integer(d$y), na.rm = TRUE))
    expect_equal(sum(fit$oob$confusion), sum(expected$times > 0))
    table <- table(d$y, factor(levels(d$y)[class], levels(d$y)))
    expect_equal(as.vector(fit$oob$confusion), as.vector(table))
    truth <- diag(3)[as.integer(d$y), ]
    expect_equal(fit$oob$brier, mean(rowSums((expected$mean - truth)^2), na.rm = TRUE))
  }
  d <- forest_data(60, classes = FALSE)
  fit <- small_forest(y ~ ., d)
  expected <- oracle_oob(fit, d, d$y)
  expect_equal(fit$oob$response, expected$mean[, 1])
  expect_equal(fit$oob$curve, expected$curve)
  expect_equal(fit$oob$error, expected$curve[12])
})

test_that("with costs, trees, votes, errors and importance use the smallest expected cost", {
  set.seed(31)
  d <- forest_data(60)
  cost <- matrix(c(0, 1, 8, 3, 0, 1, 0, 5, 0), 3, dimnames = rep(list(levels(d$y)), 2))
  for (probability in c(FALSE, TRUE)) {
    fit <- small_forest(y ~ ., d,
      cost = cost, probability = probability, importance = "permutation", max_depth = 3
    )
    new <- forest_data(40)
    by_tree <- vapply(1:12, function(t) as.character(predict(fit[[t]], new)), character(40))
    expect_identical(predict(fit, new, type = "tree"), by_tree)
    # It is not what the largest shares say.
    majority <- vapply(1:12, function(t) {
      levels(d$y)[apply(predict(fit[[t]], new, type = "prob"), 1, which.max)]
    }, character(40))
    expect_gt(sum(majority != by_tree), 20)
    votes <- vapply(levels(d$y), function(s) rowMeans(by_tree == s), numeric(40))
    expect_equal(predict(fit, new, type = "votes"), votes)
    expected <- oracle_oob(fit, d, d$y)
    expect_equal(unname(fit$oob$votes), expected$votes)
    expect_equal(fit$oob$curve, expected$curve)
    class <- oracle_forest_class(fit, expected$votes, expected$mean)
    expect_identical(as.integer(fit$oob$response), class)
    expect_equal(fit$oob$error, fit$oob$curve[12])
    expect_equal(
      unname(fit$importance$value), rowMeans(oracle_importance(fit, d, "permutation"))
    )
    set.seed(32)
    more <- tec_more(fit, 5, progress = FALSE)
    expected <- oracle_oob(more, d, d$y)
    expect_equal(more$oob$curve, expected$curve)
    expect_equal(more$oob$error, expected$curve[17])
  }
})

test_that("the curve of a probability forest ends at its error", {
  set.seed(33)
  d <- forest_data(80)
  fit <- small_forest(y ~ ., d, probability = TRUE, max_depth = 2)
  expect_equal(fit$oob$curve[12], fit$oob$error)
  set.seed(34)
  more <- tec_more(fit, 6, progress = FALSE)
  expect_equal(more$oob$curve, oracle_oob(more, d, d$y)$curve)
  expect_equal(more$oob$curve[18], more$oob$error)
})

test_that("if rows stop at a node, a forest predicts the value of that node", {
  set.seed(35)
  for (classes in c(TRUE, FALSE)) {
    d <- forest_data(120, classes)
    d$a[sample(120, 40)] <- NA
    d$d[sample(120, 30)] <- NA
    d$y[is.na(d$a)] <- if (classes) "high" else 30
    one <- small_forest(y ~ ., d,
      missing = "drop", trees = 1, mtry = "all", replace = FALSE, sample_fraction = 1
    )
    tree <- full_tree(y ~ ., d,
      criterion = if (classes) "gini" else "l2", missing = "drop", min_bucket = 1,
      min_split = if (classes) 2 else 6
    )
    type <- if (classes) "prob" else "response"
    expect_equal(predict(one, d, type = type), predict(tree, d, type = type))
    none <- d[1:2, ]
    none[c("a", "b", "c", "e")] <- NA
    none[c("d", "f")] <- list(d$d[NA_integer_], d$f[NA_integer_])
    expect_equal(predict(one, none, type = type), predict(tree, none, type = type))
    expect_equal(predict(one[[1]], none, type = type), predict(tree, none, type = type))
    fit <- small_forest(y ~ ., d, missing = "drop")
    by_tree <- lapply(1:12, function(t) as.matrix(predict(fit[[t]], none, type = type)))
    expect_equal(
      unname(as.matrix(predict(fit, none, type = type))), unname(Reduce(`+`, by_tree) / 12)
    )
    expected <- oracle_oob(fit, d, d$y)
    expect_equal(fit$oob$curve, expected$curve)
    more <- tec_more(fit, 4, progress = FALSE)
    by_tree <- lapply(1:16, function(t) as.matrix(predict(more[[t]], none, type = type)))
    expect_equal(
      unname(as.matrix(predict(more, none, type = type))), unname(Reduce(`+`, by_tree) / 16)
    )
  }
})

test_that("out-of-bag errors count rows by their weights", {
  set.seed(4)
  d <- forest_data(60)
  w <- sample(1:3, 60, TRUE)
  fit <- small_forest(y ~ ., d, weights = w)
  known <- fit$oob$times > 0
  wrong <- fit$oob$response != d$y
  expect_equal(fit$oob$error, sum(w[known] * wrong[known]) / sum(w[known]))
  expect_equal(fit$oob$curve[12], fit$oob$error)
  expect_equal(sum(fit$oob$confusion), sum(w[known]) / mean(w))
})

test_that("frequencies are repeated rows", {
  set.seed(5)
  for (classes in c(TRUE, FALSE)) {
    d <- forest_data(40, classes)
    w <- sample(0:4, 40, TRUE)
    grow <- function(...) {
      set.seed(6)
      small_forest(y ~ ., ..., replace = FALSE, sample_fraction = 1, importance = "none")
    }
    weighted <- grow(d, weights = w, weights_as = "frequency")
    repeated <- grow(d[rep(seq_len(40), w), ])
    if (classes) {
      expect_identical(weighted$trees, repeated$trees)
    } else {
      expect_identical(weighted$trees$variable, repeated$trees$variable)
      expect_equal(weighted$trees$cut, repeated$trees$cut)
    }
  }
})

test_that("threads change neither a forest nor its predictions", {
  set.seed(7)
  for (classes in c(TRUE, FALSE)) {
    d <- forest_data(300, classes)
    for (kind in c("none", "gain")) {
      grow <- function(threads) {
        set.seed(8)
        small_forest(y ~ ., d, threads = threads, trees = 30, importance = kind)
      }
      one <- grow(1)
      two <- grow(2)
      two$control$threads <- one$control$threads
      expect_identical(without_call(one), without_call(two))
    }
    expect_identical(predict(one, d, threads = 1), predict(one, d, threads = 2))
  }
})

test_that("set.seed() decides, and only the seeds are drawn", {
  d <- data.frame(y = factor(rep(c("a", "b"), 20)), x = 1:40, z = rep(1:4, 10))
  set.seed(9)
  one <- small_forest(y ~ ., d, trees = 3)
  after <- stats::runif(1)
  set.seed(9)
  two <- small_forest(y ~ ., d, trees = 3)
  expect_identical(one, two)
  set.seed(9)
  stats::runif(6)
  expect_identical(stats::runif(1), after)
  expect_true(all(one$seeds == floor(one$seeds) & one$seeds < 2^53))
  seeded <- small_forest(y ~ ., d, trees = 3, seed = 9)
  expect_identical(seeded$trees, one$trees)
})

test_that("stored forests are grown again", {
  stored <- readRDS(test_path("fixtures", "forests.rds"))
  set.seed(10)
  classes <- small_forest(Species ~ ., iris, trees = 4, importance = "none")
  numbers <- small_forest(mpg ~ ., mtcars, trees = 4, importance = "none")
  expect_identical(classes$trees, stored$classes$trees)
  expect_identical(classes$oob$votes, stored$classes$votes)
  same <- c("start", "variable", "sides")
  expect_identical(numbers$trees[same], stored$numbers$trees[same])
  expect_equal(numbers$trees$cut, stored$numbers$trees$cut, tolerance = 1e-12)
})

test_that("a node whose drawn columns have no split is a leaf, but only in a forest", {
  set.seed(15)
  d <- data.frame(y = 1:40, x = 1:40, constant = 1)
  fit <- small_forest(y ~ ., d, mtry = 1, trees = 200)
  alone <- sum(diff(fit$trees$start) == 1)
  expect_true(alone > 70 && alone < 130)
  tree <- full_tree(y ~ ., d, max_features = 1)
  expect_gt(n_leaves(tree), 5)
})

test_that("several q are grown on the same samples, and the best is kept", {
  set.seed(11)
  d <- forest_data(60)
  set.seed(12)
  fit <- small_forest(y ~ ., d, q = c(0.5, 1, 3))
  each <- lapply(c(0.5, 1, 3), function(q) {
    set.seed(12)
    small_forest(y ~ ., d, q = q)
  })
  expect_named(fit$tuning, c("criterion", "q", "error", "nodes", "chosen"))
  expect_identical(fit$tuning$error, vapply(each, function(one) one$oob$error, 0))
  nodes <- vapply(each, function(one) length(one$trees$variable) / 12, 0)
  expect_identical(fit$tuning$nodes, nodes)
  best <- order(fit$tuning$error, nodes, abs(c(0.5, 1, 3) - 1))[1]
  expect_identical(which(fit$tuning$chosen), best)
  expect_identical(fit$trees, each[[best]]$trees)
  expect_identical(fit$criterion, each[[best]]$criterion)
  beta <- small_forest(y ~ ., d, beta = c(1, 2), trees = 4)
  expect_identical(beta$criterion$name, "beta")
  expect_identical(beta$tuning$beta, c(1, 2))
})

test_that("ties between q go to the smaller trees, then to the q closest to 1", {
  table <- data.frame(c = "t", q = c(4, 0.5, 2, 1.2), error = c(0.1, 0.1, 0.2, 0.1 + 1e-14),
    nodes = c(9, 7, 1, 7))
  expect_identical(tectree:::first_in_table(table), 4L)
})

test_that("every criterion grows a forest", {
  set.seed(13)
  d <- forest_data(50)
  numbers <- forest_data(50, classes = FALSE)
  table <- tec_criteria()
  for (i in some_of(seq_len(nrow(table)), 4)) {
    data <- if (table$task[i] == "regression") numbers else d
    fit <- small_forest(y ~ ., data, criterion = table$name[i], trees = 3)
    expect_identical(fit$criterion$name, table$name[i])
    expect_identical(length(predict(fit, data)), 50L)
    expect_s3_class(fit[[2]], "tec_tree")
  }
})

test_that("priors, costs and class weights work as in trees", {
  set.seed(14)
  d <- forest_data(60)
  cost <- matrix(c(0, 1, 20, 1, 0, 20, 1, 1, 0), 3)
  fit <- small_forest(y ~ ., d, cost = cost)
  prob <- predict(fit, d, type = "prob")
  expect_identical(as.integer(predict(fit, d)), apply(prob %*% cost, 1, function(e) {
    which(e <= min(e) * (1 + 1e-12))[1]
  }))
  prior <- c(low = 0.8, mid = 0.1, high = 0.1)
  bags <- NULL
  fit <- small_forest(y ~ ., d, prior = prior, mtry = "all", trees = 3)
  bags <- forest_counts(fit)
  # The factors are those of all rows, whatever a tree has drawn.
  factor <- prior / prop.table(table(d$y))
  shares <- tapply(bags[, 1] * as.vector(factor[d$y]), d$y, sum)
  expect_equal(fit[[1]]$tree$prob[1, ], as.vector(shares / sum(shares)))
  expect_output(print(fit), "Priors")
  fit <- small_forest(y ~ ., d, class_weights = "balanced", trees = 3)
  expect_output(print(fit), "Class weights: balanced")
})

test_that("processes of a future plan grow the same forests", {
  slow_test()
  skip_without_plans()
  set.seed(31)
  data <- forest_data(150)
  data$a[7:20] <- NA
  grow <- function(seed, threads) {
    # A process may have kept the kind of generator that future's streams have set.
    if (seed > 0) set.seed(seed, "Mersenne-Twister", "Inversion", "Rejection")
    fit <- tectree::tec_forest(y ~ ., data,
      trees = 6, mtry = 2, threads = threads, q = 1.4, importance = "permutation", progress = FALSE
    )
    unclass(fit)[c("trees", "oob", "importance", "seeds")]
  }
  here <- lapply(1:3, grow, threads = 2)
  expect_false(identical(here[[1L]], here[[2L]]))
  # In a session of its own, whose plan and connections are nobody else's.
  given <- withr::local_tempfile(fileext = ".rds")
  made <- withr::local_tempfile(fileext = ".rds")
  saveRDS(list(grow = `environment<-`(grow, globalenv()), data = data), given)
  in_new_session(c(
    sprintf("list2env(readRDS(%s), globalenv())", deparse(given)),
    "environment(grow) <- list2env(list(data = data), parent = globalenv())",
    "streams <- function() {",
    "  future.apply::future_lapply(c(0, 0), grow, threads = 1, future.seed = 7L)",
    "}",
    "future::plan('sequential')",
    "by_streams <- streams()",
    "future::plan('multisession', workers = 2)",
    "pids <- future.apply::future_sapply(1:2, function(i) Sys.getpid())",
    "there <- future.apply::future_lapply(1:3, grow, threads = 1, future.seed = NULL)",
    "again <- streams()",
    "one <- future::value(future::future(grow(2, 2), globals = list(grow = grow), seed = NULL))",
    "future::plan('sequential')",
    "apart <- !Sys.getpid() %in% pids",
    sprintf("saveRDS(mget(c('by_streams', 'apart', 'there', 'again', 'one')), %s)", deparse(made))
  ))
  found <- readRDS(made)
  expect_true(found$apart)
  expect_identical(found$there, here)
  expect_identical(found$again, found$by_streams)
  expect_identical(found$one, here[[2L]])
})

test_that("a forest with too many classes for the memory is refused before the work", {
  d <- data.frame(y = factor(seq_len(6000)), x = seq_len(6000))
  local_binding("free_memory", function(...) 3e8)
  expect_error(
    small_forest(y ~ x, d, trees = 2), "6000 classes of 6000 rows need about 1.",
    class = "tec_error_memory"
  )
})

test_that("many classes need memory only for the pairs that occur", {
  slow_test()
  levels <- as.character(seq_len(5000))
  found <- confusion_table(c(3, 5000, 3, NA), c(4, 5000, 4, 1), levels, c(1, 2, 3, 4))
  expect_identical(which(found > 0), c(5000L * 3L + 3L, 5000L * 5000L))
  expect_identical(found["3", "4"], 4)
  lines <- confusion_table_lines(list(confusion = found), 80)
  expect_identical(lines[-1], "  4 of 3 predicted as 4")
})

test_that("factors that pay for their groupings do not end the branches of trees", {
  set.seed(1)
  d <- data.frame(x = rnorm(200), z = rnorm(200), id = sprintf("i%03d", 1:200))
  d$y <- d$x + rnorm(200)
  leaves <- function(formula, ...) {
    fit <- suppressWarnings(tec_forest(formula, d, trees = 20, mtry = 1, progress = FALSE, ...))
    sum(fit$trees$variable == 0) / 20
  }
  expect_gt(leaves(y ~ .), 0.9 * leaves(y ~ x + z))
  expect_gt(leaves(y ~ ., free_levels = Inf), 10)
  # Without such factors nothing more is drawn.
  constant <- transform(d, id = 1)
  few <- tec_forest(y ~ ., constant, trees = 20, mtry = 1, progress = FALSE)
  expect_lt(sum(few$trees$variable == 0) / 20, 20)
})
