# A random problem for CHAID: predictors of all kinds, some with missing values, frequencies.
chaid_case <- function() {
  task <- sample(c("two", "classes", "ordered", "numbers"), 1L, prob = c(3, 3, 1, 3))
  n <- sample(c(30L, 80L, 150L), 1L)
  lacking <- function(x, p) replace(x, stats::runif(length(x)) < p, NA)
  p <- sample(c(0, 0.15), 1L)
  level <- function(k) factor(sample(letters[seq_len(k)], n, TRUE), letters[seq_len(k)])
  data <- data.frame(
    a = lacking(level(sample(2:7, 1L)), p),
    b = lacking(factor(level(sample(3:6, 1L)), ordered = TRUE), p),
    x = lacking(round(stats::rnorm(n), sample(c(1, 8), 1L)), p),
    c = level(4L)
  )
  signal <- as.integer(data$a) %% 3 + 0.7 * as.integer(data$b) + ifelse(is.na(data$x), 1, data$x)
  signal[is.na(signal)] <- 1
  z <- signal + stats::rnorm(n, sd = sample(c(0.5, 2), 1L))
  y <- switch(task,
    two = factor(z > stats::median(z)),
    classes = factor(cut(z, stats::quantile(z, 0:4 / 4), include.lowest = TRUE, labels = FALSE)[
      sample(n, n, prob = 1 + seq_len(n))
    ]),
    ordered = factor(cut(z, 4L, labels = FALSE), ordered = TRUE),
    numbers = round(z, 2)
  )
  list(
    data = data, y = y, task = task,
    weight = if (stats::runif(1) < 0.3) sample(0:3, n, TRUE) else rep(1, n),
    by = switch(task,
      two = , classes = sample(c("chisq", "chisq_lr"), 1L), ordered = "row_effects", numbers = "f"
    ),
    settings = list(
      rules = sample(c("chaid", "chaid_exhaustive"), 1L), alpha_merge = sample(c(0.05, 0.3), 1L),
      alpha_split = sample(c(0.05, 0.5, 1), 1L), alpha_resplit = sample(c(0, 0.05), 1L),
      p_adjust = sample(c("bonferroni", "none"), 1L, prob = c(3, 1)),
      missing = sample(c("category", "majority"), 1L, prob = c(3, 1)),
      min_bucket = sample(c(1, 7), 1L), min_split = sample(c(10, 20), 1L),
      max_depth = sample(1:2, 1L), intervals = sample(c(3L, 6L), 1L)
    )
  )
}

grow_case <- function(case, ...) {
  given <- c(
    list(x = case$data, y = case$y, preset = "chaid", weights = case$weight,
      weights_as = "frequency"),
    case$settings, list(...)
  )
  if (case$by != "f") given$criterion <- case$by
  suppressWarnings(do.call(tec_tree, given))
}

expect_oracle_tree <- function(fit, case) {
  y <- if (case$task == "numbers") case$y else as.integer(case$y)
  nodes <- oracle_chaid(case$data, y, case$weight, c(case$settings, by = case$by))
  tree <- fit$tree
  expect_identical(length(tree$parent), length(nodes))
  if (length(tree$parent) != length(nodes)) {
    return(invisible())
  }
  expect_equal(tree$weight, vapply(nodes, function(node) sum(case$weight[node$rows]), 0))
  column <- vapply(nodes, function(node) as.integer(node$column %||% 0L), 0L)
  expect_identical(as.integer(tree$variable), column)
  inner <- which(column > 0L)
  test <- function(f) vapply(nodes[inner], function(node) as.double(node$test[[f]]), 0)
  if (length(inner)) {
    found <- split_tests(tree)[inner, ]
    expect_equal(found$statistic, test("statistic"), tolerance = 1e-5)
    expect_identical(found$df, test("df"))
    expect_equal(found$df2, test("df2"))
    expect_equal(tree$test[inner, "log_p"], test("log_p"), tolerance = 1e-5, ignore_attr = TRUE)
    expect_equal(found$p_adjusted, exp(test("log_adjusted")), tolerance = 1e-4)
    expect_equal(tree$score[inner], -test("log_adjusted") / log(10), tolerance = 1e-5)
  }
  leaf <- integer(length(case$y))
  for (i in which(column == 0L)) leaf[nodes[[i]]$rows] <- i
  used <- case$weight > 0
  expect_identical(as.integer(predict(fit, case$data, type = "node"))[used], leaf[used])
}

