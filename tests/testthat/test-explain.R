# Every row that differs from `row` only in ways that a tree can distinguish: for each predictor its
# own value and, in each interval between cuts, the point nearest to it.
stretches <- function(fit, data, row) {
  tree <- fit$tree
  values <- lapply(fit$columns$name, function(name) {
    own <- row[[name]]
    if (is.factor(own)) {
      return(factor(levels(own), levels(own)))
    }
    used <- which(tree$kind != 0L & fit$columns$name[pmax(tree$variable, 1)] == name)
    cuts <- sort(unique(tree$breaks[unlist(lapply(used, function(i) {
      tree$break_start[i] + seq_len(tree$break_count[i])
    }))]))
    unique(c(own, cuts, next_double(cuts)))
  })
  names(values) <- fit$columns$name
  do.call(expand.grid, values)
}

check_nearest <- function(fit, data, row) {
  grid <- stretches(fit, data, row)
  spread <- function(n) if (is.numeric(data[[n]])) stats::sd(data[[n]]) else 1
  size <- vapply(fit$columns$name, spread, 0)
  moved <- vapply(fit$columns$name, function(n) {
    if (is.factor(row[[n]])) grid[[n]] != row[[n]] else abs(grid[[n]] - row[[n]]) > 0
  }, logical(nrow(grid)))
  far <- vapply(fit$columns$name, function(n) {
    if (is.factor(row[[n]])) {
      return(as.numeric(grid[[n]] != row[[n]]))
    }
    abs(grid[[n]] - row[[n]]) / size[n]
  }, numeric(nrow(grid)))
  answer <- as.character(predict(fit, grid))
  changes <- rowSums(moved)
  distance <- rowSums(far)
  found <- explain(fit, row, data = data)
  other <- setdiff(unique(answer), as.character(found$prediction))
  for (class in other) {
    mine <- answer == class
    least <- min(changes[mine])
    nearest <- min(distance[mine & changes == least])
    ours <- found$changes[as.character(found$changes$prediction) == class, ][1, ]
    expect_equal(ours$n_changes, least)
    expect_equal(ours$distance, nearest, tolerance = 1e-6)
  }
  expect_setequal(as.character(found$changes$prediction), other)
  expect_false(is.unsorted(found$changes$n_changes))
}

test_that("no smaller change flips the class", {
  fit <- tec_tree(Species ~ ., iris)
  for (i in c(1, 51, 71, 84, 107, 120, 134)) check_nearest(fit, iris, iris[i, ])
  small <- tec_tree(fruit ~ ., fruit, max_leaves = 9)
  for (i in c(1, 200, 400, 900)) check_nearest(small, fruit, fruit[i, ])
  id3 <- tec_tree(PlayTennis ~ ., play_tennis, preset = "id3")
  for (i in 1:14) check_nearest(id3, play_tennis, play_tennis[i, ])
})

test_that("the path equals that of predict()", {
  fit <- tec_tree(Species ~ ., iris)
  why <- explain(fit, iris[71, ])
  expect_identical(why$path$node, predict(fit, iris[71, ], type = "path")[[1]]$node)
  expect_identical(why$prediction, predict(fit, iris[71, ]))
  expect_equal(why$path$n, fit$tree$n[why$path$node])
})

test_that("explanations read well", {
  fit <- full_tree(Species ~ ., iris)
  holed <- iris[71, ]
  holed$Petal.Width <- NA
  expect_snapshot({
    explain(fit, iris[71, ])
    explain(fit, holed)
    explain(tec_tree(mpg ~ ., mtcars), mtcars["Fiat 128", ])
    explain(tec_tree(PlayTennis ~ ., play_tennis, preset = "id3"), play_tennis[1, ])
    explain(tec_tree(Species ~ ., iris, max_depth = 0), iris[1, ])
    print(explain(fit, iris[71, ]), width = 40)
  })
})

test_that("the explained prediction is that of predict(), also with missing values", {
  set.seed(5)
  d <- iris
  for (name in names(d)[1:4]) d[[name]][sample(150, 50)] <- NA
  for (way in c("fractional", "surrogate", "majority", "mode", "learned", "drop")) {
    fit <- tec_tree(Species ~ ., d, missing = way, min_bucket = 2)
    prob <- predict(fit, d, type = "prob")
    for (i in some_of(seq(1, 150, 6), 6)) {
      why <- explain(fit, d[i, ])
      expect_identical(why$prediction, predict(fit, d[i, ]))
      expect_equal(why$probability, max(prob[i, ]))
      expect_equal(unlist(why$path[1, 10:12]), fit$tree$prob[1, ], ignore_attr = TRUE)
      expect_false(any(why$changes$prediction == why$prediction))
    }
  }
})

test_that("a surrogate is named with its value", {
  d <- toy()
  d$twin <- d$x + 0.5
  fit <- tec_tree(y ~ x + twin, d, missing = "surrogate", min_bucket = 1)
  why <- explain(fit, data.frame(x = NA_real_, twin = 14))
  expect_identical(why$path$surrogate, c(NA, "twin, which is 14"))
  expect_match(format(why)[3], "x is missing; twin, which is 14, sends the row with x > ")
})

test_that("without data the size of a change is relative", {
  fit <- full_tree(Species ~ ., iris)
  changes <- explain(fit, iris[71, ])$changes
  # Petal.Width 1.8 to 1.75, the largest of 1.8 and the only threshold being 1.8.
  expect_equal(changes$distance[1], 0.05 / 1.8)
  expect_identical(changes$node[1], 7L)
})

