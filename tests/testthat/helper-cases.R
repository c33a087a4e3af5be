# How many cases are taken: all of them, but on CRAN and in `sh tools/test.sh quick` a few of each
# kind.

all_cases <- function() identical(Sys.getenv("NOT_CRAN"), "true")

# Of `n` random cases: a twentieth, but no fewer than `few`.
random_cases <- function(n, few = 2) {
  if (all_cases()) n else as.integer(min(n, max(few, ceiling(n / 20))))
}

# Of cases that are listed: `few`, the first, the last and some between.
some_of <- function(x, few) {
  if (all_cases() || length(x) <= few) x else x[unique(round(seq(1, length(x), length.out = few)))]
}
