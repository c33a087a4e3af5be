#' Export a tree or forest to PMML
#'
#' Writes a `TreeModel` of PMML 4.4, or for a forest a `MiningModel`, with the same predictions as
#' [predict()][predict.tec_tree].
#'
#' @details
#' Numbers, dates and times (days and seconds since 1970, UTC) and time differences are fields of
#' type `double`, labels of type `string`; a value that is not listed counts as missing
#' (`invalidValueTreatment = "asMissing"`). The ids of nodes are those of the tree.
#'
#' The predicates alone decide where a row goes. With `missingValueStrategy = "none"` a comparison
#' with a missing value is false: surrogates are spelled out, the branch that takes the other rows
#' comes last and is `True`, and if there is none, the prediction is that of the node
#' (`noTrueChildStrategy`). So the result does not depend on how a reader implements these
#' strategies. Elements are nested as deeply as the tree; some XML readers stop at 256 levels.
#'
#' A tree or forest with `missing = "fractional"`, the default of trees, sends a row with a missing
#' value down several branches, which predicates cannot express. If no row had a missing value where
#' the tree splits, or in a column that the forest uses, such a row goes down the branch of largest
#' weight here (`missing = "majority"`). Else choose another `missing`. All other rows, trees and
#' forests, such as those of [tec_forest()]'s defaults, are as in `predict()`. No scoring engine was
#' available: the tests check the document by the schema of PMML 4.4 and read it by PMML's rules
#' with a separate reader.
#'
#' @section Forests:
#' A forest is a `MiningModel` with a `Segment` for each tree. Numbers are an `average`, as are the
#' class shares of a forest with `probability = TRUE`. Otherwise the trees take a `majorityVote`,
#' and the probabilities in the output are the shares of votes: those of `type = "votes"` of
#' [predict()][predict.tec_forest], not the mean shares of `type = "prob"`, because PMML combines
#' the trees in one way only. Which class wins a tied vote PMML leaves to the reader; here it
#' is the first. Classes chosen by costs cannot be said. Without a prediction of one tree there is
#' none of the forest (`missingPredictionTreatment = "returnMissing"`).
#'
#' @section Boosting:
#' A model of [tec_boost()] for numbers is an `average`. One for classes is a `modelChain`: its
#' trees add up (`sum`, a model for each sum), or vote (`weightedMajorityVote`, AdaBoost), and a
#' `RegressionModel` makes the probabilities and the class of that, by `logit` for two classes and
#' `softmax` for more. They are those of [predict()][predict.tec_boost].
#'
#' @inheritParams tec_onnx
#' @return The document as one string of class `tec_code`, which prints as the text. Invisibly where
#'   a file was written.
#' @family models that leave R
#' @examples
#' fit <- tec_tree(Species ~ ., iris, preset = "cart")
#' tec_pmml(fit)
#'
#' set.seed(1)
#' forest <- tec_forest(Species ~ ., iris, trees = 20, threads = 2)
#' nchar(tec_pmml(forest))
#'
#' # The end of the chain, with the probabilities
#' boosted <- tec_boost(Species ~ ., iris, rounds = 2, threads = 2)
#' tail(strsplit(tec_pmml(boosted), "\n")[[1]], 21)
#' @export
tec_pmml <- function(fit, file = NULL, missing = c("as_fitted", "majority", "null")) {
  plain_numbers(scipen = 999L)
  missing <- if (!base::missing(missing)) match_choice(missing, missing_choices, "missing")
  check_file(file)
  form <- export_unshared(fit, "tec_pmml", missing)
  if (identical(form$by, "cost")) abort_pmml_cost()
  texts <- unlist(lapply(form$inputs, `[`, c("name", "levels")))
  check_xml(c(form$response, form$classes, form$link$levels, texts))
  text <- paste(pmml_document(form), collapse = "\n")
  give_text(structure(text, class = "tec_code"), file)
}

pmml_document <- function(form) {
  response <- list(name = form$response, levels = form$link$levels %||% form$classes)
  fields <- c(form$inputs, list(response))
  c(
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
    "<PMML xmlns=\"http://www.dmg.org/PMML-4_4\" version=\"4.4\">", "<Header>",
    pmml_tag("Application", name = "tectree", version = utils::packageVersion("tectree")),
    "</Header>", pmml_tag("DataDictionary", numberOfFields = length(fields), close = FALSE),
    unlist(lapply(fields, pmml_field)), "</DataDictionary>",
    if (is.null(form$trees)) {
      pmml_tree(form)
    } else if (is_linked(form)) {
      pmml_linked(form)
    } else {
      pmml_forest(form)
    },
    "</PMML>"
  )
}
