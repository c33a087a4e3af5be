#' Export a tree or forest to PMML
#'
#' Writes a `TreeModel` of PMML 4.4, or for a forest a `MiningModel`, with the same predictions as
#' [predict()][predict.tec_tree].
#'
#' @details
#' Numbers, dates and times (days and seconds since 1970, UTC) and time differences are fields of
#' type `double`. Labels are fields of type `string`; a value that is not listed counts as missing
#' (`invalidValueTreatment = "asMissing"`). The ids of nodes are those of the tree.
#'
#' Only the predicates decide where a row goes. With `missingValueStrategy = "none"`, a comparison
#' with a missing value is false. Surrogates are written out. The branch for all other rows comes
#' last and is `True`; without such a branch, the prediction is that of the node
#' (`noTrueChildStrategy`). So the result does not depend on how a reader implements these
#' strategies. Elements are nested as deeply as the tree; some XML readers stop at 256 levels.
#'
#' A tree or forest with `missing = "fractional"`, the default of trees, sends a row with a missing
#' value down several branches, which predicates cannot express. If no training row had a missing
#' value where the tree splits, or in a column that the forest uses, such a row goes down the branch
#' with the largest weight (`missing = "majority"`), and a message says so. Otherwise choose another
#' `missing`. All other rows, trees and forests, including forests with the defaults of
#' [tec_forest()], are predicted as by `predict()`. No scoring engine was available: the tests check
#' the document against the schema of PMML 4.4, and read it with a separate reader that follows the
#' rules of PMML.
#'
#' @section Forests:
#' A forest is a `MiningModel` with one `Segment` per tree. Numbers are combined by `average`, as
#' are the class shares of a forest with `probability = TRUE`. Otherwise the trees are combined by
#' `majorityVote`, and the probabilities in the output are the shares of votes. These are those of
#' `type = "votes"` of [predict()][predict.tec_forest], not the mean shares of `type = "prob"`,
#' because PMML combines the trees in only one way. PMML does not define which class wins a tied
#' vote; in this package it is the first. Forests with costs cannot be written. If one tree has no
#' prediction, the forest has none (`missingPredictionTreatment = "returnMissing"`).
#'
#' @section Boosting:
#' A model of [tec_boost()] for numbers is an `average`. A model for classes is a `modelChain`. Its
#' trees are summed (`sum`, one model per sum), or vote (`weightedMajorityVote`, AdaBoost). A
#' `RegressionModel` converts the result to probabilities and the class, by `logit` for two classes
#' and `softmax` for more. They are those of [predict()][predict.tec_boost].
#'
#' @inheritParams tec_onnx
#' @return The document as one string of class `tec_code`, which prints as the text. It is invisible
#'   if a file was written.
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
    "PMML cannot choose a class by the costs of a forest.",
    i = "Use {.fn tec_code}, {.fn tec_onnx} or {.fn tec_sql}, or grow the forest with \\
         {.arg class_weights} instead of {.arg cost}."
  )
}

# ---- a forest: a MiningModel with one segment per tree, combined by mean or vote ----

pmml_forest <- function(form) {
  method <- if (form$by == "votes") "majorityVote" else "average"
  trees <- lapply(form$trees, pmml_tree, output = FALSE)
  pmml_mining(form, pmml_function(form), pmml_probabilities(form$classes), method, trees)
}

# A MiningModel. `models`: the lines of each model.
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

# A chain: models whose outputs are the sums or the shares of votes, then a regression on these
# outputs that applies the link.
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

# For two classes, the table of the first class has the log odds, and readers give the rest to the
# other class.
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

# ---- a tree, and parts of all models ----

check_xml <- function(text) {
  odd <- grepl("[\u0001-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]", text)
  if (any(odd)) {
    shown <- encodeString(text[odd][1L])
    abort_export("XML cannot hold control characters.", x = "Text: {.val {shown}}.")
  }
}

