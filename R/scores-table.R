# Tested in test-scores.R.
# The table of tec_scores(), made from the result of the core.

score_prepared <- function(ready, candidates) {
  plain_numbers()
  frame <- ready$frame
  problem <- list(
    columns = frame$value, kinds = unname(kind_codes[frame$kind]), n_levels = frame$n_levels,
    response = ready$response$core, weights = ready$weights, sizes = ready$sizes,
    rows = ready$rows,
    criterion = core_criterion(ready$criterion), control = core_control(ready$control),
    training = ready$training
  )
  found <- tec_scores_(problem, candidates == "all")
  found$variable <- found$column
  # data.frame() would take a third of the time of the call.
  out <- list2DF(list(
    variable = frame$name[found$column],
    split = replace(split_texts(found, frame), found$kind == 0L, NA_character_),
    kind = c("none", split_kinds[-1L])[found$kind + 1L],
    gain = plain_na(found$gain), score = plain_na(found$score),
    eligible = as.logical(found$eligible), chosen = as.logical(found$chosen),
    cut = plain_na(found$cut), exact = as.logical(found$exact), tied = as.logical(found$tied),
    reason = barred_reasons[found$barred + 1L]
  ))
  own <- own_measures(out, found, ready)
  out[names(own)] <- own
  if (candidates == "all") {
    out$admissible <- found$barred == 0L
  }
  # Among ties, the winner is first and the others keep the order of the formula. Attributes without
  # a split are last.
  last <- candidates == "best" & found$barred != 0L
  by <- order(last, -out$score, !out$chosen)
  out <- list2DF(lapply(out, `[`, by))
  structure(
    out,
    criterion = format(ready$criterion),
    units = score_units(ready$criterion, found, ready$control$rules),
    node = 1L,
    n = if (is.null(ready$rows)) length(ready$response$core$y) else length(ready$rows),
    class = c("tec_scores", "data.frame")
  )
}

# Why a split is not admissible, by the code of the reason in the core.
barred_reasons <- c(
  "", "has only one value", "a branch would hold less than min_bucket",
  "gains no more than min_gain", "adjusted p value above alpha_split"
)

plain_na <- function(x) ifelse(is.nan(x), NA_real_, x)

# Columns that only some criteria or settings have: the conditional entropy of the classes, the
# deduction from the gain (always by the rules of C4.5), and the branch of missing values if it is
# learned.
own_measures <- function(out, found, ready) {
  own <- list()
  if (ready$criterion$name == "cond_entropy") {
    own$cond_entropy <- entropy_left(out$gain, found, ready)
  }
  if (ready$control$missing == "learned") {
    own$missing_branch <- ifelse(found$filled < 0L, NA_integer_, found$filled + 1L)
  }
  if (any(found$df > 0)) {
    test <- test_table(lapply(found[test_fields], function(x) ifelse(found$df > 0, x, NA_real_)))
    own[names(test)] <- test
  }
  by_c45 <- identical(ready$control$rules, "c45")
  if (by_c45 || any(found$deduction > 0, na.rm = TRUE)) {
    own$deduction <- ifelse(is.na(out$gain), NA_real_, found$deduction)
  }
  own
}

# H(Class | attribute): the class entropy of the rows with a value, minus the gain. Some ways to
# handle missing values scale the gain by the share of the weight with a value; others include rows
# with a missing value in the search.
entropy_left <- function(gain, found, ready) {
  core <- ready$response$core
  rows <- ready$rows %||% seq_along(core$y)
  w <- (ready$weights %||% rep(1, length(core$y)))[rows]
  y <- core$y[rows]
  if (!is.null(core$factors)) w <- w * core$factors$split[y]
  policy <- ready$control$missing
  of_column <- vapply(seq_along(ready$frame$name), function(i) {
    all <- policy == "mode" || any(found$filled[found$column == i] >= 0L)
    known <- all | !is.na(ready$frame$value[[i]][rows])
    share <- if (policy %in% c("surrogate", "fractional")) sum(w[known]) / sum(w) else 1
    weights <- vapply(seq_len(core$n_classes), function(k) sum(w[known & y == k]), 0)
    c(if (any(weights > 0)) tsallis_of(weights / sum(weights), 1) / log(2) else NA_real_, share)
  }, c(0, 0))
  of_column[1L, found$column] - gain / of_column[2L, found$column]
}

# The line with the units of gains and scores.
score_units <- function(criterion, found, rules) {
  value <- criterion$parameter
  units <- switch(criterion$units,
    "nats at q = 1" = if (value == 1) "nats" else "units of S_q",
    "bits at beta = 1" = if (value == 1) "bits" else "units of the beta-entropy",
    probability = "units of the Gini index",
    criterion$units
  )
  ratio <- unname(ratio_scores[criterion$name])
  if (any(found$df > 0)) {
    return("the smallest adjusted p value wins; score: -log10 of it")
  }
  paste0(
    if (is.na(ratio)) paste("gain and score in", units),
    if (!is.na(ratio)) paste0("gain in ", units, ", score (no unit): ", ratio),
    if (criterion$name == "cond_entropy") "; the smallest cond_entropy wins",
    if (any(found$deduction > 0)) {
      paste0(
        "; the gain is less the deduction",
        if (identical(rules, "c45")) ", log2(cuts) / rows" else " for naming a grouping of levels"
      )
    }
  )
}

