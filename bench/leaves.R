# Which class shares should leaves predict? Held-out Brier score, log loss and calibration of the shares of the rows, of
# added rows (2 spread evenly, Laplace's, 2 and 5 like the root), and of hierarchical shrinkage. The article
# vignettes/articles/q-by-one-sample.Rmd reads the results.
#
#   Rscript bench/leaves.R [--lib=DIR] [--data=DIR] [--out=bench/leaves] [--sets=glass,sick] [--rows=1000]
#
# Sets are processed one by one, small ones first, and results are kept. Three random splits, 70 % for training. All
# methods see the same trees: pruned as by default, and full.
source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))), "uci.R"))
library(tectree, lib.loc = given("lib", NULL))
options(tectree.threads = 1)
folder <- given("data", "../shared/data/uci")
out <- given("out", "bench/leaves")
most_rows <- as.integer(given("rows", 1000))
splits <- 3L

smoothed <- function(rows, to = "even") {
  function(fit, train) {
    fit$control$smooth <- rows
    fit$control$smooth_to <- to
    fit
  }
}
ways <- list(
  none = smoothed(0), even2 = smoothed(2), laplace = smoothed("laplace"), root2 = smoothed(2, "root"),
  root5 = smoothed(5, "root"), shrink10 = function(fit, train) tec_shrink(fit, 10),
  shrink_cv = function(fit, train) tec_shrink(fit, "cv", data = train, folds = 5)
)

judge <- function(fit, test) {
  p <- predict(fit, test, type = "prob")
  truth <- as.integer(test$y)
  own <- p[cbind(seq_along(truth), truth)]
  said <- max.col(p, ties.method = "first")
  # By the largest share, in tenths: the number of rows, the expected accuracy, and the actual accuracy.
  largest <- p[cbind(seq_along(truth), said)]
  bin <- factor(pmin(floor(largest * 10), 9), 0:9)
  part <- function(x) as.vector(tapply(x, bin, sum, default = 0))
  c(
    brier = mean(rowSums(p^2) - 2 * own + 1), log_loss = mean(-log(pmax(own, 1e-15))), accuracy = mean(said == truth),
    rows = part(rep(1, length(truth))), promised = part(largest), right = part(said == truth)
  )
}

study <- function(name, data) {
  rows <- lapply(seq_len(splits), function(s) {
    set.seed(s)
    picked <- sample(nrow(data), round(0.7 * nrow(data)))
    train <- data[picked, ]
    test <- data[-picked, ]
    lapply(c("auto", "none"), function(prune) {
      fit <- tec_tree(y ~ ., train, prune = prune)
      lapply(names(ways), function(way) {
        set.seed(s)
        changed <- ways[[way]](fit, train)
        lambda <- if (is.null(changed$shrunk)) NA else changed$shrunk$lambda
        cbind(data.frame(set = name, split = s, prune = prune, way = way, lambda = lambda), t(judge(changed, test)))
      })
    })
  })
  do.call(rbind, unlist(unlist(rows, FALSE), FALSE))
}

dir.create(out, FALSE)
study_sets(function(...) suppressMessages(suppressWarnings(study(...))), file.path(out, "ways.csv.xz"), folder, most_rows)
