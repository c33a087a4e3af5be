# Tested in test-other-words.R.
# Arguments of other packages that tec_tree(), tec_tune() and tec_control() accept. other-words.R
# describes the entries.

one_tree <- "a single tree is grown; for many trees use `tec_forest()` or `tec_boost()`"
by_response <- paste(
  "the response decides between classes (\"class\") and numbers (\"anova\"); for ID3,",
  "C4.5 and CART see `preset`"
)
by_significance <- "splits are tested with `max_p`, and with `preset = \"chaid\"`"
no_equal <- "there is no counterpart"
one_value_each <- "in `tec_tune()`, give the values of each setting: `max_depth = 2:5`"

# With 0 or less, the program chooses.
threads_word <- function(x) list(threads = if (!(is.numeric(x) && isTRUE(x <= 0))) x)

# Converts TRUE and FALSE. A single FALSE sets nothing. Several values (to tune) set both.
switch_word <- function(setting, on, off) {
  function(x) {
    if (!is.logical(x) || anyNA(x)) stop("it must be TRUE or FALSE")
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
          i = "{.arg min_samples_leaf}, the minimum in a leaf, may be a share of all rows."
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
  word("argument", c("maxdepth", "tree_depth"), "rpart, partykit, tidymodels", ours = "max_depth"),
  word("argument", "max.depth", "ranger", ours = "max_depth",
    convert = function(x) list(max_depth = if (is.numeric(x) && isTRUE(x == 0)) Inf else x)
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
  word("argument", c("num.threads", "nthread", "n_jobs", "cores"),
    "ranger, xgboost, scikit-learn, partykit", ours = "threads", convert = threads_word
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
    advice = "`rules = \"exact\"` does not correct the gains of cuts", default = FALSE
  ),
  word("argument", "doNotMakeSplitPointActualValue", "J48",
    advice = "`rules = \"exact\"` has cuts halfway between two values", default = FALSE
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
    advice = "`tec_tree()` accepts it, as `criterion` (split), `prior` and `cost` (loss)"
  ),
  word("argument", c("split", "splitrule"), "rpart, ranger", advice = "use `criterion =`"),
  word("argument", "loss", "rpart", advice = "use `cost =`"),
  word("argument", "costs", "C50",
    advice = "use `cost =`, whose rows are the true classes (the transposed matrix of C5.0)"
  ),
  word("argument", "model", "rpart", advice = "a tree does not store rows: see `model.frame()`",
    default = FALSE
  ),
  word("argument", "importance", "randomForest, ranger", advice = "see `importance()`"),
  word("argument", "scoring", "scikit-learn", advice = "`tec_tune()` accepts it, as `metric`"),
  word("argument", c("param_grid", "tuneGrid", "tuneLength", "grid", "trControl"),
    "scikit-learn, caret, tidymodels",
    advice = one_value_each
  ),
  word("argument", c("method", "mode"), "rpart, tidymodels",
    advice = by_response, default = list("class", "anova", "classification", "regression")
  ),
  word("argument", "engine", "tidymodels", advice = "leave it out: the package has one engine"),
  word("argument", "class_weight", "scikit-learn",
    advice = "use `class_weights =` of `tec_tree()`, which also accepts `\"balanced\"`"
  ),
  word("argument", c("sample_weight", "case.weights", "case_weights"),
    "scikit-learn, ranger, tidymodels",
    advice = "use `weights =`"
  ),
  word("argument", c("seed", "random_state"), "ranger, C50, scikit-learn",
    advice = "`tec_tree()` and `tec_tune()` accept it, as `set.seed()` for that call only",
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
    advice = one_tree, default = 1
  ),
  word("argument", "mindev", "tree", advice = "use `min_gain =` or `cp =`"),
  word("argument", c("winnow", "fuzzyThreshold"), "C50", advice = no_equal, default = FALSE),
  word("argument", c("bands", "sample"), "C50", advice = no_equal, default = 0),
  word("argument", c("earlyStopping", "label"), "C50",
    advice = no_equal, default = list(TRUE, "outcome")
  ),
  # ctree_control() always sets the level of the tests, so it gives a message. The others give one
  # only if they are changed.
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
    convert = function(x) if (is.numeric(x) && isTRUE(x < 0)) list() else list(max_depth = x)
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
    advice = "`min_bucket_share` is a share of all rows, not of a node's rows; see `min_bucket`",
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

other_words <- c(other_words, argument_words)