#' @export
print.tec_scores <- function(x, n = 40L, digits = 7L, width = getOption("width"), ...) {
  plain_numbers()
  refuse_dots("tec_scores", ...)
  check_output(digits, width, n)
  if (!all(c("variable", "split", "score") %in% names(x))) {
    return(NextMethod())
  }
  criterion <- attr(x, "criterion")
  if (!is.null(criterion)) {
    rows <- count_text(attr(x, "n"), "row")
    title <- paste0("Scores by ", criterion, " at node ", attr(x, "node"), " (", rows, ")")
    units <- attr(x, "units")
    cat(fit_width(title, width), if (!is.null(units)) wrap(units, width), sep = "\n")
  }
  without <- without_split(x)
  table <- x[!without, , drop = FALSE]
  if (nrow(table) == 0L) {
    cat("No attribute can split the node.\n")
  } else {
    shown <- table[seq_len(min(n, nrow(table))), , drop = FALSE]
    cat(score_lines(shown, digits, width), sep = "\n")
    if (any(shown$tied %in% TRUE)) {
      cat(wrap("= ties with the chosen split, which comes first in the data", width), sep = "\n")
    }
  }
  more <- nrow(table) - min(n, nrow(table))
  if (more > 0L) {
    cat(fit_width(more_text(more, "row"), width), "\n", sep = "")
  }
  cat_reasons(x[without, , drop = FALSE], width)
  invisible(x)
}

# Attributes without an admissible split. With all candidates, each has its own row.
without_split <- function(x) {
  if (is.null(x$reason) || "admissible" %in% names(x)) {
    return(rep(FALSE, nrow(x)))
  }
  nzchar(x$reason)
}

# One line per reason.
cat_reasons <- function(x, width) {
  for (reason in unique(x$reason)) {
    names <- show_names(x$variable[x$reason == reason])
    more <- length(names) - 10L
    if (more > 0L) names <- c(names[1:10], paste("and", more, "more"))
    text <- paste0("No split (", reason, "): ", paste(names, collapse = ", "))
    cat(fit_width(strwrap(text, width = width + 1L, exdent = 2L), width), sep = "\n")
  }
}

# ">" marks the winner, "=" the splits that tie with it.
score_lines <- function(x, digits, width, least_digits = min(digits, 4L)) {
  mark <- rep(" ", nrow(x))
  mark[x$tied %in% TRUE] <- "="
  mark[x$chosen %in% TRUE] <- ">"
  number <- function(v) formatC(v, digits = digits, format = "g", width = 1L)
  fixed <- c(
    if (any(x$deduction > 0)) list(deduction = number(x$deduction)),
    test_columns(x, number),
    if ("gain" %in% names(x) && !"p" %in% names(x)) list(gain = number(x$gain)),
    if ("cond_entropy" %in% names(x)) list(cond_entropy = number(x$cond_entropy)),
    if (!any(c("cond_entropy", "p") %in% names(x))) list(score = number(x$score)),
    if ("eligible" %in% names(x)) list(eligible = ifelse(x$eligible, "yes", "no")),
    if ("admissible" %in% names(x)) list(admissible = admissible_text(x))
  )
  columns <- lapply(names(fixed), function(name) pad(c(name, fixed[[name]]), right = TRUE))
  tail <- do.call(paste, columns)
  room <- width - nchar(tail[1L], "width") - 4L
  names <- pad(fit_width(c("variable", show_names(x$variable)), max(8, room %/% 2)))
  left <- max(5, room - nchar(names[1L], "width"))
  if (digits > least_digits && any(nchar(x$split, "width") > left, na.rm = TRUE)) {
    return(score_lines(x, digits - 1L, width, least_digits))
  }
  split <- pad(fit_width(c("split", x$split), left))
  fit_width(paste(c(" ", mark), names, split, tail), width)
}

# The columns that replace gain and score in a search by p values.
test_columns <- function(x, number) {
  if (!"p" %in% names(x)) {
    return(NULL)
  }
  by <- unique(stats::na.omit(test_name(x)))
  c(
    stats::setNames(list(number(x$statistic)), if (length(by) == 1L) by else "statistic"),
    list(df = number(x$df)), if (!all(is.na(x$df2))) list(df2 = number(x$df2)),
    list(p = p_text(x$p, sign = FALSE), `adj. p` = p_text(x$p_adjusted, sign = FALSE))
  )
}

# "yes", or "no" and the reason.
admissible_text <- function(x) {
  short <- c("", "one value", "min_bucket", "min_gain", "alpha_split")
  short <- short[match(x$reason, barred_reasons)]
  ifelse(x$admissible, "yes", paste0("no: ", short))
}
