# Tested in test-tec_code.R and test-tec_sql.R.
# The predictions of predict(), the rows for an export, and the comparison of both predictions.

# Predicts one tree at a time if `missing` differs from that of the forest.
expected_predictions <- function(fit, newdata, missing = "as_fitted") {
  n <- nrow(newdata)
  values <- suppressWarnings(code_rows(fit, newdata, parent.frame()))
  forest <- is_forest(fit)
  if (forest && is_linked(fit)) {
    return(expected_of_linked(fit, values, n, missing))
  }
  if (forest && missing != "as_fitted") {
    return(mean_of_trees(fit, values, n, missing))
  }
  tree <- !forest && !is_mars(fit)
  if (tree) fit <- with_missing(fit, missing)
  predicted <- function(type) predict_coded(fit, values, n, type)
  classes <- !is.null(fit$response$levels)
  out <- list(
    node = if (tree) predicted("node"), response = predicted("response"),
    prob = if (classes) predicted("prob"), votes = if (classes && forest) predicted("votes")
  )
  if (classes) out$response <- as.character(out$response)
  if (tree && missing == "null") {
    none <- ends_by_default(fit, values, n)
    out$node[none] <- NA
    out$response[none] <- NA
    if (classes) out$prob[none, ] <- NA
  }
  out[c(tree, TRUE, TRUE, forest)]
}

ends_by_default <- function(tree, values, n) {
  vapply(predict_paths(tree, values, n), function(p) any(p$by_default), NA)
}

# One matrix per tree: numbers or shares, NA if the tree has no prediction.
said_by_trees <- function(fit, values, n, missing, type) {
  lapply(seq_len(length(fit)), function(i) {
    tree <- with_missing(forest_tree(fit, i), missing)
    said <- as.matrix(predict_coded(tree, values, n, type))
    if (missing == "null") said[ends_by_default(tree, values, n), ] <- NA
    said
  })
}

# 1 for the class of each row.
votes_of_shares <- function(shares, cost = NULL) {
  known <- !is.na(shares[, 1L])
  out <- matrix(0, nrow(shares), ncol(shares))
  out[!known, ] <- NA
  if (any(known)) {
    out[cbind(which(known), best_answer(shares[known, , drop = FALSE], cost))] <- 1
  }
  out
}

mean_of_trees <- function(fit, values, n, missing) {
  levels <- fit$response$levels
  type <- if (is.null(levels)) "response" else "prob"
  said <- said_by_trees(fit, values, n, missing, type)
  mean <- Reduce(`+`, said) / length(fit)
  if (is.null(levels)) {
    return(list(response = mean[, 1L]))
  }
  votes <- Reduce(`+`, lapply(said, votes_of_shares, fit$cost))
  known <- !is.na(mean[, 1L])
  class <- rep(NA_integer_, n)
  class[known] <- class_of_forest(
    votes[known, , drop = FALSE], mean[known, , drop = FALSE],
    isTRUE(fit$settings$probability), fit$cost
  )
  list(response = levels[class], prob = mean, votes = votes / length(fit))
}

expected_of_linked <- function(fit, values, n, missing) {
  link <- fit$link
  if (missing == "as_fitted") {
    score <- boost_scores(link$model, values, n)[[1L]]
  } else {
    score <- matrix(rep(link$base, each = n), n, length(link$base))
    said <- said_by_trees(fit, values, n, missing, if (is.null(link$vote)) "response" else "prob")
    for (i in seq_along(said)) {
      if (is.null(link$vote)) {
        score[, link$output[i]] <- score[, link$output[i]] + said[[i]]
      } else {
        score <- score + link$vote[i] * votes_of_shares(said[[i]])
      }
    }
  }
  gone <- is.na(rowSums(score))
  said <- function(type) {
    out <- finish_boost(link$model, replace(score, is.na(score), 0), type)
    if (is.matrix(out)) out[gone, ] <- NA else out[gone] <- NA
    if (is.factor(out)) as.character(out) else out
  }
  list(response = said("response"), prob = said("prob"), link = said("link"))
}

# The columns that the tree uses, if present: numbers, or labels as text.
exported_rows <- function(fit, newdata) {
  used <- sort(c(needed_columns(fit), optional_columns(fit)))
  columns <- fit$columns
  check_has_columns(fit, newdata, needed_columns(fit))
  used <- used[columns$name[used] %in% names(newdata)]
  out <- lapply(used, function(j) {
    x <- newdata[[columns$name[j]]]
    if (columns$kind[j] != "numeric") {
      return(as.character(x))
    }
    as.numeric(recode_column(x, columns, j, nrow(newdata))$value)
  })
  names(out) <- columns$name[used]
  structure(out, class = "data.frame", row.names = .set_row_names(nrow(newdata)))
}

compare_predictions <- function(wanted, found, tolerance) {
  first <- NULL
  rows <- lapply(intersect(names(wanted), names(found)[lengths(found) > 0L]), function(what) {
    a <- wanted[[what]]
    b <- found[[what]]
    if (NROW(a) != NROW(b)) abort_export("{.field {what}} has {NROW(b)} rows, not {NROW(a)}.")
    if (is.character(a)) {
      same <- a == as.character(b)
      size <- NA_real_
    } else {
      gap <- abs(unname(as.matrix(a)) - unname(as.matrix(b)))
      same <- rowSums(gap > tolerance * max(1, abs(a), na.rm = TRUE)) == 0
      size <- if (all(is.na(gap))) 0 else max(gap, na.rm = TRUE)
    }
    none <- rowSums(is.na(as.matrix(a))) > 0
    gone <- rowSums(is.na(as.matrix(b))) > 0
    same <- unname(none & gone | !none & !gone & same %in% TRUE)
    if (!all(same) && is.null(first)) first <<- which(!same)[1L]
    data.frame(what = what, rows = length(same), agree = sum(same), difference = size)
  })
  if (length(rows) == 0L) {
    abort_export("There is nothing to compare: no node, response or prob was returned.")
  }
  structure(do.call(rbind, rows), first = first)
}
