# A tree from counts equals the tree of the rows: random tables, every criterion, kind of nominal
# split and setting that works with counts.

# Both fits of a case, whose random numbers are the same.
both_fits <- function(case, ...) {
  set.seed(1)
  rows <- grow_case(case)
  set.seed(1)
  list(rows = rows, counts = counted_case(case, ...))
}

test_that("random tables grow the tree of their rows", {
  done <- 0
  for (seed in case_seeds(24)) at_seed(seed, {
    case <- random_counted_case(seed)
    if (!is_counted(case) || nrow(case$data) > 5000) next
    fits <- both_fits(case)
    same_tree(fits$counts, fits$rows, is.factor(case$data$y))
    done <- done + 1
  })
  expect_gt(done, 0)
  if (all_cases()) expect_gt(done, 60)
})

test_that("nodes whose rows are fetched continue the same tree", {
  collected <- 0
  for (seed in case_seeds(8, also = 1417979495)) at_seed(seed, {
    case <- random_counted_case(seed)
    if (!is_counted(case) || nrow(case$data) > 5000) next
    fits <- both_fits(case, collect_rows = nrow(case$data) %/% 3)
    same_tree(fits$counts, fits$rows, is.factor(case$data$y))
    collected <- collected + sum(fits$counts$found == "collected")
  })
  if (all_cases()) expect_gt(collected, 0)
})

test_that("all criteria, q and kinds of nominal splits", {
  listed <- tec_criteria()
  named <- listed$name[listed$task == "classification" & listed$parameter == ""]
  criteria <- c(
    named, list(tec_criterion("beta", beta = 1.5)),
    lapply(c(0.5, 1, 1.7, 2, 5), function(q) tec_criterion("tsallis", q = q)),
    lapply(c(0.5, 1.7, 5), function(q) tec_criterion("tsallis_ratio", q = q)),
    lapply(c(0.5, 1.7, 5), function(q) tec_criterion("tsallis_mutual", q = q))
  )
  set.seed(4)
  data <- random_road_data(150, 3)
  data$g <- random_values("nominal", 150)
  for (criterion in some_of(criteria, 6)) {
    for (nominal in c("binary", "multiway", "ordered")) {
      case <- list(
        formula = y ~ ., data = data, criterion = criterion, nominal = nominal,
        missing = "majority", min_bucket = 3, prune = "none", threads = 1
      )
      fits <- both_fits(case)
      same_tree(fits$counts, fits$rows, TRUE)
    }
  }
})

test_that("whole weights, priors, costs and presets count", {
  set.seed(8)
  data <- random_road_data(300, 4)
  data$w <- sample(0:5, 300, TRUE)
  base <- list(
    formula = y ~ ., criterion = "gini", missing = "majority", prune = "none", min_bucket = 4,
    threads = 1
  )
  predictors <- setdiff(names(data), "w")
  for (change in list(
    list(), list(max_leaves = 7), list(prior = c(0.4, 0.3, 0.2, 0.1)),
    list(class_weights = "balanced"), list(cost = 1 - diag(4) + rbind(0, 0, c(3, 3, 0, 3), 0))
  )) {
    args <- utils::modifyList(base, change)
    rows <- suppressWarnings(do.call(
      tec_tree, c(args, list(data = data[predictors], weights = data$w, weights_as = "frequency"))
    ))
    counts <- suppressWarnings(do.call(counted_tree, c(args, list(data = data, weights = "w"))))
    rounded <- c("weight", "yval", "impurity", "gain", "score", "prob")
    exact <- setdiff(names(rows$tree), rounded)
    expect_identical(counts$tree[exact], rows$tree[exact])
    expect_equal(counts$tree[rounded], rows$tree[rounded], tolerance = 1e-10)
  }
  expect_identical(sum(rows$tree$n[rows$tree$kind == 0L]), as.double(sum(data$w)))
})

