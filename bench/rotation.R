# Rotation forests on real data.
#
#   Rscript bench/rotation.R [accuracy|speed|predict] [--lib=DIR] [--data=DIR] [--sets=pima,wine] [--rows=1500]
#
# accuracy: tec_rotation() and tec_forest(), 200 trees each, on the same five folds of 20 numeric sets, one thread:
#           errors, log loss, and whether one is better by more than chance (sign test over sets).
# speed:    tec_rotation() and rotationForest() of the CRAN package rotationForest (two classes, rpart trees), equal
#           numbers of trees and of groups, one thread, in turn; and their errors on the same folds.
# predict:  seconds to predict, beside tec_forest().
# Seconds are processor seconds, since the machine may be shared. At most `rows` rows of a set, drawn at random.
source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))), "uci.R"))
library(tectree, lib.loc = given("lib", NULL))
options(tectree.threads = 1)
part <- c(grep("^--", args, value = TRUE, invert = TRUE), "accuracy")[1L]
folder <- given("data", "../shared/data/uci")
rows <- as.integer(given("rows", "1500"))
manifest <- read.csv(file.path(folder, "MANIFEST.csv"))

# The classes and the numbers of a set: other columns are left out, but the four of balance_scale are treated as numbers.
read_set <- function(name) {
  about <- manifest[manifest$name == name, ]
  data <- read.csv(file.path(folder, about$file), stringsAsFactors = TRUE, na.strings = "")
  y <- factor(data[[about$class_column]])
  nominal <- if (name == "balance_scale") character() else strsplit(about$nominal_columns, ";")[[1L]]
  data <- data[setdiff(names(data), c(about$class_column, nominal))]
  data$class <- y
  set.seed(1)
  data <- data[sort(sample(nrow(data), min(rows, nrow(data)))), ]
  droplevels(data)
}
seconds <- function(call) {
  gc(FALSE)
  start <- proc.time()
  value <- force(call)
  structure(list(value), seconds = sum((proc.time() - start)[1:2]))
}
folds_of <- function(y) {
  set.seed(2)
  fold <- integer(length(y))
  for (s in levels(y)) {
    n <- sum(y == s)
    fold[y == s] <- rep_len(sample(5), n)[sample.int(n)]
  }
  fold
}

numbers <- c(
  "abalone", "balance_scale", "breast_w", "covtype_sample", "glass", "haberman", "heart_statlog", "ionosphere", "iris",
  "letter", "page_blocks", "pima", "segment", "sonar", "spambase", "vehicle", "waveform21", "waveform40", "wine", "yeast"
)
two_classes <- c("breast_w", "haberman", "heart_statlog", "ionosphere", "pima", "sonar", "spambase")
sets <- strsplit(given("sets", paste(if (part == "accuracy") numbers else two_classes, collapse = ",")), ",")[[1L]]

if (part == "accuracy") {
  methods <- list(
    rotation = function(f, d) tec_rotation(f, d, trees = 200),
    forest = function(f, d) tec_forest(f, d, trees = 200, probability = TRUE, min_split = 2, importance = "none")
  )
  found <- do.call(rbind, lapply(sets, function(name) {
    d <- read_set(name)
    fold <- folds_of(d$class)
    by_fold <- lapply(1:5, function(k) {
      test <- d[fold == k, ]
      lapply(methods, function(method) {
        set.seed(3)
        grown <- seconds(suppressWarnings(method(class ~ ., d[fold != k, ])))
        prob <- predict(grown[[1L]], test, type = "prob")
        at <- prob[cbind(seq_len(nrow(test)), match(test$class, colnames(prob)))]
        c(
          error = sum(colnames(prob)[max.col(prob, "first")] != test$class), loss = -sum(log(pmax(at, 0.5 / 200))),
          seconds = attr(grown, "seconds")
        )
      })
    })
    of <- function(method) Reduce(`+`, lapply(by_fold, `[[`, method))
    a <- of("rotation")
    b <- of("forest")
    out <- data.frame(
      set = name, rows = nrow(d), columns = ncol(d) - 1L, classes = nlevels(d$class), rotation = a[["error"]] / nrow(d),
      forest = b[["error"]] / nrow(d), loss_rotation = a[["loss"]] / nrow(d), loss_forest = b[["loss"]] / nrow(d),
      seconds_rotation = a[["seconds"]] / 5, seconds_forest = b[["seconds"]] / 5
    )
    print(out, row.names = FALSE, digits = 3)
    out
  }))
  verdict <- function(a, b) {
    wins <- sum(a < b)
    losses <- sum(a > b)
    cat(wins, "better,", losses, "worse,", sum(a == b), "the same; sign test p =",
      format(binom.test(wins, max(wins + losses, 1))$p.value, digits = 2), "; Wilcoxon p =",
      format(suppressWarnings(wilcox.test(a, b, paired = TRUE))$p.value, digits = 2), "; means", format(mean(a), digits = 4),
      format(mean(b), digits = 4), "\n"
    )
  }
  cat("errors: ")
  verdict(found$rotation, found$forest)
  cat("log loss: ")
  verdict(found$loss_rotation, found$loss_forest)
  cat("seconds:", sum(found$seconds_rotation), "rotation,", sum(found$seconds_forest), "forest\n")
}

if (part == "speed") {
  suppressPackageStartupMessages(library(rotationForest))
  trees <- as.integer(given("trees", "20"))
  found <- do.call(rbind, lapply(sets, function(name) {
    d <- na.omit(read_set(name))
    fold <- folds_of(d$class)
    x <- d[setdiff(names(d), "class")]
    y <- factor(as.integer(d$class) - 1L)
    groups <- max(1, round(ncol(x) / 3))
    out <- vapply(1:2, function(k) {
      set.seed(4)
      ours <- seconds(tec_rotation(x[fold != k, ], y[fold != k], trees = trees))
      theirs <- seconds(rotationForest(x[fold != k, ], y[fold != k], K = groups, L = trees))
      truth <- y[fold == k]
      c(
        ours = attr(ours, "seconds"), theirs = attr(theirs, "seconds"),
        error = mean(predict(ours[[1L]], x[fold == k, ]) != truth),
        their_error = mean((predict(theirs[[1L]], x[fold == k, ]) > 0.5) != (truth == "1"))
      )
    }, numeric(4))
    out <- data.frame(set = name, rows = sum(fold != 1), columns = ncol(x), trees = trees, t(rowMeans(out)))
    out$ratio <- out$theirs / out$ours
    print(out, row.names = FALSE, digits = 3)
    out
  }))
  cat("ratio of all seconds:", sum(found$theirs) / sum(found$ours), "; smallest", min(found$ratio), "\n")
}

if (part == "predict") {
  for (name in sets) {
    d <- read_set(name)
    many <- d[rep_len(seq_len(nrow(d)), 20000), ]
    set.seed(5)
    rotation <- tec_rotation(class ~ ., d)
    forest <- tec_forest(class ~ ., d, trees = 200, importance = "none")
    runs <- replicate(3, c(
      attr(seconds(predict(rotation, many)), "seconds"), attr(seconds(predict(forest, many)), "seconds")
    ))
    cat(name, ncol(d) - 1, "columns: rotation", median(runs[1, ]), "forest", median(runs[2, ]), "; size of the fit",
      format(as.numeric(object.size(rotation)) / 1e6, digits = 3), "MB, of its rotations",
      format(as.numeric(object.size(rotation$rotation)) / 1e6, digits = 3), "MB\n"
    )
  }
}
