# Tested in test-tec_json.R.
# Checks a file against the schema and the rules of a tree, field by field. The first fault is an
# error that names its place and value. `where`: the place, for the message.

json_types <- list(
  numeric = c("double", "integer", "Date", "POSIXct", "difftime"), ordered = "ordered",
  nominal = c("factor", "character", "logical")
)

json_fields <- list(
  tree = list(
    needed = c(
      "format", "version", "task", "response", "criterion", "preset", "missing", "surrogates",
      "unseen", "columns", "nodes"
    ),
    optional = c("source", "cost", "smooth", "smooth_to")
  ),
  forest = list(
    needed = c(
      "format", "version", "task", "response", "criterion", "missing", "unseen", "rows", "columns",
      "trees"
    ),
    optional = c("class_by", "cost", "mtry", "link")
  ),
  link = list(needed = c("round", "base", "scale"), optional = c("output", "vote")),
  forest_tree = list(
    needed = c("column", "split", "right", "default", "weight", "value"), optional = "inner_value"
  ),
  response = list(needed = c("name", "type"), optional = "levels"),
  column = list(needed = c("name", "kind", "type"), optional = c("units", "zone", "levels")),
  leaf = list(
    needed = c("node", "n", "weight", "value"), optional = c("prob", "shares", "impurity")
  ),
  split = list(
    needed = c("column", "kind", "children"),
    optional = c("breaks", "groups", "default", "gain", "score", "exact", "surrogates", "test")
  ),
  surrogate = list(
    needed = c("column", "kind", "children"), optional = c("breaks", "groups", "agree", "adj")
  )
)

json_fault <- function(where, ...) stop(paste0(where, ": ", ...), call. = FALSE)

check_json_fields <- function(x, fields, where) {
  given <- names(x)
  if (!is.list(x) || is.null(given)) json_fault(where, "it must be an object with named fields")
  twice <- given[duplicated(given)]
  if (length(twice)) json_fault(where, "the field \"", twice[1L], "\" occurs twice")
  lost <- setdiff(fields$needed, given)
  if (length(lost)) json_fault(where, "the field \"", lost[1L], "\" is missing")
  none <- setdiff(given[lengths(x) == 0L & vapply(x, is.null, NA)], c("agree", "adj"))
  if (length(none)) json_fault(where, "the field \"", none[1L], "\" is null")
  odd <- setdiff(given, c(fields$needed, fields$optional))
  if (length(odd)) json_fault(where, "there is no field \"", odd[1L], "\" here")
}

check_json_string <- function(x, where) {
  if (!is.character(x) || length(x) != 1L || is.na(x)) json_fault(where, "it must be text")
}

check_json_word <- function(x, words, where) {
  check_json_string(x, where)
  if (!x %in% words) {
    words <- paste0("\"", words, "\"", collapse = ", ")
    json_fault(where, "it must be one of ", words, ", not \"", x, "\"")
  }
}

check_json_flag <- function(x, where) {
  if (!isTRUE(x) && !isFALSE(x)) json_fault(where, "it must be true or false")
}

check_json_list <- function(x, where, least) {
  if (!is.list(x) || !is.null(names(x)) || length(x) < least) {
    json_fault(where, "it must be a list of at least ", least)
  }
}

check_json_number <- function(x, where, low = -Inf, high = Inf, null = FALSE) {
  if (null && is.null(x)) {
    return(invisible())
  }
  if (!is.numeric(x) || length(x) != 1L || !is.finite(x)) {
    json_fault(where, "it must be a finite number")
  }
  if (x < low || x > high) json_fault(where, "it is out of range: ", x)
}

check_json_whole <- function(x, where, low, high) {
  check_json_number(x, where)
  if (x < low || x > high || x != round(x)) {
    json_fault(where, "it must be a whole number from ", low, " to ", high)
  }
}

# A list of numbers (of length `n`, if given) as a vector. The place of a fault has its number in
# the list.
check_json_numbers <- function(x, where, low = -Inf, high = Inf, n = NULL, whole = FALSE) {
  if (!is.list(x)) json_fault(where, "it must be a list of numbers")
  if (!is.null(n) && length(x) != n) {
    json_fault(where, "it must have ", n, " numbers, not ", length(x))
  }
  single <- vapply(x, function(v) is.numeric(v) && length(v) == 1L && is.finite(v), NA)
  place <- function(i) paste0(where, "[", i, "]")
  if (!all(single)) json_fault(place(which(!single)[1L]), "it must be a finite number")
  out <- as.double(unlist(x))
  odd <- which(out < low | out > high | whole & out != round(out))[1L]
  if (is.na(odd)) {
    return(out)
  }
  if (whole) {
    json_fault(place(odd), "it must be a whole number from ", low, " to ", high)
  }
  json_fault(place(odd), "it is out of range: ", out[odd])
}

