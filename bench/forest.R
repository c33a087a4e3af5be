# Forests against ranger and randomForest: time, memory, size, prediction, and out-of-bag errors.
#
#   Rscript bench/forest.R [--part=speed,size,predict,errors,q,shap] [--times=3] [--seeds=5] [--sets=a,b]
#                          [--lib=DIR] [--data=DIR] [--quick] [--cpu]
#
#   speed    whole calls with the out-of-bag error, 2 threads, eight tasks, medians of alternating calls; and the peak
#            of memory of each above the data, in separate processes
#   size     object.size() of 500 trees on 10,000 rows
#   predict  1,000,000 rows by 100 trees; one row by 500 trees
#   errors   out-of-bag error, Brier score and log loss on the sets of `shared/data/uci` with at most 5,000 rows, paired
#            over seeds: the difference in standard errors
#   q        out-of-bag error by criterion and q against gini on the same sets, on the same samples
#   shap     Shapley values of 1,000 rows, one thread, processor seconds; only on request
#
# --cpu: processor seconds of all threads, for a busy machine.
#
# Factors: ranger uses respect.unordered.factors = "partition", which gives groups of levels as here, or "order" if a factor
# has more than 12 levels. Rows with missing values are left out, since ranger 0.14 does not accept them.
args <- commandArgs(trailingOnly = TRUE)
given <- function(name, default) {
  value <- sub(paste0("^--", name, "="), "", grep(paste0("^--", name, "="), args, value = TRUE))
  if (length(value)) value[[1L]] else default
}
several <- function(name, default) strsplit(given(name, default), ",")[[1L]]
lib <- given("lib", NULL)
library(tectree, lib.loc = lib)
folder <- given("data", "../shared/data/uci")
times <- as.integer(given("times", "3"))
scale <- if ("--quick" %in% args) 0.05 else 1
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
source(file.path(dirname(script), "work.R"))

read_set <- function(name) {
  manifest <- read.csv(file.path(folder, "MANIFEST.csv"))
  about <- manifest[manifest$name == name, ]
  data <- read.csv(file.path(folder, about$file), na.strings = "", stringsAsFactors = TRUE)
  for (column in strsplit(about$nominal_columns, ";")[[1L]]) {
    if (column %in% names(data)) data[[column]] <- factor(data[[column]])
  }
  data$y <- factor(data$class)
  droplevels(stats::na.omit(data[names(data) != "class"]))
}

# Counts with few values, as in shuttle: one class has most rows.
count_data <- function(n) {
  set.seed(4)
  y <- sample.int(7L, n, TRUE, c(0.78, 0.15, 0.05, 0.01, 0.005, 0.003, 0.002))
  x <- lapply(1:9, function(j) rpois(n, 5 + 4 * ((y * j) %% 5)))
  as_frame(c(list(structure(y, levels = LETTERS[1:7], class = "factor")), x))
}

works <- list(
  letter = list(data = function() read_set("letter"), trees = 100L),
  covtype_sample = list(data = function() {
    data <- read_set("covtype_sample")
    data[vapply(data, is.numeric, NA) | names(data) == "y"]
  }, trees = 20L),
  adult = list(data = function() read_set("adult"), trees = 50L),
  spambase = list(data = function() read_set("spambase"), trees = 100L),
  counts = list(data = function() count_data(58000 * scale), trees = 50L),
  "100k x 20" = list(data = function() class_data(1e5 * scale, 20, 3), trees = 10L),
  "1m x 10" = list(data = function() class_data(1e6 * scale, 10, 2), trees = 4L),
  "numbers 100k x 10" = list(data = function() regression_data(1e5 * scale, 10), trees = 20L)
)

ours <- function(data, trees, ...) {
  tec_forest(y ~ ., data, trees = trees, threads = 2, importance = "none", missing = "majority", ...)
}
theirs <- function(data, trees, ...) {
  few <- max(0L, vapply(data[names(data) != "y"], nlevels, 0L)) <= 12L
  ranger::ranger(
    y ~ ., data, num.trees = trees, num.threads = 2, respect.unordered.factors = if (few) "partition" else "order", ...
  )
}

