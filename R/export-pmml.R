# Tested in test-tec_pmml.R.

check_xml <- function(text) {
  odd <- grepl("[\u0001-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]", text)
  if (any(odd)) {
    shown <- encodeString(text[odd][1L])
    abort_export("XML cannot hold control characters.", x = "Text: {.val {shown}}.")
  }
}

# Tags with their attributes, one for each value; one that is not closed has content, which comes
# after it.
pmml_tag <- function(.tag, ..., close = TRUE) {
  given <- list(...)
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
  for (mark in names(marks)) x <- gsub(mark, marks[[mark]], x, fixed = TRUE)
  x
}

# `output`: not for the trees of a forest; `target`: not for those that are summed up for a class.
pmml_tree <- function(form, output = TRUE, target = TRUE) {
  kinds <- vapply(form$nodes, function(n) if (length(n)) n$other$kind else "leaf", "")
  c(
    pmml_tag(
      "TreeModel",
      functionName = pmml_function(form), missingValueStrategy = "none",
      noTrueChildStrategy = paste0(
        "return", if ("stop" %in% kinds) "Last" else "Null", "Prediction"
      ),
      splitCharacteristic = "multiSplit", close = FALSE
    ),
    pmml_schema(form, target), if (output) c("<Output>", pmml_outputs(form), "</Output>"),
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

pmml_outputs <- function(form) {
  classes <- form$classes %||% character()
  prob <- pmml_probabilities(classes)
  if (!is.null(form$trees)) {
    return(prob)
  }
  c(prob, pmml_tag(
    "OutputField",
    name = "node()", optype = "categorical", dataType = "string", feature = "entityId"
  ))
}

pmml_probabilities <- function(classes, name = paste0("probability(", classes, ")")) {
  if (length(classes) == 0L) {
    return(character())
  }
  pmml_tag(
    "OutputField",
    name = name, optype = "continuous", dataType = "double", feature = "probability",
    value = classes
  )
}

# The lines of all nodes. Nodes that are open wait on a stack, so no depth is too deep.
pmml_nodes <- function(form) {
  tests <- pmml_predicates(form)
  starts <- pmml_starts(form)
  shares <- pmml_shares(form)
  lines <- vector("list", 2L * length(form$nodes))
  stack <- list(list(node = 1L, test = "<True/>"))
  done <- 0L
  while (length(stack)) {
    top <- stack[[length(stack)]]
    stack[[length(stack)]] <- NULL
    done <- done + 1L
    if (is.null(top$node)) {
      lines[[done]] <- "</Node>"
      next
    }
    node <- form$nodes[[top$node]]
    lines[[done]] <- c(starts[top$node], top$test, shares[top$node, ])
    # The child for the rows that no other takes comes last.
    last <- node$other$to
    kids <- rev(c(setdiff(node$children, last), last))
    waiting <- lapply(kids, function(k) {
      test <- tests[[top$node]][[as.character(k)]]
      list(node = k, test = if (identical(k, last)) "<True/>" else test)
    })
    stack <- c(stack, list(list()), waiting)
  }
  unlist(lines)
}

# The opening tag of each node.
pmml_starts <- function(form) {
  classes <- form$classes
  pmml_tag(
    "Node",
    id = seq_along(form$nodes),
    score = if (is.null(classes)) exact_number(form$value) else classes[form$value],
    recordCount = exact_number(form$weight), close = FALSE
  )
}

# A row for each node, a column for each class.
pmml_shares <- function(form) {
  tags <- vapply(seq_along(form$classes), function(k) {
    share <- exact_number(form$prob[, k])
    pmml_tag(
      "ScoreDistribution",
      value = form$classes[k], recordCount = exact_number(form$prob[, k] * form$weight),
      confidence = share, probability = share
    )
  }, character(length(form$nodes)))
  matrix(tags, length(form$nodes))
}

# For each node its predicates by child, without that of the child that comes last.
pmml_predicates <- function(form) {
  steps <- lapply(form$nodes, `[[`, "steps")
  name <- vapply(form$inputs, `[[`, "", "name")
  tests <- pmml_tests(form, name, unlist(steps, recursive = FALSE))
  gone <- pmml_tag("SimplePredicate", field = name, operator = "isMissing")
  before <- cumsum(c(0L, lengths(steps)))
  lapply(seq_along(form$nodes), function(i) {
    children <- setdiff(form$nodes[[i]]$children, form$nodes[[i]]$other$to)
    at <- before[i] + seq_along(steps[[i]])
    of <- list(steps = steps[[i]], holds = tests$holds[at], fails = tests$fails[at])
    out <- lapply(children, pmml_predicate, of = of, gone = gone)
    stats::setNames(out, children)
  })
}

# Whether the first step that holds leads to `child`. Each part is true or false, never unknown.
pmml_predicate <- function(child, of, gone) {
  out <- NULL
  for (i in rev(seq_along(of$steps))) {
    step <- of$steps[[i]]
    if (step$to == child) {
      out <- pmml_join("or", c(of$holds[[i]], out))
    } else if (!is.null(out)) {
      fails <- pmml_join("or", c(gone[step$input], pmml_join("and", of$fails[[i]])))
      out <- pmml_join("and", c(fails, out))
    }
  }
  out %||% "<False/>"
}

# For each step the tests that it holds, one of which must be true, and that it fails, all of which
# must. Tags are made for all steps at once. `name`: of the inputs.
pmml_tests <- function(form, name, steps) {
  get <- function(name) unlist(lapply(steps, `[[`, name))
  size <- lengths(lapply(steps, `[[`, "value"))
  step <- rep(seq_along(steps), size)
  input <- get("input")[step]
  value <- get("value")
  op <- get("op")[step]
  text <- exact_number(value)
  for (j in unique(input[op == "in"])) {
    level <- op == "in" & input == j
    text[level] <- form$inputs[[j]]$levels[value[level]]
  }
  tags <- function(operators) {
    out <- pmml_tag(
      "SimplePredicate", field = name[input], operator = operators[op], value = text
    )
    unname(split(out, factor(step, seq_along(steps))))
  }
  list(
    holds = tags(c("in" = "equal", "<=" = "lessOrEqual", ">" = "greaterThan")),
    fails = tags(c("in" = "notEqual", "<=" = "greaterThan", ">" = "lessOrEqual"))
  )
}

pmml_join <- function(operator, parts) {
  if (length(parts) == 1L) {
    return(parts)
  }
  paste(c(
    pmml_tag("CompoundPredicate", booleanOperator = operator, close = FALSE), parts,
    "</CompoundPredicate>"
  ), collapse = "\n")
}