test_that("c45 prunes and cuts as in memory", {
  d <- iris
  d$Species <- as.character(d$Species)
  rows <- tec_tree(Species ~ ., d, preset = "c45", missing = "majority", raise = FALSE)
  counts <- counted_tree(
    Species ~ ., d, preset = "c45", missing = "majority", raise = FALSE
  )
  expect_identical(counts$tree, rows$tree)
  expect_length(counts$found, length(rows$tree$parent))
  expect_message(
    counted_tree(Species ~ ., d, preset = "c45", missing = "majority"),
    class = "tec_message_engine"
  )
})

test_that("a numeric response learns from counts where rows with missing values go", {
  learned <- 0
  for (seed in case_seeds(8, from = 7000L)) at_seed(seed, {
    set.seed(seed)
    n <- sample(30:120, 1L)
    d <- random_road_data(n, 3)
    d$g <- random_values("nominal", n)
    for (name in setdiff(names(d), "y")) d[[name]][sample(n, n %/% sample(3:12, 1L))] <- NA
    d$y <- round(rnorm(n, 2 * is.na(d[[1L]]) + 3 * (as.numeric(d$g) %in% c(1, NA))), 1)
    case <- list(
      formula = y ~ ., data = d, criterion = "l2", missing = "learned", prune = "none",
      nominal = sample(c("binary", "multiway", "ordered"), 1L), min_bucket = sample(1:6, 1L),
      max_depth = 6, threads = 1
    )
    if (seed %% 4 == 0) case$max_features <- 2
    if (seed %% 5 == 0) case$ties <- "random"
    fits <- both_fits(case, max_values = if (seed %% 3 == 0) 6 else 1e5)
    same_tree(fits$counts, fits$rows, FALSE)
    learned <- learned + sum(fits$rows$tree$kind > 0L)
  })
  expect_gt(learned, 10)
})

test_that("an unpruned tree from counts says so", {
  expect_message(counted_tree(Species ~ ., iris), class = "tec_message_engine")
  fit <- counted_tree(Species ~ ., iris, cp = 0.1)
  expect_identical(fit$tree, tec_tree(Species ~ ., iris, cp = 0.1, folds = 0)$tree)
})

test_that("only the smaller branch is counted", {
  fit <- counted_tree(Species ~ ., iris, prune = "none", min_bucket = 1)
  passes <- tec_passes(fit)
  expect_identical(passes$what, c("meta", rep("counts", tree_depth(fit))))
  # Petal.Length <= 2.45 divides 50 from 100.
  expect_identical(max(passes$level, na.rm = TRUE), tree_depth(fit) - 1L)
  expect_lt(passes$rows[3L], passes$rows[2L] / 2)
})

test_that("counts that contradict each other are an error that names the node", {
  counter <- memory_counter(iris, "Species", names(iris)[1:4])
  honest <- counter$counts
  lost <- function(change) {
    counter$counts <- function(frontier, what) {
      cells <- honest(frontier, what)
      if (what$level > 0) change(cells) else cells
    }
    input <- list(
      names = names(iris)[1:4], needs = as.list(names(iris)[1:4]),
      predictors = lapply(names(iris)[1:4], as.name), response_name = "Species",
      formula = Species ~ .
    )
    asked <- list(q = NULL, criterion = NULL, preset = "tec")
    grow_counted(
      counter, list(input = input), asked, tec_control(prune = "none"),
      tec_engine(collect_rows = 0, progress = FALSE)
    )
  }
  expect_error(lost(function(cells) cells[-1, ]), class = "tec_error_counts")
  expect_error(lost(function(cells) cells[cells$column != 2, ]), class = "tec_error_counts")
  expect_error(lost(function(cells) cells[0, ]), class = "tec_error_counts")
  expect_error(
    lost(function(cells) transform(cells, class = class %% 3L + 1L)), class = "tec_error_counts"
  )
  expect_error(
    lost(function(cells) transform(cells, code = rev(code))), class = "tec_error_counts"
  )
  expect_snapshot(error = TRUE, lost(function(cells) transform(cells, n = n + 1, rows = rows + 1)))
})

