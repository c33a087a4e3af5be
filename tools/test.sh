#!/bin/sh
# Everything that must hold before a change lands, on a machine with nothing but a Debian or Ubuntu
# base (as root, or where sudo asks for no password) or with an R already there:
#
#   sh tools/test.sh         all of it
#   sh tools/test.sh quick   for daily work
#
# Installs what the tests need, builds the tarball, runs R CMD check --as-cran on it with every
# test, builds the site (where pkgdown is there), builds the package without AVX2 and with clang++
# (where that is there) and compares the trees, and beside all that runs the C++ tests under
# sanitizers. `quick` installs the package, compiled with -O0, and runs the R tests that CRAN runs
# (a twentieth of the random cases, a few of those that are listed; no shared data) and beside them
# the C++ tests that compile soon, without sanitizers. Both say how long each part took, list what
# failed and end with `N passed, N failed, N skipped`; the exit status is 0 only where nothing
# failed.
# ccache, where it is there, compiles nothing a second time.
# TECTREE_DATA may name the folder of shared test data; ../shared/data beside the repository is
# found without it. The work tree is not written to.
set -eu
tools=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(dirname "$tools")
. "$tools/setup.sh"
use_utf8

case ${1:-all} in
  all | quick) mode=${1:-all} ;;
  *) die "say 'sh tools/test.sh' or 'sh tools/test.sh quick'" ;;
esac

need_r
# shellcheck disable=SC2046 # a list of words
need_r_packages $(package_needs Imports LinkingTo Suggests) || die "still missing: $r_missing"
need_command ccache ccache || say "no ccache: everything is compiled anew"
if [ "$mode" = all ]; then
  # shellcheck disable=SC2046
  need_r_packages $(package_needs Config/Needs/website) || say "no pkgdown: the site is not built"
  need_command pandoc pandoc || say "no pandoc: the check of README.md and NEWS.md is left out"
  need_command tidy tidy || say "no tidy: the check of the HTML manual is left out"
  need_command qpdf qpdf || say "no qpdf"
  need_clang || say "no clang++: the build and the C++ tests with it are left out"
  need_postgresql || say "no PostgreSQL: SQL is tested on SQLite alone"
  need_command node nodejs || say "no node: JavaScript is not tested"
  need_onnx_runtime || say "no onnxruntime-web: ONNX models are not run"
  find_scikit_learn || say "no scikit-learn: the tests against it are left out"
  need_python_module onnx || say "no python3-onnx: ONNX models are not checked"
  need_python_module jsonschema || say "no python3-jsonschema: JSON is not checked by its schema"
  need_command chromium chromium || say "no chromium: the tests of the page are left out"
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
if [ "$mode" = all ]; then
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
: >"$results"

