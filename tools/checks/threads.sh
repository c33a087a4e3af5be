#!/bin/sh
# Data races in the core, by ThreadSanitizer:
#
#   sh tools/checks/threads.sh             random problems as trees, forests and boosted models by four
#                                          threads (tests/cpp/roads/digest.cpp); the tests of threads
#   sh tools/checks/threads.sh --all       also the tests of forests, boosting and rotation forests
#   sh tools/checks/threads.sh --planted   with one memory for the trees of all threads
#
# `sh tools/roads.sh --threads` runs more random problems. TECTREE_CASES, TECTREE_SEED: as for the tests.
set -eu
checks=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=setup-checks.sh
. "$checks/setup-checks.sh"

compiler=g++ flags="-O0 -g1 -fsanitize=thread"
symptom="ThreadSanitizer: data race"
[ -z "$planted" ] || plant inst/include/tectree/grow/many/grow_forest.hpp \
  's|static_cast<std::size_t>(inner.worker())|static_cast<std::size_t>(0 * inner.worker())|'
export TSAN_OPTIONS="halt_on_error=1:second_deadlock_stack=1:${TSAN_OPTIONS:-}"

# Without the largest problems.
first=$((${TECTREE_SEED:-0} + 5))
count=$(awk "BEGIN { print int(30 * ${TECTREE_CASES:-1}) }")
cpp=$root/tests/cpp

# checked NAME SOURCE WORD ...: runs the program of a source.
checked() {
  checked_name=$1 checked_source=$2
  shift 2
  say "compiling $checked_name"
  program one "$compiler" "$flags" "" "$checked_source" "$root/src/search_sorted.cpp" \
    "$root/src/search_histogram.cpp"
  verdict "$checked_name" "$work/said" "$work/one" "$@"
}

if works "$compiler" "$flags"; then
  checked "random problems by four threads" "$cpp/roads/digest.cpp" "$first" "$count" 4
  if [ -z "$planted" ]; then
    checked "tests of threads" "$cpp/base/test_team.cpp"
    for test in grow/test_forests ensemble/test_boost grow/test_rotation_forest; do
      [ -z "$all" ] || checked "$test" "$cpp/$test.cpp"
    done
  fi
else
  skip "ThreadSanitizer: not here"
fi
finish
