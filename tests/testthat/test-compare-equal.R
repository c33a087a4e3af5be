# Which criteria share a line, and that they may, compared with trees that are grown one by one.

two_way_and_not <- function() {
  d <- mixed_data(200)
  d$x[is.na(d$x)] <- 0
  d$many <- factor(sample(letters[1:7], 200, TRUE))
  d
}

same_of <- function(...) {
  table <- suppressMessages(compare_criteria(..., folds = 2))$table
  stats::setNames(table$same, table$criterion)
}

all_criteria <- c(tec_criteria()$name[1:12], list(
  tec_criterion("tsallis", q = 2), tec_criterion("beta", beta = 1),
  tec_criterion("tsallis_mutual", q = 2)
))

test_that("criteria that grow the same tree share a line", {
  set.seed(1)
  d <- two_way_and_not()
  same <- same_of(y ~ z + colour + size, d, all_criteria)
  expect_equal(
    same[["tsallis, q = 1"]],
    "tsallis_mutual, q = 1 / shannon / cond_entropy / cami / cair / beta, beta = 1"
  )
  expect_equal(same[["gini"]], "tsallis, q = 2")
  expect_equal(same[["gain_ratio"]], "effcami0")
  expect_equal(same[["beta, beta = 2"]], "tsallis_mutual, q = 2")
  expect_equal(same[c("tsallis_ratio, q = 1", "effcami1")], c("", ""), ignore_attr = TRUE)
  expect_equal(sum(nzchar(same)), 4)
  ratios <- c("effcami1", "gain_ratio", "gini")
  expect_equal(same_of(y ~ z + size, d, ratios, eligible = "mean")[[1]], "gain_ratio")
})

test_that("settings that can distinguish them keep them apart", {
  set.seed(1)
  d <- two_way_and_not()
  apart <- function(..., criteria = all_criteria) unname(same_of(y ~ z + many, d, criteria, ...))
  expect_equal(apart(min_gain = 0.05)[5], "tsallis, q = 2")
  expect_equal(sum(nzchar(apart(min_gain = 0.05))), 1)
  expect_equal(sum(nzchar(apart(rules = "c45"))), 1)
  expect_equal(sum(nzchar(apart(alpha = 0.01, risk = "impurity"))), 1)
  # Seven branches: cair and effcami0 are criteria of their own.
  expect_equal(
    apart(nominal = "multiway")[1],
    "tsallis_mutual, q = 1 / shannon / cond_entropy / cami / beta, beta = 1"
  )
  expect_false(any(grepl("effcami0", apart(nominal = "multiway"))))
  expect_false(any(grepl("effcami0", apart(intervals = 4))))
  expect_true(any(grepl("effcami0", apart(intervals = 3))))
  d$z[1:20] <- NA
  expect_false(any(grepl("effcami0", apart())))
  expect_true(any(grepl("effcami0", apart(missing = "majority"))))
  # A setting of a kind that was not thought of when the equalities were written.
  control <- resolve_control(tec_control(), "tec")
  expect_true(usual_but_for(control, neutral_settings))
  expect_false(usual_but_for(c(control, list(brand_new = 1)), neutral_settings))
})

test_that("criteria that share a line have the same values when grown separately", {
  set.seed(4)
  d <- two_way_and_not()
  fold <- sample(rep(1:4, 50))
  settings <- list(
    list(), list(min_bucket = 1, nominal = "multiway"), list(intervals = 3), list(max_leaves = 6),
    list(eligible = "all"), list(eligible = "mean_sd"), list(prune = "ccp", risk = "impurity"),
    list(missing = "majority", min_bucket = 2)
  )
  for (setting in some_of(settings, 4)) {
    d$z[1:20] <- if (identical(setting$missing, "majority")) NA else 0
    args <- c(list(y ~ z + x + many + size, d, all_criteria, folds = fold), setting)
    args$metric <- c("accuracy", "log_loss")
    merged <- suppressMessages(do.call(compare_criteria, args))
    local({
      local_binding("equal_criteria", function(criteria, ...) seq_along(criteria))
      every <<- suppressMessages(do.call(compare_criteria, args))
    })
    expect_lt(nrow(merged$table), nrow(every$table))
    measured <- c("accuracy", "log_loss", "nodes", "depth")
    for (i in seq_len(nrow(merged$table))) {
      line <- c(merged$table$criterion[i], strsplit(merged$table$same[i], " / ")[[1]])
      for (name in line) {
        one <- every$values[every$values$criterion == name, measured]
        expect_equal(one, merged$values[merged$values$criterion == line[1], measured],
          ignore_attr = TRUE, tolerance = 1e-12, label = paste(name, "of", line[1])
        )
      }
    }
  }
})

test_that("equal criteria are grown once, and only those equal on every data set share a line", {
  sets <- list(a = two_way_and_not(), b = two_way_and_not())
  sets$b$many <- factor(sets$b$many %in% c("a", "b"))
  sets$b$size <- sets$b$z
  grown <- 0
  fit <- fit_cells
  local_binding("fit_cells", function(job, settings, folds) {
    grown <<- grown + length(settings) * length(folds)
    fit(job, settings, folds)
  })
  set.seed(1)
  criteria <- c("shannon", "cami", "cair", "gini")
  compared <- compare_criteria(y ~ many + size, sets, criteria, folds = 3, nominal = "multiway")
  # Three trees on the first, two on the second.
  expect_equal(grown, 3 * (3 + 2))
  expect_equal(compared$table$criterion, c("shannon", "cair", "gini"))
  expect_equal(compared$table$same, c("cami", "", ""))
  expect_equal(nrow(compared$tests), 3)
})

test_that("a shared line is printed in the first column", {
  set.seed(1)
  compared <- compare_criteria(Species ~ ., iris, folds = 3)
  expect_snapshot(print(compared, width = 100))
  expect_true(all(nchar(capture.output(print(compared, width = 40))) <= 40))
  expect_equal(name_lines("a", ""), "a")
  expect_snapshot(show_errors({
    compare_criteria(Species ~ ., iris, c("shannon", "cami"))
  }))
})