# One line of the results: pass, fail or skip; the suite; what; how many; what was said.
record() { printf '%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "${4:-1}" "${5:-}" >>"$results"; }
one_line() { printf '%s' "$1" | tr '\n\t' '  '; }

# Processor seconds of this script and of all that it has waited for.
read_processor() {
  times >"$work/times"
  processor=$(awk '{ gsub(/[ms]/, " "); s += $1 * 60 + $2 + $3 * 60 + $4 } END { printf "%.0f", s }' \
    "$work/times")
}

# Runs a function, and says how long it took.
stage() {
  read_processor
  stage_processor=$processor
  stage_start=$(date +%s)
  "$1"
  read_processor
  say "$1: $(($(date +%s) - stage_start)) s, $((processor - stage_processor)) s of processors"
}

# Compiler settings for one build: file, compiler (empty: R's own), flags.
write_makevars() {
  makevars_cxx=${2:-$(R CMD config CXX17)}
  ! have ccache || makevars_cxx="ccache ${makevars_cxx#ccache }"
  printf 'CXX17 = %s\nCXX17STD = -std=gnu++17\nCXX17FLAGS = %s\n' "$makevars_cxx" "$3" >"$1"
}

build_tarball() {
  say "building the tarball"
  vignettes=
  have pandoc || vignettes=--no-build-vignettes
  # shellcheck disable=SC2086 # a word or none
  # With the flags of the check, which then finds everything compiled.
  (cd "$work" && R_MAKEVARS_USER=$work/check.mk R CMD build $vignettes "$root" >build.log 2>&1) ||
    { cat "$work/build.log" >&2; die "R CMD build failed"; }
}

# R CMD check as CRAN runs it, less what needs the network or LaTeX, and the vignettes, which the
# tarball has just been built with.
run_check() {
  say "R CMD check --as-cran"
  manual=
  have pdflatex || manual=--no-manual
  have tidy || export _R_CHECK_RD_VALIDATE_RD2HTML_=false
  (
    cd "$work"
    export NOT_CRAN=true TECTREE_RESULTS="$work/r-results" R_MAKEVARS_USER="$work/check.mk"
    export _R_CHECK_FORCE_SUGGESTS_=true _R_CHECK_CRAN_INCOMING_=false
    export _R_CHECK_CRAN_INCOMING_REMOTE_=false _R_CHECK_SYSTEM_CLOCK_=false
    R CMD check --as-cran --no-build-vignettes $manual tectree_*.tar.gz >check.out 2>&1
  ) || true
  log=$work/tectree.Rcheck/00check.log
  if [ ! -e "$log" ]; then
    cat "$work/check.out" >&2
    record fail check "R CMD check starts"
    return
  fi
  awk -f "$tools/check-items.awk" "$log" >>"$results"
  if grep -q '^fail' "$results"; then
    cat "$log"
    (cd "$work/tectree.Rcheck" && cat 00install.out tests/testthat.Rout.fail) 2>/dev/null || true
  fi
  take_r_results
}

take_r_results() {
  if [ -s "$work/r-results" ]; then
    cat "$work/r-results" >>"$results"
  else
    record fail testthat "the tests run to their end"
  fi
}

# The package as it is now, into a library of its own.
quick_install() {
  mkdir "$work/tectree" "$work/lib"
  (cd "$root" && tar cf - --exclude=.git --exclude='src/*.o' --exclude='src/*.so' .) |
    tar xf - -C "$work/tectree"
  # The compiler's third that -O0 saves is more than the tests lose.
  write_makevars "$work/quick.mk" "" "-O0"
  R_MAKEVARS_USER=$work/quick.mk R CMD INSTALL --no-docs --no-test-load --library="$work/lib" \
    "$work/tectree" >"$work/install.log" 2>&1 ||
    { tail -n 40 "$work/install.log" >&2; die "R CMD INSTALL failed"; }
}

quick_r_tests() {
  (
    cd "$work/tectree/tests"
    export R_LIBS="$work/lib${R_LIBS:+:$R_LIBS}" TECTREE_RESULTS="$work/r-results"
    NOT_CRAN=false TECTREE_DATA=$work/none Rscript --vanilla testthat.R >"$work/r-tests.out" 2>&1
  ) || cat "$work/r-tests.out"
  take_r_results
}

# The whole site from the checked build and without the network: the index, which must name every
# topic, then the home page, the reference, the articles and the news.
run_site() {
  if ! Rscript --vanilla -e 'library(pkgdown)' >/dev/null 2>&1; then
    record skip site "the whole site is built" 1 "no pkgdown here"
    return
  fi
  say "the site"
  mkdir "$work/site"
  (cd "$root" && tar cf - --exclude=.git .) | tar xf - -C "$work/site"
  if said=$(R_LIBS="$work/tectree.Rcheck${R_LIBS:+:$R_LIBS}" Rscript --vanilla -e '
    options(pkgdown.internet = FALSE)
    pkg <- pkgdown::as_pkgdown(commandArgs(TRUE))
    pkgdown::check_pkgdown(pkg)
    pkgdown::build_site(pkg, preview = FALSE, install = FALSE, new_process = FALSE)
    pages <- c("index", "reference/index", "articles/index", "news/index")
    stopifnot(file.exists(file.path(pkg$dst_path, paste0(pages, ".html"))))' "$work/site" 2>&1); then
    record pass site "the whole site is built"
  else
    record fail site "the whole site is built" 1 "$(one_line "$said" | tail -c 2000)"
  fi
}

# Installs the package with the given Makevars into a library of its own and compares its trees
# with those of the checked build.
compare_build() {
  build_name=$1
  build_lib=$work/lib-$2
  mkdir -p "$build_lib"
  say "$build_name"
  if ! R_MAKEVARS_USER=$3 R CMD INSTALL --no-docs --no-test-load --library="$build_lib" \
    "$work"/tectree_*.tar.gz >"$build_lib.log" 2>&1; then
    tail -n 40 "$build_lib.log"
    record fail builds "$build_name: installs"
  elif said=$(Rscript --vanilla "$tools/smoke.R" "$build_lib" "$work/digest.rds" 2>&1); then
    record pass builds "$build_name: the same trees"
  else
    record fail builds "$build_name: the same trees" 1 "$(one_line "$said")"
  fi
}

run_other_builds() {
  if ! said=$(Rscript --vanilla "$tools/smoke.R" "$work/tectree.Rcheck" "$work/digest.rds" 2>&1)
  then
    record fail builds "the checked build grows trees to compare with" 1 "$(one_line "$said")"
    return
  fi
  # Unoptimized: the C++ tests run what the optimizers of both compilers make.
  write_makevars "$work/plain.mk" "" "-O0 -DTECTREE_PLAIN"
  compare_build "without AVX2" plain "$work/plain.mk"
  if have clang++; then
    write_makevars "$work/clang.mk" clang++ "-O0"
    compare_build "with clang++" clang "$work/clang.mk"
  else
    record skip builds "with clang++" 1 "no clang++ here"
  fi
}

# The C++ tests run beside the rest, which leaves a processor idle much of the time.
start_cpp_tests() {
  sh "$tools/cpp-tests.sh" "$@" >"$work/cpp.out" 2>"$work/cpp.err" &
  cpp_process=$!
}

end_cpp_tests() {
  wait "$cpp_process" || true
  cpp_process=
  cat "$work/cpp.err" >&2
  if grep -q 'no clang++' "$work/cpp.err"; then
    record skip C++ "with clang++" 1 "no clang++ with sanitizers here"
  fi
  counts=$(tail -n 1 "$work/cpp.out")
  case $counts in
    [0-9]*" passed, "[0-9]*" failed") ;;
    *) counts="0 passed, 1 failed" ;;
  esac
  case $counts in
    *" 0 failed") ;;
    *) cat "$work/cpp.out" "$work/cpp.err" ;;
  esac
  cpp_passed=${counts%% *}
  cpp_failed=${counts#*passed, }
  cpp_failed=${cpp_failed%% *}
  say "C++ tests: $counts"
}

if [ "$mode" = quick ]; then
  stage quick_install
  start_cpp_tests --quick
  stage quick_r_tests
else
  # CRAN's flags: a distribution's own may not be portable, and its debug symbols make the library
  # large.
  write_makevars "$work/check.mk" "" "-O2 -Wall -pedantic"
  stage build_tarball
  start_cpp_tests
  stage run_check
  stage run_site
  stage run_other_builds
fi
stage end_cpp_tests

echo
awk -F '\t' -v mode="$mode" '
  $1 == "fail" { print "FAILED  " $2 ": " $3 (($5 != "") ? "  (" $5 ")" : "") }
  $1 == "skip" && mode == "all" { print "skipped " $2 ": " $3 (($5 != "") ? "  (" $5 ")" : "") }' "$results"
[ "$cpp_failed" -eq 0 ] || grep -h '^FAILED' "$work/cpp.out" || true
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