clock <- if ("--cpu" %in% args) function() sum(proc.time()[1:2]) else function() proc.time()[[3L]]
seconds <- function(call) {
  gc(FALSE)
  start <- clock()
  force(call)
  clock() - start
}
in_turns <- function(calls) {
  runs <- replicate(times, vapply(calls, function(f) seconds(f()), 0))
  apply(matrix(runs, length(calls)), 1L, stats::median)
}

# The peak above the memory of the process with the data, in MB.
peak <- function(work, who) {
  out <- system2(
    file.path(R.home("bin"), "Rscript"),
    c(shQuote(script), args, paste0("--peak=", shQuote(paste(who, work, sep = ":")))),
    stdout = TRUE, stderr = FALSE
  )
  as.double(utils::tail(out, 1L)) / 2^20
}
measure_peak <- function(what) {
  who <- sub(":.*", "", what)
  work <- works[[sub("[^:]*:", "", what)]]
  grow <- if (who == "ours") ours else theirs
  data <- work$data()
  invisible(grow(utils::head(data, 500L), 2L))
  invisible(gc())
  status <- function(field) {
    line <- grep(paste0("^", field, ":"), readLines("/proc/self/status"), value = TRUE)
    1024 * as.double(gsub("[^0-9]", "", line))
  }
  try(suppressWarnings(writeLines("5", "/proc/self/clear_refs")), silent = TRUE)
  before <- status("VmRSS")
  fit <- grow(data, work$trees)
  cat(status("VmHWM") - before, "\n")
}

speed <- function() {
  cat("| work | trees | ours, s | ranger, s | times faster | oob error | ranger's | peak, MB | ranger's |\n")
  cat("|---|---|---|---|---|---|---|---|---|\n")
  ratios <- c()
  for (name in intersect(several("sets", paste(names(works), collapse = ",")), names(works))) {
    work <- works[[name]]
    data <- work$data()
    fits <- list()
    time <- in_turns(list(
      function() fits$ours <<- ours(data, work$trees), function() fits$theirs <<- theirs(data, work$trees)
    ))
    ratios[name] <- time[2L] / time[1L]
    cat(sprintf(
      "| %s | %d | %.2f | %.2f | %.1f | %.4f | %.4f | %.0f | %.0f |\n", name, work$trees, time[1L], time[2L],
      ratios[[name]], fits$ours$oob$error, fits$theirs$prediction.error, peak(name, "ours"), peak(name, "theirs")
    ))
  }
  cat(sprintf("\nGeometric mean %.2f, minimum %.2f.\n", exp(mean(log(ratios))), min(ratios)))
}

size <- function() {
  for (classes in c(2, 5, 10)) {
    data <- class_data(1e4, 10, classes)
    fit <- ours(data, 500L)
    peer <- theirs(data, 500L)
    probability <- theirs(data, 500L, probability = TRUE)
    cat(sprintf(
      "%d classes: ours %.1f MB (trees %.1f), ranger %.1f, with probabilities %.1f\n", classes,
      object.size(unclass(fit)) / 2^20, object.size(fit$trees) / 2^20, object.size(peer) / 2^20,
      object.size(probability) / 2^20
    ))
  }
  data <- regression_data(1e4, 10)
  cat(sprintf(
    "numbers: ours %.1f MB, ranger %.1f\n", object.size(unclass(ours(data, 500L))) / 2^20,
    object.size(theirs(data, 500L)) / 2^20
  ))
}

prediction <- function() {
  data <- class_data(1e5, 10, 2)
  new <- class_data(1e6 * scale, 10, 2, seed = 5)
  fit <- ours(data, 100L, min_bucket = 5)
  peer <- theirs(data, 100L, min.bucket = 5)
  time <- in_turns(list(
    function() predict(fit, new, threads = 2), function() predict(peer, new, num.threads = 2)
  ))
  cat(sprintf("1,000,000 rows x 100 trees: ours %.2f s, ranger %.2f s: %.1f\n", time[1L], time[2L], time[2L] / time[1L]))
  fit <- ours(data[1:1e4, ], 500L)
  peer <- theirs(data[1:1e4, ], 500L)
  one <- new[1, ]
  each <- function(f, n) seconds(for (i in seq_len(n)) f()) / n
  time <- c(
    min(replicate(5, each(function() predict(fit, one, threads = 2), 50))),
    min(replicate(5, each(function() predict(peer, one, num.threads = 2), 5)))
  )
  cat(sprintf("one row x 500 trees: ours %.2f ms, ranger %.2f ms\n", 1000 * time[1L], 1000 * time[2L]))
}

