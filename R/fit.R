# A fit is a plain list, so it may have been edited or truncated, or come from another version.
# These checks take one pass over the nodes; the core checks the entries again.

fit_pieces <- c(
  "tree", "columns", "response", "criterion", "control", "predictors", "n_rows"
)
node_pieces <- c(
  "parent", "depth", "kind", "variable", "n_children", "child_start", "break_start",
  "break_count", "level_start", "level_count", "default_child", "n", "weight", "yval",
  "impurity", "gain", "score", "exact"
)
pool_pieces <- c("child", "breaks", "level", "level_child", "prob")
# The handling of missing values: two scalars, and the surrogates of the nodes.
surrogate_node_pieces <- c("surrogate_start", "surrogate_count")
surrogate_pieces <- paste0("surrogate_", c(
  "variable", "kind", "flipped", "cut", "level_start", "level_count", "agree", "adj"
))
routing_pieces <- c("unknown", "by_surrogate", surrogate_node_pieces, surrogate_pieces)

# Every model is a list of class `model`, the name of the function that grows it, and "tec_fit".
# `version` is that of the package that grew it.
new_fit <- function(model, parts, version = getNamespaceVersion("tectree")[["version"]]) {
  structure(c(parts, list(version = version, format = fit_format)), class = c(model, "tec_fit"))
}

# The format of stored models. It is raised when a model's parts change so that an older version of
# the package would misread them; every older format must still be read.
fit_format <- 1L

check_format <- function(fit) {
  format <- if (is.list(fit)) unclass(fit)[["format"]]
  if (is.null(format) || identical(format, fit_format)) {
    return(invisible())
  }
  if (!is_size(format) || format != floor(format) || format < 1) {
    abort_fit("its format is not a number from 1", model = "model")
  }
  if (format > fit_format) abort_newer("The model", format, fit_format, "damaged")
}

abort_newer <- function(what, format, known, topic) {
  tec_abort(c("format", topic), c(
    paste0(what, " was stored by a newer version of tectree."),
    x = paste0("Its format is ", format, "; this version reads formats up to ", known, "."),
    i = "Update tectree, or grow the model again."
  ))
}

# What every model stores about its data and its call. `ready$marks` are those of all rows, even if
# `ready` has only a part of them.
facts_of_data <- function(model, ready, input, call, n_rows = count_used_rows(ready, input$n)) {
  frame <- ready$frame
  list(
    columns = c(
      frame[c("name", "kind", "levels", "ptype")], list(needs = input$needs),
      if (length(frame$unused)) frame["unused"]
    ),
    response = ready$response$info, formula = input$formula, predictors = input$predictors,
    call = if (!is.null(call)) stored_call(call, as.name(model)), n_rows = n_rows,
    n_missing_response = ready$n_missing_response,
    marks = ready$marks %||% marks_of(ready, default_threads(ready$control$threads))
  )
}

# The call as it would be typed. Values inserted into it (as by do.call()) become a name, so that no
# data and no environment are stored.
stored_call <- function(call, what = quote(tec_tree)) {
  call[[1L]] <- what
  for (i in seq_along(call)[-1L]) {
    call[i] <- list(strip_data(call[[i]]))
  }
  call
}

split_kinds <- c("leaf", "threshold", "intervals", "level", "subset", "multiway")

# Whether a model is undamaged. `nodes = FALSE`: the core checks the nodes that it visits.
check_fit <- function(fit, nodes = TRUE) {
  check_format(fit)
  UseMethod("check_fit")
}

#' @exportS3Method
check_fit.default <- function(fit, nodes = TRUE) {
  abort_found(
    "{.arg fit} must be a model of this package, such as a tree from {.fn tec_tree}.", fit
  )
}

