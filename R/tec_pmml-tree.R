# Tested in test-tec_pmml.R.

check_xml <- function(text) {
  odd <- grepl("[\u0001-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]", text)
  if (any(odd)) {
    shown <- encodeString(text[odd][1L])
    abort_export("XML cannot hold control characters.", x = "Text: {.val {shown}}.")
  }
}

# Tags with their attributes, one tag for each value. Attributes that are NULL are left out. The
# content of a tag that is not closed comes after it.
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

# `output`: not for the trees of a forest; `target`: not for those that are summed up for a class.
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

# The text of each node, parents first, as many open ones closed after it as it is deeper than the
# next. The child for the rows that no other takes comes last. Nodes wait on a stack, so no depth is
# too deep.
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

# For each class the tags of all nodes.
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

# Whether the first step that holds leads to `child`, of steps that lead `to` nodes: the tests that
# each `holds`, one of which must be true, and that it `fails`, all of which must unless the value
# is `gone`. Each part is true or false, never unknown.
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

# The tests of each step, by the operator for each `op`. Tags are made for all steps at once.
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
