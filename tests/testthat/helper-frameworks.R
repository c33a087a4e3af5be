# A function of a package that the tests do not require.
from_package <- function(package, name) {
  skip_if_not_installed(package)
  getExportedValue(package, name)
}

# Runs R code in a session of its own, and gives what it prints.
in_new_session <- function(code) {
  script <- withr::local_tempfile(fileext = ".R", lines = code)
  paths <- paste(.libPaths(), collapse = .Platform$path.sep)
  withr::local_envvar(R_LIBS = paths, R_TESTS = "")
  rscript <- file.path(R.home("bin"), "Rscript")
  suppressWarnings(system2(rscript, c("--vanilla", script), stdout = TRUE, stderr = FALSE))
}

# How often `code` grows a tree from rows.
count_fits <- function(code) count_calls("tec_fit_", code)

tree_spec <- function(mode = "classification", ..., engine = list()) {
  spec <- parsnip::decision_tree(mode = mode, ...)
  do.call(parsnip::set_engine, c(list(spec, "tectree"), engine))
}
