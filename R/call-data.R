# A fit has no data and no environment. Functions that need the training rows evaluate the data of
# the tree's call in the user's environment, and use them only if they still are the training rows.

# The expression that gave a call its rows.
call_data <- function(call) {
  if (!is.null(call$x)) {
    return(as.call(list(quote(data.frame), call$x, y = call$y)))
  }
  call$data %||% call$formula
}

shorten_code <- function(expr) fit_width(expr_text(expr), 40L)

call_rows <- function(fit, env) {
  call <- fit$call
  if (is.null(call$x)) {
    formula <- fit$formula
    environment(formula) <- env
    source <- if (!is.null(call$data)) check_data(eval(call$data, env))
    source <- source %||% formula_variables(fit, env)
    input <- formula_input(formula, source, call[["weights"]], call$subset, env)
  } else {
    x <- eval(call$x, env)
    input <- xy_input(x, eval(call$y, env), eval(call[["weights"]], env), eval(call$subset, env))
    source <- as_columns(x)
    source[[input$response_name]] <- input$response
  }
  y <- check_response(input$response, input$response_name, input$n)
  na_action <- given_action(eval(call$na.action, env))
  if (is_mars(fit)) na_action <- na_action %||% stats::na.omit
  action <- resolve_na_action(na_action)
  used <- suppressMessages(used_rows(input, y, action), classes = "tec_message")
  rows <- used$rows %||% seq_len(input$n)
  weights <- scaled_weights(used$weights, used$rows, meaning_of(fit$control))
  list(
    data = source[rows, , drop = FALSE], y = y[rows], used_weights = weights[rows],
    source = source, rows = rows, weights = input$weights, subset = input$subset, input = input,
    na_action = na_action
  )
}

# Without `data` the variables are those of the formula.
formula_variables <- function(fit, env) {
  names <- unique(c(free_variables(fit$formula[[2L]]), unlist(fit$columns$needs)))
  as.data.frame(mget(names, envir = env, inherits = TRUE), optional = TRUE)
}

# The number of rows that a fit saw.
count_found <- function(fit, found) {
  if (counts_frequencies(fit) && !is.null(found$used_weights)) {
    sum(found$used_weights)
  } else {
    length(found$y)
  }
}

same_root <- function(fit, truth, weight) {
  tree <- fit$tree
  if (fit$response$task == "regression") {
    return(fit$criterion$name != "l2" ||
      isTRUE(all.equal(sum(weight * truth) / sum(weight), tree$yval[1L])))
  }
  weight <- weight * (fit$class_factors$prior %||% rep(1, ncol(tree$prob)))[truth]
  shares <- vapply(seq_len(ncol(tree$prob)), function(k) sum(weight[truth == k]), 0) / sum(weight)
  isTRUE(all.equal(shares, tree$prob[1L, ]))
}

# Whether rows are the training rows: of a tree the same number, the same classes or mean and,
# without missing values, the same number in each leaf.
same_rows <- function(fit, found, env) UseMethod("same_rows")

#' @exportS3Method
same_rows.tec_tree <- function(fit, found, env) {
  if (count_found(fit, found) != fit$n_rows) {
    return(FALSE)
  }
  tree <- fit$tree
  weight <- found$used_weights %||% rep(1, length(found$y))
  if (is.null(fit$honest) && !isTRUE(all.equal(sum(weight), tree$weight[1L]))) {
    return(FALSE)
  }
  truth <- or_null(node_response(fit, found$data, found$y, env))
  if (!is.null(fit$honest)) {
    return(!is.null(truth) && !anyNA(truth) && same_honest_root(fit, truth, weight))
  }
  same <- !is.null(truth) && !anyNA(truth) && same_root(fit, truth, weight)
  values <- if (same) or_null(code_newdata(fit, found$data, needed_columns(fit), env))
  if (is.null(values)) {
    return(FALSE)
  }
  if (any(vapply(values, anyNA, NA))) {
    return(TRUE)
  }
  leaf <- tree$kind == 0L
  node <- route_rows(fit, values, length(truth))
  counts <- if (counts_frequencies(fit)) {
    rowsum_at(weight, node, length(leaf))
  } else {
    tabulate(node, length(leaf))
  }
  isTRUE(all.equal(as.double(counts[leaf]), as.double(tree$n[leaf])))
}

# Some may have been held out: the same number and mean, or as many and all that can be told.
#' @exportS3Method
same_rows.tec_boost <- function(fit, found, env) {
  if (!is.null(fit$marks)) {
    ready <- or_null(suppressMessages(input_ready(fit, found)))
    return(!is.null(ready) && length(parts_that_differ(fit, marks_of(ready))) == 0L)
  }
  n <- count_found(fit, found)
  if (n != fit$n_rows) {
    return(n == fit$n_rows + (fit$settings$held_out %||% 0))
  }
  levels <- fit$response$levels
  y <- if (is.null(levels)) found$y else match(as.character(found$y), levels)
  root <- root_of(y, found$used_weights %||% rep(1, length(y)), length(levels))
  isTRUE(all.equal(root, fit$root))
}

