# A forest as JSON and back. Trees are lists of vectors, since a list of fields for each of a
# million nodes would be ten times as long.

forest_json_parts <- function(fit) {
  check_forest_finite(fit)
  trees <- fit$trees
  rule <- if (!is_linked(fit)) forest_rule(fit)
  c(
    list(format = "tectree", version = 1L), json_task(fit$link$model %||% fit),
    list(missing = unknown_words[trees$unknown + 1L], unseen = fit$control$unseen %||% "missing"),
    if (isTRUE(rule %in% c("votes", "shares"))) list(class_by = rule), json_cost(fit),
    list(
      rows = fit$n_rows, mtry = fit$mtry, columns = json_columns(fit$columns),
      trees = json_array(lapply(seq_len(length(fit)), json_forest_tree, fit = fit))
    )
  )
}

# As check_finite() does, but of all trees at once.
check_forest_finite <- function(fit) {
  trees <- fit$trees
  leaf <- trees$variable == 0L
  odd <- unique(abs(trees$variable[!leaf & !is.finite(trees$cut)]))
  if (length(odd)) abort_infinite(fit$columns$name[odd], "forest")
  said <- c(trees$shares, if (is.null(fit$response$levels)) trees$cut[leaf])
  if (!all(is.finite(said))) abort_export("The forest predicts numbers that are not finite.")
}

# By node `column`; by inner node `split`, `right`, `default` and, where rows stop, `inner_value`;
# by leaf `weight` and `value`.
json_forest_tree <- function(i, fit) {
  trees <- cut_forest(fit, i)$trees
  classes <- length(fit$response$levels)
  inner <- which(trees$variable != 0L)
  leaf <- which(trees$variable == 0L)
  right <- inner + trees$right[inner]
  column <- abs(trees$variable)
  split <- Map(json_forest_split, fit$columns$kind[column[inner]] == "nominal", trees$cut[inner],
    lengths(fit$columns$levels)[column[inner]],
    MoreArgs = list(sides = trees$sides)
  )
  list(
    column = json_array(column), split = if (length(inner)) split else json_array(split),
    right = json_array(right),
    default = json_array(ifelse(trees$variable[inner] < 0L, right, inner + 1L)),
    weight = json_array(leaf_weights(trees, leaf, classes)),
    value = if (classes) json_leaf_shares(trees, leaf, classes) else json_array(trees$cut[leaf])
  ) |> c(if (!is.null(trees$own)) list(inner_value = json_inner_values(trees, inner, classes)))
}

# What inner nodes predict for rows that stop there: numbers, or shares.
json_inner_values <- function(trees, inner, classes) {
  own <- own_values(trees, classes)
  if (classes == 0L) {
    return(json_array(own[1L, inner]))
  }
  json_array(lapply(inner, function(node) json_array(own[, node])))
}

# The largest number, or the last level, that goes left; or the levels that go left and right.
json_forest_split <- function(nominal, cut, n_levels, sides) {
  if (!nominal) {
    return(cut)
  }
  side <- as.integer(sides[cut + seq_len(n_levels)])
  list(json_array(which(side == 1L)), json_array(which(side == 2L)))
}

# The class of a pure leaf, or the shares of all.
json_leaf_shares <- function(trees, leaf, classes) {
  right <- trees$right[leaf]
  out <- as.list(right)
  shares <- matrix(trees$shares, classes)
  out[right < 0L] <- lapply(-right[right < 0L], function(i) json_array(shares[, i]))
  out
}

# ---- back ----

forest_from_json <- function(parts) {
  check_forest_json(parts)
  levels <- json_levels(parts)
  columns <- json_column_list(parts$columns)
  predictors <- lapply(columns$name, function(name) suppressWarnings(as.name(name)))
  columns$needs <- as.list(columns$name)
  trees <- json_forest_vectors(parts, columns, levels)
  control <- tec_control(unseen = parts$unseen, prune = "none", missing = "majority")
  fit <- new_fit("tec_forest", list(
    trees = trees, columns = columns, response = json_response(parts, levels),
    criterion = tec_criterion(json_criterion(parts$criterion)),
    cost = json_cost_matrix(parts$cost, levels), control = resolve_control(control, "tec"),
    predictors = predictors, n_rows = row_count(parts$rows), n_missing_response = 0L,
    mtry = if (!is.null(parts$mtry)) as.integer(parts$mtry),
    settings = list(probability = identical(parts$class_by, "shares")),
    used = used_columns(trees)
  ))
  check_fit(fit)
  fit
}

