# Tested in test-as_tec_forest.R.
# The training rows of a forest of another package, and what follows from them.

# list(data, given) where `data` are the rows as given, or as the call of `x` finds them, or NULL.
# `n`: how many there must be.
foreign_rows <- function(call, data, needs, n, env) {
  if (!is.null(data)) {
    data <- check_newdata(data, "data")
    lost <- setdiff(needs, names(data))
    if (length(lost)) {
      tec_abort("conversion", c(
        "{.arg data} lacks predictors of the forest.",
        x = "Missing {cli::qty(length(lost))}column{?s}: {.field {lost}}."
      ))
    }
    return(list(data = data, given = TRUE))
  }
  found <- tryCatch(suppressWarnings(as_columns(rows_of_foreign_call(call, env))),
    error = function(e) NULL
  )
  if (!is.data.frame(found) || !all(needs %in% names(found))) found <- found[0L]
  if (NROW(found) != n && length(found)) {
    found <- found[stats::complete.cases(found[needs]), , drop = FALSE]
  }
  list(data = if (length(found) && nrow(found) == n) found, given = FALSE)
}

rows_of_foreign_call <- function(call, env) {
  named <- as.list(call)[-1L]
  if (length(names(named)) == 0L) names(named) <- rep("", length(named))
  plain <- which(names(named) == "")
  # By position the second argument of a formula is the data, the first one otherwise x.
  first <- if (length(plain)) eval(named[[plain[1L]]], env)
  by_place <- if (inherits(first, "formula") && length(plain) > 1L) {
    named[[plain[2L]]]
  } else if ("formula" %in% names(named) && length(plain)) {
    named[[plain[1L]]]
  } else if (is.data.frame(first) || is.matrix(first)) {
    named[[plain[1L]]]
  }
  eval(named$data %||% named$x %||% by_place, env)
}

# The columns as as_tec_tree() has them, with `code`, what the other package compared by level.
# `types` and `levels` are used where there are no rows.
foreign_forest_columns <- function(name, predictors, data, env, types, levels) {
  if (!is.null(data)) {
    values <- lapply(predictors, function(expr) {
      if (is.symbol(expr)) data[[as.character(expr)]] else eval(expr, data, env)
    })
    types <- vapply(values, party_type, "")
    levels <- lapply(values, function(v) {
      if (is.character(v)) levels(factor(v)) else levels(v)
    })
  }
  columns <- foreign_columns(name, unname(types), unname(levels))
  if (!is.null(data)) {
    stamped <- vapply(values, inherits, NA, c("Date", "POSIXct", "difftime"))
    columns$ptype[stamped] <- lapply(values[stamped], function(v) v[0L])
  }
  columns$code <- lapply(seq_along(name), function(j) {
    if (types[j] == "logical") 0:1 else seq_along(columns$levels[[j]])
  })
  columns
}

# The expressions of the predictors by their names. A call such as log(x) is a variable of the
# terms.
foreign_predictors <- function(name, terms = NULL) {
  variables <- as.list(attr(terms, "variables"))[-1L]
  names(variables) <- vapply(variables, term_key, "")
  lapply(name, function(one) variables[[one]] %||% suppressWarnings(as.name(one)))
}

# A fit without its trees.
foreign_forest <- function(columns, response, predictors, criterion, formula, n, source) {
  columns$needs <- Map(function(expr, name) {
    if (is.symbol(expr)) name else free_variables(expr)
  }, predictors, columns$name, USE.NAMES = FALSE)
  control <- unclass(tec_control(missing = "majority", prune = "none", smooth = 0))
  control <- resolve_control(structure(control, class = "tec_control"), "tec")
  list(
    trees = NULL, columns = columns[c("name", "kind", "levels", "ptype", "needs")],
    response = response, criterion = tec_criterion(criterion), control = control,
    formula = formula, predictors = predictors, call = NULL, source = source,
    n_rows = row_count(n), n_missing_response = 0L,
    settings = list(probability = FALSE, sample_weights = FALSE),
    version = getNamespaceVersion("tectree")[["version"]]
  )
}

# Weights by the rows, if there are any; then, `by_weight`, where rows without a value go.
finish_foreign <- function(fit, rows, counts, env, by_weight = TRUE) {
  weighed <- if (fit$weights_known) {
    fit
  } else if (!is.null(rows$data)) {
    tryCatch(weigh_leaves(fit, rows$data, counts, env), tec_error = function(e) {
      if (rows$given) stop(e)
      NULL
    })
  }
  if (is.null(weighed) && rows$given) {
    tec_abort("conversion", c(
      "{.arg data} must be the training rows of the forest.",
      x = "No row of it comes to some of the leaves."
    ))
  }
  if (is.null(weighed)) {
    tec_inform("conversion", c(
      "The training rows were not found, so all leaves have the same weight.",
      i = "Predictions do not depend on it. Give {.arg data} for {.fn tec_shap} and for trees \\
           that show how many rows their nodes have."
    ))
  }
  out <- weighed %||% fit
  if (by_weight) out <- set_unknown_sides(out)
  out$weights_known <- !is.null(weighed)
  check_fit(out)
  out
}
