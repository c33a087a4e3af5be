# Boosting against other packages.
#
#   Rscript bench/boost.R speed          200 rounds of depth 6 on 100,000 rows of 20 numbers, beside lightgbm, xgboost, gbm
#   Rscript bench/boost.R threads        100 rounds with one thread and with --threads: two classes, numbers, three and 26
#                                        classes, predictors in turn, few rows; --rows=1000000 for the largest set. Beside
#                                        lightgbm and xgboost from CRAN, each if it is installed
#   Rscript bench/boost.R loss           log loss on held-out rows of ten sets of `shared/data/uci`: three splits each,
#                                        beside --peer=lightgbm or xgboost
#   Rscript bench/boost.R turns          the same with depth 2 and with predictors in turn, rounds chosen on held-out rows
#   Rscript bench/boost.R depths         the same with depths 1 to 6, rounds chosen on held-out rows
#
# --data=FOLDER --rounds=200 --rows=100000 --threads=2 --times=1. xgboost is that of python3 (`--python=`), through
# xgboost_boost.py; a missing peer is left out. Times are wall and processor seconds, medians of `--times` calls that take
# turns; those of tectree and lightgbm include coding the columns. Both have up to 2^depth leaves, at least one row per
# leaf, Hessians of at least 1 and a penalty of 1.
library(tectree)

arguments <- commandArgs(TRUE)
given <- function(name, default) {
  found <- grep(paste0("^--", name, "="), arguments, value = TRUE)
  if (length(found)) sub("^[^=]*=", "", found[1L]) else default
}
folder <- given("data", "../shared/data/uci")
rounds <- as.integer(given("rounds", 200))
rows <- as.integer(given("rows", 1e5))
threads <- as.integer(given("threads", 2))
times <- as.integer(given("times", 1))
peer_name <- given("peer", "lightgbm")
python <- given("python", "/usr/bin/python3")
script <- file.path(dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))), "xgboost_boost.py")

seconds <- function(expr) {
  time <- system.time(expr)
  c(clock = time[["elapsed"]], processor = sum(time[c("user.self", "sys.self")]))
}
show <- function(what, time) cat(sprintf("%-44s %8.2f %8.2f\n", what, time[["clock"]], time[["processor"]]))

# list(seconds, prob or number) of the test rows; NULL if not available.
xgboost <- function(train, test, objective, depth, classes = 1L, weight = 1) {
  files <- tempfile(c("train", "test", "out"))
  on.exit(unlink(files))
  for (i in 1:2) {
    data.table::fwrite(list(train, test)[[i]], files[i], col.names = FALSE)
  }
  said <- system2(python, c(script, files, objective, rounds, depth, threads, classes, weight), stdout = TRUE, stderr = FALSE)
  if (length(said) != 1L) return(NULL)
  list(
    seconds = stats::setNames(as.numeric(strsplit(said, " ")[[1L]]), c("clock", "processor")),
    out = as.matrix(data.table::fread(files[3], header = FALSE))
  )
}

# The same with lightgbm, which grows leaf by leaf: as many leaves as the depth allows.
lightgbm <- function(train, test, objective, depth, classes = 1L) {
  if (!requireNamespace("lightgbm", quietly = TRUE)) return(NULL)
  p <- ncol(train) - 1L
  matrices <- list(as.matrix(train[seq_len(p)]), as.matrix(test[seq_len(p)]))
  settings <- list(
    objective = c("reg:squarederror" = "regression", "binary:logistic" = "binary", "multi:softprob" = "multiclass")[[objective]],
    learning_rate = 0.1, max_depth = depth, num_leaves = 2^depth, min_data_in_leaf = 1, min_sum_hessian_in_leaf = 1,
    lambda_l2 = 1, num_threads = threads, verbose = -1
  )
  if (classes > 2L) settings$num_class <- classes
  model <- NULL
  time <- seconds({
    data <- lightgbm::lgb.Dataset(matrices[[1L]], label = train[[p + 1L]], params = list(verbose = -1, num_threads = threads))
    model <- lightgbm::lgb.train(settings, data, nrounds = rounds, verbose = -1)
  })
  list(seconds = time, out = matrix(predict(model, matrices[[2L]]), nrow(test)))
}

