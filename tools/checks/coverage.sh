#!/bin/sh
# Coverage of the core (inst/include/tectree) by the C++ tests:
#
#   sh tools/checks/coverage.sh             all C++ tests
#   sh tools/checks/coverage.sh WORD ...    only those of tools/cpp-tests.sh WORD ...; no aims
#   sh tools/checks/coverage.sh --list ...  also every line and condition that is left
#   sh tools/checks/coverage.sh --planted   leaves out one test, which must lower the coverage
#
# Prints one line for each folder of the core, one for each file below the aims (97 % of lines, 90 % of
# branches), and the totals; then `N passed, N failed, N skipped`, one for each total.
#
# The compiler is clang++, whose counters belong to places in the source. A branch is one outcome of a
# condition: `if (a && b)` has four, those of `a` and those of `b`. gcov counts the jumps of the compiled
# code instead: two at each call that may throw, and new ones in each instantiation of a template; and g++
# leaves out inline functions that nothing calls. A line or branch is covered if any instantiation in any
# program of the tests reaches it. Empty lines, comments and lines of braces are not counted, nor are
# conditions whose value the compiler knows (`if constexpr`), and contracts, which it checks. No compiler sees
# a template that no test instantiates.
set -eu
checks=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
tools=$(dirname "$checks")
root=$(dirname "$tools")
# shellcheck source=../setup.sh
. "$tools/setup.sh"

line_aim=97 branch_aim=90
list='' planted=''
case ${1:-} in
  --list) list=yes; shift ;;
  --planted) planted=yes; shift ;;
esac

# One of LLVM's programs, of the version of clang++.
llvm() { clang++ -print-prog-name="$1"; }
if ! have clang++ || ! have "$(llvm llvm-cov)" || ! have "$(llvm llvm-profdata)"; then
  say "coverage: no clang++ with llvm-cov here"
  echo "0 passed, 0 failed, 2 skipped"
  exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
mkdir "$work/build" "$work/raw"

# build_and_run ARGUMENT ...: cpp-tests.sh with counters; the programs stay in build/, the counts in raw/.
build_and_run() {
  TECTREE_CPP_KEEP=$work/build TECTREE_CPP_FLAGS="-fprofile-instr-generate -fcoverage-mapping" \
    LLVM_PROFILE_FILE="$work/raw/%m-%p.profraw" TECTREE_OBJECTS='' \
    sh "$tools/cpp-tests.sh" --plain clang++ "$@" >"$work/tests.log" || {
    cat "$work/tests.log"
    die "the tests fail"
  }
}

# The annotated source, and its numbers: KIND FILE PLACE COVERED, once per line and outcome of a condition.
# KIND is `line` or `branch`. A condition is listed once for each instantiation, with the same place.
show_places() {
  "$(llvm llvm-profdata)" merge -sparse "$work"/raw/*.profraw -o "$work/all.profdata"
  set --
  for program in "$work"/build/*.bin; do set -- "$@" -object "$program"; done
  shift # llvm-cov takes the first without an option
  "$(llvm llvm-cov)" show "$@" -instr-profile="$work/all.profdata" -show-branches=count \
    -show-instantiations=false "$root/inst/include/tectree" >"$work/source" 2>"$work/said" ||
    { cat "$work/said" >&2; die "llvm-cov fails"; }
  awk -v core="$root/inst/include/tectree/" '
    function outcome(place, text) {
      place = file "\t" place
      if (!(place in branches)) { branches[place] = 0; order[++n] = place }
      if (text != "0") branches[place] = 1
    }
    /^\/.*:$/ { file = substr($0, 1, length($0) - 1); sub(core, "", file); next }
    /^ *\|? *Branch \(/ || /\|  Branch \(/ {
      if ($0 ~ /Folded/) next
      match($0, /\([0-9:]+\)/)
      place = substr($0, RSTART + 1, RLENGTH - 2)
      match($0, /True: [^,]*/)
      outcome(place " true", substr($0, RSTART + 6, RLENGTH - 6))
      match($0, /False: [^]]*/)
      outcome(place " false", substr($0, RSTART + 7, RLENGTH - 7))
      next
    }
    /^ *[0-9]+\| *[0-9.]+[kMGTPE]?\|/ {
      split($0, part, "|")
      text = $0
      sub(/^[^|]*\|[^|]*\|/, "", text)
      if (text ~ /^}/) contract = 0
      if (text ~ /^[ \t]*(\/\/.*)?$/ || text ~ /^[][(){};, \t]*(\/\/.*)?$/) next
      if (text ~ /^constexpr bool [a-z_]+\([A-Za-z]*\) \{/) contract = 1
      if (contract) next
      gsub(/ /, "", part[1]); gsub(/ /, "", part[2])
      print "line\t" file "\t" part[1] "\t" (part[2] != "0")
    }
    END { for (i = 1; i <= n; i++) print "branch\t" order[i] "\t" branches[order[i]] }
  ' "$work/source" >"$work/places"
}