check_json_shares <- function(x, where, n) {
  share <- check_json_numbers(x, where, 0, 1 + 1e-9, n)
  if (abs(sum(share) - 1) > 1e-9) {
    json_fault(where, "shares must sum to 1; they sum to ", sum(share))
  }
}

check_json_labels <- function(x, where, least = 1L) {
  check_json_list(x, where, least)
  for (label in x) check_json_string(label, where)
  out <- read_strings(x)
  if (anyDuplicated(out)) json_fault(where, "\"", out[duplicated(out)][1L], "\" is there twice")
  out
}

read_strings <- function(x) vapply(x, function(s) enc2utf8(s), "")

check_json_format <- function(parts) {
  is_ours <- is.list(parts) && identical(parts$format, "tectree")
  if (is_ours && is_size(parts$version) && parts$version > json_format) {
    abort_newer("The JSON", parts$version, json_format, "export")
  }
  if (!is_ours || !identical(parts$version, json_format)) {
    json_fault("top", "it lacks \"format\": \"tectree\", \"version\": 1")
  }
}

# Checks the parts that trees and forests share. Returns the classes, or NULL for numbers.
check_json_top <- function(parts) {
  check_json_word(parts$task, c("classification", "regression"), "task")
  check_json_word(parts$missing, unknown_words, "missing")
  check_json_word(parts$unseen, c("missing", "error"), "unseen")
  classes <- check_json_response(parts$response, parts$task)
  check_json_criterion(parts$criterion, parts$task)
  check_json_cost(parts$cost, classes)
  classes
}

check_json <- function(parts) {
  check_json_fields(parts, json_fields$tree, "top")
  classes <- check_json_top(parts)
  check_json_word(parts$preset, preset_names, "preset")
  check_json_flag(parts$surrogates, "surrogates")
  if (!is.null(parts$source)) check_json_string(parts$source, "source")
  if (!is.null(parts[["smooth"]])) {
    if (is.null(classes)) json_fault("smooth", "it is not for a regression tree")
    check_json_number(parts$smooth, "smooth", 1e-100, 1e100)
  }
  if (!is.null(parts$smooth_to)) {
    if (is.null(parts[["smooth"]])) json_fault("smooth_to", "it needs \"smooth\"")
    check_json_word(parts$smooth_to, c("even", "root"), "smooth_to")
  }
  columns <- check_json_columns(parts$columns)
  check_json_list(parts$nodes, "nodes", 1L)
  for (i in seq_along(parts$nodes)) {
    check_json_node(parts$nodes[[i]], i, parts, columns, classes)
  }
  check_json_tree(parts$nodes)
}

check_json_type <- function(x, where) {
  check_json_string(x$name, paste0(where, ".name"))
  if (!nzchar(x$name)) json_fault(where, "the name is empty")
  if (identical(x$type, "difftime")) {
    check_json_word(x$units, c("secs", "mins", "hours", "days", "weeks"), paste0(where, ".units"))
  } else if (!is.null(x$units)) {
    json_fault(where, "only a column of type \"difftime\" has units")
  }
  if (!is.null(x$zone)) check_json_string(x$zone, paste0(where, ".zone"))
}

# Returns the classes, or NULL for numbers.
check_json_response <- function(x, task) {
  check_json_fields(x, json_fields$response, "response")
  check_json_string(x$name, "response.name")
  if (task == "regression") {
    check_json_word(x$type, c("double", "integer"), "response.type")
    if (!is.null(x$levels)) json_fault("response", "a number has no levels")
    return(NULL)
  }
  check_json_word(x$type, c("factor", "ordered", "character", "logical"), "response.type")
  check_json_labels(x$levels, "response.levels")
}

check_json_criterion <- function(x, task) {
  if (!is.list(x) || is.null(names(x))) json_fault("criterion", "it must be an object")
  check_json_string(x$name, "criterion.name")
  row <- match(x$name, core_criteria()$name)
  if (is.na(row)) json_fault("criterion.name", "there is no criterion \"", x$name, "\"")
  parameter <- core_criteria()$parameter[row]
  check_json_fields(x, list(needed = c("name", parameter[nzchar(parameter)])), "criterion")
  if (nzchar(parameter)) check_json_number(x[[parameter]], "criterion")
  if (core_criteria()$task[row] != task) {
    json_fault("criterion.name", "\"", x$name, "\" is not for ", task)
  }
}