test_that("trees are those of the oracle", {
  for (seed in case_seeds(2)) at_seed(seed, {
    case <- chaid_case()
    withr::with_options(list(warn = 1), expect_oracle_tree(grow_case(case), case))
  })
})

test_that("the row effects model is that of glm()", {
  set.seed(1)
  for (i in 1:5) {
    n <- matrix(stats::rpois(12, 8) + 1, 3)
    cells <- data.frame(n = c(n), row = factor(row(n)), class = factor(col(n)), score = c(col(n)))
    deviance_of <- function(formula) stats::deviance(stats::glm(formula, stats::poisson, cells))
    rows <- cells[rep(seq_len(12), cells$n), ]
    fit <- tec_tree(
      rows["row"], ordered(rows$class), preset = "chaid", alpha_merge = 1, alpha_split = 1,
      min_bucket = 1, min_split = 2
    )
    expect_equal(
      fit$tree$test[1, "statistic"], ignore_attr = TRUE, tolerance = 1e-7,
      deviance_of(n ~ row + class) - deviance_of(n ~ row + class + row:score)
    )
    expect_identical(fit$criterion$name, "row_effects")
  }
})

test_that("the exact rules take a column's smallest p value, adjusted for the divisions tried", {
  for (seed in case_seeds(2)) at_seed(seed, {
    case <- chaid_case()
    if (case$task == "numbers") next
    by <- sample(c("chisq", "chisq_lr", if (case$task == "ordered") "row_effects"), 1L)
    nominal <- sample(c("binary", "multiway"), 1L)
    found <- suppressWarnings(tec_scores(
      case$data, case$y, criterion = by, nominal = nominal, missing = "majority", min_bucket = 3,
      weights = case$weight, weights_as = "frequency"
    ))
    y <- as.integer(case$y)
    for (name in names(case$data)) {
      x <- as.numeric(case$data[[name]])
      x[case$weight == 0] <- NA
      levels <- is.factor(case$data[[name]]) && !is.ordered(case$data[[name]])
      kind <- if (!levels) "number" else if (nominal == "binary") "groups" else "apart"
      least <- oracle_exact_column(x, y, case$weight, kind, 3, by)
      row <- found[found$variable == name, ]
      label <- paste("seed", seed, name)
      if (is.null(least)) {
        expect_true(is.na(row$p), label = label)
      } else {
        expect_equal(log(row$p), least[["log_p"]], tolerance = 1e-6, label = label)
        adjusted <- min(1, exp(sum(least)))
        expect_equal(row$p_adjusted, adjusted, tolerance = 1e-5, label = label)
      }
    }
    has <- found[!is.na(found$p_adjusted) & found$gain > 0, ]
    if (nrow(has)) {
      expect_equal(min(has$p_adjusted), has$p_adjusted[has$chosen][1L], tolerance = 1e-9)
    }
  })
})

test_that("multipliers equal published ones and those of few categories", {
  ways <- oracle_count_ways
  # Stirling's numbers S(5, r); Kass's example of a monotonic and a floating predictor.
  expect_equal(vapply(1:5, ways, 0, n = 5, order = "none"), c(1, 15, 25, 10, 1))
  expect_equal(vapply(1:5, oracle_count_ways, 0, n = 5, order = "full"), choose(4, 0:4))
  expect_equal(
    vapply(2:5, ways, 0, n = 5, order = "floating"),
    choose(3, 0:3) + 2:5 * choose(3, 1:4)
  )
})