#' @exportS3Method
check_fit.tec_tree <- function(fit, nodes = TRUE) {
  given <- fit
  # `$` for a tree is slower than for a list.
  fit <- unclass(fit)
  lost <- setdiff(fit_pieces, names(fit))
  if (!is.list(fit) || length(lost)) abort_fit("it has no {.field {lost}}", lost = lost)
  check_columns_info(fit)
  tree <- fit$tree
  if (!is.list(tree)) abort_fit("its tree is not a list")
  check_settings(fit)
  lost <- setdiff(c(node_pieces, pool_pieces, routing_pieces), names(tree))
  if (length(lost)) abort_fit("its tree has no {.field {lost}}", lost = lost)
  check_nodes(tree, length(fit$columns$name), fit$response)
  check_pools(tree)
  check_children(tree)
  check_split_columns(tree, fit$columns)
  check_routing(tree, fit$columns)
  check_tests(tree)
  invisible(given)
}

check_tests <- function(tree) {
  test <- tree$test
  if (is.null(test)) {
    return(invisible())
  }
  ok <- is.numeric(test) && identical(dim(test), c(length(tree$parent), 5L)) &&
    identical(colnames(test), test_fields)
  if (!ok) abort_fit("its tests do not match its nodes")
}

# Checks the handling of missing values, and that every surrogate matches its column.
check_routing <- function(tree, columns) {
  by <- tree$by_surrogate
  ok <- is_plain_number(tree$unknown) && length(tree$unknown) == 1L && tree$unknown %in% 0:2 &&
    is.logical(by) && length(by) == 1L && !is.na(by)
  if (!ok) abort_fit("its handling of missing values is not described")
  n <- length(tree$surrogate_variable)
  typed <- all(vapply(tree[c(surrogate_node_pieces, surrogate_pieces)], is_plain_number, NA))
  if (!typed) abort_fit("a part of its surrogates is not numeric")
  sizes <- lengths(tree[surrogate_pieces])
  nodes <- lengths(tree[surrogate_node_pieces])
  if (any(sizes != n) || any(nodes != length(tree$parent))) {
    abort_fit("its surrogates differ in length")
  }
  start <- as.double(tree$surrogate_start)
  count <- as.double(tree$surrogate_count)
  ok <- all_in_range(count, 0, n) && all_in_range(start, 0, n) && all(start + count <= n) &&
    all(count == 0 | tree$n_children == 2L) &&
    all_in_range(tree$surrogate_variable, 1, length(columns$name)) &&
    !anyNA(tree$surrogate_flipped)
  if (!ok) abort_fit("a surrogate is out of range")
  check_surrogate_columns(tree, columns)
}

check_surrogate_columns <- function(tree, columns) {
  kind <- tree$surrogate_kind
  numeric <- columns$kind[tree$surrogate_variable] == "numeric"
  ok <- all(kind %in% c(1L, 3L, 4L)) && all(numeric == (kind == 1L)) &&
    all_in_range(tree$surrogate_level_start, 0, length(tree$level)) &&
    all_in_range(tree$surrogate_level_count, 0, length(tree$level)) &&
    all(tree$surrogate_level_start + tree$surrogate_level_count <= length(tree$level))
  if (!ok) abort_fit("a surrogate does not match its column")
}

