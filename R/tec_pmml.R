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

abort_pmml_cost <- function() {
  abort_export(
    "PMML has no way to choose a class by the costs of a forest.",
    i = "Use {.fn tec_code}, {.fn tec_onnx} or {.fn tec_sql}, or grow the forest with \\
         {.arg class_weights} instead of {.arg cost}."
  )
}

# ---- a forest: a MiningModel of a segment for each tree, whose mean or vote is taken ----

pmml_forest <- function(form) {
  method <- if (form$by == "votes") "majorityVote" else "average"
  trees <- lapply(form$trees, pmml_tree, output = FALSE)
  pmml_mining(form, pmml_function(form), pmml_probabilities(form$classes), method, trees)
}

# A MiningModel of `models`, the lines of each.
pmml_mining <- function(form, task, outputs, method, models, weight = NULL, target = TRUE) {
  weight <- if (!is.null(weight)) exact_number(weight)
  segment <- pmml_tag("Segment", id = seq_along(models), weight = weight, close = FALSE)
  c(
    pmml_tag("MiningModel", functionName = task, close = FALSE), pmml_schema(form, target),
    if (length(outputs)) c("<Output>", outputs, "</Output>"),
    pmml_tag(
      "Segmentation",
      multipleModelMethod = method, missingPredictionTreatment = "returnMissing", close = FALSE
    ),
    unlist(Map(function(open, lines) c(open, "<True/>", lines, "</Segment>"), segment, models)),
    "</Segmentation>", "</MiningModel>"
  )
}

# ---- boosted classifiers ----

# A chain: models whose outputs are the sums, or the shares of votes; then a regression on these
# that knows the link.
pmml_linked <- function(form) {
  link <- form$link
  names <- c(form$response, vapply(form$inputs, `[[`, "", "name"))
  own <- "sum_"
  while (any(startsWith(names, own))) own <- paste0(own, "_")
  field <- paste0(own, seq_along(link$base))
  votes <- !is.null(link$vote)
  trees <- lapply(form$trees, pmml_tree, output = FALSE, target = votes)
  mining <- function(...) pmml_mining(form, ...)
  sums <- if (votes) {
    shares <- pmml_probabilities(link$levels, field)
    list(mining("classification", shares, "weightedMajorityVote", trees, link$vote))
  } else {
    lapply(which(seq_along(field) %in% link$output), function(s) {
      output <- pmml_output(field[s], "predictedValue")
      mining("regression", output, "sum", trees[link$output == s], target = FALSE)
    })
  }
  chain <- c(sums, list(pmml_link(form, field)))
  mining("classification", pmml_probabilities(link$levels), "modelChain", chain)
}

# Readers take the first of two classes, whose number is the log odds, and the other for the rest.
pmml_link <- function(form, field) {
  link <- form$link
  votes <- !is.null(link$vote)
  two <- length(link$levels) == 2L
  known <- if (votes) seq_along(field) else which(seq_along(field) %in% link$output)
  # The shares of votes are the sums divided by the sum of all votes.
  factor <- if (votes) 1 / (length(link$levels) - 1) else 1
  table <- function(class, intercept, of, factor) {
    c(
      pmml_tag(
        "RegressionTable",
        intercept = exact_number(intercept), targetCategory = class, close = FALSE
      ),
      pmml_tag("NumericPredictor", name = field[of], coefficient = exact_number(factor)),
      "</RegressionTable>"
    )
  }
  tables <- if (two) {
    signs <- if (votes) c(-1, 1) else rep(1, length(known))
    c(
      table(link$levels[2L], link$base[length(field)], known, signs),
      table(link$levels[1L], 0, integer(), numeric())
    )
  } else {
    unlist(lapply(seq_along(field), function(s) {
      table(link$levels[s], link$base[s], intersect(s, known), factor)
    }))
  }
  c(
    pmml_tag(
      "RegressionModel",
      functionName = "classification", normalizationMethod = if (two) "logit" else "softmax",
      close = FALSE
    ),
    "<MiningSchema>", pmml_tag("MiningField", name = field[known], usageType = "active"),
    pmml_tag("MiningField", name = form$response, usageType = "target"), "</MiningSchema>", tables,
    "</RegressionModel>"
  )
}
