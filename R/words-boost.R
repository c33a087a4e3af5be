# Tested in test-tec_boost.R.
# Arguments of other packages that only tec_boost() takes: see other-words.R for the entries.

# The loss follows from the response: the word is kept as the kind of model that it says.
loss_mode <- function(arg, value, regression, classification) {
  if (!is_string(value) || !value %in% c(regression, classification)) {
    tec_abort("argument", c(
      "There is no {.code {arg} = {.val {value}}} here.",
      i = "The loss is that of the response: squared errors of numbers, deviance of classes."
    ))
  }
  mode <- if (value %in% regression) "regression" else "classification"
  list(mode = structure(mode, said = paste0(arg, " = \"", value, "\"")))
}

boost_words <- list(
  word("boost", c("eta", "learning_rate", "shrinkage", "learn_rate"),
    "xgboost, scikit-learn, gbm, tidymodels", ours = "rate"
  ),
  word("boost", c(
    "nrounds", "num_iterations", "num_boost_round", "n.trees", "n_estimators", "trees", "mfinal",
    "trials"
  ), "xgboost, lightgbm, gbm, scikit-learn, tidymodels, adabag, C50", ours = "rounds"),
  word("boost", c("interaction.depth", "tree_depth", "maxdepth"), "gbm, tidymodels, rpart",
    ours = "max_depth"
  ),
  word("boost", c("subsample", "bag.fraction", "bagging_fraction", "sample_size"),
    "xgboost, scikit-learn, gbm, lightgbm, tidymodels", ours = "sample_fraction"
  ),
  word("boost", c("colsample_bytree", "feature_fraction", "mtry"), "xgboost, lightgbm, tidymodels",
    ours = "column_fraction"
  ),
  word("boost", c("reg_lambda", "lambda_l2", "l2_regularization"),
    "xgboost, lightgbm, scikit-learn", ours = "lambda"
  ),
  word("boost", c("min_child_weight", "min_sum_hessian_in_leaf"), "xgboost, lightgbm",
    ours = "min_weight"
  ),
  word("boost", c("n.minobsinnode", "min_data_in_leaf", "min_samples_leaf", "min_n"),
    "gbm, lightgbm, scikit-learn, tidymodels", ours = "min_bucket"
  ),
  word("boost", c("gamma", "min_split_loss", "min_gain_to_split", "loss_reduction"),
    "xgboost, lightgbm, tidymodels", ours = "min_gain"
  ),
  word("boost", c("num_leaves", "max_leaf_nodes"), "lightgbm, scikit-learn", ours = "max_leaves"),
  word("boost", c("early_stopping_rounds", "n_iter_no_change", "stop_iter"),
    "xgboost, lightgbm, scikit-learn, tidymodels", ours = "patience"
  ),
  word("boost", "validation_fraction", "scikit-learn", ours = "validation"),
  word("boost", c("cv.folds", "nfold"), "gbm, xgboost", ours = "folds"),
  word("boost", "train.fraction", "gbm", ours = "validation, 1 less it",
    convert = function(x) if (identical(as.double(x), 1)) list() else list(validation = 1 - x)
  ),
  word("boost", c("monotone_constraints", "var.monotone", "monotonic_cst"),
    "xgboost, gbm, scikit-learn", ours = "monotone"
  ),
  word("boost", c("sample_weight", "case_weights"), "scikit-learn, tidymodels", ours = "weights"),
  word("boost", c("nthread", "num_threads", "n.cores", "n_jobs"),
    "xgboost, lightgbm, gbm, scikit-learn", ours = "threads"
  ),
  word("boost", "verbose", "xgboost, gbm", ours = "progress",
    convert = function(x) list(progress = !identical(as.logical(x), FALSE))
  ),
  word("boost", "distribution", "gbm", ours = "mode",
    convert = function(x) loss_mode("distribution", x, "gaussian", c("bernoulli", "multinomial"))
  ),
  word("boost", "objective", "xgboost, lightgbm", ours = "mode",
    convert = function(x) {
      loss_mode("objective", x, c("reg:squarederror", "regression"), c(
        "binary:logistic", "multi:softprob", "multi:softmax", "binary", "multiclass"
      ))
    }
  ),
  word("boost", c("alpha", "reg_alpha", "lambda_l1"), "xgboost, lightgbm", advice = no_equal,
    default = list(0)
  )
)

other_words <- c(other_words, boost_words)
