#!/bin/sh
# Checks style and structure:
#
#   sh tools/rules.sh            all of them
#   sh tools/rules.sh RULE ...   some: rooms, layers, tests, names, standards, shellcheck,
#                                clang-format, clang-tidy, lintr
#
# Changes no file. A rule is skipped if its tool is missing, or if clang-format or clang-tidy have
# another version, whose results differ. Prints violations, ends with `N passed, N failed, N skipped`,
# and exits with 0 if nothing failed. If TECTREE_RULES names a file, one line per rule is written there
# for tools/test.sh.
set -eu
tools=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(dirname "$tools")
. "$tools/setup.sh"
use_utf8
cd "$root"

# The order of folders, and cycles of files: tools/rooms.txt.
rooms() { sh tools/rooms.sh; }

# The order of files of R/, and circles of their calls: tools/layers.txt.
layers() { Rscript --vanilla tools/layers.R; }

# A file R/<topic>.R has tests/testthat/test-<topic>.R, or its first line names the files that test
# it: "# Tested in test-a.R and test-b.R."
tests_of_files() {
  for file in R/*.R; do
    topic=$(basename "$file" .R)
    case $topic in RcppExports | data | srr-standards | tectree-package) continue ;; esac
    [ ! -f "tests/testthat/test-$topic.R" ] || continue
    named=$(sed -n '1s/^# Tested in \(.*\)[.]$/\1/p' "$file" | sed 's/,/ /g; s/ and / /g')
    [ -n "$named" ] || echo "$file: no tests/testthat/test-$topic.R, and its first line names none"
    for test in $named; do
      [ -f "tests/testthat/$test" ] || echo "$file: there is no tests/testthat/$test"
    done
  done >"$work/untested"
  cat "$work/untested"
  [ ! -s "$work/untested" ]
}

# Each of rOpenSci's standards has a tag.
standards() { Rscript --vanilla tools/checks/standards.R; }

# If two functions in R/, or in the helpers of tests, have the same name, the later hides the other.
names_once() {
  grep -Ho '^[a-zA-Z_.][a-zA-Z_.0-9]* <- function' R/*.R tests/testthat/helper-*.R |
    sed 's/ <- function//' |
    awk -F : '{ in_room = $2 " " (/^R/ ? "R" : "tests") }
              in_room in first { print $1 ": " $2 "() is also in " first[in_room]; n++ }
              { first[in_room] = $1 }
              END { exit n > 0 }'
}

shell_scripts() { shellcheck tools/*.sh tools/checks/*.sh .ci/run; } # .shellcheckrc

# The name of clang-format or clang-tidy of the required version.
llvm() {
  for llvm_name in "$1-14" "$1"; do
    if have "$llvm_name" && "$llvm_name" --version | grep -q 'version 14[.]'; then
      printf '%s' "$llvm_name"
      return
    fi
  done
  return 1
}

clang_format() {
  find inst/include src tests/cpp -name '*.hpp' -o -name '*.cpp' -o -name '*.h' |
    grep -v RcppExports | xargs "$(llvm clang-format)" --dry-run -Werror
}

# One file that includes every header of the core.
clang_tidy() {
  find inst/include -name '*.hpp' | sort | sed 's|^inst/include/\(.*\)|#include <\1>|' >"$work/core.cpp"
  "$(llvm clang-tidy)" --quiet --warnings-as-errors='*' --config-file=.clang-tidy "$work/core.cpp" -- \
    -std=c++17 -I inst/include 2>"$work/tidy.err" || { cat "$work/tidy.err"; return 1; }
}

# lintr caches files without violations in the user's cache.
lint_r() {
  Rscript --vanilla -e '
    folders <- c("R", "tests", "tools")
    # A method is named after the generic and the class, which lintr takes for two styles if the generic is
    # from another package.
    methods <- sub("^S3method[(](.*::)?(.*)[)]$", "\\2", grep("^S3method", readLines("NAMESPACE"), value = TRUE))
    methods <- vapply(strsplit(gsub("\"", "", methods), ", *"), function(m) paste(m[1:2], collapse = "."), "")
    is_method <- function(lint) {
      lint$linter == "object_name_linter" && sub(" .*", "", trimws(gsub("`", "", lint$line))) %in% methods
    }
    lints <- unlist(lapply(folders, function(folder) {
      found <- lintr::lint_dir(folder, cache = TRUE, relative_path = FALSE)
      found <- Filter(Negate(is_method), found)
      vapply(found, function(lint) {
        paste0(lint$filename, ":", lint$line_number, ": ", lint$message, " [", lint$linter, "]")
      }, "")
    }))
    cat(sub(paste0(getwd(), "/"), "", lints, fixed = TRUE), sep = "\n", fill = FALSE)
    quit(status = length(lints) > 0)'
}

has_package() {
  Rscript --vanilla -e 'quit(status = !requireNamespace(commandArgs(TRUE), quietly = TRUE))' "$1"
}

# rule NAME PRESENT COMMAND: PRESENT is a command that succeeds if the tool, its last word, is installed.
rule() {
  case " $chosen " in *" $1 "*) ;; *) return 0 ;; esac
  if ! $2 >/dev/null 2>&1; then
    rule_result=skip rule_said="no ${2##* } here, or another version"
  elif $3 >"$work/said" 2>&1; then
    rule_result=pass rule_said=
  else
    rule_result=fail rule_said="$(grep -c . "$work/said" || true) lines, see above"
    printf '%s:\n' "$1"
    cat "$work/said"
  fi
  printf '%s\trules\t%s\t1\t%s\n' "$rule_result" "$1" "$rule_said" >>"$work/results"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
: >"$work/results"
chosen=${*:-rooms layers tests names standards shellcheck clang-format clang-tidy lintr}
rule rooms true rooms
rule layers "has_package codetools" layers
rule tests true tests_of_files
rule names true names_once
rule standards true standards
rule shellcheck "have shellcheck" shell_scripts
rule clang-format "llvm clang-format" clang_format
rule clang-tidy "llvm clang-tidy" clang_tidy
rule lintr "has_package lintr" lint_r

[ -z "${TECTREE_RULES:-}" ] || cp "$work/results" "$TECTREE_RULES"
awk -F '\t' '{ n[$1]++ } END { printf "%d passed, %d failed, %d skipped\n", n["pass"], n["fail"], n["skip"]
  exit n["fail"] > 0 || NR == 0 }' "$work/results"