speed <- function() {
  set.seed(1)
  x <- as.data.frame(matrix(rnorm(rows * 20), rows))
  score <- x$V1 + sin(3 * x$V2) + x$V3 * x$V4
  number <- score + rnorm(rows)
  two <- as.integer(score + rnorm(rows) > 0)
  cat(sprintf("%-44s %8s %8s\n", paste(rounds, "rounds, seconds"), "clock", "process."))
  for (kind in c("numbers", "two classes")) {
    y <- if (kind == "numbers") number else factor(two)
    train <- cbind(x, as.numeric(y) - (kind != "numbers"))
    objective <- if (kind == "numbers") "reg:squarederror" else "binary:logistic"
    calls <- list(
      tectree = function() {
        seconds(tec_boost(x, y, rounds = rounds, folds = 0, max_depth = 6, min_bucket = 1, min_weight = 1, threads = threads))
      },
      lightgbm = function() lightgbm(train, train[1:10, ], objective, 6L)$seconds
    )
    turns <- lapply(seq_len(times), function(i) lapply(calls, function(f) f()))
    for (name in names(calls)) {
      own <- do.call(rbind, lapply(turns, `[[`, name))
      if (!is.null(own)) show(paste0(name, ", ", kind, ", up to 64 leaves"), apply(own, 2L, median))
    }
    peer <- xgboost(train, train, objective, 6L)
    if (!is.null(peer)) show(paste("xgboost (hist),", kind), peer$seconds)
    if (!requireNamespace("gbm", quietly = TRUE)) next
    some <- max(1L, rounds %/% 20L)
    for (splits in c(6L, 49L)) {  # at most 49; depth 6 has up to 63
      time <- seconds(gbm::gbm.fit(
        x, if (kind == "numbers") number else two,
        distribution = if (kind == "numbers") "gaussian" else "bernoulli", n.trees = some, shrinkage = 0.1,
        interaction.depth = splits, n.minobsinnode = 1, bag.fraction = 1, verbose = FALSE
      ))
      show(sprintf("gbm, %s, %d splits a tree, %d rounds x 20", kind, splits, some), time * rounds / some)
    }
  }
}

made <- function(n, p, kind) {
  set.seed(3)
  x <- as.data.frame(matrix(rnorm(n * p), n))
  score <- x$V1 + x$V2 * x$V3 + rnorm(n)
  list(x = x, y = if (kind > 0) factor((rank(score) * kind) %/% (n + 1)) else score)
}
letters_read <- function() {
  file <- file.path(folder, "letter.csv.gz")
  if (!file.exists(file)) return(NULL)
  d <- utils::read.csv(gzfile(file))
  list(x = d[names(d) != "class"], y = factor(d$class))
}

# Calls by package: f(number of threads); NULL if the package is not installed.
scaling_calls <- function(data, depth, cyclic) {
  n_classes <- if (is.factor(data$y)) nlevels(data$y) else 1L
  label <- if (n_classes > 1L) as.integer(data$y) - 1L else data$y
  objective <- c("regression", "binary", "multiclass")[min(n_classes, 3L)]
  lightgbm <- function(n) {
    settings <- list(
      objective = objective, learning_rate = 0.1, max_depth = depth, num_leaves = 2^depth, min_data_in_leaf = 1,
      min_sum_hessian_in_leaf = 1, lambda_l2 = 1, max_bin = 255, num_threads = n, verbose = -1
    )
    if (n_classes > 2L) settings$num_class <- n_classes
    rows <- lightgbm::lgb.Dataset(as.matrix(data$x), label = label, params = list(verbose = -1, num_threads = n))
    lightgbm::lgb.train(settings, rows, nrounds = 100, verbose = -1)
  }
  xgboost <- function(n) {
    settings <- list(
      objective = c("reg:squarederror", "binary:logistic", "multi:softprob")[min(n_classes, 3L)], eta = 0.1,
      max_depth = depth, min_child_weight = 1, lambda = 1, tree_method = "hist", max_bin = 256, nthread = n
    )
    if (n_classes > 2L) settings$num_class <- n_classes
    xgboost::xgb.train(settings, xgboost::xgb.DMatrix(as.matrix(data$x), label = label), nrounds = 100, verbose = 0)
  }
  calls <- list(
    tectree = function(n) {
      tec_boost(
        data$x, data$y, rounds = 100, folds = 0, max_depth = depth, min_bucket = 1, min_weight = 1, cyclic = cyclic, threads = n
      )
    }
  )
  if (cyclic) return(calls)
  peers <- list(lightgbm = lightgbm, xgboost = xgboost)
  c(calls, peers[vapply(names(peers), requireNamespace, NA, quietly = TRUE)])
}

