# Whole calls on real data, one thread, against the faster of rpart() and ranger() with one tree; and the
# cost of weights there. Medians of five calls that take turns.
#
#   Rscript bench/real.R [--lib=DIR] [--data=DIR] [--sets=letter,adult] [--busy]
#
# --busy: instead, two threads against one while two other processes keep the cores busy. The data are those
# of `shared/data/uci` beside the repository, or of --data.
args <- commandArgs(trailingOnly = TRUE)
given <- function(name, default) {
  value <- sub(paste0("^--", name, "="), "", grep(paste0("^--", name, "="), args, value = TRUE))
  if (length(value)) value[[1L]] else default
}
library(tectree, lib.loc = given("lib", NULL))
folder <- given("data", "../shared/data/uci")
manifest <- read.csv(file.path(folder, "MANIFEST.csv"))
options(tectree.threads = 1)

read_set <- function(name) {
  about <- manifest[manifest$name == name, ]
  data <- read.csv(file.path(folder, about$file), stringsAsFactors = TRUE)
  names(data)[names(data) == about$class_column] <- "class"
  data$class <- factor(data$class)
  for (column in strsplit(about$nominal_columns, ";")[[1L]]) {
    if (column %in% names(data)) data[[column]] <- factor(data[[column]])
  }
  data
}
seconds <- function(call) {
  gc(FALSE)
  start <- proc.time()[[3L]]
  force(call)
  proc.time()[[3L]] - start
}
# Each is a function; returns medians of the times of one call, repeated until a run takes a twentieth of a
# second.
in_turns <- function(calls, times = 5L) {
  repeats <- vapply(calls, function(f) {
    f()
    ceiling(0.05 / max(seconds(f()), 1e-4))
  }, 0)
  runs <- replicate(times, mapply(function(f, n) seconds(for (i in seq_len(n)) f()) / n, calls, repeats))
  apply(runs, 1L, stats::median)
}
grow <- function(data, ...) {
  tec_tree(class ~ ., data, criterion = "gini", min_split = 20, min_bucket = 7, missing = "majority", prune = "none", ...)
}

# rpart() tries all groupings of a factor's levels if there are more than two classes.
too_many <- function(data) {
  nlevels(data$class) > 2L && any(vapply(data[names(data) != "class"], nlevels, 0L) > 12L)
}
peers <- function(data) {
  control <- rpart::rpart.control(20, 7, cp = 0, maxcompete = 0, maxsurrogate = 0, usesurrogate = 0, xval = 0)
  list(
    rpart = if (!too_many(data)) function() rpart::rpart(class ~ ., data, control = control),
    ranger = if (!anyNA(data)) {
      function() {
        ranger::ranger(
          class ~ ., data, num.trees = 1, mtry = ncol(data) - 1L, replace = FALSE, sample.fraction = 1,
          min.node.size = 20, min.bucket = 7, num.threads = 1, respect.unordered.factors = "order", oob.error = FALSE
        )
      }
    }
  )
}

sets <- strsplit(given("sets", paste0(
  "letter,adult,spambase,covtype_sample,waveform40,nursery,mushroom,segment,page_blocks,splice,sick,",
  "abalone,bank_marketing"
)), ",")[[1L]]
if (!"--busy" %in% args) {
  sets <- intersect(sets, manifest$name)
  ratios <- weights <- fractions <- numeric()
  cat("| data | rows x columns, classes | ours | rpart | ranger | times faster | whole weights | fractions, q = 1.5 |\n")
  cat("|---|---|---|---|---|---|---|---|\n")
  for (name in sets) {
    data <- read_set(name)
    set.seed(1)
    whole <- sample(1:3, nrow(data), TRUE)
    fraction <- runif(nrow(data), 0.5, 2)
    time <- in_turns(Filter(Negate(is.null), c(
      list(
        ours = function() grow(data), whole = function() grow(data, weights = whole),
        unit = function() tec_tree(class ~ ., data, q = 1.5, min_split = 20, min_bucket = 7, missing = "majority", prune = "none"),
        fraction = function() {
          tec_tree(class ~ ., data, q = 1.5, min_split = 20, min_bucket = 7, missing = "majority", prune = "none", weights = fraction)
        }
      ), peers(data)
    )))
    ratios[name] <- min(time[intersect(names(time), c("rpart", "ranger"))]) / time[["ours"]]
    weights[name] <- time[["whole"]] / time[["ours"]]
    fractions[name] <- time[["fraction"]] / time[["unit"]]
    ms <- function(x) if (is.na(x)) "-" else sprintf("%.1f ms", 1000 * x)
    cat(sprintf(
      "| %s | %d x %d, %d | %s | %s | %s | %.1fx | %.2fx | %.2fx |\n", name, nrow(data), ncol(data) - 1L,
      nlevels(data$class), ms(time[["ours"]]), ms(time["rpart"]), ms(time["ranger"]), ratios[name],
      weights[name], fractions[name]
    ))
  }
  mean_of <- function(x) exp(mean(log(x)))
  cat(sprintf(
    paste0(
      "\nTimes faster: geometric mean %.1f, minimum %.1f. Whole weights: %.2f, maximum %.2f. ",
      "Fractions: %.2f, maximum %.2f.\n"
    ),
    mean_of(ratios), min(ratios), mean_of(weights), max(weights), mean_of(fractions), max(fractions)
  ))
} else {
  set.seed(1)
  a <- data.frame(matrix(rnorm(2e6), 1e5))
  a$class <- factor(cut(a$X1 + a$X2 * a$X3 + rnorm(1e5), 3, labels = FALSE))
  b <- data.frame(matrix(rnorm(1e7), 1e6))
  b$class <- factor(b$X1 + b$X2 * b$X3 + rnorm(1e6) > 0)
  calls <- list(
    iris = function() tec_tree(Species ~ ., iris), spambase = local({
      data <- read_set("spambase")
      function() grow(data)
    }),
    "100,000 x 20" = function() tec_tree(class ~ ., a, prune = "none"), "1,000,000 x 10, depth 8" = function() tec_tree(class ~ ., b, max_depth = 8, prune = "none")
  )
  on <- function(threads, f) {
    function() {
      options(tectree.threads = threads)
      f()
    }
  }
  table <- function(title) {
    cat("\n|", title, "| one thread | two | two / one |\n|---|---|---|---|\n")
    for (name in names(calls)) {
      time <- in_turns(list(on(1, calls[[name]]), on(2, calls[[name]])), 7L)
      cat(sprintf("| %s | %.2f ms | %.2f ms | %.2fx |\n", name, 1000 * time[1L], 1000 * time[2L], time[2L] / time[1L]))
    }
  }
  table("on a quiet machine")
  others <- lapply(1:2, function(i) parallel::mcparallel(repeat sum(runif(1e5))))
  table("two other processes fill the cores")
  for (other in others) tools::pskill(other$pid)
}
