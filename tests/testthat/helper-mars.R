# A naive forward pass: each candidate is a regression on all columns. It shares nothing with the
# engine. Knots at all values but the two ends. `chosen` are the steps of the engine: where one
# reduces the errors as much as the best, to rounding, it is taken. Hinges may be the same but for a
# factor, for example where one row lies above the knots of two columns.
naive_mars <- function(x, y, degree = 1, terms = 11, weights = rep(1, nrow(x)), thresh = 0.001,
                       chosen = character()) {
  w <- sqrt(weights / mean(weights))
  ss <- function(b) {
    fit <- stats::lm.fit(b * w, y * w)
    sum(as.matrix(fit$residuals)^2)
  }
  columns <- list(list(
    values = rep(1, nrow(x)), used = TRUE, vars = integer(), side = integer(), cut = numeric()
  ))
  basis <- function() do.call(cbind, lapply(Filter(function(t) t$used, columns), `[[`, "values"))
  null <- rss <- ss(basis())
  steps <- character()
  places <- 1L
  while (length(columns) < terms - 1) {
    found <- list()
    now <- basis()
    for (p in seq_len(places)) {
      parent <- columns[[p]]
      if (!parent$used || length(parent$vars) >= degree) next
      for (j in setdiff(seq_len(ncol(x)), parent$vars)) {
        whole <- parent$values * x[, j]
        # A whole column of next to nothing beyond the terms does not enter, so neither does the
        # other hinge, which is made of it and the first.
        there <- sum(stats::lm.fit(now * w, whole * w)$residuals^2) > 0.01
        base <- if (there) cbind(now, whole) else now
        r <- ss(base)
        one <- list(rss = r, parent = p, column = j, knot = NA, pair = FALSE)
        if (there) found <- c(found, list(one))
        for (knot in sort(x[, j], decreasing = TRUE)[-c(1L, nrow(x))]) {
          above <- which(x[, j] > knot & parent$values > 0)
          # As the search sees it, a knot needs a row above it where the parent is not 0.
          next_up <- min(x[x[, j] > knot, j])
          if (!length(above) || parent$values[x[, j] == next_up][1L] <= 0) next
          hinge <- parent$values * pmax(0, x[, j] - knot)
          centred <- stats::weighted.mean(hinge, weights)
          with <- stats::lm.fit(base * w, hinge * w)$residuals
          limit <- if (length(columns) + 1L < 15L) 0.01 else 1e-5
          if (sum(with^2) <= limit * sum((w * (hinge - centred))^2)) next
          r <- ss(cbind(base, hinge))
          one <- list(rss = r, parent = p, column = j, knot = knot, pair = there)
          found <- c(found, list(one))
        }
      }
    }
    if (!length(found)) break
    reached <- vapply(found, function(one) one$rss, 0)
    found <- found[reached <= min(reached) + 1e-9 * null]
    texts <- vapply(found, function(one) {
      term <- upper_term(columns[[one$parent]], one)
      factors_text(term$vars, term$side, term$cut)
    }, "")
    best <- found[[max(1L, match(chosen[length(steps) + 1L], texts), na.rm = TRUE)]]
    if ((rss - best$rss) / null < thresh) break
    rss <- best$rss
    parent <- columns[[best$parent]]
    new <- upper_term(parent, best)
    steps <- c(steps, factors_text(new$vars, new$side, new$cut))
    one <- if (is.na(best$knot)) x[, best$column] else pmax(0, x[, best$column] - best$knot)
    other <- parent$values * pmax(0, best$knot - x[, best$column])
    values <- parent$values * one
    pair <- best$pair
    columns[[length(columns) + 1L]] <- c(new, list(values = values))
    new$side[length(new$side)] <- -1L
    columns[[length(columns) + 1L]] <- c(replace(new, "used", pair), list(values = other))
    places <- places + 1L + pair
    if (1 - rss / null >= 1 - thresh) break
  }
  steps
}

upper_term <- function(parent, step) {
  list(
    used = TRUE, vars = c(parent$vars, step$column), cut = c(parent$cut, step$knot),
    side = c(parent$side, if (is.na(step$knot)) 2L else 1L)
  )
}

# The upper term of each step, as text: of the engine's result, and of naive_mars().
mars_steps <- function(core) {
  out <- character()
  t <- 2L
  while (t <= nrow(core$side)) {
    side <- core$side[t, ]
    out <- c(out, factors_text(which(side != 0L), side[side != 0L], core$cut[t, side != 0L]))
    after <- if (t < nrow(core$side)) core$side[t + 1L, ] else 0L * side
    pair <- which(side != after)
    is_pair <- length(pair) == 1L && side[pair] == 1L && after[pair] == -1L &&
      identical(core$cut[t, ], core$cut[t + 1L, ])
    t <- t + 1L + is_pair
  }
  out
}

factors_text <- function(column, side, cut) {
  hinge <- paste0(ifelse(side == 1L, ">", "<"), signif(cut, 10))
  text <- paste0(column, ifelse(side == 2L, "*", hinge))
  paste(sort(text), collapse = " ")
}

mars_data <- function(seed, n = 40, p = 3) {
  set.seed(seed)
  x <- matrix(stats::runif(n * p), n, dimnames = list(NULL, paste0("x", seq_len(p))))
  y <- 3 * pmax(0, x[, 1] - 0.4) - 5 * pmax(0, 0.6 - x[, 2]) * x[, 1] + stats::rnorm(n, sd = 0.2)
  list(x = x, y = y)
}

# Real data without missing values; NULL where they are absent.
mars_uci <- function(name) {
  data <- read_shared(skip_without_shared_data(), name)
  droplevels(stats::na.omit(data))
}

drawn_nowhere <- function(code) {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  force(code)
}
