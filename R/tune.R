#' Tune a tree by cross-validation
#'
#' Grows trees by every setting of a grid on the same folds, compares them by a metric
#' on the held-out rows, and grows the tree of the chosen setting from all rows.
#' `tec_tree(q = )` with several values does the same with the defaults.
#'
#' # Grid
#'
#' Every combination of the criteria, each with the values of its parameter, and of
#' all arguments of [tec_control()] that are given several values: `q = c(1, 2)`,
#' `min_bucket = c(2, 5, 10)`, `max_depth = c(3, Inf)`, `nominal = c("binary",
#' "multiway")`. `q` goes to every criterion that has a `q`, `beta` to `"beta"`. A
#' [tec_criterion()] keeps its own parameter.
#'
#' With no grid at all there is a default one, of `cp`, `max_depth`, `min_split` and `min_bucket`, but
#' for those that are given one value. `cp` are up to ten complexity penalties at which the largest
#' tree of all rows changes (geometric means of neighbours in its [cp_table()]), the last 0;
#' `max_depth` 3, 6, 10 below the depth of that tree, and `Inf`; `min_bucket` 2, 5, 10, 20 and
#' `min_split` 4, 10, 20, 40, as far as the rows allow.
#'
#' Where a grid is given and nothing is said about pruning, `cp` has its default grid as well: each
#' setting is compared at its best pruning, and the folds tell which that is. `prune = "none"`
#' compares full trees. So `q = seq(0.2, 4, by = 0.2)` tunes `q` and `cp`, and with `prune = "none"`
#' is the grid of Wang, Song and Xia (2016).
#'
#' `tune` names what gets its default grid: `tune = c("q", "min_bucket")` tunes these two, and `cp`.
#' `"q"` is 0.2 to 4 in steps of 0.2. With `tune = character()` nothing gets one, and each tree is
#' pruned as [tec_tree()] would.
#'
#' `criterion = tec_criteria()$name` is a race of all criteria that suit the response.
#' On many rows give `sample`: the race is run on a sample, the winner grown from all.
#'
#' # Many settings, one tree
#'
#' Settings that differ in `cp`, `alpha`, `max_depth` and `min_split` alone are prunings of one
#' tree: a fold grows the largest once (Wang and Gupta, 2024, call it training only once) and
#' reads the prediction of each setting off the path of a held-out row. 200 settings take
#' about twice as long as one. `min_bucket` needs a tree for each value, as it decides where splits
#' are. So do all settings together with `max_leaves`, with pruning other than `"ccp"`, or with
#' `alpha = "1se"` or `"min"`, which choose the penalty inside each fold, by folds of its training
#' rows. The result is the same either way.
#'
#' # When the best q ends the grid
#'
#' Where the best `q` is the last of the default grid, larger values are tried on the same
#' folds, in steps of at least 0.5, until the best lies inside or `q` is 10; where it is the first,
#' half and a quarter of it, down to 0.05. A message and [print()][print.tec_tune] say so. A grid
#' that you give is widened with `widen = TRUE`; without, a message says that it may end too soon.
#' `widen = FALSE` does neither.
#'
#' # Folds
#'
#' A number of folds is drawn by R's random numbers, before any tree is grown:
#' [set.seed()] makes everything reproducible. `stratified` spreads each class as
#' evenly over the folds as can be. Folds may also be given: as a vector with the fold
#' of each row of `data`, or as resamples of the package rsample (`vfold_cv()`,
#' `bootstraps()`, `mc_cv()`, ...). The tree of a fold is the one that [tec_tree()] grows
#' from its rows as `subset`, except that a character column always has the levels
#' that all rows hold.
#'
#' # Metrics
#'
#' `"accuracy"`; `"balanced_accuracy"`, the mean share that is right of the classes
#' that the fold holds; `"log_loss"` in nats, shares below 1e-15 counted as that;
#' `"brier"`, the sum of the squared errors of all class shares (0 to 2); `"auc"`, the
#' area under the curve, for several classes that of Hand and Till (2001), over the
#' pairs of classes that the fold holds; `"rmse"` and `"mae"` for regression; and
#' `"nodes"`, the number of all nodes. Rows count by their case weights. The first
#' metric decides, the others are reported.
#'
#' Means are over all folds of all repeats. Standard errors are the standard deviation
#' of these values over the root of the number of folds of *one* repeat: repeats use the
#' same rows again, and would otherwise pretend to a precision that the data do not
#' hold.
#'
#' # Choice
#'
#' `rule = "best"`: the best mean; of equal ones (within 1e-12) the fewest nodes, then
#' the `q` nearest 1, then the first. `rule = "1se"`: of all settings within one
#' standard error of the best, the one of fewest nodes, then the better one. The
#' metric of the chosen setting is the best of many and so flatters it a little: for
#' an honest figure predict rows that were not used.
#'
#' # Long runs
#'
#' A progress bar is shown in an interactive session after about two seconds; where
#' `progressr::with_progress()` is at work its signals are sent instead. An
#' interrupted run returns what is finished, marked as partial and with a warning;
#' every setting is then compared on the same finished folds. Where a plan of the
#' package future is set, and future.apply is installed, it distributes the folds.
#' The result is the same for any plan.
#'
#' # Speed
#'
#' Columns are coded once for all folds, and the trees of a fold that differ in the
#' criterion or its parameter alone are grown together: as long as they agree on a split they
#' are one tree. A further value of `q` so costs less than a tree of its own. Settings that
#' prune, bound `max_leaves`, use the rules of C4.5 or surrogates, or take missing values
#' `"fractional"` where there are any, are not grown together with other criteria, nor is
#' anything with a `cost`. The result is the same either way.
#'
#' @param x A formula, or a data frame or matrix of predictors.
#' @param formula,data,y,preset,weights,subset,na.action,cost,validation,control As in
#'   [tec_tree()].
#' @param q,beta Values of the parameter of the Tsallis criteria and of `"beta"`.
#' @param criterion Names from [tec_criteria()], a [tec_criterion()], or a list of them.
#'   `NULL`: `"tsallis"` with `q`, `"beta"` with `beta`, else the preset's.
#' @param folds The number of folds, the fold of each row, or resamples of rsample.
#' @param repeats How often new folds are drawn.
#' @param metric One or more metrics, see below. `NULL`: `"accuracy"` or `"rmse"`.
#' @param rule `"best"` or `"1se"`.
#' @param stratified Whether each class is spread evenly over the folds. For
#'   regression it has no meaning.
#' @param sample A number of rows: settings are compared on so many, drawn at random
#'   with each class in proportion. `NULL`: all rows.
#' @param tune Names of settings that get a default grid, of `"q"`, `"cp"`, `"max_depth"`,
#'   `"min_split"` and `"min_bucket"`. `NULL`: see *Grid*; `character()` for none.
#' @param widen Whether a grid of `q` goes on where its first or last value is the best.
#'   `NULL`: the default grid of `q` does.
#' @param ... Arguments of [tec_control()], each with one value or several, also under the names
#'   that other packages have for them ([other-words]).
#' @return An object of class `tec_tune`: a list with `fit`, the tree of the chosen
#'   setting grown from all rows, `table` (one row per setting), `chosen` (its row), `why`,
#'   `partial` and more. [print()][print.tec_tune], [plot()][plot.tec_tune] and
#'   [as.data.frame()][as.data.frame.tec_tune] show the settings; `predict()`, `summary()`,
#'   [importance()] and other [functions of trees][tec_tune-methods] answer for `fit`.
#' @references
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
#' # Without a grid: complexity penalty and sizes of the tree
#' tec_tune(mpg ~ ., mtcars)
#'
#' # The smallest tree that is about as good
#' tec_tune(Species ~ ., iris, max_depth = 1:4, metric = "log_loss", rule = "1se")
#'
#' # A race of all criteria on a part of the rows
#' tec_tune(Species ~ ., iris, criterion = tec_criteria()$name, folds = 5, sample = 100)
#' @export
tec_tune <- function(x, ...) {
  UseMethod("tec_tune")
}

