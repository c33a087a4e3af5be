# Tested in test-plot-conditions.R, test-plot-leaf.R and test-plot-show.R.
# The style of a drawn tree: its texts, the plots in its nodes, and the rows for them.

leaf_kinds <- list(
  classification = c("stack", "columns"), regression = c("value", "histogram", "density")
)

# Width and height of each in lines of text.
leaf_sizes <- list(
  none = c(2.4, 0), stack = c(2.4, 0.7), columns = c(3.5, 2.2), value = c(2.4, 0),
  histogram = c(4.5, 2.2), density = c(4.5, 2.2)
)

branch_texts <- c("condition", "value", "yes/no", "left/right")
plot_styles <- c("tectree", "rpart.plot")

# list(show, branches, style, leaf, leaf_size, strip_size, by_rows, path, whole_path, fit, rows):
# `whole_path` says whether all of a path is drawn, however many levels there are; `rows` has the
# node where each row ends, its response and its coded values, where pictures need them.
tree_looks <- function(fit, show = NULL, leaves = NULL, strips = FALSE, path = NULL,
                       by_rows = FALSE, data = NULL, env = NULL, branches = NULL,
                       style = "tectree") {
  style <- match_choice(style, plot_styles, "style")
  filled <- style == "rpart.plot"
  branches <- branches %||% if (filled) "yes/no" else "condition"
  branches <- match_choice(branches, branch_texts, "branches")
  kinds <- leaf_kinds[[fit$response$task]]
  leaf <- if (is.null(leaves)) kinds[1L] else match_choice(leaves, kinds, "leaves")
  if (filled && is.null(leaves)) leaf <- "none"
  if (fit$response$task == "classification" && length(fit$response$levels) == 0L) leaf <- "none"
  strips <- check_flag(strips, "strips", topic = "argument")
  of_rows <- strips || leaf %in% c("histogram", "density")
  if (!of_rows) refuse_without("strips = TRUE", c(data = !is.null(data)))
  size <- leaf_sizes[[leaf]]
  response <- c(
    fit$response[c("name", "task", "levels")], list(tested = !is.null(fit$tree$test))
  )
  # Every class has a visible column.
  if (leaf == "columns") size[1L] <- max(size[1L], 0.35 * length(fit$response$levels))
  list(
    show = check_show(show, response, branches, filled), branches = branches, style = style,
    response = response, leaf = leaf, leaf_size = size,
    strip_size = if (strips) c(7, 3.2) else c(0, 0),
    by_rows = check_flag(by_rows, "by_rows", topic = "argument"),
    path = row_path(fit, path, env), whole_path = !is.null(path), fit = if (strips) fit,
    rows = if (of_rows) drawn_rows(fit, data, env)
  )
}

drawn_rows <- function(fit, data, env) {
  y <- NULL
  if (is.null(data)) {
    found <- training_rows(fit, "plot", env)
    data <- found$data
    y <- found$y
  }
  data <- check_newdata(data, "data")
  values <- code_rows(fit, data, env, "data")
  truth <- node_response(fit, data, y, env)
  node <- route_rows(fit, values, nrow(data))
  known <- which(!is.na(truth))
  if (length(known) == 0L) {
    tec_abort("data", "No row of {.arg data} has a response.")
  }
  list(
    node = node[known], y = truth[known],
    values = lapply(values, function(v) if (length(v)) as.double(v)[known]),
    last = subtree_ends(fit$tree), range = range(truth[known])
  )
}

# The rows that reach a node.
rows_of <- function(rows, node) which(rows$node >= node & rows$node <= rows$last[node])

# The last node below each, in pre-order: a node reaches as far as its last child does.
subtree_ends <- function(tree) {
  end <- seq_along(tree$parent)
  for (i in rev(end)[-length(end)]) {
    if (end[i] > end[tree$parent[i]]) end[tree$parent[i]] <- end[i]
  }
  end
}
