test_that("a damaged forest is an error, however it is damaged", {
  set.seed(1)
  d <- forest_data(60)
  fit <- small_forest(y ~ ., d)
  numbers <- small_forest(y ~ ., forest_data(60, classes = FALSE))
  inner <- which(fit$trees$variable != 0L)
  leaf <- which(fit$trees$variable == 0L)
  damage <- list(
    function(f) f["trees"] <- NULL,
    function(f) f$trees <- 1,
    function(f) f$trees$cut <- f$trees$cut[-1],
    function(f) f$trees$cut <- as.character(f$trees$cut),
    function(f) f$trees$start <- f$trees$start[-1],
    function(f) f$trees$start[3] <- 2^30L,
    function(f) f$trees$start[3] <- NA,
    function(f) f$trees$variable[inner[1]] <- 99L,
    function(f) f$trees$variable[inner[3]] <- NA,
    function(f) f$trees$right[inner[1]] <- 10000L,
    function(f) f$trees$right[inner[2]] <- 1L,
    function(f) f$trees$right[inner[2]] <- -5L,
    function(f) f$trees$right[leaf[1:40]] <- 7L,
    function(f) f$trees$right[leaf[1:40]] <- -9999L,
    function(f) f$trees$sides <- raw(),
    function(f) f$trees["shares"] <- list(NULL),
    function(f) f$columns$kind[1] <- "odd",
    function(f) f$columns$name <- 1:6,
    function(f) f$response$levels <- 1
  )
  damaged <- 0
  for (one in damage) {
    body(one) <- call("{", body(one), quote(f))
    for (start in list(fit, numbers)) {
      bad <- tryCatch(one(unclass(start)), error = function(e) NULL)
      if (is.null(bad) || identical(bad, unclass(start))) next
      class(bad) <- "tec_forest"
      found <- tryCatch(predict(bad, d), error = identity)
      # Some damage only makes other trees: then there is a prediction for each row.
      if (inherits(found, "error")) {
        expect_s3_class(found, "tec_error_damaged")
        damaged <- damaged + 1
      } else {
        expect_length(found, 60)
      }
    }
  }
  expect_gt(damaged, 20)
})

test_that("the error says what was found", {
  set.seed(1)
  fit <- small_forest(Species ~ ., iris, trees = 2)
  expect_snapshot(show_errors({
    predict(structure(list(), class = "tec_forest"), iris)
    predict(structure(replace(unclass(fit), "trees", list(1)), class = "tec_forest"), iris)
    tec_more(iris, 3)
    tec_proximity(tec_tree(Species ~ ., iris))
  }))
})

test_that("a forest can be saved and read", {
  set.seed(2)
  d <- forest_data(60)
  fit <- small_forest(y ~ ., d)
  file <- withr::local_tempfile()
  saveRDS(fit, file)
  again <- readRDS(file)
  expect_identical(again, fit)
  expect_identical(predict(again, d), predict(fit, d))
  expect_lt(file.size(file), 50000)
})

test_that("no data and no environment are kept", {
  grow <- function() {
    large <- data.frame(y = factor(rep(1:2, 50)), x = stats::rnorm(100), id = stats::rnorm(100))
    small_forest(y ~ x, large, trees = 2)
  }
  fit <- grow()
  kept <- rapply(unclass(fit), is.environment, how = "unlist")
  expect_false(any(kept))
  expect_null(environment(fit$formula))
})

# Models of many trees, and what takes them.
models_of_trees <- function() {
  set.seed(1)
  list(
    forest = tec_forest(Species ~ ., iris, trees = 3),
    numbers = tec_forest(Sepal.Length ~ ., iris, trees = 3),
    boost = tec_boost(Species ~ ., iris, rounds = 3, folds = 0, max_depth = 2),
    cyclic = tec_boost(Sepal.Length ~ ., iris, rounds = 3, folds = 0, cyclic = TRUE, bags = 2),
    ada = tec_boost(Species ~ ., iris, rounds = 3, max_depth = 2, method = "adaboost"),
    rotation = tec_rotation(Species ~ ., iris, trees = 3)
  )
}
takes_of_trees <- list(
  predict = function(m) predict(m, iris), glance = function(m) glance(m),
  tidy = function(m) tidy(m), print = function(m) format(m),
  importance = function(m) importance(m)
)
also_forests <- list(
  tree = function(m) m[[1]], tec_shrink = function(m) tec_shrink(m, 2),
  tec_code = function(m) tec_code(m), tec_json = function(m) tec_json(m),
  tec_sql = function(m) tec_sql(m, table = "t"), tec_more = function(m) tec_more(m, 1, data = iris),
  tec_proximity = function(m) tec_proximity(m, iris),
  tec_shap = function(m) tec_shap(m, iris[1:3, ])
)
also_boosted <- list(
  tec_shapes = function(m) tec_shapes(m), as_tec_forest = function(m) as_tec_forest(m),
  tec_shap = function(m) tec_shap(m, iris[1:3, ])
)

