#!/bin/sh
# Compiles the tests tests/cpp/**/test_*.cpp and runs them:
#
#   sh tools/cpp-tests.sh [COMPILER ...]        g++, and clang++ if it is installed, if none is given
#   sh tools/cpp-tests.sh [COMPILER] WORD ...   only files whose path below tests/cpp has one of the
#                                               words: `grow`, `prune/test_rules`; with g++
#   sh tools/cpp-tests.sh --plain ...           without sanitizers
#   sh tools/cpp-tests.sh --quick               with g++, without sanitizers, and without the files
#                                               that grow trees
#
# TECTREE_CASES (1) times as many random cases are run as usual, from TECTREE_SEED (0), a whole number
# that is printed. A case that fails says how to run it alone.
#
# The first compiler that has AddressSanitizer and UBSan runs all tests with them. A second compiler
# compiles and runs the same tests without sanitizers, with its own warnings and rounding, and all the
# cases; under sanitizers, which are 5 to 10 times slower, the usual number is then enough.
#
# The compiler takes almost all of the time, so each template is compiled once if possible. The searches,
# which are most of the core, are two objects (src/search_*.cpp) that the programs are linked with, and the
# files of some rooms form one program, each file in its own namespace. Files with directives other than
# #include, or that make their own search, are separate programs without these objects. Contracts of the
# core are tested by files that must not compile, in tests/cpp/contracts/. Ends with `N passed, N failed`; a
# program that does not compile or crashes is one failure.
#
# TECTREE_OBJECTS may name a folder with the two objects as compiled for the package. They are used without
# sanitizers, also for the program in the article on C++.
set -eu
tools=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(dirname "$tools")
. "$tools/setup.sh"

need_cpp
warnings="-Wall -Wextra -Wpedantic -Werror"
sanitized="-O1 $warnings -fsanitize=address,undefined"
plain="-O0 -g0 $warnings"
sanitize=yes
quick=
words=
compilers=
for argument in "$@"; do
  case $argument in
    --plain) sanitize='' ;;
    --quick) quick=yes sanitize='' compilers=g++ ;;
    *++*) compilers="$compilers $argument" ;;
    *) words="$words $argument" ;;
  esac
done
[ -z "$words" ] || [ -n "$compilers" ] || compilers=g++
# Their folder, with a slash.
objects=
[ -z "${TECTREE_OBJECTS:-}" ] || [ -n "$sanitize" ] || objects=$TECTREE_OBJECTS/
export TECTREE_CASES="${TECTREE_CASES:-1}" TECTREE_SEED="${TECTREE_SEED:-0}"

# Whether a program compiled with these flags runs.
works() {
  printf 'int main() { return 0; }\n' >"$build/try.cpp"
  compile_cpp "$1" "$2" "$build/try.cpp" "$build/try.o" >/dev/null 2>&1 &&
    link_cpp "$1" "$2" "$build/try" "$build/try.o" >/dev/null 2>&1 && "$build/try" >/dev/null 2>&1
}

# Leak detection needs a machine that allows ptrace.
leaks_of() {
  if ASAN_OPTIONS=detect_leaks=1 works "$1" "$sanitized"; then echo 1; else echo 0; fi
}

# The files that are tested, by path below tests/cpp.
list_files() {
  cd "$root/tests/cpp"
  find . -name 'test_*.cpp' | sed 's|^[.]/||' | sort |
    if [ -n "$quick" ]; then grep -vE '^(grow|roads|faults)/'; else cat; fi |
    while read -r file; do
      wanted=$words
      [ -n "$words" ] || wanted=$file
      for word in $wanted; do
        case $file in *"$word"*) echo "$file" && break ;; esac
      done
    done
}

# A program from the files. Their headers come first, so nothing is included inside the namespaces.
together() {
  cd "$root/tests/cpp"
  printf '#include "check.h"\n'
  cat "$@" | grep '^#include' | sort -u
  for file in "$@"; do
    printf 'namespace %s {\n#include "%s"\n}\n' "$(basename "$file" .cpp)" "$file"
  done
}

# write_shared NAME OPTION PATTERN: writes a program of those files in `shared` that grep finds, if any.
write_shared() {
  grep "$2" "$3" "$build/shared" >"$build/its_files" || return 0
  # shellcheck disable=SC2046 # a list of files
  (together $(cat "$build/its_files")) >"$build/$1.cpp"
  printf '%s shared\n' "$1" >>"$build/programs"
}

