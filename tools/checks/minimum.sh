#!/bin/sh
# The minimum versions that DESCRIPTION states:
#
#   sh tools/checks/minimum.sh             no newer function or argument is used (minimum.R); R tests of
#                                          messages and models with the packages in these versions
#   sh tools/checks/minimum.sh --planted   with a function of R 4.2 and one of a newer cli
#
# Libraries of R often have several versions of a package: those with exactly the minimum version are used.
# A package without one is skipped. R itself is checked by its NEWS only. TECTREE_BUILT may name a library with
# the package.
set -eu
checks=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=setup-checks.sh
. "$checks/setup-checks.sh"

files="^(tec_(tree|forest|boost|mars|code)|predict|print|control|formula|tidy|stored-models)$"
symptom="findCRANmirror|hash_xxhash"
if [ -n "$planted" ]; then
  files="^predict$"
  plant R/predict.R 's|^  refuse_dots("predict.tec_tree".*|&\n  if (FALSE) utils::findCRANmirror("web")\n  cli::hash_xxhash("a")|'
fi

# Links to packages in their minimum versions. Prints the names of the others.
mkdir "$work/minimum"
others=$(Rscript --vanilla -e '
  needs <- read.dcf(commandArgs(TRUE)[1L], c("Imports", "LinkingTo"))
  needs <- unique(trimws(grep(">=", unlist(strsplit(needs, ",")), value = TRUE)))
  for (need in strsplit(needs, " *[(]>= *|[)]")) {
    folders <- file.path(.libPaths(), need[1L])
    exact <- vapply(folders, function(folder) {
      file.exists(folder) && utils::packageVersion(need[1L], dirname(folder)) == need[2L]
    }, NA)
    if (any(exact)) file.symlink(folders[exact][1L], commandArgs(TRUE)[2L]) else cat(need, "")
  }' "$root/DESCRIPTION" "$work/minimum")
[ -z "$others" ] || skip "not installed in this version: $others"

# Packages beside them are taken from the same libraries, since newer ones may need newer versions.
tests_of_minimum() {
  beside=$(for link in "$work"/minimum/*; do dirname "$(readlink "$link")"; done | sort -u | paste -s -d :)
  R_LIBS=$work/minimum:$beside r_tests "$library" "$files"
}

verdict "no newer function or argument" "$work/said" Rscript --vanilla "$checks/minimum.R" "$root" "$work/minimum"
installed
verdict "R tests with minimum versions" "$work/said" tests_of_minimum
finish
