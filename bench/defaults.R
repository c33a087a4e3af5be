# Which defaults predict best? Held-out comparison of pruning methods, of the shares of small leaves, and of
# policies for missing values. The article vignettes/articles/defaults.Rmd reads the results.
#
#   Rscript bench/defaults.R [--lib=DIR] [--data=DIR] [--out=bench/defaults] [--sets=glass,sick] [--part=prune]
#
# Every method sees the same 70 % of the rows and is evaluated on the same 30 %: ten splits of small sets, five of
# larger ones. At most 10,000 rows of a set are used. One thread; time is processor time of the whole call.
bench <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
source(file.path(bench, "uci.R"))
library(tectree, lib.loc = given("lib", NULL))
options(tectree.threads = 1)
folder <- given("data", "../shared/data/uci")
out <- given("out", "bench/defaults")
most_rows <- 10000
source(file.path(bench, "sets.R"))

# --- Shares of the classes, and means, of small leaves ----------------------------------------------------------

# As if every node had `m` additional rows: spread evenly over the classes, like the root, or like the parent's
# own smoothed shares, from the root down.
smooth <- function(fit, m, to) {
  tree <- fit$tree
  raw <- raw_values(fit)
  k <- ncol(raw)
  n <- tree$weight
  even <- rep(1 / k, k)
  out <- raw
  if (k > 1L) out[1L, ] <- (n[1L] * raw[1L, ] + k * even) / (n[1L] + k)
  for (v in seq_along(n)[-1L]) {
    toward <- switch(to, even = even, root = out[1L, ], parent = out[tree$parent[v], ])
    out[v, ] <- (n[v] * raw[v, ] + m * toward) / (n[v] + m)
  }
  out
}

# Hierarchical shrinkage (Agarwal et al., 2022).
shrink <- function(fit, lambda) {
  tree <- fit$tree
  raw <- raw_values(fit)
  out <- raw
  for (v in seq_along(tree$parent)[-1L]) {
    p <- tree$parent[v]
    out[v, ] <- out[p, ] + (raw[v, ] - raw[p, ]) / (1 + lambda / tree$weight[p])
  }
  out
}

raw_values <- function(fit) if (length(fit$response$levels)) fit$tree$prob else matrix(fit$tree$yval)

share_methods <- list(
  raw = function(fit) NULL,
  laplace = function(fit) smooth(fit, length(fit$response$levels), "even"),
  even1 = function(fit) smooth(fit, 1, "even"),
  even2 = function(fit) smooth(fit, 2, "even"),
  even3 = function(fit) smooth(fit, 3, "even"),
  root2 = function(fit) smooth(fit, 2, "root"),
  parent2 = function(fit) smooth(fit, 2, "parent"),
  parent5 = function(fit) smooth(fit, 5, "parent"),
  shrink10 = function(fit) shrink(fit, 10)
)
number_methods <- share_methods[c("raw", "parent2", "parent5", "shrink10")]

# `loss` is the log loss, or the squared error relative to that of the mean of the test rows.
judge <- function(fit, test, shares) {
  classes <- is.factor(test$y)
  methods <- if (classes) share_methods else number_methods
  methods <- methods[names(methods) %in% shares]
  if (!length(methods)) methods <- number_methods["raw"]
  right <- if (classes) mean(predict(fit, test) == test$y)
  scores <- vapply(methods, function(method) {
    values <- method(fit)
    if (!classes) {
      if (!is.null(values)) fit$tree$yval <- values[, 1L]
      return(c(mean((predict(fit, test) - test$y)^2) / mean((test$y - mean(test$y))^2), NA, NA))
    }
    if (!is.null(values)) fit$tree$prob <- values
    p <- predict(fit, test, type = "prob")
    own <- p[cbind(seq_len(nrow(test)), as.integer(test$y))]
    c(
      mean(-log(pmax(own, 1e-15))), mean(rowSums(p^2) - 2 * own + 1),
      mean(max.col(p, ties.method = "first") == as.integer(test$y))
    )
  }, numeric(3))
  data.frame(
    shares = names(methods),
    accuracy = if (classes) right else NA, loss = scores[1L, ], brier = scores[2L, ], accuracy_by_share = scores[3L, ]
  )
}

# --- The study ------------------------------------------------------------------------------------------------

