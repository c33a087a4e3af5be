#' Convert trees of other packages
#'
#' Converts a tree of rpart, C50 (one tree, no rules, no boosting) or partykit to a `tec_tree`.
#' [print()][print.tec_tree], [tec_rules()], [explain()], [plot()][plot.tec_tree],
#' [summary()][summary.tec_tree] and [predict()][predict.tec_tree] accept it. Its predictions are
#' the same.
#'
#' @details
#' Class probabilities are the shares in the leaves, without the smoothing of C5.0. Nodes are
#' renumbered in pre-order, with the smaller values of a numeric split first. Titles name the
#' source: "gini, from rpart", "gain_ratio, from C5.0", "from ctree". Trees of partykit do not store
#' their criterion, so `impurity` and `gain` are those of `gini` or `l2`, computed from the classes
#' or numbers in the node; they did not choose the split. C5.0 stores numbers in single precision,
#' so its cuts are increased by half a step of that precision. Competing splits and complexity
#' tables are dropped.
#'
#' # Missing values
#'
#' Surrogate splits of rpart and partykit are converted too, and predictions for missing values are
#' the same as in the original package:
#' * rpart: with `usesurrogate = 2`, a row that no surrogate decides goes down the branch with more
#'   rows, otherwise it stops. If both branches have the same number of rows, rpart stops; the
#'   converted tree takes the first.
#' * partykit: if no surrogate has a value, partykit draws a branch with the probabilities of the
#'   split; the converted tree takes the most probable one. Only binary surrogates of binary splits
#'   are kept; a warning names the others.
#' * C5.0: the row goes down every branch with a fraction of its weight, as with `"fractional"`.
#'
#' @param x A tree of class `rpart`, `C5.0` or `party`.
#' @param ... Must be empty.
#' @return An object of class `tec_tree`.
#' @family conversions
#' @examplesIf requireNamespace("rpart", quietly = TRUE)
#' fit <- as_tec_tree(rpart::rpart(Species ~ ., iris))
#' fit
#' tec_rules(fit)
#' @order 1
#' @export
as_tec_tree <- function(x, ...) {
  UseMethod("as_tec_tree")
}

#' @export
as_tec_tree.tec_tree <- function(x, ...) {
  refuse_dots("as_tec_tree", ...)
  x
}

#' @export
as_tec_tree.default <- function(x, ...) {
  tec_abort("conversion", c(
    "{.arg x} must be a tree of class {.cls rpart}, {.cls C5.0} or {.cls party}.",
    x = "It is {describe(x)}.",
    i = "{.fn partykit::as.party} makes a party of many other trees."
  ))
}

# A tree from `records`, one list per node; the first is the root. A record has children (their
# positions among the records, in branch order; none for a leaf), variable, kind, breaks, levels and
# branch (of the levels, from 0), default (from 0), surrogates, weight, n, yval, and prob (for
# classes) or impurity (for numbers). `routing`: how rows with a missing value are sent down.
assemble_tree <- function(records, classes, impurity, routing) {
  order <- preorder(records)
  parent <- order$parent
  records <- records[order$at]
  n <- length(records)
  number <- function(name, empty) {
    vapply(records, function(r) as.double(if (is.null(r[[name]])) empty else r[[name]]), 0)
  }
  kind <- as.integer(number("kind", 0))
  inner <- kind != 0L
  pool <- function(name) lapply(records, function(r) r[[name]])
  breaks <- pool("breaks")
  levels <- pool("levels")
  children <- ifelse(inner, lengths(pool("children")), 0L)
  start <- function(count) as.integer(cumsum(c(0L, count))[seq_len(n)])
  edge <- order(parent)[-1L]
  tree <- list(
    parent = parent, depth = order$depth, kind = kind,
    variable = as.integer(number("variable", 0)), n_children = children,
    child_start = start(children), child = NULL,
    break_start = start(lengths(breaks)), break_count = lengths(breaks),
    breaks = as.double(unlist(breaks)),
    level_start = start(lengths(levels)), level_count = lengths(levels),
    level = as.integer(unlist(levels)), level_child = as.integer(unlist(pool("branch"))),
    default_child = ifelse(inner, as.integer(number("default", NA)), NA_integer_),
    n = number("n", 0), weight = number("weight", 0), yval = number("yval", NA),
    impurity = number("impurity", NA)
  )
  # In pre-order, the children of a node are in branch order.
  tree$child <- as.integer(edge[order(parent[edge], edge)])
  tree$prob <- matrix(as.double(unlist(pool("prob"))), nrow = n, ncol = classes, byrow = TRUE)
  if (classes > 0L) tree$impurity <- apply(tree$prob, 1L, impurity)
  tree <- add_surrogates(c(tree, routing), pool("surrogates"))
  add_gains(tree, inner)
}

