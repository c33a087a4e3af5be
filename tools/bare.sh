#!/bin/sh
# Runs the R tests (sh tools/test.sh r) in the environment of other machines:
#
#   sh tools/bare.sh           a bare machine: base R, testthat, withr and the packages in Imports and
#                              LinkingTo, with their dependencies; compilers; no network
#   sh tools/bare.sh debian    only the R packages installed by apt
#   sh tools/bare.sh FOLDER    the packages in the library FOLDER before those of this machine, for
#                              example CRAN's newest or the oldest versions
#
# Installs nothing: missing packages and programs are skipped, counted and named. Ends with `N passed, N
# failed, N skipped`. On a bare machine it first checks a sample package that suggests a nonexistent one:
# with an empty package list instead of CRAN's the check must pass; if it uses the network it must fail.
# TECTREE_BUILT may name the library of a finished R CMD check (tectree.Rcheck beside its tarball); its
# package is then not compiled again. TECTREE_CASES, TECTREE_SEED: see tools/test.sh.
set -eu
tools=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(dirname "$tools")
. "$tools/setup.sh"
. "$tools/stages.sh"
use_utf8

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

# link_all FOLDER FILE ...: links to those of the files that exist and are not linked yet.
link_all() {
  link_folder=$1
  shift
  mkdir -p "$link_folder"
  for link_file in "$@"; do
    [ ! -e "$link_file" ] || [ -e "$link_folder/$(basename "$link_file")" ] ||
      ln -s "$link_file" "$link_folder"
  done
}

