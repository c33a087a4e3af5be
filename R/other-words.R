# Arguments and values of other packages. The conversions, the errors that name our argument and the
# help page all come from this table. Each entry has a kind, the names in the other packages, the
# packages, and either `ours` (our name) or `advice` (what to do if there is no counterpart).
# `convert` returns our settings for a value; it is needed only if the values differ. `default` has
# the values at which an argument without a counterpart has no effect, so that it is accepted
# silently; a function that recognises them is used for `control =` only.
#' Arguments and words of other packages
#'
#' [tec_tree()], [tec_tune()] and [tec_control()] accept most arguments of other packages under
#' their original names. `control =` accepts the lists of `rpart::rpart.control()`,
#' `C50::C5.0Control()`, `RWeka::Weka_control()`, `partykit::ctree_control()`, `chaid_control()` of
#' the package CHAID and any other list of settings. An argument without a counterpart is an error
#' that says what to do; in `control =` it is ignored with a message.
#'
#' `method` (or `mode`) and `parms` of rpart, `random_state` and `scoring` of scikit-learn are
#' accepted if they agree with the data and the other arguments; otherwise they are an error.
#'
#' @section Arguments:
#' `r other_words_table("argument")`
#'
#' @section Arguments of tec_forest():
#' Those above that are not about pruning, and:
#'
#' `r other_words_table("forest")`
#'
#' @section Arguments of tec_mars():
#' `r other_words_table("mars")`
#'
#' @section Arguments of tec_boost():
#' `r other_words_table("boost")`
#'
#' @section Arguments of tec_rotation():
#' `r other_words_table("rotation")`
#'
#' @section Criteria:
#' `r other_words_table("criterion")`
#'
#' Case is ignored, and spaces and hyphens count as underscores.
#'
#' @section Presets:
#' `r other_words_table("preset")`
#'
#' @section Types of prediction:
#' `r other_words_table("type")`
#'
#' @section Metrics of tec_tune():
#' `r other_words_table("metric")`
#'
#' @section Dialects, languages and targets:
#' Those of [tec_sql()], [tec_code()] and [verify_export()].
#'
#' `r other_words_table(c("dialect", "language", "target"))`
#'
#' @section Parts of a tree:
#' `fit$feature_importances_` and the like are `NULL`, with a message that names the function:
#'
#' `r other_words_table("part")`
#'
#' @family tree growing functions
#' @concept rpart.control
#' @concept scikit-learn
#' @concept J48
#' @examples
#' tec_tree(Species ~ ., iris, min_samples_leaf = 10, criterion = "entropy")
#' tec_tree(Species ~ ., iris, control = list(minsplit = 30, maxdepth = 2))
#' tec_tree(Species ~ ., iris, preset = "J48", C = 0.1, M = 5)
#' tec_tree(Species ~ ., iris,
#'   preset = "rpart", method = "class", parms = list(split = "information")
#' )
#' tec_tune(Species ~ ., iris, ccp_alpha = c(0, 0.01, 0.1), cv = 5, scoring = "neg_log_loss")
#' @name other-words
NULL

word <- function(kind, theirs, tool, ours = NULL, advice = NULL, convert = NULL, default = NULL) {
  list(
    kind = kind, theirs = theirs, tool = tool, ours = ours, advice = advice, convert = convert,
    default = default
  )
}

no_boosting <- "one tree is grown: for many see the packages ranger and C50"
by_response <- paste(
  "trees are grown for classes (\"class\") or numbers (\"anova\"), as the response is; for ID3,",
  "C4.5 and CART see `preset`"
)
by_significance <- "splits are tested with `max_p`, and with `preset = \"chaid\"`"
no_equal <- "there is no counterpart"
one_value_each <- "in `tec_tune()` give each setting its values: `max_depth = 2:5`"

# Converts TRUE and FALSE. A single FALSE sets nothing; several values (to tune) set both.
switch_word <- function(setting, on, off) {
  function(x) {
    value <- if (length(x) > 1L) ifelse(x, on, off) else if (isTRUE(x)) on
    if (is.null(value)) list() else stats::setNames(list(value), setting)
  }
}

