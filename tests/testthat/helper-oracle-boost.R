# Boosting as its definitions say, without codes, sums by differences or a search.

# Gradients and Hessians of one output.
oracle_gradients <- function(loss, y, score, w, k) {
  if (loss == "squared") {
    return(list(g = w * (score[, 1] - y), h = w))
  }
  if (loss == "logistic") {
    p <- 1 / (1 + exp(-score[, 1]))
    return(list(g = w * (p - (y == 2)), h = w * p * (1 - p)))
  }
  e <- exp(score)
  p <- (e / rowSums(e))[, k]
  list(g = w * (p - (y == k)), h = w * p * (1 - p) * 2)
}

# Every way to divide the rows in two by a column: a list of logical vectors, NA where the value is
# missing. Of levels all groupings.
oracle_divisions <- function(x) {
  if (is.factor(x) && !is.ordered(x)) {
    levels <- sort(unique(as.integer(x)))
    if (length(levels) < 2) return(list())
    groups <- seq_len(2^(length(levels) - 1) - 1)
    return(lapply(groups, function(i) {
      left <- levels[c(TRUE, bitwAnd(bitwNot(i), 2^(seq_len(length(levels) - 1) - 1)) > 0)]
      as.integer(x) %in% left & !is.na(x) | ifelse(is.na(x), NA, FALSE)
    }))
  }
  x <- as.double(x)
  values <- sort(unique(x))
  lapply(values[-length(values)], function(v) x <= v)
}

# What each row gets from one tree. Of divisions that tie the first counts. `bounds`: of the leaves
# below, which `set$monotone`, the directions of predictors by name, has narrowed.
oracle_newton_tree <- function(x, g, h, rows, depth, set, bounds = c(-Inf, Inf)) {
  value <- function(r) min(max(-sum(g[r]) / (sum(h[r]) + set$lambda), bounds[1]), bounds[2])
  worth <- function(r) -value(r) * (2 * sum(g[r]) + (sum(h[r]) + set$lambda) * value(r))
  direction <- function(j) {
    name <- names(x)[j]
    if (name %in% names(set$monotone)) set$monotone[[name]] else 0
  }
  out <- numeric(length(g))
  out[rows] <- value(rows)
  if (depth == 0) {
    return(out)
  }
  best <- 1e-11
  found <- NULL
  for (j in seq_along(x)) {
    for (left in oracle_divisions(x[[j]][rows])) {
      unknown <- if (anyNA(left)) c(TRUE, FALSE) else TRUE
      for (side in unknown) {
        at <- rows[ifelse(is.na(left), side, left)]
        other <- setdiff(rows, at)
        small <- min(length(at), length(other)) < set$min_rows ||
          min(sum(h[at]), sum(h[other])) < set$min_weight
        wrong <- direction(j) * (value(other) - value(at)) < 0
        gain <- if (small || wrong) -Inf else worth(at) + worth(other) - worth(rows)
        if (gain > best * (1 + 1e-9)) {
          best <- gain
          found <- list(at, other)
          turn <- direction(j)
        }
      }
    }
  }
  if (is.null(found)) {
    return(out)
  }
  middle <- (value(found[[1]]) + value(found[[2]])) / 2
  for (side in 1:2) {
    below <- bounds
    if (turn != 0) {
      rises <- (side == 2) == (turn > 0)
      below <- if (rises) {
        c(max(bounds[1], middle), bounds[2])
      } else {
        c(bounds[1], min(bounds[2], middle))
      }
    }
    r <- found[[side]]
    out[r] <- oracle_newton_tree(x, g, h, r, depth - 1, set, below)[r]
  }
  out
}

# The scores of the training rows after all rounds.
oracle_boost <- function(x, y, loss, w, rounds, rate, depth, set, base) {
  outputs <- length(base)
  score <- matrix(base, length(y), outputs, byrow = TRUE)
  for (r in seq_len(rounds)) {
    before <- score
    for (k in seq_len(outputs)) {
      of <- oracle_gradients(loss, y, before, w, k)
      score[, k] <- score[, k] +
        rate * oracle_newton_tree(x, of$g, of$h, seq_along(y), depth, set)
    }
  }
  score
}

# Numbers, levels and missing values; no two cuts tie.
boost_data <- function(n, missing = TRUE) {
  d <- data.frame(
    a = rnorm(n), b = round(runif(n), 2), f = factor(sample(letters[1:4], n, TRUE)),
    o = factor(sample(1:3, n, TRUE), ordered = TRUE)
  )
  d$number <- d$a + 2 * (d$f %in% c("a", "c")) + sin(5 * d$b) + rnorm(n) / 2
  d$two <- factor(ifelse(d$number + rnorm(n) > 1, "yes", "no"))
  d$three <- cut(d$number + rnorm(n) / 2, 3, labels = c("u", "v", "w"))
  if (missing) {
    d$a[sample(n, n / 8)] <- NA
    d$f[sample(n, n / 10)] <- NA
  }
  d
}

# SAMME with a function that grows a tree by weights and returns the classes that it gives the rows.
oracle_samme <- function(y, w, rounds, rate, grow) {
  k <- nlevels(y)
  total <- sum(w)
  votes <- numeric()
  for (r in seq_len(rounds)) {
    wrong <- grow(w) != y
    error <- sum(w[wrong]) / total
    if (error >= 1 - 1 / k) break
    vote <- if (error == 0) 1 else rate * (log((1 - error) / error) + log(k - 1))
    votes <- c(votes, vote)
    if (error == 0) break
    w[wrong] <- w[wrong] * exp(vote)
    w <- w * total / sum(w)
  }
  list(votes = votes, weight = w)
}

# The best stump by gini and weights, by trying all: the class of each row.
gini_stump <- function(x, y) {
  function(w) {
    gini <- function(r) {
      p <- tapply(w[r], y[r], sum, default = 0) / sum(w[r])
      sum(w[r]) * (1 - sum(p^2))
    }
    best <- Inf
    for (j in seq_along(x)) {
      values <- sort(unique(x[[j]]))
      for (v in values[-length(values)]) {
        left <- x[[j]] <= v
        left_over <- gini(which(left)) + gini(which(!left))
        if (left_over < best - 1e-12 * sum(w)) {
          best <- left_over
          found <- left
        }
      }
    }
    class_of <- function(r) {
      s <- tapply(w[r], y[r], sum, default = 0)
      levels(y)[which(s >= max(s) * (1 - 1e-12))[1]]
    }
    factor(ifelse(found, class_of(which(found)), class_of(which(!found))), levels(y))
  }
}
