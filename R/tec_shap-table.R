# Tested in test-tec_shap-table.R and test-tec_shap.R.
# Shapley values as text and as tables.

#' @export
print.tec_shap <- function(x, n = 20L, digits = 4L, width = getOption("width"), ...) {
  plain_numbers()
  refuse_dots("tec_shap", ...)
  check_output(digits, width, n)
  size <- dim(x$values)
  cat(fit_width(c(
    paste0(
      "Shapley values of ", count_text(size[1L], "row"), ", ", count_text(size[2L], "predictor"),
      if (length(size) > 2L) paste0(", ", count_text(size[3L], "class", "classes"))
    ),
    paste0("Explained: ", shap_quantity(x, x$class)),
    paste0("Baseline: ", baseline_text(x, digits)),
    paste("Unknown predictors:", if (is.null(x$background)) {
      "by the weights of the training rows"
    } else {
      paste("from", count_text(x$background, "background row"))
    })
  ), width), sep = "\n")
  if (size[1L] > 0L) {
    cat("\nMean size", if (length(size) > 2L) ", all classes", ":\n", sep = "")
    some <- shap_sizes(x)
    if (nrow(some)) cat(importance_lines(some, n, digits, width), sep = "\n")
    none <- show_names(setdiff(dimnames(x$values)[[2L]], some$variable))
    if (length(none)) {
      cat(fit_width(paste0("# No effect: ", set_text(none, width - 13)), width), "\n", sep = "")
    }
  }
  if (!is.null(x$interactions) && size[1L] > 0L) print_pairs(x, n, digits, width)
  invisible(x)
}

# "probability of setosa", "mpg"
shap_quantity <- function(x, class) {
  response <- show_names(x$response$name)
  if (x$response$task == "regression") {
    return(response)
  }
  if (is.null(class)) {
    return(paste("probabilities of", response))
  }
  paste("probability of", show_label(class))
}

baseline_text <- function(x, digits) {
  text <- number_text(x$baseline, digits)
  if (length(text) > 1L) text <- paste(show_label(names(x$baseline)), text)
  paste(text, collapse = ", ")
}

#' @rdname tec_shap
#' @param row.names,optional As in [as.data.frame()]; `optional` is not used.
#' @export
as.data.frame.tec_shap <- function(x, row.names = NULL, optional = FALSE, interactions = FALSE,
                                   ...) {
  plain_numbers()
  refuse_dots("as.data.frame", ...)
  pairs <- check_flag(interactions, "interactions", topic = "argument")
  if (pairs) check_has_interactions(x)
  values <- if (pairs) x$interactions else x$values
  size <- dim(x$values)
  one <- size[1L] * size[2L]
  several <- length(size) > 2L
  of_class <- if (pairs) one * size[2L] else one
  text <- as.character(unlist(lapply(x$data, cell_text), use.names = FALSE))
  names <- rep(dimnames(x$values)[[2L]], each = size[1L])
  out <- data.frame(row = rep_len(seq_len(size[1L]), length(values)))
  if (several) {
    out$class <- factor(rep(x$response$levels, each = of_class), x$response$levels)
  }
  out$variable <- rep_len(names, length(values))
  out$data <- rep_len(text, length(values))
  if (pairs) {
    # By row, first and second predictor.
    second <- rep(seq_len(size[2L]) - 1L, each = one) * size[1L] + rep(seq_len(size[1L]), size[2L])
    out$with <- rep_len(names[second], length(values))
    out$with_data <- rep_len(text[second], length(values))
  }
  out$value <- as.vector(values)
  with_row_names(out, row.names)
}

#' @rdname tec_shap
#' @export
tidy.tec_shap <- function(x, interactions = FALSE, ...) {
  refuse_dots("tidy", ...)
  out <- of_whole(
    x, "tec_shap", "tec_shap", as.data.frame.tec_shap(x, interactions = interactions)
  )
  as_table(out)
}

# The values of a predictor as text.
cell_text <- function(x, digits = 7L) {
  out <- if (is.factor(x) || is.character(x) || is.logical(x)) {
    show_label(as.character(x))
  } else if (is.object(x)) {
    quantity_text(as.numeric(x), x[0L], digits)
  } else {
    number_text(as.numeric(x), digits)
  }
  out[is.na(x)] <- "missing"
  out
}

# For several classes: a list with one object per class. Only shapviz's own generic calls this, so
# the package is installed.
#' @rawNamespace S3method(shapviz::shapviz, tec_shap)
shapviz.tec_shap <- function(object, ...) {
  theirs <- function(name) getExportedValue("shapviz", name)
  one <- function(values, baseline, pairs) {
    theirs("shapviz")(
      values, X = object$data, baseline = unname(baseline), S_inter = pairs, ...
    )
  }
  if (length(dim(object$values)) == 2L) {
    return(one(object$values, object$baseline, object$interactions))
  }
  classes <- object$response$levels
  all <- lapply(seq_along(classes), function(k) {
    one(matrix(object$values[, , k], nrow(object$data), dimnames = dimnames(object$values)[1:2]),
      object$baseline[k], pairs_of_class(object, k)
    )
  })
  theirs("mshapviz")(stats::setNames(all, classes))
}

# Interactions among Shapley values.

check_has_interactions <- function(x) {
  if (is.null(x$interactions)) {
    tec_abort("argument", c(
      "The Shapley values have no interactions.", x = "They were computed without them.",
      i = "Call {.fn tec_shap} with {.code interactions = TRUE}."
    ))
  }
}

# The array rows x predictors x predictors for the class of this number; NULL if there are none.
pairs_of_class <- function(x, k) {
  if (is.null(x$interactions)) {
    return(NULL)
  }
  size <- dim(x$interactions)
  array(x$interactions[, , , k], size[1:3], dimnames(x$interactions)[1:3])
}

# The interaction of each pair of predictors, both halves: rows x pairs, or rows x pairs x classes.
pair_values <- function(x) {
  size <- dim(x$interactions)
  names <- show_names(dimnames(x$interactions)[[2L]])
  pairs <- which(upper.tri(matrix(0, size[2L], size[2L])), arr.ind = TRUE)
  outputs <- if (length(size) > 3L) size[4L] else 1L
  by_pair <- array(x$interactions, c(size[1L], size[2L]^2, outputs))
  at <- (pairs[, 2L] - 1L) * size[2L] + pairs[, 1L]
  labels <- list(NULL, paste0(names[pairs[, 1L]], ":", names[pairs[, 2L]], recycle0 = TRUE))
  if (length(size) == 3L) {
    return(array(2 * by_pair[, at, 1L], c(size[1L], length(at)), labels))
  }
  array(
    2 * by_pair[, at, , drop = FALSE], c(size[1L], length(at), outputs),
    c(labels, dimnames(x$interactions)[4L])
  )
}

print_pairs <- function(x, n, digits, width) {
  several <- length(dim(x$values)) > 2L
  x$values <- pair_values(x)
  some <- shap_sizes(x)
  if (nrow(some) == 0L) {
    cat("\n# No interactions\n")
    return(invisible())
  }
  cat("\nMean size of interactions", if (several) ", all classes", ":\n", sep = "")
  cat(importance_lines(some, n, digits, width), sep = "\n")
}

# The predictors with an effect, the largest first, and the mean absolute value (the sum over the
# classes if there are several).
shap_sizes <- function(x) {
  size <- unname(rowSums(as.matrix(apply(abs(x$values), seq_along(dim(x$values))[-1L], mean))))
  out <- data.frame(variable = dimnames(x$values)[[2L]], importance = size)
  utils::head(out[order(-size), , drop = FALSE], sum(size > 0))
}
