# Small calls of all models while R collects garbage at every STEP-th allocation: an R object that
# is not protected is then lost. Rscript protection.R LIBRARY STEP. Fails if a result differs from
# that without collections. Calls that return packed vectors and texts collect at every allocation.
arguments <- commandArgs(TRUE)
library(tectree, lib.loc = arguments[1])
step <- as.integer(arguments[2])
inside <- function(name) get(name, asNamespace("tectree"))

packed <- function(x) {
  packer <- inside("tec_packer_")(is.character(x), length(x))
  inside("tec_pack_")(packer, list(x))
  y <- inside("tec_packed_")(packer, list(x[0L]))[[1L]]
  y[2L] <- y[1L]
  y
}
few <- iris[c(1:4, 51:54, 101:104), ]
fits <- list(
  tree = tec_tree(Species ~ ., few), number = tec_tree(Sepal.Length ~ ., few),
  forest = tec_forest(Species ~ ., few, trees = 2L),
  boost = tec_boost(Species ~ ., few, rounds = 2L, folds = 0),
  splines = tec_mars(Sepal.Length ~ Petal.Width, few),
  rotation = tec_rotation(Species ~ ., few, trees = 2L)
)
calls <- c(
  list(
    texts = function() packed(c("b", NA, "a")), numbers = function() packed(c(2.5, NA, 0)),
    exact = function() inside("tec_exact_numbers_")(c(pi, NA, 1e-300)),
    grow = function() {
      set.seed(1)
      as.data.frame(tec_tree(Species ~ Petal.Width, few, min_bucket = 1L))
    }
  ),
  lapply(fits, function(fit) function() predict(fit, few))
)
for (name in names(calls)) {
  usual <- calls[[name]]()
  gctorture2(if (name %in% c("texts", "numbers", "exact")) 1L else step)
  found <- tryCatch(calls[[name]](), error = conditionMessage)
  gctorture2(0L)
  if (!identical(found, usual)) stop("unprotected: ", name, " differs")
  cat(name, "")
}
cat("\n")
