# Which estimate chooses q best? For every set and every outer fold each method chooses q on the other folds; the tree
# that tec_tree() then grows there is evaluated on the fold. The article vignettes/articles/q-by-one-sample.Rmd reads the
# results.
#
#   Rscript bench/q-by.R [--lib=DIR] [--data=DIR] [--out=bench/q-by] [--sets=glass,sick] [--rows=400]
#
# Sets are processed one by one, small ones first, and results are kept: called again, the script continues. One thread;
# time is processor time of the choice alone.
source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))), "uci.R"))
library(tectree, lib.loc = given("lib", NULL))
options(tectree.threads = 1)
folder <- given("data", "../shared/data/uci")
out <- given("out", "bench/q-by")
most_rows <- as.integer(given("rows", 400))
grid <- c(0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4)
outer_folds <- 3L

# Each returns the chosen q.
chosen_q <- function(tuned) tuned$table$q[tuned$chosen]
ways <- list(
  cv = function(train) chosen_q(tec_tune(y ~ ., train, q = grid, widen = FALSE)),
  ebp = function(train) chosen_q(tec_tune(y ~ ., train, q = grid, by = "ebp", widen = FALSE)),
  pep = function(train) chosen_q(tec_tune(y ~ ., train, q = grid, by = "pep", widen = FALSE)),
  mdl = function(train) chosen_q(tec_tune(y ~ ., train, q = grid, by = "mdl", widen = FALSE)),
  bootstrap632 = function(train) {
    chosen_q(tec_tune(y ~ ., train, q = grid, by = "bootstrap632", folds = 10, widen = FALSE))
  }
)

judge <- function(q, train, test) {
  fit <- tec_tree(y ~ ., train, q = q)
  p <- predict(fit, test, type = "prob")
  own <- p[cbind(seq_len(nrow(test)), as.integer(test$y))]
  c(
    accuracy = mean(predict(fit, test) == test$y), log_loss = mean(-log(pmax(own, 1e-15))),
    brier = mean(rowSums(p^2) - 2 * own + 1), leaves = n_leaves(fit)
  )
}

study <- function(name, data) {
  set.seed(1)
  fold <- integer(nrow(data))
  order <- order(data$y, stats::runif(nrow(data)))
  fold[order] <- rep_len(seq_len(outer_folds), nrow(data))
  rows <- lapply(seq_len(outer_folds), function(k) {
    train <- data[fold != k, ]
    test <- data[fold == k, ]
    by_q <- vapply(grid, judge, numeric(4), train, test)
    picked <- lapply(names(ways), function(way) {
      set.seed(k)
      start <- proc.time()
      q <- suppressWarnings(suppressMessages(ways[[way]](train)))
      data.frame(way = way, q = q, seconds = sum((proc.time() - start)[1:2]))
    })
    picked <- do.call(rbind, c(picked, list(data.frame(way = paste0("q", grid), q = grid, seconds = 0))))
    cbind(set = name, fold = k, picked, t(by_q)[match(picked$q, grid), ])
  })
  do.call(rbind, rows)
}

# Properties of a set before any tree is grown.
about_set <- function(name, data) {
  x <- data[names(data) != "y"]
  share <- prop.table(table(data$y))
  nominal <- vapply(x, is.factor, NA)
  data.frame(
    set = name, rows = nrow(data), columns = ncol(x), classes = nlevels(data$y),
    largest = max(share), evenness = -sum(share[share > 0] * log(share[share > 0])) / log(length(share)),
    nominal = mean(nominal), levels = if (any(nominal)) mean(vapply(x[nominal], nlevels, 0L)) else 0,
    missing = mean(is.na(x))
  )
}

dir.create(out, FALSE)
study_sets(about_set, file.path(out, "sets.csv.xz"), folder, most_rows)
study_sets(function(...) suppressWarnings(study(...)), file.path(out, "ways.csv.xz"), folder, most_rows)
