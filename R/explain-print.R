# Tested in test-explain.R.

#' @export
format.tec_explanation <- function(x, digits = 4L, width = getOption("width"), ...) {
  plain_numbers()
  refuse_dots("print.tec_explanation", ...)
  check_output(digits, width)
  width <- max(20, width)
  path <- x$path
  last <- nrow(path)
  where <- paste0("leaf ", x$leaf, ", ", count_text(path$n[last], "row"))
  if (x$share < 1) {
    where <- paste0("in parts, the largest with share ", sprintf("%.2f", x$share), " in ", where)
  }
  head <- paste0(
    show_names(x$response), " is predicted ",
    outcome_text(x$prediction, x$probability, x$task, digits), " (", where, ")."
  )
  # The class names are printed only once.
  shares <- share_texts(path, width)
  start <- paste0(
    "All ", count_text(path$n[1L], "row"), ": ", node_text(path, 1L, x$task, digits, shares$first)
  )
  steps <- vapply(seq_len(last)[-1L], function(i) {
    paste0(
      step_text(path, i, whole = x$share == 1), ": ", count_text(path$n[i], "row"), ", ",
      node_text(path, i, x$task, digits, shares$text[i])
    )
  }, "")
  steps <- c(start, steps)
  number <- formatC(seq_along(steps), width = nchar(length(steps)))
  lines <- c(
    fold(head, width, ""),
    unlist(Map(function(k, s) fold(s, width, paste0("  ", k, ". ")), number, steps)),
    change_lines(x, digits, width)
  )
  fit_width(unname(lines), width)
}

outcome_text <- function(prediction, probability, task, digits) {
  if (task == "regression") {
    return(number_text(prediction, digits))
  }
  paste0(show_label(as.character(prediction)), " with probability ", sprintf("%.2f", probability))
}

# The shares of all classes at each node, if they take no more than half a line.
share_texts <- function(path, width) {
  columns <- grep("^prob_", names(path))
  if (length(columns) == 0L || length(columns) * 5L > width %/% 2L) {
    return(list(first = NULL, text = NULL))
  }
  share <- lapply(columns, function(j) share_text(path[[j]]))
  first <- paste(show_label(levels(path$prediction)), vapply(share, `[[`, "", 1L))
  list(first = paste(first, collapse = ", "), text = do.call(paste, share))
}

node_text <- function(path, i, task, digits, shares) {
  if (is.null(shares)) {
    return(outcome_text(path$prediction[i], path$probability[i], task, digits))
  }
  paste0(show_label(as.character(path$prediction[i])), " (", shares, ")")
}

step_text <- function(path, i, whole) {
  name <- show_names(path$variable[i])
  rule <- sub(paste0(name, " "), "", path$condition[i], fixed = TRUE)
  here <- paste(name, "is", path$value[i])
  if (path$by_default[i] && rule == "is missing") {
    return(here)
  }
  if (path$by_default[i]) {
    what <- if (whole) "the row goes" else "the larger part of the row goes"
    return(paste0(here, ", so ", what, " with ", path$condition[i]))
  }
  if (!is.na(path$surrogate[i])) {
    return(paste0(here, "; ", path$surrogate[i], ", sends the row with ", path$condition[i]))
  }
  if (startsWith(rule, "=")) here else paste0(here, ", ", rule)
}

# The nearest change, then the nearest for each other prediction.
change_lines <- function(x, digits, width, most = 4L) {
  changes <- x$changes
  if (nrow(changes) == 0L) {
    return("No change of this row gives another prediction.")
  }
  group <- if (x$task == "classification") {
    as.character(changes$prediction)
  } else {
    ifelse(changes$prediction > x$prediction, "higher", "lower")
  }
  first <- which(!duplicated(group))
  shown <- utils::head(first, most)
  text <- vapply(shown, function(i) {
    what <- if (x$task == "classification") {
      paste0(show_label(group[i]), " (probability ", sprintf("%.2f", changes$probability[i]), ")")
    } else {
      paste0(group[i], " (", number_text(changes$prediction[i], digits), ")")
    }
    paste0(what, ": change ", changes$change[i])
  }, "")
  more <- nrow(changes) - length(shown)
  c(
    fold("The nearest changes of the row that would change the prediction:", width, ""),
    unlist(lapply(text, fold, width = width, start = "  - ")),
    if (more > 0L) {
      paste0("  and ", count_text(more, "more change", "more changes"), ": see $changes")
    }
  )
}

# Lines of at most `width` characters; the later ones are indented to the start of the text.
fold <- function(text, width, start) {
  strwrap(text, width = width + 1L, initial = start, exdent = nchar(start))
}
