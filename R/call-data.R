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
    source = source, weights = input$weights, subset = input$subset, input = input,
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
