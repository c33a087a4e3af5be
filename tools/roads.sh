#!/bin/sh
# Random problems, each solved by every search that must give the same tree (tests/cpp/roads/):
#
#   sh tools/roads.sh               100,000 cases; takes less than an hour on two processors
#   sh tools/roads.sh N [FIRST]     cases FIRST, FIRST + 1, ...; from 600 on their sizes are larger
#   sh tools/roads.sh --case SEED   one case; if it fails, the smallest failing problem, as R code
#   sh tools/roads.sh --oracle [N [FIRST]]
#                                   100,000 small problems, each compared with the naive second
#                                   implementation in tests/cpp/oracle/, trees and prunings; two
#                                   minutes on two processors, and two to compile
#   sh tools/roads.sh --small SEED
#   sh tools/roads.sh --extremes [N [FIRST]]
#                                   25,000 problems of extreme numbers in four ways each, under
#                                   AddressSanitizer and UBSan
#   sh tools/roads.sh --extreme SEED
#   sh tools/roads.sh --threads [N [FIRST]]
#                                   3,000 cases under ThreadSanitizer
#
# Compiled with the library's assertions, and optimized without sanitizers (tools/cpp-tests.sh runs
# some of the cases with AddressSanitizer and UBSan). CXX sets the compiler. Lists failures and ends
# with `N cases, N failed`.
set -eu
tools=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(dirname "$tools")
. "$tools/setup.sh"

need_cpp

flags=-O2
total=100000
option=
case ${1:-} in
  --oracle) option=--oracle; shift ;;
  --extremes) option=--extremes flags="-O1 -fsanitize=address,undefined" total=25000; shift ;;
  --extreme) flags="-O1 -fsanitize=address,undefined" ;;
  --threads) flags="-O1 -fsanitize=thread" total=3000; shift ;;
esac

say "compiling"
compiler=${CXX:-g++}
flags="$flags -DTECTREE_SEARCHES_APART -I$root/src"
object() { compile_cpp "$compiler" "$flags" "$1" "$build/$(basename "$1" .cpp).o"; }
object "$root/src/search_sorted.cpp" &
sorted=$!
object "$root/src/search_histogram.cpp"
object "$root/tests/cpp/roads/run.cpp"
wait "$sorted"
link_cpp "$compiler" "$flags" "$build/run" "$build"/*.o

case ${1:-} in
  --case | --extreme | --small)
    "$build/run" "$1" "$2"
    exit
    ;;
esac

total=${1:-$total}
first=${2:-$((${TECTREE_SEED:-0} * 100000))}
chunk=$((total < 4000 ? 250 : 1000))
say "cases from $first on"
# Free processes take the next chunk of cases.
take_chunks() {
  at=0
  while [ "$at" -lt "$total" ]; do
    count=$((total - at < chunk ? total - at : chunk))
    if mkdir "$build/$at" 2>/dev/null; then
      "$build/run" $option $((first + at)) "$count" >"$build/$at/out" 2>&1 || echo "$at" >>"$build/failed"
      grep -aE 'FAILED|died|SUMMARY' "$build/$at/out" || true
    fi
    at=$((at + chunk))
  done
}
workers=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
for _ in $(seq 2 "$workers"); do take_chunks & done
take_chunks
wait

cat "$build"/*/out | awk '/ cases: / { n = $1; name = $0; sub(/.* cases: /, "", name); taken[name] += n }
  / extreme problems$/ { extremes += $1 }
  END { if (extremes) printf "%9d extreme problems, each in four ways\n", extremes
        for (name in taken) printf "%9d cases: %s\n", taken[name], name }' | sort -rn
failed=$(cat "$build"/*/out | grep -acE 'FAILED|died|SUMMARY' || true)
# One failing case, reduced as far as possible.
again=$(cat "$build"/*/out | sed -n 's/.*roads.sh \(--[a-z]* [0-9]*\).*/\1/p' | head -n 1)
# shellcheck disable=SC2086
[ -z "$again" ] || "$build/run" $again || true
# A chunk without a report crashed.
for out in "$build"/*/out; do
  grep -aqE 'FAILED|died|SUMMARY| cases: | extreme problems' "$out" || { say "no report: $out"; failed=$((failed + 1)); }
done
echo "$total cases, $failed failed"
[ "$failed" -eq 0 ]
