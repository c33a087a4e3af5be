#' Trees in mlr3
#'
#' tectree registers the learners `mlr3::lrn("classif.tectree")` and `mlr3::lrn("regr.tectree")`
#' when mlr3 and tectree are loaded, in any order. Their parameters are the arguments of
#' [tec_tree()] and [tec_control()], with the same defaults. Case weights, missing values, class
#' shares, importance (by gain) and the selected features are supported.
#'
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
#' @name mlr3
NULL

# mlr3 and its parts are not among the packages that this one names: they take minutes to install.
of_mlr3 <- function(name, package = "mlr3") getExportedValue(package, name)

register_mlr3 <- function() {
  learners <- of_mlr3("mlr_learners")
  lapply(c("classif", "regr"), function(task) {
    learners$add(paste0(task, ".tectree"), function() mlr3_learner(task))
  })
}

# The class is made when a learner is asked for, so that mlr3 need not be there before.
mlr3_learner <- function(task) {
  name <- if (task == "classif") "LearnerClassif" else "LearnerRegr"
  base <- of_mlr3(name)
  key <- paste0(task, ".tectree")
  classes <- if (task == "classif") c("twoclass", "multiclass")
  types <- c("response", if (task == "classif") "prob")
  generator <- of_mlr3("R6Class", "R6")(
    paste0(name, "Tectree"),
    inherit = base,
    public = list(
      initialize = function() {
        super$initialize(
          id = key, param_set = mlr3_parameters(task), predict_types = types,
          feature_types = c(
            "logical", "integer", "numeric", "character", "factor", "ordered", "POSIXct", "Date"
          ),
          properties = c(classes, "missings", "weights", "importance", "selected_features"),
          packages = "tectree", label = "Decision tree", man = "tectree::mlr3"
        )
      },
      importance = function() {
        found <- importance.tec_tree(self$model)
        stats::setNames(found$importance, found$variable)
      },
      selected_features = function() variable.names.tec_tree(self$model, used = TRUE)
    ),
    private = list(
      .train = function(task) {
        arguments <- self$param_set$get_values(tags = "train")
        arguments$weights <- private$.get_weights(task)
        x <- mlr3_features(task)
        do.call(tec_tree.default, c(list(x = x, y = task$truth()), arguments))
      },
      .predict = function(task) {
        type <- self$predict_type
        stats::setNames(list(predict.tec_tree(self$model, mlr3_features(task), type = type)), type)
      }
    )
  )
  generator$new()
}

mlr3_features <- function(task) as.data.frame(task$data(cols = task$feature_names))

mlr3_parameters <- function(task) {
  criteria <- tec_criteria()
  names <- criteria$name[criteria$task == if (task == "classif") "classification" else "regression"]
  of_type <- function(type) of_mlr3(type, "paradox")
  number <- function(...) of_type("p_dbl")(..., tags = "train")
  whole <- function(...) of_type("p_int")(..., tags = "train")
  choice <- function(...) of_type("p_fct")(c(...), tags = "train")
  any <- function() of_type("p_uty")(tags = "train")
  flag <- function() of_type("p_lgl")(tags = "train")
  classes <- if (task == "classif") {
    list(
      q = number(), beta = number(), cost = any(), cost_in = choice("leaf", "split"), prior = any(),
      class_weights = any(), cf = number(0, 0.5), raise = flag(), collapse = flag(),
      risk = choice(risk_kinds)
    )
  }
  do.call(of_type("ps"), c(classes, list(
    criterion = choice(names), preset = choice(preset_names), min_split = number(1),
    min_bucket = number(1), max_depth = whole(0L), max_leaves = whole(1L), min_gain = number(),
    min_weighted_gain = number(0), min_bucket_share = number(0, 0.5), min_impurity = number(0),
    nominal = choice("binary", "multiway", "ordered"), intervals = whole(2L),
    missing = choice(missing_policies), max_surrogate = whole(0L), use_surrogate = whole(0L, 2L),
    surrogate_style = whole(0L, 1L), unseen = choice("missing", "error"),
    prune = choice(setdiff(prune_methods, "rep")), cp = number(0), alpha = any(), folds = any(),
    penalties = choice(penalty_rules), eligible = choice(eligible_rules),
    rules = choice("exact", "c45"),
    ties = choice("first", "random"), max_features = any(), splitter = choice("best", "random"),
    smooth = number(0), threads = whole(1L)
  )))
}

# Names that R6 gives to methods.
utils::globalVariables(c("private", "self", "super"))