# Rows with a missing value go down the default branch; there are no surrogates.
by_default <- list(unknown = 0L, by_surrogate = FALSE)

# `surrogates`: one list per node of lists with variable, kind, flipped, cut, levels, branch (of the
# levels, from 0), agree and adj. Their level sets are stored after those of the nodes.
add_surrogates <- function(tree, surrogates) {
  all <- unlist(surrogates, recursive = FALSE)
  number <- function(name) vapply(all %||% list(), function(s) as.double(s[[name]]), 0)
  levels <- lapply(all, `[[`, "levels")
  count <- lengths(surrogates)
  starts <- function(count) as.integer(cumsum(c(0L, count))[seq_along(count)])
  out <- list(
    surrogate_start = starts(count), surrogate_count = count,
    surrogate_variable = as.integer(number("variable")),
    surrogate_kind = as.integer(number("kind")), surrogate_flipped = number("flipped") == 1,
    surrogate_cut = number("cut"),
    surrogate_level_start = length(tree$level) + starts(lengths(levels)),
    surrogate_level_count = lengths(levels),
    surrogate_agree = number("agree"), surrogate_adj = number("adj")
  )
  tree$level <- c(tree$level, as.integer(unlist(levels)))
  tree$level_child <- c(tree$level_child, as.integer(unlist(lapply(all, `[[`, "branch"))))
  c(tree, out)
}

# A surrogate from `side`, the branch (from 0) of each level, NA for an unseen level.
levels_surrogate <- function(variable, side, kind, agree = NA, adj = NA) {
  seen <- which(!is.na(side))
  out <- list(
    variable = variable, kind = 4L, flipped = FALSE, cut = 0, levels = seen,
    branch = as.integer(side[seen]), agree = agree, adj = adj
  )
  last <- sum(side == side[1L])
  in_two <- length(seen) == length(side) && sum(diff(side) != 0) == 1L
  if (kind != "ordered" || !in_two) {
    return(out)
  }
  out$levels <- out$branch <- integer()
  out$kind <- 3L
  out$cut <- last
  out$flipped <- side[1L] == 1L
  out
}

number_surrogate <- function(variable, cut, flipped, agree = NA, adj = NA) {
  list(
    variable = variable, kind = 1L, flipped = flipped, cut = cut, levels = integer(),
    branch = integer(), agree = agree, adj = adj
  )
}

preorder <- function(records) {
  n <- length(records)
  at <- parent <- depth <- integer(n)
  stack <- list(c(1L, 0L, 0L))
  done <- 0L
  while (length(stack)) {
    top <- stack[[length(stack)]]
    stack[[length(stack)]] <- NULL
    done <- done + 1L
    at[done] <- top[1L]
    parent[done] <- top[2L]
    depth[done] <- top[3L]
    for (child in rev(records[[top[1L]]]$children)) {
      stack[[length(stack) + 1L]] <- c(child, done, top[3L] + 1L)
    }
  }
  list(at = at[seq_len(done)], parent = parent[seq_len(done)], depth = depth[seq_len(done)])
}

