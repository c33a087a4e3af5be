# A reader of PMML's TreeModel by the rules of the standard (missingValueStrategy "none": a
# comparison with a missing value is false), which shares nothing with the writer. A target of
# verify_export().
pmml_target <- function(text) {
  root <- xml2::xml_ns_strip(xml2::read_xml(unclass(text)))
  model <- xml2::xml_find_first(root, "TreeModel")
  forest <- xml2::xml_find_first(root, "MiningModel")
  fields <- xml2::xml_find_all(root, "DataDictionary/DataField")
  listed <- lapply(fields, function(f) xml2::xml_attr(xml2::xml_find_all(f, "Value"), "value"))
  names(listed) <- xml2::xml_attr(fields, "name")
  if (is.na(xml2::xml_name(forest))) return(pmml_model_target(model, listed))
  method <- xml2::xml_attr(xml2::xml_find_first(forest, "Segmentation"), "multipleModelMethod")
  if (method == "modelChain") return(pmml_chain_target(forest, listed))
  pmml_forest_target(forest, listed)
}

# By the rules of modelChain: each model knows the outputs of those before it, the last one decides.
# It is a regression on sums, or on shares of votes, by "softmax", or by "logit" of two classes,
# where the second one takes the rest.
pmml_chain_target <- function(chain, listed) {
  segments <- xml2::xml_find_all(chain, "Segmentation/Segment")
  parts <- lapply(segments, function(s) xml2::xml_children(s)[[2L]])
  stopifnot(
    xml2::xml_attr(chain, "functionName") == "classification",
    xml2::xml_find_num(chain, "count(Output/OutputField[@feature='probability'])") ==
      length(listed[[xml2::xml_attr(
        xml2::xml_find_first(chain, "MiningSchema/MiningField[@usageType='target']"), "name"
      )]])
  )
  last <- parts[[length(parts)]]
  stopifnot(xml2::xml_name(last) == "RegressionModel")
  sums <- lapply(parts[-length(parts)], pmml_forest_target, listed = listed)
  names <- lapply(parts[-length(parts)], function(part) {
    xml2::xml_attr(xml2::xml_find_all(part, "Output/OutputField"), "name")
  })
  tables <- lapply(xml2::xml_find_all(last, "RegressionTable"), function(t) {
    of <- xml2::xml_find_all(t, "NumericPredictor")
    list(
      class = xml2::xml_attr(t, "targetCategory"),
      intercept = as.numeric(xml2::xml_attr(t, "intercept")),
      name = xml2::xml_attr(of, "name"), coefficient = as.numeric(xml2::xml_attr(of, "coefficient"))
    )
  })
  method <- xml2::xml_attr(last, "normalizationMethod")
  target <- xml2::xml_attr(
    xml2::xml_find_first(last, "MiningSchema/MiningField[@usageType='target']"), "name"
  )
  class <- vapply(tables, `[[`, "", "class")
  function(rows) {
    known <- Map(function(part, name) {
      said <- part(rows)
      out <- said$votes %||% matrix(said$response)
      colnames(out) <- name
      out
    }, sums, names)
    known <- do.call(cbind, known)
    # A missing value of one model ends the chain.
    known[is.na(rowSums(known)), ] <- NA
    y <- vapply(tables, function(t) {
      t$intercept + drop(known[, t$name, drop = FALSE] %*% t$coefficient) + 0 * known[, 1L]
    }, numeric(nrow(rows)))
    prob <- if (method == "softmax") {
      exp(y - apply(y, 1, max)) / rowSums(exp(y - apply(y, 1, max)))
    } else {
      stopifnot(method == "logit", length(tables) == 2L)
      cbind(stats::plogis(y[, 1L]), stats::plogis(-y[, 1L]))
    }
    prob <- prob[, match(listed[[target]], class)]
    at <- apply(prob, 1, function(p) if (anyNA(p)) NA else which.max(p))
    list(response = listed[[target]][at], prob = prob)
  }
}

