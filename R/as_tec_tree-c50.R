# C5.0 stores its tree as text, one line per node in pre-order. Type 0 is a leaf, 1 a branch per
# level, 2 a cut, 3 sets of levels. The first branch is empty, for values that do not apply, and is
# dropped here.

#' @rdname as_tec_tree
#' @export
as_tec_tree.C5.0 <- function(x, ...) {
  refuse_dots("as_tec_tree", ...)
  check_c50(x)
  declared <- c50_columns(x$names)
  declared <- declared[names(declared) != "outcome"]
  # The declarations are in the order of the predictors; C5.0 escapes their names.
  name <- if (length(x$predictors) == length(declared)) x$predictors else names(declared)
  type <- vapply(declared, function(s) s$type, "")
  columns <- foreign_columns(name, unname(type), unname(lapply(declared, function(s) s$levels)))
  response <- foreign_response(response_text(x$Terms), x$levels)
  records <- c50_records(x$tree, columns, x$levels)
  control <- tec_control(min_bucket = max(1, x$control$minCases %||% 2))
  # A missing value goes down every branch in proportion to the branches' rows.
  routing <- list(unknown = 1L, by_surrogate = FALSE)
  as_fit(
    records, columns, response, "gain_ratio", "c45", x$Terms, control, routing,
    "gain_ratio, from C5.0"
  )
}

check_c50 <- function(x) {
  if (!nzchar(x$tree %||% "")) {
    rules <- nzchar(x$rules %||% "")
    tec_abort("conversion", c(
      "The C5.0 model must be a tree.",
      x = if (rules) "It contains rules." else "It is empty: C5.0 stopped with an error.",
      i = "Fit it with {.code rules = FALSE}; its {.field output} says what went wrong."
    ))
  }
  trials <- x$trials[["Actual"]]
  if (trials > 1) {
    tec_abort("conversion", c(
      "The C5.0 model must be one tree.",
      x = "It is boosted: {trials} trees.",
      i = "Fit it with {.code trials = 1}."
    ))
  }
}

# Split where `mark` stands without a backslash before it; then drop the backslashes.
split_escaped <- function(text, mark) {
  parts <- strsplit(text, paste0("(?<!\\\\)", mark), perl = TRUE)[[1L]]
  gsub("\\\\(.)", "\\1", parts)
}

# The declarations: "name: continuous.", "name: a,b,c.", "name: [ordered]a,b.".
c50_columns <- function(names) {
  lines <- strsplit(names, "\n", fixed = TRUE)[[1L]]
  lines <- lines[nzchar(lines) & !startsWith(lines, "|")]
  lines <- lines[grepl("(?<!\\\\):", lines, perl = TRUE)]
  out <- list()
  for (line in lines) {
    at <- regexpr("(?<!\\\\):", line, perl = TRUE)
    name <- substr(line, 1L, at - 1L)
    spec <- sub("[.]$", "", trimws(substr(line, at + 1L, nchar(line))))
    ordered <- startsWith(spec, "[ordered]")
    spec <- trimws(sub("^\\[ordered\\]", "", spec))
    number <- spec == "continuous"
    out[[name]] <- list(
      type = if (number) "numeric" else if (ordered) "ordered" else "factor",
      levels = if (!number) trimws(split_escaped(spec, ","))
    )
  }
  out
}

c50_records <- function(text, columns, levels) {
  lines <- strsplit(text, "\n", fixed = TRUE)[[1L]]
  lines <- lines[startsWith(lines, "type=")]
  nodes <- lapply(lines, c50_node)
  forks <- vapply(nodes, function(node) node$forks, 0L)
  kids <- c50_children(forks)
  counts <- c50_counts(nodes, kids, length(levels))
  kept <- c50_kept(nodes, kids)
  place <- cumsum(kept)
  lapply(which(kept), function(i) {
    count <- counts[i, ]
    node <- nodes[[i]]
    known <- node$freq
    record <- list(n = sum(known), weight = sum(known), prob = count / sum(count))
    record$yval <- match(node$class, levels)
    if (node$type == 0L) {
      return(record)
    }
    c(record, c50_split(node, kids[[i]], columns, place, nodes))
  })
}