#' @rdname tec_tune
#' @export
tec_tune.formula <- function(formula, data, q = NULL, criterion = NULL, beta = NULL, folds = 10,
                             repeats = 1, metric = NULL, rule = c("best", "1se"),
                             stratified = TRUE, sample = NULL, preset = "tec", weights, subset,
                             na.action = NULL, cost = NULL, validation = NULL, tune = NULL,
                             widen = NULL, control = tec_control(...), ...) {
  if (missing(formula)) {
    return(eval(formula_first(sys.call(), tec_tune.formula), parent.frame()))
  }
  if (other_call(list(...), call_words)) {
    own <- match.call(expand.dots = FALSE)
    return(make_own_call(own, tec_tune.formula, list(...), call_words, parent.frame()))
  }
  call <- match.call()
  dots <- with_our_names(list(...), tune_arguments, names(call))
  controls <- tune_controls(if (!missing(control)) control, dots)
  input <- formula_input(
    formula, if (!missing(data)) data, call$weights, call$subset, parent.frame()
  )
  asked <- list(
    q = q, criterion = criterion, beta = beta, preset = preset, na_action = na.action, cost = cost,
    validation = validation, tune = tune, words = task_words(list(...))
  )
  rule <- if (missing(rule)) "best" else match_choice(rule, c("best", "1se"), "rule")
  design <- list(
    folds = dots$folds %||% folds, repeats = repeats, metric = metric, stratified = stratified, sample = sample,
    widen = check_widen(widen)
  )
  tune_input(input, asked, controls, design, rule, call, parent.frame())
}