test_that("every function refuses trees whose nodes do not form trees", {
  slow_test()
  damages <- list(
    outside = function(trees) {
      trees$variable <- c(trees$variable, 99L, 99L)
      trees$right <- c(trees$right, 2L, 2L)
      trees$cut <- c(trees$cut, 0, 0)
      trees
    },
    overlap = function(trees) {
      at <- which(trees$variable != 0L & trees$right > 2L)[1L]
      trees$right[at] <- 2L
      trees
    },
    `itself` = function(trees) {
      trees$right[which(trees$variable != 0L)[1L]] <- 0L
      trees
    },
    back = function(trees) {
      trees$right[utils::tail(which(trees$variable != 0L), 1L)] <- -3L
      trees
    },
    short = function(trees) {
      trees$cut <- trees$cut[-1L]
      trees
    },
    number = function(trees) {
      trees$cut[1L] <- NaN
      trees
    }
  )
  models <- models_of_trees()
  # A third of them, so that what takes all models meets each damage.
  taken <- in_turn(0:2, 1)
  for (m in seq_along(models)) {
    name <- names(models)[m]
    takes <- c(
      takes_of_trees, if (inherits(models[[name]], "tec_forest")) also_forests,
      if (name %in% c("boost", "cyclic")) also_boosted
    )
    for (i in seq_along(damages)) {
      what <- names(damages)[i]
      bad <- unclass(models[[name]])
      bad$trees <- damages[[what]](bad$trees)
      class(bad) <- class(models[[name]])
      for (take in names(takes)[(m + i + seq_along(takes)) %% 3 %in% taken]) {
        expect_error(
          takes[[take]](bad), class = "tec_error_damaged", info = paste(name, what, take)
        )
      }
    }
  }
})

test_that("the description of a boosted model's trees is checked", {
  models <- models_of_trees()[c("boost", "cyclic", "ada")]
  damages <- list(
    function(m) replace(m, "round", list(m$round[-1L])),
    function(m) replace(m, "round", list(rev(m$round))),
    function(m) replace(m, "rounds", list(NA)),
    function(m) replace(m, "method", list("other")),
    function(m) replace(m, "used", list(99L)),
    function(m) {
      part <- if (m$method == "adaboost") "vote" else "output"
      replace(m, part, list(replace(m[[part]], 1L, NA)))
    },
    function(m) if (m$method != "adaboost") replace(m, "output", list(m$output + 5L)),
    function(m) if (m$method != "adaboost") replace(m, "base", list("a")),
    function(m) if (length(m$bags)) replace(m, "bags", list(list(1))),
    function(m) replace(m, "n_rows", list(c(60L, 60L))),
    function(m) replace(m, "loss", list(c("squared", "squared")))
  )
  for (m in seq_along(models)) {
    name <- names(models)[m]
    # Each damage of one model.
    for (i in which((m + seq_along(damages)) %% 3 %in% in_turn(0:2, 1))) {
      bad <- damages[[i]](unclass(models[[name]]))
      if (is.null(bad)) next
      bad <- structure(bad, class = "tec_boost")
      expect_error(predict(bad, iris), class = "tec_error_damaged", info = paste(name, i))
      expect_error(glance(bad), class = "tec_error_damaged", info = paste(name, i))
    }
  }
})

test_that("parts of another type are refused, and a forest without trees has length 0", {
  models <- models_of_trees()[c("forest", "boost", "rotation")]
  for (model in models) {
    for (piece in c("control", "settings")) {
      bad <- structure(replace(unclass(model), piece, list(1)), class = class(model))
      expect_error(predict(bad, iris), class = "tec_error_damaged", info = piece)
      expect_error(format(bad), class = "tec_error_damaged", info = piece)
    }
    bad <- unclass(model)
    bad$trees$unknown <- c(0L, 0L)
    expect_error(predict(structure(bad, class = class(model)), iris), class = "tec_error_damaged")
  }
  for (trees in list(1, list(), NULL)) {
    expect_length(structure(list(trees = trees), class = "tec_forest"), 0L)
  }
})

test_that("the description of a model is checked wherever it is used", {
  tree <- tec_tree(mpg ~ ., mtcars, missing = "majority")
  with_levels <- tree
  with_levels$response$levels <- Inf
  expect_error(tec_code(with_levels), class = "tec_error_damaged")
  torn <- unclass(tec_prune(tree, alpha = 0))
  torn[["cptable"]][["n_leaves"]] <- list()
  expect_error(cp_table(structure(torn, class = "tec_tree")), class = "tec_error_damaged")
  forest <- models_of_trees()$forest
  forest$columns$needs[[1L]] <- character()
  expect_error(predict(forest, iris), class = "tec_error_damaged")
  boost <- unclass(models_of_trees()$boost)
  boost$method <- character()
  expect_error(tec_code(structure(boost, class = "tec_boost")), class = "tec_error_damaged")
})

test_that("the settings for more trees or rounds are checked", {
  forest <- models_of_trees()$forest
  forest$settings$draws <- c(1, 2)
  expect_error(tec_more(forest, 1, data = iris), class = "tec_error_damaged")
  expect_error(tec_proximity(forest, iris, oob = TRUE), class = "tec_error_damaged")
  boost <- unclass(models_of_trees()$boost)
  boost$settings$min_weight <- c(1, 2)
  boost <- structure(boost, class = "tec_boost")
  expect_error(tec_more(boost, 1, data = iris), class = "tec_error_damaged")
})

test_that("the error of a damaged forest names the damage", {
  set.seed(1)
  fit <- tec_forest(Species ~ ., iris, trees = 2, max_depth = 2, threads = 1)
  says <- function(change, text) {
    changed <- list2env(list(bad = unclass(fit)))
    eval(substitute(change), changed)
    fault <- expect_error(
      predict(structure(changed$bad, class = "tec_forest"), iris), class = "tec_error_damaged"
    )
    expect_match(cli::ansi_strip(conditionMessage(fault)), text, fixed = TRUE)
  }
  expect_error(
    predict(structure(1, class = "tec_forest"), iris), "not a list", class = "tec_error_damaged"
  )
  says(bad$trees$cut <- NULL, "its trees have no")
  says(bad$criterion$name <- 1, "its criterion has no name")
  says(bad$criterion$units <- 1, "its criterion has no unit")
  says(bad$gain <- 1, "its gains do not match its columns")
  says(bad$trees$right[1] <- 99L, "tree")
})
