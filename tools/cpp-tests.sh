#!/bin/sh
# Compiles the tests tests/cpp/**/test_*.cpp and runs them:
#
#   sh tools/cpp-tests.sh [COMPILER ...]   g++, and clang++ where it is there, if none is given
#   sh tools/cpp-tests.sh --quick          with g++, without sanitizers, and without the program that
#                                          makes all growers, which is most of the compiler's work
#
# The first compiler that has AddressSanitizer and UBSan runs all tests with them. The others compile
# and run the same tests without sanitizers: those find faults of the code with any compiler, while a
# second compiler adds its warnings and its rounding.
#
# Most tests need the same headers and templates, so the files are combined into a few programs, each
# file in its own namespace, which halves the compile time. Files with directives other than #include
# are separate programs. Contracts of the core are tested by files that must not compile, in
# tests/cpp/contracts/. Ends with `N passed, N failed`; a program that does not compile or crashes is
# one failure.
set -eu
tools=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(dirname "$tools")
. "$tools/setup.sh"

need_cpp
warnings="-Wall -Wextra -Wpedantic -Werror"
sanitized="-O1 $warnings -fsanitize=address,undefined"
plain="-O0 $warnings"
left_out=
sanitize=yes
if [ "${1:-}" = --quick ]; then
  left_out=test_grow_tree.cpp sanitize=
  set -- g++
fi

# Whether a program compiled with these flags runs.
works() {
  printf 'int main() { return 0; }\n' >"$build/try.cpp"
  compile_cpp "$1" "$2" "$build/try.cpp" "$build/try" >/dev/null 2>&1 &&
    "$build/try" >/dev/null 2>&1
}

# Leak detection needs a machine that allows ptrace.
leaks_of() {
  if ASAN_OPTIONS=detect_leaks=1 works "$1" "$sanitized"; then echo 1; else echo 0; fi
}

# A program from the files (paths below tests/cpp). Their headers come first, so that nothing is
# included inside the namespaces.
together() {
  cd "$root/tests/cpp"
  printf '#include "check.h"\n'
  cat "$@" | grep '^#include' | sort -u
  for file in "$@"; do
    printf 'namespace %s {\n#include "%s"\n}\n' "$(basename "$file" .cpp)" "$file"
  done
}

# Writes the sources of the programs into `build`, and their names, the slowest first.
write_programs() {
  (cd "$root/tests/cpp" && find . -name 'test_*.cpp' ! -name "$left_out") | sed 's|^[.]/||' |
    sort >"$build/files"
  (cd "$root/tests/cpp" && xargs grep -lE '^#' <"$build/files" |
    xargs grep -lE '^# *(define|if|pragma)') >"$build/alone" || true
  grep -vxFf "$build/alone" "$build/files" >"$build/shared" || true
  : >"$build/programs"
  while read -r file; do
    name=$(basename "$file" .cpp)
    printf '#include <%s>\n' "$file" >"$build/$name.cpp"
    printf '%s\n' "$name" >>"$build/programs"
  done <"$build/alone"
  # shellcheck disable=SC2046 # lists of files
  (together $(grep '^search/' "$build/shared")) >"$build/search.cpp"
  # shellcheck disable=SC2046
  (together $(grep -v '^search/' "$build/shared")) >"$build/other_rooms.cpp"
  { grep grow_tree "$build/programs"; echo search; echo other_rooms
    grep -v grow_tree "$build/programs"; } >"$build/sorted" || true
}

