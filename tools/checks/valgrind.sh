#!/bin/sh
# R tests under valgrind: reads of memory that was never written or is not owned.
#
#   sh tools/checks/valgrind.sh             a few quick test files; the usual time is multiplied by 30
#   sh tools/checks/valgrind.sh FILES       the test files that a regular expression names, without `test-`;
#                                           all of them take most of a day
#   sh tools/checks/valgrind.sh --planted   with a read of a vector's value that was never written
#
# TECTREE_BUILT may name a library with the package; lines of errors need one compiled with -g.
set -eu
checks=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=setup-checks.sh
. "$checks/setup-checks.sh"

files="^(numbers|tec_components|mars-methods|boost-predict|prune-rules)$"
case ${1:-} in "" | --*) ;; *) files=$1 ;; esac
symptom="uninitialised"
if [ -n "$planted" ]; then
  files="^export-text$" fault_in=C++
  plant src/numbers.cpp 's|  int shift = 0;|  int* volatile never = new int;\n  int shift = *never > 9 ? 1 : 0;\n  delete never;|'
fi

# Without errors in R itself, which the log may list too: only those whose stack has tectree.so.
errors_of_tectree() {
  tests_failed=
  R -d "valgrind -q --error-limit=no --num-callers=40 --log-file=$work/valgrind.%p" --vanilla --no-echo \
    -f "$checks/run-tests.R" --args "$library" "$root/tests/testthat" "$files" || tests_failed=yes
  cat "$work"/valgrind.* | awk '
    { sub(/^==[0-9]+== ?/, "") }
    /^$/ { if (block ~ /tectree[.]so|tectree::/) { printf "%s\n", block; bad = 1 }; block = ""; next }
    { block = block $0 "\n" }
    END { if (block ~ /tectree[.]so|tectree::/) { printf "%s\n", block; bad = 1 }; exit bad }' || return 1
  [ -z "$tests_failed" ]
}

if need_command valgrind valgrind; then
  installed
  verdict "R tests under valgrind" "$work/said" errors_of_tectree
else
  skip "valgrind: not here"
fi
finish
