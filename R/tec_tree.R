#' Grow a decision tree
#'
#' Grows a classification or regression tree by the Tsallis entropy criterion, or
#' by any other of [tec_criteria()], and prunes it by cross-validation. The search is
#' exact; the same data give the same tree for any number of threads, and the same splits
#' for any order of the rows. Estimates that are sums of numbers or of fractional weights
#' may differ in their last digit (about 2e-16) between two orders of the rows.
#'
#' Weights and a numeric response may be of any size: they are scaled by a power of
#' two where their sums or squares could overflow, which changes no digit. A squared
#' error beyond the largest double is reported as the largest double.
#'
#' # Data
#'
#' A factor, character or logical response holds classes; a numeric one is
#' estimated. Declared levels of the response count even where no row has them.
#' Predictors may be numeric, integer, Date, POSIXct, difftime, factor, ordered,
#' character or logical, each used as it is. The levels of a character column are
#' sorted as in the C locale. Rows with a missing response are not used, and a
#' message says so. The tree handles missing predictors (see
#' [tec_control()]); the global option `na.action` is not looked at.
#'
#' # Formula
#'
#' A sum of columns: `y ~ .`, `y ~ a + b`, `y ~ . - id`. A tree finds interactions
#' by itself, so `a:b` and `a * b` are errors. Calls such as `log(x)` are
#' evaluated, for new data too. What `scale()`, `poly(x, 1)` and `cut(x, 3)` take
#' from the training rows is kept: new rows are cut at the training rows' breaks, and
#' values outside them are missing. Another term that depends on the other rows
#' (`x - mean(x)`) is an error. Constants are stored by value, a function of your own
#' is looked up where [predict()][predict.tec_tree] is called.
#'
#' # What the plain call does
#'
#' `tec_tree(y ~ ., data)` grows the largest tree that its sizes allow, and then prunes it
#' (`prune = "auto"`): of the trees that cost-complexity pruning cuts out of it, it keeps the one of
#' least error in a cross-validation, the smallest where several are equal. There are ten folds, and
#' five for more than 10,000 rows. They follow from the data alone: no random number of R is drawn,
#' and neither [set.seed()] nor the order of the rows changes the tree. Folds are of rows, whatever
#' they weigh. [print()][print.tec_tree] says how many leaves were pruned, and [cp_table()] shows the
#' trees to choose from.
#'
#' * All of the tree: `prune = "none"`. That is the tree of the papers about the Tsallis entropy.
#' * A smaller one: `tec_prune(fit, alpha = "1se")`.
#' * Fewer than 50 rows are not pruned. A fold would have fewer than five rows, and by so few the
#'   root alone often looks best. Nor is anything pruned with `folds = 0`.
#'
#' The class shares that `predict(type = "prob")` returns are those of the leaf's rows and two more,
#' which are spread evenly over the classes (`smooth = 2`). So a leaf of five rows of one class does
#' not claim to be certain; which class is predicted does not change.
#'
#' These defaults were chosen by a study of 76 data sets, see the article *Which defaults* on the
#' package's site.
#'
#' # Presets
#'
#' | preset | criterion | nominal | missing | pruning | smooth | min_bucket | min_split |
#' |---|---|---|---|---|---|---|---|
#' | `"tec"` | `tsallis` with `q`; `l2` for a numeric response | binary | fractional | `auto` | 2 | 5 | 10 |
#' | `"id3"` | `shannon` | multiway | an error | none | 0 | 1 | 2 |
#' | `"c45"` | `gain_ratio` | multiway | fractional | `ebp` | 0 | 2 | 4 |
#' | `"cart"` | `gini`; `l2` for a numeric response | binary | surrogate | `ccp` | 0 | 7 | 20 |
#'
#' An explicit argument overrides its part of the preset; `q` alone asks for
#' `tsallis`. `"id3"` takes nominal attributes only (an ordered factor counts as
#' one) and no missing values unless `missing` says what to do with them. As ID3 has no
#' threshold, its `min_gain` is `-Inf`: it splits until a node is pure or its attributes
#' are used up.
#'
#' `"cart"` grows the tree of `rpart::rpart()`: pruned at `cp = 0.01` by rpart's own rule
#' (`penalties = "rpart"`, see [cp_table()]), with the table of 10-fold cross-validation to choose a
#' smaller tree by. `alpha = "min"` or `"1se"` chooses at once. What may differ is said in
#' `vignette("coming-from")`. All other presets prune the weakest link, the rule of Breiman et al.
#' (1984), where `prune = "ccp"` is asked for; `penalties = "weakest_link"` does so with `"cart"`.
#' `"c45"` first prunes subtrees that save no
#' training error, whatever `prune` is (`collapse = FALSE` keeps them), then prunes by
#' estimated errors and raises branches.
#'
#' @param formula A formula, `response ~ predictors`.
#' @param data A data frame. Left out, the variables are taken from the formula's
#'   environment.
#' @param x A data frame or matrix of predictors, or the formula. A sparse matrix of the package
#'   Matrix is taken too; its columns are made dense, 8 bytes per cell, and what it does not store is 0.
#' @param y The response: one value per row of `x`.
#' @param q The parameter of the Tsallis entropy. 1 is the Shannon entropy, 2 the Gini
#'   index. Of several values the best by cross-validation is taken, together with the
#'   complexity penalty where nothing is said about pruning: [tec_tune()] with its
#'   defaults, that is ten stratified folds drawn by R's random numbers and the
#'   accuracy; ties go to the smaller trees, then to the `q` nearest 1. The result is
#'   kept as `fit$tuning`; the curve of full trees takes `prune = "none"`.
#' @param criterion A name from [tec_criteria()] or an object from
#'   [tec_criterion()].
#' @param preset `"tec"`, `"id3"`, `"c45"` or `"cart"`: see below.
#' @param weights Case weights: not negative, one per row. A row of weight 2 counts
#'   as two rows, a row of weight 0 as none.
#' @param subset The rows to use: logical, or their numbers or names.
#' @param na.action `na.pass` (the default), `na.omit` or `na.fail`: what to do
#'   with rows whose predictors have missing values.
#' @param cost What each kind of error costs: a matrix, its rows the true and its
#'   columns the predicted classes, named by the classes in any order; without names
#'   they are in the order of the levels. A leaf then predicts the class of least
#'   expected loss, the earlier level on ties, and pruning counts losses. Class shares
#'   (`type = "prob"`) do not change. `NULL`: every error costs 1.
#' @param cost_in Where `cost` counts: `"leaf"`, as above, or `"split"`: in the search
#'   as well, where each class then counts by its prior times the sum of its row of
#'   `cost`. `NULL`: `"split"` with `preset = "cart"`, as `rpart::rpart()` has it, else
#'   `"leaf"`.
#' @param prior The probabilities of the classes outside of the data, which must sum to
#'   1: named by the classes, or in the order of the levels. Rows then count for more or
#'   less by their class, so that the root's class shares are the priors; the shares of
#'   every node and leaf follow. See the section on priors.
#' @param class_weights What the rows of each class count, in place of `prior`: one
#'   number above 0 per class, named or in the order of the levels, or `"balanced"`, all
#'   classes the same in sum.
#' @param validation For `prune = "rep"`: a data frame of other rows, with the response
#'   (with `x` and `y`, as its column `y`).
#' @param beta The parameter of criterion `"beta"`, which it asks for by itself. Of several values
#'   the best is taken, as of `q`.
#' @param control The settings of the growth, from [tec_control()].
#' @param ... Settings of [tec_control()], by name. Arguments of other packages are taken too, such
#'   as `method`, `parms` and `random_state`: see [other-words].
#' @section Priors and weights of classes:
#' With `prior`, `class_weights` or `cost_in = "split"` a row counts its case weight
#' times a factor of its class: in the search, in the shares of the classes, and in the
#' weight, the errors and the losses of a node, which pruning looks at. The sum over the
#' root's rows stays that of the case weights. Sizes (`min_bucket`, `min_split`) remain
#' sums of case weights, as are the weights that decide which branch is the largest and
#' that rank surrogates. The loss alters the factors of the search alone. A class
#' without rows takes no part, whatever its prior.
#'
#' The factors are those of the whole sample in the trees of cross-validation as well,
#' and the rows left out count them. A `prior` equal to the shares in the data grows the
#' same tree as none.
#'
#' @return An object of class `tec_tree`: a list of plain vectors that holds the
#'   tree and what prediction needs, but no data and no environment. See
#'   [predict()][predict.tec_tree], [as.data.frame()][as.data.frame.tec_tree] and
#'   [print()][print.tec_tree].
#' @family tree growing functions
#' @seealso [tec_scores()] for how each split was chosen, [tec_tune()] to choose the
#'   settings.
#' @examples
#' fit <- tec_tree(Species ~ ., iris, q = 1.5)
#' fit
#' predict(fit, iris[c(1, 51, 101), ])
#'
#' # All of the tree, and the shares of its training rows
#' tec_tree(Species ~ ., iris, prune = "none", smooth = 0)
#'
#' tec_tree(mpg ~ ., mtcars, min_bucket = 4)
#' tec_tree(x = iris[1:4], y = iris$Species, criterion = "gain_ratio")
#'
#' # Pruned: as rpart does, and by a complexity penalty
#' tec_tree(Species ~ ., iris, preset = "cart")
#' tec_tree(Species ~ ., iris, cp = 0.5)
#'
#' # To take a virginica for another is ten times as bad as the reverse.
#' cost <- matrix(c(0, 1, 10, 1, 0, 10, 1, 1, 0), 3,
#'   dimnames = list(levels(iris$Species), levels(iris$Species))
#' )
#' tec_tree(Species ~ ., iris, cost = cost, max_depth = 2)
#' tec_tree(Species ~ ., iris, cost = cost, cost_in = "split", max_depth = 2)
#'
#' # Setosas are rare where the tree will be used.
#' prior <- c(setosa = 0.02, versicolor = 0.49, virginica = 0.49)
#' tec_tree(Species ~ ., iris, prior = prior)
#' @export
tec_tree <- function(x, ...) {
  UseMethod("tec_tree")
}

