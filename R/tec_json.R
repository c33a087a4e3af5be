#' Export a model to JSON
#'
#' `tec_json()` writes everything that prediction needs, and the counts and scores of the nodes, as
#' JSON. `tec_from_json()` reads it and returns a model with the same methods.
#'
#' @details
#' Numbers are written so that they read back as the same double, and text as plain ASCII with
#' escapes. `system.file("export", "tree.schema.json", package = "tectree")` is the JSON Schema,
#' which describes each field. In the same folder, `json_tree.py` and `json_tree.js` predict with
#' such a file without other packages, also for rows with missing values.
#'
#' Parts needed only for training (weights, priors, settings, the table of pruning) are not written.
#' `prob` of a node has the class shares that it predicts. If `smooth` of [tec_control()] changed
#' them, `shares` has those of the training rows.
#'
#' `tec_from_json()` does not run code from the file. It checks each field against the schema, and
#' that the nodes form a tree: shares sum to 1, cuts ascend, every node has one parent, and no
#' branch has more weight than its parent. Otherwise the error names the place in the file.
#'
#' Splines ([tec_mars()]) are written as their terms, each with its factors and coefficients. The
#' schema and the two predictors are for trees and forests.
#'
#' A forest is written as a list of trees, each as vectors by node, with about 30 bytes per node.
#' Its seeds, out-of-bag results and importance are not written. A boosted model of a numeric
#' response is written as the forest of [as_tec_forest()].
#'
#' A boosted model of classes is written as trees and a `link`. Each tree adds its number to the sum
#' `output`, or its `vote` to the sum of its class, and the sums start from `base`. The class is the
#' one with the largest sum, and the probabilities are the softmax of the sums divided by `scale`.
#' With two classes and gradient boosting, there is one sum, for the second class, and the sum of
#' the first class is 0. The learning curve and the gains are not written.
#'
#' @param fit A tree from [tec_tree()], the result of [tec_tune()], a forest from [tec_forest()], a
#'   boosted model from [tec_boost()], or splines from [tec_mars()].
#' @param json The text, or the name of a file that contains it, in UTF-8.
#' @param file `NULL`, or the name of a file to write the text to. An existing file is replaced, but
#'   only by a complete text.
#' @return `tec_json()`: one string of class `tec_code`, which prints as the text. It is invisible
#'   if a file was written. `tec_from_json()`: an object of class `tec_tree`, `tec_forest`,
#'   `tec_boost` (for classes) or `tec_mars`.
#' @family models that leave R
#' @examples
#' fit <- tec_tree(Species ~ ., iris, max_depth = 1)
#' tec_json(fit)
#' @examplesIf requireNamespace("jsonlite", quietly = TRUE)
#' file <- tempfile(fileext = ".json")
#' tec_json(fit, file)
#' again <- tec_from_json(file)
#' identical(predict(again, iris), predict(fit, iris))
#'
#' set.seed(1)
#' forest <- tec_forest(Species ~ ., iris, trees = 20, threads = 2)
#' again <- tec_from_json(tec_json(forest))
#' identical(predict(again, iris, "prob"), predict(forest, iris, "prob"))
#'
#' boosted <- tec_boost(Species ~ ., iris, rounds = 10, threads = 2)
#' again <- tec_from_json(tec_json(boosted))
#' identical(predict(again, iris, "prob"), predict(boosted, iris, "prob"))
#' @order 1
#' @export
tec_json <- function(fit, file = NULL) {
  plain_numbers(scipen = 999L)
  check_file(file)
  fit <- chosen_fit(fit, "tec_json")
  parts <- if (is_mars(fit)) {
    mars_json_parts(fit)
  } else if (is_forest(fit)) {
    check_fit(fit)
    lapply(needed_columns(fit), export_input, fit = fit) # refuses what no writer can say
    forest_json_parts(fit)
  } else {
    export_tree(fit, "tec_json")
    tree_json_parts(fit)
  }
  give_text(structure(json_text(parts), class = "tec_code"), file)
}

# ---- a tree ----

unknown_words <- c("branch", "share", "stop")

tree_json_parts <- function(fit) {
  tree <- fit$tree
  nodes <- lapply(seq_along(tree$parent), json_node, fit = fit, prob = leaf_shares(fit))
  c(json_head(fit), list(
    preset = fit$preset, source = fit$source, missing = unknown_words[tree$unknown + 1L],
    surrogates = isTRUE(tree$by_surrogate), unseen = fit$control$unseen %||% "missing",
    smooth = if (smooths(fit)) smoothing(fit)$rows,
    smooth_to = if (smooths(fit) && smooths_to_root(fit)) "root", cost = json_cost(fit$cost),
    columns = json_columns(fit$columns), nodes = json_array(nodes)
  ))
}

# Raised with the schema; see `fit_format`.
json_format <- 1L

json_head <- function(fit) {
  response <- fit$response
  list(
    format = "tectree", version = json_format, task = response$task,
    response = list(
      name = response$name, type = json_type(response$ptype), levels = json_array(response$levels)
    ),
    criterion = if (!is_mars(fit)) {
      c(list(name = fit$criterion$name), as.list(fit$criterion$parameter))
    }
  )
}

json_cost <- function(cost) {
  if (!is.null(cost)) unname(apply(cost, 1L, json_array, simplify = FALSE))
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
    # A branch that has only missing values comes last.
    breaks = if (kind <= 2L) json_array(breaks[is.finite(breaks)]), groups = groups,
    children = json_array(to)
  )
}

