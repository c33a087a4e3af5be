# Stores one model of every kind with new rows and its predictions, for test-stored-models.R:
#
#   Rscript data-raw/stored-models.R FILE
#
# Run it when the format of models changes (`fit_format` in R/fit.R), and write a new file,
# tests/testthat/fixtures/models-FORMAT.rds. The files of older formats stay: they must be read.

library(tectree)
set.seed(1)

rows <- iris[c(1:20, 51:70, 101:120), ]
two <- droplevels(iris[51:150, ])
cars <- transform(mtcars, cyl = factor(cyl), gear = ordered(gear))[c("mpg", "wt", "hp", "cyl", "gear")]
air <- airquality[1:80, ]
air$day <- as.Date("1973-05-01") + seq_len(nrow(air))

models <- list(
  "tree" = list(tec_tree(Species ~ ., rows), rows),
  "tree, numbers" = list(tec_tree(mpg ~ ., cars), cars),
  "tree, missing values" = list(tec_tree(Ozone ~ Solar.R + Wind + Temp + day, air), air),
  "tree, surrogates" = list(tec_tree(Ozone ~ Solar.R + Wind + Temp, air, preset = "cart"), air),
  "tree, learned" = list(tec_tree(Ozone ~ Solar.R + Wind, air, missing = "learned"), air),
  "tree, c45" = list(tec_tree(cyl ~ ., cars, preset = "c45"), cars),
  "tree, chaid" = list(tec_tree(cyl ~ ., cars, preset = "chaid"), cars),
  "tree, terms" = list(tec_tree(mpg ~ log(hp) + I(wt * hp), mtcars), mtcars),
  "tree, honest" = list(tec_tree(Species ~ ., iris, honest = TRUE), rows),
  "tree, cost" = list(tec_tree(Species ~ ., rows, cost = 3 * (1 - diag(3))), rows),
  "shrunk tree" = list(tec_shrink(tec_tree(Species ~ ., iris, prune = "none")), rows),
  "forest" = list(tec_forest(Species ~ ., rows, trees = 3), rows),
  "forest, numbers" = list(tec_forest(mpg ~ ., cars, trees = 3), cars),
  "boosting, numbers" = list(tec_boost(mpg ~ ., cars, rounds = 3, folds = 0), cars),
  "boosting, two classes" = list(tec_boost(Species ~ ., two, rounds = 3, folds = 0), two[c(1:9, 51:59), ]),
  "boosting, classes" = list(tec_boost(Species ~ ., rows, rounds = 3, folds = 0), rows),
  "cyclic boosting" = list(tec_boost(mpg ~ ., cars, rounds = 3, folds = 0, cyclic = TRUE), cars),
  "AdaBoost" = list(tec_boost(Species ~ ., rows, method = "adaboost", rounds = 3), rows),
  "rotation forest" = list(tec_rotation(Species ~ ., rows, trees = 3), rows),
  "splines" = list(tec_mars(mpg ~ ., cars), cars),
  "tuned tree" = list(tec_tune(Species ~ ., rows, q = c(1, 2)), rows)
)

# Nothing of the session is kept: formulas would bring their environment.
without_session <- function(x) {
  if (is.environment(x)) {
    return(globalenv())
  }
  if (!is.null(attr(x, ".Environment"))) attr(x, ".Environment") <- globalenv()
  if (is.list(x)) {
    kept <- attributes(x)
    x <- lapply(unclass(x), without_session)
    attributes(x) <- kept
  }
  x
}

without_json <- c("tree, terms", "rotation forest", "tuned tree")

stored <- Map(function(one, name) {
  fit <- without_session(one[[1L]])
  json <- if (!name %in% without_json) unclass(tec_json(fit))
  list(
    fit = fit, rows = one[[2L]], json = json, response = predict(fit, one[[2L]]),
    prob = if (is.factor(predict(fit, one[[2L]]))) predict(fit, one[[2L]], type = "prob")
  )
}, models, names(models))
saveRDS(stored, commandArgs(TRUE)[[1L]], compress = "xz")