# ---- errors ----

small_sets <- function(most = 5000) {
  manifest <- read.csv(file.path(folder, "MANIFEST.csv"))
  known <- manifest[manifest$rows <= most & manifest$rows >= 100 & !grepl("_id$|_name$|_animal$|_weka$", manifest$name), ]
  intersect(several("sets", paste(known$name, collapse = ",")), known$name)
}

scores <- function(prob, y) {
  known <- !is.na(prob[, 1L])
  p <- prob[known, , drop = FALSE]
  at <- cbind(seq_len(nrow(p)), as.integer(y)[known])
  truth <- matrix(0, nrow(p), ncol(p))
  truth[at] <- 1
  c(brier = mean(rowSums((p - truth)^2)), log_loss = -mean(log(pmax(p[at], 0.001))))
}

# Out of bag: the error of votes, and the Brier score and log loss of shares.
all_scores <- function(who, data, trees, seed) {
  set.seed(seed)
  if (who == "ours") {
    votes <- ours(data, trees)
    return(c(error = votes$oob$error, scores(ours(data, trees, probability = TRUE)$oob$prob, data$y)))
  }
  if (who == "ranger") {
    # with sample_fraction and node sizes as here.
    votes <- theirs(data, trees, seed = seed)
    shares <- theirs(data, trees, seed = seed, probability = TRUE)$predictions
    return(c(error = votes$prediction.error, scores(shares[, levels(data$y)], data$y)))
  }
  fit <- randomForest::randomForest(y ~ ., data, ntree = trees)
  c(error = mean(fit$predicted != data$y, na.rm = TRUE), brier = NA, log_loss = NA)
}

errors <- function() {
  seeds <- seq_len(as.integer(given("seeds", "5")))
  trees <- as.integer(given("trees", "200"))
  peers <- c("ranger", "randomForest")
  peers <- peers[vapply(peers, requireNamespace, NA, quietly = TRUE)]
  cat("| data | rows | peer | error | peer's | t | Brier | peer's | t | log loss | peer's | t |\n")
  cat("|---|---|---|---|---|---|---|---|---|---|---|---|\n")
  within <- c()
  for (name in small_sets()) {
    data <- read_set(name)
    if (nlevels(data$y) < 2L || nrow(data) < 50L) next
    mine <- vapply(seeds, function(s) all_scores("ours", data, trees, s), numeric(3))
    for (peer in peers) {
      other <- vapply(seeds, function(s) all_scores(peer, data, trees, 1000 + s), numeric(3))
      off <- mine - other
      t <- rowMeans(off) / (apply(off, 1L, stats::sd) / sqrt(length(seeds)))
      t[abs(rowMeans(off)) < 1e-12] <- 0
      within <- c(within, abs(t) <= 2)
      row <- rbind(rowMeans(mine), rowMeans(other), t)
      cat(sprintf("| %s | %d | %s | %s |\n", name, nrow(data), peer, paste(sprintf(
        c("%.4f", "%.4f", "%.1f"), row), collapse = " | ")))
    }
  }
  cat(sprintf(
    "\nWithin two standard errors: %d of %d errors, %d of %d Brier scores, %d of %d log losses.\n",
    sum(within[names(within) == "error"], na.rm = TRUE), sum(!is.na(within[names(within) == "error"])),
    sum(within[names(within) == "brier"], na.rm = TRUE), sum(!is.na(within[names(within) == "brier"])),
    sum(within[names(within) == "log_loss"], na.rm = TRUE), sum(!is.na(within[names(within) == "log_loss"]))
  ))
}

# ---- what q and the criterion do ----

