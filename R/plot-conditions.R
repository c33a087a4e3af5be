# Tested in test-plot-conditions.R and test-plot-fit.R.
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

# "n = 24,951", or "weight = 11.36" of rows with case weights.
how_many_text <- function(view) {
  if (isTRUE(attr(view, "weighted"))) {
    return(paste("weight =", plot_numbers(view$size)))
  }
  paste("n =", big_number(view$n))
}

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
    ifelse(has("count"), how_many_text(view), ""),
    ifelse(has("percent"), paste0(percent_text(view$size / attr(view, "total")), "%"), "")
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

# Conditions fitted into their room.

# Conditions as texts of at most `width` and `lines` (one number or one per node). What does not fit
# loses digits (with `short`), then levels ("a, b, +14"), then the middle of the variable's name, as
# `names` has it; never the sign or the number. The attribute `lost` is 0 where nothing is, 1 for
# levels, 2 for a part of a name, 3 where next to nothing is left of it. Once a condition loses more
# than `most`, those after it are left as they are.
fit_conditions <- function(parts, width, lines, measure, short = FALSE, names = NULL, most = 3) {
  out <- edge_texts(parts)
  lost <- integer(length(out))
  width <- rep_len(width, length(out))
  lines <- rep_len(lines, length(out))
  long <- which(measure(out) > width)
  keys <- condition_keys(parts, long, short)
  memory <- attr(measure, "memory")
  # Not computed unless a condition needs it.
  delayedAssign("brief", brief_names(parts, width, lines, measure, names))
  for (at in seq_along(long)) {
    i <- long[at]
    once <- function(key, fit) fit_once(key, memory, width[i], lines[i], measure, fit)
    fitted <- once(keys[at], fit_condition(parts, i, width[i], lines[i], measure, short))
    if (is.null(fitted)) {
      fitted <- once(
        paste(keys[at], brief[i], sep = "\r"),
        fit_brief_condition(parts, i, brief[i], width[i], lines[i], measure, short)
      )
    }
    out[i] <- fitted$text
    lost[i] <- fitted$lost
    if (fitted$lost > most) break
  }
  structure(out, lost = lost)
}

# The name of each condition, short where `names` or short_conditions() has a short form.
brief_names <- function(parts, width, lines, measure, names) {
  names <- names %||% short_conditions(parts, width, lines, measure)
  at <- match(parts$name, names(names))
  ifelse(is.na(at), parts$name, unname(names)[at])
}

# Whatever the fitted text of a condition depends on, but for the room and the short name.
condition_keys <- function(parts, i, short) {
  paste(
    parts$name[i], parts$rest[i], parts$short[i], lengths(parts$sets[i]), isTRUE(parts$bare),
    if (is.null(parts$end)) "" else parts$end[i], short,
    sep = "\r"
  )
}

# With the whole name of the variable; NULL where that does not fit.
fit_condition <- function(parts, i, width, lines, measure, short) {
  name <- parts$name[i]
  for (rest in c(parts$rest[i], if (short) parts$short[i])) {
    text <- named(name, rest)
    fitted <- if (may_fit(text, width, lines, measure)) wrap_one(text, width, lines, measure)
    if (isTRUE(fitted$whole)) {
      return(list(text = fitted$text, lost = 0L, cut = FALSE))
    }
  }
  labels <- parts$sets[[i]]
  text <- if (!is.null(labels)) fit_set(name, labels, parts, i, width, lines, measure)
  if (!is.null(text)) list(text = text, lost = 1L, cut = FALSE)
}

fit_brief_condition <- function(parts, i, brief, width, lines, measure, short) {
  name <- parts$name[i]
  labels <- parts$sets[[i]]
  if (!is.null(labels)) {
    text <- if (brief != name) fit_set(brief, labels, parts, i, width, lines, measure)
    if (!is.null(text)) {
      return(list(text = text, lost = 2L, cut = FALSE))
    }
    return(fit_first_level(brief, labels, parts, i, width, lines, measure))
  }
  rest <- if (short) parts$short[i] else parts$rest[i]
  fitted <- wrap_one(named(brief, rest), width, lines, measure)
  if (fitted$whole) {
    return(list(text = fitted$text, lost = 2L, cut = FALSE))
  }
  text <- if (lines > 1L && nzchar(name) && measure(rest) <= width) {
    paste(shorten_middle(brief, width, measure), rest, sep = "\n")
  } else {
    shorten_lines(fitted$text, width, lines, measure)
  }
  list(text = text, lost = 3L, cut = TRUE)
}