# Tags with their attributes, one tag per value. Attributes that are NULL are left out. The content
# of a tag that is not closed follows it.
pmml_tag <- function(.tag, ..., close = TRUE) {
  given <- Filter(Negate(is.null), list(...))
  attributes <- Map(function(name, value) {
    paste0(" ", name, "=\"", xml_text(as.character(value)), "\"", recycle0 = TRUE)
  }, names(given), given)
  do.call(paste0, c("<", .tag, unname(attributes), if (close) "/>" else ">", recycle0 = TRUE))
}

xml_text <- function(x) {
  x <- enc2utf8(x)
  marks <- c(
    "&" = "&amp;", "<" = "&lt;", ">" = "&gt;", "\"" = "&quot;", "\t" = "&#9;", "\n" = "&#10;",
    "\r" = "&#13;"
  )
  odd <- grepl("[&<>\"\t\n\r]", x)
  for (mark in names(marks)) x[odd] <- gsub(mark, marks[[mark]], x[odd], fixed = TRUE)
  x
}

# `output`: FALSE for the trees of a forest; `target`: FALSE for trees that are summed for a class.
pmml_tree <- function(form, output = TRUE, target = TRUE) {
  c(
    pmml_tag(
      "TreeModel",
      functionName = pmml_function(form), missingValueStrategy = "none",
      noTrueChildStrategy = paste0(
        "return", if ("stop" %in% form$other$kind) "Last" else "Null", "Prediction"
      ),
      splitCharacteristic = "multiSplit", close = FALSE
    ),
    pmml_schema(form, target),
    if (output) {
      node <- pmml_output("node()", "entityId", type = "string")
      c("<Output>", pmml_probabilities(form$classes), node, "</Output>")
    },
    pmml_nodes(form), "</TreeModel>"
  )
}

pmml_function <- function(form) if (is.null(form$classes)) "regression" else "classification"

pmml_schema <- function(form, target = TRUE) {
  mining <- pmml_tag(
    "MiningField",
    name = vapply(form$inputs, `[[`, "", "name"), usageType = "active",
    invalidValueTreatment = "asMissing"
  )
  c(
    "<MiningSchema>", mining,
    if (target) pmml_tag("MiningField", name = form$response, usageType = "target"),
    "</MiningSchema>"
  )
}

pmml_field <- function(x) {
  if (is.null(x$levels)) {
    return(pmml_tag("DataField", name = x$name, optype = "continuous", dataType = "double"))
  }
  c(
    pmml_tag(
      "DataField",
      name = x$name, optype = "categorical", dataType = "string", close = FALSE
    ),
    pmml_tag("Value", value = x$levels), "</DataField>"
  )
}

pmml_output <- function(name, feature, value = NULL, type = "double") {
  optype <- if (type == "double") "continuous" else "categorical"
  pmml_tag(
    "OutputField",
    name = name, optype = optype, dataType = type, feature = feature, value = value
  )
}

pmml_probabilities <- function(
  classes, name = paste0("probability(", classes, ")", recycle0 = TRUE)
) {
  pmml_output(name, "probability", classes)
}

# The text of each node, parents first. After a node, as many open nodes are closed as it is deeper
# than the next node. The child for all other rows comes last. Nodes wait on a stack, so there is no
# limit on the depth.
pmml_nodes <- function(form) {
  n <- length(form$value)
  edge <- form$edges
  last <- edge$child %in% form$other$to
  test <- replace(rep("<True/>", n), edge$child[!last], pmml_predicates(form, !last))
  kids <- order(edge$parent, !last, -edge$branch)
  kids <- split(edge$child[kids], factor(edge$parent[kids], seq_len(n)))
  places <- waiting <- integer(n)
  waiting[1L] <- size <- 1L
  for (i in seq_len(n)) {
    places[i] <- top <- waiting[size]
    size <- size - 1L
    for (kid in kids[[top]]) waiting[size <- size + 1L] <- kid
  }
  depth <- form$depth[places]
  close <- strrep("\n</Node>", depth - c(depth[-1L], 0L) + 1L)
  lines <- c(list(pmml_starts(form), test), pmml_shares(form), sep = "\n")
  paste0(do.call(paste, lines)[places], close)
}

