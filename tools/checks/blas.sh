#!/bin/sh
# Splines and rotation forests with the reference BLAS and with OpenBLAS:
#
#   sh tools/checks/blas.sh             their tests pass with each, and models agree within 1e-8
#   sh tools/checks/blas.sh --planted   with coefficients that depend on the BLAS
#
# Debian's libopenblas0-pthread is downloaded and unpacked, not installed, and loaded before R's BLAS.
# TECTREE_BUILT may name a library with the package.
set -eu
checks=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=setup-checks.sh
. "$checks/setup-checks.sh"

symptom="differ"
[ -z "$planted" ] || plant R/mars-fit.R \
  's|^  solved <- tec_spline_solve_(.*|&\n  if (grepl("openblas", extSoftVersion()[["BLAS"]])) solved <- solved * (1 + 1e-6)|'

get_openblas() {
  mkdir "$work/deb"
  # shellcheck disable=SC2086 # a list of words
  (cd "$work/deb" && apt-get $apt_patience download libopenblas0-pthread && dpkg -x ./*.deb .) >"$work/said" 2>&1 ||
    return 1
  openblas=$(dirname "$(find "$work/deb" -name libblas.so.3)")
}
# with_openblas COMMAND ...
with_openblas() { env LD_PRELOAD="$openblas/libblas.so.3 $openblas/liblapack.so.3" OPENBLAS_NUM_THREADS=2 "$@"; }

# Writes the numbers of models, or compares them with those of the file. BLAS that round differently may
# differ in the last digits.
cat >"$work/numbers.R" <<'END'
arguments <- commandArgs(TRUE)
library(tectree, lib.loc = arguments[1])
blas <- basename(dirname(extSoftVersion()[["BLAS"]]))
set.seed(1)
splines <- tec_mars(mpg ~ ., mtcars, degree = 2)
more <- tec_mars(Sepal.Length ~ ., iris, degree = 2, terms = 15)
rotation <- tec_rotation(Species ~ ., iris, trees = 10)
numbers <- list(coef(splines), coef(more), predict(more, iris), predict(rotation, iris, type = "prob"))
if (!file.exists(arguments[2])) {
  saveRDS(list(blas = blas, numbers = numbers), arguments[2])
} else {
  before <- readRDS(arguments[2])
  if (before$blas == blas) stop("the same BLAS twice: ", blas)
  same <- all.equal(before$numbers, numbers, tolerance = 1e-8)
  if (!isTRUE(same)) stop("models differ: ", paste(same, collapse = "; "))
  cat(before$blas, "and", blas, if (identical(before$numbers, numbers)) "agree exactly\n" else "agree within 1e-8\n")
}
END
compare() { Rscript --no-init-file "$work/numbers.R" "$library" "$work/numbers.rds"; }

files="^(mars-.*|tec_mars|rotation-.*|tec_rotation|tec_components)$"
if ! have dpkg || ! get_openblas; then
  skip "OpenBLAS: apt cannot download it here"
elif ! R CMD ldd "$(R RHOME)/lib/libR.so" | grep -q libblas.so.3; then
  skip "OpenBLAS: R has its own BLAS here"
else
  installed
  compare
  verdict "models agree" "$work/said" with_openblas Rscript --no-init-file "$work/numbers.R" "$library" \
    "$work/numbers.rds"
  cat "$work/said"
  if [ -z "$planted" ]; then
    verdict "tests with R's BLAS" "$work/said" r_tests "$library" "$files"
    verdict "tests with OpenBLAS" "$work/said" with_openblas Rscript --no-init-file "$checks/run-tests.R" \
      "$library" "$root/tests/testthat" "$files"
  fi
fi
finish
