#' Trees, forests and boosting in mlr3
#'
#' tectree registers the learners `mlr3::lrn("classif.tectree")` and `mlr3::lrn("regr.tectree")` for
#' trees, `mlr3::lrn("classif.tectree_forest")` and `mlr3::lrn("regr.tectree_forest")` for forests,
#' `mlr3::lrn("classif.tectree_boost")` and `mlr3::lrn("regr.tectree_boost")` for boosted models,
#' when mlr3 and tectree are loaded, in any order. Their parameters are the arguments of
#' [tec_tree()], [tec_forest()] or [tec_boost()] and of [tec_control()], with the same defaults.
#' *Experimental*, see *Lifecycle* in [tectree-package].
#'
#' The learners support weights, missing values, class probabilities, importance and the selected
#' features. Importance is by gain; for forests it is of the type that they were grown with. Forests
#' also have `oob_error()`: the share of wrong classes, or the mean squared error. Boosted models
#' choose their number of rounds with `validation = 0.2` or `folds = 5`.
#'
#' @return `mlr3::lrn()` returns a learner, an R6 object of class `LearnerClassif` or `LearnerRegr`.
#' @family modeling frameworks
#' @concept mlr3
#' @examplesIf nzchar(system.file(package = "mlr3"))
#' # library(mlr3) does this:
#' lrn <- getExportedValue("mlr3", "lrn")
#' tsk <- getExportedValue("mlr3", "tsk")
#'
#' learner <- lrn("classif.tectree", q = 1.5, max_depth = 3)
#' task <- tsk("iris")
#' learner$train(task)
#' learner$predict(task)$confusion
#' learner$importance()
#'
#' forest <- lrn("classif.tectree_forest", trees = 50, importance = "permutation", threads = 2)
#' forest$train(task)
#' forest$oob_error()
#'
#' boost <- lrn("classif.tectree_boost", validation = 0.3, max_depth = 2, threads = 2)
#' boost$train(task)
#' boost$model$rounds
#' @name mlr3
NULL

# mlr3 and its parts are not in DESCRIPTION, because they take minutes to install.
of_mlr3 <- function(name, package = "mlr3") getExportedValue(package, name)

register_mlr3 <- function() {
  learners <- of_mlr3("mlr_learners")
  for (model in names(mlr3_models)) {
    for (task in c("classif", "regr")) {
      local({
        model <- model
        task <- task
        learners$add(mlr3_key(task, model), function() mlr3_learner(task, model))
      })
    }
  }
}

mlr3_models <- list(
  tree = list(key = ".tectree", class = "Tectree", label = "Decision tree"),
  forest = list(key = ".tectree_forest", class = "TectreeForest", label = "Random forest"),
  boost = list(key = ".tectree_boost", class = "TectreeBoost", label = "Boosted trees")
)

mlr3_key <- function(task, model) paste0(task, mlr3_models[[model]]$key)

mlr3_grower <- function(model) {
  switch(model, tree = tec_tree.default, forest = tec_forest.default, boost = tec_boost.default)
}

# The class is made when a learner is requested, so that mlr3 is not needed before.
mlr3_learner <- function(task, model) {
  name <- if (task == "classif") "LearnerClassif" else "LearnerRegr"
  base <- of_mlr3(name)
  key <- mlr3_key(task, model)
  classes <- if (task == "classif") c("twoclass", "multiclass")
  types <- c("response", if (task == "classif") "prob")
  forest <- model == "forest"
  grow <- mlr3_grower(model)
  generator <- of_mlr3("R6Class", "R6")(
    paste0(name, mlr3_models[[model]]$class),
    inherit = base,
    public = list(
      initialize = function() {
        super$initialize(
          id = key, param_set = mlr3_parameters(task, model), predict_types = types,
          feature_types = c(
            "logical", "integer", "numeric", "character", "factor", "ordered", "POSIXct", "Date"
          ),
          properties = c(
            classes, "missings", "weights", "importance", "selected_features",
            if (forest) "oob_error"
          ),
          packages = "tectree", label = mlr3_models[[model]]$label,
          man = "tectree::mlr3"
        )
      },
      importance = function() {
        found <- importance(self$model)
        stats::setNames(found$importance, found$variable)
      },
      selected_features = function() used_names(self$model)
    ),
    private = list(
      .train = function(task) {
        arguments <- self$param_set$get_values(tags = "train")
        arguments$weights <- private$.get_weights(task)
        x <- mlr3_features(task)
        do.call(grow, c(list(x = x, y = task$truth()), arguments))
      },
      .predict = function(task) {
        type <- self$predict_type
        stats::setNames(list(stats::predict(self$model, mlr3_features(task), type = type)), type)
      }
    )
  )
  if (forest) generator$set("public", "oob_error", function() self$model$oob$error)
  generator$new()
}

