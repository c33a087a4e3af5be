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

rows_text <- function(n) paste("n =", big_number(n))

# The view with what is written in and below the nodes: `before`, `name` and `after` are the parts
# of the title, of which only the name may be shortened; `title` is all of it. `extra` stands below
# the title, of inner nodes in several lines. The attributes `edges` and `asks` have the conditions
# on the branches and those of the nodes themselves (see condition_parts()); `edge` and `ask` are
# their texts.
write_nodes <- function(view) {
  looks <- attr(view, "looks")
  show <- looks$show
  has <- function(word) ifelse(view$leaf, word %in% show$leaf, word %in% show$inner)
  join <- function(parts, between = ", ") {
    apply(do.call(cbind, parts), 1L, function(t) paste(t[nzchar(t)], collapse = between))
  }
  share <- shares <- ""
  if (length(attr(view, "shares"))) {
    text <- share_text(attr(view, "predicted"))
    share <- text[cbind(seq_along(view$yval), view$yval)]
    shares <- apply(text, 1L, paste, collapse = " ")
  }
  answer <- ifelse(has("prediction"), view$value, "")
  share <- ifelse(has("share"), share, "")
  size <- join(list(
    ifelse(has("count"), rows_text(view$n), ""),
    ifelse(has("percent"), paste0(percent_text(view$n / attr(view, "total")), "%"), "")
  ))
  size <- join(list(ifelse(has("shares"), shares, ""), size), "\n")
  named <- !view$leaf & names_variables(looks)
  on <- match(view$node, looks$path$node, nomatch = 0L)
  said <- ifelse(on > 0L & !view$leaf, looks$path$value[pmax(on, 1L)], "")
  own <- ifelse(nzchar(said), paste(view$variable, "=", said), "")
  gap <- function(text) ifelse(nzchar(text), " ", "")
  view$before <- ifelse(has("node"), paste0(view$node, ") "), "")
  view$name <- ifelse(named, view$variable, answer)
  view$after <- ifelse(
    named, ifelse(nzchar(said), paste(" =", said), ""),
    paste0(ifelse(nzchar(answer), gap(share), ""), share)
  )
  view$title <- trimws(paste0(view$before, view$name, view$after))
  view$extra <- ifelse(
    named, join(list(join(list(answer, share), " "), size), "\n"),
    ifelse(nzchar(own), join(list(own, size), "\n"), size)
  )
  test <- ifelse(has("test") & !view$leaf, view$test, "")
  view$extra <- join(list(view$extra, test), "\n")
  attr(view, "numbered") <- any(has("node"))
  write_conditions(view, looks$branches)
}

big_number <- function(n) format(n, big.mark = ",", trim = TRUE, scientific = FALSE)