test_that("what needs rows is an error that says what to use", {
  holed <- replace(iris, 2, replace(iris[[2]], 3, NA))
  expect_snapshot(error = TRUE, {
    counted_tree(Species ~ ., iris, missing = "surrogate")
    counted_tree(Species ~ ., holed, missing = "fractional")
    counted_tree(Sepal.Length ~ ., holed, missing = "fractional")
    counted_tree(Sepal.Length ~ ., iris, criterion = "l1")
    counted_tree(Sepal.Length ~ ., iris, intervals = 3)
    counted_tree(Sepal.Length ~ ., iris, splitter = "random")
    counted_tree(Species ~ ., iris, alpha = "1se", prune = "ccp")
    counted_tree(Species ~ ., iris, preset = "chaid")
    counted_tree(Species ~ ., iris, lookahead = 5)
    counted_tree(Species ~ ., iris, max_p = 0.05)
    counted_tree(Species ~ ., iris, honest = TRUE)
  })
  complete <- counted_tree(Species ~ ., iris, missing = "fractional", prune = "none")
  expect_identical(complete$tree, tec_tree(Species ~ ., iris, prune = "none")$tree)
})

test_that("one class, no rows, and missing responses are as in memory", {
  one <- transform(iris, Species = "a")
  expect_warning(
    fit <- counted_tree(Species ~ ., one, prune = "none"), class = "tec_warning_one_class"
  )
  expect_identical(n_leaves(fit), 1L)
  expect_error(counted_tree(Species ~ ., iris[0, ]), class = "tec_error_data")
  gone <- transform(iris, Species = replace(as.character(Species), 1:10, NA))
  expect_message(
    fit <- counted_tree(Species ~ ., gone, prune = "none"), class = "tec_message_dropped"
  )
  rows <- suppressMessages(tec_tree(Species ~ ., gone, prune = "none"))
  expect_identical(fit$tree, rows$tree)
  expect_equal(fit$n_missing_response, 10)
})

test_that("sums of numbers are exact, also of sevenths", {
  d <- transform(mtcars, u = mpg / 7)
  for (formula in list(mpg ~ wt + hp, u ~ wt + hp)) {
    used <- d[all.vars(formula)]
    fit <- counted_tree(formula, used, prune = "none")
    expect_identical(fit$sums, "exact")
    expect_false(any(grepl("approximate", format(fit))))
    same_tree(fit, tec_tree(formula, used, prune = "none"), FALSE)
  }
})

test_that("several threads find the same splits of sums as one", {
  slow_test()
  con <- engine_connection("sqlite")
  set.seed(7)
  n <- 6000 # so many cells that columns are shared by threads
  d <- data.frame(
    a = rnorm(n), b = round(rnorm(n), 1), c = sample(letters[1:8], n, TRUE), e = runif(n),
    f = sample(letters, n, TRUE), g = sample(9, n, TRUE)
  )
  d$z <- 2 * d$a + match(d$c, letters) / 3 + rnorm(n)
  DBI::dbWriteTable(con, "sums_by_threads", d, overwrite = TRUE)
  withr::defer(DBI::dbRemoveTable(con, "sums_by_threads"))
  grown <- function(threads) {
    fit <- suppressMessages(tec_tree(z ~ ., con,
      table = "sums_by_threads", engine = tec_engine(collect_rows = 0), max_depth = 4,
      prune = "none", threads = threads
    ))
    as.data.frame(fit)
  }
  one <- grown(1)
  for (i in seq_len(if (all_cases()) 20 else 4)) expect_identical(grown(2), one)
})

test_that("a policy other than the default stays if values are missing", {
  ready <- list(
    control = list(missing = "category", rules = "chaid"), frame = list(has_missing = TRUE)
  )
  expect_silent(same <- counted_missing(ready, NULL))
  expect_identical(same, ready)
  ready$control <- list(missing = "fractional", rules = "exact")
  expect_message(changed <- counted_missing(ready, NULL), "learned")
  expect_identical(changed$control$missing, "learned")
})
