#' Convert a tree to partykit
#'
#' A method of [partykit::as.party()] for every kind of split: cuts, intervals, ordered levels, sets
#' of levels and a branch per level. The nodes keep their numbers, and `predict()` gives the same
#' classes, means and nodes. Class probabilities are the shares of the training rows, without
#' `smooth` of [tec_control()].
#'
#' partykit predicts from the training rows, which a fit does not store. So each leaf gets a few
#' artificial rows, weighted to reproduce its class shares and size (or its mean and spread). With
#' `data` the training rows themselves are used. partykit's plots of a numeric response need `data`.
#'
#' partykit's functions are recursive, so R's stack limits the depth of the tree, usually to a
#' little over 100 levels. A deeper tree is an error.
#'
#' # Missing values
#'
#' Surrogate splits are converted too, and rows that no surrogate decides go down the same branch.
#' So predictions for rows with missing values are those of `obj` if its `missing` (see
#' [tec_control()]) is `"surrogate"` (`use_surrogate = 2`), `"majority"`, `"mode"` or `"learned"`.
#' partykit can neither send a row down several branches (`"fractional"`) nor stop at a node
#' (`"drop"`), so such a row goes down the branch with the largest weight. If a column has another
#' type than in training (characters for a factor, whole numbers as doubles, or a term such as
#' `log(x)`), partykit itself drops rows with a missing value.
#'
#' @param obj A tree from [tec_tree()].
#' @param data `NULL`, or the training rows with their response. Not available for trees grown with
#'   `weights`, nor with `criterion = "l1"`, because partykit predicts means.
#' @param ... Must be empty.
#' @return An object of class `constparty`.
#' @family conversions
#' @examplesIf requireNamespace("partykit", quietly = TRUE)
#' fit <- tec_tree(Species ~ ., iris)
#' party <- partykit::as.party(fit)
#' party
#' predict(party, iris[c(1, 71), ], type = "prob")
#' @rawNamespace S3method(partykit::as.party, tec_tree)
#' @rawNamespace export(as.party.tec_tree)
as.party.tec_tree <- function(obj, data = NULL, ...) {
  need_package("partykit", "as.party")
  refuse_dots("as.party", ...)
  check_is_tree(obj, "as.party")
  if (!is.null(data)) {
    check_party_data(obj)
    data <- check_newdata(data, "data")
  }
  terms <- stats::terms(party_formula(obj))
  frame <- party_frame(obj)
  fitted <- if (is.null(data)) leaf_rows(obj) else data_rows(obj, data, parent.frame())
  # Each level of the tree uses several of the nested expressions that R allows.
  if (max(obj$tree$depth) >= getOption("expressions")) abort_party_depth(obj$tree)
  nodes <- party_nodes(obj)
  check_party_depth(nodes, obj$tree)
  # Equals partykit::party(), which would search through all nodes for each node.
  structure(
    list(
      node = nodes, data = frame, fitted = fitted, terms = terms, names = NULL,
      info = list(method = paste0("tectree (", format(obj$criterion), ")"))
    ),
    class = c("constparty", "party")
  )
}

# partykit's functions call themselves once per level; nearly all of them use nodeids().
check_party_depth <- function(nodes, tree) {
  ids <- tryCatch(partykit::nodeids(nodes), error = identity)
  if (!inherits(ids, "error")) {
    return(invisible())
  }
  if (!grepl("stack|nested too deeply|recursion", conditionMessage(ids))) stop(ids)
  abort_party_depth(tree)
}

abort_party_depth <- function(tree) {
  tec_abort("conversion", c(
    "{.pkg partykit} cannot handle a tree as deep as this one.",
    x = "The tree is {max(tree$depth)} deep: partykit calls itself at every level, and R's stack
         is full before the last.",
    i = "Grow it with {.code max_depth = 100}, prune it, or convert a branch: {.code fit[[node]]}."
  ))
}

check_party_data <- function(fit) {
  if (fit$criterion$name == "l1") {
    tec_abort("conversion", c(
      "A tree grown with {.val l1} predicts medians, but partykit predicts means.",
      i = "Leave {.arg data} out: the leaves then get artificial rows whose mean is the median."
    ))
  }
}

# A tree from JSON, or from `x` and `y`, has no formula, so it is built from the column names.
party_formula <- function(fit) {
  if (!is.null(fit$formula)) {
    return(stats::formula(fit))
  }
  right <- Reduce(function(a, b) call("+", a, b), lapply(fit$columns$name, as.name))
  out <- call("~", as.name(fit$response$name), right)
  stats::as.formula(out, env = parent.frame())
}

# One column per predictor, of the type that partykit expects in new rows.
party_frame <- function(fit) {
  columns <- fit$columns
  out <- lapply(seq_along(columns$name), function(j) {
    if (columns$kind[j] == "numeric") {
      return(columns$ptype[[j]])
    }
    if (is.logical(columns$ptype[[j]])) {
      return(logical())
    }
    factor(character(), levels = columns$levels[[j]], ordered = is.ordered(columns$ptype[[j]]))
  })
  names(out) <- columns$name
  response <- list(response_prototype(fit))
  names(response) <- fit$response$name
  structure(c(response, out), row.names = integer(), class = "data.frame")
}

