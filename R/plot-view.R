# What of a tree is drawn: the nodes, and the texts that belong to them. A view is a data
# frame in pre-order, one row a node drawn: node, up (the row of the parent, 0 for the
# first), level (from 0), leaf, hidden (nodes below it that are not drawn), variable,
# edge (the condition on the way in, without the variable), class, value, n, and the
# matrix `shares`.

tree_view <- function(fit, depth, nodes, signs = has_signs()) {
  tree <- fit$tree
  open <- open_nodes(tree, depth, nodes)
  first <- attr(open, "first")
  last <- subtree_end(tree, first)
  inside <- seq_along(tree$parent)
  kept <- inside == first | (inside > first & inside <= last & c(FALSE, open[tree$parent[-1L]]))
  # A node is drawn where all its ancestors are open: parents come first.
  for (i in which(kept)[-1L]) kept[i] <- kept[tree$parent[i]] && open[tree$parent[i]]
  drawn <- which(kept)
  leaf <- tree$kind[drawn] == 0L | !open[drawn]
  end <- vapply(drawn, function(i) if (tree$kind[i] == 0L) i else subtree_end(tree, i), 0)
  up <- match(tree$parent[drawn], drawn, nomatch = 0L)
  up[1L] <- 0L
  out <- data.frame(
    node = drawn, up = up, level = tree$depth[drawn] - tree$depth[first], leaf = leaf,
    hidden = ifelse(leaf, end - drawn, 0),
    variable = ifelse(leaf, NA, show_names(fit$columns$name)[pmax(tree$variable[drawn], 1L)]),
    edge = edge_texts(fit, drawn, signs), n = tree$n[drawn], yval = tree$yval[drawn]
  )
  out$edge[1L] <- ""
  out$value <- if (fit$response$task == "classification") {
    show_label(fit$response$levels)[out$yval]
  } else {
    number_text(out$yval, 4L)
  }
  attr(out, "shares") <- tree$prob[drawn, , drop = FALSE]
  attr(out, "sets") <- edge_sets(fit, drawn)
  out
}

# The levels on each branch of a subset split with several, otherwise NULL.
edge_sets <- function(fit, nodes) {
  tree <- fit$tree
  branch <- node_branches(tree)
  lapply(seq_along(nodes), function(i) {
    from <- tree$parent[nodes[i]]
    if (i == 1L || tree$kind[from] != 4L) {
      return(NULL)
    }
    at <- set_positions(tree, from)
    codes <- tree$level[at][tree$level_child[at] == branch[nodes[i]]]
    if (length(codes) > 1L) show_label(fit$columns$levels[[tree$variable[from]]][codes])
  })
}

# Which nodes show their branches, and from which node the drawing starts.
open_nodes <- function(tree, depth, nodes) {
  inner <- tree$kind != 0L
  open <- inner
  first <- 1L
  if (length(nodes) == 1L) {
    first <- nodes
  } else if (length(nodes) > 1L) {
    open[] <- FALSE
    for (node in nodes) {
      while (node > 1L) {
        node <- tree$parent[node]
        open[node] <- TRUE
      }
    }
    open <- open & inner
  }
  open <- open & tree$depth - tree$depth[first] < depth
  structure(open, first = first)
}

edge_texts <- function(fit, nodes, signs) {
  tree <- fit$tree
  branch <- node_branches(tree)
  out <- character(length(nodes))
  inner <- nodes != 1L
  to <- nodes[inner]
  # One level needs no sign: the way in is named by it.
  whole <- rep(Inf, length(to))
  text <- branch_conditions(tree, tree$parent[to], branch[to], fit$columns, 5L, whole)
  text <- sub("^= ", "", text)
  set <- startsWith(text, "in {")
  text[set] <- substr(text[set], 5L, nchar(text[set]) - 1L)
  text <- sub("^in ", "", text)
  out[inner] <- if (signs) sub("^<= ", "\u2264 ", text) else text
  out
}

# Colours that colour-blind people can tell apart (Okabe and Ito, 2008), without black;
# more classes than that are told apart by lighter and darker shades.
class_colours <- function(k) {
  base <- c("#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7", "#999999")
  if (k <= length(base)) {
    return(base[seq_len(k)])
  }
  shade <- (seq_len(k) - 1L) %/% length(base)
  mix <- shade / (max(shade) + 1)
  rgb <- grDevices::col2rgb(base[(seq_len(k) - 1L) %% length(base) + 1L]) / 255
  grDevices::rgb(t(rgb * rep(1 - 0.65 * mix, each = 3)))
}

