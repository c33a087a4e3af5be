#' What a tree is and how well it fits
#'
#' The criterion and sizes, the importance of the predictors, and how the tree does on
#' its own training rows. A fit keeps no rows, but its leaves keep the classes of theirs:
#' the table of classes and predictions is summed from them, and the squared or absolute
#' error from the leaves' impurities. Performance on the training rows flatters a tree;
#' for an honest figure predict rows that it has not seen.
#'
#' @param object A tree from [tec_tree()].
#' @param x What `summary()` returned.
#' @param digits Significant digits.
#' @param width The width of a line.
#' @param ... Nothing else is understood.
#' @return A list of class `summary.tec_tree` with `title`, `size` (rows, nodes, leaves,
#'   depth), `settings`, `importance` (see [importance()]), for classification
#'   `confusion` (true classes in rows, predicted in columns, sums of case weights) and
#'   `accuracy`, for regression `r_squared`, `rmse` and `mae` (`l2` gives the first two,
#'   `l1` the last), and, where the tree has them, `surrogates`, `pruning` and
#'   `cptable`.
#' @family uses of a tree
#' @examples
#' summary(tec_tree(Species ~ ., iris))
#' summary(tec_tree(mpg ~ ., mtcars))
#' @export
summary.tec_tree <- function(object, ...) {
  check_known(dot_names(list(...)), character(), "summary")
  check_fit(object)
  tree <- object$tree
  classes <- object$response$task == "classification"
  control <- object$control
  out <- list(
    title = title_text(object),
    size = c(
      rows = object$n_rows, nodes = length(tree$kind), leaves = sum(tree$kind == 0L),
      depth = max(tree$depth)
    ),
    settings = settings_text(control),
    importance = importance.tec_tree(object),
    surrogates = fit_surrogates(object),
    pruning = object$pruning, cptable = object$cptable
  )
  structure(
    c(out, if (classes) class_fit(object) else number_fit(object)),
    class = "summary.tec_tree"
  )
}

# The one place where the splits that stand in for missing values are found.
fit_surrogates <- function(fit) {
  find <- get0("surrogates_of", envir = topenv(), mode = "function", inherits = FALSE)
  if (is.null(find)) NULL else find(fit)
}

settings_text <- function(control) {
  shown <- c("min_split", "min_bucket", "max_depth", "max_leaves", "nominal", "missing", "prune")
  shown <- shown[vapply(control[shown], function(v) {
    length(v) == 1L && !identical(as.vector(v), Inf) && !identical(v, "none")
  }, NA)]
  value <- vapply(control[shown], function(v) if (is.numeric(v)) number_text(v) else v, "")
  paste(shown, value, collapse = ", ")
}

# The training rows that end at each node, by class: those of the leaves, and at an inner
# node those that its branches do not account for (rows that stop there).
ending_weights <- function(fit) {
  tree <- fit$tree
  counts <- if (length(tree$prob)) case_counts(fit) else matrix(tree$weight)
  below <- matrix(0, nrow(counts), ncol(counts))
  edge <- edges(tree)
  sums <- rowsum(counts[edge$child, , drop = FALSE], edge$parent)
  at <- as.integer(rownames(sums))
  below[at, ] <- sums
  rest <- counts - below
  tiny <- rest < 1e-8 * pmax(1, counts)
  rest[tiny] <- 0
  leaf <- tree$kind == 0L
  rest[leaf, ] <- counts[leaf, ]
  rest
}

class_fit <- function(fit) {
  levels <- fit$response$levels
  counts <- rowsum(ending_weights(fit), factor(fit$tree$yval, seq_along(levels)), reorder = TRUE)
  names <- list(true = levels, predicted = levels)
  table <- matrix(0, length(levels), length(levels), dimnames = names)
  table[, as.integer(rownames(counts))] <- t(counts)
  # Sums of shares: a whole number is one but for its last digits.
  whole <- abs(table - round(table)) < 1e-6
  table[whole] <- round(table[whole])
  list(confusion = table, accuracy = sum(diag(table)) / sum(table))
}

number_fit <- function(fit) {
  tree <- fit$tree
  weight <- ending_weights(fit)[, 1L]
  error <- sum(weight * tree$impurity) / sum(weight)
  if (fit$criterion$name == "l1") {
    return(list(mae = error))
  }
  root <- tree$impurity[1L]
  list(r_squared = if (root > 0) 1 - error / root else NA_real_, rmse = sqrt(error))
}

