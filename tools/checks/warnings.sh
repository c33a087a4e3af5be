#!/bin/sh
# Compiler warnings, each an error:
#
#   sh tools/checks/warnings.sh             -Wall -Wextra -Wpedantic in the core and src/, and -Wconversion in
#                                           the core, by g++ and clang++; headers of R and Rcpp are not
#                                           looked at
#   sh tools/checks/warnings.sh --planted   with a number that is made narrower
set -eu
checks=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=setup-checks.sh
. "$checks/setup-checks.sh"

symptom="Werror.*conversion"
[ -z "$planted" ] ||
  plant inst/include/tectree/base/stream.hpp 's|state_ += step;|&\n    const int narrow = 0.5 * state_;\n    state_ += narrow;|'

include=$(Rscript --vanilla -e 'cat(R.home("include"), file.path(
  find.package(c("Rcpp", "RcppArmadillo")), "include"))')
system=
for folder in $include; do system="$system -isystem $folder"; done

# compiles COMPILER FLAGS FILE
compiles() {
  # shellcheck disable=SC2086 # lists of flags
  $1 -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic $2 -Werror -I "$root/inst/include" $system "$3"
}

# Indices are int or std::size_t, which clang++ would report too. R's registration of functions casts types.
conversions="-Wconversion -Wno-sign-conversion"
headers=$root/inst/include
[ -z "$planted" ] || headers=$headers/tectree/base # where the fault is
find "$headers" -name '*.hpp' | sort | sed 's|.*/include/\(.*\)|#include <\1>|' >"$work/core.cpp"
for compiler in g++ clang++; do
  if ! have "$compiler"; then skip "$compiler: not here"; continue; fi
  verdict "core, $compiler" "$work/said" compiles "$compiler" "$conversions" "$work/core.cpp"
  [ -z "$planted" ] || continue
  for file in "$root"/src/together_*.cpp; do
    verdict "$(basename "$file"), $compiler" "$work/said" \
      compiles "$compiler" "-DTECTREE_SEARCHES_APART -Wno-cast-function-type" "$file"
  done
done
finish
