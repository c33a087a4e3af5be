# shellcheck shell=sh
# `tools`, `root`, `work`, `mode` and `results` are set in test.sh, which reads what is set here.
# shellcheck disable=SC2034,SC2154
# The stages of test.sh, each a function, and what they are recorded by. After setup.sh.

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
  { have pandoc && [ -z "$(missing_r_packages knitr rmarkdown)" ]; } || vignettes=--no-build-vignettes
  # shellcheck disable=SC2086 # a word or none
  # With the flags of the check, which then finds everything compiled.
  (cd "$work" && R_MAKEVARS_USER=$work/check.mk R CMD build $vignettes "$root" >build.log 2>&1) ||
    { cat "$work/build.log" >&2; die "R CMD build failed"; }
}

# R CMD check as CRAN runs it, less what needs the network or LaTeX, and the vignettes, which the
# tarball has just been built with.
run_check() {
  say "R CMD check --as-cran"
  forced=false
  [ "$mode" != full ] || forced=true
  manual=
  have pdflatex || manual=--no-manual
  have tidy || export _R_CHECK_RD_VALIDATE_RD2HTML_=false
  (
    cd "$work"
    export NOT_CRAN=true TECTREE_RESULTS="$work/r-results" R_MAKEVARS_USER="$work/check.mk"
    export _R_CHECK_FORCE_SUGGESTS_=$forced _R_CHECK_CRAN_INCOMING_=false
    export _R_CHECK_CRAN_INCOMING_REMOTE_=false _R_CHECK_SYSTEM_CLOCK_=false
    R CMD check --as-cran --no-build-vignettes $manual tectree_*.tar.gz >check.out 2>&1
  ) || true
  log=$work/tectree.Rcheck/00check.log
  if [ ! -e "$log" ]; then
    cat "$work/check.out" >&2
    record fail check "R CMD check starts"
    return
  fi
  awk -v expected="$tools/expected-notes.txt" -f "$tools/check-items.awk" "$log" >"$work/items"
  cat "$work/items" >>"$results"
  grep -o 'expected note:.*' "$work/items" || true
  if grep -q '^fail' "$work/items"; then
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

# Style and structure; quick leaves out what takes longer than a few seconds.
run_rules() {
  rules=
  [ "$mode" != quick ] || rules="rooms tests names shellcheck clang-format"
  # shellcheck disable=SC2086 # a list of words
  TECTREE_RULES=$work/rules sh "$tools/rules.sh" $rules >"$work/rules.out" 2>&1 ||
    sed '$d' "$work/rules.out"
  if [ -s "$work/rules" ]; then
    cat "$work/rules" >>"$results"
  else
    record fail rules "the rules are looked at"
  fi
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
  if grep -q 'no clang++' "$work/cpp.err"; then record skip C++ "with clang++" 1 "no clang++ here"; fi
  if grep -q 'no compiler with sanitizers' "$work/cpp.err"; then
    record skip C++ "under sanitizers" 1 "no compiler with sanitizers here"
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
