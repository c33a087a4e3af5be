#' @rdname as_tec_tree
#' @export
as_tec_tree.party <- function(x, ...) {
  refuse_dots("as_tec_tree", ...)
  need_package("partykit", "as_tec_tree")
  fitted <- x$fitted
  truth <- fitted[["(response)"]]
  if (is.null(truth) || is.data.frame(truth) || !(is.factor(truth) || is.numeric(truth))) {
    tec_abort("conversion", c(
      "The party must contain the response of its training rows, as classes or numbers.",
      x = if (is.null(truth)) "It contains none." else "Its response is {describe(truth)}.",
      i = "Trees from {.fn ctree} and {.fn as.party} contain it."
    ))
  }
  data <- x$data
  terms <- x$terms
  own <- response_text(terms)
  name <- setdiff(names(data), c(own, "(weights)"))
  columns <- columns_of_values(name, data[name])
  response <- foreign_response(own, levels(truth))
  records <- party_records(x, columns, names(data), truth, fitted)
  criterion <- if (is.factor(truth)) "gini" else "l2"
  any_surrogate <- any(lengths(lapply(records, `[[`, "surrogates")) > 0L)
  control <- tec_control(missing = if (any_surrogate) "surrogate" else "majority")
  routing <- list(unknown = 0L, by_surrogate = any_surrogate)
  as_fit(
    records, columns, response, criterion, "tec", terms, control, routing,
    paste("from", party_source(x))
  )
}

# The function or method that created a party; a party does not store its criterion.
party_source <- function(x) {
  method <- x$info$method
  if (is.character(method) && length(method) == 1L) {
    return(method)
  }
  call <- x$info$call
  name <- if (is.call(call)) call_head(call) else ""
  if (nzchar(name)) name else "partykit"
}

party_records <- function(x, columns, data_names, truth, fitted) {
  weight <- fitted[["(weights)"]] %||% rep(1, nrow(fitted))
  below <- party_rows(partykit::node_party(x), fitted[["(fitted)"]])
  records <- lapply(below$nodes, function(entry) {
    rows <- entry$rows
    record <- list(
      n = sum(weight[rows] > 1e-6), weight = sum(weight[rows]), children = entry$children
    )
    record <- c(record, party_outcome(truth[rows], weight[rows], levels(truth)))
    split <- partykit::split_node(entry$node)
    if (is.null(split)) {
      return(record)
    }
    c(record, list(
      id = partykit::id_node(entry$node), split = split,
      others = partykit::surrogates_node(entry$node)
    ))
  })
  # Weights represent rows if a tectree tree was converted to partykit and back.
  if (!is.null(fitted[["(weights)"]])) {
    for (i in seq_along(records)) records[[i]]$n <- round(records[[i]]$weight)
  }
  records <- lapply(records, function(record) {
    if (is.null(record$split)) {
      return(record)
    }
    sizes <- vapply(records[record$children], function(r) r$weight, 0)
    split <- party_record_split(record$split, columns, data_names, record$children, sizes)
    # Our branch, from 0, of each branch in partykit.
    branch <- match(record$children, split$children) - 1L
    record$surrogates <- party_surrogate_records(record$others, columns, data_names, branch)
    record$lost <- length(record$others) - length(record$surrogates)
    record$split <- record$children <- record$others <- NULL
    c(record, split)
  })
  warn_lost_surrogates(records)
  records
}

# Binary surrogates of binary splits.
party_surrogate_records <- function(splits, columns, data_names, branch) {
  if (length(branch) != 2L) {
    return(NULL)
  }
  found <- lapply(splits, function(split) {
    variable <- match(data_names[partykit::varid_split(split)], columns$name)
    breaks <- partykit::breaks_split(split)
    index <- partykit::index_split(split)
    right <- partykit::right_split(split)
    info <- partykit::info_split(split)
    agree <- c(info$agree, NA)[1L]
    adj <- c(info$adj, NA)[1L]
    if (columns$kind[variable] == "numeric") {
      side <- branch[index %||% 1:2]
      if (length(breaks) != 1L || side[1L] == side[2L]) {
        return(NULL)
      }
      if (!right) breaks <- previous_double(breaks)
      return(number_surrogate(variable, breaks, side[1L] == 1L, agree, adj))
    }
    levels <- columns$levels[[variable]]
    if (!is.null(breaks)) {
      index <- party_level_index(breaks, index, levels, columns$ptype[[variable]], right)
    }
    levels_surrogate(variable, branch[index[seq_along(levels)]], columns$kind[variable], agree, adj)
  })
  found[lengths(found) > 0L]
}