check_columns_info <- function(fit) {
  columns <- fit$columns
  if (!is.list(columns)) abort_fit("its columns are not a list")
  n <- length(columns$name)
  lists <- list(columns$levels, columns$ptype, columns$needs, fit$predictors)
  is_text <- function(x) is.character(x) && !anyNA(x) && all(validEnc(x))
  by_name <- vapply(fit$predictors, is.symbol, NA)
  same <- n > 0L && is_text(columns$name) && all(nzchar(columns$name)) &&
    is.character(columns$kind) && all(columns$kind %in% names(kind_codes)) &&
    length(columns$kind) == n && all(lengths(lists) == n) && all(vapply(lists, is.list, NA)) &&
    all(vapply(columns$needs, is.character, NA)) &&
    all(vapply(fit$predictors, function(x) is.symbol(x) || is.call(x), NA)) &&
    identical(as.character(unlist(columns$needs[by_name])), as.character(columns$name[by_name]))
  if (!same) abort_fit("its columns do not match each other")
  labels <- vapply(columns$levels, is_text, NA)
  no_labels <- columns$kind == "numeric" & vapply(columns$levels, is.null, NA)
  if (!all(labels | no_labels)) abort_fit("the labels of a column are not text")
  response <- fit$response
  known <- is.list(response) && is_string(response$name) && validEnc(response$name) &&
    is_string(response$task) &&
    response$task %in% c("classification", "regression") && (
    if (response$task == "regression") is.null(response$levels) else
      is_text(response$levels) && length(response$levels) > 0L && !anyDuplicated(response$levels)
  )
  if (!known) abort_fit("its response is not described")
  if (!is.null(fit$n_rows) && !is_one_number(fit$n_rows)) {
    abort_fit("its number of rows is not a number")
  }
  callable <- function(x) is.call(x) && (is.symbol(x[[1L]]) || is.call(x[[1L]]))
  if (!is.null(fit$call) && !callable(fit$call)) abort_fit("its call is not a call")
  formula <- fit$formula
  two_sides <- is.call(formula) && length(formula) == 3L && identical(formula[[1L]], quote(`~`))
  if (!is.null(formula) && !two_sides) {
    abort_fit("its formula does not have two sides")
  }
}

is_table <- function(x) {
  typeof(x) == "list" && length(unique(lengths(x))) == 1L &&
    all(vapply(x, function(v) is.numeric(v) || is.logical(v), NA))
}

# Whether `x` has the values that unshrunk() restores.
is_shrinkage <- function(x, tree) {
  is.list(x) && is_size(x$lambda) && identical(dim(x$prob), dim(tree$prob)) &&
    is.numeric(x$prob) && is.numeric(x$yval) && length(x$yval) == length(tree$yval)
}

is_smooth <- function(x) {
  is.null(x) || identical(x, "laplace") || is_size(x) && is.finite(x) && x >= 0
}

is_size <- function(x) is.numeric(x) && length(x) == 1L && !is.na(x)
is_one_number <- function(x) is_size(x) && is.null(attributes(x))

control_words <- c("nominal", "missing", "unseen", "prune")
control_sizes <- c(
  "min_split", "min_bucket", "max_depth", "max_leaves", "min_gain", "intervals",
  "min_weighted_gain", "min_bucket_share", "min_impurity"
)

pruning_words <- c("method", "risk", "penalties")

# Those that a fit of an earlier version may not have.
control_sizes_of_tests <- c("alpha_merge", "alpha_split", "alpha_resplit", "max_p", "permutations")

sound_control <- function(control, words, sizes) {
  sizes <- c(sizes, intersect(control_sizes_of_tests, names(control)))
  is_word <- function(word) {
    is_string(control[[word]]) && control[[word]] %in% tree_settings[[word]]$words
  }
  all(vapply(words, is_word, NA)) && all(vapply(control[sizes], is_size, NA))
}

is_known_criterion <- function(x) {
  is.list(x) && is_string(x$name) && x$name %in% core_criteria()$name && is.numeric(x$parameter) &&
    length(x$parameter) <= 1L && !anyNA(x$parameter)
}

