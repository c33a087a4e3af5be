# Roads to a tree that C++ does not take (tests/cpp/roads/), through tec_tree(). `seed` in a failing
# label repeats the case: `do.call(tec_tree, random_road_case(seed))`.

cases <- case_seeds(10)

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