argument_words <- list(
  word("argument", c(
    "minsplit", "min_n", "min.node.size", "nodesize", "minsize"
  ), "rpart, partykit, tidymodels, ranger, randomForest, tree", ours = "min_split"),
  word("argument", "min_samples_split", "scikit-learn",
    ours = "min_split",
    convert = function(x) {
      if (is.numeric(x) && any(x < 1, na.rm = TRUE)) {
        tec_abort("control", c(
          "{.arg min_samples_split} must be a number of rows.",
          x = "It is {describe(x)}.",
          i = "{.arg min_samples_leaf}, the rows in a leaf, may be a share of all rows."
        ))
      }
      list(min_split = x)
    }
  ),
  word("argument", c("minbucket", "minCases", "M", "mincut"),
    "rpart, partykit, C50, J48, tree",
    ours = "min_bucket"
  ),
  word("argument", "min_samples_leaf", "scikit-learn",
    ours = "min_bucket, below 1: min_bucket_share",
    convert = function(x) {
      share <- is.numeric(x) && all(x < 1)
      if (share) list(min_bucket_share = x, min_bucket = 1) else list(min_bucket = x)
    }
  ),
  word("argument", c("maxdepth", "tree_depth", "max.depth"), "rpart, partykit, tidymodels, ranger",
    ours = "max_depth"
  ),
  word("argument", c("max_leaf_nodes", "maxnodes"), "scikit-learn, randomForest",
    ours = "max_leaves"
  ),
  word("argument", "min_impurity_decrease", "scikit-learn", ours = "min_weighted_gain"),
  word("argument", "min_weight_fraction_leaf", "scikit-learn", ours = "min_bucket_share"),
  word("argument", "min_impurity_split", "scikit-learn", ours = "min_impurity"),
  word("argument", "cost_complexity", "tidymodels", ours = "cp"),
  word("argument", "ccp_alpha", "scikit-learn",
    ours = "alpha, risk = \"impurity\"",
    convert = function(x) list(alpha = x, risk = "impurity")
  ),
  word(
    "argument", c("xval", "cv", "nfolds", "resamples"), "rpart, scikit-learn, glmnet, tidymodels",
    ours = "folds"
  ),
  word("argument", c("num.threads", "nthread"), "ranger, xgboost", ours = "threads"),
  word("argument", c("n_jobs", "cores"), "scikit-learn, partykit",
    ours = "threads",
    convert = function(x) list(threads = if (!isTRUE(x < 0)) x)
  ),
  word("argument", "maxsurrogate", "rpart, partykit", ours = "max_surrogate"),
  word("argument", "usesurrogate", "rpart", ours = "use_surrogate"),
  word("argument", "surrogatestyle", "rpart", ours = "surrogate_style"),
  word("argument", c("CF", "C"), "C50, J48",
    ours = "cf, prune = \"ebp\"",
    convert = function(x) list(cf = x, prune = "ebp")
  ),
  word("argument", "U", "J48",
    ours = "prune = \"none\"",
    convert = switch_word("prune", "none", "ebp")
  ),
  word("argument", "B", "J48",
    ours = "nominal = \"binary\"",
    convert = switch_word("nominal", "binary", "multiway")
  ),
  word("argument", "S", "J48",
    ours = "raise = FALSE",
    convert = switch_word("raise", FALSE, TRUE)
  ),
  word("argument", "O", "J48",
    ours = "collapse = FALSE",
    convert = switch_word("collapse", FALSE, TRUE)
  ),
  word("argument", c("R", "N"), "J48",
    advice = "use `prune = \"rep\"` with `validation =`", default = list(3, FALSE)
  ),
  word("argument", "J", "J48",
    advice = "`rules = \"exact\"` is without the correction of thresholds' gains", default = FALSE
  ),
  word("argument", "doNotMakeSplitPointActualValue", "J48",
    advice = "`rules = \"exact\"` has thresholds halfway between two values", default = FALSE
  ),
  word("argument", "A", "J48",
    ours = "smooth = \"laplace\"", convert = switch_word("smooth", "laplace", 0)
  ),
  word("argument", "L", "J48", advice = "leave it out", default = list(TRUE, FALSE)),
  word("argument", c(
    "output-debug-info", "do-not-check-capabilities", "num-decimal-places", "batch-size"
  ), "J48", advice = "leave it out", default = function(value) TRUE),
  word("argument", "noGlobalPruning", "C50",
    advice = "pruning is local: see `prune`", default = FALSE
  ),
  word("argument", "subset", "C50", advice = "see `nominal`", default = TRUE),
  word("argument", "parms", "rpart",
    advice = "`tec_tree()` takes it, as `criterion` (split), `prior` and `cost` (loss)"
  ),
  word("argument", c("split", "splitrule"), "rpart, ranger", advice = "use `criterion =`"),
  word("argument", "loss", "rpart", advice = "use `cost =`"),
  word("argument", "costs", "C50",
    advice = "use `cost =`, whose rows are the true classes: C5.0's matrix, transposed"
  ),
  word("argument", "model", "rpart", advice = "a tree keeps no rows: see `model.frame()`",
    default = FALSE
  ),
  word("argument", "importance", "randomForest, ranger", advice = "see `importance()`"),
  word("argument", "scoring", "scikit-learn", advice = "`tec_tune()` takes it, as `metric`"),
  word("argument", c("param_grid", "tuneGrid", "tuneLength", "grid", "trControl"),
    "scikit-learn, caret, tidymodels",
    advice = one_value_each
  ),
  word("argument", c("method", "mode"), "rpart, tidymodels",
    advice = by_response, default = list("class", "anova", "classification", "regression")
  ),
  word("argument", "engine", "tidymodels", advice = "leave it out: the package has one engine"),
  word("argument", "class_weight", "scikit-learn",
    advice = "use `class_weights =` of `tec_tree()`, which takes `\"balanced\"` too"
  ),
  word("argument", c("sample_weight", "case.weights", "case_weights"),
    "scikit-learn, ranger, tidymodels",
    advice = "use `weights =`"
  ),
  word("argument", c("seed", "random_state"), "ranger, C50, scikit-learn",
    advice = "`tec_tree()` and `tec_tune()` take it, as `set.seed()` for that call alone",
    default = is.numeric
  ),
  word("argument", "Q", "J48",
    advice = "use `set.seed()` before the call", default = is.numeric
  ),
  word("argument", "maxcompete", "rpart",
    advice = "see `tec_scores()` for every candidate", default = 4
  ),
  word("argument", "mtry", "randomForest, ranger, partykit", ours = "max_features"),
  word("argument", "monotonic_cst", "scikit-learn", advice = no_equal),
  word("argument", c("ntree", "num.trees", "n_estimators", "trials", "trees"),
    "randomForest, ranger, scikit-learn, C50, tidymodels",
    advice = no_boosting, default = 1
  ),
  word("argument", "mindev", "tree", advice = "use `min_gain =` or `cp =`"),
  word("argument", c("winnow", "fuzzyThreshold"), "C50", advice = no_equal, default = FALSE),
  word("argument", c("bands", "sample"), "C50", advice = no_equal, default = 0),
  word("argument", c("earlyStopping", "label"), "C50",
    advice = no_equal, default = list(TRUE, "outcome")
  ),
  # ctree_control() always gives the level of the tests a message, the others only if changed.
  word("argument", c("mincriterion", "logmincriterion"), "partykit", advice = by_significance),
  word("argument", c("testtype", "teststat", "splitstat", "bonferroni"), "partykit",
    advice = by_significance, default = list("Bonferroni", "quadratic", TRUE)
  ),
  # ctree_control(stump = TRUE) also sets maxdepth, which is converted.
  word("argument", "stump", "partykit",
    advice = "use `max_depth = 1`", default = function(value) TRUE
  ),
  word("argument", "alpha2", "CHAID", ours = "alpha_merge"),
  word("argument", "alpha3", "CHAID",
    ours = "alpha_resplit",
    convert = function(x) list(alpha_resplit = if (is.numeric(x)) pmax(x, 0) else x)
  ),
  word("argument", "alpha4", "CHAID", ours = "alpha_split"),
  word("argument", "maxheight", "CHAID",
    ours = "max_depth",
    convert = function(x) if (isTRUE(x < 0)) list() else list(max_depth = x)
  ),
  word("argument", c("min_parent", "minparentsize"), "SPSS", ours = "min_split"),
  word("argument", c("min_child", "minchildsize"), "SPSS", ours = "min_bucket"),
  word("argument", "alphamerge", "SPSS", ours = "alpha_merge"),
  word("argument", "alphasplit", "SPSS", ours = "alpha_split"),
  word("argument", "multiway", "partykit",
    ours = "nominal = \"multiway\"", convert = switch_word("nominal", "multiway", "binary")
  ),
  word("argument", c(
    "numsurrogate", "majority", "splittest", "intersplit", "MIA", "caseweights",
    "saveinfo"
  ), "partykit", advice = no_equal, default = list(TRUE, FALSE)),
  word("argument", "minprob", "partykit, CHAID",
    advice = "`min_bucket_share` is a share of all rows, theirs is of a node's; see `min_bucket`",
    default = list(0.01)
  ),
  word("argument", c("maxvar", "nmax", "splittry", "nresample"), "partykit",
    advice = no_equal,
    default = list(Inf, c(yx = Inf, z = Inf), 2, 9999)
  ),
  word("argument", c(
    "applyfun", "update", "selectfun", "splitfun", "svselectfun", "svsplitfun", "splitflavour",
    "pargs", "tol"
  ), "partykit", advice = no_equal, default = function(value) TRUE)
)

