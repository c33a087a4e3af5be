# A boosted classifier as the writers of forests take it: its trees, and the link from what they add
# up to, to classes and probabilities.

# What exports of any forest give: the classes, if any.
forest_classes <- function(fit) fit$link$levels %||% fit$response$levels

# What predict() says; by a single tree at a time where `missing` is not as the model has it.
expected_of_linked <- function(fit, newdata, missing) {
  n <- nrow(newdata)
  link <- fit$link
  values <- suppressWarnings(code_rows(fit, newdata, parent.frame()))
  score <- if (missing == "as_fitted") {
    boost_scores(link$model, values, n)[[1L]]
  } else {
    sum_of_trees(fit, values, n, missing)
  }
  gone <- is.na(rowSums(score))
  said <- function(type) {
    out <- finish_boost(link$model, replace(score, is.na(score), 0), type)
    if (is.matrix(out)) out[gone, ] <- NA else out[gone] <- NA
    if (is.factor(out)) as.character(out) else out
  }
  list(response = said("response"), prob = said("prob"), link = said("link"))
}

sum_of_trees <- function(fit, values, n, missing) {
  link <- fit$link
  score <- matrix(rep(link$base, each = n), n, length(link$base))
  for (i in seq_len(length(fit))) {
    tree <- with_missing(forest_tree(fit, i), missing)
    said <- predict_coded(tree, values, n, if (is.null(link$vote)) "response" else "prob")
    if (is.null(link$vote)) {
      score[, link$output[i]] <- score[, link$output[i]] + said
    } else {
      at <- cbind(seq_len(n), best_answer(said, NULL))
      score[at] <- score[at] + link$vote[i]
    }
    if (missing == "null") {
      none <- vapply(predict_paths(tree, values, n), function(p) any(p$by_default), NA)
      score[none, ] <- NA
    }
  }
  score
}

# ---- Code: inst/export/end_boost.* ----

linked_code_fields <- function(fit, lang, words) {
  link <- fit$link
  numbers <- code_numbers(lang)
  csv <- function(x) wrap_items(x, ", ")
  output <- link$output %||% 1L
  list(
    N_CLASSES = length(link$levels), SUMS = length(link$base),
    OUTPUT = csv(output - 1L + words$base), VOTE = csv(numbers(link$vote %||% 0)),
    BASE = csv(numbers(link$base)), SCALE = numbers(link$scale)
  )
}

# ---- SQL ----

# What follows the columns of the trees: list(steps, last), as forest_sums() has it.
linked_sums <- function(form, sql, parts, own, asked) {
  link <- form$link
  added <- function(s) {
    if (is.null(link$vote)) {
      return(parts$name[link$output == s])
    }
    # NULL where a tree has no prediction.
    vote <- sql_real(link$vote, sql)
    paste("CASE", parts$name, "WHEN", s, "THEN", vote, "ELSE 0 *", parts$name, "END")
  }
  sums <- vapply(seq_along(link$base), function(s) {
    sql_plus(c(sql_real(link$base[s], sql), added(s)))
  }, "")
  name <- paste0(own, "sum_", seq_along(sums))
  steps <- list(paste(sums, "AS", name))
  if (asked == "link") {
    return(list(steps = steps, last = name))
  }
  if (asked == "class") {
    return(list(steps = steps, last = linked_choice(link, name, sql)))
  }
  if (length(name) == 1L) {
    return(list(steps = steps, last = sql_logistic(c(paste("-1 *", name), name), sql)))
  }
  linked_softmax(link, steps, name, own, sql)
}

linked_choice <- function(link, sums, sql) {
  labels <- sql_string(link$levels, sql)
  none <- paste("WHEN", paste(sums, "IS NULL", collapse = " OR "), "THEN NULL")
  if (length(sums) == 1L) {
    return(sql_case(c(none, paste("WHEN", sums, "> 0 THEN", labels[2L])), labels[1L]))
  }
  sql_case(c(none, first_largest(sums, labels)), labels[length(labels)])
}

# The lines of a CASE: `then` of the first of the largest numbers, unless it is the last.
first_largest <- function(numbers, then) {
  n <- length(numbers)
  vapply(seq_len(n - 1L), function(i) {
    later <- paste(numbers[i], ">=", numbers[(i + 1L):n], collapse = " AND ")
    paste("WHEN", later, "THEN", then[i])
  }, "")
}

