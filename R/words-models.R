# Tested in test-forest-words.R, test-tec_boost.R, test-words-mars.R and test-tec_rotation.R.
# Arguments of other packages that stand for arguments of tec_tree() and tec_tune(), not for
# settings. other-words.R describes the entries. The help page lists them with the others.

# rpart's list of `split`, `prior` and `loss`, whose names may be shortened.
parms_as_arguments <- function(parms) {
  ours <- c(split = "criterion", prior = "prior", loss = "cost")
  at <- pmatch(dot_names(parms), names(ours))
  if (!is.list(parms) || anyNA(at)) {
    named <- is.list(parms) && all(nzchar(dot_names(parms)))
    tec_abort("argument", c(
      "{.arg parms} must be a list of {.field {names(ours)}}, or some of them.",
      x = if (named) "It has {.field {names(parms)[is.na(at)]}}." else "It is {describe(parms)}."
    ))
  }
  names(parms) <- names(ours)[at]
  if (!is.null(parms$split)) parms$split <- parms_split(parms$split)
  parms <- parms[lengths(parms) > 0L]
  said <- sprintf("parms$%s", names(parms))
  names(said) <- names(parms) <- ours[names(parms)]
  structure(parms, said = said)
}

parms_split <- function(split) {
  splits <- c("gini", "information")
  at <- if (is.character(split) && length(split) == 1L) pmatch(split, splits) else NA
  if (is.na(at)) {
    tec_abort("criterion", c(
      "{.code split} of {.arg parms} must be {.or {.val {splits}}}.",
      x = "It is {describe(split)}.",
      i = "For others use {.arg criterion}: see {.fn tec_criteria}."
    ))
  }
  splits[at]
}

tree_words <- list(
  word("tree", "parms", "rpart", ours = "criterion, prior, cost", convert = parms_as_arguments)
)
tune_words <- list(
  word("tune", "parms", "rpart", ours = "criterion, prior, cost", convert = parms_as_arguments),
  word("tune", "scoring", "scikit-learn", ours = "metric")
)

other_words <- c(other_words, tree_words, tune_words)

# Arguments of other packages that only tec_boost() accepts.

# The loss follows from the response. The word is converted to the task that it implies.
loss_mode <- function(arg, value, regression, classification) {
  if (!is_string(value) || !value %in% c(regression, classification)) {
    tec_abort("argument", c(
      "There is no {.code {arg} = {.val {value}}} here.",
      i = "The response decides the loss: squared error for numbers, deviance for classes."
    ))
  }
  mode <- if (value %in% regression) "regression" else "classification"
  list(mode = structure(mode, said = paste0(arg, " = \"", value, "\"")))
}

# The amount of printing may be a number.
progress_word <- function(x) list(progress = if (is_number(x)) x != 0 else x)

# In gbm and earth, 0 or 1 means no cross-validation. In earth, folds only measure, unless pmethod =
# "cv" chooses by them.
fold_word <- function(x) if (is_number(x) && x %in% 0:1) list() else list(folds = x)

