#!/bin/sh
# Shows what the package does, on a machine with only a Debian or Ubuntu base (as root, or with sudo without
# a password) or with R installed:
#
#   sh tools/demo.sh [FOLDER]
#
# Installs missing dependencies and the package (into the user's own R library), grows two trees, prints
# them with their accuracy and draws them into FOLDER (by default a new temporary one).
set -eu
tools=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
. "$tools/setup.sh"

use_utf8
need_r
# shellcheck disable=SC2046 # a list of words
need_r_packages $(package_needs Imports LinkingTo) || die "still missing: $r_missing"

build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
trap 'exit 1' INT TERM
say "building the package"
vignettes=--no-build-vignettes
if have pandoc && [ -z "$(missing_r_packages knitr rmarkdown)" ]; then vignettes=; fi
# shellcheck disable=SC2086 # a word or none
(cd "$build" && R CMD build $vignettes "$tools/.." >build.log 2>&1) ||
  { cat "$build/build.log" >&2; die "R CMD build failed"; }
lib=$(user_library)
say "installing it into $lib"
MAKEFLAGS=${MAKEFLAGS:--j2} R CMD INSTALL --library="$lib" "$build"/tectree_*.tar.gz \
  >"$build/install.log" 2>&1 || { cat "$build/install.log" >&2; die "R CMD INSTALL failed"; }

out=${1:-$(mktemp -d "${TMPDIR:-/tmp}/tectree-demo.XXXXXX")}
mkdir -p "$out"
TECTREE_TOOLS=$tools Rscript --no-save "$tools/demo.R" "$lib" "$out"
say "the package is in $lib, the pictures are in $out"
