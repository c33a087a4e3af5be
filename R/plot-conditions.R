# The conditions on the branches of a drawn tree, and their texts.

# The condition on the way into each of `nodes`, in parts, so that each part can be shortened in its
# own way: list(name, rest, short, sets, branch, branches). `rest` follows the name of the variable
# ("<= 26.282", "= red"), `short` is the same with fewer digits, `sets` has the levels where there
# are several, `branch` is the number of the branch (from 0) out of `branches`.
condition_parts <- function(fit, nodes, signs) {
  tree <- fit$tree
  from <- pmax(tree$parent[nodes], 1L)
  inner <- nodes != 1L
  branch <- node_branches(tree)[nodes]
  text <- function(digits) {
    out <- character(length(nodes))
    out[inner] <- branch_conditions(
      tree, from[inner], branch[inner], fit$columns, digits, rep(Inf, sum(inner))
    )
    if (signs) sub("^<= ", "\u2264 ", out) else out
  }
  list(
    name = ifelse(inner, show_names(fit$columns$name)[pmax(tree$variable[from], 1L)], ""),
    rest = text(5L), short = text(3L), sets = branch_sets(fit, nodes, inner),
    branch = branch, branches = ifelse(inner, tree$n_children[from], 0L)
  )
}

# The levels on each branch of a subset split with several, otherwise NULL.
branch_sets <- function(fit, nodes, inner) {
  tree <- fit$tree
  branch <- node_branches(tree)
  lapply(seq_along(nodes), function(i) {
    from <- tree$parent[nodes[i]]
    if (!inner[i] || tree$kind[from] != 4L) {
      return(NULL)
    }
    at <- set_positions(tree, from)
    codes <- tree$level[at][tree$level_child[at] == branch[nodes[i]]]
    if (length(codes) > 1L) show_label(fit$columns$levels[[tree$variable[from]]][codes])
  })
}

# The view with the texts of branches (`edge`) and of nodes that ask (`ask`), in the words of
# `branches`.
write_conditions <- function(view, branches) {
  edges <- attr(view, "conditions")
  n <- nrow(view)
  # The first node drawn has no branch.
  edges$name[1L] <- edges$rest[1L] <- edges$short[1L] <- ""
  edges["sets"] <- list(`[[<-`(edges$sets, 1L, list(NULL)))
  none <- list(
    name = character(n), rest = character(n), short = character(n), sets = vector("list", n)
  )
  asks <- none
  words <- switch(branches, "yes/no" = c("yes", "no"), "left/right" = c("left", "right"))
  if (!is.null(words)) {
    two <- which(edges$branches == 2L & view$up > 0L)
    first <- two[edges$branch[two] == 0L]
    at <- view$up[first]
    asks$name[at] <- edges$name[first]
    mark <- if (branches == "yes/no") "?" else ""
    asks$rest[at] <- paste0(edges$rest[first], mark)
    asks$short[at] <- paste0(edges$short[first], mark)
    asks$sets[at] <- edges$sets[first]
    asks$end <- ifelse(seq_len(n) %in% at, mark, "")
    edges$name[two] <- ""
    edges$rest[two] <- edges$short[two] <- words[edges$branch[two] + 1L]
    edges$sets[two] <- list(NULL)
    if (attr(view, "looks")$style == "rpart.plot") {
      below <- two[view$up[two] > 1L]
      edges$rest[below] <- edges$short[below] <- ""
    }
  } else if (branches == "value") {
    edges$name[] <- ""
    edges$rest <- bare_condition(edges$rest)
    edges$short <- bare_condition(edges$short)
    edges$bare <- TRUE
  }
  attr(view, "edges") <- edges
  attr(view, "asks") <- asks
  view$edge <- edge_texts(edges)
  view$ask <- edge_texts(asks)
  view
}

# After the name of the variable, one level needs no sign and several need no braces.
bare_condition <- function(text) {
  text <- sub("^= ", "", text)
  set <- startsWith(text, "in {")
  text[set] <- substr(text[set], 5L, nchar(text[set]) - 1L)
  sub("^in ", "", text)
}

edge_texts <- function(parts) trimws(paste(parts$name, parts$rest))

named <- function(name, rest) if (nzchar(name)) paste(name, rest) else rest

# A view with whole conditions on the branches, for layouts where a node is not between its
# branches.
whole_conditions <- function(view) {
  looks <- attr(view, "looks")
  if (looks$branches != "value") {
    return(view)
  }
  attr(view, "looks")$branches <- "condition"
  if (identical(looks$show, default_show(looks$response, "value", FALSE))) {
    attr(view, "looks")$show <- default_show(looks$response, "condition", FALSE)
  }
  write_nodes(view)
}

# Titles of at most `width` and `lines`: long names are shortened in the middle; the number before
# and the share after a name are kept. `lost` as for conditions.
fit_titles <- function(view, width, lines, measure) {
  out <- view$title
  lost <- integer(length(out))
  width <- rep_len(width, length(out))
  lines <- rep_len(lines, length(out))
  long <- which(measure(out) > width)
  memory <- attr(measure, "memory")
  for (i in long) {
    fit <- function() {
      fitted <- wrap_one(out[i], width[i], lines[i], measure)
      if (fitted$whole) list(text = fitted$text, cut = FALSE)
    }
    fitted <- fit_once(paste0("title\r", out[i]), memory, width[i], lines[i], measure, fit())
    lost[i] <- if (is.null(fitted)) 2L else 0L
    if (!is.null(fitted)) out[i] <- fitted$text
  }
  cut <- which(lost > 0L)
  if (length(cut) == 0L) {
    return(structure(out, lost = lost))
  }
  around <- measure(paste0(view$before, view$after))
  room <- max(min(width[cut] - around[cut]), measure("nnnn"))
  names <- unique(view$name)
  short <- shorten_apart(names, room, measure)[match(view$name, names)]
  out[cut] <- trimws(paste0(view$before, short, view$after))[cut]
  still <- cut[measure(out[cut]) > width[cut]]
  lost[still] <- 3L
  out[still] <- vapply(still, function(i) shorten_text(out[i], width[i], measure), "")
  structure(out, lost = lost)
}

what_is_lost <- function(...) max(0L, unlist(lapply(list(...), attr, "lost")))
