# Reads rpart's trees node by node, and computes their tables from the definition.

# ---- splits and surrogates -----------------------------------------------------------------------

# One line per node of rpart: its primary split and its surrogates, by node number.
rpart_splits <- function(fit) {
  frame <- fit$frame
  inner <- which(frame$var != "<leaf>")
  at <- cumsum(c(1, (frame$ncompete + frame$nsurrogate + 1)[inner]))
  lapply(stats::setNames(seq_along(inner), rownames(frame)[inner]), function(i) {
    rows <- at[i] + seq_len(frame$nsurrogate[inner[i]])
    list(
      variable = as.character(frame$var[inner[i]]), improve = fit$splits[at[i], "improve"],
      surrogate = rownames(fit$splits)[rows], agree = unname(fit$splits[rows, "improve"]),
      adj = unname(fit$splits[rows, "adj"])
    )
  })
}

# Their mean is 1 and their sums are exact.
weights_near_one <- function(n) {
  noise <- round(stats::runif(n %/% 2, -1, 1) * 2^22) / 2^29
  sample(1 + c(noise, -noise, numeric(n %% 2)))
}

# rpart means to leave out surrogates by levels that send fewer than two rows to a side; what it
# counts are the rows sent wrongly (and rightly), so that it leaves out those with fewer than two
# errors. Weights are next to 1.
rpart_leaves_out <- function(surrogates, primary, rows, w, style) {
  vapply(seq_len(nrow(surrogates)), function(i) {
    x <- rows[[surrogates$variable[i]]]
    if (!is.factor(x) || is.ordered(x)) {
      return(FALSE)
    }
    known <- !is.na(rows[[primary]])
    both <- known & !is.na(x)
    right <- surrogates$agree[i] * sum(w[if (style == 1) both else known])
    sum(w[both]) - right < 1.5
  }, NA)
}

# The training rows in each node.
rows_inside <- function(fit, data) {
  parent <- fit$tree$parent
  found <- climb(predict(fit, data, type = "node"), function(node) parent[node])
  split(found$row, factor(found$node, levels = seq_along(parent)))
}

rpart_rows_inside <- function(fit) {
  found <- climb(as.numeric(rownames(fit$frame))[fit$where], function(node) floor(node / 2))
  split(found$row, found$node)
}

# Every row in its end node `at` and in all above it, in the order of the rows; the root is below 0.
climb <- function(at, parent_of) {
  row <- seq_along(at)
  rows <- nodes <- list()
  while (length(at) > 0) {
    rows <- c(rows, list(row))
    nodes <- c(nodes, list(at))
    at <- parent_of(at)
    row <- row[at > 0]
    at <- at[at > 0]
  }
  rows <- unlist(rows)
  by_row <- order(rows)
  list(row = rows[by_row], node = unlist(nodes)[by_row])
}

# rpart's improvement as a gain: a sum over rows for classes, a share of the node's variance for
# anova.
rpart_gain <- function(split, fit, weight, impurity) {
  if (is.null(split)) {
    0
  } else if (fit$method == "anova") {
    split$improve * impurity
  } else {
    split$improve / weight / (if (fit$parms$split == 2) log(2) else 1)
  }
}

# Our children in the order of rpart's; NULL where the two splits part the rows otherwise.
matched_children <- function(children, inside, id, theirs) {
  sides <- theirs[as.character(c(2 * id, 2 * id + 1))]
  own <- inside[children]
  if (identical(unname(own), unname(sides))) {
    children
  } else if (identical(unname(rev(own)), unname(sides))) {
    rev(children)
  }
}

# What differs between two lists of surrogates, in words. `more`: rpart may have some at the end in
# the place of those that it left out.
differing_surrogates <- function(s, split, node, more) {
  if (more) split[3:5] <- lapply(split[3:5], utils::head, nrow(s))
  if (!isTRUE(all.equal(s$agree, split$agree, tolerance = 1e-9))) {
    paste("agreement of node", node, toString(s$agree), toString(split$agree))
  } else if (!identical(s$variable, split$surrogate)) {
    # The order among equal agreements, and who is last, is the columns' in both.
    paste("surrogates of node", node)
  } else if (!isTRUE(all.equal(s$adj, split$adj, tolerance = 1e-9))) {
    paste("adj of node", node)
  }
}

# With more than 12 levels both look at one order of them alone if min_bucket forbids its best cut;
# levels of the same mean or share tie in it.
levels_tie <- function(rows, variable) {
  x <- rows[[variable]]
  mean <- if (is.factor(x)) tapply(as.numeric(rows$class), x, mean)
  sum(!is.na(mean)) > 12 && anyDuplicated(mean[!is.na(mean)]) > 0
}

