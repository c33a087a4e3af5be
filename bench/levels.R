# Factors with many levels: simulated rows with factors of 2,000, 400 and 26 levels and four numbers. In one version
# the 2,000 levels matter, in the other they mean nothing. Mean held-out log loss without the two large factors, with
# them, and with a column of identifiers as well.
#
#   Rscript bench/levels.R [--lib=DIR] [--rows=9000] [--seeds=3]
given <- function(name, default) {
  value <- sub(paste0("--", name, "="), "", grep(paste0("^--", name, "="), commandArgs(TRUE), value = TRUE))
  if (length(value)) value else default
}
library(tectree, lib.loc = given("lib", NULL))
options(tectree.threads = 1)
n <- as.integer(given("rows", 9000))
seeds <- seq_len(as.integer(given("seeds", 3)))

simulated <- function(matter, seed) {
  set.seed(seed)
  d <- data.frame(
    a = factor(sample(2000, n, TRUE), 1:2000), b = factor(sample(400, n, TRUE), 1:400),
    c = factor(sample(letters, n, TRUE), letters), matrix(rnorm(4 * n), n, dimnames = list(NULL, paste0("x", 1:4)))
  )
  of_a <- 0.8 * rnorm(2000)
  of_c <- 0.3 * rnorm(26)
  score <- 0.5 * d$x1 + 0.4 * (d$x2 > 0) - 0.3 * d$x3 * (d$x1 > 0) + of_c[d$c] + if (matter) of_a[d$a] else 0
  d$y <- factor(rbinom(n, 1, plogis(score)))
  d$id <- factor(seq_len(n))
  d
}

methods <- list(
  tree = function(...) tec_tree(...), `tree, none pay` = function(...) tec_tree(..., free_levels = Inf),
  forest = function(...) tec_forest(..., trees = 200, progress = FALSE),
  `forest, none pay` = function(...) tec_forest(..., trees = 200, progress = FALSE, free_levels = Inf),
  boost = function(...) tec_boost(..., progress = FALSE),
  `boost, all rows` = function(...) tec_boost(..., progress = FALSE, sample_fraction = 1)
)
formulas <- list(without = y ~ . - a - b - id, with = y ~ . - id, identifiers = y ~ .)

loss <- function(method, formula, d) {
  training <- seq_len(round(0.7 * n))
  set.seed(1)
  fit <- suppressMessages(suppressWarnings(methods[[method]](formula, d[training, ])))
  new <- d[-training, ]
  p <- suppressWarnings(predict(fit, new, type = "prob"))
  -mean(log(pmax(p[cbind(seq_len(nrow(new)), as.integer(new$y))], 1e-15)))
}

for (matter in c(TRUE, FALSE)) {
  cat(if (matter) "The levels matter\n" else "The levels mean nothing\n")
  for (method in names(methods)) {
    found <- vapply(names(formulas), function(name) {
      mean(vapply(seeds, function(seed) loss(method, formulas[[name]], simulated(matter, seed)), 0))
    }, 0)
    cat(sprintf("  %-18s %s\n", method, paste(names(found), sprintf("%.3f", found), collapse = "  ")))
  }
}
