# The page of a forest: the error by the number of trees, importance, one row's prediction and
# Shapley values, and a menu of trees, each of which is the page of a tree in a frame.

most_trees_shown <- 25L

view_forest <- function(fit, file, newrow, data, title, trees, env) {
  check_fit(fit)
  trees <- check_view_trees(trees, length(fit))
  others <- if (!is.null(data)) code_rows(fit, check_newdata(data, "data"), env, "data")
  if (!is.null(newrow)) newrow <- one_row(newrow)
  row <- if (!is.null(newrow)) code_rows(fit, newrow, env, "newrow")
  text <- utf8(format.tec_forest(fit, width = 80L))
  title <- title %||% paste("Forest for", show_names(fit$response$name))
  html <- fill(package_text("view", "forest.html"), list(
    title = html_text(title), facts = html_text(paste(
      c(paste0("Grown by ", grown_by(fit)), forest_size(fit), priors_text(fit)), collapse = "; "
    )),
    css = package_text("view", "view.css"), own_css = package_text("view", "forest.css"),
    charts = paste(
      c(view_curve(fit), view_importance(fit), view_forest_row(fit, newrow, row)), collapse = "\n"
    ),
    options = paste0("<option>", trees, "</option>", collapse = ""),
    text = html_text(paste(text, collapse = "\n")), data = json(list(
      template = tree_template(), trees = lapply(trees, view_one_tree, fit, others, row)
    )),
    js = paste0(package_text("view", "frame.js"), "\n", package_text("view", "forest.js"))
  ))
  structure(list(html = html, file = file, text = text), class = "tec_view")
}

check_view_trees <- function(trees, n) {
  if (is.null(trees)) {
    return(seq_len(min(n, most_trees_shown)))
  }
  whole <- is.numeric(trees) && length(trees) > 0L && !anyNA(trees)
  if (!whole || any(trees != round(trees) | trees < 1 | trees > n) || anyDuplicated(trees)) {
    tec_abort("argument", c(
      "{.arg trees} must be different numbers of trees, from 1 to {n}.",
      x = "It is {describe(trees)}."
    ))
  }
  as.integer(trees)
}

view_one_tree <- function(i, fit, others, row) {
  tree <- forest_tree(fit, i)
  model <- view_model(tree, others)
  if (!is.null(row)) model$row <- row_lines(tree, row)
  size <- size_of_tree(tree)
  list(
    title = html_text(paste("Tree", i, "of", length(fit))), facts = html_text(size),
    says = paste0("of ", length(fit), ", ", size), model = json(model)
  )
}

# The page of a tree, with places for what differs between trees.
tree_template <- function() {
  page_of_tree(list(title = "@TITLE@", facts = "@FACTS@", data = "@DATA@", text = ""))
}

# The error out of bag by the number of trees, as a line.
view_curve <- function(fit) {
  curve <- fit$oob$curve
  known <- which(is.finite(curve))
  if (length(known) < 2L) {
    return(NULL)
  }
  at <- known[unique(round(seq(1, length(known), length.out = min(300, length(known)))))]
  top <- max(curve[at])
  if (top <= 0) top <- 1
  x <- 40 + 350 * (at - at[1L]) / max(1, at[length(at)] - at[1L])
  y <- 130 - 115 * curve[at] / top
  points <- paste(sprintf("%.1f,%.1f", x, y), collapse = " ")
  last <- number_text(curve[at[length(at)]], 3L)
  what <- if (fit$response$task == "classification") "Error rate" else "Mean squared error"
  says <- paste0(what, " out of bag by the number of trees; ", last, " with ", length(curve))
  view_section(says, paste0(
    "<svg viewBox=\"0 0 400 150\" role=\"img\" aria-label=\"", html_text(says), "\">",
    "<line x1=\"40\" y1=\"130\" x2=\"392\" y2=\"130\"/>",
    "<line x1=\"40\" y1=\"10\" x2=\"40\" y2=\"130\"/>",
    "<text x=\"36\" y=\"134\" text-anchor=\"end\">0</text>",
    "<text x=\"36\" y=\"19\" text-anchor=\"end\">", number_text(top, 2L), "</text>",
    "<text x=\"40\" y=\"145\">", at[1L], "</text>",
    "<text x=\"390\" y=\"145\" text-anchor=\"end\">", at[length(at)], "</text>",
    "<polyline points=\"", points, "\"/></svg>"
  ))
}

view_section <- function(title, body) {
  paste0("<section><h2>", html_text(title), "</h2>\n", paste(body, collapse = "\n"), "</section>")
}

view_importance <- function(fit) {
  found <- fit$importance
  if (is.null(found)) {
    return(NULL)
  }
  by <- order(-found$value)
  by <- by[seq_len(min(15L, length(by)))]
  name <- show_names(names(found$value)[by])
  says <- paste0("Importance (", found$type, ")", if (length(found$value) > 15L) ", the largest 15")
  view_section(says, bar_table(name, found$value[by]))
}

# Rows of name, bar and number; bars of negative numbers are grey.
bar_table <- function(name, value) {
  width <- 100 * abs(value) / max(abs(value), .Machine$double.xmin)
  rows <- paste0(
    "<tr><th scope=\"row\">", html_text(name), "</th><td>",
    "<svg viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">",
    "<rect class=\"", ifelse(value < 0, "minus", "plus"), "\" width=\"", sprintf("%.1f", width),
    "\" height=\"10\"/></svg></td><td>", html_text(number_text(value, 3L)), "</td></tr>"
  )
  paste0("<table class=\"bars\">", paste(rows, collapse = "\n"), "</table>")
}

# `row`: coded columns.
view_forest_row <- function(fit, newrow, row) {
  if (is.null(newrow)) {
    return(NULL)
  }
  said <- as.character(predict_coded(fit, row, 1L, "response"))
  number <- fit$response$task == "regression"
  if (number) said <- number_text(as.numeric(said), 4L)
  parts <- paste0("<p>Prediction: <b>", html_text(show_label(said)), "</b></p>")
  if (!number) {
    prob <- predict_coded(fit, row, 1L, "prob")[1L, ]
    parts <- c(parts, bar_table(show_label(names(prob)), prob))
  }
  c(view_section("The row", parts), view_shapley(fit, newrow, row, said))
}

view_shapley <- function(fit, newrow, row, said) {
  number <- fit$response$task == "regression"
  found <- if (number) tec_shap(fit, newrow) else tec_shap(fit, newrow, class = said)
  value <- as.matrix(found$values)[1L, ]
  by <- order(-abs(value))
  by <- by[seq_len(min(15L, length(by)))]
  says <- paste0(
    "Shapley values of the row", if (!number) paste0(", share of ", show_label(said)),
    ", from ", number_text(found$baseline[1L], 3L)
  )
  name <- vapply(by, function(j) {
    name <- show_names(fit$columns$name[j])
    if (is.null(row[[j]])) name else paste(name, "=", field_text(fit$columns, j, row[[j]]))
  }, "")
  view_section(says, bar_table(name, value[by]))
}
