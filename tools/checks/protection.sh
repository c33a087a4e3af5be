#!/bin/sh
# Whether R objects in src/ are protected from the garbage collector. rchk needs a special compiler; this
# checks its main rules in the text, and runs small calls under gctorture2() (protection.R):
#
#   sh tools/checks/protection.sh             a collection at every 50th allocation
#   sh tools/checks/protection.sh --all       at every fifth one
#   sh tools/checks/protection.sh --planted   with a vector that is not protected, for the first part
#
# The rules: what a function of R's C interface allocates is in PROTECT() or Rcpp::Shield, or is returned at
# once; each function has as many UNPROTECT()s as PROTECT()s, and no return between. Objects of Rcpp protect
# themselves. TECTREE_BUILT may name a library with the package.
set -eu
checks=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=setup-checks.sh
. "$checks/setup-checks.sh"

symptom="not protected"
[ -z "$planted" ] || plant src/packed.cpp 's|Rcpp::Shield<SEXP> data(\(.*\));|SEXP data = \1;|'

# Comments and RcppExports.cpp, which is generated, are left out. A function ends with a brace in the first
# column.
follow_rules() {
  for file in "$root"/src/*.cpp "$root"/src/*.h; do
    [ "$(basename "$file")" = RcppExports.cpp ] || sed 's|//.*||' "$file" | awk -v file="$(basename "$file")" '
      function wrong(what) { printf "%s:%d: %s: %s\n", file, NR, what, $0; bad = 1 }
      { n = gsub(/UNPROTECT\(/, "&"); open += gsub(/(^|[^N])PROTECT\(/, "&") - n }
      /UNPROTECT\(/ && !/UNPROTECT\(1\)/ { wrong("count the objects one by one") }
      /(Rf_alloc[A-Za-z0-9]*|Rf_mk[A-Za-z0-9]*|Rf_Scalar[A-Za-z]*|Rf_[l]?cons|Rf_lang[0-9]|Rf_x?lengthgets|Rf_(shallow_)?duplicate|Rf_coerceVector|Rf_eval|R_new_altrep|R_MakeExternalPtr)\(/ &&
        !/PROTECT\(|Shield<SEXP>|return / { wrong("not protected") }
      open > 0 && /return / { wrong("a return before UNPROTECT") }
      /^}/ { if (open != 0) wrong("PROTECT and UNPROTECT do not match"); open = 0 }
      END { exit bad }' || bad=yes
  done
  [ -z "${bad:-}" ]
}
verdict "rules in src/" "$work/said" follow_rules

if [ -z "$planted" ]; then
  installed
  step=50
  [ -z "$all" ] || step=5
  verdict "small calls, a collection at every ${step}th allocation" "$work/said" \
    Rscript --no-init-file "$checks/protection.R" "$library" "$step"
fi
finish