test_that("a stopping rule by a formula makes only splits that pass it", {
  for (seed in case_seeds(2)) at_seed(seed, {
    d <- data.frame(x = round(stats::rnorm(120), 1), g = factor(sample(letters[1:5], 120, TRUE)))
    numbers <- seed %% 3 == 0
    d$y <- d$x + (d$g == "a") + stats::rnorm(120)
    if (!numbers) d$y <- factor(d$y > 0)
    free <- tec_tree(y ~ ., d, prune = "none", missing = "majority")
    held <- tec_tree(y ~ ., d, prune = "none", missing = "majority", max_p = 0.05)
    # The tree that is held is the free one, cut where a split fails.
    end <- predict(free, d, type = "node")
    tree <- free$tree
    kept <- 1L
    splits <- 0L
    while (length(kept)) {
      node <- kept[1L]
      kept <- kept[-1L]
      if (tree$kind[node] == 0L) next
      kids <- tree$child[tree$child_start[node] + seq_len(tree$n_children[node])]
      last <- function(k) subtree_end(tree, k)
      side <- lapply(kids, function(k) which(end >= k & end <= last(k)))
      y <- if (numbers) d$y else as.integer(d$y)
      rows <- unlist(side)
      log_p <- oracle_test(y, rep(1, 120), side, if (numbers) "f" else "chisq")$log_p
      values <- length(unique(d[[tree$variable[node]]][rows]))
      times <- if (tree$kind[node] == 4L) 2^(values - 1) - 1 else values - 1
      if (log_p + log(times) > log(0.05)) next
      splits <- splits + 1L
      kept <- c(kept, kids)
    }
    expect_identical(sum(held$tree$kind != 0L), splits, label = paste("seed", seed))
  })
})

test_that("a stopping rule by permutation follows the seed, and finds no signal in noise", {
  set.seed(4)
  d <- data.frame(x = stats::rnorm(80), z = stats::rnorm(80), g = factor(sample(4, 80, TRUE)))
  d$y <- d$z^2
  d$k <- factor(d$x + stats::rnorm(80) > 0)
  grow <- function(formula, ...) {
    set.seed(2)
    tec_tree(formula, d, prune = "none", max_p = 0.05, ...)
  }
  a <- grow(k ~ x + z + g, p_by = "permutation")
  expect_identical(a$tree, grow(k ~ x + z + g, p_by = "permutation", threads = 2)$tree)
  order <- sample(80)
  set.seed(2)
  b <- tec_tree(k ~ x + z + g, d[order, ], prune = "none", max_p = 0.05, p_by = "permutation")
  expect_identical(b$tree$breaks, a$tree$breaks)
  expect_gt(length(a$tree$kind), 1L)
  # Weights that are fractions and absolute deviations have no formula.
  expect_identical(
    resolve_p_by(list(max_p = 0.05), tec_criterion("l1"), NULL, NULL)$p_by, "permutation"
  )
  expect_identical(
    resolve_p_by(list(max_p = 0.05), tec_criterion("gini"), c(1, 0.5), NULL)$p_by, "permutation"
  )
  expect_identical(resolve_p_by(list(max_p = 0.05), tec_criterion("l2"), 2, NULL)$p_by, "formula")
  expect_gt(length(grow(y ~ z, criterion = "l1")$tree$kind), 1L)
  # Of pure noise at most about a twentieth of the roots are split, although the best cut is tried.
  split <- vapply(seq_len(if (all_cases()) 60L else 6L), function(seed) {
    set.seed(seed)
    noise <- data.frame(x = stats::rnorm(40), y = factor(sample(2, 40, TRUE)))
    fit <- tec_tree(y ~ x, noise,
      prune = "none", max_p = 0.05, p_by = "permutation", permutations = 99, criterion = "gini"
    )
    length(fit$tree$kind) > 1L
  }, NA)
  expect_lte(sum(split), stats::qbinom(0.999, length(split), 0.05))
})

test_that("branches of missing values alone are printed, written and read", {
  d <- lonely_data()
  fit <- tec_tree(y ~ ., d, preset = "chaid")
  rules <- as.data.frame(fit)$rule
  expect_true(all(c("u is known", "u is missing", "x is missing", "o is missing") %in% rules))
  expect_match(tec_scores(fit, d)$split, "missing", all = FALSE)
  for (node in which(grepl("missing", rules))) {
    expect_match(tec_rules(fit, nodes = node)$rule, "is missing")
  }
  new <- d[sample(nrow(d)), ]
  new$x[1:50] <- NA
  new$o[30:80] <- NA
  expect_true(all(verify_export(fit, new, "r")$agree == nrow(new)))
  back <- tec_from_json(tec_json(fit))
  expect_identical(predict(back, new, type = "prob"), predict(fit, new, type = "prob"))
  expect_equal(back$tree$test, fit$tree$test)
  if (rlang::is_installed("rpart")) {
    expect_error(as_rpart(fit), class = "tec_error_conversion")
  }
  pruned <- tec_prune(fit, "pep")
  expect_identical(nrow(pruned$tree$test), length(pruned$tree$kind))
  expect_s3_class(explain(fit, d[which(is.na(d$u))[1L], ]), "tec_explanation")
  skip_if_not_installed("jsonlite")
  expect_true(all(is.finite(fit$tree$breaks) | fit$tree$breaks == Inf))
  skip_if_not_installed("partykit")
  expect_error(partykit::as.party(fit), class = "tec_error_export")
})