if [ -n "$planted" ]; then
  # A program of one file; then the same without its last test.
  build_and_run prune/test_rules
  show_places
  all=$(awk '{ n += $NF } END { print n }' "$work/places")
  rm "$work"/raw/*
  program=$(find "$work/build" -name '*.bin')
  sed -n 's/^TEST(\(.*\)) {$/\1/p' "$root/tests/cpp/prune/test_rules.cpp" | sed '$d' |
    while read -r test; do
      LLVM_PROFILE_FILE="$work/raw/%m-%p.profraw" "$program" "$test" >/dev/null
    done
  show_places
  fewer=$(awk '{ n += $NF } END { print n }' "$work/places")
  if [ "$fewer" -lt "$all" ]; then
    echo "a test that is left out is seen: $fewer of $all places are reached without it"
    echo "1 passed, 0 failed, 0 skipped"
    exit
  fi
  echo "FAILED: a test that is left out is not seen"
  echo "0 passed, 1 failed, 0 skipped"
  exit 1
fi

build_and_run "$@"
show_places
[ $# -eq 0 ] || line_aim=0 branch_aim=0
awk -F '\t' -v line_aim=$line_aim -v branch_aim=$branch_aim -v list="$list" '
  function percent(kind, name) {
    return all[kind, name] ? 100 * reached[kind, name] / all[kind, name] : 100
  }
  function print_one(label, name) {
    printf "%-46s %6.1f %% of %5d lines, %6.1f %% of %5d branches\n", label name,
      percent("line", name), all["line", name], percent("branch", name), all["branch", name]
  }
  function below(name) {
    return percent("line", name) < line_aim || percent("branch", name) < branch_aim
  }
  function judge(kind, aim) {
    if (percent(kind, "all") >= aim) { passed++; return }
    failed++
    printf "FAILED: %.1f %% of %s%s, the aim is %d %%\n", percent(kind, "all"), kind,
      kind == "branch" ? "es" : "s", aim
  }
  {
    folder = $2
    sub(/\/[^\/]*$/, "", folder)
    if (!(folder in seen)) { seen[folder]; folders[++n_folders] = folder }
    if (!($2 in known)) { known[$2]; files[++n_files] = $2 }
    if (list && !$4) left[++n_left] = $2 ":" $3
    all[$1, $2]++; all[$1, folder]++; all[$1, "all"]++
    reached[$1, $2] += $4; reached[$1, folder] += $4; reached[$1, "all"] += $4
  }
  END {
    for (i = 1; i <= n_left; i++) print left[i]
    for (i = 1; i <= n_folders; i++) print_one("", folders[i])
    for (i = 1; i <= n_files; i++) if (below(files[i])) print_one("below: ", files[i])
    print_one("", "all")
    judge("line", line_aim)
    judge("branch", branch_aim)
    printf "%d passed, %d failed, 0 skipped\n", passed, failed
    exit failed > 0
  }' "$work/places"