# Writes the sources of the programs into `build`, and a list of their names, the slowest to compile first.
write_programs() {
  (list_files) >"$build/files"
  [ -s "$build/files" ] || die "no file of tests/cpp has$words in its path"
  (cd "$root/tests/cpp" &&
    xargs grep -lE '^# *(define|if|pragma)|tectree/grow/make_' <"$build/files") >"$build/alone" || true
  grep -vxFf "$build/alone" "$build/files" >"$build/shared" || true
  : >"$build/programs"
  write_shared trees -E '^(grow|roads)/'
  write_shared search -E '^search/'
  write_shared faults -E '^faults/' # with its own operator new
  write_shared other_rooms -vE '^(grow|roads|search|faults)/'
  while read -r file; do
    name=$(basename "$file" .cpp)
    kind=alone
    [ -z "$objects" ] || [ "$name" != test_umbrella ] || kind=shared
    printf '#include <%s>\n' "$file" >"$build/$name.cpp"
    printf '%s %s\n' "$name" "$kind" >>"$build/programs"
  done <"$build/alone"
}

# The objects that a compiler makes, one per line, the slowest first: COMPILER HOW NAME SOURCE DEFINITION.
# HOW is `plain`, or whether sanitizers look for leaks, 1 or 0.
list_objects() {
  while read -r compiler how; do
    searches="-DTECTREE_SEARCHES_APART -I$root/src"
    # Growers compile in half the time with -Og, and run nearly as fast; with -O0 the usual cases take ten
    # times as long.
    growers="$searches -Og"
    if [ -z "$objects" ] && grep -q ' shared$' "$build/programs" &&
      grep -qE '^(grow|roads|faults)/' "$build/shared"; then
      for search in sorted histogram; do
        echo "$compiler $how search_$search $root/src/search_$search.cpp $growers"
      done
    fi
    while read -r program kind; do
      case $kind-$program in
        shared-trees | shared-faults) definitions=$growers ;;
        # Naive searches take ten times as long with -O0, which compiles hardly faster than -Og.
        shared-*)
          definitions=$searches
          [ "$how" != plain ] || definitions="$searches -Og"
          ;;
        # All growers once more, compiled as by a user; tests only that they exist and work.
        *-test_umbrella) definitions="-O0 -fno-sanitize=all" ;;
        *) definitions= ;;
      esac
      echo "$compiler $how $program $program.cpp $definitions"
    done <"$build/programs"
  done <"$build/compilers"
}

flags_of() { if [ "$1" = plain ]; then echo "$plain"; else echo "$sanitized"; fi; }

# one_object COMPILER HOW NAME SOURCE DEFINITION ...: called in `build`, since ccache identifies a file by
# name; compiler messages go to a file beside the object.
one_object() {
  object_out=$1-$3 object_compiler=$1 object_how=$2 object_source=$4
  shift 4
  if ! compile_cpp "$object_compiler" "$(flags_of "$object_how") $*" "$object_source" \
    "$object_out.o" >"$object_out.said" 2>&1; then
    rm -f "$object_out.o"
  fi
}

# one_test COMPILER HOW PROGRAM KIND: links and runs one program; all output goes to a file.
one_test() {
  one_out=$1-$3
  searches=
  [ "$4" != shared ] || [ ! -e "${objects:-$1-}search_sorted.o" ] ||
    searches="${objects:-$1-}search_sorted.o ${objects:-$1-}search_histogram.o"
  # shellcheck disable=SC2086 # a list of files
  if ! link_cpp "$1" "$(flags_of "$2")" "$one_out.bin" "$one_out.o" $searches >>"$one_out.said" 2>&1
  then
    cat ./"$1"-search_*.said "$one_out.said" >"$one_out.log" 2>/dev/null || true
    printf 'FAILED: does not compile\n0 passed, 1 failed\n' >>"$one_out.log"
    return
  fi
  leaks=$2 one_cases=$TECTREE_CASES
  [ "$2" != plain ] || leaks=0
  [ "$2" = plain ] || [ "$(wc -l <compilers)" -eq 1 ] || one_cases=1
  one_status=0
  # Reports show only the last calls of an allocation, which makes the random cases 10 % faster.
  TECTREE_CASES=$one_cases ASAN_OPTIONS=malloc_context_size=4:detect_leaks=$leaks:${ASAN_OPTIONS:-} \
    UBSAN_OPTIONS=print_stacktrace=1 "./$one_out.bin" >"$one_out.log" 2>&1 || one_status=$?
  if [ "$one_status" -gt 1 ] ||
    ! tail -n 1 "$one_out.log" | grep -q '^[0-9]* passed, [0-9]* failed$'; then
    printf 'FAILED: ended with status %s\n0 passed, 1 failed\n' "$one_status" >>"$one_out.log"
  fi
  [ -n "${TECTREE_CPP_KEEP:-}" ] || rm -f "$one_out.bin" "$one_out.o"
}

