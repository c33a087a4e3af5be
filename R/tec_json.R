#' A tree as JSON
#'
#' `tec_json()` writes all that prediction needs, and the counts and scores of the nodes, as text
#' that any language reads. `tec_from_json()` makes a tree of it again, which predicts, prints and
#' is drawn as before.
#'
#' @details
#' Numbers are written so that they read back as the same double, and text as plain ASCII with
#' escapes. `system.file("export", "tree.schema.json", package = "tectree")` is the JSON Schema, which
#' says what each field means. In the same folder `json_tree.py` and `json_tree.js` predict with
#' such a file, missing values and all, in about 60 lines without other packages.
#'
#' What only training needed (weights, priors, the control parameters, a pruning's table) is left
#' behind. `tec_from_json()` runs no code of the file, and checks it: a damaged one is an error.
#'
#' @param fit A tree from [tec_tree()], or the result of [tec_tune()].
#' @param json The text, or the name of a file that holds it.
#' @return `tec_json()`: one string of class `tec_code`, which prints as the text; `writeLines()`
#'   stores it. `tec_from_json()`: an object of class `tec_tree`.
#' @family models that leave R
#' @examples
#' fit <- tec_tree(Species ~ ., iris, max_depth = 1)
#' tec_json(fit)
#' @examplesIf requireNamespace("jsonlite", quietly = TRUE)
#' again <- tec_from_json(tec_json(fit))
#' identical(predict(again, iris), predict(fit, iris))
#' @export
tec_json <- function(fit) {
  fit <- chosen_fit(fit, "tec_json")
  export_tree(fit, "tec_json") # refuses what no writer can say
  structure(json_text(json_parts(fit)), class = "tec_code")
}

unknown_words <- c("branch", "share", "stop")

json_parts <- function(fit) {
  tree <- fit$tree
  columns <- fit$columns
  response <- fit$response
  list(
    format = "tectree", version = 1L, task = response$task,
    response = list(
      name = response$name, type = json_type(response$ptype), levels = json_array(response$levels)
    ),
    criterion = c(list(name = fit$criterion$name), as.list(fit$criterion$parameter)),
    preset = fit$preset, source = fit$source,
    missing = unknown_words[tree$unknown + 1L], surrogates = isTRUE(tree$by_surrogate),
    unseen = fit$control$unseen %||% "missing",
    cost = if (!is.null(fit$cost)) unname(apply(fit$cost, 1L, json_array, simplify = FALSE)),
    columns = json_array(lapply(seq_along(columns$name), function(j) {
      ptype <- columns$ptype[[j]]
      list(
        name = columns$name[j], kind = columns$kind[j], type = json_type(ptype),
        units = if (inherits(ptype, "difftime")) units(ptype),
        zone = if (inherits(ptype, "POSIXct")) attr(ptype, "tzone")[1L],
        levels = json_array(columns$levels[[j]])
      )
    })),
    nodes = json_array(lapply(seq_along(tree$parent), json_node, fit = fit))
  )
}

json_type <- function(ptype) {
  for (class in c("Date", "POSIXct", "difftime", "ordered", "factor")) {
    if (inherits(ptype, class)) return(class)
  }
  typeof(ptype)
}

