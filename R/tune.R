#' Tune a tree, a forest or a boosted model
#'
#' Compares all settings of a grid, by cross-validation on the same folds or by an estimate that
#' needs no folds (`by`). Then it grows the tree, forest or boosted model (`model`) of the chosen
#' setting on all rows. `tec_tree(q = )` with several values does the same with the defaults.
#'
#' # Grid
#'
#' The grid has all combinations of the criteria, with the values of their parameters, and of all
#' arguments of [tec_control()] with several values: `q = c(1, 2)`, `min_bucket = c(2, 5, 10)`,
#' `max_depth = c(3, Inf)`, `nominal = c("binary", "multiway")`. `q` applies to all criteria that
#' have a `q`, `beta` to `"beta"`. A [tec_criterion()] keeps its own parameter.
#'
#' Without a grid, `cp`, `max_depth`, `min_split` and `min_bucket` have default grids, unless you
#' give one value for them:
#'
#' * `cp`: up to ten complexity penalties at which the largest tree of all rows changes (geometric
#'   means of neighbours in its [cp_table()]), the last one 0;
#' * `max_depth`: those of 3, 6, 10 below the depth of that tree, and `Inf`;
#' * `min_bucket`: 2, 5, 10, 20, and `min_split`: 4, 10, 20, 40, as far as the number of rows
#'   allows.
#'
#' If there is a grid but no argument for pruning, `cp` has its default grid as well, so that
#' settings are compared at their best pruning. `prune = "none"` compares full trees. So `q =
#' seq(0.2, 4, by = 0.2)` tunes `q` and `cp`; with `prune = "none"` it is the grid of Wang, Song and
#' Xia (2016).
#'
#' `tune` names the settings with a default grid: `tune = c("q", "min_bucket")` tunes these two and
#' `cp`. The default grid of `"q"` is 0.2 to 4 in steps of 0.2. With `tune = character()` there are
#' no default grids, and each tree is pruned as by [tec_tree()].
#'
#' `criterion = tec_criteria()$name` compares all criteria for the type of the response. If there
#' are many rows, use `sample`: settings are compared on a sample, and the final tree is grown on
#' all rows.
#'
#' # Without folds
#'
#' With `by = "ebp"`, `"pep"` or `"mdl"`, the trees of all settings are grown once, from all rows,
#' and compared by an estimate of their error from these rows. So 20 values of `q` take as long as
#' two to six calls of [tec_tree()]. These estimates are for classification.
#'
#' * `"ebp"`: the expected errors of C4.5's error-based pruning (Quinlan, 1993), with `cf = 0.25`,
#'   as a share of the weight.
#' * `"pep"`: the pessimistic error (Quinlan, 1987): the errors plus one half per leaf, as a share
#'   of the weight.
#' * `"mdl"`: the description length of tree and classes in bits (Quinlan and Rivest, 1989; Mehta,
#'   Rissanen and Agrawal, 1995). A leaf with n rows, n_s of them in class s, costs sum n_s log2(n /
#'   n_s) + (K - 1) / 2 log2(n / 2) + log2(pi^(K / 2) / gamma(K / 2)), where K is the number of
#'   classes with rows. A node costs 1 bit for its kind. A split costs log2 of the number of columns
#'   plus log2 of the number of possible splits of its column: the ways to choose its cuts among the
#'   v - 1 places between the v values of the column, or to divide its v levels into two groups.
#'   Splits with one branch per level have one possibility.
#'
#' If no setting is about pruning, each tree counts at its best pruning, the one with the smallest
#' estimate, and the final tree is pruned as by [tec_tree()]. Otherwise the estimate is that of the
#' pruned tree. Costs are used in units of the largest cost for `"ebp"` and `"pep"`, and not used
#' for `"mdl"`. Without a grid, `q` is tuned. `folds`, `repeats` and `metric` are not used.
#'
#' `by = "bootstrap632"` is the .632+ estimate of Efron and Tibshirani (1997), from `folds`
#' bootstrap samples (25 by default) from R's random numbers, with each class drawn separately if
#' `stratified`. Let err be the error of the tree of all rows on these rows, Err the mean over the
#' samples of the error on the rows that were not drawn (at most g), and g the error if predictors
#' were uninformative. The estimate is (1 - w) err + w Err with w = 0.632 / (1 - 0.368 R) and R =
#' (Err - err) / (g - err), or 0 if negative. Errors are wrong classes or squared errors. Columns
#' are coded again for each tree, so it takes longer than the same number of folds.
#'
#' # Many settings, one tree
#'
#' Settings that differ only in `cp`, `alpha`, `max_depth` and `min_split` are subtrees of one tree.
#' Each fold grows the largest tree once ("training only once" in Wang and Gupta, 2024) and reads
#' the predictions of all settings off the path of each row, so 200 settings take about twice as
#' long as one. `min_bucket` affects the splits and needs one tree per value. So do all settings
#' combined with `max_leaves`, with pruning other than `"ccp"`, or with `alpha = "1se"` or `"min"`,
#' which choose the penalty by cross-validation inside each fold. The results are the same either
#' way.
#'
#' # Extending the grid of q
#'
#' If the best `q` is the last of the default grid, larger values are tried on the same folds, in
#' steps of at least 0.5, until the best is inside the grid or `q` is 10. If it is the first, one
#' half and one quarter of it are tried, down to 0.05. A message and [print()][print.tec_tune]
#' report this. A grid that you give is extended only with `widen = TRUE`; otherwise a message says
#' that it may be too small. `widen = FALSE` turns off both.
#'
#' # Forests and boosting
#'
#' With `model = "forest"` or `"boost"`, the grid consists of arguments of [tec_forest()] or
#' [tec_boost()] and of [tec_control()], also under their names in other packages:
#' `tec_tune(y ~ ., data, model = "boost", learning_rate = c(0.03, 0.1), max_depth = 1:4)`.
#' Arguments that are vectors themselves, such as `monotone`, cannot be tuned. Without a grid, there
#' is a default grid:
#'
#' * forests: `mtry`, from half the square root of the number of predictors to all, and `min_bucket`
#'   of 1, 3, 5, 10;
#' * boosting: `max_depth` of 1, 2, 4, 6, and `rate` of 0.03, 0.1, 0.3; with `method = "adaboost"`
#'   `max_depth`.
#'
#' `tune` names other settings: `tune = c("rate", "mtry")`.
#'
#' *Forests* are compared by their out-of-bag predictions, with one forest per setting, or by
#' cross-validation with `by = "cv"` or `folds`. All have the same seeds.
#'
#' *Rounds of boosting* are chosen for each setting by early stopping. Each fold grows one model,
#' fifty rounds at a time and all folds together, until the mean of the first metric has not
#' improved for `patience` rounds (2 / `rate` by default, but at least 20). `rounds` is the maximum
#' (1000, or 100 for AdaBoost). Settings that are not given are those of [tec_boost()] with a chosen
#' number of rounds, see *Defaults* there. The table has the best number of rounds for each setting,
#' and `plot(tuned, "rounds")` draws all. Several `rounds` are compared as given, from one model per
#' fold. With `tune = character()` there is no early stopping. With `cyclic = TRUE`, each number of
#' rounds needs its own models, so `rounds` is a setting like any other. In these three cases,
#' settings that are not given are those of `tec_boost(folds = 0)`.
#'
#' Sizes in the table are those of all trees together. An interrupt ends the run without a result.
#' If a plan of the package future is set, settings run in parallel.
#'
#' # Folds
#'
#' If `folds` is a number, the folds are drawn from R's random numbers before any tree is grown, so
#' [set.seed()] makes the result reproducible. `stratified` spreads each class as evenly as possible
#' over the folds. `folds` can also be a vector with the fold of each row of `data`, or resamples of
#' the package rsample (`vfold_cv()`, `bootstraps()`, `mc_cv()`, ...). The tree of a fold is the one
#' that [tec_tree()] grows with its training rows as `subset`, except that character columns always
#' have the levels of all rows.
#'
#' # Metrics
#'
#' The default is `"rmse"` for numbers. For classes it is `"accuracy"`, or `"log_loss"` for gradient
#' boosting, because it distinguishes rounds better.
#'
#' * `"accuracy"`;
#' * `"balanced_accuracy"`: the mean accuracy of the classes in the fold;
#' * `"log_loss"`: in nats, with shares truncated at 1e-15;
#' * `"brier"`: the sum of the squared errors of all class shares (0 to 2);
#' * `"auc"`: the area under the ROC curve; for several classes that of Hand and Till (2001), over
#'   the pairs of classes in the fold;
#' * `"rmse"` and `"mae"`, for regression;
#' * `"nodes"`: the number of nodes.
#'
#' Metrics use the weights of the rows. The first metric is used for the choice; the others are only
#' reported. For a metric of your own, tune with caret (the last example of [tec_caret()]), [mlr3]
#' or tidymodels ([parsnip]).
#'
#' Means are over all folds of all repeats. The standard error is the standard deviation of these
#' values divided by the square root of the number of folds of *one* repeat: repeats use the same
#' rows, so they do not increase the number of independent values.
#'
#' # Choice
#'
#' `rule = "best"` takes the best mean; ties (within 1e-12) go to the fewest nodes, then the `q`
#' nearest 1, then the first setting. `rule = "1se"` takes the setting with the fewest nodes among
#' those within one standard error of the best; ties go to the better mean. The metric of the chosen
#' setting is slightly optimistic, because it is the best of many. For an unbiased estimate, predict
#' rows that were not used.
#'
#' # Long runs
#'
#' An interactive session shows a progress bar after about two seconds; inside
#' `progressr::with_progress()`, progressr reports progress instead. An interrupted run returns the
#' finished part, marked as partial and with a warning; all settings are then compared on the same
#' finished folds. If a plan of the package future is set and future.apply is installed, folds run
#' in parallel. The result does not depend on the plan.
#'
#' # Speed
#'
#' Columns are coded once for all folds. In each fold, trees that differ only in the criterion or
#' its parameter are grown together, as one tree as long as their splits agree, so each further
#' value of `q` takes less time than a separate tree. This is not done for settings with pruning,
#' `max_leaves`, the rules of C4.5, surrogates, `cost`, or `missing = "fractional"` if there are
#' missing values. The results are the same either way.
#'
#' @param x A formula, or a data frame or matrix of predictors.
#' @param formula,data,y,preset,weights,subset,na.action,cost,validation,control As in
#'   [tec_tree()].
#' @param q,beta Values of the parameter of the Tsallis criteria and of `"beta"`.
#' @param criterion Names from [tec_criteria()], a [tec_criterion()], or a list of them.
#'   `NULL`: `"tsallis"` with `q`, `"beta"` with `beta`, otherwise the preset's.
#' @param model The model to tune: `"tree"`, `"forest"` or `"boost"`, see *Forests and boosting*.
#'   The arguments `preset`, `validation`, `widen`, `engine` and `table` are for trees.
#' @param by How settings are compared: by cross-validation (`"cv"`), or by `"ebp"`, `"pep"`,
#'   `"mdl"` or `"bootstrap632"`, see *Without folds*. For forests: by the out-of-bag predictions
#'   (`"oob"`) or `"cv"`. `NULL`: `"oob"` for forests without `folds`, otherwise `"cv"`.
#' @param folds Number of folds, the fold of each row, or resamples of rsample; for `"bootstrap632"`
#'   the number of samples. `NULL`: 10, or 25 samples.
#' @param repeats Number of times that folds are drawn, at most 10,000.
#' @param metric One or more metrics, see *Metrics*. `NULL`: the default.
#' @param rule `"best"` or `"1se"`.
#' @param stratified Whether each class is spread evenly over the folds. Ignored for regression.
#' @param sample Number of rows on which settings are compared: a random sample with each class in
#'   proportion. `NULL`: all rows.
#' @param tune Names of settings that get a default grid, from `"q"`, `"cp"`, `"max_depth"`,
#'   `"min_split"` and `"min_bucket"`. `NULL`: see *Grid*; `character()`: none. For forests also
#'   `"mtry"` and `"sample_fraction"`, but not `"cp"`. For boosted models: `"rounds"`,
#'   `"max_depth"`, `"rate"`, `"column_fraction"`, `"sample_fraction"` and `"min_bucket"`.
#' @param widen Whether the grid of `q` is extended if its first or last value is the best. `NULL`:
#'   only the default grid of `q`.
#' @param engine,table For data elsewhere, as in [tec_tree()], also whether the rows are
#'   read or counted. If they are counted, the folds are a hash of the column
#'   `tec_engine(key = )` and not
#'   stratified. Counts are requested by fold and stored by path, so that settings and folds that
#'   agree near the root share them. Single trees are not pruned on their own folds, columns of more
#'   than `max_values` numbers are divided into bins, and a numeric response is measured by
#'   `"rmse"`.
#' @param ... Arguments of [tec_control()], and of [tec_forest()] or [tec_boost()] if these are
#'   tuned, each with one or several values, also under their names in other packages
#'   ([other-words]).
#' @return An object of class `tec_tune`: a list with `fit`, the tree or model of the chosen setting
#'   grown on all rows, `table` (one row per setting), `chosen` (its row), `why`, `partial` and
#'   more. For forests and boosted models there is `seed`: all models were grown with this `seed`.
#'   If rounds were chosen by early stopping, there is `paths`, with one row per setting and number
#'   of rounds.
#'   [print()][print.tec_tune], [plot()][plot.tec_tune] and
#'   [as.data.frame()][as.data.frame.tec_tune] show the settings; `predict()`, `summary()`,
#'   [importance()] and other [functions of trees][tec_tune-methods] use `fit`.
#' @references
#' Efron, B. and Tibshirani, R. (1997) Improvements on cross-validation: the .632+ bootstrap method.
#' *Journal of the American Statistical Association* 92, 548-560.
#'
#' Mehta, M., Rissanen, J. and Agrawal, R. (1995) MDL-based decision tree pruning. *Proceedings of
#' the First International Conference on Knowledge Discovery and Data Mining*, 216-221.
#'
#' Quinlan, J. R. (1987) Simplifying decision trees. *International Journal of Man-Machine Studies*
#' 27, 221-234.
#'
#' Quinlan, J. R. and Rivest, R. L. (1989) Inferring decision trees using the minimum description
#' length principle. *Information and Computation* 80, 227-248.
#'
#' Quinlan, J. R. (1993) *C4.5: Programs for Machine Learning*. Morgan Kaufmann.
#'
#' Wang, H. and Gupta, G. (2024) Superfast selection for decision tree algorithms.
#' <https://arxiv.org/abs/2405.20622>.
#'
#' Wang, Y., Song, C. and Xia, S.-T. (2016) Unifying the split criteria of decision
#' trees using Tsallis entropy. <https://arxiv.org/abs/1511.08136>.
#'
#' Hand, D. J. and Till, R. J. (2001) A simple generalisation of the area under the ROC
#' curve for multiple class classification problems. *Machine Learning* 45, 171-186.
#' @family choosing settings
#' @examples
#' set.seed(1)
#' tuned <- tec_tune(Species ~ ., iris, q = c(0.5, 1, 2, 3), min_bucket = 1)
#' tuned
#' plot(tuned)
#' tuned$fit
#' predict(tuned, iris[c(1, 51, 101), ])
#'
#' # The default grid: complexity penalty and size of the tree
#' tec_tune(mpg ~ ., mtcars)
#'
#' # The smallest tree that is about as good
#' tec_tune(Species ~ ., iris, max_depth = 1:4, metric = "log_loss", rule = "1se")
#'
#' # q from trees of all rows, without folds
#' tec_tune(Species ~ ., iris, q = c(0.5, 1, 2, 3), by = "mdl")
#'
#' # All criteria, compared on a sample of the rows
#' tec_tune(Species ~ ., iris, criterion = tec_criteria()$name, folds = 5, sample = 100)
#'
#' # A forest by its out-of-bag error, and a boosted model with early stopping
#' tec_tune(Species ~ ., iris, model = "forest", mtry = 1:4, trees = 100, threads = 2)
#' tuned <- tec_tune(mpg ~ ., mtcars, model = "boost", max_depth = 1:3, min_bucket = 3, threads = 2)
#' tuned
#' plot(tuned, "rounds")
#' predict(tuned, mtcars[1:3, ])
#' @srrstats {ML3.4a} `rate` of boosted models is tuned, with rounds chosen by early stopping.
#' @srrstats {ML4.7} `folds` and `repeats` are the numbers of resampling iterations.
#' @srrstats {ML4.8, ML4.8a} Folds are stratified by class; `stratified = FALSE`, a vector of folds
#'   or resamples of rsample replace them.
#' @srrstats {ML5.4, ML5.4a} The section *Metrics* defines all metrics.
#' @usage NULL
#' @export
tec_tune <- function(x, ...) {
  UseMethod("tec_tune")
}