# Each tests/cpp/contracts/*.cpp has a type that violates a contract of the core. The compiler must refuse
# the file with the sentence in its first line, `// refused: SENTENCE`, and accept it with -DCOMPLETE, which
# adds what is missing.
contract_tests() {
  passed=0 failed=0
  for file in "$root"/tests/cpp/contracts/*.cpp; do
    check_syntax="$1 -std=c++17 -fsyntax-only -I $root/inst/include $file"
    sentence=$(sed -n '1s|^// refused: ||p' "$file")
    said=
    if $check_syntax >said 2>&1; then
      said="it compiles without what the contract asks for"
    elif [ -z "$sentence" ] || ! grep -qF "$sentence" said; then
      said="the compiler does not say '$sentence'"
    elif ! $check_syntax -DCOMPLETE >said 2>&1; then
      said="it does not compile with what the contract asks for: $(grep error said | head -n 3)"
    fi
    if [ -z "$said" ]; then passed=$((passed + 1)); continue; fi
    failed=$((failed + 1))
    printf 'FAILED: %s: %s\n' "$(basename "$file")" "$said"
  done
  printf '%d passed, %d failed\n' "$passed" "$failed"
}

# Takes the lines of a list one by one, each as the arguments of a function; two such loops use two
# processors. Lines claimed by the other loop are skipped.
take_lines() {
  line=0
  # shellcheck disable=SC2034 # read by the loop
  while read -r what words; do
    line=$((line + 1))
    mkdir "$1.claimed-$line" 2>/dev/null || continue
    # shellcheck disable=SC2086 # a list of words
    $what $words
  done <"$1"
}

run_contracts() { contract_tests "$1" >"$1-contracts.log"; }

both_processors() {
  take_lines "$1" &
  take_lines "$1"
  wait
}

write_programs
: >"$build/compilers"
[ -n "$compilers" ] || compilers="g++ clang++"
for compiler in $compilers; do
  if [ "$sanitize" = yes ] && ASAN_OPTIONS=detect_leaks=0 works "$compiler" "$sanitized"; then
    sanitize=
    how=$(leaks_of "$compiler")
    say "C++ tests with $compiler, under sanitizers, leak detection: $how"
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
say "random cases: TECTREE_CASES=$TECTREE_CASES, TECTREE_SEED=$TECTREE_SEED"
cd "$build"
# All compilers together, so no processor is idle before the end.
{
  list_objects | sed 's/^/one_object /'
  [ -n "$words" ] || awk 'NR == 1 { print "run_contracts", $1 }' compilers
} >objects
while read -r compiler how; do
  sed "s/^/one_test $compiler $how /" programs
done <compilers >tests
both_processors objects
both_processors tests
while read -r _ compiler _ program _; do
  [ -e "$compiler-$program.log" ] ||
    printf 'FAILED: did not run\n0 passed, 1 failed\n' >"$compiler-$program.log"
done <tests

for log in ./*.log; do
  [ -e "$log" ] || continue
  case $(tail -n 1 "$log") in
    *", 0 failed") ;;
    *) printf '\n%s\n' "$(basename "$log" .log)"; tail -n 60 "$log" ;;
  esac
done
for log in ./*.log; do [ ! -e "$log" ] || tail -n 1 "$log"; done |
  awk '{ passed += $1; failed += $3 }
       END { printf "%d passed, %d failed\n", passed, failed; exit failed > 0 }'
