#' Export a tree or forest to JSON
#'
#' `tec_json()` writes everything that prediction needs, and the counts and scores of the nodes, as
#' JSON. `tec_from_json()` reads it and returns a tree or forest with the same methods.
#'
#' @details
#' Numbers are written so that they read back as the same double, and text as plain ASCII
#' with escapes. `system.file("export", "tree.schema.json", package = "tectree")` is the JSON
#' Schema, which says what each field means. In the same folder `json_tree.py` and `json_tree.js`
#' predict with such a file, also rows with missing values, in about 60 lines without other
#' packages.
#'
#' Parts needed only for training (weights, priors, control parameters, the table of pruning) are
#' not written. `prob` of a node are the class shares that it predicts; where `smooth` of
#' [tec_control()] changed them, `shares` are those of the training rows.
#'
#' `tec_from_json()` runs no code of the file. It checks each field by the schema, and that the
#' nodes form a tree: shares sum to 1, thresholds ascend, every node has one parent, no child weighs
#' more than its parent. Otherwise the error names the place in the file.
#'
#' Splines ([tec_mars()]) are written as their terms: factors of a column, and coefficients. The
#' schema and the two predictors are for trees and forests.
#'
#' A forest is written as a list of trees, each as vectors by node, about 30 bytes per node. Its
#' seeds, out-of-bag results and importance are not written.
#'
#' @param fit A tree from [tec_tree()], the result of [tec_tune()], a forest from [tec_forest()], or
#'   splines from [tec_mars()].
#' @param json The text, or the name of a file that holds it, in UTF-8.
#' @param file `NULL`, or the name of a file to write the text to. An existing file is replaced, and
#'   only by a complete text.
#' @return `tec_json()`: one string of class `tec_code`, which prints as the text, invisibly where a
#'   file was written. `tec_from_json()`: an object of class `tec_tree` or `tec_forest`.
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
#' @order 1
#' @export
tec_json <- function(fit, file = NULL) {
  plain_numbers(scipen = 999L)
  check_file(file)
  fit <- chosen_fit(fit, "tec_json")
  parts <- if (is_mars(fit)) {
    mars_json_parts(fit)
  } else if (is_forest(fit)) {
    check_forest(fit)
    lapply(needed_columns(fit), export_input, fit = fit) # refuses what no writer can say
    forest_json_parts(fit)
  } else {
    export_tree(fit, "tec_json")
    json_parts(fit)
  }
  give_text(structure(json_text(parts), class = "tec_code"), file)
}

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
    steps <- split_steps(1L, seq_along(to), kind, breaks, set, length(labels))
    codes <- lapply(steps, `[[`, "value")[match(seq_along(to), vapply(steps, `[[`, 0L, "to"))]
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

# A program that predicts with the tree: the predictor that ships, and the file beside it.
json_program <- function(fit, form, target, folder) {
  file <- file.path(folder, "tree.json")
  tec_json(fit, file)
  path <- quoted(normalizePath(file, "/"), "json")
  names <- vapply(form$inputs, `[[`, "", "name")
  python <- target == "json_python"
  call <- if (python) {
    "predict_tree = tree_predictor(open(%s, encoding=\"utf-8\").read())"
  } else {
    "const predict_tree = tree_predictor(require(\"fs\").readFileSync(%s, \"utf8\"));"
  }
  names <- paste(quoted(names, if (python) "python" else "json"), collapse = ", ")
  c(
    code_template(if (python) "json_tree.py" else "json_tree.js"), sprintf(call, path),
    paste0("predict_tree.inputs = [", names, "]")
  )
}
