# Comparison with other tree programs, node by node.
#
# Two correct programs grow different trees where two splits tie: each takes another. So the trees
# are walked together from the root. As long as both make the same two groups of rows the walk goes
# on; at the first node where they differ, the two splits must have the same gain: a tie, below
# which nothing can be compared. A data set without such a node has no ties, and there the whole
# trees agree in leaves and training error.
#
# A tree is a nested list(rows, left, right), the last two NULL in a leaf.

# The first folder of that path, from where the tests run upwards.
folder_above <- function(...) {
  here <- normalizePath(".")
  repeat {
    folder <- file.path(here, ...)
    if (dir.exists(folder)) {
      return(folder)
    }
    if (dirname(here) == here) {
      return(NULL)
    }
    here <- dirname(here)
  }
}

shared_data_folder <- function() {
  folder <- Sys.getenv("TECTREE_DATA")
  if (nzchar(folder)) {
    return(if (dir.exists(folder)) folder)
  }
  folder_above("shared", "data")
}

#' @srrstats {G5.11a} Without the folder of real data, the tests are skipped with a message.
skip_without_shared_data <- function() {
  folder <- shared_data_folder()
  if (is.null(folder) || !file.exists(file.path(folder, "uci", "MANIFEST.csv"))) {
    skip("The shared data sets are not there; TECTREE_DATA can name their folder.")
  }
  file.path(folder, "uci")
}

# Types from the manifest, levels from LEVELS.csv.gz.
read_shared <- function(folder, name) {
  about <- about_shared(folder)
  manifest <- about$manifest
  nominal <- manifest$nominal_columns[manifest$name == name]
  nominal <- unlist(strsplit(as.character(nominal), ";", fixed = TRUE))
  nominal <- c("class", nominal[!is.na(nominal)])
  levels <- about$levels[about$levels$name == name, ]
  file <- file.path(folder, manifest$file[manifest$name == name])
  header <- scan(file, "", sep = ",", nlines = 1, quiet = TRUE)
  types <- ifelse(header %in% nominal, "character", "numeric")
  data <- utils::read.csv(file, colClasses = types, na.strings = "", check.names = FALSE)
  for (column in nominal) {
    declared <- levels[levels$column == column, ]
    declared <- declared$level[order(as.integer(declared$position))]
    data[[column]] <- factor(data[[column]], levels = declared)
  }
  data
}

# What is known of all sets, read once.
about_shared <- function(folder) {
  if (is.null(shared_sets[[folder]])) {
    shared_sets[[folder]] <- list(
      manifest = utils::read.csv(file.path(folder, "MANIFEST.csv"), na.strings = ""),
      levels = utils::read.csv(
        file.path(folder, "LEVELS.csv.gz"),
        colClasses = "character", na.strings = NULL
      )
    )
  }
  shared_sets[[folder]]
}

shared_sets <- new.env()

# From leaf numbers and each leaf's ancestors: children(id) is NULL for a leaf; below(id) gives the
# row numbers under a node.
# by_levels(id): is it a split into groups of levels?
nested_tree <- function(id, children, below, by_levels = function(id) FALSE) {
  ids <- children(id)
  sides <- lapply(ids, nested_tree, children = children, below = below, by_levels = by_levels)
  list(
    rows = below(id), left = if (length(ids)) sides[[1]], right = if (length(ids)) sides[[2]],
    by_levels = by_levels(id)
  )
}

nested_rpart <- function(fit) {
  numbers <- as.numeric(rownames(fit$frame))
  leaf_of_row <- numbers[fit$where]
  below <- function(id) {
    up <- leaf_of_row
    found <- up == id
    while (any(up > id)) {
      up <- ifelse(up > id, floor(up / 2), up)
      found <- found | up == id
    }
    unname(which(found))
  }
  nested_tree(1, function(id) if ((2 * id) %in% numbers) c(2 * id, 2 * id + 1), below)
}

