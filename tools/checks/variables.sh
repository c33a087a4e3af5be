#!/bin/sh
# R CMD check and R tests with the environment variables of CRAN's additional checks:
#
#   sh tools/checks/variables.sh             the tests of settings and models where R 4.2 has stricter rules:
#                                            && and || of more than one value, two processes
#   sh tools/checks/variables.sh --all       also R CMD check with its variables beyond --as-cran, without
#                                            suggested packages
#   sh tools/checks/variables.sh --planted   with && of two values
#
# TECTREE_BUILT may name a library with the package. tools/test.sh runs R CMD check --as-cran.
set -eu
checks=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=setup-checks.sh
. "$checks/setup-checks.sh"
# shellcheck source=../stages.sh
. "$tools/stages.sh"

files="^(tec_(tree|forest|boost|mars|rotation)|predict|print|control|criterion|preset|weights|formula|newdata)$"
symptom="length(.*)|invalid use of|coercion to 'logical"
if [ -n "$planted" ]; then
  files="^predict$"
  plant R/predict.R 's|^  refuse_dots("predict.tec_tree".*|&\n  if (c(TRUE, TRUE) \&\& TRUE) NULL|'
fi

strict_tests() {
  _R_CHECK_LENGTH_1_LOGIC2_=abort _R_CHECK_LENGTH_1_CONDITION_=abort _R_CHECK_LIMIT_CORES_=true \
    r_tests "$library" "$files"
}

# Without the search for unused variables, which does not see those in the text of a message.
strict_check() {
  export _R_CHECK_DEPENDS_ONLY_=true _R_CHECK_LENGTH_1_LOGIC2_=abort _R_CHECK_CODE_USAGE_VIA_NAMESPACES_=true \
    _R_CHECK_CODE_USAGE_WITH_ONLY_BASE_ATTACHED_=true \
    _R_CHECK_CODOC_VARIABLES_IN_USAGES_=true _R_CHECK_RD_XREFS_=true _R_CHECK_XREFS_MIND_SUSPECT_ANCHORS_=true \
    _R_CHECK_CONNECTIONS_LEFT_OPEN_=true _R_CHECK_THINGS_IN_TEMP_DIR_=true _R_CHECK_SCREEN_DEVICE_=stop \
    _R_CHECK_S3_METHODS_NOT_REGISTERED_=true _R_CHECK_NATIVE_ROUTINE_REGISTRATION_=true \
    _R_CHECK_PRAGMAS_=true _R_CHECK_ASCII_CODE_=true _R_CHECK_UNSAFE_CALLS_=true
  write_makevars "$work/check.mk" "" "-O2 -Wall -pedantic"
  cran=$work/cran
  write_cran "$cran"
  (cd "$work" && R CMD build --no-build-vignettes "$root" >build.log 2>&1) || return 1
  R_MAKEVARS_USER=$work/check.mk check_as_cran "$work" "$(basename "$work"/tectree_*.tar.gz)" --ignore-vignettes
  count_check "$work" tectree
  grep '^fail' "$work/items" && return 1
  grep -q '^pass' "$work/items"
}

installed
verdict "R tests with stricter rules" "$work/said" strict_tests
[ -z "$all" ] || verdict "R CMD check with more variables, without suggested packages" "$work/said" strict_check
finish
