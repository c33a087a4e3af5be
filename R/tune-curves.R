# A plot can show few curves: larger grids show the best settings over some dimensions.

most_curves <- 9L

# The result with, for each value of `against` and of the dimensions that are still told apart, the
# best setting (the chosen one where it is among them). Dimensions give way in the order of the
# grid, until no more than `most_curves` curves are left.
best_curves <- function(x, against, metric) {
  others <- setdiff(varying_columns(x), against)
  kept <- others
  while (length(kept) && n_combined(x$table[kept]) > most_curves) kept <- kept[-1L]
  if (is.null(against) || length(kept) == length(others)) {
    return(x)
  }
  gone <- setdiff(others, kept)
  tec_inform("curves", c(
    i = "Each point is the best of {n_combined(x$table[gone])} combinations of {.arg {gone}}."
  ))
  value <- x$table[[metric]] * if (is_largest(metric)) -1 else 1
  order <- order(seq_along(value) != x$chosen, value, x$table$nodes)
  key <- rlang::inject(paste(!!!unname(x$table[c(against, kept)]), sep = "\r"))
  first <- sort(order[!duplicated(key[order])])
  x$chosen <- match(x$chosen, first)
  x$table <- x$table[first, , drop = FALSE]
  x$grid <- intersect(x$grid, c(against, kept))
  x
}

n_combined <- function(table) nrow(unique(table))
