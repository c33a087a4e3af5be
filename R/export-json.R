# Tested in test-tec_json.R.

unknown_words <- c("branch", "share", "stop")

json_parts <- function(fit) {
  tree <- fit$tree
  c(
    list(format = "tectree", version = 1L), json_task(fit),
    list(
      preset = fit$preset, source = fit$source,
      missing = unknown_words[tree$unknown + 1L], surrogates = isTRUE(tree$by_surrogate),
      unseen = fit$control$unseen %||% "missing",
      smooth = if (smooths(fit)) smoothing(fit)$rows,
      smooth_to = if (smooths(fit) && smooths_to_root(fit)) "root"
    ),
    json_cost(fit),
    list(
      columns = json_columns(fit$columns),
      nodes = json_array(
        lapply(seq_along(tree$parent), json_node, fit = fit, prob = leaf_shares(fit))
      )
    )
  )
}

json_task <- function(fit) {
  response <- fit$response
  list(
    task = response$task,
    response = list(
      name = response$name, type = json_type(response$ptype), levels = json_array(response$levels)
    ),
    criterion = c(list(name = fit$criterion$name), as.list(fit$criterion$parameter))
  )
}

json_cost <- function(fit) {
  cost <- fit$cost
  if (!is.null(cost)) list(cost = unname(apply(cost, 1L, json_array, simplify = FALSE)))
}

json_columns <- function(columns) {
  json_array(lapply(seq_along(columns$name), function(j) {
    ptype <- columns$ptype[[j]]
    list(
      name = columns$name[j], kind = columns$kind[j], type = json_type(ptype),
      units = if (inherits(ptype, "difftime")) units(ptype),
      zone = if (inherits(ptype, "POSIXct")) attr(ptype, "tzone")[1L],
      levels = json_array(columns$levels[[j]])
    )
  }))
}

smooths <- function(fit) !is.null(fit$response$levels) && smoothing(fit)$rows > 0

json_type <- function(ptype) {
  for (class in c("Date", "POSIXct", "difftime", "ordered", "factor")) {
    if (inherits(ptype, class)) return(class)
  }
  typeof(ptype)
}

json_node <- function(i, fit, prob) {
  tree <- fit$tree
  levels <- fit$response$levels
  out <- list(
    node = i, n = tree$n[i], weight = tree$weight[i],
    value = if (is.null(levels)) tree$yval[i] else levels[tree$yval[i]],
    prob = if (!is.null(levels)) json_array(prob[i, ]),
    shares = if (smooths(fit)) json_array(tree$prob[i, ]), impurity = tree$impurity[i]
  )
  if (tree$kind[i] == 0L) {
    return(out)
  }
  to <- tree$child[tree$child_start[i] + seq_len(tree$n_children[i])]
  breaks <- tree$breaks[tree$break_start[i] + seq_len(tree$break_count[i])]
  default <- tree$default_child[i]
  if (is.na(default) || default < 0L) default <- NULL
  split <- json_split(fit, tree$kind[i], tree$variable[i], to, breaks, set_at(tree, i))
  c(out, split, list(
    default = if (!is.null(default)) to[default + 1L],
    test = if (!is.na(tree$test[i, 2L] %||% NA)) json_array(unname(tree$test[i, ])),
    gain = tree$gain[i], score = tree$score[i], exact = tree$exact[i] == 1L,
    surrogates = json_array(json_surrogates(fit, i, to))
  ))
}

json_split <- function(fit, kind, variable, to, breaks, set) {
  groups <- if (kind > 2L) {
    labels <- fit$columns$levels[[variable]]
    codes <- level_sets(kind, breaks, set, length(labels), length(to))
    lapply(codes, function(k) json_array(labels[k]))
  }
  list(
    column = fit$columns$name[variable], kind = split_kinds[kind + 1L],
    # A branch of missing values alone comes last.
    breaks = if (kind <= 2L) json_array(breaks[is.finite(breaks)]), groups = groups,
    children = json_array(to)
  )
}

json_surrogates <- function(fit, i, to) {
  tree <- fit$tree
  lapply(tree$surrogate_start[i] + seq_len(tree$surrogate_count[i]), function(s) {
    at <- tree$surrogate_level_start[s] + seq_len(tree$surrogate_level_count[s])
    c(
      json_split(
        fit, tree$surrogate_kind[s], tree$surrogate_variable[s],
        if (tree$surrogate_flipped[s]) rev(to) else to, tree$surrogate_cut[s],
        list(level = tree$level[at], branch = tree$level_child[at])
      ),
      list(agree = tree$surrogate_agree[s], adj = tree$surrogate_adj[s])
    )
  })
}

# Kept as an array whatever its length; nothing stays nothing.
json_array <- function(x) if (!is.null(x)) structure(list(x), class = "json_array")

# Fields that are NULL are left out; NA is null. Short vectors of numbers are made text all at once,
# which takes as long as one of them, and then taken in their order.
json_text <- function(x) {
  is_long <- function(x) length(x) > 100L
  short <- function(x) if (is_long(x)) numeric() else as.double(x)
  values <- rapply(list(x), short, c("numeric", "integer"), how = "unlist")
  numbers <- json_atoms(as.double(values))
  taken <- 0L
  atoms <- function(x) {
    if (is.object(x) || !is.numeric(x) || is_long(x)) return(json_atoms(x))
    out <- numbers[taken + seq_along(x)]
    taken <<- taken + length(x)
    out
  }
  write <- function(x, indent) {
    inside <- paste0(indent, " ")
    if (inherits(x, "json_array")) {
      x <- x[[1L]]
      if (!is.list(x)) return(paste0("[", paste(atoms(x), collapse = ", "), "]"))
      items <- vapply(x, write, "", inside)
      return(paste0("[", paste0("\n", inside, items, collapse = ",", recycle0 = TRUE), "]"))
    }
    if (!is.list(x)) return(atoms(x))
    if (is.null(names(x))) {
      return(paste0("[", paste(vapply(x, write, "", inside), collapse = ", "), "]"))
    }
    x <- x[lengths(x) > 0L]
    items <- paste0(quoted(names(x), "json"), ": ", vapply(x, write, "", inside))
    paste0("{", paste(items, collapse = ", "), "}")
  }
  write(x, "")
}

json_atoms <- function(x) {
  out <- if (is.character(x)) {
    quoted(x, "json")
  } else if (is.logical(x)) {
    code_bool(x, "json")
  } else {
    exact_number(x)
  }
  out[is.na(x)] <- "null"
  out
}
