# shellcheck shell=sh
# Scripts set variables for these functions and read what they set.
# shellcheck disable=SC2034,SC2154
# Functions for the scripts in tools/, which source this file: messages, and installation of missing
# packages, from Debian if there is apt, otherwise from CRAN. POSIX sh. The script that sources this file
# has set `tools` to its folder.

say() { printf '%s\n' "== $*" >&2; }
die() {
  printf '%s\n' "error: $*" >&2
  exit 1
}
have() { command -v "$1" >/dev/null 2>&1; }

# Runs a command as root: directly, or through sudo if it needs no password.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo -n "$@"; fi
}

# Can apt install packages here?
can_apt() {
  have apt-get || return 1
  [ "$(id -u)" -eq 0 ] || { have sudo && sudo -n true 2>/dev/null; }
}

# Without a network apt gives up quickly.
apt_patience="-o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20 -o Acquire::Retries=1"

# Sets `apt_known` to those of the Debian packages that are in apt's lists.
find_known_to_apt() {
  apt_known=
  for apt_name in "$@"; do
    if apt-cache show "$apt_name" >/dev/null 2>&1; then apt_known="$apt_known $apt_name"; fi
  done
}

# Installs those of the named Debian packages that apt knows. The lists are updated at most once per
# run, if there are none or something must be installed.
apt_install() {
  can_apt || return 1
  find_known_to_apt "$@"
  if [ -z "$apt_known" ] && find /var/lib/apt/lists -name '*Packages*' 2>/dev/null | grep -q .; then
    return 1
  fi
  if [ -z "${apt_updated:-}" ]; then
    say "updating the package lists"
    # shellcheck disable=SC2086 # a list of words
    as_root apt-get $apt_patience update -qq >&2 || return 1
    apt_updated=yes
    find_known_to_apt "$@"
  fi
  [ -n "$apt_known" ] || return 1
  say "installing:$apt_known"
  apt_log=$(mktemp)
  apt_status=0
  # shellcheck disable=SC2086 # a list of words
  as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get $apt_patience install -y -qq --no-install-recommends $apt_known </dev/null >"$apt_log" 2>&1 ||
    apt_status=$?
  [ $apt_status -eq 0 ] || tail -n 20 "$apt_log" >&2
  rm -f "$apt_log"
  return $apt_status
}

# Ensures that a command exists, from the first of the given Debian packages that provides it.
need_command() {
  need_name=$1
  shift
  have "$need_name" || apt_install "$@" || true
  have "$need_name"
}

# R itself, 4.1 or later, with the compilers and libraries that a package with C++ code needs.
need_r() {
  if ! have R; then
    apt_install r-base-dev || die "there is no R here and apt cannot install it: install R >= 4.1"
  elif can_apt && r_is_debians && ! have_build_tools; then
    apt_install r-base-dev || true
  fi
  have_build_tools || die "a C++17 compiler and make are needed to build the package"
  Rscript --vanilla -e 'quit(status = getRversion() < "4.1")' ||
    die "R >= 4.1 is needed, this is $(R --version | head -n 1)"
}

have_build_tools() {
  build_cxx=$(R CMD config CXX17 2>/dev/null) # may be several words: ccache g++
  [ -n "$build_cxx" ] && have "${build_cxx%% *}" && have make || return 1
  build_try=$(mktemp -d)
  printf 'int main() { return 0; }\n' >"$build_try/try.cpp"
  # shellcheck disable=SC2086 # a list of words
  $build_cxx "$build_try/try.cpp" -o "$build_try/try" >/dev/null 2>&1
  build_status=$?
  rm -rf "$build_try"
  return $build_status
}

# apt's r-cran-* packages work only with apt's R.
r_is_debians() { [ "$(R RHOME)" = /usr/lib/R ]; }

missing_r_packages() {
  Rscript --vanilla -e '
    names <- commandArgs(TRUE)
    cat(names[!vapply(names, requireNamespace, NA, quietly = TRUE)])' "$@" 2>/dev/null
}

# Those of the named R packages that Debian has.
apt_install_r() {
  r_debian=
  for r_name in "$@"; do
    r_debian="$r_debian r-cran-$(printf '%s' "$r_name" | tr '[:upper:]' '[:lower:]')"
  done
  # shellcheck disable=SC2086 # a list of words
  apt_install $r_debian
}

