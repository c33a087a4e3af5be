#!/bin/sh
# The checks before a change is merged, on a machine with a minimal Debian or Ubuntu (as root, or with
# sudo without a password) or with R installed:
#
#   sh tools/test.sh         R CMD check --as-cran; all R tests except the slow ones, and the C++ tests,
#                            each once; the rules of style and structure that take seconds
#   sh tools/test.sh full    what continuous integration runs: all tests and listed cases, and ten times
#                            as many random ones; also the website, a build without AVX2 and one with
#                            clang++ (which must grow the same trees), the C++ tests under sanitizers
#                            and with clang++, clang-tidy and lintr, and the R tests as on a bare machine
#                            (tools/bare.sh); fuzzes the core for a minute (tools/checks/fuzz.sh), and
#                            writes 40 faults into it (tools/checks/mutants.R)
#   sh tools/test.sh quick   for daily work: installs the package, compiled with -O0, and runs the R
#                            tests of all but the slow files (few cases; no shared data), the C++ tests
#                            that compile quickly, and the rules that take seconds
#   sh tools/test.sh r       like the first, without the C++ tests
#
# tools/README.md lists how long they take, and how to run one file. `full` installs everything that its
# tests use. The others use installed packages and Debian's builds of R packages: only the dependencies of
# tectree itself are compiled from CRAN, and nothing is downloaded from elsewhere. A test that needs more is
# skipped and counted. All commands print the time of each part and the output of parts that fail, list
# failures and end with `N passed, N failed, N skipped`; the exit status is 0 only if nothing failed. ccache
# is used if it is installed. TECTREE_CASES multiplies the number of random cases (1; `full`: 10),
# TECTREE_SEED is the first seed (0 to 99999; by default derived from the commit), see
# tests/testthat/helper-cases.R. TECTREE_SLOW=yes also runs the slow R tests. TECTREE_BARE=no leaves out the
# bare machine of `full`. TECTREE_DATA may name the folder of shared test data; by default it is
# ../shared/data beside the repository. The work tree is not changed.
set -eu
tools=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(dirname "$tools")
. "$tools/setup.sh"
. "$tools/extras.sh"
. "$tools/stages.sh"
use_utf8

mode=${1:-usual}
case $mode in
  usual | full | quick | r) ;;
  *) die "say 'sh tools/test.sh', 'sh tools/test.sh full', 'sh tools/test.sh quick' or 'sh tools/test.sh r'" ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"; [ -z "$beside" ] || kill $(echo "$beside" | cut -d " " -f 1)' EXIT
trap 'exit 1' INT TERM
results=$work/results
: >"$results"

stage install_needs

if [ -z "${TECTREE_DATA:-}" ] && [ -d "$root/../shared/data" ]; then
  TECTREE_DATA=$(CDPATH='' cd -- "$root/../shared/data" && pwd)
  export TECTREE_DATA
fi
MAKEFLAGS=${MAKEFLAGS:--j2}
export MAKEFLAGS
export TECTREE_REPLICATION="$root/replication" TESTTHAT_PARALLEL=TRUE TESTTHAT_CPUS=2

# The tests look for `python3`. The first on the path may lack scikit-learn, or be a script that takes
# longer to find the interpreter than the test takes to run.
tests_python=$("${sklearn_python:-python3}" -c 'import sys; print(sys.executable)' 2>/dev/null) || tests_python=
if [ -x "$tests_python" ]; then
  mkdir "$work/bin"
  printf '#!/bin/sh\nexec "%s" "$@"\n' "$tests_python" >"$work/bin/python3"
  chmod +x "$work/bin/python3"
  PATH=$work/bin:$PATH
fi

case $mode in
  quick) default_cases=0.5 ;;
  full) default_cases=10 ;;
  *) default_cases=1 ;;
esac
TECTREE_CASES=${TECTREE_CASES:-$default_cases}
TECTREE_SEED=${TECTREE_SEED:-$(seed_of_commit)}
export TECTREE_CASES TECTREE_SEED
[ "$mode" = full ] || export TECTREE_SLOW="${TECTREE_SLOW:-no}"
say "random cases: TECTREE_CASES=$TECTREE_CASES TECTREE_SEED=$TECTREE_SEED"

cpp_options=
if [ "$mode" = quick ]; then
  built=$work/lib
  cpp_options=--quick
  beside run_cpp_tests
  stage quick_install
  stage run_rules
  stage run_r_tests
else
  built=${TECTREE_BUILT:-$work/tectree.Rcheck}
  # CRAN's flags: a distribution's own may not be portable, and its debug symbols make the library large.
  write_makevars "$work/check.mk" "" "-O2 -Wall -pedantic"
  [ "$mode" != usual ] || cpp_options="--plain g++"
  if [ "$mode" = usual ] && have ccache; then stage build_searches; fi
  [ "$mode" != usual ] || beside run_cpp_tests
  stage build_tarball
  if [ "$mode" = full ]; then
    beside run_cpp_tests
    stage run_check
    beside run_site
    stage run_rules
    join
    beside run_other_builds
    stage run_r_tests
    if [ "${TECTREE_BARE:-yes}" = yes ]; then
      stage run_bare
    else
      record skip bare "the R side on a bare machine" 1 "TECTREE_BARE is $TECTREE_BARE"
    fi
    join
    stage run_fuzz
    stage run_mutants
  else
    # The check uses one processor, and takes most of its time after the installation.
    beside run_check
    wait_for_install
    beside run_rules
    stage run_r_tests
    for left in "the site" "builds without AVX2 and with clang++" "C++ tests under sanitizers" \
      "C++ tests with clang++" "clang-tidy and lintr" "the R side on a bare machine" "fuzzing" \
      "faults in the core"; do
      record skip full "$left" 1 "sh tools/test.sh full"
    done
  fi
fi
join

echo
print_slowest_files
awk -F '\t' '$1 == "fail" { print "FAILED  " $2 ": " $3 (($5 != "") ? "  (" $5 ")" : "") }' "$results"
# One line per file and reason for skipped tests; `quick` skips too many to list.
[ "$mode" = quick ] || awk -F '\t' '
  $1 == "skip" {
    key = $2 ($5 == "" ? "" : ": " $5)
    if (!(key in n)) order[++keys] = key
    n[key]++
    what[key] = $3
  }
  END {
    for (i = 1; i <= keys; i++)
      print "skipped " order[i] (n[order[i]] > 1 ? " (" n[order[i]] " tests)" : "  (" what[order[i]] ")")
  }' "$results"
awk -F '\t' '$2 ~ /[.]R$/ { n++; e += $4 }
  END { printf "R tests: %d, with %d expectations\n", n, e }' "$results"
awk -F '\t' '
  { n = $2 == "C++" ? $4 : 1 }
  $1 == "pass" { passed += n }
  $1 == "fail" { failed += n }
  $1 == "skip" { skipped++ }
  END {
    printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
    exit failed > 0 || passed == 0
  }' "$results"