prunings <- list(
  auto = list(prune = "auto"),
  none = list(prune = "none"),
  pep = list(prune = "pep"),
  ebp = list(prune = "ebp"),
  cp.01 = list(cp = 0.01, folds = 0),
  min = list(alpha = "min"),
  `1se` = list(alpha = "1se"),
  min_impurity = list(alpha = "min", risk = "impurity"),
  `1se_impurity` = list(alpha = "1se", risk = "impurity"),
  min5 = list(alpha = "min", folds = 5),
  cart = list(preset = "cart")
)
# "test20": values are missing only in the test rows.
policies <- c("fractional", "majority", "mode", "surrogate", "drop")

suits <- function(settings, classes) {
  classes || !(any(settings$prune %in% c("pep", "ebp")) || identical(settings$risk, "impurity"))
}

try_all <- function(train, test, variants, seed, shares = names(share_methods)) {
  rows <- lapply(names(variants), function(variant) {
    set.seed(seed)
    start <- proc.time()
    settings <- c(list(y ~ ., train, smooth = 0), variants[[variant]])
    fit <- suppressWarnings(do.call(tec_tree, settings))
    time <- sum((proc.time() - start)[1:2])
    cbind(
      variant = variant, leaves = sum(fit$tree$kind == 0L), seconds = time, suppressWarnings(judge(fit, test, shares))
    )
  })
  do.call(rbind, rows)
}

study_pruning <- function(name, data) {
  classes <- is.factor(data$y)
  variants <- prunings[vapply(prunings, suits, NA, classes = classes)]
  splits <- if (nrow(data) < 2000) 10L else 5L
  do.call(rbind, lapply(seq_len(splits), function(s) {
    part <- split_rows(data, s)
    cbind(set = name, split = s, try_all(part$train, part$test, variants, s))
  }))
}

# Removes values of the predictors at random.
take_out <- function(data, share) {
  for (column in setdiff(names(data), "y")) data[[column]][stats::runif(nrow(data)) < share] <- NA
  data
}

missing_variants <- function() {
  grid <- expand.grid(missing = policies, prune = c("none", "min"), stringsAsFactors = FALSE)
  variants <- Map(function(missing, prune) c(list(missing = missing), prunings[[prune]]), grid$missing, grid$prune)
  stats::setNames(variants, paste(grid$missing, grid$prune))
}

study_missing <- function(name, data) {
  own <- anyNA(data)
  if (!own && nrow(data) > 3000) {
    return(NULL)
  }
  ways <- list(own = c(0, 0), both10 = c(0.1, 0.1), both30 = c(0.3, 0.3), test20 = c(0, 0.2))
  ways <- if (own) ways[1L] else ways[-1L]
  splits <- if (nrow(data) < 2000 && own) 10L else 5L
  rows <- lapply(names(ways), function(way) {
    do.call(rbind, lapply(seq_len(splits), function(s) {
      part <- split_rows(data, s)
      train <- take_out(part$train, ways[[way]][1L])
      test <- take_out(part$test, ways[[way]][2L])
      cbind(set = name, way = way, split = s, try_all(train, test, missing_variants(), s, "even2"))
    }))
  })
  do.call(rbind, rows)
}

# Means over the splits.
write_part <- function(results, name) {
  key <- intersect(c("set", "way", "variant", "shares"), names(results))
  if (length(key) > 1L) {
    measures <- setdiff(names(results), c(key, "split"))
    results <- stats::aggregate(results[measures], rev(results[key]), mean, na.action = NULL)
  }
  numbers <- vapply(results, is.double, NA)
  results[numbers] <- lapply(results[numbers], signif, 5)
  utils::write.csv(results, xzfile(file.path(out, paste0(name, ".csv.xz"))), row.names = FALSE, quote = FALSE)
}

about_set <- function(name, data) {
  data.frame(
    set = name, rows = nrow(data), columns = ncol(data) - 1L, classes = nlevels(data$y),
    missing = mean(is.na(data[names(data) != "y"]))
  )
}

dir.create(out, FALSE)
part <- given("part", "prune,missing")
of_sets <- function(study) {
  do.call(rbind, lapply(names(readers), function(name) {
    start <- proc.time()
    result <- study(name, read_set(name))
    message(format(name, width = 20), format(sum((proc.time() - start)[1:2]), digits = 3), " s")
    result
  }))
}
if (is.null(chosen)) write_part(of_sets(about_set), "sets")
if (grepl("prune", part)) write_part(of_sets(study_pruning), "prune")
if (grepl("missing", part)) write_part(of_sets(study_missing), "missing")
