#!/bin/sh
# Whether builds of the core give the same models, byte for byte (tests/cpp/roads/digest.cpp):
#
#   sh tools/checks/determinism.sh             g++ -O2 and -O0, and clang++ -O0
#   sh tools/checks/determinism.sh --all       g++ and clang++ with -O0 to -O3, g++ without vectors, and
#                                              arm64 under qemu
#   sh tools/checks/determinism.sh --planted   with a learning rate that depends on optimization
#
# Models of random problems: trees of both searches, forests and boosted models. Each is compared with that
# of g++ -O2 and one thread: with 2 to 8 threads, with vectors disabled, with the rows in another order (the
# splits of trees), with other flags and compilers, and on another processor (the splits; the last digits of
# numbers also depend on the mathematical functions of the C library, such as erfc()). TECTREE_CASES times
# 120 problems, from TECTREE_SEED on. arm64 needs g++-aarch64-linux-gnu and qemu-user-static, which are installed
# if possible.
set -eu
checks=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=setup-checks.sh
. "$checks/setup-checks.sh"

first=$((${TECTREE_SEED:-0} + 1))
count=$(awk "BEGIN { print int(120 * ${TECTREE_CASES:-1}) }")
runner=
symptom="models differ"
[ -z "$planted" ] ||
  plant inst/include/tectree/ensemble/boost.hpp 's|value [*]= plan_.rate;|{ value *= plan_.rate;\n#ifndef __OPTIMIZE__\n value *= 1 + 1e-15;\n#endif\n }|'

# built NAME COMPILER FLAGS [LINK_FLAGS]: one program per set of flags.
built() {
  say "compiling: $2 $3"
  program "$1" "$2" "-g0 $3" "${4:-}" "$root/tests/cpp/roads/digest.cpp" "$root/src/search_sorted.cpp" \
    "$root/src/search_histogram.cpp"
}

# differences COLUMNS FILE: how many models have other digests than in the first build; 3: of the splits, 4:
# also of all numbers.
differences() {
  awk -v columns="$1" '
    { key = $1 " " $2; digest = columns == 3 ? $3 : $3 " " $4 }
    NR == FNR { usual[key] = digest; next }
    { all++ }
    usual[key] != digest { differ[$2]++; n++; if (n <= 20) seeds = seeds " " $1 }
    END { for (model in differ) printf "%d models differ: %s\n", differ[model], model
          if (n) print "seeds:" seeds
          exit n > 0 || !all }' "$work/usual" "$2"
}

# compare COLUMNS PROGRAM THREADS [OPTION ...]
compare() {
  compare_columns=$1 compare_program=$2
  shift 2
  $runner "$work/$compare_program" "$first" "$count" "$@" >"$work/lines" || return
  differences "$compare_columns" "$work/lines"
}

build_and_compare_splits() { built "$@" && compare 3 "$1" 1; }
build_and_compare() { built "$@" && compare 4 "$1" 1; }

built usual_build g++ -O2
"$work/usual_build" "$first" "$count" 1 >"$work/usual"
if [ -z "$planted" ]; then
  for threads in 2 3 4 5 6 7 8; do
    verdict "$threads threads" "$work/said" compare 4 usual_build "$threads"
  done
  verdict "vectors disabled" "$work/said" compare 4 usual_build 1 plain
  verdict "rows in another order" "$work/said" compare 3 usual_build 1 permuted
fi

compare_builds() {
  for build_words in "$@"; do
    compiler=${build_words%%:*} flags=$(echo "${build_words#*:}" | tr , ' ')
    if works "$compiler" "$flags"; then
      verdict "$compiler $flags" "$work/said" build_and_compare build "$compiler" "$flags"
    else
      skip "$compiler $flags: no $compiler here"
    fi
  done
}

compare_arm64() {
  compiler=aarch64-linux-gnu-g++
  if need_command $compiler g++-aarch64-linux-gnu && need_command qemu-aarch64-static qemu-user-static; then
    runner=qemu-aarch64-static
    verdict "arm64, $compiler -O1: splits" "$work/said" build_and_compare_splits arm $compiler -O1 -static
    differences 4 "$work/lines" | sed 's/^/arm64, last digits: /' || true
    runner=
  else
    skip "arm64: no cross compiler or no emulator here"
  fi
}

compare_builds g++:-O0
[ -n "$planted" ] || compare_builds clang++:-O0
if [ -n "$all" ]; then
  compare_arm64
  compare_builds clang++:-O2 g++:-O2,-DTECTREE_PLAIN g++:-O3 clang++:-O3 g++:-O1 clang++:-O1
fi
finish