warn_lost_surrogates <- function(records) {
  lost <- vapply(records, function(record) as.integer(record$lost %||% 0L), 0L)
  if (any(lost > 0L)) {
    nodes <- vapply(records[lost > 0L], function(record) as.integer(record$id), 0L)
    tec_warn("conversion", c(
      "{sum(lost)} surrogate split{?s} {?has/have} no counterpart here and {?is/are} dropped.",
      x = "Splits or surrogates of more than two branches, at {?node/nodes} {nodes} of the party.",
      i = "Rows without a value go down the most probable branch there."
    ))
  }
}

# Every node with its rows and the positions of its children, without recursion.
party_rows <- function(root, leaf) {
  nodes <- list(list(node = root))
  i <- 1L
  while (i <= length(nodes)) {
    kids <- partykit::kids_node(nodes[[i]]$node)
    nodes[[i]]$children <- length(nodes) + seq_along(kids)
    nodes <- c(nodes, lapply(kids, function(kid) list(node = kid)))
    i <- i + 1L
  }
  at <- split(seq_along(leaf), leaf)
  for (i in rev(seq_along(nodes))) {
    children <- nodes[[i]]$children
    nodes[[i]]$rows <- if (length(children)) {
      unlist(lapply(nodes[children], function(entry) entry$rows), use.names = FALSE)
    } else {
      at[[as.character(partykit::id_node(nodes[[i]]$node))]]
    }
  }
  list(nodes = nodes)
}

party_outcome <- function(truth, weight, levels) {
  if (is.null(levels)) {
    mean <- if (length(truth)) sum(weight * truth) / sum(weight) else 0
    return(list(yval = mean, impurity = sum(weight * (truth - mean)^2) / max(sum(weight), 1e-300)))
  }
  count <- vapply(seq_along(levels), function(k) sum(weight[as.integer(truth) == k]), 0)
  if (sum(count) == 0) count[] <- 1
  list(prob = count / sum(count), yval = which.max(count))
}

party_record_split <- function(split, columns, data_names, children, sizes) {
  name <- data_names[partykit::varid_split(split)]
  variable <- match(name, columns$name)
  breaks <- partykit::breaks_split(split)
  index <- partykit::index_split(split)
  prob <- partykit::prob_split(split)
  default <- if (length(unique(prob)) > 1L) which.max(prob) else which.max(sizes)
  out <- list(variable = variable, children = children, default = default - 1L)
  if (columns$kind[variable] == "numeric") {
    return(party_number_split(out, breaks, index, partykit::right_split(split)))
  }
  levels <- columns$levels[[variable]]
  if (!is.null(breaks)) {
    right <- partykit::right_split(split)
    index <- party_level_index(breaks, index, levels, columns$ptype[[variable]], right)
  }
  seen <- which(!is.na(index))
  multiway <- length(children) == length(levels) && identical(as.integer(index), seq_along(levels))
  if (multiway && columns$kind[variable] == "nominal") {
    return(c(out, list(kind = 5L)))
  }
  by_rank(
    c(out, list(kind = 4L, levels = seen, branch = as.integer(index[seen]) - 1L)),
    columns$kind[variable], length(levels)
  )
}

party_number_split <- function(out, breaks, index, right) {
  index <- index %||% seq_len(length(breaks) + 1L)
  if (anyDuplicated(index) || length(index) != length(out$children)) {
    tec_abort("conversion", c(
      "Several intervals of a number in one branch have no counterpart here.",
      x = "A split sends {length(index)} intervals down {length(out$children)} branches."
    ))
  }
  out$children <- out$children[index]
  out$default <- match(out$default + 1L, index) - 1L
  if (!right) breaks <- previous_double(breaks)
  c(out, list(kind = if (length(breaks) == 1L) 1L else 2L, breaks = breaks))
}

# Converts breaks on levels, or on FALSE and TRUE, to the branch of each level.
party_level_index <- function(breaks, index, levels, ptype, right) {
  value <- if (is.logical(ptype)) 0:1 else seq_along(levels)
  bin <- .bincode(value, c(-Inf, breaks, Inf), right = right)
  if (is.null(index)) bin else index[bin]
}