#' @rdname tec_tune
#' @export
tec_tune.formula <- function(formula, data, q = NULL, criterion = NULL, beta = NULL, by = NULL,
                             folds = NULL, repeats = 1, metric = NULL, rule = c("best", "1se"),
                             stratified = TRUE, sample = NULL, preset = "tec", weights, subset,
                             na.action = NULL, cost = NULL, validation = NULL, tune = NULL,
                             widen = NULL, control = tec_control(...), model = "tree",
                             engine = NULL, table = NULL, ...) {
  fit_model("tune", tec_tune.formula, read = read_tuning, grow = function(it) {
    if (it$frame$model != "tree") {
      return(tune_model(it$input, it$frame, it$call, it$env))
    }
    tune_input(it$input, it$asked, it$controls, it$design, it$design$rule, it$call, it$env)
  }, elsewhere = function(it) {
    tune_elsewhere(
      it$formula, it$data, it$table, it$asked, it$controls, it$design, it$design$rule, it$engine,
      it$call, it$env
    )
  })
}

#' @rdname tec_tune
#' @export
tec_tune.default <- with_xy(tec_tune.formula)

tec_tune <- with_arguments(tec_tune, tec_tune.formula, tec_tune.default)

# list(controls, asked, design) for trees. For other models, tune_model() reads the call.
read_tuning <- function(model, frame, call) {
  if (!identical(frame$model, "tree")) {
    check_tuned_model(frame, call)
    return(list())
  }
  given <- eval(quote(list(...)), frame)
  dots <- with_our_names(given, tune_arguments, names(call))
  controls <- tune_controls(if_given("control", frame), dots)
  design <- mget(c("by", "folds", "repeats", "metric", "stratified", "sample"), frame)
  design["folds"] <- list(dots[["folds"]] %||% design$folds)
  design$rule <- check_rule(frame)
  design$widen <- check_widen(frame$widen)
  asked <- c(mget(asked_arguments$tune, frame), list(
    na_action = given_action(frame$na.action), words = task_words(given)
  ))
  list(controls = controls, asked = asked, design = design)
}

# The folds of tec_tune() under all their names.
tune_controls <- function(control, dots) {
  control_grid(control, dots[dot_names(dots) != "folds"], tune_arguments, "tec_tune")
}
