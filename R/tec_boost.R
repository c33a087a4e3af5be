#' Boosted trees
#'
#' Grows trees one after the other, each to make up for what the trees before get wrong. The model
#' is their sum.
#'
#' # Methods
#'
#' * `"gradient"` (Friedman, 2001): every tree is a step down the loss: the squared error for
#'   numbers, the logistic loss for two classes, the multinomial one for more, with a tree a class
#'   in each round. Leaves have Newton's step with a penalty, `-sum(g) / (sum(h) + lambda)` for the
#'   gradients `g` and Hessians `h` of their rows, times `rate` (Chen and Guestrin, 2016). Hessians
#'   of several classes count twice, as in xgboost, which makes smaller steps.
#' * `"adaboost"`: SAMME (Zhu et al., 2009), for classes. Rows that a tree gets wrong weigh more for
#'   the next; trees vote by `log((1 - error) / error) + log(K - 1)`. Trees are grown as by
#'   [tec_tree()], by any criterion and `q`, stumps by default. A tree without an error ends the
#'   run.
#'
#' Columns of up to 255 different values are split exactly. The cuts of others lie between some 240
#' quantiles, which are found once for all trees. Factors of up to 65,535 levels are divided in two
#' in the order of their gradients over their Hessians, where the best of all groupings is found.
#' Where it would make a leaf smaller than `min_bucket` or `min_weight` allow, all groupings of up
#' to 12 levels are searched; of more levels the best allowed one in that order is used, which need
#' not be the best of all. Rows without a value go to the side where they take off more loss; where
#' values are missing in new rows only, to the side with the larger weight of training rows. Trees
#' are the same for any number of threads.
#'
#' # Reading a model
#'
#' With `max_depth` 1 or 2, or `cyclic = TRUE`, the model is a sum of functions of one or two
#' predictors, which [tec_shapes()] shows exactly. `cyclic = TRUE` takes the predictors in turn, in
#' every round a tree for each, so that predictors that say the same share what they say (an
#' explainable boosting machine, Lou et al., 2013); then `pairs` of predictors, those with the
#' largest gain after that, in the same way.
#'
#' @param x A formula, such as `y ~ .`; or a data frame or matrix of predictors.
#' @param formula,data,y,weights,subset,na.action As in [tec_tree()]; `data` must be a data frame.
#' @param method `"gradient"` or `"adaboost"`.
#' @param rounds How many rounds. Each has one tree, or one tree per class if there are more than
#'   two classes; with `cyclic`, as many for every predictor. The default is 200, or 100 for
#'   `"adaboost"`.
#' @param rate What the numbers of each tree are multiplied with; the default is 0.1, or 1 for
#'   `"adaboost"`.
#' @param max_depth The most splits from the root to a leaf: 4 by default, 2 with `cyclic`, where
#'   trees of one predictor have one split less, 1 for `"adaboost"`.
#' @param lambda The penalty on leaves; a number of at least 0.
#' @param min_weight The least sum of Hessians of a leaf. The least number of rows is `min_bucket`,
#'   10 by default.
#' @param sample_fraction The share of rows, or their number, that each round draws without
#'   replacement.
#' @param column_fraction The share of predictors, or their number, that each round draws.
#' @param validation Rows on which the loss is measured after each round: a share of the rows, which
#'   are then not trained on, or a data frame (not with an `offset`; its rows count alike).
#' @param folds Instead of `validation`: how many folds measure the loss after each round. The model
#'   is then grown from all rows, with the number of rounds of the least mean loss. [tec_tune()]
#'   compares other settings in the same way.
#' @param patience With `validation`: after how many rounds without a smaller loss the run ends. The
#'   model keeps the rounds up to the smallest.
#' @param monotone The directions of predictors: `c(age = 1, price = -1)` for a prediction that
#'   never falls with `age` and never rises with `price`. For numbers and ordered factors, and up to
#'   two classes, where it is the probability of the second that is bound.
#' @param offset A number for each row that is added to what the trees predict, on the scale of
#'   `type = "link"`. Not a part of the model: [predict()][predict.tec_boost] takes its own.
#' @param cyclic Whether to take the predictors in turn.
#' @param pairs How many pairs of predictors `cyclic` takes after them; 5 by default.
#' @param bags How many models to grow from bootstrap samples beside this one, for the bands of
#'   [tec_shapes()].
#' @param q,criterion,beta For `"adaboost"`: the criterion, as in [tec_tree()]; gini by default.
#' @param progress Whether to show a progress bar if growing takes long.
#' @param control,... Settings of [tec_control()]: `min_bucket`, `min_gain` (what a split must take
#'   off twice the loss), `max_leaves`, `threads`; for `"adaboost"` all. There `min_bucket` and
#'   `min_split` bound the number of rows; they bound nothing unless they are given.
#'   Arguments of other packages are accepted too: `eta`, `learning_rate`, `nrounds`, `n.trees`,
#'   `n_estimators`, `subsample`, `colsample_bytree`, `interaction.depth` and others, see
#'   [other-words].
#' @return An object of class `tec_boost`, a list of plain vectors without data or environments:
#'   * `curve`: the loss after each round, on the training rows, and where there are such on the
#'     validation rows, or the mean over folds and its standard error. The loss is the mean squared
#'     error or the mean of minus the logarithm of the class's probability; with `"adaboost"` the
#'     share of the weight that each tree gets wrong.
#'   * `rounds`: how many the model has; `base`: what it predicts without a tree.
#'   * `trees`: all nodes, as in a [forest][tec_forest]; the number of a leaf is what it adds.
#'     `output` and `round`: of each tree, from 0; for `"adaboost"` `vote`.
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
#'   Zhu, J., Zou, H., Rosset, S. and Hastie, T. (2009). Multi-class AdaBoost. *Statistics and Its
#'   Interface* 2, 349-360.
#' @concept gradient boosting
#' @concept adaboost
#' @concept explainable boosting machine
#' @concept ensemble
#' @examples
#' set.seed(1)
#' fit <- tec_boost(mpg ~ ., mtcars, rounds = 50, min_bucket = 3, threads = 2)
#' fit
#' predict(fit, mtcars[1:3, ])
#'
#' # Rounds chosen on a part of the rows; classes
#' fit <- tec_boost(Species ~ ., iris, validation = 0.3, max_depth = 2, threads = 2)
#' fit$rounds
#' predict(fit, iris[c(1, 51, 101), ], type = "prob")
#'
#' # A prediction that never rises with the weight of a car
#' tec_boost(mpg ~ wt + hp, mtcars, rounds = 30, monotone = c(wt = -1), min_bucket = 3)
#'
#' # AdaBoost with stumps by the entropy
#' tec_boost(Species ~ ., iris, method = "adaboost", rounds = 20, q = 1)
#' @order 1
#' @usage NULL
#' @export
tec_boost <- function(x, ...) {
  UseMethod("tec_boost")
}

#' @rdname tec_boost
#' @export
tec_boost.formula <- function(formula, data, method = c("gradient", "adaboost"), rounds = NULL,
                              rate = NULL, max_depth = NULL, lambda = 1, min_weight = 1e-3,
                              sample_fraction = 1, column_fraction = 1, validation = NULL,
                              folds = NULL, patience = 20L, monotone = NULL, offset = NULL,
                              cyclic = FALSE, pairs = NULL, bags = 0L, weights, subset,
                              na.action = NULL, q = NULL, criterion = NULL, beta = NULL,
                              progress = TRUE, control = tec_control(...), ...) {
  fit_model("boost", tec_boost.formula, read = read_boost, grow = function(it) {
    grow_boost(it$input, it$asked, it$settings, it$control, it$call)
  })
}

#' @rdname tec_boost
#' @export
tec_boost.default <- with_xy(tec_boost.formula)

tec_boost <- with_arguments(tec_boost, tec_boost.formula, tec_boost.default)

# `patience` matters only where it is given.
read_boost <- function(model, frame, call) {
  given <- read_settings(model, frame, call)
  given$settings["patience"] <- list(if_given("patience", frame))
  given
}
