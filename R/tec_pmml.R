#' Export a tree to PMML
#'
#' A `TreeModel` of PMML 4.4 that predicts what [predict()][predict.tec_tree] predicts.
#'
#' @details
#' Numbers, dates and times (days and seconds since 1970, UTC) and time differences are fields of
#' type `double`, labels of type `string`; a value that is not listed counts as missing
#' (`invalidValueTreatment = "asMissing"`). The ids of nodes are those of the tree.
#'
#' Where a row goes is said by the predicates alone. With `missingValueStrategy = "none"` a comparison
#' with a missing value is false: surrogates are spelled out, the branch that takes the other rows
#' comes last and is `True`, and where there is none the prediction is that of the node
#' (`noTrueChildStrategy`). So nothing is left to how a strategy is read.
#'
#' Rows that a tree with `missing = "fractional"` shares out over several branches are an error; with
#' `fractional = "null"` they get no prediction. No scoring engine was available: the tests check the
#' document by the schema of PMML 4.4 and read it by PMML's rules with a reader of their own.
#'
#' @inheritParams tec_onnx
#' @return The document as one string of class `tec_code`, which prints as the text.
#' @family models that leave R
#' @examplesIf requireNamespace("xml2", quietly = TRUE)
#' fit <- tec_tree(Species ~ ., iris, preset = "cart")
#' tec_pmml(fit)
#' @export
tec_pmml <- function(fit, file = NULL, fractional = c("predict", "null")) {
  need_package("xml2", "tec_pmml")
  fractional <- match_choice(fractional[1L], fractional_choices, "fractional")
  form <- export_tree(fit, "tec_pmml", fractional)
  if (form$shared) abort_shared("PMML, as it is written here,")
  check_xml(c(form$response, form$classes, unlist(lapply(form$inputs, `[`, c("name", "levels")))))
  document <- xml2::as_xml_document(list(PMML = pmml_document(form)))
  text <- structure(as.character(document), class = "tec_code")
  if (is.null(file)) {
    return(text)
  }
  write_utf8(unclass(text), file)
  invisible(text)
}

check_xml <- function(text) {
  odd <- grepl("[\001-\010\013\014\016-\037]", text)
  if (any(odd)) {
    shown <- encodeString(text[odd][1L])
    abort_export("XML cannot hold control characters.", x = "Text: {.val {shown}}.")
  }
}

# An element for xml2: its attributes are R's, so none may be called names or class.
pmml_element <- function(..., content = list()) {
  given <- list(...)
  out <- content
  for (name in names(given)) attr(out, name) <- as.character(given[[name]])
  out
}

pmml_document <- function(form) {
  kinds <- vapply(form$nodes, function(n) if (length(n)) n$other$kind else "leaf", "")
  if (all(c("stop", "null") %in% kinds)) abort_shared("A tree some of whose branches are empty")
  target <- list(name = form$response, levels = form$classes)
  fields <- lapply(c(form$inputs, list(target)), pmml_field)
  mining <- lapply(form$inputs, function(x) {
    pmml_element(name = x$name, usageType = "active", invalidValueTreatment = "asMissing")
  })
  mining <- c(mining, list(pmml_element(name = form$response, usageType = "target")))
  model <- list(
    MiningSchema = named("MiningField", mining), Output = pmml_outputs(form),
    Node = pmml_nodes(form)
  )
  pmml_element(
    xmlns = "http://www.dmg.org/PMML-4_4", version = "4.4",
    content = list(
      Header = list(Application = pmml_element(
        name = "tectree", version = utils::packageVersion("tectree")
      )),
      DataDictionary = pmml_element(
        numberOfFields = length(fields), content = named("DataField", fields)
      ),
      TreeModel = pmml_element(
        functionName = if (is.null(form$classes)) "regression" else "classification",
        missingValueStrategy = "none",
        noTrueChildStrategy = paste0(
          "return", if ("stop" %in% kinds) "Last" else "Null", "Prediction"
        ),
        splitCharacteristic = "multiSplit", content = model
      )
    )
  )
}

named <- function(name, x) stats::setNames(x, rep(name, length(x)))

pmml_field <- function(x) {
  if (is.null(x$levels)) {
    return(pmml_element(name = x$name, optype = "continuous", dataType = "double"))
  }
  values <- lapply(x$levels, function(v) pmml_element(value = v))
  pmml_element(
    name = x$name, optype = "categorical", dataType = "string", content = named("Value", values)
  )
}

pmml_outputs <- function(form) {
  prob <- lapply(form$classes, function(class) {
    pmml_element(
      name = paste0("probability(", class, ")"), optype = "continuous", dataType = "double",
      feature = "probability", value = class
    )
  })
  node <- pmml_element(
    name = "node()", optype = "categorical", dataType = "string", feature = "entityId"
  )
  named("OutputField", c(prob, list(node)))
}

# Children before their parents, so that no depth is too deep to be put together.
pmml_nodes <- function(form) {
  predicate <- rep(list(list(True = list())), length(form$nodes))
  for (node in form$nodes[lengths(form$nodes) > 0L]) {
    for (child in setdiff(node$children, node$other$to)) {
      predicate[[child]] <- pmml_predicate(form, node$steps, child)
    }
  }
  out <- vector("list", length(form$nodes))
  for (i in rev(seq_along(form$nodes))) {
    node <- form$nodes[[i]]
    last <- node$other$to
    children <- out[c(setdiff(node$children, last), last)]
    classes <- form$classes
    shares <- lapply(seq_along(classes), function(k) {
      share <- exact_number(form$prob[i, k])
      pmml_element(
        value = classes[k], recordCount = exact_number(form$prob[i, k] * form$weight[i]),
        confidence = share, probability = share
      )
    })
    score <- if (is.null(classes)) exact_number(form$value[i]) else classes[form$value[i]]
    out[[i]] <- pmml_element(
      id = i, score = score, recordCount = exact_number(form$weight[i]),
      content = c(predicate[[i]], named("ScoreDistribution", shares), named("Node", children))
    )
  }
  out[[1L]]
}

# Whether the first step that holds leads to `child`. Each part is true or false, never unknown.
pmml_predicate <- function(form, steps, child) {
  out <- NULL
  for (step in rev(steps)) {
    input <- form$inputs[[step$input]]
    if (step$to == child) {
      out <- pmml_join("or", c(pmml_tests(step, input, TRUE), out))
    } else if (!is.null(out)) {
      gone <- list(SimplePredicate = pmml_element(field = input$name, operator = "isMissing"))
      test <- pmml_tests(step, input, FALSE)
      out <- pmml_join("and", c(pmml_join("or", c(gone, pmml_join("and", test))), out))
    }
  }
  out %||% list(False = list())
}

pmml_tests <- function(step, input, holds) {
  operator <- switch(step$op,
    "in" = c("equal", "notEqual"), "<=" = c("lessOrEqual", "greaterThan"),
    ">" = c("greaterThan", "lessOrEqual")
  )
  value <- if (step$op == "in") input$levels[step$value] else exact_number(step$value)
  tests <- lapply(value, function(v) {
    pmml_element(field = input$name, operator = operator[2L - holds], value = v)
  })
  named("SimplePredicate", tests)
}

pmml_join <- function(operator, parts) {
  if (length(parts) == 1L) {
    return(parts)
  }
  list(CompoundPredicate = pmml_element(booleanOperator = operator, content = parts))
}