# `used`: processor seconds by wall second and thread.
scaling <- function() {
  for (peer in c("lightgbm", "xgboost")) {
    if (!requireNamespace(peer, quietly = TRUE)) cat(peer, "is not installed\n")
  }
  cases <- list(
    list("two classes", made(rows, 10, 2), 6L, FALSE), list("numbers", made(1e5, 20, 0), 6L, FALSE),
    list("three classes", made(1e5, 20, 3), 6L, FALSE), list("letter, 26 classes", letters_read(), 6L, FALSE),
    list("numbers, in turn", made(5e4, 20, 0), 2L, TRUE), list("two classes", made(12000, 10, 2), 4L, FALSE),
    list("two classes", made(150, 4, 2), 4L, FALSE)
  )
  cat(sprintf("%-34s %-9s %8s %12s %6s\n", "100 rounds, seconds", "", "1 thread", paste(threads, "threads"), "used"))
  for (case in cases) {
    if (is.null(case[[2L]])) next
    calls <- scaling_calls(case[[2L]], case[[3L]], case[[4L]])
    turns <- lapply(seq_len(times), function(i) {
      lapply(calls, function(f) lapply(c(1L, threads), function(n) seconds(f(n))))
    })
    for (name in names(calls)) {
      median_of <- function(i, part) median(vapply(turns, function(turn) turn[[name]][[i]][[part]], 0))
      cat(sprintf(
        "%-34s %-9s %8.2f %12.2f %6.2f\n", sprintf("%s, %d x %d", case[[1L]], nrow(case[[2L]]$x), ncol(case[[2L]]$x)), name,
        median_of(1L, "clock"), median_of(2L, "clock"), median_of(2L, "processor") / median_of(2L, "clock") / threads
      ))
    }
  }
}

sets <- c(
  "pima", "sonar", "ionosphere", "spambase", "vehicle", "segment", "waveform21", "yeast", "page_blocks", "glass"
)
read_set <- function(name) {
  d <- utils::read.csv(gzfile(file.path(folder, paste0(name, ".csv.gz"))), na.strings = "")
  d$class <- factor(d$class)
  d
}
log_loss <- function(p, y) -log(pmax(p[cbind(seq_along(y), as.integer(y))], 1e-15))

# use(name, train, test) for three splits of each set.
each_split <- function(use) {
  for (name in sets) {
    d <- read_set(name)
    parts <- lapply(1:3, function(i) {
      set.seed(i)
      test <- sample(nrow(d), round(0.3 * nrow(d)))
      use(d[-test, ], d[test, ])
    })
    losses <- do.call(rbind, parts)
    difference <- losses[, 2L] - losses[, 1L]
    cat(sprintf(
      "%-12s %s   difference %7.4f, se %.4f\n", name, paste(sprintf("%7.4f", colMeans(losses)), collapse = " "),
      mean(difference), stats::sd(difference) / sqrt(length(difference))
    ))
  }
}

loss <- function() {
  cat("\n", peer_name, ", tectree: depth 4, rate 0.1; log loss of the test rows\n", sep = "")
  each_split(function(train, test) {
    coded <- function(d) cbind(d[names(d) != "class"], as.integer(d$class) - 1L)
    k <- nlevels(train$class)
    peer <- get(peer_name)(coded(train), coded(test), if (k == 2L) "binary:logistic" else "multi:softprob", 4L, k)
    fit <- tec_boost(class ~ ., train, rounds = rounds, folds = 0, min_bucket = 1, min_weight = 1, threads = threads)
    ours <- log_loss(predict(fit, test, type = "prob"), test$class)
    if (is.null(peer)) return(cbind(NA, mean(ours)))
    p <- if (k == 2L) cbind(1 - peer$out, peer$out) else peer$out
    cbind(log_loss(p, test$class), ours)
  })
}

turns <- function() {
  cat("\ndepth 2, predictors in turn: rounds chosen on a fifth of the rows; log loss of the test rows\n")
  each_split(function(train, test) {
    losses <- lapply(c(FALSE, TRUE), function(cyclic) {
      set.seed(1)
      fit <- tec_boost(class ~ ., train, rounds = 1000, max_depth = 2, cyclic = cyclic, validation = 0.2, threads = threads)
      log_loss(predict(fit, test, type = "prob"), test$class)
    })
    do.call(cbind, losses)
  })
}

depths <- function() {
  for (name in sets) {
    d <- read_set(name)
    mean_loss <- vapply(c(1:4, 6), function(depth) {
      mean(vapply(1:3, function(i) {
        set.seed(i)
        test <- sample(nrow(d), round(0.3 * nrow(d)))
        fit <- tec_boost(class ~ ., d[-test, ], rounds = 500, max_depth = depth, validation = 0.2, threads = threads)
        mean(log_loss(predict(fit, d[test, ], type = "prob"), d$class[test]))
      }, 0))
    }, 0)
    cat(sprintf("%-12s %s\n", name, paste(sprintf("%7.4f", mean_loss), collapse = " ")))
  }
}

commands <- list(speed = speed, threads = scaling, loss = loss, turns = turns, depths = depths)
for (what in intersect(names(commands), arguments)) commands[[what]]()