c50_node <- function(line) {
  field <- function(name) {
    pattern <- paste0("(?<= ", name, "=\"|^", name, "=\")(?:[^\"\\\\]|\\\\.)*(?=\")")
    regmatches(line, gregexpr(pattern, line, perl = TRUE))[[1L]]
  }
  plain <- function(v) gsub("\\\\(.)", "\\1", v)
  freq <- field("freq")
  sets <- regmatches(line, gregexpr("elts=(\"(?:[^\"\\\\]|\\\\.)*\",?)+", line, perl = TRUE))[[1L]]
  list(
    type = as.integer(field("type")), class = plain(field("class")), att = plain(field("att")),
    forks = if (length(field("forks"))) as.integer(field("forks")) else 0L,
    cut = as.numeric(field("cut")),
    freq = if (length(freq)) as.numeric(strsplit(freq, ",", fixed = TRUE)[[1L]]) else 0,
    sets = lapply(sets, function(s) {
      quoted <- gregexpr("\"(?:[^\"\\\\]|\\\\.)*\"", s, perl = TRUE)
      plain(gsub("^\"|\"$", "", regmatches(s, quoted)[[1L]]))
    })
  )
}

# The lines of each node's branches, from the number of branches in pre-order.
c50_children <- function(forks) {
  kids <- vector("list", length(forks))
  open <- integer()
  for (i in seq_along(forks)) {
    if (length(open)) {
      up <- open[length(open)]
      kids[[up]] <- c(kids[[up]], i)
    }
    if (forks[i] > 0L) open <- c(open, i)
    while (length(open) && length(kids[[open[length(open)]]]) == forks[open[length(open)]]) {
      open <- open[-length(open)]
    }
  }
  kids
}

# Class counts; a branch without rows has those of its parent.
c50_counts <- function(nodes, kids, classes) {
  out <- matrix(0, length(nodes), classes)
  for (i in seq_along(nodes)) {
    if (length(nodes[[i]]$freq) == classes) out[i, ] <- nodes[[i]]$freq
    if (sum(out[i, ]) == 0) out[i, ] <- 1
  }
  for (i in seq_along(nodes)) {
    for (kid in kids[[i]]) {
      if (sum(nodes[[kid]]$freq) == 0) out[kid, ] <- out[i, ]
    }
  }
  out
}

# All nodes except those below the branches for missing values.
c50_kept <- function(nodes, kids) {
  kept <- rep(TRUE, length(nodes))
  for (i in seq_along(nodes)) {
    if (!kept[i]) {
      kept[kids[[i]]] <- FALSE
    } else if (nodes[[i]]$type %in% 1:2) {
      kept[kids[[i]][1L]] <- FALSE
    } else if (nodes[[i]]$type == 3L) {
      alone <- vapply(nodes[[i]]$sets, identical, NA, "N/A")
      kept[kids[[i]][alone]] <- FALSE
    }
  }
  kept
}

c50_split <- function(node, kids, columns, place, nodes) {
  bare <- function(name) gsub("\\", "", name, fixed = TRUE)
  variable <- match(bare(node$att), bare(columns$name))
  if (node$type == 3L) {
    sets <- lapply(node$sets, setdiff, "N/A")
    real <- lengths(sets) > 0L
    kids <- kids[real]
    sets <- sets[real]
    code <- match(unlist(sets), columns$levels[[variable]])
    branch <- rep(seq_along(sets) - 1L, lengths(sets))
    branch <- branch[!is.na(code)]
    code <- code[!is.na(code)]
    split <- list(kind = 4L, levels = sort(code), branch = branch[order(code)])
  } else {
    kids <- kids[-1L]
    split <- list(kind = 5L)
    if (node$type == 2L) split <- list(kind = 1L, breaks = single_break(node$cut))
  }
  weight <- vapply(nodes[kids], function(k) sum(k$freq), 0)
  out <- list(variable = variable, children = place[kids], default = which.max(weight) - 1L)
  out <- c(out, split)
  if (out$kind != 4L) {
    return(out)
  }
  by_rank(out, columns$kind[variable], length(columns$levels[[variable]]))
}

# C5.0 compares in single precision, so all values that round to the cut are below it.
single_break <- function(cut) {
  if (cut == 0) {
    return(0)
  }
  cut + 2^(floor(log2(abs(cut))) - 24)
}
