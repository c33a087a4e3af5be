#' Grow a decision tree
#'
#' Grows a classification or regression tree with the Tsallis entropy criterion, or any other
#' criterion of [tec_criteria()], and prunes it by cross-validation. The search is exact. The tree
#' does not depend on the number of threads, and the splits do not depend on the order of the rows.
#' Sums of numbers or of fractional weights may differ in the last digit (about 2e-16) if the order
#' changes.
#'
#' Weights and a numeric response can have any magnitude: if their sums or squares could overflow,
#' they are scaled by a power of two, which is exact. A squared error above the largest double is
#' reported as the largest double.
#'
#' For a given depth, the time is about proportional to the number of rows: the article *Speed and
#' agreement* on the package's website has times of 10,000 to 10 million rows.
#'
#' # Data
#'
#' A factor, character or logical response gives a classification tree, a numeric one a regression
#' tree. Unused levels of the response are kept. Predictors can be numeric, integer, Date, POSIXct,
#' difftime, factor, ordered, character or logical; they are not converted to dummy variables. The
#' levels of a character column are sorted as in the C locale. Columns of other classes that contain
#' numbers, such as units, are read as these numbers. Lists, complex numbers and matrices as columns
#' are errors. A matrix `x` without column names has the columns `V1`, `V2`, and so on. `NaN` is a
#' missing value; infinite predictors are ordinary values, and an infinite response is an error.
#' Rows with a missing response are left out with a message. The tree handles missing predictors
#' (see [tec_control()]); [print()][print.tec_tree] explains how it counts such rows. The global
#' option `na.action` is ignored. Survival times (`Surv()`), counts with exposure and several
#' responses are not supported: use rpart, ranger or partykit. There is no Poisson criterion. A
#' claim rate can be fitted by least squares, as `claims / exposure ~ .` with `weights = exposure`.
#' These are importance weights, the default, not frequencies.
#'
#' # Formula
#'
#' A formula is a sum of columns: `y ~ .`, `y ~ a + b`, `y ~ . - id`. A tree finds interactions by
#' itself, so `a:b` and `a * b` are errors. Calls such as `log(x)` are evaluated, also for new rows.
#' `scale()`, `poly(x, 1)` and `cut(x, 3)` store the values that they compute from the training
#' rows: new rows are cut at the breaks of the training rows, and values outside them are missing.
#' Any other term that depends on several rows (`x - mean(x)`) is an error. Constants are stored by
#' value; your own functions are looked up where [predict()][predict.tec_tree] is called.
#'
#' # Defaults
#'
#' `tec_tree(y ~ ., data)` grows the full tree that `min_bucket` and `min_split` allow and then
#' prunes it (`prune = "auto"`). It keeps the subtree of cost-complexity pruning with the smallest
#' error in cross-validation (the smallest such subtree on ties). There are ten folds, or five for
#' more than 10,000 rows. The folds depend only on the data. R's random number generator is not
#' used, so neither [set.seed()] nor the order of the rows changes the tree. The order of levels
#' does not change it either, unless there are ties. Folds consist of rows, whatever their weights.
#' [print()][print.tec_tree] shows how many leaves were kept, and [cp_table()] shows all subtrees.
#' All this is about the default: with `alpha`, `cp` or `preset = "cart"`, the folds are drawn from
#' R's random numbers.
#'
#' * For the full tree use `prune = "none"`, as in the papers about the Tsallis entropy.
#' * For a smaller tree use `tec_prune(fit, alpha = "1se")`. `tec_tree(alpha = "1se")` draws its
#'   folds from R's random numbers instead.
#' * With fewer than 50 rows or with `folds = 0`, the tree is not pruned. Folds of fewer than five
#'   rows are unreliable and often favour the root alone.
#'
#' The class shares of `predict(type = "prob")` include two extra rows, divided evenly among the
#' classes (`smooth = 2`), so that a small pure leaf does not predict probability 1. The predicted
#' class does not change.
#'
#' These defaults are based on a study of 76 data sets: see the article *Which defaults* on the
#' package's website.
#'
#' # Presets
#'
#' | preset | criterion | nominal | missing | pruning | smooth | min_bucket | min_split |
#' |---|---|---|---|---|---|---|---|
#' | `"tec"` | `tsallis` with `q`; `l2` for a numeric response | binary | fractional | `auto` | 2 | 5 | 10 |
#' | `"id3"` | `shannon` | multiway | an error | none | 0 | 1 | 2 |
#' | `"c45"` | `gain_ratio` | multiway | fractional | `ebp` | 0 | 2 | 4 |
#' | `"cart"` | `gini`; `l2` for a numeric response | binary | surrogate | `ccp` | 0 | 7 | 20 |
#' | `"chaid"`, `"chaid_exhaustive"` | `chisq`; `row_effects` for an ordered response; `l2` for a numeric one | merged | category | none | 0 | 7 | 20 |
#'
#' Explicit arguments override the preset; `q` implies `tsallis`. With `"tec"`, factors with more
#' than ten levels pay for their groupings: see `free_levels` in [tec_control()].
#'
#' `"id3"` accepts only nominal attributes (including ordered factors), and no missing values unless
#' `missing` is given. ID3 has no minimum gain (`min_gain = -Inf`): it splits until a node is pure
#' or has no attributes left.
#'
#' `"cart"` grows the tree of `rpart::rpart()`. It is pruned at `cp = 0.01` by rpart's rule
#' (`penalties = "rpart"`, see [cp_table()]) and has a table of 10-fold cross-validation for
#' choosing a smaller tree; `alpha = "min"` or `"1se"` chooses it directly. As in rpart, these folds
#' are drawn from R's random numbers.
#' `vignette("from-rpart")` lists what can differ from rpart. With all other presets, `prune =
#' "ccp"` uses weakest-link pruning (Breiman et al., 1984); `penalties = "weakest_link"` does this
#' with `"cart"`.
#'
#' `"chaid"` and `"chaid_exhaustive"` grow the trees of CHAID (Kass, 1980; Biggs, de Ville and
#' Suen, 1991). A column is divided into as many branches as differ significantly, and the column
#' with the smallest p value is used, see [tec_control()]. Minimum sizes are those of the package
#' CHAID. [tec_gains()] shows gains and lift.
#'
#' `"c45"` first collapses subtrees that do not reduce the training errors, for any `prune`
#' (`collapse = FALSE` keeps them). It then prunes by estimated errors and raises branches.
#'
#' @param formula A formula, `response ~ predictors`.
#' @param data A data frame. If missing, the variables are taken from the environment of the
#'   formula. It can also be data elsewhere: a lazy table of dbplyr, a DBI connection (with
#'   `table`), paths of Parquet files, or a cluster of R processes (with `table`). Rows that fit
#'   into memory are read, others are counted, see [tec_engine()]. With
#'   `engine = tec_engine(collect_rows = 0, strategy = "group")` only counts and the values that
#'   occur in single columns are returned to R. `weights` is the name of a column.
#' @param x A data frame or matrix of predictors, or the formula. Sparse matrices of the package
#'   Matrix are accepted; the columns are made dense (8 bytes per cell).
#' @param y The response: one value per row of `x`.
#' @param q The parameter of the Tsallis entropy. 1, the default, is the Shannon entropy, 2 the Gini
#'   index. If there are several values, [tec_tune()] with its defaults chooses the best by the
#'   accuracy on ten stratified folds, drawn from R's random numbers. Ties go to the smaller trees,
#'   then to the `q` nearest 1. If no pruning is given, the complexity penalty is tuned too; use
#'   `prune = "none"` to compare full trees. The result is stored in `fit$tuning`.
#' @param criterion A name from [tec_criteria()] or an object from
#'   [tec_criterion()].
#' @param preset A preset, such as `"tec"` or `"cart"`: see *Presets*.
#' @param weights Non-negative weights, one per row: how important a row is, or with
#'   `weights_as = "frequency"` how many rows it stands for, see *Weights* in [tec_control()]. A row
#'   of weight 0 is ignored.
#' @param subset The rows to use: logical, or their numbers or names.
#' @param na.action `na.pass` (the default), `na.omit`, `na.fail` or rpart's `na.rpart`: what to do
#'   with rows whose predictors have missing values.
#' @param cost A matrix with the cost of each kind of error: rows are the true classes, columns the
#'   predicted classes. With names, they can be in any order; without names, they are in the order
#'   of the levels. Leaves predict the class with the smallest expected cost (the earlier level on
#'   ties), and pruning uses costs instead of errors. Class shares (`type = "prob"`) do not change.
#'   `NULL`: every error costs 1.
#' @param cost_in Where `cost` is used: `"leaf"`, as above, or `"split"`, also in the search, where
#'   each class is weighted by its prior times the sum of its row of `cost`. `NULL`: `"split"` with
#'   `preset = "cart"`, as in `rpart::rpart()`, otherwise `"leaf"`.
#' @param prior The class probabilities in the population, which must sum to 1, named or in the
#'   order of the levels. The rows of each class are reweighted so that the class shares of the root
#'   are the priors. See *Priors and class weights*.
#' @param class_weights The weight of the rows of each class, instead of `prior`: one positive
#'   number per class, named or in the order of the levels, or `"balanced"` for equal sums.
#' @param validation For `prune = "rep"`: a data frame of other rows, with the response
#'   (with `x` and `y`, as its column `y`).
#' @param beta The parameter of the criterion `"beta"`, which it implies. The best of several values
#'   is chosen, as with `q`.
#' @param tune_by How several values of `q` or `beta` are compared: `"cv"`, or without folds by
#'   `"ebp"`, `"pep"`, `"mdl"` or `"bootstrap632"`, see [tec_tune()].
#' @param control Settings from [tec_control()].
#' @param engine Where and how data elsewhere are counted: settings from [tec_engine()].
#' @param table If `data` is a connection: the name of the table, as text or [DBI::Id()]. If it is a
#'   cluster: the name of the data frame that each worker has, or a function with which each worker
#'   reads its rows.
#' @param ... Settings of [tec_control()], by name. Arguments of other packages are accepted too,
#'   such as `parms`, `random_state` and `method` of rpart (`"class"` or `"anova"`; `"poisson"` and
#'   `"exp"` are errors): see [other-words].
#' @section Priors and class weights:
#' With `prior`, `class_weights` or `cost_in = "split"`, the weight of each row is multiplied by a
#' factor of its class. This affects the search, the class shares, and the weight, errors and costs
#' of each node, which are used for pruning. The total weight does not change. `min_bucket` and
#' `min_split` count rows. The choice of the largest branch and the ranking of surrogates use the
#' original weights. `cost_in` changes only the factors of the search. A class without rows has no
#' effect, whatever its prior.
#'
#' Cross-validation uses the factors of all rows, also for the held-out rows. A `prior` equal to the
#' class shares of the data grows the same tree as no prior.
#'
#' @return An object of class `tec_tree`: a list of plain vectors with the tree and everything that
#'   prediction needs, without data or environments. See [predict()][predict.tec_tree],
#'   [as.data.frame()][as.data.frame.tec_tree] and [print()][print.tec_tree].
#' @family tree growing functions
#' @seealso [tec_scores()] for the candidates of each split, [tec_tune()] for tuning.
#' @examples
#' fit <- tec_tree(Species ~ ., iris, q = 1.5)
#' fit
#' predict(fit, iris[c(1, 51, 101), ])
#'
#' # The full tree, with unsmoothed class shares
#' tec_tree(Species ~ ., iris, prune = "none", smooth = 0)
#'
#' tec_tree(mpg ~ ., mtcars, min_bucket = 4)
#' tec_tree(x = iris[1:4], y = iris$Species, criterion = "gain_ratio")
#'
#' # Pruned as in rpart, and at a given complexity penalty
#' tec_tree(Species ~ ., iris, preset = "cart")
#' tec_tree(Species ~ ., iris, cp = 0.5)
#'
#' # Some errors cost ten times as much.
#' cost <- matrix(c(0, 1, 10, 1, 0, 10, 1, 1, 0), 3,
#'   dimnames = list(levels(iris$Species), levels(iris$Species))
#' )
#' tec_tree(Species ~ ., iris, cost = cost, max_depth = 2)
#' tec_tree(Species ~ ., iris, cost = cost, cost_in = "split", max_depth = 2)
#'
#' # Setosas are rare in the population.
#' prior <- c(setosa = 0.02, versicolor = 0.49, virginica = 0.49)
#' tec_tree(Species ~ ., iris, prior = prior)
#' @srrstats {G2.16} The section *Data* says how `NaN` and infinite values are handled; `na.action`
#'   can leave out the former.
#' @srrstats {G2.14c, ML1.7} Policies of `missing`, described in [tec_control()], use such rows; one
#'   imputes.
#' @srrstats {RE1.1, RE1.2, RE2.0} *Data* and *Formula* say which columns are accepted, that no
#'   dummy variables are made, and how terms are evaluated.
#' @srrstats {ML1.2} `subset` selects the training rows of one table, by a logical vector, number or
#'   name.
#' @srrstats {ML1.3} Training rows (`data`), held-out rows (`validation`) and test rows (`newdata`)
#'   are different arguments.
#' @srrstats {RE4.0, ML5.0, ML5.0a} Each model is one object with a class of its own and the class
#'   `tec_fit`.
#' @srrstats {ML4.0} The functions of all models have the same arguments for data, rows and weights.
#' @srrstats {RE5.0} The page says how time grows with rows; the article *Speed and agreement* has
#'   times.
#' @usage NULL
#' @export
tec_tree <- function(x, ...) {
  UseMethod("tec_tree")
}