#' @rdname tec_tune
#' @export
tec_tune.default <- function(x, y, q = NULL, criterion = NULL, beta = NULL, folds = 10,
                             repeats = 1, metric = NULL, rule = c("best", "1se"),
                             stratified = TRUE, sample = NULL, preset = "tec", weights = NULL,
                             subset = NULL, na.action = NULL, cost = NULL, validation = NULL,
                             tune = NULL, widen = NULL, control = tec_control(...), ...) {
  call <- match.call()
  if ("formula" %in% names(call)) {
    return(eval(formula_first(sys.call(), tec_tune.formula), parent.frame()))
  }
  if (missing(x) && "data" %in% names(call)) abort_no_formula("tec_tune")
  if (other_call(list(...), call_words)) {
    own <- match.call(expand.dots = FALSE)
    return(make_own_call(own, tec_tune.default, list(...), call_words, parent.frame()))
  }
  dots <- with_our_names(list(...), tune_arguments, names(call))
  controls <- tune_controls(if (!missing(control)) control, dots)
  input <- xy_input(if (!missing(x)) x, if (!missing(y)) y, weights, subset)
  asked <- list(
    q = q, criterion = criterion, beta = beta, preset = preset, na_action = na.action, cost = cost,
    validation = validation, tune = tune, words = task_words(list(...))
  )
  rule <- if (missing(rule)) "best" else match_choice(rule, c("best", "1se"), "rule")
  design <- list(
    folds = dots$folds %||% folds, repeats = repeats, metric = metric, stratified = stratified, sample = sample,
    widen = check_widen(widen)
  )
  tune_input(input, asked, controls, design, rule, call, parent.frame())
}

tune_arguments <- c(
  "formula", "data", "x", "y", "q", "criterion", "beta", "folds", "repeats", "metric", "rule",
  "stratified", "sample", "preset", "weights", "subset", "na.action",
  "cost", "validation", "tune", "widen", "control"
)

# The folds of tec_tune() are its own, whatever word said them.
tune_controls <- function(control, dots) {
  control_grid(control, dots[dot_names(dots) != "folds"], tune_arguments, "tec_tune")
}

tune_input <- function(input, asked, controls, design, rule, call, env) {
  run <- evaluate_grid(input, asked, controls, design, env)
  tuned <- describe_run(run, rule)
  setting <- run$settings[[tuned$chosen]]
  call_of_fit <- tree_call(call, setting, run$several, controls$given$dots)
  tuned$fit <- grow_setting(run$ready, setting, run$several, input, asked, call_of_fit, env)
  tuned$call <- stored_call(call)
  tuned$call[[1L]] <- quote(tec_tune)
  structure(tuned, class = "tec_tune")
}

# tec_tree() with several values of q.
tree_of_best_q <- function(input, asked, control, call, env) {
  controls <- control_grid(control, list(), tree_arguments, "tec_tree")
  # The values that were given are the ones to choose among.
  design <- list(
    folds = 10, repeats = 1, metric = NULL, stratified = TRUE, sample = NULL, widen = FALSE
  )
  run <- evaluate_grid(input, asked, controls, design, env)
  tuned <- describe_run(run, "best")
  penalty <- intersect(run$several, "cp")
  fit <- grow_setting(run$ready, run$settings[[tuned$chosen]], penalty, input, asked, call, env)
  tuned$call <- fit$call
  fit$tuning <- structure(tuned, class = "tec_tune")
  fit
}
