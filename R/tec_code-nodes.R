# Tested in test-tec_code.R.
# The lines of the nodes of a tree, in each language.

# The nodes and shares of a row that goes down several branches.
code_parts <- function(form, lang, numbers) {
  edge <- form$edges
  some <- form$other$share[edge$child] > 0
  share <- form$other$share[edge$child][some]
  node <- factor(edge$parent[some], seq_along(form$value))
  to <- edge$child[some]
  counts <- tabulate(node, nlevels(node))
  if (lang == "c") {
    return(list(
      PARTS_FROM = wrap_items(cumsum(c(0L, counts)), ", "),
      PART_TO = wrap_items(if (length(to)) to else "0", ", "),
      PART = wrap_items(if (length(share)) numbers(share) else "0", ", ")
    ))
  }
  at <- which(counts > 0L)
  share <- numbers(share)
  collapse <- function(x) vapply(split(x, node), paste, "", collapse = ", ", USE.NAMES = FALSE)
  if (lang == "r") {
    to <- collapse(paste0(to, "L", recycle0 = TRUE))
    pairs <- ifelse(counts > 0L, paste0("list(c(", to, "), c(", collapse(share), "))"), "NULL")
    return(list(PARTS = if (length(at)) wrap_items(pairs, ", ") else ""))
  }
  open <- if (lang == "javascript") c("[", "]") else c("(", ")")
  pairs <- collapse(paste0(open[1L], to, ", ", share, open[2L], recycle0 = TRUE))[at]
  pairs <- paste0("[", pairs, "]", recycle0 = TRUE)
  if (lang == "rust") {
    lines <- paste0("            ", at, " => &", pairs, ",", recycle0 = TRUE)
    return(list(PARTS = paste(lines, collapse = "\n")))
  }
  list(PARTS = wrap_items(paste0(at, ": ", pairs, recycle0 = TRUE), ", "))
}

# The line of each inner node.
code_nodes <- function(form, lang, words, numbers) {
  inner <- form$other$kind != ""
  test <- code_tests(form$steps, lang, words, numbers)
  to <- form$steps$to
  kind <- form$other$kind
  other <- ifelse(kind == "node", form$other$to, ifelse(kind == "stop", seq_along(kind), 0L))
  asked <- switch(lang,
    r = paste0("to[which(", test, ")] <- ", to, "L; ", recycle0 = TRUE),
    python = paste0(to, " if ", test, " else ", recycle0 = TRUE),
    rust = paste0("if ", test, " { ", to, " } else ", recycle0 = TRUE),
    paste0(test, " ? ", to, " : ", recycle0 = TRUE)
  )
  # In R on whole columns: the step that is asked first is written last.
  by_node <- split(asked, factor(form$steps$node, seq_along(kind)))
  if (lang == "r") by_node <- lapply(by_node, rev)
  asked <- vapply(by_node, paste, "", collapse = "", USE.NAMES = FALSE)
  if (lang == "r") {
    lines <- paste0("function(x, n) { to <- rep(", other, "L, n); ", asked, "to }")
    lines <- ifelse(inner, lines, "NULL")
    return(paste0("    ", lines, c(rep(",", length(lines) - 1L), "")))
  }
  if (lang == "rust") other <- paste0("{ ", other, " }")
  sprintf(words$line, which(inner), paste0(asked, other)[inner])
}

# A test for each step.
code_tests <- function(steps, lang, words, numbers) {
  column <- sprintf(words$column, steps$input - 1L + words$base)
  level <- steps$op == "in"
  out <- character(length(column))
  out[!level] <- paste(
    column[!level], steps$op[!level], numbers(unlist(steps$value[!level])), recycle0 = TRUE
  )
  out[level] <- vapply(which(level), function(i) {
    code_set(column[i], steps$value[[i]], lang, words)
  }, "")
  out
}

code_set <- function(column, codes, lang, words) {
  if (lang == "r") {
    return(paste0(column, " %in% c(", paste(codes, collapse = ", "), ")"))
  }
  if (lang == "python") {
    return(paste0(column, " in (", paste0(codes, ",", collapse = " "), ")"))
  }
  if (lang == "rust") codes <- paste0(codes, ".0")
  test <- paste0(column, words$equal, codes, collapse = words$or)
  if (length(codes) > 1L) paste0("(", test, ")") else test
}