test_that("ordered levels are as far apart as their ranks", {
  d <- toy()
  d$size <- factor(rep(c("s", "m", "l", "xl"), each = 3), c("s", "m", "l", "xl"), ordered = TRUE)
  fit <- tec_tree(y ~ size, d, min_bucket = 1)
  why <- explain(fit, d[1, ])
  expect_equal(why$changes$distance, 2 / 3)
  expect_match(why$changes$change, "size from s to")
})

test_that("infinite and unseen values can be explained", {
  fit <- tec_tree(Species ~ ., iris)
  row <- iris[1, ]
  row$Petal.Length <- Inf
  expect_true(all(is.finite(explain(fit, row)$changes$distance)))
  id3 <- tec_tree(PlayTennis ~ Outlook, play_tennis, preset = "id3")
  suppressWarnings(why <- explain(id3, data.frame(Outlook = "hail")))
  expect_true(why$path$by_default[2])
  expect_match(format(why)[3], "missing, so the row goes with")
})

test_that("exactly one row is needed", {
  expect_snapshot(show_errors({
    explain(toy_tree(), toy())
    explain(toy_tree())
    explain(toy_tree(), 3)
    explain(toy_tree(), data.frame(z = 1))
  }))
})

test_that("the generics of other packages find the method", {
  skip_if_not_installed("generics")
  fit <- toy_tree()
  expect_identical(generics::explain(fit, toy()[1, ]), explain(fit, toy()[1, ]))
  skip_if_not_installed("dplyr")
  expect_identical(dplyr::explain(fit, toy()[1, ]), explain(fit, toy()[1, ]))
})

dated <- function() {
  set.seed(1)
  n <- 300
  d <- data.frame(
    day = as.Date("2024-01-01") + sample(400, n, TRUE),
    at = as.POSIXct("2024-01-01", tz = "UTC") + sample(1e6, n),
    lasts = as.difftime(runif(n, 0, 100), units = "mins")
  )
  late <- d$day > as.Date("2024-06-01")
  long <- as.numeric(d$lasts) > 50
  noon <- d$at > as.POSIXct("2024-01-05 12:00:00", tz = "UTC")
  d$y <- factor(ifelse(late, ifelse(long, "a", "b"), ifelse(noon, "c", "d")))
  d
}

test_that("dates, times and time differences are explained in their own type", {
  d <- dated()
  fit <- full_tree(y ~ ., d)
  late <- which(d$y == "a")[1]
  early <- which(d$y == "c")[1]
  expect_snapshot({
    explain(fit, d[late, ])
    explain(fit, d[early, ], data = d)
  })
  check_changes <- function(row) {
    why <- explain(fit, row, data = d)
    expect_identical(why$prediction, predict(fit, row))
    spread <- vapply(d[1:3], function(x) stats::sd(as.numeric(x)), 0)
    for (i in seq_len(nrow(why$changes))) {
      leaf <- node_regions(fit)[[why$changes$node[i]]]
      changed <- row
      size <- 0
      for (one in leaf) {
        name <- fit$columns$name[one$variable]
        x <- as.numeric(row[[name]])
        to <- if (x > one$upper) one$upper else if (x <= one$lower) next_double(one$lower) else x
        size <- size + abs(to - x) / spread[[name]]
        changed[[name]][1] <- row[[name]] + (to - x)
      }
      expect_equal(why$changes$distance[i], size, tolerance = 1e-6)
      expect_identical(predict(fit, changed), why$changes$prediction[i])
    }
  }
  for (i in c(late, early, which(d$y == "d")[1])) check_changes(d[i, ])
  # Another unit, the other class of times, and no value.
  row <- d[late, ]
  units(row$lasts) <- "hours"
  expect_identical(explain(fit, row), explain(fit, d[late, ]))
  row$at <- as.POSIXlt(row$at)
  expect_identical(explain(fit, row), explain(fit, d[late, ]))
  row[1, 1:3] <- NA
  row$at <- as.POSIXct(row$at)
  expect_identical(explain(fit, row)$path$value[2], "missing")
  expect_identical(explain(fit, row)$prediction, predict(fit, row))
})

test_that("a row of a large tree is explained quickly", {
  slow_test()
  set.seed(1)
  d <- as.data.frame(matrix(stats::rnorm(60000), 20000))
  d$y <- factor(sample(3, 20000, TRUE))
  fit <- full_tree(y ~ ., d, min_bucket = 1)
  expect_gt(n_leaves(fit), 5000)
  expect_lt(processor_seconds(why <- explain(fit, d[1, ])), 5)
  expect_gt(nrow(why$changes), 3000)
})

test_that("trees of depth 1,000 and 4,000 are explained, written as rules and printed", {
  for (depth in some_of(c(1000, 4000), 1)) {
    fit <- chain_tree(depth)
    why <- explain(fit, data.frame(x = depth - 0.5))
    expect_identical(nrow(why$path), as.integer(depth + 1))
    # The leaf below is as near as the one above.
    to <- paste0(" to between ", depth - 2, " and ", depth - 1)
    expect_identical(why$changes$change[1], paste0("x from ", depth - 0.5, to))
    expect_length(format(explain(fit, data.frame(x = 0.5))), 6)
    rules <- tec_rules(fit)
    expect_identical(
      rules$rule[c(1, 3, depth + 1)], c("x <= 1", "x in (2, 3]", paste("x >", depth))
    )
    expect_output(print(rules), paste("more rules"))
    expect_output(print(fit), "more nodes")
    expect_output(print(summary(fit)), "Regression tree")
    if (rlang::is_installed("rpart")) {
      expect_error(as_rpart(fit), class = "tec_error_conversion")
    }
  }
})
