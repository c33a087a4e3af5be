# shellcheck shell=sh
# The script that sources this file reads the variables that are set here.
# shellcheck disable=SC2034,SC2154
# Programs other than R packages that some tests use: finds or installs them. After setup.sh.

# Finds or installs a Python with scikit-learn, and names it in `sklearn_python`.
find_scikit_learn() {
  for sklearn_python in python3 /usr/bin/python3 install; do
    if [ "$sklearn_python" = install ]; then
      apt_install python3-sklearn || return 1
      sklearn_python=/usr/bin/python3
    fi
    sklearn_python=$(command -v "$sklearn_python") || continue
    if "$sklearn_python" -c 'import sklearn' >/dev/null 2>&1; then return 0; fi
  done
  sklearn_python=
  return 1
}

# A PostgreSQL server that the tests start themselves: Debian keeps its programs off the path.
need_postgresql() {
  have initdb || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || apt_install postgresql || true
  have psql && { have initdb || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; }
}

# Headers for compiling R's driver for PostgreSQL.
need_libpq() {
  have pg_config || apt_install libpq-dev || true
  have pg_config
}

# DuckDB as a library, from npm into the user's cache, named by TECTREE_DUCKDB: R's package duckdb takes an
# hour to compile, adbcdrivermanager, which opens the library, a minute. `find`: only if it is installed.
need_duckdb() {
  duckdb_lib=${XDG_CACHE_HOME:-$HOME/.cache}/tectree-duckdb
  if [ ! -e "$duckdb_lib/libduckdb.so" ] && [ "${1:-}" != find ]; then
    have npm && mkdir -p "$duckdb_lib" || return 1
    (
      cd "$duckdb_lib" &&
        npm pack --silent "@duckdb/node-bindings-linux-x64@1.5.6-r.1" >/dev/null &&
        tar xzf duckdb-*.tgz --strip-components=1 package/libduckdb.so &&
        rm -f duckdb-*.tgz
    ) >&2 || return 1
  fi
  [ -e "$duckdb_lib/libduckdb.so" ] || return 1
  TECTREE_DUCKDB=$duckdb_lib/libduckdb.so
  export TECTREE_DUCKDB
}

# A Python module for the Python that the tests find first, or for Debian's, from the package
# python3-<module>.
need_python_module() {
  for module_python in "${sklearn_python:-python3}" /usr/bin/python3; do
    if "$module_python" -c "import $1" >/dev/null 2>&1; then return 0; fi
  done
  apt_install "python3-$1" && /usr/bin/python3 -c "import $1" >/dev/null 2>&1
}

# ONNX Runtime for node, from npm into the user's cache; adds it to NODE_PATH.
need_onnx_runtime() {
  if node -e 'require("onnxruntime-web")' >/dev/null 2>&1; then return 0; fi
  have npm || return 1
  node_lib=${XDG_CACHE_HOME:-$HOME/.cache}/tectree-node
  [ -d "$node_lib/node_modules/onnxruntime-web" ] ||
    npm install --silent --ignore-scripts --no-audit --no-fund --prefix "$node_lib" \
      onnxruntime-web@1.17.3 >&2 || return 1
  NODE_PATH=$node_lib/node_modules${NODE_PATH:+:$NODE_PATH}
  export NODE_PATH
  node -e 'require("onnxruntime-web")' >/dev/null 2>&1
}

# Fetches axe-core, which finds accessibility problems in web pages, into the given folder, and names its
# script in `axe_file`.
find_axe() {
  axe_file=
  need_command npm npm || return 1
  npm install --prefix "$1" --silent --no-audit --no-fund axe-core@4 >/dev/null 2>&1 || return 1
  axe_file=$1/node_modules/axe-core/axe.min.js
  [ -e "$axe_file" ]
}

# Fetches the XML schema of PMML 4.4, from the tests of CRAN's package pmml, into the given folder, and
# names it in `pmml_schema`.
find_pmml_schema() {
  pmml_schema=
  mkdir -p "$1"
  (cd "$1" && Rscript --no-init-file "$tools/install-cran.R" --sources pmml) >/dev/null 2>&1 || return 1
  (cd "$1" && tar xzf pmml_*.tar.gz pmml/tests/testthat/pmml-4-4.xsd 2>/dev/null) || return 1
  pmml_schema=$1/pmml/tests/testthat/pmml-4-4.xsd
}

