# Extends a grid of q: if its first or last q is the best, more values are tried on the same folds
# until the best is inside, or the range of useful values ends.

q_limits <- c(0.05, 10)

# `widen`: TRUE extends the grid, NULL only gives a message, FALSE does neither.
widen_q <- function(run, widen, folds, more) {
  run$edge <- edge_of_grid(run)
  if (is.null(run$edge) || nrow(run$folds) < run$n_folds) {
    return(run)
  }
  if (is.null(widen)) say_edge(run$edge)
  first <- run$edge
  while (isTRUE(widen) && !is.null(run$edge)) {
    values <- further_q(run$edge)
    if (length(values) == 0L) break
    criteria <- with_parameters(run$edge$criterion, list(q = values))
    added <- more_settings(more, criteria, folds, run$folds)
    if (is.null(added)) break
    run <- append_settings(run, added, run$edge$side)
    run$widened <- sort(c(run$widened, values))
    run$edge <- edge_of_grid(run)
  }
  if (length(run$widened)) say_widened(first, run)
  run
}

check_widen <- function(widen) {
  if (!is.null(widen) && (!is.logical(widen) || length(widen) != 1L || is.na(widen))) {
    abort_found(
      "{.arg widen} must be TRUE or FALSE, or NULL: TRUE for the default grid of {.arg q}.", widen
    )
  }
  widen
}

# list(criterion =, side =, q =, n =, step =) if the best setting has the first or the last q of its
# criterion, and no other q is equally good; otherwise NULL. A better q may then be outside.
edge_of_grid <- function(run) {
  metric <- run$metric[1L]
  table <- cbind(run$table, summarise_cells(run$values, max(table(run$folds[["repeat"]]))))
  table[[metric]][rowSums(!is.na(run$errors)) > 0L] <- NA
  if (is.null(table$q) || all(is.na(table[[metric]]))) {
    return(NULL)
  }
  best <- choose_setting(table, metric, "best")$best
  of_criterion <- table$criterion == table$criterion[best] & !is.na(table$q)
  q <- sort(unique(table$q[of_criterion]))
  n <- length(q)
  as_good <- of_criterion & abs(table[[metric]] - table[[metric]][best]) <= 1e-12
  if (n < 2L || !table$q[best] %in% q[c(1L, n)] ||
    any(table$q[which(as_good)] != table$q[best])) {
    return(NULL)
  }
  high <- table$q[best] == q[n]
  list(
    criterion = table$criterion[best], side = if (high) "last" else "first", q = table$q[best],
    n = n, step = if (high) q[n] - q[n - 1L]
  )
}

# The next values of q: upwards four steps of at least one half, downwards halves.
further_q <- function(edge) {
  values <- if (edge$side == "last") {
    edge$q + max(edge$step, 0.5) * 1:4
  } else {
    edge$q / c(2, 4)
  }
  beyond <- if (edge$side == "last") edge$q < q_limits[2L] else edge$q > q_limits[1L]
  values <- signif(pmin(pmax(values, q_limits[1L]), q_limits[2L]), 7L)
  if (beyond) sort(unique(values)) else numeric()
}

# NULL if an interrupt left a fold unfinished; then only the settings so far are used.
more_settings <- function(more, criteria, folds, done) {
  added <- tryCatch(
    withCallingHandlers(
      more(criteria, folds),
      tec_warning_partial = function(w) tryInvokeRestart("muffleWarning")
    ),
    tec_error_interrupted = function(e) NULL
  )
  if (is.null(added) || nrow(added$folds) < nrow(done)) {
    tec_warn("partial", c(
      "Interrupted while the grid of {.arg q} was widened: it is as it was given."
    ))
    return(NULL)
  }
  added
}

# Settings in the order of the grid: criterion by criterion, q of the new ones outside.
append_settings <- function(run, added, side) {
  tables <- list(run$table, added$table[names(run$table)])
  settings <- list(run$settings, added$settings)
  values <- list(run$values, added$values)
  errors <- list(run$errors, added$errors)
  table <- do.call(rbind, tables)
  outside <- rep(c(0L, if (side == "last") 1L else -1L), lengths(settings))
  order <- order(match(table$criterion, unique(table$criterion)), outside)
  run$table <- table[order, , drop = FALSE]
  rownames(run$table) <- NULL
  run$settings <- do.call(c, settings)[order]
  both <- array(0, c(length(order), dim(run$values)[-1L]), c(list(NULL), dimnames(run$values)[-1L]))
  old <- seq_along(settings[[1L]])
  both[old, , ] <- values[[1L]]
  both[-old, , ] <- values[[2L]]
  run$values <- both[order, , , drop = FALSE]
  run$errors <- do.call(rbind, errors)[order, , drop = FALSE]
  run
}

# With two values, none is inside.
say_edge <- function(edge) {
  if (edge$n < 3L || length(further_q(edge)) == 0L) {
    return(invisible())
  }
  beyond <- if (edge$side == "last") "larger" else "smaller"
  tec_inform("edge", c(
    "The best {.arg q}, {edge$q}, is the {edge$side} of the grid: a {beyond} one may be better.",
    i = "{.code widen = TRUE} tries more values."
  ))
}

say_widened <- function(first, run) {
  tried <- run$widened
  now <- run$edge
  tec_inform("widened", c(
    paste(
      "The best {.arg q}, {first$q}, was the {first$side} of the grid:",
      "{.val {tried}} {cli::qty(length(tried))}{?was/were} tried too."
    ),
    i = if (is.null(now)) "The best {.arg q} is now inside the grid.",
    "!" = if (!is.null(now)) "The best {.arg q} is still the {now$side}, {now$q}.",
    i = "{.code widen = FALSE} keeps to the grid as it was."
  ))
}
