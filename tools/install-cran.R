# Installs the packages named on the command line from CRAN, into the user's own library if the
# site's is not writable. Uses the user's mirror, otherwise the first that R knows. With --needs it
# prints which of their dependencies are not installed; with --sources it downloads their sources
# into the current folder.
if (identical(unname(getOption("repos")["CRAN"]), "@CRAN@")) {
  utils::chooseCRANmirror(graphics = FALSE, ind = 1, local.only = TRUE)
}
packages <- commandArgs(TRUE)
if (packages[1] == "--needs") {
  needed <- tools::package_dependencies(packages[-1], utils::available.packages(), recursive = TRUE)
  cat(setdiff(unlist(needed), rownames(utils::installed.packages())))
} else if (packages[1] == "--sources") {
  utils::download.packages(packages[-1], ".", type = "source")
} else {
  lib <- .libPaths()[1]
  if (file.access(lib, 2) != 0) {
    lib <- strsplit(Sys.getenv("R_LIBS_USER"), .Platform$path.sep, fixed = TRUE)[[1]][1]
    dir.create(lib, recursive = TRUE, showWarnings = FALSE)
  }
  utils::install.packages(packages, lib = lib, Ncpus = 2, quiet = TRUE)
}