#' @rdname tec_tree
#' @export
tec_tree.formula <- function(formula, data, q = NULL, criterion = NULL, preset = "tec",
                             weights, subset, na.action = NULL, cost = NULL, cost_in = NULL,
                             prior = NULL, class_weights = NULL, validation = NULL, beta = NULL,
                             control = tec_control(...), ...) {
  if (missing(formula)) {
    return(eval(formula_first(sys.call(), tec_tree.formula), parent.frame()))
  }
  if (other_call(list(...), tree_words)) {
    own <- match.call(expand.dots = FALSE)
    return(make_own_call(own, tec_tree.formula, list(...), tree_words, parent.frame()))
  }
  call <- match.call()
  control <- merge_control(if (!missing(control)) control, list(...), tree_arguments, "tec_tree")
  input <- formula_input(
    formula, if (!missing(data)) data, call$weights, call$subset, parent.frame()
  )
  asked <- list(
    q = q, criterion = criterion_with_beta(criterion, beta, q), beta = beta, preset = preset,
    na_action = na.action, cost = cost, cost_in = cost_in, prior = prior,
    class_weights = class_weights, validation = validation, words = task_words(list(...))
  )
  grow_tree(input, asked, control, call, parent.frame())
}

#' @rdname tec_tree
#' @export
tec_tree.default <- function(x, y, q = NULL, criterion = NULL, preset = "tec", weights = NULL,
                             subset = NULL, na.action = NULL, cost = NULL, cost_in = NULL,
                             prior = NULL, class_weights = NULL, validation = NULL, beta = NULL,
                             control = tec_control(...), ...) {
  call <- match.call()
  if ("formula" %in% names(call)) {
    return(eval(formula_first(sys.call(), tec_tree.formula), parent.frame()))
  }
  if (missing(x) && "data" %in% names(call)) abort_no_formula("tec_tree")
  if (other_call(list(...), tree_words)) {
    own <- match.call(expand.dots = FALSE)
    return(make_own_call(own, tec_tree.default, list(...), tree_words, parent.frame()))
  }
  control <- merge_control(if (!missing(control)) control, list(...), tree_arguments, "tec_tree")
  input <- xy_input(if (!missing(x)) x, if (!missing(y)) y, weights, subset)
  asked <- list(
    q = q, criterion = criterion_with_beta(criterion, beta, q), beta = beta, preset = preset,
    na_action = na.action, cost = cost, cost_in = cost_in, prior = prior,
    class_weights = class_weights, validation = validation, words = task_words(list(...))
  )
  grow_tree(input, asked, control, call, parent.frame())
}

