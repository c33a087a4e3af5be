# CHAID a second time, by chisq.test(), aov() and glm(), from the rows: shares nothing with the
# engine.

# list(statistic, df, df2, log_p) of rows in groups; `weight` are frequencies. `by`: "chisq",
# "chisq_lr", "row_effects" or "f".
oracle_test <- function(y, weight, groups, by) {
  rows <- unlist(groups)
  group <- factor(rep(seq_along(groups), lengths(groups)))
  if (by == "f") {
    return(oracle_f(y[rows], weight[rows], group))
  }
  table <- stats::xtabs(weight[rows] ~ group + y[rows])
  used <- colSums(table) > 0
  score <- seq_along(used)[used]
  table <- unclass(table)[, used, drop = FALSE]
  if (nrow(table) < 2L || ncol(table) < 2L) {
    return(list(statistic = 0, df = 0, df2 = NA, log_p = 0))
  }
  df <- (nrow(table) - 1) * (ncol(table) - 1)
  if (by == "row_effects" && ncol(table) > 2L) {
    statistic <- oracle_row_effects(table, score)
    df <- nrow(table) - 1
  } else if (by == "chisq") {
    statistic <- suppressWarnings(stats::chisq.test(table, correct = FALSE))$statistic[[1L]]
  } else {
    expected <- outer(rowSums(table), colSums(table)) / sum(table)
    statistic <- 2 * sum(ifelse(table > 0, table * log(table / expected), 0))
  }
  list(
    statistic = statistic, df = df, df2 = NA,
    log_p = stats::pchisq(statistic, df, lower.tail = FALSE, log.p = TRUE)
  )
}

# Twice the log-likelihood of a logit with a slope a row, less that of independence, by optim():
# glm() does not converge where a row has one class only.
oracle_row_effects <- function(table, score) {
  rows <- nrow(table)
  k <- ncol(table)
  log_share <- function(par) {
    eta <- outer(rep(1, rows), c(0, par[seq_len(k - 1L)])) +
      outer(c(0, par[-seq_len(k - 1L)]), score - mean(score))
    eta - apply(eta, 1L, function(e) max(e) + log(sum(exp(e - max(e)))))
  }
  loss <- function(par) -sum(table * log_share(par))
  slope <- function(par) {
    off <- table - rowSums(table) * exp(log_share(par))
    -c(colSums(off)[-1L], drop(off %*% (score - mean(score)))[-1L])
  }
  start <- c(log(colSums(table) / sum(table[, 1L]))[-1L], rep(0, rows - 1L))
  best <- start
  for (i in 1:2) {
    best <- stats::optim(best, loss, slope,
      method = "BFGS", control = list(maxit = 2000, reltol = 1e-15)
    )$par
  }
  2 * (loss(start) - loss(best))
}

oracle_f <- function(y, weight, group) {
  y <- rep(y, weight)
  group <- rep(group, weight)
  none <- list(statistic = 0, df = 0, df2 = NA, log_p = 0)
  if (nlevels(group) < 2L || length(y) <= nlevels(group)) {
    return(none)
  }
  table <- summary(stats::aov(y ~ group))[[1L]]
  f <- table[["F value"]][1L]
  df <- table[["Df"]]
  list(
    statistic = f, df = df[1L], df2 = df[2L],
    log_p = stats::pf(f, df[1L], df[2L], lower.tail = FALSE, log.p = TRUE)
  )
}

# How many ways there are to put n categories into r groups, by counting them; each is counted once.
oracle_ways <- local({
  known <- list()
  function(n, r, order) {
    key <- paste(n, r, order)
    if (is.null(known[[key]])) known[[key]] <<- oracle_count_ways(n, r, order)
    known[[key]]
  }
})

oracle_count_ways <- function(n, r, order) {
  known <- if (order == "floating") n - 1L else n
  count <- 0
  extend <- function(labels, used) {
    if (length(labels) == n) {
      count <<- count + (used == r)
      return(invisible())
    }
    at <- length(labels) + 1L
    for (label in seq_len(used + 1L)) {
      # In order a category joins the last group of the known ones, or starts one.
      if (order != "none" && at <= known && at > 1L && label < used) next
      extend(c(labels, label), max(used, label))
    }
  }
  extend(integer(), 0L)
  count
}

oracle_multiplier <- function(n, r, order, rules) {
  if (rules == "chaid") {
    return(oracle_ways(n, r, order))
  }
  # Pairs compared, with i groups left.
  if (order == "none") sum(choose(2:n, 2)) else sum(2:n - 1)
}

