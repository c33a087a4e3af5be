# The pruning of a plain call from its definition: the stream that draws the folds in arithmetic of
# 16 bits at a time, and the choice among all prunings by trees grown without each fold.

# Numbers of 64 bits as four of 16, the lowest first.
bits64 <- function(hex) {
  as.double(strtoi(vapply(4:1, function(i) substr(hex, 4 * i - 3, 4 * i), ""), 16L))
}
add64 <- function(a, b) {
  out <- a + b
  for (i in 1:3) out[i + 1] <- out[i + 1] + out[i] %/% 65536
  out %% 65536
}
times64 <- function(a, b) {
  a <- as.double(a)
  out <- numeric(4)
  for (i in 1:4) {
    for (j in seq_len(5 - i)) {
      part <- numeric(4)
      part[i + j - 1] <- (a[i] * b[j]) %% 65536
      if (i + j <= 4) part[i + j] <- (a[i] * b[j]) %/% 65536
      out <- add64(out, part)
    }
  }
  out
}
shift64 <- function(a, bits) {
  while (bits >= 16) {
    a <- c(a[-1], 0)
    bits <- bits - 16
  }
  (a %/% 2^bits) + (c(a[-1], 0) * 2^(16 - bits)) %% 65536
}
xor64 <- function(a, b) bitwXor(as.integer(a), as.integer(b))

# SplitMix64: a function that returns numbers from 0 up to 1.
oracle_stream <- function() {
  state <- numeric(4)
  function() {
    state <<- add64(state, bits64("9E3779B97F4A7C15"))
    x <- times64(xor64(state, shift64(state, 30)), bits64("BF58476D1CE4E5B9"))
    x <- times64(xor64(x, shift64(x, 27)), bits64("94D049BB133111EB"))
    x <- xor64(x, shift64(x, 31))
    # The upper 53 bits.
    sum(shift64(x, 11) * 65536^(0:3)) / 2^53
  }
}

# The fold of each row: by class, the rows in the order of their values, shuffled, and dealt out in
# turn.
oracle_own_folds <- function(y, columns, k) {
  at <- seq_along(y)
  # The last key first: each sorting keeps what the ones before made of ties.
  for (key in rev(c(list(y), columns))) at <- at[order(xtfrm(key)[at], method = "shell")]
  class <- if (is.factor(y)) as.integer(y) else rep(1L, length(y))
  draw <- oracle_stream()
  fold <- integer(length(y))
  dealt <- 0
  for (c in unique(class[at])) {
    rows <- at[class[at] == c]
    for (i in rev(seq_along(rows))[-length(rows)]) {
      j <- floor(draw() * i) + 1
      rows[c(i, j)] <- rows[c(j, i)]
    }
    fold[rows] <- (dealt + seq_along(rows) - 1) %% k + 1
    dealt <- dealt + length(rows)
  }
  fold
}

# The tree that is left of `...`'s full tree of y ~ . by the penalty of least error on `fold`.
oracle_auto <- function(data, fold, risk, ...) {
  grow <- function(rows) tec_tree(y ~ ., data[rows, ], prune = "none", ...)
  nested <- function(rows) {
    nest <- nest_fit(grow(rows), data[rows, ])
    c(nest, list(prunings = all_prunings(nest$problem, nest$root, node_risk(risk))))
  }
  pruned <- function(nest, price) {
    cut_nested(nest$root, nest$prunings$cut[[best_pruning(nest$prunings, price)]])
  }
  whole <- nested(seq_len(nrow(data)))
  # All prices at which the best tree may change: where two prunings cost the same.
  p <- whole$prunings
  pair <- expand.grid(a = seq_len(nrow(p)), b = seq_len(nrow(p)))
  pair <- pair[p$leaves[pair$a] < p$leaves[pair$b], ]
  price <- (p$risk[pair$a] - p$risk[pair$b]) / (p$leaves[pair$b] - p$leaves[pair$a])
  price <- sort(unique(signif(c(price[price > 0], 0), 12)), decreasing = TRUE)
  best <- vapply(price, function(at) best_pruning(p, at * (1 + 1e-6)), 0L)
  below <- vapply(price, function(at) best_pruning(p, at * (1 - 1e-6)), 0L)
  price <- price[price == 0 | best != below]
  n <- length(price)
  probe <- c(if (n > 1) 10 * price[1] else Inf, sqrt(price[-n] * price[-1]))
  error <- numeric(n)
  for (f in unique(fold)) {
    rest <- nested(which(fold != f))
    held <- data[fold == f, ]
    share <- mean(fold != f)
    for (i in seq_len(n)) {
      tree <- pruned(rest, if (is.finite(probe[i])) probe[i] * share else 1e300)
      value <- nested_prediction(rest$problem, tree, held)
      error[i] <- error[i] + if (is.factor(data$y)) {
        sum(value != as.integer(held$y))
      } else {
        sum((value - held$y)^2)
      }
    }
  }
  list(problem = whole$problem, root = pruned(whole, price[which.min(signif(error, 12))]))
}

nested_prediction <- function(problem, node, held) {
  problem$columns <- as.list(held[setdiff(names(held), "y")])
  value <- numeric(nrow(held))
  walk <- function(node, rows) {
    if (length(node$children) == 0) {
      value[rows] <<- node$value
      return(invisible())
    }
    branch <- nested_branch(problem, node$id, rows)
    for (j in seq_along(node$children)) walk(node$children[[j]], rows[branch == j])
  }
  walk(node, seq_len(nrow(held)))
  value
}
