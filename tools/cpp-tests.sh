#!/bin/sh
# Compiles every tests/cpp/**/test_*.cpp under AddressSanitizer and UBSan and runs it:
#
#   sh tools/cpp-tests.sh [COMPILER ...]
#   sh tools/cpp-tests.sh --quick   with g++, without sanitizers, and without the program that makes
#                                   all growers, which is most of the compiler's work
#
# With no compiler given: g++, and clang++ where it is there and has the sanitizers. Ends with
# `N passed, N failed`; a program that does not compile or does not end by itself is one failure.
# Needs R with RcppArmadillo, for Armadillo's headers and for the names of BLAS and LAPACK.
set -eu
tools=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(dirname "$tools")
. "$tools/setup.sh"

need_cpp
warnings="-Wall -Wextra -Wpedantic -Werror"
flags="-O1 $warnings -fsanitize=address,undefined"
left_out=
if [ "${1:-}" = --quick ]; then
  left_out=test_grow_tree.cpp flags="-O0 $warnings"
  set -- g++
fi

# Does a program of the compiler run with these flags?
works() {
  printf 'int main() { return 0; }\n' >"$build/try.cpp"
  compile_cpp "$1" "$flags" "$build/try.cpp" "$build/try" >/dev/null 2>&1 &&
    "$build/try" >/dev/null 2>&1
}

# Leaks are looked for where the machine lets a program look at itself.
leaks_of() {
  if ASAN_OPTIONS=detect_leaks=1 works "$1"; then echo 1; else echo 0; fi
}

# A compiler's test: its files begin with this.
files_of() { printf '%s/%s-%s' "$build" "$1" "$(printf '%s' "${2#"$root/tests/cpp/"}" | tr / _)"; }

# Compiles and runs one program; everything it says goes to a file beside it.
one_test() {
  one_out=$(files_of "$1" "$2")
  if ! compile_cpp "$1" "$flags" "$2" "$one_out.bin" >"$one_out.log" 2>&1; then
    printf 'FAILED: does not compile\n0 passed, 1 failed\n' >>"$one_out.log"
    return
  fi
  one_status=0
  ASAN_OPTIONS=detect_leaks=$leaks UBSAN_OPTIONS=print_stacktrace=1 \
    "$one_out.bin" >"$one_out.log" 2>&1 || one_status=$?
  if [ "$one_status" -gt 1 ] ||
    ! tail -n 1 "$one_out.log" | grep -q '^[0-9]* passed, [0-9]* failed$'; then
    printf 'FAILED: ended with status %s\n0 passed, 1 failed\n' "$one_status" >>"$one_out.log"
  fi
  rm -f "$one_out.bin" "$one_out.bin.o"
}

# Runs the tests that nobody else has claimed; two of these at a time keep two processors busy.
unclaimed_tests() {
  while read -r listed; do
    if mkdir "$(files_of "$1" "$listed").claimed" 2>/dev/null; then one_test "$1" "$listed"; fi
  done <"$build/tests"
}

must_have_run() {
  while read -r listed; do
    [ -e "$(files_of "$1" "$listed").log" ] ||
      printf 'FAILED: did not run\n0 passed, 1 failed\n' >"$(files_of "$1" "$listed").log"
  done <"$build/tests"
}

[ $# -gt 0 ] || set -- g++ clang++
for compiler in "$@"; do
  if ! have "$compiler" || ! ASAN_OPTIONS=detect_leaks=0 works "$compiler"; then
    say "C++ tests: no $compiler with sanitizers here"
    continue
  fi
  leaks=$(leaks_of "$compiler")
  say "C++ tests with $compiler, leaks looked for: $leaks"
  find "$root/tests/cpp" -name 'test_*.cpp' ! -name "$left_out" | sort >"$build/tests"
  unclaimed_tests "$compiler" &
  unclaimed_tests "$compiler"
  wait
  must_have_run "$compiler"
done

for log in "$build"/*.log; do
  [ -e "$log" ] || continue
  case $(tail -n 1 "$log") in
    *", 0 failed") ;;
    *) printf '\n%s\n' "$(basename "$log" .log)"; tail -n 60 "$log" ;;
  esac
done
for log in "$build"/*.log; do [ ! -e "$log" ] || tail -n 1 "$log"; done |
  awk '{ passed += $1; failed += $3 }
       END { printf "%d passed, %d failed\n", passed, failed; exit failed > 0 }'