json_node <- function(i, fit) {
  tree <- fit$tree
  levels <- fit$response$levels
  out <- list(
    node = i, n = tree$n[i], weight = tree$weight[i],
    value = if (is.null(levels)) tree$yval[i] else levels[tree$yval[i]],
    prob = if (!is.null(levels)) json_array(tree$prob[i, ]), impurity = tree$impurity[i]
  )
  if (tree$kind[i] == 0L) {
    return(out)
  }
  to <- tree$child[tree$child_start[i] + seq_len(tree$n_children[i])]
  breaks <- tree$breaks[tree$break_start[i] + seq_len(tree$break_count[i])]
  default <- tree$default_child[i]
  if (is.na(default) || default < 0L) default <- NULL
  c(out, json_split(fit, tree$kind[i], tree$variable[i], to, breaks, set_at(tree, i)), list(
    default = if (!is.null(default)) to[default + 1L],
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
    breaks = if (kind <= 2L) json_array(breaks), groups = groups, children = json_array(to)
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

# Fields that are NULL are left out; NA is null.
json_text <- function(x, indent = "") {
  inside <- paste0(indent, " ")
  if (inherits(x, "json_array")) {
    x <- x[[1L]]
    if (is.list(x)) {
      items <- vapply(x, json_text, "", inside)
      return(paste0("[", paste0("\n", inside, items, collapse = ",", recycle0 = TRUE), "]"))
    }
    return(paste0("[", paste(json_atoms(x), collapse = ", "), "]"))
  }
  if (is.list(x) && !is.null(names(x))) {
    x <- x[lengths(x) > 0L]
    items <- paste0(quoted(names(x), "json"), ": ", vapply(x, json_text, "", inside))
    return(paste0("{", paste(items, collapse = ", "), "}"))
  }
  if (is.list(x)) {
    return(paste0("[", paste(vapply(x, json_text, "", inside), collapse = ", "), "]"))
  }
  json_atoms(x)
}

json_atoms <- function(x) {
  out <- if (is.character(x)) {
    quoted(x, "json")
  } else if (is.logical(x)) {
    code_bool(x, "json")
  } else {
    exact_number(x)
  }
  ifelse(is.na(x), "null", out)
}

#' @rdname tec_json
#' @export
tec_from_json <- function(json) {
  need_package("jsonlite", "tec_from_json")
  if (!is.character(json) || length(json) == 0L || anyNA(json)) {
    tec_abort("argument", c(
      "{.arg json} must be text, or the name of a file.", x = "It is {describe(json)}."
    ))
  }
  text <- if (length(json) == 1L && nchar(json) < 4000L && file.exists(json)) {
    readLines(json, encoding = "UTF-8", warn = FALSE)
  } else {
    json
  }
  tryCatch(
    fit_from_json(jsonlite::parse_json(paste(text, collapse = "\n"))),
    error = function(e) {
      abort_export("{.arg json} is not a tree that {.fn tec_json} wrote.", x = "{conditionMessage(e)}")
    }
  )
}

fit_from_json <- function(parts) {
  if (!identical(parts$format, "tectree") || !identical(parts$version, 1L)) {
    stop("it lacks \"format\": \"tectree\", \"version\": 1")
  }
  levels <- if (parts$task == "classification") json_strings(parts$response$levels)
  columns <- list(
    name = vapply(parts$columns, `[[`, "", "name"), kind = vapply(parts$columns, `[[`, "", "kind"),
    levels = lapply(parts$columns, function(x) if (x$kind != "numeric") json_strings(x$levels)),
    ptype = lapply(parts$columns, json_ptype)
  )
  response <- list(
    name = parts$response$name, task = parts$task, levels = levels,
    ptype = json_ptype(parts$response)
  )
  records <- lapply(parts$nodes, json_record, columns = columns, classes = levels)
  children <- lapply(records, `[[`, "children")
  # Each after its parent, and once: a walk comes to an end.
  after <- mapply(function(to, i) all(to > i), children, seq_along(children))
  if (!all(after) || !identical(sort(as.integer(unlist(children))), seq_along(records)[-1L])) {
    stop("its nodes do not form a tree")
  }
  fit <- as_fit(
    records, columns, response, json_criterion(parts$criterion), parts$preset, NULL,
    tec_control(unseen = parts$unseen),
    list(unknown = match(parts$missing, unknown_words) - 1L, by_surrogate = parts$surrogates),
    parts$source
  )
  json_facts(fit, parts)
}

json_strings <- function(x) vapply(x, function(s) enc2utf8(s), "")
json_numbers <- function(x) vapply(x, function(v) if (is.null(v)) NA_real_ else as.double(v), 0)

json_criterion <- function(x) {
  do.call(tec_criterion, c(list(x$name), lapply(x[names(x) != "name"], as.double)))
}

json_ptype <- function(x) {
  switch(x$type,
    Date = structure(numeric(), class = "Date"),
    POSIXct = structure(numeric(), class = c("POSIXct", "POSIXt"), tzone = x$zone %||% ""),
    difftime = structure(numeric(), class = "difftime", units = x$units),
    ordered = ordered(character()), factor = factor(character()), character = character(),
    logical = logical(), integer = integer(), double = numeric(), stop("unknown type ", x$type)
  )
}

# As assemble_tree() takes nodes.
json_record <- function(x, columns, classes) {
  out <- list(
    n = x$n, weight = x$weight, prob = json_numbers(x$prob), impurity = x$impurity,
    yval = if (is.null(classes)) x$value else match(x$value, classes)
  )
  if (is.null(x$column)) {
    return(out)
  }
  children <- as.integer(json_numbers(x$children))
  split <- json_record_split(x, columns)
  default <- if (!is.null(x$default)) match(x$default, children) - 1L
  surrogates <- lapply(x$surrogates, function(s) {
    c(json_record_split(s, columns), list(
      flipped = s$children[[1L]] != children[1L], agree = s$agree %||% NA, adj = s$adj %||% NA
    ))
  })
  c(out, split[names(split) != "cut"], list(
    children = children, default = default, surrogates = surrogates
  ))
}

json_record_split <- function(x, columns) {
  variable <- match(x$column, columns$name)
  kind <- match(x$kind, split_kinds) - 1L
  labels <- columns$levels[[variable]]
  groups <- lapply(x$groups, function(g) match(json_strings(g), labels))
  breaks <- switch(x$kind, level = as.double(length(groups[[1L]])), json_numbers(x$breaks))
  codes <- if (x$kind == "subset") unlist(groups)
  branch <- if (x$kind == "subset") rep(seq_along(groups) - 1L, lengths(groups))
  by <- order(as.integer(codes))
  list(
    variable = variable, kind = kind, breaks = breaks, cut = c(breaks, 0)[1L],
    levels = codes[by], branch = branch[by]
  )
}

# What is known of the nodes and is not computed anew.
json_facts <- function(fit, parts) {
  read <- function(name) json_numbers(lapply(parts$nodes, `[[`, name))
  fit$tree$impurity <- read("impurity")
  fit$tree$gain <- read("gain")
  fit$tree$score <- read("score")
  fit$tree$exact <- as.logical(read("exact"))
  if (!is.null(parts$cost)) {
    cost <- do.call(rbind, lapply(parts$cost, json_numbers))
    fit$cost <- structure(cost, dimnames = list(fit$response$levels, fit$response$levels))
  }
  check_fit(fit)
  fit
}

# A program that predicts with the tree: the predictor that ships, and the file beside it.
json_program <- function(fit, form, target, folder) {
  file <- file.path(folder, "tree.json")
  write_ascii(tec_json(fit), file)
  path <- quoted(normalizePath(file, "/"), "json")
  names <- vapply(form$inputs, `[[`, "", "name")
  python <- target == "json_python"
  c(
    code_template(if (python) "json_tree.py" else "json_tree.js"),
    if (python) {
      paste0("predict_tree = tree_predictor(open(", path, ", encoding=\"utf-8\").read())")
    } else {
      paste0("const predict_tree = tree_predictor(require(\"fs\").readFileSync(", path, ", \"utf8\"));")
    },
    paste0("predict_tree.inputs = [", paste(quoted(names, if (python) "python" else "json"), collapse = ", "), "]")
  )
}
