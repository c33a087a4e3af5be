# shellcheck shell=sh
# Scripts set variables for these functions and read what they set.
# shellcheck disable=SC2034,SC2154
# Functions for the checks in tools/checks/, which source this file after they have set `checks` to its
# folder. It defines `work`, a temporary folder, and `root`, the project: with --planted a copy of it in
# `work`, in which the check writes a fault that it must find. `all` is set by --all. POSIX sh.
tools=$(dirname "$checks")
root=$(dirname "$tools")
# shellcheck source=../setup.sh
. "$tools/setup.sh"

need_cpp
work=$build
passed=0 failed=0 skipped=0 planted='' all=''
for argument in "$@"; do
  case $argument in
    --planted) planted=yes ;;
    --all) all=yes ;;
  esac
done

# copy_project FOLDER: what the package and its C++ tests are compiled from.
copy_project() {
  mkdir -p "$1"
  (cd "$root" && tar cf - --exclude='*.o' --exclude='*.so' --exclude=vignettes/articles DESCRIPTION \
    NAMESPACE NEWS.md R man data inst src tests tools) | tar xf - -C "$1"
}
[ -z "$planted" ] || { copy_project "$work/project" && root=$work/project; }
# ccache finds what was compiled in another folder.
export CCACHE_BASEDIR="$root" CCACHE_NOHASHDIR=1
cd "$root" || exit 1

# plant FILE EXPRESSION: changes a file of the copy with sed. Fails if that changes nothing.
plant() {
  sed "$2" "$root/$1" >"$work/changed"
  ! cmp -s "$work/changed" "$root/$1" || die "the fault changes nothing in $1"
  cat "$work/changed" >"$root/$1"
}

# Results of one item. A failure may name a file with details.
pass() { passed=$((passed + 1)) && echo "passed: $1"; }
skip() { skipped=$((skipped + 1)) && echo "skipped: $1"; }
fail() {
  failed=$((failed + 1))
  echo "FAILED: $1"
  [ -n "$planted" ] || [ -z "${2:-}" ] || tail -n 40 "$2"
}

# verdict NAME LOG COMMAND ...: passes if the command succeeds. A planted fault must be named in the log
# by the words in `symptom`, so that a check that fails for another reason does not count.
verdict() {
  verdict_name=$1 verdict_log=$2
  shift 2
  if "$@" >"$verdict_log" 2>&1; then
    pass "$verdict_name"
  elif [ -n "$planted" ] && ! grep -qE "$symptom" "$verdict_log"; then
    tail -n 40 "$verdict_log"
    die "$verdict_name fails, but not by the planted fault"
  else
    fail "$verdict_name" "$verdict_log"
  fi
}

# Prints the counts. With --planted, the check passes if everything that ran failed.
finish() {
  if [ -n "$planted" ] && [ $((passed + failed)) -gt 0 ]; then
    if [ "$passed" -eq 0 ]; then
      echo "the planted fault is seen" && passed=1 failed=0
    else
      echo "FAILED: the planted fault is not seen" && passed=0 failed=1
    fi
  fi
  echo "$passed passed, $failed failed, $skipped skipped"
  [ "$failed" -eq 0 ]
}

# works COMPILER FLAGS: whether a program compiled with these flags runs.
works() {
  printf 'int main() { return 0; }\n' >"$work/try.cpp"
  have "$1" && compile_cpp "$1" "$2" "$work/try.cpp" "$work/try.o" >/dev/null 2>&1 &&
    link_cpp "$1" "$2" "$work/try" "$work/try.o" >/dev/null 2>&1 && "$work/try" >/dev/null 2>&1
}

# program NAME COMPILER FLAGS LINK_FLAGS SOURCE ...: compiles and links a program $work/NAME.
program() {
  program_name=$1 program_compiler=$2 program_flags="$3 -DTECTREE_SEARCHES_APART -I$root/src" program_link=$4
  shift 4
  program_objects=
  for program_source in "$@"; do
    program_object=$work/$program_name-$(basename "$program_source" .cpp).o
    compile_cpp "$program_compiler" "$program_flags" "$program_source" "$program_object" || return 1
    program_objects="$program_objects $program_object"
  done
  # shellcheck disable=SC2086 # a list of files
  link_cpp "$program_compiler" "$program_flags $program_link" "$work/$program_name" $program_objects
}

# install LIBRARY COMPILER FLAGS [LINK_FLAGS]: the package, compiled with these flags.
install() {
  mkdir -p "$1" "$1.src"
  copy_project "$1.src"
  install_cxx=$2
  ! have ccache || install_cxx="ccache $2"
  printf 'CXX17 = %s\nCXX17STD = -std=gnu++17\nCXX17FLAGS = %s\nLDFLAGS = %s\n' "$install_cxx" "$3" \
    "${4:-}" >"$1.mk"
  R_MAKEVARS_USER=$1.mk CCACHE_BASEDIR=$1.src R CMD INSTALL --no-docs --no-test-load --no-byte-compile \
    --library="$1" "$1.src" >"$1.log" 2>&1 || { cat "$1.log" >&2; die "the package does not install: $2 $3"; }
}

# r_tests LIBRARY FILES: the test files that a regular expression names, without `test-`.
r_tests() { Rscript --no-init-file "$checks/run-tests.R" "$1" "$root/tests/testthat" "$2"; }

# installed: sets `library` to one with the package: TECTREE_BUILT, such as that of a finished R CMD check;
# otherwise, or if `fault_in` is C++, compiled with the flags of tools/test.sh, so
# that ccache has most of it. A fault planted in R is installed beside the compiled code of TECTREE_BUILT.
installed() {
  library=${TECTREE_BUILT:-$work/library}
  if [ -z "${TECTREE_BUILT:-}" ] || [ "${fault_in:-}" = C++ ]; then
    library=$work/library
    say "compiling the package"
    install "$library" "$(R CMD config CXX17)" "-O2 -Wall -pedantic"
  elif [ -n "$planted" ]; then
    library=$work/library
    mkdir "$library"
    R CMD INSTALL --no-libs --no-docs --no-test-load --no-byte-compile --library="$library" "$root" \
      >"$work/said" 2>&1 || { cat "$work/said" >&2; die "the package does not install"; }
    cp -r "$TECTREE_BUILT/tectree/libs" "$library/tectree"
  fi
}
