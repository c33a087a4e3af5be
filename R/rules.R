# The text of splits and of their branches, for print(), as.data.frame() and tec_scores(). All code
# here is vectorised over nodes, so a chain of 100,000 nodes takes a few vector operations.
#
# "splits" below is a list with the vectors kind (a code), variable, break_start, break_count,
# level_start and level_count, and the pools breaks, level and level_child. It is the tree itself,
# or the candidates of tec_scores_().

# The condition on the branch into each of `nodes`; "root" for node 1. `set_width`, one number or
# one per node: sets of levels are shortened so that the rule has about this width.
branch_rules <- function(fit, nodes, digits = 7L, set_width = Inf) {
  tree <- fit$tree
  branch <- integer(length(tree$parent))
  edge <- edges(tree)
  branch[edge$child] <- edge$branch
  text <- rep("root", length(nodes))
  inner <- nodes != 1L
  to <- nodes[inner]
  from <- tree$parent[to]
  name <- show_names(fit$columns$name[tree$variable[from]])
  set_width <- rep_len(set_width, length(nodes))[inner] - nchar(name, "width") - nchar(" in {}")
  text[inner] <- paste(
    name, branch_conditions(tree, from, branch[to], fit$columns, digits, set_width)
  )
  text
}

# "<= 2.45", "= red", "in {a, b}": the condition of branch `branch` of split `from`, without the
# name of the variable. The two are parallel vectors.
branch_conditions <- function(splits, from, branch, columns, digits, set_width) {
  out <- character(length(from))
  kind <- splits$kind[from]
  by_break <- kind %in% 1:3
  out[by_break] <- break_conditions(splits, from[by_break], branch[by_break], columns, digits)
  by_level <- kind == 5L
  labels <- level_labels(columns, splits$variable[from[by_level]], branch[by_level] + 1L)
  out[by_level] <- paste("=", labels)
  by_set <- kind == 4L
  sets <- set_labels(splits, from[by_set], branch[by_set], columns, set_width[by_set])
  out[by_set] <- ifelse(sets$size == 1L, paste("=", sets$text), paste0("in {", sets$text, "}"))
  out[by_set][sets$size == 0L] <- "is missing"
  out
}

break_conditions <- function(splits, from, branch, columns, digits) {
  count <- splits$break_count[from]
  first <- branch == 0L
  last <- branch == count
  upper <- lower <- character(length(from))
  upper[!last] <- break_text(splits, from[!last], branch[!last], columns, digits)
  lower[!first] <- break_text(splits, from[!first], branch[!first] - 1L, columns, digits)
  inside <- paste0("in (", lower, ", ", upper, "]")
  out <- ifelse(first, paste("<=", upper), ifelse(last, paste(">", lower), inside))
  # Above an infinite break there are only missing values.
  end <- splits$breaks[splits$break_start[from] + count] == Inf
  top <- end & branch == count - 1L
  out[top] <- ifelse(first[top], "is known", paste(">", lower[top]))
  out[end & last] <- "is missing"
  out
}

# Break number `which` (from 0) of each split, as a number, date, time or level.
break_text <- function(splits, from, which, columns, digits) {
  value <- splits$breaks[splits$break_start[from] + which + 1L]
  variable <- splits$variable[from]
  out <- number_text(value, digits)
  by_level <- columns$kind[variable] != "numeric"
  out[by_level] <- level_labels(columns, variable[by_level], value[by_level])
  special <- which(!by_level & is_dated(columns$ptype)[variable])
  for (group in split(special, variable[special])) {
    out[group] <- quantity_text(value[group], columns$ptype[[variable[group[1L]]]], digits)
  }
  out
}

is_dated <- function(ptype) vapply(ptype, is.object, NA)

# Labels of level `code` of column `variable` (parallel vectors), looked up in one vector of the
# levels of all columns.
level_labels <- function(columns, variable, code) {
  needed <- unique(variable)
  pool <- columns$levels[needed]
  start <- cumsum(c(0L, lengths(pool)))
  if (length(needed) == 0L) {
    return(character())
  }
  show_label(unlist(pool, use.names = FALSE)[start[match(variable, needed)] + code])
}

# The levels of branch `branch` of each subset split: list(text =, size =).
set_labels <- function(splits, from, branch, columns, set_width) {
  if (length(from) == 0L) {
    return(list(text = character(), size = integer()))
  }
  nodes <- unique(from)
  at <- set_positions(splits, nodes)
  owner <- rep(match(nodes, nodes), splits$level_count[nodes])
  keys <- paste(owner, splits$level_child[at])
  wanted <- paste(match(from, nodes), branch)
  group <- match(keys, wanted)
  mine <- !is.na(group)
  labels <- level_labels(columns, splits$variable[nodes][owner[mine]], splits$level[at[mine]])
  sets <- split(labels, factor(group[mine], levels = seq_along(wanted)))
  widths <- rep_len(set_width, length(from))[match(wanted, wanted)]
  text <- vapply(seq_along(sets), function(i) set_text(sets[[i]], widths[i]), "")
  list(text = text, size = lengths(sets, use.names = FALSE))
}

# "a, b, +14" if the whole set is wider than `width`.
set_text <- function(labels, width) {
  n <- length(labels)
  if (!is.finite(width) || n <= 1L) {
    return(paste(labels, collapse = ", "))
  }
  ends <- cumsum(nchar(labels, "width") + 2L) - 2L
  if (ends[n] <= width) {
    return(paste(labels, collapse = ", "))
  }
  keep <- max(1L, sum(ends <= width - 6L))
  paste(c(labels[seq_len(keep)], paste0("+", n - keep)), collapse = ", ")
}

# Each split as one text: "<= 57.45", "{red} | {green, yellow}".
split_texts <- function(splits, columns, digits = 7L, set_width = Inf) {
  out <- character(length(splits$kind))
  one_break <- which(splits$kind %in% c(1L, 3L))
  out[one_break] <- paste("<=", break_text(splits, one_break, 0L, columns, digits))
  many <- which(splits$kind == 2L)
  out[many] <- interval_texts(splits, many, columns, digits)
  for (i in which(splits$kind == 4L)) {
    branches <- seq_len(splits$n_branches[i]) - 1L
    sets <- set_labels(splits, rep(i, length(branches)), branches, columns, set_width)
    sets$text[sets$size == 0L] <- "missing"
    out[i] <- paste0("{", sets$text, "}", collapse = " | ")
  }
  for (i in which(splits$kind == 5L)) {
    labels <- show_label(columns$levels[[splits$variable[i]]])
    out[i] <- paste0("{", labels, "}", collapse = " | ")
  }
  out
}

interval_texts <- function(splits, which, columns, digits) {
  count <- splits$break_count[which]
  owner <- rep(which, count)
  text <- break_text(splits, owner, sequence(count) - 1L, columns, digits)
  value <- splits$breaks[splits$break_start[owner] + sequence(count)]
  sets <- split(ifelse(value == Inf, "known", paste("<=", text)), factor(owner, levels = which))
  end <- vapply(split(value, factor(owner, levels = which)), max, 0) == Inf
  text <- vapply(sets, paste, "", collapse = " | ", USE.NAMES = FALSE)
  text[end] <- sub("\\| known$", "| rest", text[end])
  paste0(text, ifelse(end, " | missing", " | rest"), recycle0 = TRUE)
}