check_json_cost <- function(x, classes) {
  if (is.null(x)) {
    return(invisible())
  }
  k <- length(classes)
  if (k == 0L) json_fault("cost", "it is not for a regression tree")
  if (!is.list(x) || length(x) != k) json_fault("cost", "it must have ", k, " rows")
  cost <- do.call(rbind, lapply(seq_len(k), function(i) {
    check_json_numbers(x[[i]], paste0("cost[", i, "]"), 0, n = k)
  }))
  if (any(diag(cost) != 0)) json_fault("cost", "the right class must cost nothing")
  if (all(cost == 0)) json_fault("cost", "it is 0 everywhere")
}

check_json_columns <- function(columns) {
  check_json_list(columns, "columns", 1L)
  for (j in seq_along(columns)) {
    where <- paste0("columns[", j, "]")
    x <- columns[[j]]
    check_json_fields(x, json_fields$column, where)
    check_json_word(x$kind, names(json_types), paste0(where, ".kind"))
    check_json_word(x$type, json_types[[x$kind]], paste0(where, ".type"))
    check_json_type(x, where)
    if (x$kind == "numeric" && !is.null(x$levels)) json_fault(where, "a number has no levels")
    if (x$kind != "numeric") {
      labels <- check_json_labels(x$levels, paste0(where, ".levels"), 0L)
      if (x$type == "logical" && !all(labels %in% c("FALSE", "TRUE"))) {
        json_fault(paste0(where, ".levels"), "a logical column has FALSE and TRUE")
      }
    }
  }
  names <- vapply(columns, `[[`, "", "name")
  twice <- names[duplicated(names)]
  if (length(twice)) json_fault("columns", "\"", twice[1L], "\" is there twice")
  stats::setNames(columns, names)
}

check_json_node <- function(x, i, parts, columns, classes) {
  where <- paste0("nodes[", i, "]")
  at <- function(field) paste0(where, ".", field)
  split <- "column" %in% names(x)
  fields <- if (split) Map(c, json_fields$leaf, json_fields$split) else json_fields$leaf
  check_json_fields(x, fields, where)
  check_json_number(x$node, at("node"), i, i)
  check_json_number(x$n, at("n"), 0)
  check_json_number(x$weight, at("weight"), 0)
  check_json_number(x$impurity, at("impurity"), -1e-9)
  if (length(classes)) {
    check_json_word(x$value, classes, at("value"))
    for (field in c("prob", if (!is.null(parts$smooth)) "shares")) {
      check_json_shares(x[[field]], at(field), length(classes))
    }
  } else {
    check_json_number(x$value, at("value"))
    if (!is.null(x$prob)) json_fault(at("prob"), "it is not for a regression tree")
  }
  if (!is.null(x$shares) && is.null(parts$smooth)) {
    json_fault(at("shares"), "they need \"smooth\"")
  }
  if (!split) {
    return(invisible())
  }
  children <- check_json_numbers(
    x$children, at("children"), i + 1L, length(parts$nodes), whole = TRUE
  )
  if (length(children) < 2L) json_fault(at("children"), "there must be at least two")
  check_json_word(x$kind, split_kinds[-1L], at("kind"))
  check_json_split(x, columns, length(children), where)
  if (parts$missing == "branch" && is.null(x$default)) json_fault(at("default"), "it is missing")
  if (!is.null(x$default)) {
    check_json_number(x$default, at("default"))
    if (!x$default %in% children) json_fault(at("default"), "it must be one of the children")
  }
  check_json_number(x$gain, at("gain"))
  check_json_number(x$score, at("score"))
  check_json_flag(x$exact, at("exact"))
  if (!is.null(x$test)) check_json_numbers(x$test, at("test"), n = length(test_fields))
  check_json_surrogates(x, parts, columns, children, where)
}

check_json_split <- function(x, columns, n, where) {
  at <- function(field) paste0(where, ".", field)
  check_json_string(x$column, at("column"))
  if (!x$column %in% names(columns)) {
    json_fault(at("column"), "there is no column \"", x$column, "\"")
  }
  column <- columns[[match(x$column, names(columns))]]
  if ((column$kind == "numeric") != (x$kind %in% c("threshold", "intervals"))) {
    json_fault(at("kind"), "\"", x$kind, "\" does not fit a column that is ", column$kind)
  }
  if (x$kind %in% c("threshold", "level") && n != 2L) json_fault(where, "it must have two children")
  if (column$kind == "numeric") {
    if (!is.null(x$groups)) json_fault(at("groups"), "a number has none")
    # One less if the last branch has only missing values.
    apart <- x$kind == "intervals" && length(x$breaks) == n - 2L
    breaks <- check_json_numbers(x$breaks, at("breaks"), n = n - 1L - apart)
    if (is.unsorted(breaks, strictly = TRUE)) json_fault(at("breaks"), "they must ascend")
    return(invisible())
  }
  if (!is.null(x$breaks)) json_fault(at("breaks"), "labels have none")
  check_json_groups(x, read_strings(column$levels), n, at("groups"))
}

