#!/bin/sh
# The checks before a change is merged, on a machine with a minimal Debian or Ubuntu (as root, or with
# sudo without a password) or with R installed:
#
#   sh tools/test.sh         every R test and every C++ test, the latter under sanitizers; R CMD check
#                            --as-cran; the rules of style and structure
#   sh tools/test.sh full    what continuous integration runs: also the website, a build without
#                            AVX2 and one with clang++ (which must grow the same trees), and the C++
#                            tests with clang++
#   sh tools/test.sh quick   for daily work: installs the package, compiled with -O0, and runs the R
#                            tests that CRAN runs (a twentieth of the random cases, a few of the
#                            listed ones; no shared data), the C++ tests that compile quickly, and the
#                            rules that take seconds
#
# `full` installs everything that its tests use. The others use what is installed and Debian's builds of
# R packages: only the dependencies of tectree itself are compiled from CRAN, and nothing is downloaded
# from elsewhere. A test that needs more is skipped and counted. All print the time of each part, list
# failures and end with `N passed, N failed, N skipped`; the exit status is 0 only where nothing failed.
# ccache is used if it is installed.
# TECTREE_DATA may name the folder of shared test data; ../shared/data beside the repository is
# found without it. The work tree is not written to.
set -eu
tools=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(dirname "$tools")
. "$tools/setup.sh"
. "$tools/extras.sh"
. "$tools/stages.sh"
use_utf8

mode=${1:-usual}
case $mode in
  usual | full | quick) ;;
  *) die "say 'sh tools/test.sh', 'sh tools/test.sh full' or 'sh tools/test.sh quick'" ;;
esac

need_r
# shellcheck disable=SC2046 # lists of words
need_r_packages $(package_needs Imports LinkingTo) testthat withr || die "still missing: $r_missing"
need_command ccache ccache || say "no ccache: everything is compiled anew"
if [ "$mode" = full ]; then
  need_libpq || say "no libpq: there may be no driver for PostgreSQL"
  # shellcheck disable=SC2046
  need_r_packages $(package_needs Suggests) || die "still missing: $r_missing"
  # shellcheck disable=SC2046
  need_r_packages $(package_needs Config/Needs/website) || say "no pkgdown: the site is not built"
  need_r_packages lintr || say "no lintr"
  need_command shellcheck shellcheck || say "no shellcheck"
  need_command clang-format clang-format || say "no clang-format"
  need_command clang-tidy clang-tidy || say "no clang-tidy"
  need_command pandoc pandoc || say "no pandoc: the check of README.md and NEWS.md is left out"
  need_command tidy tidy || say "no tidy: the check of the HTML manual is left out"
  need_command qpdf qpdf || say "no qpdf"
  need_command clang++ clang || say "no clang++: the build and the C++ tests with it are left out"
  need_postgresql || say "no PostgreSQL: SQL is tested on SQLite alone"
  need_duckdb || say "no DuckDB: trees in databases are tested without it"
  need_mpi || say "no MPI: clusters of processes are tested by sockets alone"
  need_command node nodejs || say "no node: JavaScript is not tested"
  need_command rustc rustc || say "no rustc: Rust is not tested"
  need_onnx_runtime || say "no onnxruntime-web: ONNX models are not run"
  find_scikit_learn || say "no scikit-learn: the tests against it are left out"
  need_python_module onnx || say "no python3-onnx: ONNX models are not checked"
  need_python_module jsonschema || say "no python3-jsonschema: JSON is not checked by its schema"
  need_command chromium chromium || say "no chromium: the tests of the page are left out"
else
  # shellcheck disable=SC2046
  debian_r_packages $(package_needs Suggests)
  [ -z "$r_missing" ] || say "what needs these is skipped: $r_missing"
  need_duckdb find || true
fi

if [ -z "${TECTREE_DATA:-}" ] && [ -d "$root/../shared/data" ]; then
  TECTREE_DATA=$(CDPATH='' cd -- "$root/../shared/data" && pwd)
  export TECTREE_DATA
fi
MAKEFLAGS=${MAKEFLAGS:--j2}
export MAKEFLAGS
export TECTREE_REPLICATION="$root/replication" TESTTHAT_PARALLEL=TRUE TESTTHAT_CPUS=2

work=$(mktemp -d)
cpp_process=
trap '[ -z "$cpp_process" ] || kill "$cpp_process"; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
results=$work/results
: >"$results"
if [ "$mode" = full ]; then
  find_axe "$work/axe" || say "no axe-core: the page is not searched for barriers"
  export TECTREE_AXE="$axe_file"
  find_pmml_schema "$work/pmml" || say "no schema of PMML: documents are not checked by it"
  export TECTREE_PMML="$pmml_schema"
fi
if [ -n "${sklearn_python:-}" ]; then
  # The tests look for `python3`, and the first on the path may be one without scikit-learn.
  mkdir "$work/bin"
  ln -s "$sklearn_python" "$work/bin/python3"
  PATH=$work/bin:$PATH
fi

if [ "$mode" = quick ]; then
  stage quick_install
  start_cpp_tests --quick
  stage run_rules
  stage quick_r_tests
else
  # CRAN's flags: a distribution's own may not be portable, and its debug symbols make the library
  # large.
  write_makevars "$work/check.mk" "" "-O2 -Wall -pedantic"
  stage build_tarball
  if [ "$mode" = full ]; then start_cpp_tests; else start_cpp_tests g++; fi
  stage run_check
  stage run_rules
  if [ "$mode" = full ]; then
    stage run_site
    stage run_other_builds
  else
    for left in "the site" "builds without AVX2 and with clang++" "C++ tests with clang++"; do
      record skip full "$left" 1 "sh tools/test.sh full"
    done
  fi
fi
stage end_cpp_tests

echo
awk -F '\t' '$1 == "fail" { print "FAILED  " $2 ": " $3 (($5 != "") ? "  (" $5 ")" : "") }' "$results"
[ "$cpp_failed" -eq 0 ] || grep -h '^FAILED' "$work/cpp.out" || true
# A line for what is skipped in one file for one reason; quick skips more than anybody would read.
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
awk -F '\t' -v passed="$cpp_passed" -v failed="$cpp_failed" '
  $1 == "pass" { passed++ }
  $1 == "fail" { failed++ }
  $1 == "skip" { skipped++ }
  END {
    printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
    exit failed > 0 || passed == 0
  }' "$results"