# The vectors of a forest, from those of its trees.
json_forest_vectors <- function(parts, columns, levels) {
  nominal <- columns$kind == "nominal"
  n_levels <- lengths(columns$levels)
  sides_before <- stored_before <- 0
  trees <- lapply(parts$trees, function(x) {
    column <- as.integer(read_numbers(x$column))
    inner <- which(column != 0L)
    leaf <- which(column == 0L)
    child <- as.integer(read_numbers(x$right))
    variable <- column
    right <- integer(length(column))
    cut <- numeric(length(column))
    variable[inner] <- ifelse(read_numbers(x$default) == child, -1L, 1L) * column[inner]
    right[inner] <- child - inner
    by_sides <- nominal[column[inner]]
    sides <- Map(json_sides, x$split[by_sides], n_levels[column[inner[by_sides]]])
    cut[inner[!by_sides]] <- read_numbers(x$split[!by_sides])
    cut[inner[by_sides]] <- sides_before + cumsum(c(0, lengths(sides)))[seq_along(sides)]
    sides_before <<- sides_before + sum(lengths(sides))
    ends <- json_leaves(x, length(levels), stored_before)
    stored_before <<- ends$stored
    right[leaf] <- ends$right
    cut[leaf] <- ends$cut
    list(
      n = length(column), variable = variable, right = right, cut = cut,
      sides = unlist(sides) %||% raw(), shares = ends$shares, weight = ends$weight,
      own = if (!is.null(x$inner_value)) json_own(x, column != 0L, length(levels))
    )
  })
  all <- function(name, none) unlist(lapply(trees, `[[`, name)) %||% none
  list(
    start = c(0L, cumsum(all("n", 0L))), variable = all("variable", 0L), right = all("right", 0L),
    cut = all("cut", 0), sides = all("sides", raw()),
    shares = if (length(levels)) matrix(all("shares", numeric()), length(levels)),
    weight = all("weight", numeric()), unknown = match(parts$missing, unknown_words) - 1L
  ) |> c(if (!is.null(parts$trees[[1L]]$inner_value)) list(own = as.double(all("own", 0))))
}

# What all nodes predict themselves, node after node.
json_own <- function(x, inner, classes) {
  out <- matrix(0, max(1L, classes), length(inner))
  out[, inner] <- as.double(unlist(x$inner_value))
  if (classes == 0L) {
    out[1L, !inner] <- read_numbers(x$value)
    return(out)
  }
  out[, !inner] <- vapply(x$value, function(value) {
    if (is.list(value)) as.double(unlist(value)) else as.double(seq_len(classes) == value)
  }, numeric(classes))
  out
}

json_sides <- function(groups, n_levels) {
  out <- raw(n_levels)
  out[as.integer(unlist(groups[[1L]]))] <- as.raw(1L)
  out[as.integer(unlist(groups[[2L]]))] <- as.raw(2L)
  out
}

# What leaves have in `right` and `cut`, and what they add to `shares` or `weight`, of which there
# are `stored` before.
json_leaves <- function(x, classes, stored) {
  weight <- read_numbers(x$weight)
  if (classes == 0L) {
    small <- weight == floor(weight) & weight < 2^31
    right <- weight
    right[!small] <- -(stored + seq_len(sum(!small)))
    return(list(
      right = as.integer(right), cut = read_numbers(x$value), weight = weight[!small],
      stored = stored + sum(!small)
    ))
  }
  mixed <- vapply(x$value, is.list, NA)
  right <- integer(length(mixed))
  right[!mixed] <- as.integer(read_numbers(x$value[!mixed]))
  right[mixed] <- as.integer(-(stored + seq_len(sum(mixed))))
  list(
    right = right, cut = weight, shares = as.double(unlist(x$value[mixed])),
    stored = stored + sum(mixed)
  )
}
