# Naive rotation forests: prcomp() on the rows that the core reports as drawn, a whole matrix per
# rotation, and a tree of tec_tree() on the rotated rows.

rotation_data <- function(n = 120) {
  d <- data.frame(
    a = stats::rnorm(n), b = sample(0:5, n, TRUE), c = stats::runif(n, 10, 20),
    f = factor(sample(c("x", "y", "z"), n, TRUE)), g = sample(c(TRUE, FALSE), n, TRUE),
    o = factor(sample(1:4, n, TRUE), ordered = TRUE)
  )
  d$d <- d$a + stats::rnorm(n, sd = 0.1)
  score <- d$a + d$d - (d$c - 15) / 3 + (d$f == "y") + stats::rnorm(n, sd = 0.3)
  d$class <- cut(score, c(-Inf, -1, 1, Inf), labels = c("low", "mid", "high"))
  d$number <- score
  d
}

# The columns of a fit, scaled: each filled in with the median or the commonest level.
naive_columns <- function(fit, data, training, weights = rep(1, nrow(training))) {
  out <- lapply(names(training), function(name) {
    as_numbers <- function(x) if (is.ordered(x)) as.integer(x) else x
    x <- as_numbers(data[[name]])
    t <- as_numbers(training[[name]])
    known <- !is.na(t)
    if (is.numeric(t)) {
      fill <- stats::median(rep(t[known], weights[known]))
      one <- function(v) cbind(ifelse(is.na(v), fill, v))
    } else {
      t <- factor(t)
      x <- factor(x, levels(t))
      fill <- names(which.max(tapply(weights[known], t[known], sum)))
      shown <- if (nlevels(t) == 2) levels(t)[2] else levels(t)
      one <- function(v) {
        v <- replace(as.character(v), is.na(v), fill)
        vapply(shown, function(s) as.double(v == s), numeric(length(v)))
      }
    }
    base <- one(t)
    centre <- colSums(base * weights) / sum(weights)
    scale <- sqrt(colSums(sweep(base, 2, centre)^2 * weights) / sum(weights))
    scale[scale == 0] <- 1
    sweep(sweep(matrix(one(x), nrow(data)), 2, centre), 2, scale, "/")
  })
  do.call(cbind, out)
}

# The rotation of a tree as a whole matrix of columns and components.
whole_rotation <- function(fit, tree) {
  p <- nrow(fit$inputs)
  size <- fit$rotation$group_size
  out <- matrix(0, p, p)
  at <- 0L
  for (first in seq(1L, p, size)) {
    places <- first:min(first + size - 1L, p)
    m <- length(places)
    out[fit$rotation$order[places, tree], places] <- fit$rotation$axes[at + seq_len(m^2), tree]
    at <- at + m^2
  }
  out
}

# Rows in the rotation of a tree. A component that is constant except for rounding is made so.
turn_rows <- function(z, whole) {
  out <- z %*% whole
  size <- drop(apply(abs(z), 2, max) %*% abs(whole))
  for (j in which(apply(out, 2, function(v) diff(range(v))) <= 1e-10 * size)) out[, j] <- out[1, j]
  out
}

leaves_of <- function(fit, tree) {
  at <- seq.int(fit$trees$start[tree] + 1L, fit$trees$start[tree + 1L])
  fit$trees$variable[at] == 0L
}