# A call in another order, tec_tree(data = d, formula = y ~ .), or tec_tree(x = y ~ ., data = d).
formula_first <- function(call, method) {
  if (!"formula" %in% names(call)) names(call)[names(call) == "x"] <- "formula"
  call[[1L]] <- method
  call
}

abort_no_formula <- function(what) {
  tec_abort("formula", c(
    "There is no formula.",
    i = "Give it first: {.code {what}(y ~ ., data)}."
  ))
}

tree_words <- c("parms", "random_state", "seed")
tree_arguments <- c(
  "formula", "data", "x", "y", "q", "criterion", "preset", "weights", "subset", "na.action",
  "cost", "cost_in", "prior", "class_weights", "validation", "beta", "control"
)

xy_input <- function(x, y, weights, subset) {
  x <- as_columns(x)
  if (!is.data.frame(x)) {
    tec_abort("data", c(
      "{.arg x} must be a data frame or a matrix of predictors.",
      x = "It is {describe(x)}.",
      i = "With a formula: {.code tec_tree(y ~ ., data)}."
    ))
  }
  names <- names(x)
  if (length(names) == 0L) {
    tec_abort("data", c("There are no predictors.", x = "{.arg x} has no columns."))
  }
  check_column_names(names)
  list(
    values = as.list(.subset(x, seq_along(names))), names = names,
    predictors = lapply(names, as.name), needs = as.list(names),
    response = y, response_name = "y", n = nrow(x), weights = weights, subset = subset,
    row_names = attr(x, "row.names"), formula = stored_formula(y ~ ., length(names))
  )
}

check_column_names <- function(names) {
  if (anyNA(names) || !all(nzchar(names))) {
    tec_abort("data", c("Every column of {.arg x} must have a name.", x = "At least one has none."))
  }
  repeated <- unique(names[duplicated(names)])
  if (length(repeated)) {
    tec_abort("data", c(
      "{.arg x} has several columns of the same name.",
      x = "{cli::qty(length(repeated))}Repeated name{?s}: {.val {repeated}}.",
      i = "Rename them, for example with {.fn make.unique}."
    ))
  }
}