# `categories`: a list of the rows of each, the missing ones last where the order is "floating".
oracle_merge <- function(y, weight, categories, order, control) {
  known <- list()
  log_p <- function(groups) {
    key <- paste(vapply(groups, toString, ""), collapse = "|")
    if (is.null(known[[key]])) {
      rows <- lapply(groups, function(g) unlist(categories[g]))
      known[[key]] <<- oracle_test(y, weight, rows, control$by)$log_p
    }
    known[[key]]
  }
  n <- length(categories)
  groups <- as.list(if (order == "floating") seq_len(n - 1L) else seq_len(n))
  groups <- if (control$rules == "chaid") {
    oracle_merge_alike(groups, log_p, order, control)
  } else {
    oracle_merge_all(groups, log_p, order)
  }
  if (order == "floating") {
    own <- c(groups, list(n))
    like <- which.max(vapply(groups, function(g) log_p(list(g, n)), 0))
    joined <- groups
    joined[[like]] <- c(joined[[like]], n)
    groups <- if (length(groups) > 1L && log_p(joined) <= log_p(own) + 1e-9) joined else own
  }
  size <- vapply(categories, function(r) sum(weight[r]), 0)
  groups <- oracle_merge_small(groups, log_p, order, n, size, control)
  groups[order(vapply(groups, min, 0))]
}

oracle_pairs <- function(groups, order) {
  pairs <- utils::combn(length(groups), 2L, simplify = FALSE)
  if (order == "none") pairs else Filter(function(p) p[2L] == p[1L] + 1L, pairs)
}

oracle_least_different <- function(groups, log_p, order) {
  pairs <- oracle_pairs(groups, order)
  p <- vapply(pairs, function(pair) log_p(groups[pair]), 0)
  at <- which(p >= max(p) - 1e-9)[1L]
  list(pair = pairs[[at]], log_p = p[at])
}

oracle_join <- function(groups, pair) {
  groups[[pair[1L]]] <- sort(c(groups[[pair[1L]]], groups[[pair[2L]]]))
  groups[-pair[2L]]
}

oracle_merge_alike <- function(groups, log_p, order, control) {
  seen <- character()
  while (length(groups) > 2L) {
    found <- oracle_least_different(groups, log_p, order)
    if (found$log_p <= log(control$alpha_merge)) break
    groups <- oracle_join(groups, found$pair)
    made <- groups[[found$pair[1L]]]
    if (control$alpha_resplit == 0 || length(made) < 3L) next
    key <- paste(sort(vapply(groups, toString, "")), collapse = ";")
    if (key %in% seen) break
    seen <- c(seen, key)
    halves <- oracle_halves(made, order)
    p <- vapply(halves, log_p, 0)
    if (min(p) > log(control$alpha_resplit)) next
    best <- halves[[which(p <= min(p) + 1e-9)[1L]]]
    best <- best[order(vapply(best, min, 0))]
    groups <- append(groups[-found$pair[1L]], best, found$pair[1L] - 1L)
  }
  groups
}

# All ways to divide categories in two; the last is always on the right.
oracle_halves <- function(made, order) {
  m <- length(made)
  left <- if (order == "none") {
    lapply(seq_len(2^(m - 1L) - 1L), function(mask) made[bitwAnd(mask, 2^(seq_len(m) - 1L)) > 0])
  } else {
    lapply(seq_len(m - 1L), function(i) made[seq_len(i)])
  }
  lapply(left, function(l) list(l, setdiff(made, l)))
}

oracle_merge_all <- function(groups, log_p, order) {
  best <- groups
  least <- log_p(groups)
  while (length(groups) > 2L) {
    groups <- oracle_join(groups, oracle_least_different(groups, log_p, order)$pair)
    here <- log_p(groups)
    if (here <= least + 1e-10 * max(1e-3, abs(least))) {
      best <- groups
      least <- here
    }
  }
  best
}

oracle_merge_small <- function(groups, log_p, order, n, size, control) {
  weight_of <- function(g) sum(size[g])
  while (length(groups) > 1L) {
    sizes <- vapply(groups, weight_of, 0)
    small <- which(sizes <= min(sizes) * (1 + 1e-12))[1L]
    if (sizes[small] >= control$min_bucket) break
    alone <- function(g) order == "floating" && identical(as.integer(g), as.integer(n))
    others <- setdiff(seq_along(groups), small)
    if (order != "none" && !alone(groups[[small]])) {
      others <- Filter(function(i) abs(i - small) == 1L || alone(groups[[i]]), others)
    }
    p <- vapply(others, function(i) log_p(groups[c(small, i)]), 0)
    groups <- oracle_join(groups, sort(c(small, others[which(p >= max(p) - 1e-9)[1L]])))
  }
  groups
}

# Cuts a number into groups of about equal counts: the group of each row, from 1.
oracle_bins <- function(x, weight, groups) {
  known <- which(!is.na(x))
  full <- rank(rep(x[known], weight[known]))
  first <- cumsum(weight[known]) - weight[known] + 1
  bin <- rep(NA_real_, length(x))
  bin[known] <- floor(full[first] * groups / (sum(weight[known]) + 1) * (1 + 1e-14))
  bin
}

