# Every road to a tree, through tec_tree(). `seed` in a failing label repeats the case:
# `do.call(tec_tree, random_road_case(seed))`.

cases <- case_seeds(10)

# Several tests ask for the tree of each case as it is: it is grown once.
usual_trees <- new.env()
usual_tree <- function(seed, case) {
  key <- as.character(seed)
  if (is.null(usual_trees[[key]])) usual_trees[[key]] <- grow_case(case)
  usual_trees[[key]]
}

test_that("the searches grow the same tree, with one thread or two", {
  for (seed in cases) {
    case <- random_road_case(seed)
    usual <- usual_tree(seed, case)
    road <- function(name) paste("seed", seed, name)
    small <- 16 + nrow(case$data) %/% 3
    expect_same_road(on_road(grow_case(case), sorted_only = TRUE), usual, road("sorted only"))
    expect_same_road(on_road(grow_case(case), pass_on_at = small), usual, road("coarse"))
    expect_same_road(on_road(grow_case(case), simd = FALSE), usual, road("without SIMD"))
    expect_same_road(grow_case(case, threads = 2), usual, road("two threads"))
  }
})

test_that("weights of a power of two and the order of the rows change no tree", {
  for (seed in cases) {
    case <- random_road_case(seed)
    usual <- usual_tree(seed, case)
    road <- function(name) paste("seed", seed, name)
    # To a test weights are frequencies.
    tested <- case$max_p < 1 || case$rules != "exact" || any(test_criteria %in% case$criterion)
    # tec_control() takes no sizes below 1.
    for (w in if (tested) NULL else if (case$min_bucket >= 2) c(2, 0.5) else 2) {
      scaled <- grow_case(case,
        weights = rep(w, nrow(case$data)), min_bucket = w * case$min_bucket,
        min_split = w * case$min_split
      )
      expect_same_road(scaled, usual, road(paste("weights of", w)), weights = w)
    }
    order <- sample(nrow(case$data))
    permuted <- grow_case(case, data = case$data[order, , drop = FALSE])
    expect_same_road(permuted, usual, road("permuted"))
  }
})

test_that("columns that stand twice are taken once", {
  taken <- 0
  for (seed in cases) {
    case <- random_road_case(seed)
    # A standard deviation of the columns' cuts changes; a copy is the best surrogate.
    if (identical(case$criterion, "effcami1") || case$missing == "surrogate") next
    taken <- taken + 1
    usual <- usual_tree(seed, case)
    p <- ncol(case$data) - 1
    twice <- case$data[c(rep(seq_len(p), each = 2), p + 1)]
    fit <- grow_case(case, data = twice)
    fit$tree$variable <- (fit$tree$variable + 1L) %/% 2L
    expect_same_road(fit, usual, paste("seed", seed, "columns twice"))
    expect_identical(fit$tree$variable, usual$tree$variable, label = paste("seed", seed))
  }
  if (all_cases()) expect_gt(taken, 0.6 * length(cases))
})

test_that("equal class weights are none", {
  for (seed in cases[cases %% 2 == 0]) {
    case <- random_road_case(seed)
    if (!is.factor(case$data$y)) next
    weights <- rep(1, nlevels(case$data$y))
    usual <- usual_tree(seed, case)
    fit <- grow_case(case, class_weights = weights)
    expect_same_road(fit, usual, paste("seed", seed, "class weights of 1"))
  }
})

test_that("tec_scores() chooses the split of the tree's root", {
  taken <- 0
  for (seed in cases) {
    case <- random_road_case(seed)
    fit <- grow_case(case)
    if (fit$tree$kind[1] == 0) next
    taken <- taken + 1
    arguments <- case[setdiff(names(case), c("min_split", "max_depth"))]
    found <- suppressWarnings(suppressMessages(do.call(tec_scores, arguments)))
    chosen <- found[found$chosen, ]
    label <- paste("seed", seed)
    expect_identical(chosen$variable, names(case$data)[fit$tree$variable[1]], label = label)
    expect_equal(chosen$gain, fit$tree$gain[1], tolerance = 1e-11, label = label)
    expect_equal(chosen$score, fit$tree$score[1], tolerance = 1e-11, label = label)
  }
  if (all_cases()) expect_gt(taken, 0.5 * length(cases))
})

test_that("settings tuned together are those of single fits", {
  taken <- 0
  for (seed in c(33, 43, cases[cases %% 10 == 3])) {
    case <- random_road_case(seed)
    if (!is.factor(case$data$y) || case$missing %in% c("surrogate", "category")) next
    taken <- taken + 1
    fold <- rep(1:3, length.out = nrow(case$data))
    settings <- case[
      c("nominal", "missing", "min_bucket", "min_split", "max_depth", "prune")
    ]
    tuned <- suppressWarnings(suppressMessages(do.call(tec_tune, c(
      list(y ~ ., case$data, q = c(0.7, 1, 2), folds = fold, threads = 2), settings
    ))))
    for (q in c(0.7, 1, 2)) {
      accuracy <- vapply(1:3, function(f) {
        fit <- suppressWarnings(suppressMessages(do.call(tec_tree, c(
          list(y ~ ., case$data[fold != f, ], q = q), settings
        ))))
        rest <- case$data[fold == f, ]
        mean(predict(fit, rest) == rest$y)
      }, 0)
      found <- tuned$table$accuracy[tuned$table$q == q]
      expect_equal(found, mean(accuracy), label = paste("seed", seed, "q", q))
    }
  }
  expect_gt(taken, 0)
})

test_that("forced surrogates lead to the same tree by every search", {
  for (seed in cases[cases %% 4 == 1]) {
    case <- random_road_case(seed)
    case$missing <- "surrogate"
    usual <- grow_case(case)
    fit <- on_road(grow_case(case), sorted_only = TRUE, pass_on_at = 20, simd = FALSE)
    expect_same_road(fit, usual, paste("seed", seed, "surrogates"))
    fields <- grep("^surrogate_", names(usual$tree), value = TRUE)
    expect_equal(
      fit$tree[fields], usual$tree[fields],
      tolerance = 1e-11, label = paste("seed", seed)
    )
  }
})

# Of columns of many values searches try different cuts, so these cases are small.
test_that("looking ahead leads to the same tree on every road", {
  taken <- deeper <- 0
  for (seed in cases) {
    case <- random_road_case(seed)
    if (nrow(case$data) > 250) next
    case$lookahead <- sample(c(2, 4, 10), 1)
    case$max_p <- 1
    case$max_depth <- min(case$max_depth, sample(2:4, 1))
    taken <- taken + 1
    usual <- grow_case(case)
    deeper <- deeper + !identical(usual$tree, grow_case(case, lookahead = 1)$tree)
    road <- function(name) paste("seed", seed, "lookahead", case$lookahead, name)
    small <- 16 + nrow(case$data) %/% 3
    expect_same_road(on_road(grow_case(case), sorted_only = TRUE), usual, road("sorted only"))
    expect_same_road(on_road(grow_case(case), pass_on_at = small), usual, road("coarse"))
    expect_same_road(on_road(grow_case(case), simd = FALSE), usual, road("without SIMD"))
    expect_same_road(grow_case(case, threads = 2), usual, road("two threads"))
    permuted <- grow_case(case, data = case$data[sample(nrow(case$data)), , drop = FALSE])
    expect_same_road(permuted, usual, road("permuted"))
  }
  if (all_cases()) {
    expect_gt(taken, length(cases) / 2)
    expect_gt(deeper, taken / 10)
  }
})
