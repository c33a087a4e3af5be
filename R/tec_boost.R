#' Boosted trees
#'
#' Grows trees one after the other. Each tree corrects the errors of earlier trees, and the model is
#' the sum of all trees.
#' *Experimental*, see *Lifecycle* in [tectree-package].
#'
#' # Methods
#'
#' * `"gradient"` (Friedman, 2001): every tree is a step that reduces the loss. The loss is the
#'   squared error for a numeric response, the logistic loss for two classes, and the multinomial
#'   loss for more classes, with one tree per class in each round. The value of a leaf is a
#'   penalized Newton step, `-sum(g) / (sum(h) + lambda)` for the gradients `g` and Hessians `h` of
#'   its rows, times `rate` (Chen and Guestrin, 2016). With more than two classes, Hessians count
#'   twice, as in xgboost, which makes the steps smaller.
#' * `"adaboost"`: SAMME (Zhu et al., 2009), for classes. Rows that a tree gets wrong have a larger
#'   weight for the next tree. Each tree votes with the weight
#'   `log((1 - error) / error) + log(K - 1)`. Trees are grown as by [tec_tree()], with any criterion
#'   and `q`; the default is a single split. A tree without errors ends the run.
#'
#' Numeric predictors with at most 255 distinct values are split exactly. For others, the cuts lie
#' between about 240 quantiles, which are found once for all trees. Factors can have up to 65,535
#' levels. Their levels are sorted by gradient over Hessian, and the best grouping in this order is
#' the best of all groupings. If it would make a leaf smaller than `min_bucket` or `min_weight`
#' allow, all groupings are searched for up to 12 levels. For more levels, the best allowed grouping
#' in this order is used, which is not always the best of all.
#'
#' Rows with a missing value go to the branch where they reduce the loss more. If a predictor has
#' missing values in new rows only, they go to the branch with the larger weight of training rows.
#' Trees are the same for any number of threads.
#'
#' # Defaults
#'
#' The number of rounds is chosen unless `folds = 0` or `validation = 0` is given: with up to 20,000
#' rows by five folds (5,000 with `cyclic`), with more rows on held-out rows, 10 % of all but at
#' most 20,000. `rounds` is then the largest number, 1000 by default and 200 with `cyclic`. With
#' fewer than 10 rows the number is not chosen.
#'
#' Settings that are not given follow from this and from the data:
#'
#' | | rounds are chosen | they are not |
#' |---|---|---|
#' | `rate` | 20 / `rounds`, but from 0.05 to 0.1 | 0.1 |
#' | `max_depth` | 4 (`cyclic`: 2) | 4 (`cyclic`: 2) |
#' | `sample_fraction` | 0.6 (`cyclic`: 0.7); many rows: see *Factors* | 1 |
#' | `column_fraction` | 0.6 (`cyclic`: 1) | 1 |
#' | `min_bucket` | 3 | 10 |
#' | `rounds` | 1000 (`cyclic`: 200) | 200 |
#'
#' These values were chosen on half of 76 data sets and measured on the other half; only the rate
#' for classes, a tie on the first half, was decided by the other: see the article *The best
#' prediction*. A model with chosen rounds depends on random numbers: `set.seed()` determines it,
#' for any number of threads. Printing it shows the settings.
#'
#' # Factors
#'
#' A split divides the levels of a factor in two groups. If a round does not draw all rows, the
#' rows that it leaves out order the levels, by the values that their leaves would have, and the
#' drawn rows choose the cut. So no row both chooses the side of its level and judges it, and a
#' factor with many levels, or a column of identifiers, does not look good by chance. A level that
#' only the rows left out have goes to a side as well. With `sample_fraction = 1`, the rows of each
#' node order its levels, which finds the best groups in the training rows and suits factors with
#' few levels. If rounds are chosen and there are more rows than folds are used for, this is the
#' default, unless a factor has more than 50 levels. [tec_control()] has `free_levels` for
#' trees and forests.
#'
#' # Offset
#'
#' The offset is not a part of the model. `fitted()` includes it, and [predict()][predict.tec_boost]
#' includes an offset only if it is given again (a message says so once). Exports (such as
#' [tec_code()] and [tec_sql()]), [tec_shapes()], [tec_shap()] and [tec_dependence()] leave it out:
#' add it to predictions on the scale of `"link"` yourself. [verify_export()] compares the
#' predictions without it. `summary()`, `augment()` and [importance()] by permutation evaluate the
#' offset of the call in the rows that are given, so write it with columns of `data`, such as
#' `offset = log(e)`.
#'
#' There is no Poisson, gamma or Tweedie loss and no log link. For a numeric response the offset is
#' added to the number itself, so `offset = log(exposure)` does not model counts with exposure. For
#' claim rates, see *Data* in [tec_tree()].
#'
#' # Reading a model
#'
#' With `max_depth` 1 or 2, or `cyclic = TRUE`, the model is a sum of functions of one or two
#' predictors, which [tec_shapes()] shows exactly. `cyclic = TRUE` fits what InterpretML calls an
#' explainable boosting machine (Nori et al., 2019; the method is by Lou et al., 2013): every round
#' grows one tree for each predictor in turn, so correlated predictors share the effect. Then it
#' adds the `pairs` of predictors with the largest remaining gain in the same way.
#'
#' There is no plot of the calibration. Compare `predict(type = "prob")` with the response in new
#' rows, as the article *A model you can read and defend* does.
#'
#' @param x A formula, such as `y ~ .`; or a data frame or matrix of predictors.
#' @param formula,data,y,weights,subset,na.action As in [tec_tree()]; `data` must be a data frame.
#' @param method `"gradient"` or `"adaboost"`.
#' @param rounds Number of rounds. A round has one tree, or one tree per class if there are more
#'   than two classes; with `cyclic`, it has these for every predictor. It is the largest number if
#'   rounds are chosen, which is the default: see *Defaults*. `folds = 0` grows exactly so many. For
#'   `"adaboost"` it is 100.
#' @param rate Learning rate, for `"gradient"` at most 1. The default is 1 for `"adaboost"`; for
#'   `"gradient"` see *Defaults*. No rate suits all data. A smaller rate needs more `rounds` and is
#'   often slightly better; a rate near 1 fits noise after few rounds.
#'   `tec_tune(model = "boost", rate = )` compares several.
#' @param max_depth Maximum depth of a tree. The default is 4, or 1 for `"adaboost"`. With `cyclic`
#'   it is 2: trees of a pair have depth 2, trees of one predictor depth 1. `Inf` or, as in
#'   lightgbm, -1 is no limit.
#' @param lambda L2 penalty on the values of leaves, a number of at least 0.
#' @param min_weight Minimum sum of Hessians in a leaf. Hessians are multiplied by the weights, and
#'   importance weights are divided by their mean first. With the squared error, the sum is that of
#'   the weights. xgboost does not divide the weights: divide its `min_child_weight` by the mean
#'   weight. The minimum number of rows is `min_bucket`: see *Defaults*.
#' @param sample_fraction Share or number of rows that each round draws without replacement; see
#'   *Defaults*.
#' @param column_fraction Share or number of predictors that each round draws; see *Defaults*.
#' @param validation Rows on which the loss is measured after each round: a share of the rows, which
#'   are then not used for training, or a data frame, whose rows all have the same weight. A data
#'   frame cannot be combined with `offset`. 0 is the same as `folds = 0`.
#' @param folds Instead of `validation`: number of folds that measure the loss after each round. The
#'   model is then grown from all rows, with the number of rounds that has the smallest mean loss.
#'   Each fold has the same shares of the classes. 0 means that rounds are not chosen.
#'   [tec_tune()] compares other settings in the same way, also on folds of your own, such as one
#'   that keeps the rows of a policy together: `model = "boost"` and, as `folds`, the fold of each
#'   row. With `cyclic = TRUE`, give it several `rounds`.
#' @param patience Number of rounds without a smaller loss on the held-out rows, or a smaller mean
#'   over the folds, after which the run ends. The model keeps the rounds up to the smallest loss.
#'   The default is 2 / `rate`, but at least 20. With `cyclic` and `folds`, all `rounds` are grown.
#' @param monotone Directions of predictors: `c(age = 1, price = -1)` for a prediction that never
#'   falls with `age` and never rises with `price`. This works for numeric predictors and ordered
#'   factors, and for at most two classes: the probability of the second class is constrained. The
#'   shape of a predictor in [tec_shapes()] may go the other way in places if the model has a pair
#'   with this predictor, because effects are divided between the shapes.
#' @param offset One number per row that is added to the sum of the trees, on the scale of
#'   `type = "link"`: see *Offset*.
#' @param cyclic Whether to take the predictors in turn.
#' @param pairs With `cyclic`: number of pairs of predictors that are added; 5 by default. The fit
#'   chooses the pairs: they cannot be named or excluded. With `validation` or `folds`, pairs that
#'   do not lower the loss are dropped, possibly all. Pairs are fitted in up to `rounds` further
#'   rounds, after those of single predictors, so `fit$rounds` can be twice as large.
#' @param bags Number of additional models, each fitted to a bootstrap sample, for the bands of
#'   [tec_shapes()].
#' @param q,criterion,beta For `"adaboost"`: the criterion, as in [tec_tree()]; `"gini"` by default.
#' @param progress Whether to show a progress bar if growing takes long.
#' @param control,... Settings of [tec_control()]: `min_bucket`, `min_gain` (a split must lower the
#'   loss by at least half of it), `max_leaves` and `threads`. For `"adaboost"`, all settings are
#'   accepted; `min_bucket` and `min_split` count rows there, and apply only if they are given.
#'   Arguments of other packages are accepted too: `eta`, `learning_rate`, `nrounds`, `n.trees`,
#'   `n_estimators`, `subsample`, `colsample_bytree`, `interaction.depth` and others, see
#'   [other-words]. `interaction.depth` sets `max_depth`. In gbm it is the number of splits of a
#'   tree: add `max_leaves = interaction.depth + 1`.
#' @return An object of class `tec_boost`, a list of plain vectors without data or environments:
#'   * `curve`: the loss after each round on the training rows, and, if they are used, on the
#'     validation rows or as the mean over folds with its standard error. The loss is the mean
#'     squared error or the mean of minus the logarithm of the probability of the observed class;
#'     for `"adaboost"` it is the share of the weight that each tree gets wrong.
#'   * `rounds`: the number of rounds of the model; `base`: its prediction without any tree.
#'   * `trees`: all nodes, as in a [forest][tec_forest]; the value of a leaf is what it adds.
#'     `output` and `round` of each tree are counted from 0; for `"adaboost"` there is `vote`.
#' @family boosting functions
#' @references Chen, T. and Guestrin, C. (2016). XGBoost: a scalable tree boosting system. *KDD*,
#'   785-794.
#'
#'   Friedman, J. H. (2001). Greedy function approximation: a gradient boosting machine. *Annals of
#'   Statistics* 29, 1189-1232.
#'
#'   Lou, Y., Caruana, R., Gehrke, J. and Hooker, G. (2013). Accurate intelligible models with
#'   pairwise interactions. *KDD*, 623-631.
#'
#'   Nori, H., Jenkins, S., Koch, P. and Caruana, R. (2019). InterpretML: a unified framework for
#'   machine learning interpretability. <https://arxiv.org/abs/1909.09223>.
#'
#'   Zhu, J., Zou, H., Rosset, S. and Hastie, T. (2009). Multi-class AdaBoost. *Statistics and Its
#'   Interface* 2, 349-360.
#' @concept gradient boosting
#' @concept adaboost
#' @concept explainable boosting machine
#' @concept ensemble
#' @examples
#' set.seed(1)
#' fit <- tec_boost(mpg ~ ., mtcars, threads = 2)
#' fit
#' predict(fit, mtcars[1:3, ])
#'
#' # Exactly 50 rounds
#' tec_boost(mpg ~ ., mtcars, rounds = 50, folds = 0, min_bucket = 3, threads = 2)
#'
#' # Classes, with the number of rounds chosen on held-out rows
#' fit <- tec_boost(Species ~ ., iris, validation = 0.3, max_depth = 2, threads = 2)
#' fit$rounds
#' fit$curve[fit$rounds, ]
#' predict(fit, iris[c(1, 51, 101), ], type = "prob")
#'
#' # A prediction that never rises with the weight of a car
#' tec_boost(mpg ~ wt + hp, mtcars, monotone = c(wt = -1), threads = 2)
#'
#' # AdaBoost with stumps grown by entropy
#' tec_boost(Species ~ ., iris, method = "adaboost", rounds = 20, q = 1)
#' @srrstats {ML3.4, ML3.4b} `rate` and the articles say what the learning rate does and how it is
#'   chosen.
#' @srrstats {ML4.1, ML4.1a, ML4.1b, ML4.1c} A fit has the loss after each round (`curve`) and the
#'   trees of each round, whose leaves are the steps.
#' @srrstats {ML4.2, RE4.7} `curve` is described under *Value*, drawn by `plot()` and shown in the
#'   examples.
#' @srrstats {RE2.3} `offset` is added to the sum of the trees.
#' @order 1
#' @usage NULL
#' @export
tec_boost <- function(x, ...) {
  UseMethod("tec_boost")
}

#' @rdname tec_boost
#' @order 2
#' @export
tec_boost.formula <- function(formula, data, method = c("gradient", "adaboost"), rounds = NULL,
                              rate = NULL, max_depth = NULL, lambda = 1, min_weight = 1e-3,
                              sample_fraction = NULL, column_fraction = NULL, validation = NULL,
                              folds = NULL, patience = NULL, monotone = NULL, offset = NULL,
                              cyclic = FALSE, pairs = NULL, bags = 0L, weights, subset,
                              na.action = NULL, q = NULL, criterion = NULL, beta = NULL,
                              progress = TRUE, control = tec_control(...), ...) {
  fit_model("boost", tec_boost.formula, grow = function(it) {
    grow_boost(it$input, it$asked, it$settings, it$control, it$call)
  })
}

#' @rdname tec_boost
#' @order 3
#' @export
tec_boost.default <- with_xy(tec_boost.formula)

tec_boost <- with_arguments(tec_boost, tec_boost.formula, tec_boost.default)
