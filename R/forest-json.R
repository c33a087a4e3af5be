# A forest as JSON and back. Trees are lists of vectors, since a list of fields for each of a
# million nodes would be ten times as long.

forest_json_parts <- function(fit) {
  check_forest_finite(fit)
  trees <- fit$trees
  rule <- forest_rule(fit)
  c(
    list(format = "tectree", version = 1L), json_task(fit),
    list(missing = unknown_words[trees$unknown + 1L], unseen = fit$control$unseen %||% "missing"),
    if (rule %in% c("votes", "shares")) list(class_by = rule), json_cost(fit),
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

# By node `column`; by inner node `split`, `right` and `default`; by leaf `weight` and `value`.
json_forest_tree <- function(i, fit) {
  trees <- cut_forest(fit, i)$trees
  classes <- length(fit$response$levels)
  inner <- which(trees$variable != 0L)
  leaf <- which(trees$variable == 0L)
  right <- inner + trees$right[inner]
  column <- abs(trees$variable)
  list(
    column = json_array(column),
    split = json_array(Map(json_forest_split, fit$columns$kind[column[inner]] == "nominal",
      trees$cut[inner], lengths(fit$columns$levels)[column[inner]],
      MoreArgs = list(sides = trees$sides)
    )),
    right = json_array(right),
    default = json_array(ifelse(trees$variable[inner] < 0L, right, inner + 1L)),
    weight = json_array(leaf_weights(trees, leaf, classes)),
    value = json_array(if (classes) json_leaf_shares(trees, leaf, classes) else trees$cut[leaf])
  )
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
  fit <- structure(
    list(
      trees = trees, columns = columns, response = json_response(parts, levels),
      criterion = tec_criterion(json_criterion(parts$criterion)),
      cost = json_cost_matrix(parts$cost, levels), control = resolve_control(control, "tec"),
      predictors = predictors, n_rows = as.integer(parts$rows), n_missing_response = 0L,
      mtry = if (!is.null(parts$mtry)) as.integer(parts$mtry),
      settings = list(probability = identical(parts$class_by, "shares")),
      used = used_columns(trees), version = as.character(utils::packageVersion("tectree"))
    ),
    class = "tec_forest"
  )
  check_forest(fit)
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
      sides = unlist(sides) %||% raw(), shares = ends$shares, weight = ends$weight
    )
  })
  all <- function(name, none) unlist(lapply(trees, `[[`, name)) %||% none
  list(
    start = c(0L, cumsum(all("n", 0L))), variable = all("variable", 0L), right = all("right", 0L),
    cut = all("cut", 0), sides = all("sides", raw()),
    shares = if (length(levels)) matrix(all("shares", numeric()), length(levels)),
    weight = all("weight", numeric()), unknown = match(parts$missing, unknown_words) - 1L
  )
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

# ---- checks ----

check_forest_json <- function(parts) {
  check_json_fields(parts, json_fields$forest, "top")
  classes <- check_json_top(parts)
  if (is.null(classes) != is.null(parts$class_by) && is.null(parts$cost)) {
    json_fault("class_by", "it belongs to classes without costs")
  }
  if (!is.null(parts$class_by)) {
    if (!is.null(parts$cost)) json_fault("class_by", "costs decide on the class")
    check_json_word(parts$class_by, c("votes", "shares"), "class_by")
  }
  check_json_number(parts$rows, "rows", 0, 2^31 - 1)
  columns <- check_json_columns(parts$columns)
  if (!is.null(parts$mtry)) check_json_number(parts$mtry, "mtry", 1, length(columns))
  check_json_list(parts$trees, "trees", 1L)
  for (i in seq_along(parts$trees)) {
    check_json_forest_tree(parts$trees[[i]], paste0("trees[", i, "]"), columns, length(classes))
  }
}

check_json_forest_tree <- function(x, where, columns, classes) {
  at <- function(field) paste0(where, ".", field)
  check_json_fields(x, json_fields$forest_tree, where)
  column <- check_json_vector(x$column, at("column"), 0, length(columns), whole = TRUE)
  n <- length(column)
  inner <- which(column != 0)
  check_json_children(x, column, inner, at)
  check_json_list(x$split, at("split"), 0L)
  if (length(x$split) != length(inner)) json_fault(at("split"), "there must be ", length(inner))
  kind <- vapply(columns, `[[`, "", "kind")[column[inner]]
  for (k in seq_along(inner)) {
    check_json_forest_split(
      x$split[[k]], paste0(at("split"), "[", k, "]"), columns[[column[inner[k]]]], kind[k]
    )
  }
  check_json_vector(x$weight, at("weight"), 0, .Machine$double.xmax, n = n - length(inner))
  check_json_leaves(x$value, at("value"), n - length(inner), classes)
}

# Nodes are in pre-order, so that the first child is the next node and the other one is known.
check_json_children <- function(x, column, inner, at) {
  n <- length(column)
  size <- rep(1L, n)
  right <- integer(n)
  for (i in rev(inner)) {
    right[i] <- if (i < n) i + 1L + size[i + 1L] else n + 1L
    if (right[i] > n) json_fault(at("column"), "the nodes do not form a tree in pre-order")
    size[i] <- 1L + size[i + 1L] + size[right[i]]
  }
  if (n == 0L || size[1L] != n) {
    json_fault(at("column"), "the nodes do not form a tree in pre-order")
  }
  said <- check_json_vector(x$right, at("right"), 1, n, n = length(inner), whole = TRUE)
  odd <- which(said != right[inner])[1L]
  if (!is.na(odd)) {
    json_fault(paste0(at("right"), "[", odd, "]"), "it must be ", right[inner[odd]])
  }
  default <- check_json_vector(x$default, at("default"), 1, n, n = length(inner), whole = TRUE)
  odd <- which(default != said & default != inner + 1L)[1L]
  if (!is.na(odd)) {
    json_fault(paste0(at("default"), "[", odd, "]"), "it must be one of the children")
  }
}

check_json_forest_split <- function(x, where, column, kind) {
  if (kind == "numeric") {
    return(check_json_number(x, where))
  }
  n <- length(column$levels)
  if (kind == "ordered") {
    check_json_number(x, where, 1, n - 1)
    if (x != round(x)) json_fault(where, "it must be the number of a level")
    return(invisible())
  }
  if (!is.list(x) || length(x) != 2L) json_fault(where, "it must be two lists of levels")
  all <- c(
    check_json_vector(x[[1L]], where, 1, n, whole = TRUE),
    check_json_vector(x[[2L]], where, 1, n, whole = TRUE)
  )
  if (anyDuplicated(all)) json_fault(where, "level ", all[duplicated(all)][1L], " is there twice")
}

check_json_leaves <- function(x, where, n, classes) {
  if (classes == 0L) {
    return(check_json_vector(x, where, -Inf, Inf, n = n))
  }
  if (!is.list(x) || length(x) != n) json_fault(where, "there must be ", n)
  mixed <- vapply(x, is.list, NA)
  check_json_vector(x[!mixed], where, 1, classes, whole = TRUE)
  for (i in which(mixed)) {
    place <- paste0(where, "[", i, "]")
    share <- check_json_vector(x[[i]], place, 0, 1 + 1e-9, n = classes)
    if (abs(sum(share) - 1) > 1e-9) {
      json_fault(place, "shares must sum to 1; they sum to ", sum(share))
    }
  }
}

# As check_json_numbers(), but fast for long lists, with the place of the first fault.
check_json_vector <- function(x, where, low, high, n = NULL, whole = FALSE) {
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
