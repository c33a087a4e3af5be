# Honest trees: some rows decide the splits and the pruning, others give the values of all nodes.
# From the first rows the tree keeps the splits, the gains and the branches of rows with missing
# values.

is_honest <- function(control) !identical(control$honest %||% FALSE, FALSE)

# Divides the rows used into two parts, with the same share of each class.
honest_parts <- function(ready, used, share) {
  n <- length(used)
  order <- used[sample.int(n)]
  if (length(ready$response$info$levels)) {
    order <- order[order(ready$response$core$y[order], method = "radix")]
  }
  done <- floor(seq_len(n) * share + 1e-9)
  for_values <- diff(c(0, done)) > 0
  if (!any(for_values) || all(for_values)) {
    tec_abort("control", c(
      "An honest tree needs rows for the splits and others for the values.",
      x = "There {cli::qty(n)}{?is/are} {n} row{?s}, and {.arg honest} is {share}."
    ))
  }
  list(splits = sort(order[!for_values]), values = sort(order[for_values]))
}

# The tree with the values of other rows, without splits for which these have rows in fewer than two
# branches.
with_values_of <- function(fit, ready) {
  fit$tree <- with_facts(fit, facts_of_rows(fit, ready))
  tree <- fit$tree
  edge <- edges(tree)
  reached <- tabulate(edge$parent[tree$weight[edge$child] > 0], length(tree$kind))
  useless <- which(tree$kind != 0L & reached < 2L)
  if (length(useless)) {
    fit$tree <- keep_pieces(tree, tec_cut_(tree, length(fit$columns$name), useless))
  }
  fit
}

# Nodes that no row reaches get the values of their parent.
with_facts <- function(fit, facts) {
  tree <- fit$tree
  for (part in names(facts)) tree[[part]] <- facts[[part]]
  for (i in which(tree$weight == 0)) {
    up <- tree$parent[i]
    tree$yval[i] <- tree$yval[up]
    tree$impurity[i] <- tree$impurity[up]
    tree$prob[i, ] <- tree$prob[up, ]
  }
  tree
}

# n, weight, prob, yval and impurity of all nodes, computed from the rows that reach them.
facts_of_rows <- function(fit, ready) {
  rows <- ready$rows
  columns <- fit$columns
  paths <- tec_paths_(
    fit$tree, lapply(ready$frame$value, `[`, rows), unname(kind_codes[columns$kind]),
    lengths(columns$levels), length(rows)
  )
  row <- rep(seq_along(rows), diff(paths$start))
  at <- list(
    node = paths$node, y = ready$response$core$y[rows][row],
    weight = paths$share * (if (is.null(ready$weights)) 1 else ready$weights[rows][row])
  )
  n <- tabulate(at$node, length(fit$tree$kind))
  facts <- if (length(fit$response$levels)) {
    class_facts(at, length(n), fit)
  } else {
    number_facts(at, length(n), fit$criterion$name)
  }
  c(list(n = as.double(n)), facts)
}

class_facts <- function(at, nodes, fit) {
  classes <- length(fit$response$levels)
  factor <- fit$class_factors$prior %||% rep(1, classes)
  cell <- factor((at$y - 1) * nodes + at$node, seq_len(nodes * classes))
  counts <- matrix(unname(tapply(at$weight, cell, sum, default = 0)), nodes)
  counts <- counts * rep(factor, each = nodes)
  weight <- rowSums(counts)
  prob <- counts / ifelse(weight > 0, weight, 1)
  prob[weight == 0, 1L] <- 1
  list(
    weight = weight, prob = prob, yval = as.double(best_answer(prob, fit$cost)),
    impurity = node_impurity(prob, fit$criterion)
  )
}

number_facts <- function(at, nodes, criterion) {
  groups <- split(seq_along(at$node), factor(at$node, seq_len(nodes)))
  each <- function(f) vapply(groups, function(i) f(at$y[i], at$weight[i]), 0, USE.NAMES = FALSE)
  centre <- if (criterion == "l1") weighted_median else function(y, w) sum(w * y) / sum(w)
  yval <- each(centre)
  loss <- if (criterion == "l1") abs else function(x) x^2
  off <- loss(at$y - yval[at$node]) * at$weight
  weight <- each(function(y, w) sum(w))
  sums <- vapply(groups, function(i) sum(off[i]), 0, USE.NAMES = FALSE)
  list(weight = weight, yval = yval, impurity = sums / ifelse(weight > 0, weight, 1))
}

# If there are two middle values, their mean.
weighted_median <- function(y, w) {
  if (length(y) == 0L) {
    return(NA_real_)
  }
  order <- order(y)
  below <- cumsum(w[order]) / sum(w)
  at <- which(below >= 0.5 - 1e-12)[1L]
  if (abs(below[at] - 0.5) <= 1e-12) mean(y[order][at + 0:1]) else y[order][at]
}

# The number of rows that give the values of the nodes.
rows_of_values <- function(fit) fit$honest$values %||% fit$n_rows

honest_text <- function(fit) {
  parts <- fit$honest
  if (!is.null(parts)) {
    paste0(
      "Honest: splits from ", count_text(parts$splits, "row"), ", values from ",
      number_text(parts$values), " others"
    )
  }
}