# In lightgbm, the number of leaves is the only limit, unless a depth is given.
leaves_word <- function(x) {
  structure(list(max_leaves = x, max_depth = Inf), implied = "max_depth")
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
  word("boost", c("colsample_bytree", "feature_fraction"), "xgboost, lightgbm",
    ours = "column_fraction"
  ),
  # A number of columns. A share of 1 would be all columns, so one column is a very small share.
  word("boost", "mtry", "tidymodels", ours = "column_fraction",
    convert = function(x) list(column_fraction = if (is_number(x) && x == 1) 1e-9 else x)
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
  word("boost", "num_leaves", "lightgbm", ours = "max_leaves; max_depth is then Inf unless given",
    convert = leaves_word
  ),
  word("boost", "max_leaf_nodes", "scikit-learn", ours = "max_leaves"),
  word("boost", c("early_stopping_rounds", "n_iter_no_change", "stop_iter"),
    "xgboost, lightgbm, scikit-learn, tidymodels", ours = "patience"
  ),
  word("boost", "validation_fraction", "scikit-learn", ours = "validation"),
  word("boost", "cv.folds", "gbm", ours = "folds", convert = fold_word),
  word("boost", "nfold", "xgboost", ours = "folds"),
  word("boost", "train.fraction", "gbm", ours = "validation, as 1 minus the value",
    convert = function(x) if (is_number(x) && x == 1) list() else list(validation = 1 - x)
  ),
  word("boost", c("monotone_constraints", "var.monotone", "monotonic_cst"),
    "xgboost, gbm, scikit-learn", ours = "monotone"
  ),
  word("boost", c("sample_weight", "case_weights"), "scikit-learn, tidymodels", ours = "weights"),
  word("boost", c("nthread", "num_threads", "n.cores", "n_jobs"),
    "xgboost, lightgbm, gbm, scikit-learn", ours = "threads", convert = threads_word
  ),
  word("boost", "verbose", "xgboost, gbm", ours = "progress",
    convert = progress_word
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

# Arguments of other packages that only tec_forest() accepts.

# ranger and randomForest accept one size, or one size per class, under the same name.
sample_word <- function(x) {
  if (length(x) > 1L) list(by_class = x) else list(sample_fraction = x)
}

# Neither package splits nodes of this size.
node_size_word <- function(x) list(min_split = x + 1)

split_rule_word <- function(x) {
  if (identical(x, "extratrees")) {
    return(list(splitter = "random"))
  }
  if ("extratrees" %in% x) {
    tec_abort("argument", c(
      "{.arg splitrule} cannot combine {.val extratrees} with others.", x = "It is {.val {x}}.",
      i = "Give {.code splitter = c(\"best\", \"random\")}, and the others as {.arg criterion}."
    ))
  }
  list(criterion = x)
}

forest_words <- list(
  word("forest", c("ntree", "num.trees", "n_estimators"),
    "randomForest, ranger, scikit-learn", ours = "trees"
  ),
  word("forest", "max_features", "scikit-learn", ours = "mtry"),
  word("forest", c("nodesize", "min.node.size"), "randomForest, ranger",
    ours = "min_split, plus 1", convert = node_size_word
  ),
  word("forest", "min.bucket", "ranger", ours = "min_bucket"),
  word("forest", c("sampsize", "sample.fraction", "max_samples"),
    "randomForest, ranger, scikit-learn",
    ours = "sample_fraction, several values: by_class", convert = sample_word
  ),
  word("forest", "bootstrap", "scikit-learn",
    ours = "replace; FALSE also sets sample_fraction = 1",
    convert = function(x) {
      if (identical(x, FALSE)) list(replace = FALSE, sample_fraction = 1) else list(replace = x)
    }
  ),
  word("forest", "classwt", "randomForest",
    ours = "prior, divided by their sum",
    convert = function(x) if (is.null(x)) list() else list(prior = x / sum(x))
  ),
  word("forest", c("class.weights", "class_weight"), "ranger, scikit-learn",
    ours = "class_weights"
  ),
  word("forest", "case.weights", "ranger", ours = "sample_weights"),
  word("forest", c("sample_weight", "case_weights"), "scikit-learn, tidymodels", ours = "weights"),
  word("forest", "splitrule", "ranger",
    ours = "criterion, \"extratrees\": splitter = \"random\"", convert = split_rule_word
  ),
  word("forest", c("verbose", "do.trace"), "ranger, randomForest",
    ours = "progress", convert = progress_word
  ),
  word("forest", "proximity", "randomForest", advice = "see `tec_proximity()`", default = FALSE),
  word("forest", "localImp", "randomForest", advice = "see `tec_shap()`", default = FALSE),
  word("forest", "strata", "randomForest", advice = "use `by_class =`"),
  word("forest", c("xtest", "ytest"), "randomForest", advice = "use `predict()` with these rows"),
  word("forest", "dependent.variable.name", "ranger", advice = "use a formula, or `x` and `y`"),
  word("forest", c(
    "always.split.variables", "split.select.weights", "regularization.factor",
    "regularization.usedepth", "holdout", "inbag"
  ), "ranger", advice = no_equal, default = list(NULL, FALSE)),
  word("forest", "respect.unordered.factors", "ranger",
    advice = "see `nominal`", default = list(TRUE, "partition")
  ),
  # These are not needed: the samples follow from the seeds.
  word("forest", c(
    "keep.inbag", "keep.forest", "write.forest", "keep.trees", "oob.error", "oob_score",
    "oob.prox", "quantreg", "save.memory", "norm.votes", "nPerm",
    "scale.permutation.importance", "local.importance", "num.random.splits"
  ), "randomForest, ranger, scikit-learn",
  advice = "leave it out", default = function(value) TRUE)
)

other_words <- c(other_words, forest_words)

# Arguments of other packages that only tec_mars() accepts.

prune_method_word <- function(x) {
  if (is.character(x) && length(x) > 1L) x <- x[1L]
  if (identical(x, FALSE)) {
    return(list(prune = "none"))
  }
  if (isTRUE(x)) {
    return(list(prune = "gcv"))
  }
  ours <- c(backward = "gcv", cv = "folds", none = "none")
  if (!is.character(x) || !x %in% names(ours)) {
    tec_abort("argument", c(
      "{.arg pmethod} must be {.or {.val {names(ours)}}}.",
      x = "It is {describe(x)}.",
      i = "{.fn tec_mars} removes terms one by one."
    ))
  }
  list(prune = ours[[x]])
}

glm_word <- function(x) {
  family <- if (is.list(x)) x$family
  if (is.function(family)) family <- family()$family
  if (inherits(family, "family")) family <- family$family
  if (!is.null(x) && !identical(family, "binomial")) {
    tec_abort("argument", c(
      "{.arg glm} must be {.code list(family = binomial)}.",
      i = "For classes, {.fn tec_mars} always fits logistic regressions."
    ))
  }
  list()
}

mars_words <- list(
  word("mars", c("nk", "max.terms", "nterms"), "earth, mda", ours = "terms"),
  word("mars", c("nprune", "num_terms"), "earth, parsnip", ours = "max_terms"),
  word("mars", c("prod_degree", "max_degree"), "parsnip, py-earth", ours = "degree"),
  word("mars", c("pmethod", "prune_method"), "earth, parsnip",
    ours = "prune, \"backward\": \"gcv\", \"cv\": \"folds\"", convert = prune_method_word
  ),
  word("mars", "nfold", "earth",
    ours = "folds, which then choose the number of terms", convert = fold_word
  ),
  word("mars", "minspan", "earth, py-earth", ours = "min_span"),
  word("mars", "endspan", "earth, py-earth", ours = "end_span"),
  word("mars", "Adjust.endspan", "earth", ours = "end_adjust"),
  word("mars", c("fast.k", "fast_K"), "earth, py-earth", ours = "fast_k"),
  word("mars", c("fast.beta", "fast_h"), "earth, py-earth", ours = "fast_beta"),
  word("mars", c("forward.step", "threshold"), "mda", advice = "use `thresh =`"),
  word("mars", "glm", "earth", ours = "nothing, since classes always have logistic regressions",
    convert = glm_word
  ),
  word("mars", "trace", "earth", ours = "nothing", convert = function(x) list()),
  word("mars", c("keepxy", "Get.leverages", "Use.beta.cache", "Force.xtx.prune", "stratify",
    "trace.mars"), "earth, mda", advice = "leave it out", default = function(value) TRUE),
  word("mars", "newvar.penalty", "earth", advice = no_equal, default = 0),
  word("mars", "linpreds", "earth", advice = no_equal, default = FALSE),
  word("mars", "allowed", "earth", advice = no_equal, default = list(NULL)),
  word("mars", "ncross", "earth", advice = no_equal, default = 1),
  word("mars", "varmod.method", "earth", advice = no_equal, default = "none"),
  word("mars", "Auto.linpreds", "earth", advice = no_equal, default = TRUE),
  word("mars", "Scale.y", "earth", advice = no_equal, default = list(NULL, TRUE)),
  word("mars", "wp", "earth", advice = no_equal, default = list(NULL)),
  word("mars", c("case_weights", "sample_weight", "w"), "tidymodels, scikit-learn, mda",
    ours = "weights"
  )
)

other_words <- c(other_words, mars_words)

# Arguments of other packages that only tec_rotation() accepts.

rotation_words <- list(
  word("rotation", c("L", "ntree", "num.trees", "n_estimators"),
    "rotationForest, randomForest, ranger, scikit-learn", ours = "trees"
  ),
  word("rotation", "K", "rotationForest",
    advice = "use `group_size`, the number of columns in a group",
    default = list(NULL)
  ),
  word("rotation", c("sample_weight", "case_weights"), "scikit-learn, tidymodels",
    ours = "weights"
  ),
  word("rotation", "verbose", "rotationForest",
    ours = "progress", convert = progress_word
  )
)

other_words <- c(other_words, rotation_words)