# Installs those of the named R packages that Debian has. Sets `r_missing` to the others.
debian_r_packages() {
  r_missing=$(missing_r_packages "$@")
  [ -n "$r_missing" ] && can_apt && r_is_debians || return 0
  # shellcheck disable=SC2086 # a list of words
  apt_install_r $r_missing || true
  # shellcheck disable=SC2086
  r_missing=$(missing_r_packages $r_missing)
}

# Ensures that R packages are installed: from apt, otherwise from CRAN into the user's own library.
# Fails if one is still missing.
need_r_packages() {
  debian_r_packages "$@"
  # shellcheck disable=SC2086 # a list of words
  cran_install $r_missing
  if [ -n "$r_missing" ] && can_apt && r_is_debians; then
    # Their dependencies may need libraries that are not installed: Debian's packages bring them.
    # shellcheck disable=SC2046,SC2086
    apt_install_r $(Rscript --no-init-file "$tools/install-cran.R" --needs $r_missing) || true
    # shellcheck disable=SC2086
    cran_install $r_missing
  fi
  [ -z "$r_missing" ]
}

# R packages by name from CRAN; `r_missing` lists those that could not be installed.
cran_install() {
  [ $# -gt 0 ] || return 0
  say "installing from CRAN: $*"
  Rscript --no-init-file "$tools/install-cran.R" "$@" >&2 || true
  r_missing=$(missing_r_packages "$@")
}

# The user's own library for R packages, created if necessary; a temporary one if it is not writable.
user_library() {
  lib=$(Rscript --vanilla -e '
    libs <- strsplit(Sys.getenv("R_LIBS_USER"), .Platform$path.sep, fixed = TRUE)[[1]]
    cat(path.expand(libs[1]))')
  if [ -n "$lib" ] && [ "$lib" != NA ] && mkdir -p "$lib" 2>/dev/null && [ -w "$lib" ]; then
    printf '%s\n' "$lib"
  else
    mktemp -d
  fi
}

# The packages named in the given fields of DESCRIPTION, without R's own.
package_needs() {
  Rscript --vanilla -e '
    fields <- commandArgs(TRUE)
    text <- unlist(read.dcf(fields[1], fields[-1]))
    names <- unique(trimws(sub("[(].*", "", unlist(strsplit(text[!is.na(text)], ",")))))
    own <- rownames(installed.packages(.Library, priority = "base"))
    cat(setdiff(names, c("R", own)))' "$tools/../DESCRIPTION" "$@"
}

# Tests have UTF-8 names and levels, but a minimal base has an ASCII locale.
use_utf8() {
  case ${LC_ALL:-${LC_CTYPE:-${LANG:-}}} in
    *UTF-8* | *utf-8* | *UTF8* | *utf8*) ;;
    *) LC_ALL=C.UTF-8 && export LC_ALL ;;
  esac
}

# A folder `build`, which is removed when the script ends, for compile_cpp() and link_cpp(). TECTREE_CPP_KEEP
# may name an empty folder that is used instead, and kept, also with the programs. TECTREE_CPP_FLAGS may have
# more flags for the compiler and the linker.
need_cpp() {
  if [ -n "${TECTREE_CPP_KEEP:-}" ]; then
    build=$TECTREE_CPP_KEEP
    return
  fi
  build=$(mktemp -d)
  trap 'rm -rf "$build"' EXIT
  trap 'exit 1' INT TERM
}

# compile_cpp COMPILER "FLAGS" SOURCE OBJECT: with the library's assertions. Sanitizer reports need lines,
# but no variables: -g1 compiles faster than -g.
compile_cpp() {
  cpp_compiler=$1
  ! have ccache || cpp_compiler="ccache $1"
  # shellcheck disable=SC2086 # lists of flags
  CCACHE_NOHASHDIR=1 $cpp_compiler -std=c++17 -g1 $2 ${TECTREE_CPP_FLAGS:-} -pthread -D_GLIBCXX_ASSERTIONS \
    -fno-omit-frame-pointer -fno-sanitize-recover=all -I "$root/inst/include" -I "$root/tests/cpp" \
    -c "$3" -o "$4"
}

# link_cpp COMPILER "FLAGS" PROGRAM OBJECT ...
link_cpp() {
  link_compiler=$1 link_flags="$2 ${TECTREE_CPP_FLAGS:-}" link_program=$3
  shift 3
  # shellcheck disable=SC2086 # a list of flags
  "$link_compiler" $link_flags -pthread "$@" -o "$link_program"
}