value_words <- list(
  word("criterion", c("entropy", "log_loss", "information", "info_gain", "information_gain",
    "infogain", "deviance"), "scikit-learn, rpart, RWeka, tree",
    ours = "shannon"
  ),
  word("criterion", c("gainratio", "gain ratio"), "RWeka, FSelector", ours = "gain_ratio"),
  word("criterion", c("gini_index", "giniimpurity"), "", ours = "gini"),
  word("criterion", c("mse", "squared_error", "anova", "variance", "rss"), "scikit-learn, rpart",
    ours = "l2"
  ),
  word("criterion", c("mae", "absolute_error", "lad"), "scikit-learn", ours = "l1"),
  word("criterion", c("friedman_mse", "poisson", "exp", "twoing", "p.value", "hellinger"),
    "scikit-learn, rpart, partykit, ranger",
    advice = "see `tec_criteria()`"
  ),
  word("preset", c("c4.5", "j48"), "RWeka, Weka", ours = "c45"),
  word("preset", "rpart", "rpart", ours = "cart"),
  word("preset", c("exhaustive_chaid", "exhaustive chaid", "exhaustivechaid"), "SPSS",
    ours = "chaid_exhaustive"
  ),
  word("preset", c("c5.0", "c50"), "C50", advice = "the nearest is `\"c45\"`"),
  word("preset", c("ctree", "quest", "guide"), "partykit", advice = by_significance),
  word("type", c("raw", "vector", "numeric"), "caret, rpart, tidymodels", ours = "response"),
  word("type", c("where", "leaf", "terminalNodes"), "rpart, partykit, ranger", ours = "node"),
  word("type", c("probs", "probability", "posterior", "matrix", "proba", "predict_proba"),
    "nnet, rpart, scikit-learn",
    ours = "prob"
  ),
  word("metric", c("roc_auc", "ROC"), "tidymodels, scikit-learn, caret", ours = "auc"),
  word("metric", c("mn_log_loss", "logLoss", "neg_log_loss"), "tidymodels, caret, scikit-learn",
    ours = "log_loss"
  ),
  word("metric", "bal_accuracy", "tidymodels", ours = "balanced_accuracy"),
  word("metric", c("brier_class", "neg_brier_score"), "tidymodels, scikit-learn", ours = "brier"),
  word("metric", "neg_root_mean_squared_error", "scikit-learn", ours = "rmse"),
  word("metric", c("neg_mean_squared_error", "mse"), "scikit-learn", advice = "use `\"rmse\"`"),
  word("metric", "neg_mean_absolute_error", "scikit-learn", ours = "mae"),
  word("metric", c("acc", "Accuracy"), "caret", ours = "accuracy"),
  word("metric", c(
    "rsq", "r2", "kap", "kappa", "f1", "f1_macro", "f1_micro", "f1_weighted", "f_meas",
    "precision", "recall", "sens", "spec"
  ), "tidymodels, scikit-learn, caret", advice = "see `metric` of `tec_tune()` for those there are")
)