#' @rdname tec_tree
#' @export
tec_tree.formula <- function(formula, data, q = NULL, criterion = NULL, preset = "tec",
                             weights, subset, na.action = NULL, cost = NULL, cost_in = NULL,
                             prior = NULL, class_weights = NULL, validation = NULL, beta = NULL,
                             tune_by = "cv", control = tec_control(...), engine = NULL,
                             table = NULL, ...) {
  fit_model("tree", tec_tree.formula, read = read_tree, grow = function(it) {
    grow_tree(it$input, it$asked, it$control, it$call, it$env)
  }, elsewhere = function(it) {
    tree_elsewhere(
      it$formula, it$data, it$table, it$asked, it$control, it$engine, it$call, it$env
    )
  })
}

#' @rdname tec_tree
#' @export
tec_tree.default <- with_xy(tec_tree.formula)

tec_tree <- with_arguments(tec_tree, tec_tree.formula, tec_tree.default)

# `beta` implies the criterion.
read_tree <- function(model, frame, call) {
  given <- read_settings(model, frame, call)
  asked <- given$asked
  asked["criterion"] <- list(criterion_with_beta(asked$criterion, asked$beta, asked$q))
  names(asked)[names(asked) == "tune_by"] <- "by"
  given$asked <- asked
  given
}

grow_tree <- function(input, asked, control, call, env) {
  several <- function(x) is.numeric(x) && length(x) > 1L
  if (several(asked$q) || several(asked$beta)) {
    return(tree_of_best_q(input, asked, control, call, env))
  }
  if (!identical(asked$by %||% "cv", "cv")) {
    tec_abort("tune", c(
      "{.arg tune_by} is for several values of {.arg q} or {.arg beta}.",
      x = "There is only one criterion."
    ))
  }
  ready <- prepare(input, asked, control)
  with_part_sizes(grow_ready(ready, input, asked, call, env), ready)
}

# tec_tree() for data elsewhere.
tree_elsewhere <- function(formula, data, table, asked, control, engine, call, env) {
  fit_elsewhere(
    formula, data, table, engine, as.list(call)[c("weights", "subset")], control,
    read = function(data, exprs) {
      input <- formula_input(formula, data, exprs$weights, exprs$subset, env)
      grow_tree(input, asked, control, call, env)
    },
    check = function(response) {
      check_table_arguments(call, asked)
      check_countable(asked, control, response)
    },
    count = function(counter, terms, engine) {
      grow_counted(counter, terms, asked, control, engine, call, env)
    }
  )
}
