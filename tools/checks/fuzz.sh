#!/bin/sh
# Fuzzes the core with libFuzzer, under AddressSanitizer and UBSan (tests/cpp/fuzz/):
#
#   sh tools/checks/fuzz.sh                      every target for 60 seconds, two at a time
#   sh tools/checks/fuzz.sh TARGET               one of them: `grow`, `model`
#   sh tools/checks/fuzz.sh TARGET 600s          ... for 600 seconds
#   sh tools/checks/fuzz.sh TARGET 100000        ... for 100,000 inputs
#   sh tools/checks/fuzz.sh --keep TARGET 600s   adds what is new to the corpus, minimized
#   sh tools/checks/fuzz.sh --planted TARGET     compiles a fault into the target, which must be found
#   sh tools/checks/fuzz.sh --input TARGET FILE  one input again
#
# `all` is every target. Inputs have up to 10,000 bytes, and none may take more than 10 seconds. Each run
# starts with the corpus, tests/cpp/fuzz/corpus/TARGET.tar.gz. An input with a finding is printed in base64
# and stored in TECTREE_FINDINGS, by default a folder `tectree-findings` in the folder for temporary files.
# TECTREE_SEED is the seed of the random changes. Prints one line per target, and ends with `N passed, N
# failed, N skipped`. Without clang++ and libFuzzer (Debian's libclang-rt-14-dev, of the version of clang) all
# targets are skipped. Two processors compile for three minutes, or for seconds if ccache has the objects.
set -eu
checks=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
tools=$(dirname "$checks")
root=$(dirname "$tools")
# shellcheck source=../setup.sh
. "$tools/setup.sh"

targets="grow model"
keep='' planted='' input=''
case ${1:-} in
  --keep) keep=yes; shift ;;
  --planted) planted=yes; shift ;;
  --input) input=$3; shift ;;
esac
[ "${1:-all}" = all ] || targets=$1
for target in $targets; do
  [ -e "$root/tests/cpp/fuzz/fuzz_$target.cpp" ] || die "no target is called '$target'"
done
case ${2:-60s} in
  *s) until_then=-max_total_time=${2:-60s} && until_then=${until_then%s} ;;
  *) until_then=-runs=${2:-} ;;
esac

need_cpp
findings=${TECTREE_FINDINGS:-${TMPDIR:-/tmp}/tectree-findings}
corpus=$root/tests/cpp/fuzz/corpus
flags="-O1 -Wall -Wextra -Wpedantic -Werror -DTECTREE_SEARCHES_APART -I$root/src"
[ -z "$planted" ] || flags="$flags -DFUZZ_PLANTED"
sanitized="-fsanitize=fuzzer-no-link,address,undefined"

# Whether libFuzzer is installed; `leaks` is empty unless leaks can be found here.
has_fuzzer() {
  printf '#include <cstddef>\n#include <cstdint>\nextern "C" int LLVMFuzzerTestOneInput(' >"$build/try.cpp"
  printf 'const std::uint8_t*, std::size_t) { return 0; }\n' >>"$build/try.cpp"
  compile_cpp clang++ "$sanitized" "$build/try.cpp" "$build/try.o" &&
    link_cpp clang++ "-fsanitize=fuzzer,address,undefined" "$build/try" "$build/try.o" &&
    ASAN_OPTIONS=detect_leaks=0 "$build/try" -runs=1 || return 1
  leaks=yes
  "$build/try" -runs=1 || leaks=
}

if ! have clang++ || ! has_fuzzer >"$build/try.log" 2>&1; then
  say "fuzzing: no clang++ with libFuzzer here"
  # shellcheck disable=SC2086 # a list of words
  echo "0 passed, 0 failed, $(echo $targets | wc -w) skipped"
  exit 0
fi

# object SOURCE: compiled once, into `build`.
object() {
  compile_cpp clang++ "$sanitized $flags" "$1" "$build/$(basename "$1" .cpp).o" \
    >"$build/$(basename "$1").said" 2>&1
}

