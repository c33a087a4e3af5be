# A picture of every plot() and autoplot() method, on small data. Other files have more pictures of
# trees, scores, importance, splines, tuning with ggplot2 and comparisons.

small_models <- function() {
  set.seed(1)
  cars <- transform(mtcars, gear = factor(gear), cyl = ordered(cyl))
  list(
    boost = tec_boost(mpg ~ wt + hp + gear, cars,
      rounds = 20, cyclic = TRUE, sample_fraction = 1, min_bucket = 3, bags = 2, validation = 0.3,
      threads = 1
    ),
    forest = tec_forest(Species ~ ., iris, trees = 20, q = c(1, 2), threads = 1),
    rotation = tec_rotation(Species ~ ., iris, trees = 3, threads = 1),
    splines = tec_mars(mpg ~ wt + hp, mtcars),
    tree = tec_tree(mpg ~ wt + hp + gear, cars, min_bucket = 3),
    chaid = tec_tree(Species ~ ., iris, preset = "chaid"), cars = cars
  )
}

# list(title, make), by method: what each picture shows.
every_plot <- function(m) {
  shap <- tec_shap(m$tree, m$cars, interactions = TRUE)
  shapes <- tec_shapes(m$boost, m$cars)
  iris_tree <- full_tree(Species ~ ., iris, max_depth = 3)
  set.seed(2)
  methods <- compare_methods(mpg ~ wt + hp, mtcars,
    folds = 3, methods = list(tree = tec_tree, splines = tec_mars)
  )
  tuned <- full_tune(Species ~ ., iris, q = c(0.5, 1, 2), min_bucket = c(1, 10), folds = 3)
  dependence <- function(...) tec_dependence(m$boost, ..., data = m$cars)
  list(
    tec_boost = list(m$boost), tec_cp_table = list(cp_table(iris_tree)),
    tec_dependence = list(dependence("wt", individual = TRUE), dependence("gear"),
      dependence(c("wt", "gear"))),
    tec_forest = lapply(forest_plots, function(type) list(m$forest, type = type)),
    tec_gains = list(tec_gains(m$chaid, iris)),
    tec_importance = list(importance(iris_tree)), tec_mars = list(m$splines),
    tec_methods = list(methods),
    tec_picture = lapply(c("surface", "dependence", "calibration", "roc"), function(type) {
      tec_picture(iris_tree, type, data = iris)
    }),
    tec_rotation = list(m$rotation),
    tec_shap = lapply(shap_plots, function(type) list(shap, type = type)),
    tec_shapes = list(shapes, list(shapes, "gear"), list(shapes, "wt")),
    tec_tree = list(m$chaid, list(m$tree, style = "rpart.plot")), tec_tune = list(tuned)
  )
}

methods_of <- function(generic, package) {
  found <- getNamespaceInfo("tectree", "S3methods")
  found <- found[found[, 1L] %in% c(generic, paste0(package, "::", generic)), 2L]
  sort(grep("^_", found, value = TRUE, invert = TRUE))
}

test_that("every plot is as it was looked at", {
  skip_if_not_installed("vdiffr")
  shown <- suppressMessages(every_plot(small_models()))
  # Pictures of these stand in other files.
  elsewhere <- c("tec_comparison", "tec_scores")
  expect_setequal(setdiff(methods_of("plot", "base"), elsewhere), names(shown))
  for (class in names(shown)) {
    for (i in seq_along(shown[[class]])) {
      args <- shown[[class]][[i]]
      if (is.object(args)) args <- list(args)
      draw <- function() suppressMessages(do.call(plot, args))
      vdiffr::expect_doppelganger(paste(class, i), draw)
    }
  }
})

test_that("every ggplot is as it was looked at", {
  skip_if_not_installed("vdiffr")
  skip_if_not_installed("ggplot2")
  shown <- suppressMessages(every_plot(small_models()))
  expect_setequal(setdiff(methods_of("autoplot", "ggplot2"), "tec_comparison"), names(shown))
  # Those of other charts differ in their numbers only, which base graphics shows.
  shown[c("tec_importance", "tec_tune")] <- NULL
  for (class in names(shown)) {
    args <- shown[[class]][[1L]]
    if (is.object(args)) args <- list(args)
    if (class == "tec_tree") args <- args[1L]
    picture <- suppressMessages(do.call(ggplot2::autoplot, args))
    suppressMessages(vdiffr::expect_doppelganger(paste("gg", class), picture))
  }
})
