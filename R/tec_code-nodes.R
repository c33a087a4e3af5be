# Tested in test-tec_code.R.
# The lines of the nodes of a tree, in each language.

# The nodes and shares of a row that goes down several branches.
code_parts <- function(form, lang, numbers) {
  others <- lapply(form$nodes, function(n) if (identical(n$other$kind, "share")) n$other)
  if (lang == "c") {
    to <- unlist(lapply(others, `[[`, "to"))
    share <- unlist(lapply(others, `[[`, "share"))
    counts <- lengths(lapply(others, `[[`, "to"))
    return(list(
      PARTS_FROM = wrap_items(cumsum(c(0L, counts)), ", "),
      PART_TO = wrap_items(to %||% "0", ", "),
      PART = wrap_items(if (length(share)) numbers(share) else "0", ", ")
    ))
  }
  at <- which(lengths(others) > 0L)
  if (lang == "r") {
    pairs <- vapply(others, function(o) {
      if (is.null(o)) return("NULL")
      to <- paste0(o$to, "L", collapse = ", ")
      paste0("list(c(", to, "), c(", paste(numbers(o$share), collapse = ", "), "))")
    }, "")
    return(list(PARTS = if (length(at)) wrap_items(pairs, ", ") else ""))
  }
  pairs <- vapply(others[at], function(o) {
    open <- if (lang == "javascript") c("[", "]") else c("(", ")")
    pairs <- paste0(open[1L], o$to, ", ", numbers(o$share), open[2L], collapse = ", ")
    paste0("[", pairs, "]")
  }, "")
  if (lang == "rust") {
    lines <- paste0("            ", at, " => &", pairs, ",", recycle0 = TRUE)
    return(list(PARTS = paste(lines, collapse = "\n")))
  }
  list(PARTS = wrap_items(paste0(at, ": ", pairs, recycle0 = TRUE), ", "))
}

# The line of each inner node.
code_nodes <- function(form, lang, words, numbers) {
  if (lang == "r") {
    return(code_nodes_r(form, words, numbers))
  }
  inner <- which(lengths(form$nodes) > 0L)
  vapply(inner, function(i) {
    node <- form$nodes[[i]]
    test <- vapply(node$steps, code_test, "", lang, words, numbers)
    to <- vapply(node$steps, `[[`, 0L, "to")
    other <- code_other(node$other, i)
    if (lang == "rust") other <- paste0("{ ", other, " }")
    asked <- switch(lang,
      python = paste0(to, " if ", test, " else ", recycle0 = TRUE),
      rust = paste0("if ", test, " { ", to, " } else ", recycle0 = TRUE),
      paste0(test, " ? ", to, " : ", recycle0 = TRUE)
    )
    sprintf(words$line, i, paste0(paste(asked, collapse = ""), other))
  }, "")
}

code_other <- function(other, i) {
  switch(other$kind, node = other$to, stop = i, share = 0L)
}

code_test <- function(step, lang, words, numbers) {
  column <- sprintf(words$column, step$input - 1L + words$base)
  if (step$op != "in") {
    return(paste(column, step$op, numbers(step$value)))
  }
  if (lang == "python") {
    return(paste0(column, " in (", paste0(step$value, ",", collapse = " "), ")"))
  }
  codes <- if (lang == "rust") paste0(step$value, ".0") else step$value
  test <- paste0(column, words$equal, codes, collapse = words$or)
  if (length(codes) > 1L) paste0("(", test, ")") else test
}

# Whole columns at once: the step that is asked first is written last.
code_nodes_r <- function(form, words, numbers) {
  lines <- vapply(seq_along(form$nodes), function(i) {
    node <- form$nodes[[i]]
    if (length(node) == 0L) {
      return("NULL")
    }
    sets <- vapply(rev(node$steps), function(step) {
      column <- sprintf(words$column, step$input)
      value <- if (step$op == "in") {
        paste0("%in% c(", paste(step$value, collapse = ", "), ")")
      } else {
        paste(step$op, numbers(step$value))
      }
      paste0("to[which(", column, " ", value, ")] <- ", step$to, "L; ")
    }, "")
    other <- code_other(node$other, i)
    paste0("function(x, n) { to <- rep(", other, "L, n); ", paste(sets, collapse = ""), "to }")
  }, "")
  paste0("    ", lines, c(rep(",", length(lines) - 1L), ""))
}