add_gains <- function(tree, inner) {
  edge <- edges(tree)
  weight <- tree$weight[edge$child]
  below <- rowsum(weight * tree$impurity[edge$child], edge$parent)
  total <- rowsum(weight, edge$parent)
  gain <- rep(NA_real_, length(inner))
  at <- as.integer(rownames(below))
  gain[at] <- tree$impurity[at] - below[, 1L] / pmax(total[, 1L], 1e-300)
  tree$gain <- gain
  tree$score <- gain
  tree$exact <- ifelse(inner, TRUE, NA)
  tree
}

# The converted tree in the form that tec_tree() returns. `source`: the tool that grew it, for the
# titles.
as_fit <- function(records, columns, response, criterion, preset, terms, control = tec_control(),
                   routing = by_default, source = NULL) {
  criterion <- tec_criterion(criterion)
  impurity <- if (criterion$units == "bits") function(p) shannon_entropy(p) else gini_index
  tree <- assemble_tree(records, length(response$levels), impurity, routing)
  predictors <- foreign_predictors(columns$name, terms)
  columns$needs <- foreign_needs(predictors, columns$name)
  # The tree and its shares stay those of the other tool.
  control$smooth <- control$smooth %||% 0
  control <- resolve_control(control, preset)
  if (control$prune == "auto") control$prune <- "none"
  fit <- new_fit("tec_tree", list(
    tree = tree, columns = columns[c("name", "kind", "levels", "ptype", "needs")],
    response = response, criterion = criterion, control = control,
    preset = preset, formula = bare_formula(terms), predictors = predictors, call = NULL,
    source = source, n_rows = row_count(tree$n[1L]), n_missing_response = 0L
  ))
  check_fit(fit)
  fit
}

# The expressions of the predictors, by name. A call such as log(x) is one of the variables of the
# terms.
foreign_predictors <- function(name, terms = NULL) {
  variables <- as.list(attr(terms, "variables"))[-1L]
  names(variables) <- vapply(variables, term_key, "")
  lapply(name, function(one) variables[[one]] %||% suppressWarnings(as.name(one)))
}

# A symbol is in the session's encoding, which may lack some letters of the name.
foreign_needs <- function(predictors, name) {
  Map(function(expr, name) {
    if (is.symbol(expr)) name else free_variables(expr)
  }, predictors, name, USE.NAMES = FALSE)
}

# Columns from their names and the training rows.
columns_of_values <- function(name, values) {
  levels <- lapply(values, function(v) if (is.character(v)) sort(unique(v)) else levels(v))
  columns <- foreign_columns(name, vapply(values, type_of_values, ""), levels)
  stamped <- vapply(values, inherits, NA, c("Date", "POSIXct", "difftime"))
  columns$ptype[stamped] <- lapply(values[stamped], function(v) v[0L])
  columns
}

type_of_values <- function(v) {
  known <- c("ordered", "factor", "character", "logical")
  c(known[vapply(known, function(class) inherits(v, class), NA)], "numeric")[1L]
}

# Columns from their names and the types that model frames record.
foreign_columns <- function(name, type, levels) {
  kind <- ifelse(type %in% c("factor", "character", "logical"), "nominal", "numeric")
  kind[type == "ordered"] <- "ordered"
  levels[type == "logical"] <- list(c("FALSE", "TRUE"))
  ptype <- lapply(type, function(t) {
    switch(t,
      factor = factor(character()), ordered = ordered(character()), character = character(),
      logical = logical(), numeric()
    )
  })
  list(name = name, kind = unname(kind), levels = unname(levels), ptype = ptype)
}

foreign_response <- function(name, levels) {
  list(
    name = name, task = if (is.null(levels)) "regression" else "classification",
    levels = levels, ptype = if (is.null(levels)) numeric() else factor(character())
  )
}

# The response as written in the formula.
response_text <- function(terms) {
  at <- attr(terms, "response")
  if (isTRUE(at > 0)) expr_text(attr(terms, "variables")[[at + 1L]]) else "y"
}

bare_formula <- function(terms) {
  if (is.null(terms)) {
    return(NULL)
  }
  out <- stats::formula(terms)
  attributes(out) <- NULL
  class(out) <- "formula"
  out
}
