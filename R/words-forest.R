# Tested in test-forest-words.R.
# Arguments of other packages that only tec_forest() takes: see other-words.R for the entries.

# ranger and randomForest take one size or a size per class under one name.
sample_word <- function(x) {
  if (length(x) > 1L) list(by_class = x) else list(sample_fraction = x)
}

# Both packages do not split nodes of this size.
node_size_word <- function(x) list(min_split = x + 1)

split_rule_word <- function(x) {
  if (identical(x, "extratrees")) list(splitter = "random") else list(criterion = x)
}

forest_words <- list(
  word("forest", c("ntree", "num.trees", "n_estimators"),
    "randomForest, ranger, scikit-learn", ours = "trees"
  ),
  word("forest", "max_features", "scikit-learn", ours = "mtry"),
  word("forest", c("nodesize", "min.node.size"), "randomForest, ranger",
    ours = "min_split, one more", convert = node_size_word
  ),
  word("forest", "min.bucket", "ranger", ours = "min_bucket"),
  word("forest", c("sampsize", "sample.fraction", "max_samples"),
    "randomForest, ranger, scikit-learn",
    ours = "sample_fraction, several values: by_class", convert = sample_word
  ),
  word("forest", "bootstrap", "scikit-learn",
    ours = "replace, FALSE: sample_fraction = 1 too",
    convert = function(x) {
      if (isTRUE(x)) list(replace = TRUE) else list(replace = FALSE, sample_fraction = 1)
    }
  ),
  word("forest", "classwt", "randomForest",
    ours = "prior, as shares of their sum",
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
    ours = "progress", convert = function(x) list(progress = !identical(as.logical(x), FALSE))
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
  # Nothing has to be kept for them: samples follow from the seeds.
  word("forest", c(
    "keep.inbag", "keep.forest", "write.forest", "keep.trees", "oob.error", "oob_score",
    "oob.prox", "quantreg", "save.memory", "norm.votes", "nPerm",
    "scale.permutation.importance", "local.importance", "num.random.splits"
  ), "randomForest, ranger, scikit-learn",
  advice = "leave it out", default = function(value) TRUE)
)

other_words <- c(other_words, forest_words)