# Parents by node, 0 for the root; nodes numbered from 1.
nested_from_parents <- function(parent, leaf_of_row, first_child, last_child,
                                by_levels = function(id) FALSE) {
  rows <- split(seq_along(leaf_of_row), factor(leaf_of_row, seq_along(parent)))
  # Children come after their parents in both programs.
  for (i in rev(seq_along(parent))[-length(parent)]) {
    rows[[parent[i]]] <- c(rows[[parent[i]]], rows[[i]])
  }
  children <- function(id) if (first_child[id] > 0) c(first_child[id], last_child[id])
  nested_tree(1, children, function(id) sort(rows[[id]]), by_levels)
}

nested_tectree <- function(fit, data) {
  tree <- fit$tree
  inner <- tree$n_children > 0
  first <- last <- integer(length(tree$parent))
  first[inner] <- tree$child[tree$child_start[inner] + 1]
  last[inner] <- tree$child[tree$child_start[inner] + 2]
  leaf <- predict(fit, data, type = "node")
  nested_from_parents(tree$parent, leaf, first, last, function(id) tree$kind[id] == 4L)
}

count_leaves <- function(node) {
  if (is.null(node$left)) 1 else count_leaves(node$left) + count_leaves(node$right)
}

node_gini <- function(y) 1 - sum((tabulate(y, nlevels(y)) / length(y))^2)
node_variance <- function(y) mean((y - mean(y))^2)

node_gain <- function(node, y, impurity) {
  n <- lengths(list(node$left$rows, node$right$rows))
  impurity(y[node$rows]) -
    (n[1] * impurity(y[node$left$rows]) + n[2] * impurity(y[node$right$rows])) / sum(n)
}

# Walks both trees; returns the number of ties met, and what cannot be a tie, in words. With a
# smallest branch the best grouping of levels may be none that rpart looks at (it cuts them in one
# order): where ours is better the walk ends as at a tie.
# `gain_of` as node_gain(), for rows that do not all count the same.
walk_together <- function(ours, theirs, y, impurity, gain_of = node_gain) {
  gain <- function(node) if (is.null(node$left)) 0 else gain_of(node, y, impurity)
  if (is.null(ours$left) && is.null(theirs$left)) {
    return(list(ties = 0, wrong = character()))
  }
  same_sides <- !is.null(ours$left) && !is.null(theirs$left) &&
    (identical(ours$left$rows, theirs$left$rows) || identical(ours$left$rows, theirs$right$rows))
  if (!same_sides) {
    difference <- gain(ours) - gain(theirs)
    tied <- abs(difference) <= 1e-9 * impurity(y[ours$rows]) ||
      (difference > 0 && isTRUE(ours$by_levels))
    text <- paste0(length(ours$rows), " rows: our gain ", gain(ours), ", the peer's ", gain(theirs))
    return(list(ties = 1, wrong = if (tied) character() else text))
  }
  crossed <- !identical(ours$left$rows, theirs$left$rows)
  if (crossed) theirs[c("left", "right")] <- theirs[c("right", "left")]
  left <- walk_together(ours$left, theirs$left, y, impurity, gain_of)
  right <- walk_together(ours$right, theirs$right, y, impurity, gain_of)
  list(ties = left$ties + right$ties, wrong = c(left$wrong, right$wrong))
}

leaf_sum <- function(node, y, statistic) {
  if (is.null(node$left)) {
    return(statistic(y[node$rows]))
  }
  leaf_sum(node$left, y, statistic) + leaf_sum(node$right, y, statistic)
}

# scikit-learn reads numbers in single precision, so each column is given as the ranks of its
# values, which do not change the tree.
dense_ranks <- function(data, response) {
  predictors <- setdiff(names(data), response)
  data[predictors] <- lapply(data[predictors], function(x) match(x, sort(unique(x))))
  data[c(predictors, response)]
}

# The first numeric column is the response.
as_regression <- function(data) {
  names(data)[which(vapply(data, is.numeric, NA))[1]] <- "target"
  data
}