test_that("SQL sends missing values to their branch", {
  skip_if_not_installed("DBI")
  skip_if_not_installed("RSQLite")
  d <- lonely_data()
  con <- DBI::dbConnect(RSQLite::SQLite())
  withr::defer(DBI::dbDisconnect(con))
  for (depth in 1:4) {
    fit <- tec_tree(y ~ ., d, preset = "chaid", max_depth = depth)
    expect_true(all(verify_export(fit, d, con)$agree == nrow(d)))
  }
})

test_that("tests are printed and drawn", {
  fit <- tec_tree(Species ~ ., iris, preset = "chaid")
  expect_snapshot(fit)
  expect_snapshot(tec_scores(fit, iris))
  lines <- format(tec_tree(Sepal.Length ~ ., iris, preset = "chaid_exhaustive"), width = 60)
  expect_true(all(nchar(lines) <= 60))
  expect_match(lines, "\\[F = ", all = FALSE)
  view <- tree_view(fit, Inf, NULL)
  expect_match(view$extra[1L], "^(\u03c7\u00b2|chi-square)\\(6\\) = 258\\.7, p < \\.001$")
  expect_identical(brief_p(c(0.0123, 0.5, 1e-20)), c("= .012", "= .500", "< .001"))
  number <- tree_view(tec_tree(Sepal.Length ~ ., iris, preset = "chaid"), Inf, NULL)
  expect_match(number$extra[1L], "^F\\([0-9]+, [0-9]+\\) = [0-9.]+, p < \\.001$")
  expect_readable(fit)
  expect_error(plot(tec_tree(Species ~ ., iris), show = "test"), class = "tec_error_argument")
})

test_that("argument names of other CHAID programs are understood", {
  theirs <- list(
    alpha2 = 0.1, alpha3 = -1, alpha4 = 0.01, minsplit = 30, minbucket = 10, minprob = 0.01,
    stump = FALSE, maxheight = -1
  )
  ours <- tec_control(
    alpha_merge = 0.1, alpha_split = 0.01, min_split = 30, min_bucket = 10
  )
  expect_identical(
    tec_tree(Species ~ ., iris, preset = "chaid", control = theirs)$tree,
    tec_tree(Species ~ ., iris, preset = "chaid", control = ours)$tree
  )
  theirs$stump <- TRUE
  expect_lte(tree_depth(tec_tree(Species ~ ., iris, preset = "chaid", control = theirs)), 1)
  fit <- tec_tree(Species ~ ., iris, preset = "exhaustive CHAID", min_parent = 40, min_child = 20)
  expect_identical(fit$control$rules, "chaid_exhaustive")
  expect_identical(fit$control$min_bucket, 20)
})

test_that("settings that cannot be combined are an error", {
  expect_snapshot(error = TRUE, {
    tec_tree(Species ~ ., iris, rules = "chaid", criterion = "gini")
    tec_tree(Species ~ ., iris, missing = "category")
    tec_tree(Species ~ ., iris, preset = "chaid", missing = "learned")
    tec_tree(Species ~ ., iris, criterion = "chisq", intervals = 3)
    tec_tree(Species ~ ., iris, preset = "chaid", max_p = 0.01)
    tec_control(alpha_merge = 0)
    tec_control(alpha_resplit = 0.2)
    tec_control(max_p = 2)
  })
})

test_that("forests and tuning accept criteria with tests", {
  set.seed(1)
  forest <- tec_forest(Species ~ ., iris, criterion = "chisq", trees = 5)
  expect_identical(forest$criterion$name, "chisq")
  expect_gt(mean(predict(forest, iris) == iris$Species), 0.9)
  tuned <- tec_tune(Species ~ ., iris, preset = "chaid", min_bucket = c(3, 20), folds = 3)
  expect_identical(tuned$fit$control$rules, "chaid")
})

test_that("tests without merges accept a largest p value", {
  control <- list(max_p = 0.05, missing = "majority", splitter = "best", intervals = 2L)
  expect_no_error(check_test_settings(control, merges = FALSE))
  expect_error(check_test_settings(control, merges = TRUE), "max_p", class = "tec_error_control")
})
