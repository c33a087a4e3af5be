# How well do the defaults of boosting predict? Held-out comparison on 70:30 splits. The settings were chosen on one
# half of the sets (every second name in alphabetical order, `--half=choose`) and are measured on the other
# (`--half=report`). The article vignettes/articles/best-prediction.Rmd has the results.
#
#   Rscript bench/boost-defaults.R [--lib=DIR] [--data=DIR] [--out=bench/defaults] [--half=report] [--splits=2]
#     [--rows=3000] [--only=default,fixed]
#
# `loss` is the log loss, or the root mean squared error relative to that of the mean; time is processor time of the
# whole call by one thread. Results are added set by set, so the study can be stopped and continued.
bench <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
source(file.path(bench, "uci.R"))
library(tectree, lib.loc = given("lib", NULL))
options(tectree.threads = 1)
folder <- given("data", "../shared/data/uci")
most_rows <- as.numeric(given("rows", 3000))
source(file.path(bench, "sets.R"))
half <- given("half", "report")
splits <- as.integer(given("splits", 2))
to <- file.path(given("out", "bench/defaults"), paste0("boost-", half, ".csv.xz"))
in_order <- sort(names(readers))
sets <- in_order[seq_along(in_order) %% 2 == (half == "choose")]

boost <- function(...) {
  settings <- list(...)
  function(train) do.call(tec_boost, c(list(y ~ ., train), settings))
}
chosen <- function(...) {
  settings <- list(
    folds = 5, rate = 0.05, rounds = 1000, sample_fraction = 0.6, column_fraction = 0.6, min_bucket = 3, max_depth = 4
  )
  do.call(boost, utils::modifyList(settings, list(...)))
}
methods <- list(
  default = boost(), fixed = boost(folds = 0), `rate 0.05` = chosen(), `rate 0.1` = chosen(rate = 0.1),
  `depth 6` = chosen(max_depth = 6), `leaves of 1` = chosen(min_bucket = 1),
  `columns 0.8` = chosen(column_fraction = 0.8),
  `held out` = chosen(folds = NULL, validation = 0.2), cyclic = boost(cyclic = TRUE),
  `cyclic fixed` = boost(cyclic = TRUE, folds = 0),
  forest = function(train) tec_forest(y ~ ., train, trees = 300),
  ranger = function(train) {
    known <- stats::complete.cases(train)
    ranger::ranger(y ~ ., train[known, ], num.trees = 300, probability = is.factor(train$y), num.threads = 1)
  }
)
methods <- methods[strsplit(given("only", "default,fixed,rate 0.05,forest,ranger"), ",")[[1L]]]

predicted <- function(fit, test) {
  if (inherits(fit, "ranger")) {
    return(predict(fit, test, num.threads = 1)$predictions)
  }
  if (is.factor(test$y)) predict(fit, test, type = "prob") else predict(fit, test)
}

judge <- function(p, test) {
  if (!is.factor(test$y)) {
    return(c(sqrt(mean((p - test$y)^2) / mean((test$y - mean(test$y))^2)), NA))
  }
  own <- p[cbind(seq_along(test$y), match(as.character(test$y), colnames(p)))]
  c(mean(-log(pmax(own, 1e-15))), mean(colnames(p)[max.col(p, ties.method = "first")] != test$y))
}

try_all <- function(name, split) {
  data <- sample_of_set(readers[[name]](), most_rows, match(name, names(readers)))
  part <- split_rows(data, split)
  rows <- lapply(names(methods), function(method) {
    # Ranger 0.14 takes no missing values.
    if (method == "ranger" && anyNA(data)) return(NULL)
    set.seed(split)
    start <- proc.time()
    fit <- suppressWarnings(suppressMessages(methods[[method]](part$train)))
    seconds <- sum((proc.time() - start)[1:2])
    value <- judge(predicted(fit, part$test), part$test)
    data.frame(
      set = name, rows = nrow(part$train), classes = nlevels(data$y), split = split, method = method,
      loss = signif(value[1L], 6), error = signif(value[2L], 6), seconds = signif(seconds, 3),
      rounds = if (inherits(fit, "tec_boost")) fit$rounds else NA
    )
  })
  do.call(rbind, rows)
}

results <- if (file.exists(to)) utils::read.csv(to)
for (split in seq_len(splits)) {
  for (name in sets) {
    done <- results$set == name & results$split == split & results$method %in% names(methods)
    if (any(done)) next
    results <- rbind(results, try_all(name, split))
    utils::write.csv(results, xzfile(to), row.names = FALSE, quote = FALSE)
    message(format(name, width = 20), split)
  }
}