# Walks both trees from the root: what differs in words, the nodes whose splits and surrogates were
# compared, and the places where the walk had to end, their number and (`where`) in words. There two
# splits tie; or rpart, which with two classes cuts the levels in the order of their shares, has
# missed a better grouping that min_bucket lets through; or many levels tie in that order; or it has
# left out a surrogate, and rows without a value part. `mass`: what the rows count in the search.
compare_with_rpart <- function(ours, theirs, data, style = 0, w = rep(1, nrow(data)), mass = w) {
  splits <- rpart_splits(theirs)
  nodes <- as.data.frame(ours)
  mine <- tectree:::surrogates_of(ours)
  inside <- rows_inside(ours, data)
  their_inside <- rpart_rows_inside(theirs)
  wrong <- character()
  ties <- compared <- 0
  where <- character()
  end_here <- function(why) {
    ties <<- ties + 1
    where <<- c(where, sprintf(
      "node %d: %s (gain %.10g, %s; rpart %.10g, %s)", node, why, our_gain,
      if (leaf) "leaf" else nodes$variable[node], their_gain, split$variable %||% "leaf"
    ))
  }
  todo <- list(c(1, 1))
  while (length(todo)) {
    id <- todo[[1]][1]
    node <- todo[[1]][2]
    todo <- todo[-1]
    split <- splits[[as.character(id)]]
    leaf <- nodes$kind[node] == "leaf"
    if (is.null(split) && leaf) next
    rows <- inside[[node]]
    their_gain <- rpart_gain(split, theirs, sum(mass[rows]), nodes$impurity[node])
    our_gain <- if (leaf) 0 else nodes$gain[node]
    # Among equal numbers rpart may split by what rounding leaves of their variance.
    scale <- max(nodes$impurity[node], 1e-12 * nodes$impurity[1], 1e-300)
    if (abs(our_gain - their_gain) > 1e-7 * scale) {
      if (our_gain > their_gain && nodes$kind[node] == "subset") {
        end_here("a better grouping of levels")
      } else if (our_gain < their_gain && levels_tie(data[rows, ], split$variable)) {
        end_here("many levels, of which some tie")
      } else {
        wrong <- c(wrong, paste("gain of node", node, our_gain, their_gain))
      }
      next
    }
    if (leaf || is.null(split) || split$variable != nodes$variable[node]) {
      end_here("two columns tie")
      next
    }
    s <- mine[mine$node == node, ]
    quirk <- rpart_leaves_out(s, split$variable, data[rows, ], w[rows], style)
    children <- matched_children(nodes$node[nodes$parent == node], inside, id, their_inside)
    if (is.null(children)) {
      end_here(
        if (any(quirk)) "rpart leaves out a surrogate" else "two cuts tie, or rows without a value"
      )
      if (!any(quirk)) next
    }
    compared <- compared + 1
    wrong <- c(wrong, differing_surrogates(s[!quirk, ], split, node, any(quirk)))
    if (is.null(children)) next
    todo <- c(todo, list(c(2 * id, children[1]), c(2 * id + 1, children[2])))
  }
  list(wrong = wrong, ties = ties, where = where, compared = compared)
}

# rpart wants priors whose sum is 1 to the last digit.
summing_to_one <- function(x) {
  x <- round(x / sum(x) * 2^45) / 2^45
  x[1] <- 1 - sum(x[-1])
  x
}

# ---- the table of cost-complexity pruning, from rpart's whole tree -------------------------------

# rpart finds a node's price in one pass while it grows, from the children alone. Here it is by
# definition: the weakest link is cut, again and again. NA for leaves.
weakest_link_prices <- function(fit, scale = 1) {
  id <- as.numeric(rownames(fit$frame))
  up <- match(floor(id / 2), id)
  downward <- setdiff(order(id), 1)
  upward <- rev(downward)
  risk <- fit$frame$dev * scale
  never_split <- fit$frame$var == "<leaf>"
  leaf <- never_split
  gone <- logical(length(id))
  price <- rep(NA_real_, length(id))
  while (!leaf[1]) {
    below <- ifelse(leaf & !gone, risk, 0)
    leaves <- as.numeric(leaf & !gone)
    for (i in upward) {
      below[up[i]] <- below[up[i]] + below[i]
      leaves[up[i]] <- leaves[up[i]] + leaves[i]
    }
    link <- ifelse(leaf | gone, Inf, (risk - below) / (leaves - 1))
    weakest <- link <= min(link) + 1e-10 * risk[1]
    price[weakest] <- min(link)
    leaf <- leaf | weakest
    for (i in downward) {
      if (!gone[i] && (leaf[up[i]] || gone[up[i]])) {
        gone[i] <- TRUE
        if (!never_split[i] && is.na(price[i])) price[i] <- min(link)
      }
    }
  }
  price
}

# CP, number of splits and relative error of each tree of the sequence down to `cp`.
weakest_link_table <- function(fit, cp) {
  id <- as.numeric(rownames(fit$frame))
  up <- match(floor(id / 2), id)
  risk <- fit$frame$dev
  price <- weakest_link_prices(fit)
  at <- sort(unique(price), decreasing = TRUE)
  at <- at[c(TRUE, diff(at) < -1e-9 * risk[1])]
  # The tree of a row holds the splits whose price is above the row's.
  row <- function(least) {
    open <- !is.na(price) & price > least + 1e-9 * risk[1]
    leaf <- !open & c(TRUE, open[up][-1])
    c(least / risk[1], sum(open), sum(risk[leaf]) / risk[1])
  }
  table <- t(vapply(c(at, -Inf), row, numeric(3)))
  table <- table[seq_len(which(table[, 1] <= cp * (1 + 1e-9))[1]), , drop = FALSE]
  table[nrow(table), 1] <- cp
  table
}

# The leaf of the whole tree at which each row of `data` ends.
rpart_leaf <- function(fit, data) {
  frame <- stats::model.frame(
    stats::delete.response(fit$terms), data,
    na.action = stats::na.pass, xlev = attr(fit, "xlevels")
  )
  utils::getFromNamespace("pred.rpart", "rpart")(
    fit, utils::getFromNamespace("rpart.matrix", "rpart")(frame)
  )
}

# The node at which rows of the leaves `at` end if the tree is pruned at `price`.
rpart_pruned_at <- function(fit, at, price, at_price) {
  id <- as.numeric(rownames(fit$frame))
  up <- match(floor(id / 2), id)
  repeat {
    cut <- !is.na(up[at]) & price[up[at]] <= at_price * (1 + 1e-12)
    if (!any(cut)) {
      return(at)
    }
    at[cut] <- up[at[cut]]
  }
}