# one_test COMPILER PROGRAM HOW: compiles and runs one program; everything it says goes to a file beside
# it. HOW is `plain`, or whether sanitizers look for leaks, 1 or 0. The compiler is called in `build`:
# ccache knows a file of the same name.
one_test() {
  one_out=$build/$1-$2
  flags=$sanitized
  leaks=$3
  [ "$3" != plain ] || { flags=$plain && leaks=0; }
  if ! (cd "$build" && compile_cpp "$1" "$flags" "$2.cpp" "$one_out.bin") >"$one_out.log" 2>&1; then
    printf 'FAILED: does not compile\n0 passed, 1 failed\n' >>"$one_out.log"
    return
  fi
  one_status=0
  # Reports show only the last calls of an allocation, which makes the random cases 10 % faster.
  ASAN_OPTIONS=malloc_context_size=4:detect_leaks=$leaks:${ASAN_OPTIONS:-} \
    UBSAN_OPTIONS=print_stacktrace=1 "$one_out.bin" >"$one_out.log" 2>&1 || one_status=$?
  if [ "$one_status" -gt 1 ] ||
    ! tail -n 1 "$one_out.log" | grep -q '^[0-9]* passed, [0-9]* failed$'; then
    printf 'FAILED: ended with status %s\n0 passed, 1 failed\n' "$one_status" >>"$one_out.log"
  fi
  rm -f "$one_out.bin" "$one_out.bin.o"
}

# Each tests/cpp/contracts/*.cpp has a type that lacks what a contract of the core asks for. The
# compiler must refuse the file with the sentence of its first line, `// refused: SENTENCE`, and
# accept it with -DCOMPLETE, which adds what is missing.
contract_tests() {
  passed=0 failed=0
  for file in "$root"/tests/cpp/contracts/*.cpp; do
    check_syntax="$1 -std=c++17 -fsyntax-only -I $root/inst/include $file"
    sentence=$(sed -n '1s|^// refused: ||p' "$file")
    said=
    if $check_syntax >"$build/said" 2>&1; then
      said="it compiles without what the contract asks for"
    elif [ -z "$sentence" ] || ! grep -qF "$sentence" "$build/said"; then
      said="the compiler does not say '$sentence'"
    elif ! $check_syntax -DCOMPLETE >"$build/said" 2>&1; then
      said="it does not compile with what the contract asks for: $(grep error "$build/said" | head -n 3)"
    fi
    if [ -z "$said" ]; then passed=$((passed + 1)); continue; fi
    failed=$((failed + 1))
    printf 'FAILED: %s: %s\n' "$(basename "$file")" "$said"
  done
  printf '%d passed, %d failed\n' "$passed" "$failed"
}

# Runs tests that are not claimed yet; two of these at a time use two processors.
unclaimed_tests() {
  while read -r compiler program how; do
    mkdir "$build/$compiler-$program.claimed" 2>/dev/null || continue
    if [ "$program" = contracts ]; then
      contract_tests "$compiler" >"$build/$compiler-contracts.log"
    else
      one_test "$compiler" "$program" "$how"
    fi
  done <"$build/tests"
}

must_have_run() {
  while read -r compiler program how; do
    [ -e "$build/$compiler-$program.log" ] ||
      printf 'FAILED: did not run\n0 passed, 1 failed\n' >"$build/$compiler-$program.log"
  done <"$build/tests"
}

[ $# -gt 0 ] || set -- g++ clang++
write_programs
: >"$build/compilers"
for compiler in "$@"; do
  if [ "$sanitize" = yes ] && ASAN_OPTIONS=detect_leaks=0 works "$compiler" "$sanitized"; then
    sanitize=
    how=$(leaks_of "$compiler")
    say "C++ tests with $compiler, under sanitizers, leaks looked for: $how"
  elif works "$compiler" "$plain"; then
    how=plain
    say "C++ tests with $compiler, without sanitizers"
  else
    say "C++ tests: no $compiler here"
    continue
  fi
  printf '%s %s\n' "$compiler" "$how" >>"$build/compilers"
done
[ "$sanitize" != yes ] || say "C++ tests: no compiler with sanitizers here"
# All compilers together, so that no processor is idle before the end.
{
  while read -r program; do
    awk -v program="$program" '{ print $1, program, $2 }' "$build/compilers"
  done <"$build/sorted"
  awk 'NR == 1 { print $1, "contracts", $2 }' "$build/compilers"
} >"$build/tests"
unclaimed_tests &
unclaimed_tests
wait
must_have_run

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