export_words <- list(
  word("dialect", c("postgresql", "pg"), "", ours = "postgres"),
  word("dialect", c("sqlserver", "sql server", "tsql", "t-sql"), "", ours = "mssql"),
  word("dialect", c("databricks", "spark sql"), "", ours = "spark"),
  word("language", "py", "", ours = "python"),
  word("language", c("js", "node"), "", ours = "javascript"),
  word("language", c("c++", "cpp"), "", ours = "c"),
  word("language", "rs", "", ours = "rust"),
  word("target", c("sql", "sqlite", "postgres", "postgresql", "mysql", "duckdb"), "",
    advice = "use a DBI connection as `target`"
  ),
  word("target", "pmml", "",
    advice = "use a function of the rows, which calls your reader of PMML, as `target`"
  )
)

part_words <- list(
  word("part", c("feature_importances_", "feature_importances"), "scikit-learn",
    advice = "use `importance(fit)`"
  ),
  word("part", c("classes_", "n_classes_"), "scikit-learn",
    advice = "use `levels(predict(fit, newdata))`"
  ),
  word("part", c("predict", "apply"), "scikit-learn",
    advice = "use `predict(fit, newdata)`, with `type = \"node\"` for leaves"
  ),
  word("part", c("predict_proba", "predict_log_proba"), "scikit-learn",
    advice = "use `predict(fit, newdata, type = \"prob\")`"
  ),
  word("part", "decision_path", "scikit-learn",
    advice = "use `predict(fit, newdata, type = \"path\")`"
  ),
  word("part", "score", "scikit-learn",
    advice = "use `summary(fit)`, and `predict(fit, newdata)` for other rows"
  ),
  word("part", c("get_depth", "max_depth_"), "scikit-learn", advice = "use `tree_depth(fit)`"),
  word("part", c("get_n_leaves", "n_leaves_"), "scikit-learn", advice = "use `n_leaves(fit)`"),
  word("part", "tree_", "scikit-learn", advice = "use `as.data.frame(fit)`"),
  word("part", "cost_complexity_pruning_path", "scikit-learn", advice = "use `cp_table(fit)`"),
  word("part", c("feature_names_in_", "n_features_in_"), "scikit-learn",
    advice = "use `variable.names(fit)`"
  )
)

