#!/bin/sh
# The R tests with the package compiled under AddressSanitizer and UBSan, by gcc and by clang:
#
#   sh tools/checks/sanitizers.sh             test files that use all of the compiled code
#   sh tools/checks/sanitizers.sh --all       every test file
#   sh tools/checks/sanitizers.sh --planted   reads behind the end of an array
#
# R itself is not compiled with them: their libraries are loaded before it. tools/cpp-tests.sh does the same
# for the C++ tests.
set -eu
checks=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=setup-checks.sh
. "$checks/setup-checks.sh"

files="^(tec_(tree|forest|boost|mars|rotation|shap|proximity)|(forest|boost|mars|rotation)-predict|"
files="${files}stored-models|numbers|marks|surrogates|weights|prune-rules|scores|engine-packed|engine-grow)$"
[ -z "$all" ] || files=.
symptom="out of bounds|buffer-overflow"
if [ -n "$planted" ]; then
  files="^export-text$"
  plant src/numbers.cpp 's|(shift) > 22|(shift) > 400|'
fi

# under NAME COMPILER FLAGS LIBRARY ...: the libraries are loaded before R, and that of C++, for exceptions.
under() {
  under_name=$1 under_compiler=$2 under_flags="-fsanitize=address,undefined $3"
  shift 3
  under_preload=
  for under_library in "$@"; do
    under_file=$("$under_compiler" -print-file-name="$under_library")
    [ -e "$under_file" ] || { skip "$under_name: no $under_library here"; return; }
    under_preload="$under_preload $under_file"
  done
  say "compiling with $under_name"
  install "$work/$under_compiler" "$under_compiler" \
    "-O0 -g1 -fno-omit-frame-pointer -fno-sanitize-recover=all $under_flags" "$under_flags"
  verdict "R tests under sanitizers of $under_name" "$work/said" env LD_PRELOAD="$under_preload" \
    ASAN_OPTIONS=detect_leaks=0:detect_odr_violation=0 UBSAN_OPTIONS=print_stacktrace=1 \
    sh -c 'Rscript --no-init-file "$@"' sh "$checks/run-tests.R" "$work/$under_compiler" \
    "$root/tests/testthat" "$files"
}

under gcc g++ "" libasan.so libubsan.so libstdc++.so.6
if have clang++; then
  # Their shared library lacks what the check of C++ types needs.
  under clang clang++ "-shared-libasan -fno-sanitize=vptr,function" libclang_rt.asan-x86_64.so libstdc++.so.6
else
  skip "clang: no clang++ here"
fi
finish
