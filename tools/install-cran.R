# Installs the packages named on the command line from CRAN, into the user's own library where the
# site's cannot be written. Keeps the mirror the user has set, else takes the first that R knows.
if (identical(unname(getOption("repos")["CRAN"]), "@CRAN@")) {
  utils::chooseCRANmirror(graphics = FALSE, ind = 1, local.only = TRUE)
}
lib <- .libPaths()[1]
if (file.access(lib, 2) != 0) {
  lib <- strsplit(Sys.getenv("R_LIBS_USER"), .Platform$path.sep, fixed = TRUE)[[1]][1]
  dir.create(lib, recursive = TRUE, showWarnings = FALSE)
}
utils::install.packages(commandArgs(TRUE), lib = lib, Ncpus = 2, quiet = TRUE)
