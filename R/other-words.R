# Arguments and values of other packages. The conversions, the errors that name our argument and the
# help page all come from this table. Each entry has a kind, the names in the other packages, the
# packages, and either `ours` (our name) or `advice` (what to do if there is no counterpart).
# `convert` returns our settings for a value. It is needed only if the values differ. `default` has
# the values at which an argument without a counterpart has no effect, so that it is accepted
# silently. If it is a function that recognises these values, it is used for `control =` only.
#' Arguments and words of other packages
#'
#' [tec_tree()], [tec_tune()] and [tec_control()] accept most arguments of other packages under
#' their original names. `control =` accepts the lists of `rpart::rpart.control()`,
#' `C50::C5.0Control()`, `RWeka::Weka_control()`, `partykit::ctree_control()`, `chaid_control()` of
#' the package CHAID and any other list of settings. An argument without a counterpart is an error
#' that says what to do; in `control =` it is ignored with a message.
#'
#' `method` (or `mode`) and `parms` of rpart, and `random_state` and `scoring` of scikit-learn, are
#' accepted if they agree with the data and the other arguments. Otherwise they are an error.
#'
#' @section Arguments:
#' `r other_words_table("argument")`
#'
#' @section Arguments of tec_forest():
#' The arguments above, except those for pruning, and:
#'
#' `r other_words_table("forest")`
#'
#' @section Arguments of tec_mars():
#' `r other_words_table("mars")`
#'
#' @section Arguments of tec_boost():
#' `r other_words_table("boost")`
#'
#' @section Arguments of tec_rotation():
#' `r other_words_table("rotation")`
#'
#' @section Criteria:
#' `r other_words_table("criterion")`
#'
#' Case is ignored, and spaces and hyphens count as underscores.
#'
#' @section Presets:
#' `r other_words_table("preset")`
#'
#' @section Types of prediction:
#' `r other_words_table("type")`
#'
#' @section Arguments of predict():
#' Each is an error that names the argument to use here:
#'
#' `r other_words_table("use")`
#'
#' @section Metrics of tec_tune():
#' `r other_words_table("metric")`
#'
#' @section Dialects, languages and targets:
#' These are used by [tec_sql()], [tec_code()] and [verify_export()].
#'
#' `r other_words_table(c("dialect", "language", "target"))`
#'
#' @section Parts of a tree:
#' `fit$feature_importances_` and the like are `NULL`, with a message that names the function:
#'
#' `r other_words_table("part")`
#'
#' @return This page describes arguments. The pages of the functions describe their values.
#' @family tree growing functions
#' @concept rpart.control
#' @concept scikit-learn
#' @concept J48
#' @examples
#' tec_tree(Species ~ ., iris, min_samples_leaf = 10, criterion = "entropy")
#' tec_tree(Species ~ ., iris, control = list(minsplit = 30, maxdepth = 2))
#' tec_tree(Species ~ ., iris, preset = "J48", C = 0.1, M = 5)
#' tec_tree(Species ~ ., iris,
#'   preset = "rpart", method = "class", parms = list(split = "information")
#' )
#' tec_tune(Species ~ ., iris, ccp_alpha = c(0, 0.01, 0.1), cv = 5, scoring = "neg_log_loss")
#' @name other-words
NULL

word <- function(kind, theirs, tool, ours = NULL, advice = NULL, convert = NULL, default = NULL) {
  list(
    kind = kind, theirs = theirs, tool = tool, ours = ours, advice = advice, convert = convert,
    default = default
  )
}

# The files words-*.R add entries.
other_words <- list()

upper_first <- function(x) paste0(toupper(substr(x, 1L, 1L)), substr(x, 2L, nchar(x)))