# words-forest.R adds those of tec_forest().
other_words <- c(argument_words, value_words, export_words, part_words)

# By name, for `$`, which has to be fast.
part_advice <- unlist(lapply(part_words, function(entry) {
  stats::setNames(rep(entry$advice, length(entry$theirs)), entry$theirs)
}))

# The entry of a word, or NULL.
find_word <- function(kind, value) {
  same <- if (kind %in% c("argument", "forest", "boost", "rotation", "mars")) identity else tolower
  for (entry in other_words) {
    at <- if (entry$kind == kind) match(same(value), same(entry$theirs))
    if (length(at) && !is.na(at)) {
      return(entry)
    }
  }
  NULL
}

# Our name of a value such as criterion = "entropy", or the value unchanged.
our_word <- function(kind, value, choices) {
  if (!is.character(value) || length(value) != 1L || value %in% choices) {
    return(value)
  }
  plain <- tolower(gsub("[ -]+", "_", value))
  if (kind != "type" && plain %in% choices) {
    return(plain)
  }
  entry <- find_word(kind, value) %||% find_word(kind, gsub("[ -]+", "_", value))
  if (length(entry$advice)) {
    tec_abort(kind, c(
      "There is no {kind} {.val {value}} here.",
      i = "{upper_first(entry$advice)}."
    ))
  }
  entry$ours %||% value
}

upper_first <- function(x) paste0(toupper(substr(x, 1L, 1L)), substr(x, 2L, nchar(x)))

# Markdown for the help page.
other_words_table <- function(kind) {
  rows <- vapply(other_words[vapply(other_words, `[[`, "", "kind") %in% kind], function(entry) {
    code <- function(x) paste0("`", x, "`", collapse = ", ")
    quoted <- switch(entry$kind,
      argument = , forest = , boost = , rotation = , mars = identity, part = function(x) paste0("fit$", x),
      function(x) paste0("\"", x, "\"")
    )
    ours <- if (is.null(entry$ours)) entry$advice else code(quoted(entry$ours))
    paste0("| ", code(quoted(entry$theirs)), " | ", entry$tool, " | ", ours, " |")
  }, "")
  paste(c("| your word | of | ours |", "|---|---|---|", rows), collapse = "\n")
}