# Light to dark blue for numbers.
value_colours <- function(x) {
  range <- range(x)
  at <- if (diff(range) > 0) (x - range[1L]) / diff(range) else rep(0.5, length(x))
  ramp <- grDevices::colorRamp(c("#DEEBF7", "#0072B2"))
  grDevices::rgb(ramp(at), maxColorValue = 255)
}

# Text in lines of at most `width` (in the units of `measure`): broken at spaces and after
# . _ - , / where it must be, shortened to `lines` lines with an ellipsis.
wrap_text <- function(text, width, lines, measure) {
  fold <- function(t) {
    wrapped <- wrap_one(t, width, lines, measure)
    if (wrapped$whole) wrapped$text else shorten_lines(wrapped$text, width, lines, measure)
  }
  long <- measure(text) > width
  text[long] <- vapply(text[long], fold, "", USE.NAMES = FALSE)
  text
}

# Conditions: of a set of levels as many as there is room for, "a, b, +14". `width` is
# one number or one a node, `lines` one a node.
wrap_edges <- function(view, width, lines, measure) {
  sets <- attr(view, "sets")
  out <- view$edge
  width <- rep_len(width, length(out))
  long <- which(measure(out) > width)
  out[long] <- vapply(long, function(i) {
    wrapped <- wrap_one(view$edge[i], width[i], lines[i], measure)
    if (wrapped$whole) {
      return(wrapped$text)
    }
    if (is.null(sets[[i]])) {
      return(shorten_lines(wrapped$text, width[i], lines[i], measure))
    }
    wrap_set(sets[[i]], width[i], lines[i], measure)
  }, "")
  out
}

wrap_set <- function(labels, width, lines, measure) {
  n <- length(labels)
  first <- function(k) paste(c(labels[seq_len(k)], paste0("+", n - k)), collapse = ", ")
  low <- 0L
  high <- n - 1L
  while (low < high) {
    middle <- (low + high + 1L) %/% 2L
    if (wrap_one(first(middle), width, lines, measure)$whole) low <- middle else high <- middle - 1L
  }
  if (low > 0L) {
    return(wrap_one(first(low), width, lines, measure)$text)
  }
  rest <- paste0(", +", n - 1L)
  paste0(shorten_text(labels[1L], width - measure(rest), measure), rest)
}

# list(text =, whole = whether nothing is too wide or too much)
wrap_one <- function(text, width, lines, measure) {
  if (!nzchar(text) || measure(text) <= width) {
    return(list(text = text, whole = TRUE))
  }
  # Of a text that cannot fit anyway only the beginning is looked at.
  long <- nchar(text) > 500L
  pieces <- strsplit(substr(text, 1L, 500L), "(?<=[ ._,/-])", perl = TRUE)[[1L]]
  out <- character()
  line <- ""
  for (piece in pieces) {
    if (measure(sub(" $", "", paste0(line, piece))) <= width) {
      line <- paste0(line, piece)
    } else {
      if (nzchar(line)) out <- c(out, line)
      line <- piece
    }
    if (length(out) > lines) break
  }
  out <- trimws(c(out, line))
  whole <- !long && length(out) <= lines && all(measure(out) <= width)
  list(text = paste(out, collapse = "\n"), whole = whole)
}

shorten_lines <- function(text, width, lines, measure) {
  out <- strsplit(text, "\n", fixed = TRUE)[[1L]]
  if (length(out) > lines) {
    out <- out[seq_len(lines)]
    out[lines] <- paste0(out[lines], ellipsis())
  }
  paste(vapply(out, shorten_text, "", width = width, measure = measure), collapse = "\n")
}

ellipsis <- function() if (has_signs()) "\u2026" else "..."

# Whether the open device can write signs beyond Latin 1: pdf() and postscript() cannot.
has_signs <- function() {
  plain <- c("pdf", "postscript", "xfig", "pictex")
  l10n_info()[["UTF-8"]] && !names(grDevices::dev.cur()) %in% plain
}

# Cut with an ellipsis to a width: by halving, as letters differ in width.
shorten_text <- function(text, width, measure) {
  if (measure(text) <= width) {
    return(text)
  }
  text <- sub(paste0(ellipsis(), "$"), "", text)
  low <- 0L
  high <- nchar(text)
  while (low < high) {
    middle <- (low + high + 1L) %/% 2L
    fits <- measure(paste0(substr(text, 1L, middle), ellipsis())) <= width
    if (fits) low <- middle else high <- middle - 1L
  }
  paste0(substr(text, 1L, low), ellipsis())
}
