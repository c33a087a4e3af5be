#' Interactive page of a tree or forest
#'
#' Writes the tree as a self-contained HTML page that loads no other files. The tree is opened to
#' the depth that fits the page. Branches can be opened and closed, the tree can be zoomed, and a
#' search finds predictors, levels, predictions and node numbers. The node under the pointer or with
#' the keyboard's focus shows its counts and conditions. A row can be entered in fields, with menus
#' for levels, or pasted as a line of CSV; the page shows its path, its prediction, and the nearest
#' changes that would change the prediction, as [explain()] finds them. The page can be used by
#' keyboard and screen reader, can be printed, and follows the light or dark colours of the system.
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
#'   changes are compared.
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
  check_view_title(title)
  env <- parent.frame()
  view <- if (is_forest(fit)) {
    view_forest(fit, file, newrow, data, title, trees, env)
  } else {
    if (!is.null(trees)) abort_only_for("trees", "forests")
    view_tree(fit, file, newrow, data, title, env)
  }
  give_text(view, file, view$html)
}