# Checks that all parts other than the nodes have the type that other functions expect.
check_settings <- function(fit) {
  k <- length(fit$response$levels)
  shares <- function(x) is.null(x) || is.numeric(x) && length(x) == k && all(is.finite(x))
  costs <- function(x) {
    is.null(x) || is.matrix(x) && identical(dim(x), c(k, k)) && is.numeric(x) && all(is.finite(x))
  }
  count <- function(x) is_one_number(x) && is.finite(x) && x >= 0
  factors <- fit$class_factors
  leaves <- fit$pruning$leaves_grown
  sound <- c(
    criterion = is_known_criterion(fit$criterion),
    control = is.list(fit$control) && sound_control(fit$control, control_words, control_sizes) &&
      is_smooth(fit$control$smooth),
    pruning = is.null(fit$pruning) || is.list(fit$pruning) && (is.null(leaves) || count(leaves)) &&
      all(vapply(fit$pruning[intersect(pruning_words, names(fit$pruning))], is_string, NA)),
    preset = is.null(fit$preset) || is_string(fit$preset) && fit$preset %in% names(presets),
    n_rows = count(fit$n_rows), n_missing_response = count(fit$n_missing_response %||% 0),
    source = is.null(fit$source) || is_string(fit$source), cost = costs(fit$cost),
    cost_in = is.null(fit$cost_in) || is.character(fit$cost_in), prior = shares(fit$prior),
    class_weights = identical(fit$class_weights, "balanced") || shares(fit$class_weights),
    cptable = is.null(fit[["cptable"]]) || is_table(fit[["cptable"]]),
    shrunk = is.null(fit$shrunk) || is_shrinkage(fit$shrunk, fit$tree),
    honest = is.null(fit$honest) || is.list(fit$honest) && count(fit$honest$splits) &&
      count(fit$honest$values),
    class_factors = is.null(factors) || is.list(factors) && is.null(dim(factors)) &&
      setequal(names(factors), c("prior", "split")) && all(vapply(factors, shares, NA))
  )
  if (!all(sound)) {
    odd <- names(sound)[!sound]
    abort_fit("{.field {odd}} {?is/are} not what {.fn tec_tree} stores", odd = odd)
  }
}

check_nodes <- function(tree, n_columns, response) {
  n <- length(tree$parent)
  sizes <- lengths(tree[node_pieces])
  if (n == 0L || any(sizes != n)) abort_fit("its vectors differ in length")
  numbers <- vapply(tree[c(node_pieces, pool_pieces)], is_plain_number, NA)
  if (!all(numbers)) abort_fit("a part of its tree is not numeric")
  if (any(lengths(lapply(tree[node_pieces], attributes)))) {
    abort_fit("a part of its tree has attributes")
  }
  ok <- all_in_range(tree$kind, 0, 5) && all_in_range(tree$n_children, 0, Inf) &&
    all(tree$kind == 0L | each_in_range(tree$variable, 1, n_columns)) &&
    all((tree$kind == 0L) == (tree$n_children == 0L)) && all_in_range(tree$depth, 0, n)
  inner <- tree$kind != 0L
  ok <- ok && all_in_range(tree$n, 0, Inf) && all_in_range(tree$weight, 0, Inf) &&
    !anyNA(tree$impurity) && !anyNA(tree$gain[inner]) && !anyNA(tree$score[inner])
  if (!ok) abort_fit("a node is out of range")
  classes <- length(response$levels)
  if (response$task == "classification") {
    ok <- all_in_range(tree$yval, 1, classes) && identical(dim(tree$prob), c(n, classes))
    if (!ok) abort_fit("its classes are out of range")
    if (!are_shares(tree$prob)) abort_fit("the shares of a node do not add up to 1")
  } else {
    if (!all(is.finite(tree$yval))) abort_fit("a node has no value")
    if (length(tree$prob)) abort_fit("its nodes have shares of classes, but it predicts a number")
  }
}

# Whether each row of a matrix has class shares.
are_shares <- function(prob) {
  all_in_range(prob, 0, 1 + 1e-6) && all(abs(rowSums(prob) - 1) < 1e-6)
}

# Logical vectors count, because they store marks.
is_plain_number <- function(x) (is.numeric(x) || is.logical(x)) && !is.object(x)
all_in_range <- function(x, low, high) all(each_in_range(x, low, high))
each_in_range <- function(x, low, high) !is.na(x) & x >= low & x <= high

