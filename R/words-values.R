# Tested in test-other-words.R.
# Values of arguments, and parts of a fit, under the names of other packages. other-words.R
# describes the entries.

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
  word("type", "quantile", "tidymodels, grf", ours = "quantiles"),
  word("type", c("interval", "conf_int", "pred_int"), "tidymodels, stats",
    advice = "use `type = \"quantiles\"` for a regression forest, `tec_intervals()` for a tree"
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
  ), "tidymodels, scikit-learn, caret", advice = "see `metric` of `tec_tune()`")
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
    advice = "as `target`, use a function of the rows that calls your PMML reader"
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

# Arguments of predict() and other uses of a model.
use_words <- list(
  word("use", c("data", "new_data", "newx", "newX", "X", "x_new", "test"),
    "ranger, tidymodels, scikit-learn", ours = "newdata"
  ),
  word("use", c("num.threads", "num_threads", "n_jobs", "nthread", "n_threads"),
    "ranger, scikit-learn, xgboost", ours = "threads"
  ),
  word("use", c("n.trees", "ntreelimit", "iteration_range", "num_iteration", "newmfinal"),
    "gbm, xgboost, lightgbm, adabag", ours = "rounds"
  ),
  word("use", "se.fit", "stats", ours = "se"),
  word("use", "se", "stats",
    advice = "use `type = \"se\"` for a forest; of the other models, only a tree has `se`"
  ),
  word("use", c("quantiles", "what"), "ranger, quantregForest", ours = "probs"),
  word("use", c("predict.all", "predict_all"), "randomForest, ranger",
    advice = "use `type = \"tree\"` for the predictions of the trees of a forest"
  ),
  word("use", "na.action", "stats",
    advice = "missing values are handled as in the fit"
  )
)

other_words <- c(other_words, value_words, export_words, part_words, use_words)

# The parts by name, for `$`, which has to be fast.
part_advice <- unlist(lapply(part_words, function(entry) {
  stats::setNames(rep(entry$advice, length(entry$theirs)), entry$theirs)
}))

words_by_kind <- lapply(split(other_words, vapply(other_words, `[[`, "", "kind")), function(words) {
  theirs <- lapply(words, `[[`, "theirs")
  list(theirs = unlist(theirs), entry = rep(words, lengths(theirs)))
})

# The kinds whose names are arguments, not values of an argument.
argument_kinds <- c("argument", "use", "tree", "tune", "forest", "boost", "rotation", "mars")

# The entry of a word, or NULL.
find_word <- function(kind, value) {
  same <- if (kind %in% argument_kinds) identity else tolower
  words <- words_by_kind[[kind]]
  at <- match(same(value), same(words$theirs))
  if (length(at) && !is.na(at)) words$entry[[at]]
}

# Markdown for the help page.
other_words_table <- function(kind) {
  rows <- vapply(other_words[vapply(other_words, `[[`, "", "kind") %in% kind], function(entry) {
    code <- function(x) paste0("`", x, "`", collapse = ", ")
    quoted <- function(x) {
      if (entry$kind %in% argument_kinds) {
        return(x)
      }
      if (entry$kind == "part") paste0("fit$", x) else paste0("\"", x, "\"")
    }
    ours <- if (is.null(entry$ours)) entry$advice else code(quoted(entry$ours))
    paste0("| ", code(quoted(entry$theirs)), " | ", entry$tool, " | ", ours, " |")
  }, "")
  paste(c("| your word | of | ours |", "|---|---|---|", rows), collapse = "\n")
}

# Our name of a value such as criterion = "entropy", or the value unchanged.
our_word <- function(kind, value, choices) {
  if (!is.character(value) || length(value) != 1L || value %in% choices) {
    return(value)
  }
  value <- spelled_out(value)
  plain <- tolower(gsub("[ -]+", "_", value))
  if (kind != "type" && plain %in% choices) {
    return(plain)
  }
  entry <- find_word(kind, value) %||% find_word(kind, gsub("[ -]+", "_", value))
  if (length(entry$advice)) {
    tec_abort(if (kind == "type") "argument" else kind, c(
      "There is no {kind} {.val {value}} here.",
      i = "{upper_first(entry$advice)}."
    ))
  }
  entry$ours %||% value
}