response_prototype <- function(fit) {
  if (fit$response$task == "classification") as_classes(integer(), fit$response) else numeric()
}

# Children come after their parents, so the nested nodes are built from the last one up.
party_nodes <- function(fit) {
  tree <- fit$tree
  n <- length(tree$parent)
  built <- vector("list", n)
  for (i in rev(seq_len(n))) {
    if (tree$kind[i] == 0L) {
      built[[i]] <- partykit::partynode(i)
      next
    }
    kids <- tree$child[tree$child_start[i] + seq_len(tree$n_children[i])]
    built[[i]] <- partykit::partynode(
      i,
      split = party_split(fit, i), kids = built[kids], surrogates = party_surrogates(fit, i)
    )
    built[kids] <- list(NULL)
  }
  built[[1L]]
}

party_split <- function(fit, node) {
  tree <- fit$tree
  variable <- tree$variable[node]
  children <- tree$n_children[node]
  breaks <- tree$breaks[tree$break_start[node] + seq_len(tree$break_count[node])]
  index <- if (tree$kind[node] %in% 1:2) seq_len(children) else node_sides(fit, node)
  check_party_branches(fit, node, breaks, index)
  prob <- as.double(seq_len(children) == party_default(tree, node))
  one_party_split(fit, variable, tree$kind[node], breaks, index, prob)
}

check_party_branches <- function(fit, node, breaks, index) {
  alone <- fit$tree$kind[node] == 4L && !all(seq_len(fit$tree$n_children[node]) %in% index)
  if (alone || any(breaks == Inf)) {
    tec_abort("export", c(
      "partykit has no branches for missing values alone.",
      x = "Node {node} has one, on {.field {fit$columns$name[fit$tree$variable[node]]}}.",
      i = "Grow the tree with {.code missing = \"majority\"}, for example."
    ))
  }
}

# Trees that stop at a missing value have no branch for it, but partykit must go on.
party_default <- function(tree, node) {
  if (!is.na(tree$default_child[node])) {
    return(tree$default_child[node] + 1L)
  }
  kids <- tree$child[tree$child_start[node] + seq_len(tree$n_children[node])]
  which.max(tree$weight[kids])
}

# `index` by interval of a number (kinds 1 and 2), or by level.
one_party_split <- function(fit, variable, kind, breaks, index, prob = NULL, info = NULL) {
  if (is.logical(fit$columns$ptype[[variable]])) {
    # partykit matches sets by level codes, which a logical does not have.
    breaks <- 0.5
  } else if (kind == 3L && fit$columns$kind[variable] == "ordered") {
    index <- index[c(1L, length(index))]
  } else if (kind > 2L) {
    breaks <- NULL
  }
  # The response is the first column.
  partykit::partysplit(
    as.integer(variable) + 1L, breaks, as.integer(index),
    prob = prob, info = info
  )
}

party_surrogates <- function(fit, node) {
  tree <- fit$tree
  if (!tree$by_surrogate) {
    return(NULL)
  }
  at <- tree$surrogate_start[node] + seq_len(tree$surrogate_count[node])
  lapply(at, function(i) {
    kind <- tree$surrogate_kind[i]
    flipped <- tree$surrogate_flipped[i]
    index <- if (kind == 1L) (if (flipped) 2:1 else 1:2) else surrogate_sides(fit, i)
    one_party_split(
      fit, tree$surrogate_variable[i], kind, tree$surrogate_cut[i], index,
      info = list(agree = tree$surrogate_agree[i], adj = tree$surrogate_adj[i])
    )
  })
}

# Artificial rows for every leaf. For classes there is one per class, weighted by its share; for
# numbers there are two, whose distance from the mean gives the error of the leaf. Empty leaves get
# a negligible weight.
leaf_rows <- function(fit) {
  tree <- fit$tree
  leaf <- which(tree$kind == 0L)
  weight <- pmax(tree$weight[leaf], 1e-9)
  if (fit$response$task == "classification") {
    levels <- length(fit$response$levels)
    out <- data.frame(fitted = rep(leaf, levels))
    out$response <- as_classes(rep(seq_len(levels), each = length(leaf)), fit$response)
    out$weight <- as.vector(weight * tree$prob[leaf, , drop = FALSE])
    out <- out[out$weight > 0, , drop = FALSE]
  } else {
    spread <- tree$impurity[leaf]
    if (fit$criterion$name != "l1") spread <- sqrt(spread)
    out <- data.frame(
      fitted = rep(leaf, 2L), response = c(tree$yval[leaf] - spread, tree$yval[leaf] + spread),
      weight = rep(weight / 2, 2L)
    )
  }
  out <- out[order(out$fitted), , drop = FALSE]
  rownames(out) <- NULL
  names(out) <- c("(fitted)", "(response)", "(weights)")
  out
}

data_rows <- function(fit, data, env) {
  truth <- node_response(fit, data, NULL, env)
  known <- !is.na(truth)
  node <- predict.tec_tree(fit, data, type = "node")
  response <- if (fit$response$task == "classification") as_classes(truth, fit$response) else truth
  out <- data.frame(fitted = node[known], response = response[known])
  names(out) <- c("(fitted)", "(response)")
  out
}