# "purpose in {car, radio, +2}" with as many levels as fit; NULL where not even one does.
fit_set <- function(name, labels, parts, i, width, lines, measure) {
  n <- length(labels)
  k <- most_levels(name, labels, parts, i, width, lines, measure)
  while (k > 0L) {
    set <- paste(c(labels[seq_len(k)], paste0("+", n - k)), collapse = ", ")
    fitted <- wrap_one(named(name, set_condition(set, parts, i)), width, lines, measure)
    if (fitted$whole) {
      return(fitted$text)
    }
    k <- k - 1L
  }
}

# How many levels fit, by the widths of pieces: no fewer than really do. Of many levels only as many
# are measured as may have room.
most_levels <- function(name, labels, parts, i, width, lines, measure) {
  n <- length(labels)
  room <- (1 + kerning) * width
  seen <- 25L
  repeat {
    seen <- min(n, 4L * seen)
    set <- set_condition(paste(labels[seq_len(seen)], collapse = ", "), parts, i)
    ladder <- set_ladder(named(name, set), set, labels[seq_len(seen)], n, measure)
    end <- line_ends(ladder$pieces, room, lines)
    line <- findInterval(ladder$last, end, left.open = TRUE) + 1L
    start <- c(0, ladder$pieces$next_start[end])[line]
    line <- line + (ladder$place - start > room)
    fitting <- max(0L, ladder$levels[line <= lines & ladder$more <= room])
    if (seen == n || fitting < seen - 1L) {
      return(fitting)
    }
  }
}

# What more and more of the first levels of `n` need: list(pieces, levels, last, more, place). The
# first `levels` end with the piece `last`; "+3}" behind them is `more` wide and ends at `place`.
set_ladder <- function(text, set, labels, n, measure) {
  remembered(measure, paste("ladder", n, text, sep = "\r"), {
    pieces <- text_pieces(text, measure)
    bare <- !startsWith(set, "in {")
    before <- nchar(text) - nchar(set) + if (bare) 0L else nchar("in {")
    levels <- seq_len(length(labels) - 1L)
    last <- match(before + cumsum(nchar(labels[levels]) + 2L), pieces$end)
    levels <- levels[!is.na(last)]
    last <- last[!is.na(last)]
    more <- measure(paste0("+", n - levels, if (!bare) sub("^.*[}]", "}", set)))
    list(
      pieces = pieces, levels = levels, last = last, more = more,
      place = pieces$next_start[last] + more
    )
  })
}

set_condition <- function(set, parts, i) {
  if (isTRUE(parts$bare)) set else paste0("in {", set, "}", parts$end[i] %||% "")
}

# The beginning of the first level, and the number of the others.
fit_first_level <- function(name, labels, parts, i, width, lines, measure) {
  rest <- paste0(", +", length(labels) - 1L)
  set <- function(level) set_condition(paste0(level, rest), parts, i)
  above <- lines > 1L && nzchar(name)
  room <- width - measure(if (above) set("") else named(name, set("")))
  level <- shorten_middle(labels[1L], room, measure)
  text <- if (above) {
    paste(shorten_middle(name, width, measure), set(level), sep = "\n")
  } else {
    named(name, set(level))
  }
  few <- nchar(level) < min(4L, nchar(labels[1L]))
  if (any(measure(strsplit(text, "\n", fixed = TRUE)[[1L]]) > width)) {
    text <- shorten_lines(text, width, lines, measure)
    few <- TRUE
  }
  list(text = text, lost = if (few) 3L else 2L, cut = TRUE)
}

# Names of variables and their short forms, which are the same everywhere in a plot.
short_conditions <- function(parts, width, lines, measure) {
  some <- nzchar(parts$name)
  if (!any(some)) {
    return(NULL)
  }
  long <- some & measure(edge_texts(parts)) > width
  if (!any(long)) {
    return(NULL)
  }
  # A set keeps at least the first letters of a name.
  rest <- ifelse(lengths(parts$sets) > 0L, "in {level, +9}", parts$short)
  room <- ifelse(lines > 1L, width, width - measure(paste0(" ", rest)))
  names <- unique(parts$name[some])
  short <- shorten_apart(names, max(min(room[long]), measure("nnnnn")), measure)
  stats::setNames(short, names)
}