# A query for the largest sum, one for the odds against it, and the shares of these.
linked_softmax <- function(link, steps, sums, own, sql) {
  most <- paste0(own, "most")
  odds <- paste0(own, "odds_", seq_along(sums))
  n <- length(sums)
  gap <- paste0("(", sums, " - ", most, ")")
  if (link$scale != 1) gap <- paste(gap, "/", sql_real(link$scale, sql))
  # Beyond, EXP() is an error in some databases.
  power <- paste0(
    "CASE WHEN ", gap, " < -700 THEN ", sql_real(0, sql), " ELSE EXP(", gap, ") END"
  )
  list(
    steps = c(steps, list(
      c(sums, paste(sql_case(first_largest(sums, sums), sums[n]), "AS", most)),
      paste(power, "AS", odds)
    )),
    last = paste0(odds, " / (", paste(odds, collapse = " + "), ")")
  )
}

# The logistic function of sums.
sql_logistic <- function(sums, sql) {
  one <- sql_real(1, sql)
  # Beyond, EXP() is an error in some databases.
  paste0(
    "(CASE WHEN (", sums, ") > 700 THEN ", one, " WHEN (", sums, ") < -700 THEN ", sql_real(0, sql),
    " ELSE ", one, " / (", one, " + EXP(-1 * (", sums, "))) END)"
  )
}

# ---- PMML ----

# A chain: models whose outputs are the sums, or the shares of votes; then a regression on these
# that knows the link.
pmml_linked <- function(form) {
  link <- form$link
  names <- c(form$response, vapply(form$inputs, `[[`, "", "name"))
  own <- "sum_"
  while (any(startsWith(names, own))) own <- paste0(own, "_")
  field <- paste0(own, seq_along(link$base))
  sums <- if (is.null(link$vote)) pmml_sums(form, field) else list(pmml_votes(form, field))
  chain <- c(sums, list(pmml_link(form, field)))
  outputs <- pmml_probabilities(link$levels)
  pmml_mining(form, "classification", outputs, "modelChain", chain)
}

pmml_sums <- function(form, field) {
  lapply(which(seq_along(field) %in% form$link$output), function(s) {
    trees <- lapply(
      form$trees[form$link$output == s], pmml_tree, output = FALSE, target = FALSE
    )
    output <- pmml_tag(
      "OutputField",
      name = field[s], optype = "continuous", dataType = "double", feature = "predictedValue"
    )
    pmml_mining(form, "regression", output, "sum", trees, target = FALSE)
  })
}

pmml_votes <- function(form, field) {
  link <- form$link
  outputs <- pmml_probabilities(link$levels, field)
  trees <- lapply(form$trees, pmml_tree, output = FALSE)
  pmml_mining(form, "classification", outputs, "weightedMajorityVote", trees, link$vote)
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

# ---- ONNX ----

# As onnx_forest_outputs(): from the nodes where a row ends to the sums, their softmax, the class.
onnx_linked_outputs <- function(form, id, offset) {
  link <- form$link
  k <- length(link$levels)
  n <- length(form$trees)
  table <- function(name, x, dim = length(x)) onnx_table(id(name), x, "double", dim)
  look_up <- onnx_node("Gather", c(id("added"), id("at")), id("each"), list(axis = list(0L)))
  sums <- if (is.null(link$vote)) {
    # The one sum of two classes stands beside 0 for the first.
    first <- k - length(link$base)
    to <- outer(link$output + first, seq_len(k), "==") + 0
    c(
      table("added", unlist(lapply(form$trees, function(tree) c(NaN, tree$value)))), look_up,
      table("to", t(to), dim(to)), onnx_node("MatMul", c(id("each"), id("to")), id("summed")),
      table("base", c(numeric(first), link$base), c(1L, k)),
      onnx_node("Add", c(id("summed"), id("base")), id("sums"))
    )
  } else {
    votes <- do.call(rbind, Map(function(tree, vote) {
      rbind(NaN, vote * diag(k)[tree$value, , drop = FALSE])
    }, form$trees, link$vote))
    c(
      table("added", t(votes), dim(votes)), look_up,
      onnx_node("ReduceMean", id("each"), id("mean"), list(axes = 1L, keepdims = list(0L))),
      table("trees", n), onnx_node("Mul", c(id("mean"), id("trees")), id("sums"))
    )
  }
  c(
    onnx_entries(offset, id), sums, table("scale", link$scale),
    onnx_node("Div", c(id("sums"), id("scale")), id("scaled")),
    onnx_node("Softmax", id("scaled"), "probabilities"),
    onnx_value(12L, "probabilities", "double", k), onnx_choice(link$levels, id("sums"), 1, id)
  )
}