# The searches take longest to compile.
say "compiling the fuzz targets: $targets"
object "$root/src/search_sorted.cpp" &
sorted=$!
object "$root/src/search_histogram.cpp" || true
for target in $targets; do object "$root/tests/cpp/fuzz/fuzz_$target.cpp" || true; done
wait "$sorted" || true
for target in $targets; do
  link_cpp clang++ "-fsanitize=fuzzer,address,undefined" "$build/$target" \
    "$build/fuzz_$target.o" "$build/search_sorted.o" "$build/search_histogram.o" \
    >"$build/$target.said" 2>&1 || { cat "$build"/*.said >&2; die "the target '$target' does not compile"; }
done

if [ -n "$input" ]; then
  "$build/${targets# }" "$input"
  exit
fi

# Runs a target; its output goes to TARGET.log, its exit status to TARGET.status.
fuzz() {
  mkdir -p "$build/new/$1" "$build/found/$1" "$build/seeds/$1"
  [ ! -e "$corpus/$1.tar.gz" ] || tar xzf "$corpus/$1.tar.gz" -C "$build/seeds/$1"
  fuzz_status=0
  set -- "$1" "-timeout=10" "-max_len=10000" "-len_control=20" "-rss_limit_mb=3000" "-print_final_stats=1" \
    "-artifact_prefix=$build/found/$1/" "$until_then" "$build/new/$1"
  [ -n "$leaks" ] || set -- "$@" -detect_leaks=0
  # Nearly the same inputs again; a start of 0 would be a random one.
  [ -z "${TECTREE_SEED:-}" ] || set -- "$@" "-seed=$((TECTREE_SEED + 1))"
  set -- "$@" "$build/seeds/$1"
  fuzz_target=$1
  shift
  "$build/$fuzz_target" "$@" >"$build/$fuzz_target.log" 2>&1 || fuzz_status=$?
  echo "$fuzz_status" >"$build/$fuzz_target.status"
}

# One line on a target, and the finding.
report() {
  executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$build/$1.log")
  seconds=$(sed -n 's/^Done [0-9]* runs in \([0-9]*\) second.*/, \1 s/p' "$build/$1.log")
  if [ "$(cat "$build/$1.status")" -eq 0 ] && [ -n "$planted" ]; then
    echo "FAILED: $1: the planted fault is not found in $executions inputs"
    return 1
  elif [ "$(cat "$build/$1.status")" -eq 0 ]; then
    echo "$1: $executions inputs$seconds, no finding"
    return 0
  elif [ -n "$planted" ]; then
    echo "$1: the planted fault is found, after $executions inputs"
    return 0
  fi
  grep -aE 'broken property|what\(\)|runtime error|SUMMARY|ERROR|^    #[0-9]+ .*(tectree|fuzz)' \
    "$build/$1.log" | head -n 30
  grep -a '^Base64:' "$build/$1.log" || true
  mkdir -p "$findings"
  cp "$build/found/$1"/* "$findings"
  echo "FAILED: $1: a finding after $executions inputs, in $findings"
  return 1
}

# Two targets at a time.
running=0
for target in $targets; do
  fuzz "$target" &
  running=$((running + 1))
  [ $((running % 2)) -ne 0 ] || wait
done
wait

passed=0 failed=0
for target in $targets; do
  if report "$target"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
done

# The smallest inputs that reach every line that all inputs reach.
if [ -n "$keep" ] && [ "$failed" -eq 0 ]; then
  for target in $targets; do
    mkdir -p "$build/kept/$target" "$corpus"
    "$build/$target" -merge=1 -use_counters=0 -max_len=300 "$build/kept/$target" "$build/seeds/$target" \
      "$build/new/$target" >"$build/merge.log" 2>&1 || die "the corpus of '$target' cannot be minimized"
    tar czf "$corpus/$target.tar.gz" --sort=name --mtime=@0 --owner=0 --group=0 -C "$build/kept/$target" .
    say "corpus of $target: $(find "$build/kept/$target" -type f | wc -l) inputs"
  done
fi
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