criteria <- list(
  list(q = 0.5), list(q = 1), list(q = 1.5), list(q = 3), list(criterion = "gain_ratio"),
  list(criterion = "cair"), list(criterion = "beta", beta = 2)
)
criterion_name <- function(one) if (is.null(one$criterion)) paste0("q = ", one$q) else one$criterion

by_q <- function() {
  seeds <- seq_len(as.integer(given("seeds", "3")))
  trees <- as.integer(given("trees", "200"))
  names <- vapply(criteria, criterion_name, "")
  table <- list()
  cat(paste0("| data | gini | ", paste(names, collapse = " | "), " | best q by out-of-bag error |\n"))
  cat(strrep("|---", length(names) + 3L), "|\n", sep = "")
  for (name in small_sets()) {
    data <- read_set(name)
    if (nlevels(data$y) < 2L || nrow(data) < 50L) next
    grow <- function(...) {
      mean(vapply(seeds, function(s) {
        set.seed(s)
        ours(data, trees, ...)$oob$error
      }, 0))
    }
    gini <- grow()
    each <- vapply(criteria, function(one) do.call(grow, one), 0)
    table[[name]] <- c(gini, each)
    q <- c(2, 0.5, 1, 1.5, 3)[which.min(c(gini, each[1:4]))]
    cat(sprintf("| %s | %s | %s |\n", name, paste(sprintf("%.4f", c(gini, each)), collapse = " | "), q))
  }
  table <- do.call(rbind, table)
  off <- table[, -1L, drop = FALSE] - table[, 1L]
  cat("\nAgainst gini, mean difference of the out-of-bag error, sets better / worse, and p of Wilcoxon's test:\n\n")
  for (j in seq_along(names)) {
    cat(sprintf(
      "* %s: %+.4f, %d / %d, p %.3g\n", names[j], mean(off[, j]), sum(off[, j] < -1e-12), sum(off[, j] > 1e-12),
      suppressWarnings(stats::wilcox.test(off[, j])$p.value)
    ))
  }
}

shap <- function() {
  options(tectree.threads = 1L)
  set.seed(1)
  n <- 20000 * scale
  x <- as.data.frame(matrix(runif(10 * n), n))
  number <- with(x, 10 * sin(pi * V1 * V2) + 20 * (V3 - 0.5)^2 + 10 * V4 + 5 * V5 + rnorm(n))
  class <- cut(number + rnorm(n, sd = 2), 3, labels = c("a", "b", "c"))
  noise <- factor(sample(letters[1:3], n, TRUE))
  fits <- list(
    "numbers, 100 trees of 120 leaves" = tec_forest(x, number, trees = 100, max_leaves = 120),
    "3 classes, 100 trees of 120 leaves" = tec_forest(x, class, trees = 100, max_leaves = 120),
    "numbers, 100 grown trees" = tec_forest(x, number, trees = 100),
    "3 classes of noise, 100 grown trees" = tec_forest(x, noise, trees = 100),
    "boosting, 100 rounds" = tec_boost(x, number, rounds = 100, folds = 0),
    "one grown tree" = tec_tree(x, number, prune = "none")
  )
  rows <- x[seq_len(min(n, 1000)), ]
  used <- function(call) {
    start <- sum(proc.time()[1:2])
    force(call)
    sum(proc.time()[1:2]) - start
  }
  cat("| model | values | interactions |\n|---|---|---|\n")
  for (name in names(fits)) {
    values <- replicate(times, used(tec_shap(fits[[name]], rows)))
    pairs <- if (!grepl("100 grown", name)) used(tec_shap(fits[[name]], rows, interactions = TRUE))
    cat(sprintf("| %s | %.2f | %s |\n", name, stats::median(values), if (is.null(pairs)) "" else sprintf("%.2f", pairs)))
  }
}

if (nzchar(given("peak", ""))) {
  measure_peak(given("peak", ""))
} else {
  for (part in several("part", "speed,size,predict,errors,q")) {
    cat("\n## ", part, "\n\n", sep = "")
    switch(part, speed = speed(), size = size(), predict = prediction(), errors = errors(), q = by_q(), shap = shap())
  }
}