json_surrogates <- function(fit, i, to) {
  tree <- fit$tree
  lapply(tree$surrogate_start[i] + seq_len(tree$surrogate_count[i]), function(s) {
    c(
      json_split(
        fit, tree$surrogate_kind[s], tree$surrogate_variable[s],
        if (tree$surrogate_flipped[s]) rev(to) else to, tree$surrogate_cut[s],
        surrogate_set_at(tree, s)
      ),
      list(agree = tree$surrogate_agree[s], adj = tree$surrogate_adj[s])
    )
  })
}

# ---- a forest, and a boosted classifier ----

forest_json_parts <- function(fit) {
  check_forest_finite(fit)
  trees <- fit$trees
  link <- fit$link
  rule <- forest_rule(fit)
  c(json_head(link$model %||% fit), list(
    missing = unknown_words[trees$unknown + 1L], unseen = fit$control$unseen %||% "missing",
    class_by = if (is.null(link) && rule %in% c("votes", "shares")) rule,
    cost = json_cost(fit$cost),
    # For each tree: its round, and the sum to which it adds its number, or its vote for its class.
    link = if (!is.null(link)) {
      list(
        round = json_array(link$model$round + 1L), output = json_array(link$output),
        vote = json_array(link$vote), base = json_array(link$base), scale = link$scale
      )
    },
    rows = fit$n_rows, mtry = fit$mtry, columns = json_columns(fit$columns),
    trees = json_array(lapply(seq_len(length(fit)), json_forest_tree, fit = fit))
  ))
}

# Each node has `column`; each inner node has `split`, `right`, `default` and, if rows can stop,
# `inner_value`; each leaf has `weight` and `value`.
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
    value = if (classes) json_leaf_shares(trees, leaf, classes) else json_array(trees$cut[leaf]),
    inner_value = if (!is.null(trees$own)) json_inner_values(trees, inner, classes)
  )
}

# The predictions of inner nodes for rows that stop there: numbers, or shares.
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

# The class of a pure leaf, or the shares of all classes.
json_leaf_shares <- function(trees, leaf, classes) {
  right <- trees$right[leaf]
  out <- as.list(right)
  shares <- matrix(trees$shares, classes)
  out[right < 0L] <- lapply(-right[right < 0L], function(i) json_array(shares[, i]))
  out
}

# ---- splines ----

mars_sides <- c(above = 1L, below = -1L, whole = 2L)

mars_json_parts <- function(fit) {
  check_fit(fit)
  check_mars_finite(fit)
  lapply(fit$used, export_input, fit = fit) # refuses what no writer can say
  levels <- fit$response$levels
  c(json_head(fit), list(
    unseen = fit$control$unseen, degree = fit$settings$degree, rows = fit$n_rows, gcv = fit$gcv,
    rss = fit$rss, r_squared = fit$r_squared, gcv_r_squared = fit$gcv_r_squared,
    columns = json_columns(fit$columns),
    spread = json_array(lapply(fit$spread, function(s) {
      list(range = if (!is.null(s$range)) json_array(s$range), counts = json_array(s$counts))
    })),
    classes = if (!is.null(fit$classes)) json_array(levels[fit$classes]),
    terms = json_array(lapply(seq_along(fit$selected), mars_json_term, fit = fit))
  ))
}

mars_json_term <- function(k, fit) {
  t <- fit$selected[k]
  factors <- lapply(which(fit$side[t, ] != 0L), function(j) {
    column <- fit$inputs$column[j]
    level <- fit$inputs$level[j]
    list(
      column = fit$columns$name[column],
      level = if (level > 0L) fit$columns$levels[[column]][level],
      side = names(mars_sides)[match(fit$side[t, j], mars_sides)], knot = fit$cut[t, j]
    )
  })
  list(
    factors = json_array(factors), coefficients = json_array(unname(fit$coefficients[k, ])),
    mean = fit$means[[k]]
  )
}

# ---- text ----

# Marks a vector of any length as an array; NULL stays NULL.
json_array <- function(x) if (!is.null(x)) structure(list(x), class = "json_array")

# Writes JSON for files and for the page of a tree. A vector of length 1 is a scalar, unless it is
# in I(). Fields that are NULL are left out, and NA is null. All short vectors of numbers are
# converted to text in one call, which takes as long as one of them.
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
    if (!is.list(x)) {
      text <- atoms(x)
      one <- length(x) == 1L && !inherits(x, "AsIs")
      return(if (one) text else paste0("[", paste(text, collapse = ", "), "]"))
    }
    if (is.null(names(x))) {
      return(paste0("[", paste(vapply(x, write, "", inside), collapse = ", "), "]"))
    }
    x <- x[!vapply(x, is.null, NA)]
    items <- paste0(quoted(names(x), "json"), ": ", vapply(x, write, "", inside))
    paste0("{", paste(items, collapse = ", "), "}")
  }
  write(x, "")
}

json_atoms <- function(x) {
  out <- if (is.character(x)) {
    quoted(utf8(x), "json")
  } else if (is.logical(x)) {
    code_bool(x, "json")
  } else {
    # JSON has no infinity: readers treat a number above the largest double as infinite.
    sub("Inf", "1e999", exact_number(x), fixed = TRUE)
  }
  out[is.na(x)] <- "null"
  out
}
