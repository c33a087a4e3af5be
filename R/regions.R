# The region of a node: one condition per predictor on its path, which combines all its splits.
#
# A condition is list(variable, lower, upper, missing) for a number, lower < x <= upper, or
# list(variable, codes, seen, by_rank, missing) for levels. `codes` are the levels that reach the
# node, and `seen` those of them that some training row of the node has. `missing` says whether a
# missing value reaches the node. The conditions of a region are named by column.

# The regions of all nodes. A branch shares unchanged conditions with its parent, so a deep tree
# needs little memory.
node_regions <- function(fit) {
  tree <- fit$tree
  branch <- node_branches(tree)
  regions <- vector("list", length(tree$parent))
  regions[[1L]] <- list()
  for (i in seq_along(regions)[-1L]) {
    from <- tree$parent[i]
    region <- regions[[from]]
    variable <- tree$variable[from]
    name <- fit$columns$name[variable]
    old <- region[[name]] %||% whole_range(fit$columns, variable)
    region[[name]] <- narrow(old, tree, from, branch[i])
    regions[[i]] <- region
  }
  regions
}

# The position of each node among the branches of its parent, from 0.
node_branches <- function(tree) {
  edge <- edges(tree)
  branch <- integer(length(tree$parent))
  branch[edge$child] <- edge$branch
  branch
}

whole_range <- function(columns, variable) {
  if (columns$kind[variable] == "numeric") {
    return(list(variable = variable, lower = -Inf, upper = Inf, missing = TRUE))
  }
  codes <- seq_along(columns$levels[[variable]])
  list(variable = variable, codes = codes, seen = codes, by_rank = FALSE, missing = TRUE)
}

narrow <- function(old, tree, node, branch) {
  default <- tree$default_child[node]
  old$missing <- old$missing && !is.na(default) && default == branch
  if (tree$kind[node] %in% 1:3) {
    breaks <- tree$breaks[tree$break_start[node] + seq_len(tree$break_count[node])]
    lower <- c(-Inf, breaks)[branch + 1L]
    upper <- c(breaks, Inf)[branch + 1L]
    if (is.null(old$codes)) {
      old$lower <- max(old$lower, lower)
      old$upper <- min(old$upper, upper)
    } else {
      old$codes <- old$codes[old$codes > lower & old$codes <= upper]
      old$seen <- old$seen[old$seen > lower & old$seen <= upper]
      old$by_rank <- TRUE
    }
    return(old)
  }
  narrow_levels(old, tree, node, branch, default)
}

# A level without training rows in the node goes where missing values go.
narrow_levels <- function(old, tree, node, branch, default) {
  if (tree$kind[node] == 5L) {
    level <- branch + 1L
    old$codes <- if (level %in% old$codes) level else integer()
    old$seen <- if (level %in% old$seen) level else integer()
    return(old)
  }
  at <- set_positions(tree, node)
  known <- tree$level[at]
  mine <- known[tree$level_child[at] == branch]
  strangers <- if (isTRUE(default == branch)) setdiff(old$codes, known)
  old$codes <- sort(c(intersect(old$codes, mine), strangers))
  old$seen <- intersect(old$seen, mine)
  old
}

# The conditions of several regions in one list, and the region of each.
flat_conditions <- function(regions) {
  list(
    condition = unlist(unname(regions), recursive = FALSE, use.names = FALSE),
    region = rep(seq_along(regions), lengths(regions))
  )
}

condition_variables <- function(conditions) vapply(conditions, `[[`, 0L, "variable")

condition_ends <- function(conditions, end) vapply(conditions, `[[`, 0, end)

# One text per region: "x in (1, 3] & colour in {red, green}".
region_texts <- function(regions, columns, digits = 7L, set_width = Inf) {
  flat <- flat_conditions(regions)
  variable <- condition_variables(flat$condition)
  text <- paste(
    show_names(columns$name)[variable],
    condition_texts(flat$condition, variable, columns, digits, set_width),
    recycle0 = TRUE
  )
  sets <- split(text, factor(flat$region, levels = seq_along(regions)))
  vapply(sets, function(t) if (length(t)) paste(t, collapse = " & ") else "any row", "",
    USE.NAMES = FALSE
  )
}

# All conditions on numbers are written at once: a large tree has 100,000 of them.
condition_texts <- function(conditions, variable, columns, digits, set_width) {
  out <- character(length(conditions))
  number <- columns$kind[variable] == "numeric"
  for (group in split(which(number), variable[number])) {
    lower <- condition_ends(conditions[group], "lower")
    upper <- condition_ends(conditions[group], "upper")
    text <- function(ends) value_text(columns, variable[group[1L]], ends, digits)
    out[group] <- range_text(text(lower), text(upper), lower == -Inf, upper == Inf)
    known <- !vapply(conditions[group], `[[`, NA, "missing")
    out[group][lower == -Inf & upper == Inf & known] <- "is known"
    out[group][lower == Inf] <- "is missing"
  }
  out[!number] <- vapply(conditions[!number], level_text, "", columns, set_width)
  out
}

level_text <- function(condition, columns, set_width) {
  levels <- columns$levels[[condition$variable]]
  label <- function(code) show_label(levels[code])
  seen <- condition$seen
  last <- length(seen)
  if (last == 0L && condition$missing) {
    return("is missing")
  }
  if (condition$by_rank && last && identical(seen, seq(seen[1L], seen[last]))) {
    low <- seen[1L] == 1L
    lower <- if (low) "" else label(seen[1L] - 1L)
    return(range_text(lower, label(seen[last]), low, seen[last] == length(levels)))
  }
  if (last == 1L) {
    return(paste("=", label(seen)))
  }
  paste0("in {", set_text(label(seen), set_width), "}")
}

# Vectorised. The text is "is anything" if both ends are infinite.
range_text <- function(lower, upper, from_bottom, to_top) {
  out <- paste0("in (", lower, ", ", upper, "]")
  out[from_bottom] <- paste("<=", upper[from_bottom])
  out[to_top] <- paste(">", lower[to_top])
  out[from_bottom & to_top] <- "is anything"
  out
}

# Readable text for coded values of one column.
value_text <- function(columns, variable, x, digits = 7L) {
  if (columns$kind[variable] != "numeric") {
    out <- show_label(columns$levels[[variable]])[x]
  } else if (is.object(columns$ptype[[variable]])) {
    out <- quantity_text(as.numeric(x), columns$ptype[[variable]], digits)
  } else {
    out <- number_text(as.numeric(x), digits)
  }
  out[is.na(x)] <- "missing"
  out
}