# The split of one column in some rows: list(groups of categories, test, p_adjusted), NULL where
# there is none.
oracle_chaid_column <- function(x, y, weight, rows, control) {
  here <- x$category[rows]
  values <- sort(unique(here[!is.na(here)]))
  lacking <- rows[is.na(here)]
  categories <- lapply(values, function(v) rows[which(here == v)])
  if (!length(values)) {
    return(NULL)
  }
  apart <- length(lacking) > 0L && control$missing == "category"
  if (apart) categories <- c(categories, list(lacking))
  if (length(categories) < 2L) {
    return(NULL)
  }
  order <- if (!x$ordered) "none" else if (apart) "floating" else "full"
  groups <- oracle_merge(y, weight, categories, order, control)
  if (length(groups) < 2L) {
    return(NULL)
  }
  rows_of <- lapply(groups, function(g) sort(unlist(categories[g])))
  test <- oracle_test(y, weight, rows_of, control$by)
  times <- oracle_multiplier(length(categories), length(groups), order, control$rules)
  test$log_adjusted <- min(0, test$log_p + if (control$p_adjust == "none") 0 else log(times))
  default <- if (apart) {
    which(vapply(groups, function(g) length(categories) %in% g, NA))
  } else {
    which.max(vapply(rows_of, function(r) sum(weight[r]), 0) * (1 + 1e-9 * rev(seq_along(rows_of))))
  }
  if (!apart) rows_of[[default]] <- sort(c(rows_of[[default]], lacking))
  list(rows = rows_of, test = test)
}

# The tree: nodes in pre-order, each list(rows, column, test, depth).
oracle_chaid <- function(data, y, weight, control) {
  columns <- lapply(data, function(x) {
    if (is.numeric(x)) {
      list(category = oracle_bins(x, weight, control$intervals), ordered = TRUE)
    } else {
      list(category = as.integer(x), ordered = is.ordered(x))
    }
  })
  nodes <- list()
  grow <- function(rows, depth) {
    at <- length(nodes) + 1L
    nodes[[at]] <<- list(rows = rows, depth = depth)
    size <- sum(weight[rows])
    pure <- length(unique(y[rows])) < 2L
    least <- max(control$min_split, 2 * control$min_bucket)
    if (pure || size < least || depth >= control$max_depth || length(rows) < 2L) {
      return(invisible())
    }
    found <- lapply(columns, oracle_chaid_column, y, weight, rows, control)
    p <- vapply(found, function(f) if (is.null(f)) NA_real_ else f$test$log_adjusted, 0)
    ok <- which(p <= log(control$alpha_split) + 1e-12)
    if (!length(ok)) {
      return(invisible())
    }
    best <- ok[which(p[ok] <= min(p[ok]) + 1e-9)[1L]]
    nodes[[at]]$column <<- best
    nodes[[at]]$test <<- found[[best]]$test
    for (child in found[[best]]$rows) grow(child, depth + 1L)
  }
  grow(which(weight > 0), 0L)
  nodes
}

# By the exact rules: the least log p of a column's rows with a value, and the number of divisions.
# `kind`: "number" (cut in order), "groups" (levels in two) or "apart" (a branch a level).
oracle_exact_column <- function(x, y, weight, kind, min_bucket, by) {
  known <- which(!is.na(x))
  values <- sort(unique(x[known]))
  m <- length(values)
  if (m < 2L) {
    return(NULL)
  }
  rows <- lapply(values, function(v) known[x[known] == v])
  sides <- switch(kind,
    number = lapply(seq_len(m - 1L), function(i) list(unlist(rows[1:i]), unlist(rows[-(1:i)]))),
    groups = lapply(oracle_halves(seq_len(m), "none"), lapply, function(g) unlist(rows[g])),
    apart = list(rows)
  )
  heavy <- function(side) sum(vapply(side, function(r) sum(weight[r]), 0) >= min_bucket) >= 2L
  fits <- Filter(heavy, sides)
  if (!length(fits)) {
    return(NULL)
  }
  log_p <- vapply(fits, function(side) oracle_test(y, weight, side, by)$log_p, 0)
  c(log_p = min(log_p), log_times = log(length(sides)))
}

# Missing values alone in branches of numbers, ordered and nominal columns.
lonely_data <- function() {
  set.seed(1)
  n <- 400
  gaps <- function(x, k) replace(x, sample(n, k), NA)
  d <- data.frame(
    a = gaps(factor(sample(letters[1:5], n, TRUE)), 50),
    o = gaps(factor(sample(5, n, TRUE), ordered = TRUE), 50), x = gaps(stats::rnorm(n), 60),
    u = gaps(rep(1, n), 200)
  )
  z <- ifelse(is.na(d$x), 3, d$x) + ifelse(is.na(d$a), 2, as.integer(d$a) / 2) +
    ifelse(is.na(d$o), -2, 0) + 3 * is.na(d$u)
  d$y <- cut(z + stats::rnorm(n), 3, labels = c("lo", "mid", "hi"))
  d
}