mlr3_features <- function(task) as.data.frame(task$data(cols = task$feature_names))

mlr3_types <- function() {
  of_type <- function(type) of_mlr3(type, "paradox")
  list(
    number = function(...) of_type("p_dbl")(..., tags = "train"),
    whole = function(...) of_type("p_int")(..., tags = "train"),
    word = function(...) of_type("p_fct")(c(...), tags = "train"),
    any = function() of_type("p_uty")(tags = "train"),
    flag = function() of_type("p_lgl")(tags = "train")
  )
}

mlr3_parameters <- function(task, model = "tree") {
  type <- mlr3_types()
  own <- switch(model,
    tree = mlr3_tree(type, task), forest = mlr3_forest(type, task), boost = mlr3_boost(type, task)
  )
  do.call(of_mlr3("ps", "paradox"), c(own, mlr3_settings(type, task, model)))
}

# The settings of tec_control(). AdaBoost is for classification only.
mlr3_settings <- function(type, task, model) {
  models <- c(model, if (model == "boost" && task == "classif") "adaboost")
  taken <- Filter(function(one) {
    any(models %in% one$models) && (task == "classif" || !one$classes)
  }, tree_settings)
  not_here <- c("rep", if (model != "tree") c("surrogate", chaid_rules))
  lapply(taken, function(one) {
    switch(one$type,
      number = , whole = type[[one$type]](one$bounds[1L], one$bounds[2L]),
      word = type$word(setdiff(one$words, not_here)),
      type[[one$type]]()
    )
  })
}

mlr3_criteria <- function(type, task) {
  criteria <- tec_criteria()
  task <- if (task == "classif") "classification" else "regression"
  type$word(criteria$name[criteria$task == task])
}

mlr3_classes <- function(type) {
  list(
    cost = type$any(), cost_in = type$word("leaf", "split"), prior = type$any(),
    class_weights = type$any()
  )
}

mlr3_tree <- function(type, task) {
  c(
    if (task == "classif") c(mlr3_classes(type), list(q = type$number(), beta = type$number())),
    list(criterion = mlr3_criteria(type, task), preset = type$word(preset_names))
  )
}

# Several `q` are compared by their out-of-bag error.
mlr3_forest <- function(type, task) {
  classes <- if (task == "classif") {
    c(mlr3_classes(type), list(
      q = type$any(), beta = type$any(), by_class = type$any(), probability = type$flag()
    ))
  }
  c(classes, list(
    criterion = mlr3_criteria(type, task), trees = type$whole(1L), mtry = type$any(),
    replace = type$flag(), sample_fraction = type$number(0),
    importance = type$word(importance_kinds), progress = type$flag()
  ))
}

mlr3_boost <- function(type, task) {
  classes <- if (task == "classif") {
    list(
      method = type$word(boost_methods), criterion = mlr3_criteria(type, task),
      q = type$number(), beta = type$number()
    )
  }
  c(classes, list(
    rounds = type$whole(1L), rate = type$number(0), lambda = type$number(0),
    min_weight = type$number(0), sample_fraction = type$number(0),
    column_fraction = type$number(0), validation = type$any(), folds = type$whole(0L),
    patience = type$whole(1L), monotone = type$any(), cyclic = type$flag(),
    pairs = type$whole(0L), bags = type$whole(0L), progress = type$flag()
  ))
}

# R6 defines these names inside methods.
utils::globalVariables(c("private", "self", "super"))