# The opening tag of each node.
pmml_starts <- function(form) {
  classes <- form$classes
  pmml_tag(
    "Node",
    id = seq_along(form$value),
    score = if (is.null(classes)) exact_number(form$value) else classes[form$value],
    recordCount = exact_number(form$weight), close = FALSE
  )
}

# The tags of all nodes, for each class.
pmml_shares <- function(form) {
  lapply(seq_along(form$classes), function(k) {
    share <- exact_number(form$prob[, k])
    pmml_tag(
      "ScoreDistribution",
      value = form$classes[k], recordCount = exact_number(form$prob[, k] * form$weight),
      confidence = share, probability = share
    )
  })
}

# The predicates of some children.
pmml_predicates <- function(form, asked) {
  steps <- form$steps
  holds <- pmml_tests(form, c("in" = "equal", "<=" = "lessOrEqual", ">" = "greaterThan"))
  child <- form$edges$child[asked]
  node <- form$edges$parent[asked]
  at <- match(child, steps$to)
  alone <- !is.na(at) & tabulate(steps$node, length(form$value))[node] == 1L
  out <- rep("<False/>", length(child))
  out[alone] <- vapply(holds[at[alone]], pmml_join, "", operator = "or")
  if (all(alone)) {
    return(out)
  }
  fails <- pmml_tests(form, c("in" = "notEqual", "<=" = "greaterThan", ">" = "lessOrEqual"))
  name <- vapply(form$inputs, `[[`, "", "name")
  gone <- pmml_tag("SimplePredicate", field = name, operator = "isMissing")
  of <- split(seq_along(steps$to), factor(steps$node, seq_along(form$value)))
  out[!alone] <- vapply(which(!alone), function(i) {
    at <- of[[node[i]]]
    pmml_predicate(child[i], steps$to[at], holds[at], fails[at], gone[steps$input[at]])
  }, "")
  out
}

# The predicate that the first step that holds leads to `child`. Step i leads to node `to[i]`. It
# holds if one of the tests `holds[[i]]` is true. It fails if all of the tests `fails[[i]]` are
# true, or if the value is missing (`gone[i]`). Each part is true or false, never unknown.
pmml_predicate <- function(child, to, holds, fails, gone) {
  out <- NULL
  for (i in rev(seq_along(to))) {
    if (to[i] == child) {
      out <- pmml_join("or", c(holds[[i]], out))
    } else if (!is.null(out)) {
      failed <- pmml_join("or", c(gone[i], pmml_join("and", fails[[i]])))
      out <- pmml_join("and", c(failed, out))
    }
  }
  out %||% "<False/>"
}

# The tests of each step, with the operator for each `op`. The tags of all steps are made at once.
pmml_tests <- function(form, operators) {
  steps <- form$steps
  size <- lengths(steps$value)
  step <- rep(seq_along(size), size)
  input <- steps$input[step]
  value <- unlist(steps$value)
  op <- steps$op[step]
  text <- exact_number(value)
  for (j in unique(input[op == "in"])) {
    level <- op == "in" & input == j
    text[level] <- form$inputs[[j]]$levels[value[level]]
  }
  name <- vapply(form$inputs, `[[`, "", "name")
  tags <- pmml_tag(
    "SimplePredicate", field = name[input], operator = operators[op], value = text
  )
  unname(split(tags, factor(step, seq_along(size))))
}

pmml_join <- function(operator, parts) {
  if (length(parts) == 1L) {
    return(parts)
  }
  open <- paste0("<CompoundPredicate booleanOperator=\"", operator, "\">")
  paste(c(open, parts, "</CompoundPredicate>"), collapse = "\n")
}