# R with only its base packages: R's own library also contains Debian's recommended packages. RHOME tells
# Rscript where R is.
make_r() {
  r_home=$(R RHOME)
  for r_part in "$r_home"/*; do
    case $(basename "$r_part") in
      bin | library | site-library) ;;
      *) link_all "$work/R" "$r_part" ;;
    esac
  done
  for r_part in "$r_home"/bin/*; do
    [ "$(basename "$r_part")" = R ] || link_all "$work/R/bin" "$r_part"
  done
  sed "s|^R_HOME_DIR=.*|R_HOME_DIR=$work/R|" "$r_home/bin/R" >"$work/R/bin/R"
  chmod +x "$work/R/bin/R"
  for r_part in $(Rscript --vanilla -e '
    cat(rownames(installed.packages(.Library, priority = "base")), "translations")'); do
    link_all "$work/R/library" "$r_home/library/$r_part"
  done
  link_all "$work/bin" "$work/R/bin/R" "$work/R/bin/Rscript"
}

# Links to the packages and their dependencies that this machine has.
make_library() {
  # shellcheck disable=SC2046 # a list of words
  Rscript --vanilla -e '
    installed <- installed.packages()
    wanted <- commandArgs(TRUE)
    needed <- tools::package_dependencies(wanted, installed, recursive = TRUE)
    needed <- setdiff(unique(c(wanted, unlist(needed))), rownames(installed.packages(.Library, priority = "base")))
    cat(find.package(needed), sep = "\n")' \
    testthat withr $(package_needs Imports LinkingTo) >"$work/packages"
  # shellcheck disable=SC2046
  link_all "$work/library" $(cat "$work/packages")
}

# The programs of a minimal Debian with a compiler. apt-get exists, but has no network.
make_path() {
  have dpkg || die "sh tools/bare.sh needs Debian's list of the programs of a package"
  programs=$(dpkg-query -W -f '${Package} ${Essential} ${Priority}\n' |
    awk '$2 == "yes" || $3 == "required" || $1 ~ /^(make|binutils|xz-utils|bzip2|ccache)$/ ||
      $1 ~ /^(gcc|g[+][+]|cpp|gfortran)(-[0-9]+)?$/ || $1 ~ /^binutils-.*-linux-gnu$/ { print $1 }')
  # shellcheck disable=SC2046,SC2086 # lists of words
  link_all "$work/bin" $(dpkg -L $programs 2>/dev/null | grep -E '^(/usr)?/s?bin/[^/]+$') \
    $(for name in awk cc c++ which; do command -v "$name" || true; done)
  rm -f "$work/bin/apt-get"
  printf '#!/bin/sh\necho "E: there is no network" >&2\nexit 100\n' >"$work/bin/apt-get"
  chmod +x "$work/bin/apt-get"
}

# on_bare COMMAND ...: repositories and proxies point to a port where nothing listens.
on_bare() {
  mkdir -p "$work/home"
  nowhere=http://127.0.0.1:9
  env -i PATH="$work/bin" RHOME="$work/R" R_LIBS_SITE="$work/library" R_LIBS_USER="$work/none" \
    R_ENVIRON="$work/none" R_PROFILE="$work/none" HOME="$work/home" TMPDIR="${TMPDIR:-/tmp}" LC_ALL="${LC_ALL:-C.UTF-8}" \
    CCACHE_DIR="${CCACHE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/ccache}" \
    http_proxy=$nowhere https_proxy=$nowhere ftp_proxy=$nowhere R_CRAN_SRC=$nowhere \
    TECTREE_CASES="${TECTREE_CASES:-1}" TECTREE_SEED="${TECTREE_SEED:-$(seed_of_commit)}" \
    TECTREE_DATA="$work/none" TECTREE_BUILT="${TECTREE_BUILT:-}" "$@"
}

# A package that suggests a nonexistent one.
write_sample() {
  mkdir -p "$1/sample/R" "$1/sample/man"
  cat >"$1/sample/DESCRIPTION" <<'END'
Package: sample
Title: A Package that Suggests One that is Nowhere
Version: 1.0
Authors@R: person("A", "B", email = "a@example.org", role = c("aut", "cre"))
Description: Is checked to see what the check asks for.
License: GPL-3
Encoding: UTF-8
Suggests: nowhere1
END
  echo 'export(one)' >"$1/sample/NAMESPACE"
  echo 'one <- function() if (requireNamespace("nowhere1", quietly = TRUE)) 2 else 1' \
    >"$1/sample/R/one.R"
  printf '%s\n' '\name{one}' '\alias{one}' '\title{One}' '\description{Counts.}' '\usage{one()}' \
    '\value{A number.}' >"$1/sample/man/one.Rd"
  (cd "$1" && R CMD build sample >/dev/null)
}

# check_sample NAME CRAN: the items that fail when the sample is checked with this CRAN site.
check_sample() {
  mkdir "$work/$1"
  on_bare sh -c '
    tools=$1 root=$1/.. work=$2 cran=$3
    . "$tools/setup.sh"
    . "$tools/stages.sh"
    export _R_CHECK_FORCE_SUGGESTS_=false _R_CHECK_RD_XREFS_=false
    check_as_cran "$work" ../sample_1.0.tar.gz
    count_check "$work" sample' sh "$tools" "$work/$1" "$2"
  awk -F '\t' '$1 == "fail" { print $3 ": " $5 }' "$work/$1/items"
}

test_check() {
  write_sample "$work"
  write_cran "$work/cran"
  said=$(check_sample empty "$work/cran")
  [ -z "$said" ] || { cat "$work/empty/check.out"; die "with an empty list the check must pass: $said"; }
  said=$(check_sample asked "")
  case $said in
    *"the check comes to its end"*) say "a check that asks CRAN's web server fails here, as it must" ;;
    *) cat "$work/asked/check.out"; die "a check that asks CRAN's web server must fail here" ;;
  esac
}

case ${1:-} in
  "")
    need_r
    make_r
    make_library
    make_path
    test_check
    on_bare sh "$tools/test.sh" r
    ;;
  debian)
    [ -d /usr/lib/R/site-library ] || die "this R is not Debian's"
    # A machine's own Renviron.site may add libraries.
    R_LIBS='' R_LIBS_SITE=/usr/lib/R/site-library R_LIBS_USER=$work/none R_ENVIRON=$work/none sh "$tools/test.sh" r
    ;;
  *)
    [ -d "$1" ] || die "$1 is not a folder"
    R_LIBS=$(CDPATH='' cd -- "$1" && pwd) sh "$tools/test.sh" r
    ;;
esac