#' @exportS3Method
same_rows.tec_rotation <- function(fit, found, env) same_rows.tec_boost(fit, found, env)

# The rows of a boosted model or of a rotation forest, as when it was grown.
input_ready <- function(fit, found) {
  asked <- forest_asked(fit, found$na_action)
  copy_rows(prepare(found$input, asked, fit$control, preset = "forest"))
}

# The same number and response, and in the first tree the same weights of the leaves.
#' @exportS3Method
same_rows.tec_forest <- function(fit, found, env) {
  if (count_found(fit, found) != fit$n_rows) {
    return(FALSE)
  }
  ready <- or_null(suppressMessages(forest_ready(fit, found$input, found$na_action)))
  if (is.null(ready) || !isTRUE(all.equal(root_of_rows(ready), fit$root))) {
    return(FALSE)
  }
  if (!is.null(fit$marks)) {
    return(length(parts_that_differ(fit, marks_of(ready))) == 0L)
  }
  unknown <- any(vapply(ready$frame$value[fit$used], anyNA, NA))
  if (unknown || isTRUE(fit$settings$sample_weights)) {
    return(TRUE)
  }
  one <- cut_forest(fit, 1L)
  y <- used_response(ready)
  bag <- forest_bags(one, y, NULL, 1L)[, 1L]
  node <- core_forest_predict(one, used_values(ready), length(bag), "node", 1L)[, 1L]
  weight <- bag * (used_weights(ready) %||% 1) * class_factor_of(fit, y)
  leaf <- which(one$trees$variable == 0L)
  reached <- rowsum_at(weight, node, length(one$trees$variable))
  isTRUE(all.equal(reached[leaf], leaf_weights(one$trees, leaf, length(fit$response$levels))))
}

# The terms have the same means.
#' @exportS3Method
same_rows.tec_mars <- function(fit, found, env) {
  if (count_found(fit, found) != fit$n_rows) {
    return(FALSE)
  }
  values <- or_null(code_rows(fit, found$data, env))
  if (is.null(values)) {
    return(FALSE)
  }
  basis <- mars_basis_of(fit, values, nrow(found$data))
  isTRUE(all.equal(column_means(basis, found$used_weights), fit$means))
}

# list(data = the rows used, y = their response, used_weights = how they count in sums, source = all
# rows, weights, subset), or an error that says why `arg` must be given. A row of frequency n is one
# row of `data`.
training_rows <- function(fit, what, env, arg = "data") {
  reason <- "Its call does not say where its rows are."
  if (!is.null(fit$call) && !grepl("^`?<", shorten_code(call_data(fit$call)))) {
    other <- FALSE
    for (frame in unique(list(env, globalenv()))) {
      found <- or_null(suppressWarnings(call_rows(fit, frame)))
      if (!is.null(found) && same_rows(fit, found, frame)) {
        return(found)
      }
      other <- other || !is.null(found)
    }
    reason <- paste0(
      "{.code {shorten_code(call_data(fit$call))}} of its call ",
      if (other) "holds other rows now." else "cannot be evaluated here."
    )
  }
  tec_abort("data", c(
    "{.fn {what}} needs {.arg {arg}}: a {model_word(fit)} keeps no rows.", x = reason,
    i = "Give the rows, for example {.code {what}(fit, {arg} = training)}."
  ))
}

rows_of_call <- function(fit, what, env) {
  found <- training_rows(fit, what, env)
  weights <- fit$call$sample_weights
  if (!is.null(weights)) {
    found$sample_weights <- eval_argument(
      weights, found$source, env, globalenv(), "sample_weights"
    )
  }
  found
}

# `rows`: list(data, y, weights, sample_weights). Returns list(ready =, sample_weights = of the rows
# used, input =, n =).
forest_training <- function(fit, what, env, rows) {
  data <- rows$data
  check_needs_data(
    data, y = rows$y, weights = rows$weights, sample_weights = rows$sample_weights
  )
  found <- if (is.null(data)) {
    rows_of_call(fit, what, env)
  } else {
    list(
      input = given_input(fit, check_newdata(data, "data"), rows$y, rows$weights, env),
      sample_weights = rows$sample_weights
    )
  }
  ready <- suppressMessages(
    forest_ready(fit, found$input, found$na_action), classes = "tec_message"
  )
  if (!is.null(data)) check_same_rows(fit, ready, what, is.null(rows$weights))
  sampled <- check_sample_weights(found$sample_weights, found$input$n, ready$rows)
  if (isTRUE(fit$settings$sample_weights) && is.null(sampled)) {
    tec_abort("data", c(
      "{.fn {what}} needs {.arg sample_weights}: the forest was grown with them.",
      i = "Give them with {.arg data}."
    ))
  }
  list(
    ready = ready, sample_weights = sampled, input = found$input, n = found$input$n,
    na_action = found$na_action
  )
}
