# shellcheck shell=sh
# `tools`, `root`, `work`, `mode` and `results` are set in test.sh, which reads what is set here.
# shellcheck disable=SC2034,SC2154
# The stages of test.sh, each a function, and the functions that record them. After setup.sh.

# One line of the results: pass, fail or skip; the suite; the item; how many; the message.
record() { printf '%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "${4:-1}" "${5:-}" >>"$results"; }
one_line() { printf '%s' "$1" | tr '\n\t' '  '; }

# Processor seconds of this shell and of the processes it has waited for; $1: its file for them.
read_processor() {
  times >"$1"
  processor=$(awk '{ gsub(/[ms]/, " "); s += $1 * 60 + $2 + $3 * 60 + $4 } END { printf "%.0f", s }' "$1")
}

# Runs a function, and prints how long it took.
stage() {
  read_processor "$work/$1.times"
  stage_processor=$processor
  stage_start=$(date +%s)
  "$1"
  read_processor "$work/$1.times"
  say "$1: $(($(date +%s) - stage_start)) s, $((processor - stage_processor)) s of processors"
}

# Runs a stage in parallel with the next ones, which leave a processor idle; `join` waits for all such
# stages, and prints and records their output. `beside`: one line each, the process and the stage.
beside=
beside() {
  (
    results=$work/$1.results ended=$work/$1.ended
    : >"$results"
    trap ': >"$ended"' EXIT
    stage "$1"
  ) >"$work/$1.said" 2>&1 &
  beside="$beside$! $1
"
}

join() {
  while read -r process name; do
    [ -n "$name" ] || continue
    wait "$process" || record fail "$name" "runs to its end"
    cat "$work/$name.said"
    cat "$work/$name.results" >>"$results"
  done <<END
$beside
END
  beside=
}

# The first seed of random cases: a number from 0 to 99999 that depends on the commit.
seed_of_commit() {
  commit=$(git -C "$root" rev-parse HEAD 2>/dev/null | cut -c 1-7)
  echo "$((0x${commit:-0} % 100000))"
}

# Compiler settings for one build: file, compiler (empty: R's own), flags.
write_makevars() {
  makevars_cxx=${2:-$(R CMD config CXX17)}
  ! have ccache || makevars_cxx="ccache ${makevars_cxx#ccache }"
  printf 'CXX17 = %s\nCXX17STD = -std=gnu++17\nCXX17FLAGS = %s\n' "$makevars_cxx" "$3" >"$1"
}

# The package's searches, for the C++ tests: with the flags of the check, whose installation then finds them
# in ccache.
build_searches() {
  mkdir "$work/searches"
  (cd "$root" && tar cf - inst/include src/*.h src/search_*.cpp) | tar xf - -C "$work/searches"
  grep -E '^(CXX_STD|PKG_)' "$root/src/Makevars" >"$work/searches/src/Makevars"
  (cd "$work/searches/src" && R_MAKEVARS_USER=$work/check.mk R CMD SHLIB -o searches.so \
    search_histogram.cpp search_sorted.cpp) >"$work/searches.log" 2>&1 ||
    { show_logs "$work/searches.log"; return; }
  export TECTREE_OBJECTS="$work/searches/src"
}

build_tarball() {
  if [ -n "${TECTREE_BUILT:-}" ]; then
    cp "$TECTREE_BUILT"/../tectree_*.tar.gz "$work"
    return
  fi
  say "building the tarball"
  vignettes=
  { have pandoc && [ -z "$(missing_r_packages knitr rmarkdown)" ]; } || vignettes=--no-build-vignettes
  # shellcheck disable=SC2086 # a word or none
  # With the flags of the check, which then finds everything compiled.
  (cd "$work" && R_MAKEVARS_USER=$work/check.mk R CMD build $vignettes "$root" >build.log 2>&1) ||
    { show_logs "$work/build.log" >&2; die "R CMD build failed"; }
}

# The last lines of logs, each under its name.
show_logs() {
  for shown in "$@"; do
    [ -s "$shown" ] || continue
    printf '\n--- %s\n' "$(basename "$shown")"
    tail -n 200 "$shown"
  done
}

# A CRAN site without packages: --as-cran looks there for packages that are not installed, and for orphaned
# ones. CRAN's own incoming check repeats that.
write_cran() {
  mkdir -p "$1/web/packages" "$1/src/contrib"
  : >"$1/src/contrib/PACKAGES"
  Rscript --vanilla -e '
    site <- commandArgs(TRUE)
    none <- data.frame(Package = character(), Maintainer = character())
    saveRDS(none, file.path(site, "web/packages/packages.rds"))
    known <- tools:::.read_repositories(file.path(R.home("etc"), "repositories"))
    known$URL <- paste0("file://", site)
    write.table(known, file.path(site, "repositories"), sep = "\t", quote = FALSE)' "$1"
}

# check_as_cran FOLDER TARBALL [OPTION ...]: R CMD check in FOLDER as on CRAN, without the parts that need
# the network or LaTeX, without the tests, which are a separate stage, and without the vignettes, which were
# just built for the tarball. `cran` names the folder of write_cran(); if empty, CRAN itself is asked.
# Writes FOLDER/check.out.
check_as_cran() {
  check_folder=$1
  check_tarball=$2
  shift 2
  have pdflatex || set -- --no-manual "$@"
  # The packages that build the vignettes are only suggested.
  [ -z "$(missing_r_packages knitr)" ] || set -- --ignore-vignettes "$@"
  (
    cd "$check_folder"
    have tidy || export _R_CHECK_RD_VALIDATE_RD2HTML_=false
    # Without qpdf, which makes PDF files smaller, the check warns, even if there are no PDF files.
    have qpdf || export R_QPDF=true
    [ -z "$cran" ] || export R_CRAN_WEB="file://$cran" R_REPOSITORIES="$cran/repositories"
    export NOT_CRAN=true _R_CHECK_CRAN_INCOMING_=false
    export _R_CHECK_CRAN_INCOMING_REMOTE_=false _R_CHECK_SYSTEM_CLOCK_=false
    R CMD check --as-cran --no-tests --no-build-vignettes "$@" "$check_tarball" >check.out 2>&1
  ) || true
}

# count_check FOLDER PACKAGE: writes the items of the check's log into FOLDER/items.
count_check() {
  count_log=$1/$2.Rcheck/00check.log
  if [ -e "$count_log" ]; then
    awk -v expected="$tools/expected-notes.txt" -f "$tools/check-items.awk" "$count_log" >"$1/items"
  else
    printf 'fail\tcheck\tR CMD check starts\t1\t\n' >"$1/items"
  fi
}

run_check() {
  say "R CMD check --as-cran --no-tests"
  cran=$work/cran
  write_cran "$cran"
  forced=false
  [ "$mode" != full ] || forced=true
  set --
  # The packages that `sh tools/test.sh full` has already installed, for tools/bare.sh.
  [ -z "${TECTREE_BUILT:-}" ] ||
    set -- "--install=check:$TECTREE_BUILT/00install.out" --library="$TECTREE_BUILT"
  R_MAKEVARS_USER=$work/check.mk _R_CHECK_FORCE_SUGGESTS_=$forced \
    check_as_cran "$work" "$(basename "$work"/tectree_*.tar.gz)" "$@"
  count_check "$work" tectree
  cat "$work/items" >>"$results"
  grep -o 'expected note:.*' "$work/items" || true
  if grep -q '^fail' "$work/items"; then
    show_logs "$work/check.out" "$work/tectree.Rcheck/00install.out"
  fi
}

# Waits until the parallel check has installed the package, or has ended.
wait_for_install() {
  until [ -e "$work/run_check.ended" ] ||
    grep -q 'checking installed package size' "$work/check.out" 2>/dev/null; do
    sleep 1
  done
}

# The tests of the package installed in the library `built`, in two processes. If one of these crashes, all
# tests run once more: only a second crash is a failure, the first is reported.
run_r_tests() {
  mkdir "$work/tests"
  (cd "$root/tests" && tar cf - testthat testthat.R) | tar xf - -C "$work/tests"
  # One of the tests runs the code of README and looks at its links.
  cp -r "$root/README.md" "$root/.Rbuildignore" "$root/vignettes" "$work"
  if ! tests_end; then
    say "a test process crashed, so all R tests are run again"
    record skip testthat "a test process crashed" 1 "$crash"
    tests_end || record fail testthat "the tests run to their end" 1 "$crash"
  fi
  [ ! -e "$work/r-results" ] || cat "$work/r-results" >>"$results"
}

# R exits with an error if tests fail; if none failed, a process has crashed: `crash` says how.
tests_end() {
  crash=
  rm -f "$work/r-results" "$work/r-times"
  (
    cd "$work/tests"
    export R_LIBS="$built${R_LIBS:+:$R_LIBS}" NOT_CRAN=true
    export TECTREE_RESULTS="$work/r-results" TECTREE_TIMES="$work/r-times"
    [ "$mode" != quick ] || export NOT_CRAN=false TECTREE_DATA="$work/none"
    Rscript --vanilla testthat.R >"$work/r-tests.out" 2>&1
  ) && [ -s "$work/r-results" ] && return
  show_logs "$work/r-tests.out"
  grep -q '^fail' "$work/r-results" 2>/dev/null && return
  crash=$(one_line "$(grep -A 2 '^!' "$work/r-tests.out")")
  return 1
}

# The processor seconds of the slowest test files.
print_slowest_files() {
  [ -s "$work/r-times" ] || return 0
  echo "Processor seconds of the slowest test files:"
  awk '{ s[$1] += $2; all += $2 }
    END { for (file in s) printf "%7.1f  %s\n", s[file], file; printf "%7.1f  all\n", all }' \
    "$work/r-times" | sort -rn | head -n 11
}

# Installs the current package into its own library.
quick_install() {
  mkdir "$work/tectree" "$work/lib"
  (cd "$root" && tar cf - --exclude=.git --exclude='src/*.o' --exclude='src/*.so' .) |
    tar xf - -C "$work/tectree"
  # -O0 saves a third of the compile time, which is more than the tests lose.
  write_makevars "$work/quick.mk" "" "-O0"
  R_MAKEVARS_USER=$work/quick.mk R CMD INSTALL --no-docs --no-test-load --library="$work/lib" \
    "$work/tectree" >"$work/install.log" 2>&1 ||
    { show_logs "$work/install.log" >&2; die "R CMD INSTALL failed"; }
}

# Style and structure; only `full` runs the rules that take longer than a few seconds.
run_rules() {
  rules=
  [ "$mode" = full ] || rules="rooms layers tests names standards shellcheck clang-format"
  # shellcheck disable=SC2086 # a list of words
  TECTREE_RULES=$work/rules sh "$tools/rules.sh" $rules >"$work/rules.out" 2>&1 ||
    sed '$d' "$work/rules.out"
  if [ -s "$work/rules" ]; then
    cat "$work/rules" >>"$results"
  else
    record fail rules "the rules are looked at"
  fi
}

# The whole site from the checked build, without the network: the index, which must name every topic, then
# the home page, the reference, the articles and the news.
run_site() {
  if ! Rscript --vanilla -e 'library(pkgdown)' >/dev/null 2>&1; then
    record skip site "the whole site is built" 1 "no pkgdown here"
    return
  fi
  say "the site"
  mkdir "$work/site"
  (cd "$root" && tar cf - --exclude=.git .) | tar xf - -C "$work/site"
  if said=$(R_LIBS="$built${R_LIBS:+:$R_LIBS}" Rscript --vanilla -e '
    options(pkgdown.internet = FALSE)
    # To link to a package that is not installed, downlit reads the list of CRAN.
    assignInNamespace("CRAN_urls", function() data.frame(Package = character(), URL = character()), "downlit")
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

# Installs the package with the given Makevars into its own library and compares its trees with those of the
# checked build.
compare_build() {
  build_name=$1
  build_lib=$work/lib-$2
  mkdir -p "$build_lib"
  say "$build_name"
  # The compiler of R code takes longer than the few trees.
  if ! R_MAKEVARS_USER=$3 R CMD INSTALL --no-docs --no-test-load --no-byte-compile \
    --library="$build_lib" "$work"/tectree_*.tar.gz >"$build_lib.log" 2>&1; then
    show_logs "$build_lib.log"
    record fail builds "$build_name: installs"
  elif said=$(Rscript --vanilla "$tools/smoke.R" "$build_lib" "$work/digest.rds" 2>&1); then
    record pass builds "$build_name: the same trees"
  else
    record fail builds "$build_name: the same trees" 1 "$(one_line "$said")"
  fi
}

run_other_builds() {
  if ! said=$(Rscript --vanilla "$tools/smoke.R" "$built" "$work/digest.rds" 2>&1)
  then
    record fail builds "the checked build grows trees to compare with" 1 "$(one_line "$said")"
    return
  fi
  # Unoptimized: the C++ tests cover the optimizers of both compilers.
  write_makevars "$work/plain.mk" "" "-O0 -DTECTREE_PLAIN"
  compare_build "without AVX2" plain "$work/plain.mk"
  if have clang++; then
    write_makevars "$work/clang.mk" clang++ "-O0"
    compare_build "with clang++" clang "$work/clang.mk"
  else
    record skip builds "with clang++" 1 "no clang++ here"
  fi
}

# The R tests as on a machine without optional programs, packages and network; with the package already
# built.
run_bare() {
  if [ ! -e "$built/tectree/Meta/package.rds" ]; then
    record fail bare "the checked build is there to test"
    return
  fi
  # The random cases were run on this machine.
  if TECTREE_CASES=1 TECTREE_BUILT=$built sh "$tools/bare.sh" >"$work/bare.out" 2>&1; then
    bare=pass
  else
    bare=fail
  fi
  if [ $bare = fail ]; then
    show_logs "$work/bare.out"
    grep '^FAILED' "$work/bare.out" || true # may be above what the log shows
  fi
  record $bare bare "the R side on a bare machine" 1 "$(tail -n 1 "$work/bare.out")"
}

# The C++ tests; `cpp_options`: which.
run_cpp_tests() {
  # shellcheck disable=SC2086 # words
  sh "$tools/cpp-tests.sh" $cpp_options >"$work/cpp.out" 2>"$work/cpp.err" || true
  cat "$work/cpp.err"
  if grep -q 'no clang++' "$work/cpp.err"; then record skip C++ "with clang++" 1 "no clang++ here"; fi
  if grep -q 'no compiler with sanitizers' "$work/cpp.err"; then
    record skip C++ "under sanitizers" 1 "no compiler with sanitizers here"
  fi
  counts=$(tail -n 1 "$work/cpp.out")
  case $counts in
    [0-9]*" passed, "[0-9]*" failed") ;;
    *) counts="0 passed, 1 failed" ;;
  esac
  say "C++ tests: $counts"
  cpp_passed=${counts%% *}
  [ "$cpp_passed" -eq 0 ] || record pass C++ "tests" "$cpp_passed"
  cpp_failed=${counts#*passed, }
  cpp_failed=${cpp_failed%% *}
  [ "$cpp_failed" -eq 0 ] && return
  cat "$work/cpp.out"
  record fail C++ "tests" "$cpp_failed" "$(one_line "$(grep '^FAILED' "$work/cpp.out")")"
}

# Every fuzz target for a minute, and whether one of them finds a planted fault.
run_fuzz() {
  {
    sh "$tools/checks/fuzz.sh" all 60s || true
    sh "$tools/checks/fuzz.sh" --planted model 60s || true
  } >"$work/fuzz.out" 2>&1
  if grep -q 'no clang++ with libFuzzer' "$work/fuzz.out"; then
    record skip fuzz "the core is fuzzed" 1 "no clang++ with libFuzzer here"
    return
  fi
  grep -E 'no finding$|fault is found|^FAILED' "$work/fuzz.out" >"$work/fuzz.lines" || true
  while read -r line; do
    case $line in
      FAILED*) record fail fuzz "${line#FAILED: }" ;;
      *) record pass fuzz "$line" && say "$line" ;;
    esac
  done <"$work/fuzz.lines"
  # One line per target, and one for the planted fault.
  wanted=$(($(find "$root/tests/cpp/fuzz" -name 'fuzz_*.cpp' | wc -l) + 1))
  [ "$(wc -l <"$work/fuzz.lines")" -ge "$wanted" ] || record fail fuzz "every target runs"
  if [ "$(wc -l <"$work/fuzz.lines")" -lt "$wanted" ] || grep -q '^FAILED' "$work/fuzz.lines"; then
    show_logs "$work/fuzz.out"
  fi
}

# Faults in the core, drawn by the seed; whether the fast tests find as many of them as usual.
run_mutants() {
  if TECTREE_CASES=1 Rscript --vanilla "$tools/checks/mutants.R" --faults=40 --seed="$TECTREE_SEED" \
    --longest=3 --share=0.6 --work="$work/mutants" >"$work/mutants.out" 2>&1; then
    said=$(tail -n 1 "$work/mutants.out")
    record pass mutants "tests find faults in the core"
    say "$said"
  else
    show_logs "$work/mutants.out"
    record fail mutants "tests find faults in the core" 1 "$(tail -n 1 "$work/mutants.out")"
  fi
}
