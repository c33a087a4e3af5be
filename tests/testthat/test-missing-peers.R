# `missing = "surrogate"` against rpart: splits, surrogates and predictions, on data sets with missing
# values of their own and with holes made at random.

surrogate_fit <- function(data, criterion, ...) {
  tec_tree(class ~ ., data,
    criterion = criterion, preset = "cart", min_bucket = 7, min_split = 20, max_depth = 30,
    threads = 1, ...
  )
}

rpart_fit <- function(data, method, use = 2, style = 0, most = 5) {
  rpart::rpart(class ~ ., data,
    method = method,
    control = rpart::rpart.control(
      minsplit = 20, minbucket = 7, cp = -1, maxdepth = 30, maxcompete = 0,
      maxsurrogate = most, usesurrogate = use, surrogatestyle = style, xval = 0
    )
  )
}

# One line a node of rpart: its primary split and its surrogates, by node number.
rpart_splits <- function(fit) {
  frame <- fit$frame
  inner <- which(frame$var != "<leaf>")
  at <- cumsum(c(1, (frame$ncompete + frame$nsurrogate + 1)[inner]))
  lapply(stats::setNames(seq_along(inner), rownames(frame)[inner]), function(i) {
    rows <- at[i] + seq_len(frame$nsurrogate[inner[i]])
    list(
      variable = as.character(frame$var[inner[i]]), improve = fit$splits[at[i], "improve"],
      n = frame$n[inner[i]],
      surrogate = rownames(fit$splits)[rows], agree = unname(fit$splits[rows, "improve"]),
      adj = unname(fit$splits[rows, "adj"])
    )
  })
}

# Walks both trees from the root; what differs in words. Where the primaries differ the gains must tie, and
# the walk ends there. rpart's left child may be our second.
compare_with_rpart <- function(ours, theirs, data) {
  splits <- rpart_splits(theirs)
  nodes <- as.data.frame(ours)
  mine <- tectree:::surrogates_of(ours)
  wrong <- character()
  ties <- 0
  compared <- 0
  todo <- list(c(1, 1))
  while (length(todo)) {
    id <- todo[[1]][1]
    node <- todo[[1]][2]
    todo <- todo[-1]
    split <- splits[[as.character(id)]]
    leaf <- nodes$kind[node] == "leaf"
    if (is.null(split) && leaf) next
    # A gain of rpart's is a sum over rows for gini, a share of the node's variance for anova.
    theirs_gain <- if (is.null(split)) {
      0
    } else if (theirs$method == "anova") {
      split$improve * nodes$impurity[node]
    } else {
      split$improve / nodes$n[node]
    }
    our_gain <- if (leaf) 0 else nodes$gain[node]
    if (abs(our_gain - theirs_gain) > 1e-7 * max(nodes$impurity[node], 1e-300)) {
      wrong <- c(wrong, paste("gain of node", node, our_gain, theirs_gain))
      next
    }
    children <- nodes$node[nodes$parent == node]
    sizes <- theirs$frame$n[match(c(2 * id, 2 * id + 1), rownames(theirs$frame))]
    s <- mine[mine$node == node, ]
    same <- !leaf && !is.null(split) && split$variable == nodes$variable[node] &&
      (identical(nodes$n[children], as.double(sizes)) ||
        identical(nodes$n[rev(children)], as.double(sizes)))
    if (!same) {
      ties <- ties + 1
      next
    }
    compared <- compared + 1
    if (!isTRUE(all.equal(s$agree, split$agree, tolerance = 1e-9))) {
      wrong <- c(wrong, paste("agreement of node", node, toString(s$agree), toString(split$agree)))
    } else if (!identical(s$variable, split$surrogate)) {
      # The order among equal agreements, and who is last, is the columns' in both.
      wrong <- c(wrong, paste("surrogates of node", node))
    } else if (!isTRUE(all.equal(s$adj, split$adj, tolerance = 1e-9))) {
      wrong <- c(wrong, paste("adj of node", node))
    }
    if (sizes[1] == sizes[2]) {
      # Either order fits: told apart by the rows' predictions below.
      ties <- ties + 1
      next
    }
    if (!identical(nodes$n[children], as.double(sizes))) children <- rev(children)
    todo <- c(todo, list(c(2 * id, children[1]), c(2 * id + 1, children[2])))
  }
  list(wrong = wrong, ties = ties, compared = compared)
}

make_holes <- function(data, share) {
  for (name in setdiff(names(data), "class")) {
    data[[name]][stats::runif(nrow(data)) < share] <- NA
  }
  data
}

surrogate_sets <- c(
  "iris", "wine", "glass", "vehicle", "sonar", "pima", "ionosphere", "heart_statlog", "cmc"
)
