#' Trees and forests in mlr3
#'
#' tectree registers the learners `mlr3::lrn("classif.tectree")` and `mlr3::lrn("regr.tectree")` for
#' trees, `mlr3::lrn("classif.tectree_forest")` and `mlr3::lrn("regr.tectree_forest")` for forests,
#' when mlr3 and tectree are loaded, in any order. Their parameters are the arguments of
#' [tec_tree()] or [tec_forest()] and of [tec_control()], with the same defaults. Case weights,
#' missing values, class shares, importance and the selected features are supported; importance is
#' by gain, for forests of the type they were grown with. Forests have an `oob_error()` too: the
#' share of wrong classes, or the mean squared error.
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
#' @name mlr3
NULL

# mlr3 and its parts are not among the packages that this one names: they take minutes to install.
of_mlr3 <- function(name, package = "mlr3") getExportedValue(package, name)

register_mlr3 <- function() {
  learners <- of_mlr3("mlr_learners")
  for (model in c("tree", "forest")) {
    for (task in c("classif", "regr")) {
      local({
        model <- model
        task <- task
        learners$add(mlr3_key(task, model), function() mlr3_learner(task, model))
      })
    }
  }
}

mlr3_key <- function(task, model) {
  paste0(task, if (model == "tree") ".tectree" else ".tectree_forest")
}

# The class is made when a learner is asked for, so that mlr3 need not be there before.
mlr3_learner <- function(task, model) {
  name <- if (task == "classif") "LearnerClassif" else "LearnerRegr"
  base <- of_mlr3(name)
  key <- mlr3_key(task, model)
  classes <- if (task == "classif") c("twoclass", "multiclass")
  types <- c("response", if (task == "classif") "prob")
  forest <- model == "forest"
  grow <- if (forest) tec_forest.default else tec_tree.default
  generator <- of_mlr3("R6Class", "R6")(
    paste0(name, if (forest) "TectreeForest" else "Tectree"),
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
          packages = "tectree", label = if (forest) "Random forest" else "Decision tree",
          man = "tectree::mlr3"
        )
      },
      importance = function() {
        found <- importance(self$model)
        stats::setNames(found$importance, found$variable)
      },
      selected_features = function() stats::variable.names(self$model, used = TRUE)
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
    choice = function(...) of_type("p_fct")(c(...), tags = "train"),
    any = function() of_type("p_uty")(tags = "train"),
    flag = function() of_type("p_lgl")(tags = "train")
  )
}

mlr3_parameters <- function(task, model = "tree") {
  type <- mlr3_types()
  own <- if (model == "tree") mlr3_tree_only(type, task) else mlr3_forest_only(type, task)
  do.call(of_mlr3("ps", "paradox"), c(mlr3_shared(type, task, model), own))
}

mlr3_shared <- function(type, task, model) {
  criteria <- tec_criteria()
  names <- criteria$name[criteria$task == if (task == "classif") "classification" else "regression"]
  missing <- if (model == "tree") missing_policies else setdiff(missing_policies, "surrogate")
  classes <- if (task == "classif") {
    list(
      cost = type$any(), cost_in = type$choice("leaf", "split"), prior = type$any(),
      class_weights = type$any()
    )
  }
  c(classes, list(
    criterion = type$choice(names), min_split = type$number(1),
    min_bucket = type$number(1), max_depth = type$whole(0L), max_leaves = type$whole(1L),
    min_gain = type$number(), min_weighted_gain = type$number(0),
    min_bucket_share = type$number(0, 0.5), min_impurity = type$number(0),
    nominal = type$choice("binary", "multiway", "ordered"), intervals = type$whole(2L),
    missing = type$choice(missing), unseen = type$choice("missing", "error"),
    eligible = type$choice(eligible_rules), rules = type$choice("exact", "c45"),
    ties = type$choice("first", "random"), max_features = type$any(),
    splitter = type$choice("best", "random"), threads = type$whole(1L)
  ))
}

mlr3_tree_only <- function(type, task) {
  classes <- if (task == "classif") {
    list(
      q = type$number(), beta = type$number(), cf = type$number(0, 0.5), raise = type$flag(),
      collapse = type$flag(), risk = type$choice(risk_kinds)
    )
  }
  c(classes, list(
    preset = type$choice(preset_names), max_surrogate = type$whole(0L),
    use_surrogate = type$whole(0L, 2L), surrogate_style = type$whole(0L, 1L),
    prune = type$choice(setdiff(prune_methods, "rep")), cp = type$number(0), alpha = type$any(),
    folds = type$any(), penalties = type$choice(penalty_rules), smooth = type$any(),
    smooth_to = type$choice(c("even", "root")), honest = type$any(),
    lookahead = type$number(1)
  ))
}

# Several `q` are compared by their out-of-bag error.
mlr3_forest_only <- function(type, task) {
  classes <- if (task == "classif") {
    list(q = type$any(), beta = type$any(), by_class = type$any(), probability = type$flag())
  }
  c(classes, list(
    trees = type$whole(1L), mtry = type$any(), replace = type$flag(),
    sample_fraction = type$number(0), importance = type$choice(importance_kinds),
    progress = type$flag()
  ))
}

# Names that R6 gives to methods.
utils::globalVariables(c("private", "self", "super"))
