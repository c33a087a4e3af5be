#' @export
print.tec_explanation <- function(x, digits = 4L, width = getOption("width"), ...) {
  cat(format(x, digits = digits, width = width), sep = "\n")
  invisible(x)
}

#' @export
format.tec_explanation <- function(x, digits = 4L, width = getOption("width"), ...) {
  width <- max(20, width)
  path <- x$path
  last <- nrow(path)
  head <- paste0(
    show_names(x$response), " is predicted ", outcome_text(path, last, x$task, digits), " (leaf ",
    x$leaf, ", ", count_text(path$n[last], "row"), ")."
  )
  start <- paste0(
    "All ", count_text(path$n[1L], "row"), ": ", outcome_text(path, 1L, x$task, digits)
  )
  steps <- vapply(seq_len(last)[-1L], function(i) step_text(path, i, x$task, digits), "")
  steps <- c(start, steps)
  number <- formatC(seq_along(steps), width = nchar(length(steps)))
  lines <- c(
    fold(head, width, ""),
    unlist(Map(function(k, s) fold(s, width, paste0("  ", k, ". ")), number, steps)),
    change_lines(x, digits, width)
  )
  fit_width(unname(lines), width)
}

outcome_text <- function(path, i, task, digits) {
  if (task == "regression") {
    return(number_text(path$prediction[i], digits))
  }
  paste0(
    show_label(as.character(path$prediction[i])), " with probability ",
    sprintf("%.2f", path$probability[i])
  )
}

step_text <- function(path, i, task, digits) {
  name <- show_names(path$variable[i])
  rule <- sub(paste0(name, " "), "", path$condition[i], fixed = TRUE)
  how <- if (path$by_default[i]) {
    paste0(name, " is ", path$value[i], ", so the row goes with ", path$condition[i])
  } else if (startsWith(rule, "=")) {
    paste(name, "is", path$value[i])
  } else {
    paste0(name, " is ", path$value[i], ", ", rule)
  }
  paste0(how, ": ", count_text(path$n[i], "row"), ", ", outcome_text(path, i, task, digits))
}

# The nearest change; then the nearest for each other answer.
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
  more <- length(first) - length(shown)
  c(
    fold("The nearest changes of the row that would change the prediction:", width, ""),
    unlist(lapply(text, fold, width = width, start = "  - ")),
    if (more > 0L) {
      paste0("  and ", count_text(more, "more class", "more classes"), ": see $changes")
    }
  )
}

# Lines of at most `width`, those after the first indented as far as the text.
fold <- function(text, width, start) {
  strwrap(text, width = width + 1L, initial = start, exdent = nchar(start))
}
