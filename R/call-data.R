# A fit has no data and no environment. Functions that need the training rows evaluate the data of
# the tree's call in the user's environment, and use them only if they still are the training rows.

# list(data = the rows used, y = their response, used_weights = how they count in sums, source = all
# rows, weights, subset), or an error that says why `arg` must be given. A row of frequency n is one
# row of `data`.
training_rows <- function(fit, what, env, arg = "data") {
  reason <- "Its call does not say where its rows are."
  if (!is.null(fit$call) && !grepl("^`?<", shorten_code(call_data(fit$call)))) {
    other <- FALSE
    for (frame in unique(list(env, globalenv()))) {
      found <- tryCatch(suppressWarnings(call_rows(fit, frame)), error = function(e) NULL)
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
    source = source, weights = input$weights, subset = input$subset, input = input,
    na_action = na_action
  )
}

# Without `data` the variables are those of the formula.
formula_variables <- function(fit, env) {
  names <- unique(c(free_variables(fit$formula[[2L]]), unlist(fit$columns$needs)))
  as.data.frame(mget(names, envir = env, inherits = TRUE), optional = TRUE)
}

# Whether rows are the training rows: the same number, the same classes or mean and, without missing
# values, the same number in each leaf.
same_rows <- function(fit, found, env) {
  if (count_found(fit, found) != fit$n_rows && !inherits(fit, "tec_boost")) {
    return(FALSE)
  }
  if (inherits(fit, "tec_forest")) {
    return(same_forest_rows(fit, found, env))
  }
  if (is_mars(fit)) {
    return(same_mars_rows(fit, found, env))
  }
  if (inherits(fit, c("tec_boost", "tec_rotation"))) {
    return(same_boost_rows(fit, found))
  }
  tree <- fit$tree
  weight <- found$used_weights %||% rep(1, length(found$y))
  if (is.null(fit$honest) && !isTRUE(all.equal(sum(weight), tree$weight[1L]))) {
    return(FALSE)
  }
  truth <- tryCatch(node_response(fit, found$data, found$y, env), error = function(e) NULL)
  if (!is.null(fit$honest)) {
    return(!is.null(truth) && !anyNA(truth) && same_honest_root(fit, truth, weight))
  }
  same <- !is.null(truth) && !anyNA(truth) && same_root(fit, truth, weight)
  values <- if (same) {
    tryCatch(code_newdata(fit, found$data, needed_columns(fit), env), error = function(e) NULL)
  }
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

counts_frequencies <- function(fit) meaning_of(fit$control) == "frequency"

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
