#!/bin/sh
# Other builds of the package:
#
#   sh tools/checks/builds.sh             with R's strict headers; without long double
#   sh tools/checks/builds.sh --all       also with link-time optimization: the same trees (tools/smoke.R)
#   sh tools/checks/builds.sh --planted   with a name of R's headers that strict ones do not have, and a
#                                         long double
#
# Strict headers: -DSTRICT_R_HEADERS -DR_NO_REMAP, only the syntax. Without long double: R can be compiled
# without it, and then a package must not use it. The compiler cannot be told so (-mlong-double-64 does not
# match the C++ library), therefore no file of the core and of src/ may name it. TECTREE_BUILT may name a
# library with the package.
set -eu
checks=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=setup-checks.sh
. "$checks/setup-checks.sh"

symptom="Realloc|long double"
if [ -n "$planted" ]; then
  plant src/numbers.cpp 's|^bool reads_back|int* grown(int* x) { return Realloc(x, 2, int); }\n&|'
  plant inst/include/tectree/base/stream.hpp 's|^class Stream|inline long double wide = 0.0L;\n&|'
fi

strict_headers() {
  include=$(Rscript --vanilla -e 'cat(R.home("include"), file.path(
    find.package(c("Rcpp", "RcppArmadillo")), "include"))')
  system=
  for folder in $include; do system="$system -isystem $folder"; done
  for file in "$root"/src/together_*.cpp; do
    # shellcheck disable=SC2086 # a list of words
    g++ -std=c++17 -fsyntax-only -DSTRICT_R_HEADERS -DR_NO_REMAP -DTECTREE_SEARCHES_APART \
      -I "$root/inst/include" $system "$file" || return 1
  done
}
no_long_double() {
  ! grep -rnE 'long double|[0-9][.][0-9]*L\b|__float(80|128)' "$root/inst/include" "$root/src" --include='*.hpp' \
    --include='*.cpp' --include='*.h'
}
same_trees() {
  install "$work/other" "$1" "$2" "$3"
  Rscript --vanilla "$tools/smoke.R" "$work/other" "$work/digest.rds"
}

verdict "strict headers of R" "$work/said" strict_headers
verdict "no long double" "$work/said" no_long_double
if [ -n "$all" ]; then
  installed
  Rscript --vanilla "$tools/smoke.R" "$library" "$work/digest.rds"
  say "compiling with link-time optimization"
  verdict "link-time optimization: the same trees" "$work/said" same_trees g++ "-O1 -flto=auto" "-O1 -flto=auto"
fi
finish
