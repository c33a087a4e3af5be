#' @rdname as_tec_tree
#' @export
as_tec_tree.rpart <- function(x, ...) {
  refuse_dots("as_tec_tree", ...)
  if (!x$method %in% c("class", "anova")) {
    tec_abort("conversion", c(
      "Only rpart trees of method {.val class} and {.val anova} have a counterpart here.",
      x = "This one is of method {.val {x$method}}."
    ))
  }
  used <- setdiff(unique(x$frame$var), "<leaf>")
  name <- attr(x$terms, "term.labels") %||% used
  name <- gsub("^`(.*)`$", "\\1", name)
  type <- attr(x$terms, "dataClasses")[name]
  type[is.na(type)] <- "numeric"
  levels <- attr(x, "xlevels")[name]
  columns <- foreign_columns(name, unname(type), unname(levels))
  ylevels <- attr(x, "ylevels")
  response <- foreign_response(response_text(x$terms), if (x$method == "class") ylevels)
  records <- rpart_records(x, columns, length(response$levels))
  criterion <- if (identical(as.numeric(x$parms$split), 2)) "shannon" else "gini"
  if (x$method == "anova") criterion <- "l2"
  use <- as.integer(x$control$usesurrogate %||% 2L)
  control <- tec_control(
    min_split = max(1, x$control$minsplit %||% 20), min_bucket = max(1, x$control$minbucket %||% 7),
    missing = "surrogate", max_surrogate = x$control$maxsurrogate %||% 5,
    use_surrogate = use, surrogate_style = x$control$surrogatestyle %||% 0
  )
  # Without usesurrogate = 2, a row that no surrogate decides stops at the node.
  routing <- list(unknown = if (use == 2L) 0L else 2L, by_surrogate = use > 0L)
  if (use < 2L) records <- lapply(records, function(record) replace(record, "default", NA))
  as_fit(
    records, columns, response, criterion, "cart", x$terms, control, routing,
    paste0(criterion, ", from rpart")
  )
}

rpart_records <- function(x, columns, classes) {
  frame <- x$frame
  number <- as.numeric(row.names(frame))
  leaf <- frame$var == "<leaf>"
  first <- cumsum(c(1, frame$ncompete + frame$nsurrogate + !leaf))[seq_along(leaf)]
  lapply(seq_along(leaf), function(i) {
    record <- list(n = frame$n[i], weight = frame$wt[i], yval = frame$yval[i])
    if (classes > 0L) {
      record$prob <- frame$yval2[i, 1L + classes + seq_len(classes)]
    } else {
      record$impurity <- if (frame$wt[i] > 0) frame$dev[i] / frame$wt[i] else 0
    }
    if (leaf[i]) {
      return(record)
    }
    kids <- match(2 * number[i] + 0:1, number)
    split <- x$splits[first[i], ]
    variable <- match(frame$var[i], columns$name)
    record <- c(record, rpart_split(split, x$csplit, kids, variable, columns, frame$n))
    at <- first[i] + frame$ncompete[i] + seq_len(frame$nsurrogate[i])
    add_rpart_surrogates(record, x, at, columns, reversed = split[["ncat"]] == 1)
  })
}

rpart_split <- function(split, csplit, kids, variable, columns, rows) {
  default <- if (rows[kids[1L]] >= rows[kids[2L]]) 0L else 1L
  flip <- split[["ncat"]] == 1
  out <- list(variable = variable, children = if (flip) rev(kids) else kids)
  out$default <- if (flip) 1L - default else default
  if (abs(split[["ncat"]]) == 1) {
    if (columns$kind[variable] == "numeric") {
      # rpart splits by x < t.
      return(c(out, list(kind = 1L, breaks = previous_double(split[["index"]]))))
    }
    return(c(out, list(kind = 4L, levels = 1:2, branch = 0:1)))
  }
  side <- csplit[split[["index"]], seq_along(columns$levels[[variable]])]
  seen <- which(side != 2L)
  c(out, list(kind = 4L, levels = seen, branch = ifelse(side[seen] == 1L, 0L, 1L))) |>
    by_rank(columns$kind[variable], length(side))
}

# `reversed`: rpart's left branch is our second. A surrogate that sends all values down one branch
# comes from as_rpart() and gives the branch for missing values.
add_rpart_surrogates <- function(record, x, at, columns, reversed) {
  found <- lapply(at, function(row) {
    split <- x$splits[row, ]
    variable <- match(rownames(x$splits)[row], columns$name)
    rpart_surrogate(split, x$csplit, variable, columns, left = as.integer(reversed))
  })
  one_way <- which(vapply(found, is.integer, NA))
  if (length(one_way)) {
    record$default <- found[[one_way[1L]]]
    found <- found[seq_len(one_way[1L] - 1L)]
  }
  record$surrogates <- found
  record
}

# A surrogate, or the branch (from 0) that all values go to. `left`: the number of rpart's left
# branch.
rpart_surrogate <- function(split, csplit, variable, columns, left) {
  kind <- columns$kind[variable]
  if (abs(split[["ncat"]]) == 1) {
    low <- if (split[["ncat"]] == -1) left else 1L - left
    if (split[["index"]] == -Inf) {
      return(1L - low)
    }
    if (kind == "numeric") {
      cut <- previous_double(split[["index"]])
      return(number_surrogate(variable, cut, low == 1L, split[["improve"]], split[["adj"]]))
    }
    side <- c(low, 1L - low)
  } else {
    side <- csplit[split[["index"]], seq_along(columns$levels[[variable]])]
    side <- c(left, NA, 1L - left)[side]
  }
  ways <- unique(side)
  if (length(ways) == 1L) {
    return(ways)
  }
  levels_surrogate(variable, side, kind, split[["improve"]], split[["adj"]])
}

# A split of the lowest ordered levels from the highest is a cut.
by_rank <- function(split, kind, n_levels) {
  last <- sum(split$branch == 0L)
  rising <- identical(split$levels, seq_len(n_levels)) && !is.unsorted(split$branch)
  if (kind != "ordered" || !rising || max(split$branch) != 1L) {
    return(split)
  }
  split$levels <- split$branch <- NULL
  split$kind <- 3L
  split$breaks <- last
  split
}