check_json_groups <- function(x, levels, n, where) {
  if (!is.list(x$groups) || length(x$groups) != n) json_fault(where, "there must be ", n)
  # The last group may have only missing values.
  least <- as.integer(!(seq_along(x$groups) == n & x$kind == "subset"))
  groups <- Map(function(g, l) check_json_labels(g, where, l), x$groups, least)
  all <- unlist(groups)
  odd <- setdiff(all, levels)
  if (length(odd)) json_fault(where, "the column has no label \"", odd[1L], "\"")
  if (anyDuplicated(all)) json_fault(where, "\"", all[duplicated(all)][1L], "\" is in two groups")
  in_order <- identical(all, levels)
  if (x$kind == "level" && !in_order) {
    json_fault(where, "they must be all labels in their order, cut once")
  }
  if (x$kind == "multiway" && (!in_order || any(lengths(groups) != 1L))) {
    json_fault(where, "there must be one for each label, in their order")
  }
}

check_json_surrogates <- function(x, parts, columns, children, where) {
  if (is.null(x$surrogates)) {
    return(invisible())
  }
  where <- paste0(where, ".surrogates")
  check_json_list(x$surrogates, where, 0L)
  if (length(x$surrogates) && length(children) != 2L) {
    json_fault(where, "they are only for binary splits")
  }
  for (s in x$surrogates) {
    check_json_fields(s, json_fields$surrogate, where)
    check_json_word(s$kind, c("threshold", "level", "subset"), paste0(where, ".kind"))
    check_json_split(s, columns, 2L, where)
    if (s$column == x$column) json_fault(paste0(where, ".column"), "it is the column of the split")
    to <- check_json_numbers(
      s$children, paste0(where, ".children"), 2L, length(parts$nodes), whole = TRUE
    )
    if (!identical(sort(to), sort(children))) {
      json_fault(paste0(where, ".children"), "they must be those of the node")
    }
    check_json_number(s$agree, paste0(where, ".agree"), 0, 1 + 1e-9, null = TRUE)
    check_json_number(s$adj, paste0(where, ".adj"), -Inf, 1 + 1e-9, null = TRUE)
  }
}

# The predictions of nodes must follow from the shares of their rows and `smooth`.
check_json_smoothing <- function(fit, parts) {
  if (is.null(parts$smooth)) {
    return(invisible())
  }
  said <- do.call(rbind, lapply(parts$nodes, function(x) as.double(unlist(x$prob))))
  odd <- which(rowSums(abs(said - leaf_shares(fit)) > 1e-9) > 0)
  if (length(odd)) {
    where <- paste0("nodes[", odd[1L], "].prob")
    json_fault(where, "they do not follow from shares, weight and smooth")
  }
}

# Every node but the root must be the child of one other node. Nodes are in pre-order: the first
# child follows its parent, and every other child follows the last node below the child before it.
check_json_tree <- function(nodes) {
  children <- lapply(nodes, function(x) as.integer(unlist(x$children)))
  last <- seq_along(nodes)
  for (i in rev(which(lengths(children) > 0L))) {
    to <- children[[i]]
    if (!identical(to, c(i, last[to[-length(to)]]) + 1L)) {
      json_fault(paste0("nodes[", i, "].children"), "the nodes do not form a tree in pre-order")
    }
    last[i] <- last[to[length(to)]]
  }
  if (last[1L] != length(nodes)) json_fault("nodes", "some have no parent")
  weight <- vapply(nodes, function(x) as.double(x$weight), 0)
  rows <- vapply(nodes, function(x) as.double(x$n), 0)
  for (i in which(lengths(children) > 0L)) {
    below <- sum(weight[children[[i]]])
    if (below > weight[i] * (1 + 1e-6) + 1e-9) {
      json_fault(paste0("nodes[", i, "].weight"), "it is less than that of its children, ", below)
    }
    if (any(rows[children[[i]]] > rows[i])) {
      json_fault(paste0("nodes[", i, "].n"), "a child has more rows than its parent")
    }
  }
}
