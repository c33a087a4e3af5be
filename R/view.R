#' Interactive page of a tree or forest
#'
#' Writes the tree as a self-contained HTML page that loads no other files. The tree is opened to
#' the depth that fits the page. Branches can be opened and closed, the tree can be zoomed, and a
#' search finds predictors, levels, predictions and node numbers. The node under the pointer or with
#' the keyboard's focus shows its counts and conditions. A row can be entered in fields, with menus
#' for levels, or pasted as a line of CSV; the page shows its path, its prediction, and the nearest
#' changes that would change the prediction, as [explain()] finds them with the same `data`. The
#' page can be used by keyboard and screen reader, can be printed, and follows the light or dark
#' colours of the system.
#' *Experimental*, see *Lifecycle* in [tectree-package].
#'
#' In an interactive session printing the result opens the page in RStudio's viewer or in the
#' browser. In R Markdown and Quarto it becomes a part of the page; in formats other than HTML it
#' becomes the text of [print()][print.tec_tree].
#'
#' @details
#' The page predicts as [predict()][predict.tec_tree] does. Missing values are handled by the rule
#' that the tree was grown with; if a row ends in several leaves, the page shows the weighted mean.
#' An unseen level is treated as missing, with a note on the page. It cannot evaluate R functions:
#' for a tree on `log(x)` it asks for the value of `log(x)`. For `newrow`, R evaluates it.
#'
#' Printing the page prints the first 3,000 open nodes, one per line.
#'
#' The page contains the names, levels and thresholds of the tree and the counts of each node, but
#' no rows except `newrow`.
#'
#' @section Forests:
#' The page of a forest has the out-of-bag error by the number of trees, the importance of the
#' predictors, and a menu of trees, each of which is shown as a single tree is. With `newrow` it
#' shows the prediction for the row and its Shapley values, and each tree the path of the row. The
#' page holds the trees of `trees` only: each adds some kB.
#'
#' @param fit A tree from [tec_tree()], or a forest from [tec_forest()].
#' @param file Where to save the page, or `NULL`.
#' @param newrow `NULL`, or a data frame of one row that the page shows at first.
#' @param data As in [explain()]: rows to take standard deviations from, by which the sizes of
#'   changes are compared. Give the same rows as to `explain()`: otherwise another change can be the
#'   nearest.
#' @param title The title of the page; by default it names the response.
#' @param trees For a forest: the numbers of the trees that the page shows. `NULL`: the first 25.
#' @param ... Must be empty.
#' @return An object of class `tec_view`: a list with `html`, the page as one string, `file`, and
#'   `text`. With `file` it is returned invisibly.
#' @family uses of a tree
#' @examples
#' fit <- tec_tree(Species ~ ., iris)
#' file <- tempfile(fileext = ".html")
#' tec_view(fit, file = file, newrow = iris[71, ])
#' file.size(file)
#'
#' set.seed(1)
#' forest <- tec_forest(Species ~ ., iris, trees = 50, threads = 2)
#' tec_view(forest, file = file, newrow = iris[71, ], trees = 1:5)
#'
#' # Opens in the viewer or the browser:
#' if (interactive()) tec_view(fit)
#' @export
tec_view <- function(fit, file = NULL, newrow = NULL, data = NULL, title = NULL, trees = NULL,
                     ...) {
  refuse_dots("tec_view", ...)
  plain_numbers()
  fit <- chosen_fit(fit, "tec_view")
  if (!is_forest(fit)) check_is_tree(fit, "tec_view")
  check_file(file)
  if (!is.null(title) && (!is.character(title) || length(title) != 1L || is.na(title))) {
    tec_abort("argument", c(
      "{.arg title} must be one string, or NULL.", x = "It is {describe(title)}."
    ))
  }
  forest <- is_forest(fit)
  if (forest) {
    check_fit(fit)
    trees <- check_view_trees(trees, length(fit))
  } else if (!is.null(trees)) {
    abort_only_for("trees", "forests")
  }
  env <- parent.frame()
  others <- if (!is.null(data)) code_rows(fit, check_newdata(data, "data"), env, "data")
  if (!is.null(newrow)) newrow <- one_row(newrow)
  row <- if (!is.null(newrow)) code_rows(fit, newrow, env, "newrow")
  text <- utf8(format(fit, width = 80L))
  what <- if (forest) "Forest for" else "Decision tree for"
  facts <- c(
    paste0("Grown by ", grown_by(fit)), if (forest) forest_size(fit) else size_of_tree(fit),
    priors_text(fit)
  )
  texts <- list(
    title = html_text(title %||% paste(what, show_names(fit$response$name))),
    facts = html_text(paste(facts, collapse = "; ")), text = html_text(paste(text, collapse = "\n"))
  )
  html <- if (forest) {
    page_of_forest(fit, texts, newrow, row, others, trees)
  } else {
    page_of_tree(c(texts, data = json_text(view_model(fit, others, row))))
  }
  view <- structure(list(html = html, file = file, text = text), class = "tec_view")
  give_text(view, file, html)
}

# ---- forests ----

# The error by the number of trees, importance, one row's prediction and Shapley values, and a menu
# of trees, each of which is the page of a tree in a frame.

page_of_forest <- function(fit, texts, newrow, row, others, trees) {
  charts <- c(view_curve(fit), view_importance(fit), view_forest_row(fit, newrow, row))
  blank <- list(title = "@TITLE@", facts = "@FACTS@", data = "@DATA@", text = "")
  fill(package_text("view", "forest.html"), c(texts, list(
    css = package_text("view", "view.css"), own_css = package_text("view", "forest.css"),
    charts = paste(charts, collapse = "\n"),
    options = paste0("<option>", trees, "</option>", collapse = ""),
    data = json_text(list(
      template = page_of_tree(blank), trees = lapply(trees, view_one_tree, fit, others, row)
    )),
    js = paste0(package_text("view", "frame.js"), "\n", package_text("view", "forest.js"))
  )))
}

check_view_trees <- function(trees, n) {
  if (is.null(trees)) {
    return(seq_len(min(n, 25L)))
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
  size <- size_of_tree(tree)
  list(
    title = html_text(paste("Tree", i, "of", length(fit))), facts = html_text(size),
    says = paste0("of ", length(fit), ", ", size), model = json_text(view_model(tree, others, row))
  )
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

# Rows of name, bar and number. Bars of negative numbers are grey, or go to the left from the middle
# where bars diverge.
bar_table <- function(name, value, diverge = FALSE) {
  room <- if (diverge) 50 else 100
  width <- room * abs(value) / max(abs(value), .Machine$double.xmin)
  from <- if (diverge) ifelse(value < 0, 50 - width, 50) else 0
  kind <- if (diverge) c("lowers", "raises") else c("minus", "plus")
  middle <- if (diverge) "<line x1=\"50\" y1=\"0\" x2=\"50\" y2=\"10\"/>" else ""
  rows <- paste0(
    "<tr><th scope=\"row\">", html_text(name), "</th><td>",
    "<svg viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">",
    "<rect class=\"", kind[1L + (value >= 0)], "\" x=\"", sprintf("%.1f", from), "\" width=\"",
    sprintf("%.1f", width), "\" height=\"10\"/>", middle, "</svg></td><td>",
    html_text(number_text(value, 3L)), "</td></tr>"
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
  view_section(says, bar_table(name, value[by], diverge = TRUE))
}