check_pools <- function(tree) {
  inner <- tree$kind != 0L
  spans <- list(
    c("child_start", "n_children", "child"), c("break_start", "break_count", "breaks"),
    c("level_start", "level_count", "level")
  )
  for (span in spans) {
    start <- as.double(tree[[span[1L]]][inner])
    count <- as.double(tree[[span[2L]]][inner])
    used <- is.na(count) | count > 0
    ok <- all_in_range(count, 0, Inf) && all_in_range(start[used], 0, Inf) &&
      all(start[used] + count[used] <= length(tree[[span[3L]]]))
    if (!ok) abort_fit("a node is out of range")
  }
  if (anyNA(tree$breaks)) abort_fit("a cut is not a number")
  if (length(tree$level) != length(tree$level_child)) abort_fit("its level sets differ in length")
}

# Nodes are numbered in pre-order, so the number of a child is larger than that of its parent, and
# no path can be circular.
check_children <- function(tree) {
  edge <- edges(tree)
  ok <- all_in_range(edge$child, 2, length(tree$parent)) && all(edge$child > edge$parent) &&
    length(edge$child) == length(tree$parent) - 1L && !anyDuplicated(edge$child) &&
    identical(as.integer(tree$parent[edge$child]), edge$parent) &&
    all(tree$depth[edge$child] == tree$depth[edge$parent] + 1L) &&
    tree$parent[1L] == 0L && tree$depth[1L] == 0L
  if (!ok) abort_fit("its nodes do not form a tree")
}

# Every branch: its parent, its position among the branches (from 0), and its node.
edges <- function(tree) {
  inner <- which(tree$kind != 0L)
  count <- as.integer(tree$n_children[inner])
  parent <- rep(inner, count)
  branch <- sequence(count) - 1L
  at <- rep(as.integer(tree$child_start[inner]), count) + branch + 1L
  list(parent = parent, branch = branch, child = as.integer(tree$child[at]))
}

# Checks the contents of splits, by kind.
check_split_columns <- function(tree, columns) {
  inner <- which(tree$kind != 0L)
  kind <- tree$kind[inner]
  breaks <- tree$break_count[inner]
  children <- tree$n_children[inner]
  n_levels <- lengths(columns$levels)[tree$variable[inner]]
  numeric <- columns$kind[tree$variable[inner]] == "numeric"
  ok <- all(numeric == (kind %in% c(1L, 2L))) &&
    all(!(kind %in% 1:3) | (breaks >= 1 & breaks == children - 1)) &&
    all(kind != 5L | children == n_levels) && all(children >= 2L)
  if (!ok) abort_fit("a split does not match its column")
  by_set <- inner[kind == 4L]
  owner <- rep(by_set, tree$level_count[by_set])
  at <- set_positions(tree, by_set)
  ok <- all_in_range(tree$level[at], 1, Inf) &&
    all(tree$level[at] <= lengths(columns$levels)[tree$variable[owner]]) &&
    all_in_range(tree$level_child[at], 0, Inf) && all(tree$level_child[at] < tree$n_children[owner])
  if (!ok) abort_fit("a level set is out of range")
}

# The positions of the level sets of some nodes in the pool.
set_positions <- function(splits, which) {
  count <- as.integer(splits$level_count[which])
  rep(as.integer(splits$level_start[which]), count) + sequence(count)
}

# The node where each row ends; if there are several, the one with the largest share.
route_rows <- function(fit, values, n, threads = NULL) {
  columns <- fit$columns
  tec_predict_(
    fit$tree, values, unname(kind_codes[columns$kind]), lengths(columns$levels), n,
    default_threads(threads)
  )
}

leaf_count <- function(fit) sum(fit$tree$kind == 0L)

is_forest <- function(fit) inherits(fit, "tec_forest")

# Facts that identify the training rows: the weights of the classes, or their sum and the mean.
root_of_rows <- function(ready) {
  y <- used_response(ready)
  w <- used_weights(ready) %||% rep(1, length(y))
  root_of(y, w, length(ready$response$info$levels))
}

root_of <- function(y, w, classes) {
  if (classes == 0L) {
    return(c(weight = sum(w), mean = sum(w / sum(w) * y)))
  }
  vapply(seq_len(classes), function(s) sum(w[y == s]), 0)
}