# MPI processes that R starts: Rmpi opens libmpi.so, which is in the development package. TECTREE_MPI names
# its library, since R CMD check only shows tests the packages in DESCRIPTION.
need_mpi() {
  if ! mpi_is_here && r_is_debians; then
    apt_install openmpi-bin libopenmpi-dev r-cran-rmpi r-cran-snow || true
  fi
  mpi_is_here || return 1
  TECTREE_MPI=$(Rscript --vanilla -e 'cat(dirname(system.file(package = "Rmpi")))')
  export TECTREE_MPI
}

mpi_is_here() {
  # Loading Rmpi would start MPI.
  have mpirun && Rscript --vanilla -e '
    quit(status = any(!nzchar(c(system.file(package = "Rmpi"), system.file(package = "snow")))))'
}

# libFuzzer, of the version of clang.
need_fuzzer() {
  has_libfuzzer || {
    clang_version=$(clang++ --version | sed -n 's/.*version \([0-9]*\)[.].*/\1/p' | head -n 1)
    apt_install "libclang-rt-$clang_version-dev" || true
  }
  has_libfuzzer
}

has_libfuzzer() {
  have clang++ && [ -n "$(find "$(clang++ -print-resource-dir)/lib" -name 'libclang_rt.fuzzer*' 2>/dev/null)" ]
}

# Finds or installs what the tests of `mode` use.
install_needs() {
  need_r
  # shellcheck disable=SC2046 # lists of words
  need_r_packages $(package_needs Imports LinkingTo) testthat withr || die "still missing: $r_missing"
  need_command ccache ccache || say "no ccache: everything is recompiled"
  if [ "$mode" = full ]; then
    install_everything
  else
    # shellcheck disable=SC2046
    debian_r_packages $(package_needs Suggests)
    [ -z "$r_missing" ] || say "tests that need these are skipped: $r_missing"
    need_duckdb find || true
  fi
}

# Installs the missing programs in one call of apt: need_command() then finds them.
install_programs() {
  programs=
  for pair in shellcheck:shellcheck clang-format:clang-format clang-tidy:clang-tidy pandoc:pandoc \
    tidy:tidy qpdf:qpdf clang++:clang psql:postgresql pg_config:libpq-dev node:nodejs rustc:rustc \
    chromium:chromium; do
    have "${pair%%:*}" || programs="$programs ${pair#*:}"
  done
  # shellcheck disable=SC2086 # a list of words
  [ -z "$programs" ] || apt_install $programs || true
}

install_everything() {
  install_programs
  need_libpq || say "no libpq: there may be no driver for PostgreSQL"
  # shellcheck disable=SC2046
  need_r_packages $(package_needs Suggests) || die "still missing: $r_missing"
  # shellcheck disable=SC2046
  need_r_packages $(package_needs Config/Needs/website) || say "no pkgdown: the site is not built"
  need_r_packages lintr || say "no lintr"
  need_command shellcheck shellcheck || say "no shellcheck"
  need_command clang-format clang-format || say "no clang-format"
  need_command clang-tidy clang-tidy || say "no clang-tidy"
  need_command pandoc pandoc || say "no pandoc: the check of README.md and NEWS.md is left out"
  need_command tidy tidy || say "no tidy: the check of the HTML manual is left out"
  need_command qpdf qpdf || say "no qpdf"
  need_command clang++ clang || say "no clang++: the build and the C++ tests with it are left out"
  need_fuzzer || say "no libFuzzer: the core is not fuzzed"
  need_postgresql || say "no PostgreSQL: SQL is only tested on SQLite"
  need_duckdb || say "no DuckDB: trees in databases are tested without it"
  need_mpi || say "no MPI: clusters are only tested with sockets"
  need_command node nodejs || say "no node: JavaScript is not tested"
  need_command rustc rustc || say "no rustc: Rust is not tested"
  need_onnx_runtime || say "no onnxruntime-web: ONNX models are not run"
  find_scikit_learn || say "no scikit-learn: the tests against it are left out"
  need_python_module onnx || say "no python3-onnx: ONNX models are not checked"
  need_python_module jsonschema || say "no python3-jsonschema: JSON is not checked by its schema"
  need_command chromium chromium || say "no chromium: the tests of the page are left out"
  find_axe "$work/axe" || say "no axe-core: the accessibility of the page is not tested"
  export TECTREE_AXE="$axe_file"
  find_pmml_schema "$work/pmml" || say "no PMML schema: documents are not validated"
  export TECTREE_PMML="$pmml_schema"
}