title_text <- function(x) {
  paste0(
    if (x$response$task == "classification") "Classification" else "Regression", " tree for ",
    show_names(x$response$name), " (", format(x$criterion), ")"
  )
}

#' @rdname summary.tec_tree
#' @export
print.summary.tec_tree <- function(x, digits = 4L, width = getOption("width"), ...) {
  cat(format.summary.tec_tree(x, digits = digits, width = width), sep = "\n")
  invisible(x)
}

#' @rdname summary.tec_tree
#' @export
format.summary.tec_tree <- function(x, digits = 4L, width = getOption("width"), ...) {
  width <- max(20, width)
  size <- paste0(
    count_text(x$size[["rows"]], "row"), ", ", count_text(x$size[["nodes"]], "node"), ", ",
    count_text(x$size[["leaves"]], "leaf", "leaves"), ", depth ", x$size[["depth"]]
  )
  used <- x$importance[x$importance$importance > 0, , drop = FALSE]
  lines <- c(
    wrap(x$title, width), wrap(size, width), wrap(x$settings, width),
    if (nrow(used)) {
      c("", "Importance (gain of the splits)", importance_lines(used, 10L, digits, width))
    },
    "", if (is.null(x$confusion)) error_lines(x, digits) else confusion_lines(x, width),
    table_lines(x$surrogates, "Surrogate splits", digits, width),
    pruning_lines(x, digits, width)
  )
  fit_width(lines, width)
}

error_lines <- function(x, digits) {
  number <- function(v) formatC(v, digits = digits, format = "g", width = 1L)
  if (!is.null(x$mae)) {
    return(paste("Training rows: mean absolute error", number(x$mae)))
  }
  paste0("Training rows: R^2 ", number(x$r_squared), ", RMSE ", number(x$rmse))
}

confusion_lines <- function(x, width) {
  table <- x$confusion
  total <- sum(table)
  wrong <- total - sum(diag(table))
  title <- paste0(
    "Training rows: ", number_text(wrong), " of ", number_text(total), " wrong (",
    sprintf("%.1f", 100 * wrong / total), " %)"
  )
  levels <- show_label(rownames(table))
  cells <- matrix(number_text(round(as.vector(table), 2)), nrow(table))
  cells[table == 0] <- "."
  head <- fit_width(levels, max(6, width %/% 6))
  columns <- lapply(seq_along(levels), function(j) pad(c(head[j], cells[, j]), right = TRUE))
  first <- pad(c("true \\ predicted", fit_width(levels, width %/% 3)))
  body <- do.call(paste, c(list(first), columns))
  if (nchar(body[1L], "width") <= width - 2L) {
    return(c(title, paste0("  ", body)))
  }
  c(title, worst_lines(table, levels))
}

# Too many classes for a table: the confusions that are most frequent.
worst_lines <- function(table, levels, most = 8L) {
  diag(table) <- 0
  at <- order(-table)
  at <- at[table[at] > 0]
  shown <- utils::head(at, most)
  if (length(shown) == 0L) {
    return(character())
  }
  row <- (shown - 1L) %% nrow(table) + 1L
  column <- (shown - 1L) %/% nrow(table) + 1L
  more <- length(at) - length(shown)
  c(
    paste0("  ", number_text(table[shown]), " of ", levels[row], " taken for ", levels[column]),
    if (more > 0L) paste0("  ... and ", more, " more pairs: see $confusion")
  )
}

# How a tree was pruned, and the table of the trees to choose from, where it has them.
pruning_lines <- function(x, digits, width) {
  shown <- x$pruning
  text <- if (length(shown)) {
    plain <- shown[vapply(shown, function(v) is.atomic(v) && length(v) == 1L, NA)]
    say <- function(v) if (is.numeric(v)) number_text(v, digits) else as.character(v)
    value <- vapply(plain, say, "")
    c("", wrap(paste0("Pruning: ", paste(names(plain), value, collapse = ", ")), width))
  }
  table <- if (length(x$cptable)) as.data.frame(x$cptable)
  c(text, table_lines(table, "Trees by the price of a leaf", digits, width))
}

table_lines <- function(table, title, digits, width, most = 10L) {
  if (!is.data.frame(table) || nrow(table) == 0L) {
    return(NULL)
  }
  shown <- utils::head(as.data.frame(table), most)
  old <- options(width = width)
  on.exit(options(old))
  more <- nrow(table) - nrow(shown)
  c(
    "", title,
    paste0("  ", utils::capture.output(print(shown, digits = digits, row.names = FALSE))),
    if (more > 0L) paste0("# ... with ", count_text(more, "more row"))
  )
}