# By the rules of MiningModel: the mean or sum of numbers, the mean of shares, or the class that
# most trees have, by their weights, the first of the listed ones on ties.
pmml_forest_target <- function(forest, listed) {
  part <- xml2::xml_find_first(forest, "Segmentation")
  method <- xml2::xml_attr(part, "multipleModelMethod")
  stopifnot(
    xml2::xml_attr(part, "missingPredictionTreatment") == "returnMissing",
    xml2::xml_find_num(part, "count(Segment/True)") == xml2::xml_find_num(part, "count(Segment)")
  )
  given <- as.numeric(xml2::xml_attr(xml2::xml_find_all(part, "Segment"), "weight"))
  trees <- lapply(xml2::xml_find_all(part, "Segment/TreeModel"), pmml_model_target, listed = listed)
  target <- xml2::xml_find_first(forest, "MiningSchema/MiningField[@usageType='target']")
  target <- xml2::xml_attr(target, "name")
  classes <- listed[[target]]
  function(rows) {
    said <- lapply(trees, function(tree) tree(rows))
    mean_of <- function(x) Reduce(`+`, x) / length(x)
    response <- lapply(said, `[[`, "response")
    if (is.na(target)) {
      stopifnot(method == "sum")
      return(list(response = Reduce(`+`, response)))
    }
    if (!length(classes)) return(list(response = mean_of(response)))
    if (method == "average") {
      shares <- mean_of(lapply(said, `[[`, "prob"))
      best <- shares >= apply(shares, 1, max) * (1 - 1e-12)
      class <- apply(best, 1, function(x) if (anyNA(x)) NA else which(x)[1])
      return(list(response = classes[class], prob = shares))
    }
    stopifnot(method %in% c("majorityVote", "weightedMajorityVote"))
    weight <- rep(1, length(trees))
    if (method == "weightedMajorityVote") weight <- given
    votes <- Map(function(x, w) w * outer(x, classes, "=="), response, weight)
    votes <- Reduce(`+`, votes) / sum(weight)
    class <- apply(votes, 1, function(x) if (anyNA(x)) NA else which.max(x))
    list(response = classes[class], votes = votes)
  }
}

pmml_model_target <- function(model, listed) {
  stopifnot(xml2::xml_attr(model, "missingValueStrategy") == "none")
  last <- xml2::xml_attr(model, "noTrueChildStrategy") == "returnLastPrediction"
  top <- read_pmml_tree(xml2::xml_find_first(model, "Node"))
  function(rows) {
    out <- lapply(seq_len(nrow(rows)), function(i) {
      row <- lapply(stats::setNames(names(rows), names(rows)), function(name) {
        x <- rows[[name]][i]
        if (length(listed[[name]]) && !x %in% listed[[name]] || is.na(x)) NULL else x
      })
      pmml_walk(top, row, last)
    })
    classes <- xml2::xml_attr(model, "functionName") == "classification"
    response <- vapply(out, function(n) if (is.null(n)) NA_character_ else n$score, "")
    list(
      node = vapply(out, function(n) if (is.null(n)) NA_integer_ else as.integer(n$id), 0L),
      response = if (classes) response else as.numeric(response),
      prob = if (classes) {
        do.call(rbind, lapply(out, function(n) n$prob %||% rep(NA_real_, length(top$prob))))
      }
    )
  }
}

read_pmml_tree <- function(node) {
  parts <- xml2::xml_children(node)
  kind <- xml2::xml_name(parts)
  shares <- parts[kind == "ScoreDistribution"]
  list(
    id = xml2::xml_attr(node, "id"), score = xml2::xml_attr(node, "score"),
    test = pmml_test(parts[[1L]]),
    prob = as.numeric(xml2::xml_attr(shares, "probability")),
    children = lapply(parts[kind == "Node"], read_pmml_tree)
  )
}

pmml_test <- function(x) {
  a <- as.list(xml2::xml_attrs(x))
  parts <- lapply(xml2::xml_children(x), pmml_test)
  switch(xml2::xml_name(x),
    True = function(row) TRUE,
    False = function(row) FALSE,
    CompoundPredicate = switch(a$booleanOperator,
      or = function(row) any(vapply(parts, function(p) p(row), NA)),
      and = function(row) all(vapply(parts, function(p) p(row), NA))
    ),
    SimplePredicate = function(row) {
      x <- row[[a$field]]
      if (a$operator == "isMissing") return(is.null(x))
      if (is.null(x)) return(FALSE)
      switch(a$operator,
        equal = x == a$value, notEqual = x != a$value,
        lessOrEqual = x <= as.numeric(a$value), greaterThan = x > as.numeric(a$value)
      )
    }
  )
}

pmml_walk <- function(node, row, last) {
  if (!length(node$children)) {
    return(node)
  }
  for (child in node$children) {
    if (child$test(row)) return(pmml_walk(child, row, last))
  }
  if (last) node else NULL
}
