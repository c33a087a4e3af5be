# All concepts for help.search(): the terms that books and other packages use for the topics of a
# page.

#' @concept decision tree
#' @concept classification tree
#' @concept regression tree
#' @concept CART
#' @concept recursive partitioning
#' @concept Tsallis entropy
#' @concept class imbalance
#' @name tec_tree
#' @rdname tec_tree
NULL

#' @concept hyperparameter
#' @concept missing values
#' @concept surrogate
#' @concept stopping rule
#' @concept pre-pruning
#' @concept minimum leaf size
#' @name tec_control
#' @rdname tec_control
NULL

#' @concept hyperparameter tuning
#' @concept cross-validation
#' @concept grid search
#' @concept model selection
#' @name tec_tune
#' @rdname tec_tune
NULL

#' @concept complexity parameter
#' @concept cost-complexity pruning
#' @concept plotcp
#' @concept printcp
#' @name cp_table
#' @rdname cp_table
NULL

#' @concept cost-complexity pruning
#' @concept complexity parameter
#' @concept snip
#' @concept overfitting
#' @name tec_prune
#' @rdname tec_prune
NULL

#' @concept variable importance
#' @concept feature importance
#' @concept permutation importance
#' @name importance
#' @rdname importance
NULL

#' @concept missing values
#' @concept surrogate
#' @concept class probabilities
#' @concept scoring new data
#' @name predict.tec_tree
#' @rdname predict.tec_tree
NULL

#' @concept confusion matrix
#' @concept accuracy
#' @concept precision and recall
#' @concept R squared
#' @name summary.tec_tree
#' @rdname summary.tec_tree
NULL

#' @concept decision rules
#' @concept if-then rules
#' @name tec_rules
#' @rdname tec_rules
NULL

#' @concept plot tree
#' @concept visualize tree
#' @concept tree diagram
#' @name plot.tec_tree
#' @rdname plot.tec_tree
NULL

#' @concept plot tree
#' @name autoplot.tec_tree
#' @rdname autoplot.tec_tree
NULL

#' @concept counterfactual
#' @concept local explanation
#' @concept surrogate
#' @name explain
#' @rdname explain
NULL

#' @concept information gain
#' @concept split criterion
#' @concept splitting criterion
#' @concept impurity
#' @concept Gini index
#' @name tec_criteria
#' @rdname tec_criteria
NULL

#' @concept information gain
#' @concept split candidates
#' @name tec_scores
#' @rdname tec_scores
NULL

#' @concept model comparison
#' @concept benchmark
#' @name compare_criteria
#' @rdname compare_criteria
NULL

#' @concept fitted values
#' @concept residuals
#' @concept model frame
#' @name tec_tree-methods
#' @rdname tec_tree-methods
NULL

#' @concept broom
#' @concept tidymodels
#' @name tidiers
#' @rdname tidiers
NULL

#' @concept explainer
#' @concept partial dependence
#' @name dalex
#' @rdname dalex
NULL

#' @concept deployment
#' @concept export a model
#' @concept in-database scoring
#' @name tec_sql
#' @rdname tec_sql
NULL

#' @concept deployment
#' @concept source code of a model
#' @name tec_code
#' @rdname tec_code
NULL
