# Other processes load the installed package.
skip_without_plans <- function() {
  skip_if_not_installed("future.apply")
  skip_on_cran()
  installed <- tryCatch(find.package("tectree", lib.loc = .libPaths()), error = function(e) "")
  skip_if(!file.exists(file.path(installed, "Meta", "package.rds")), "tectree is not installed")
}
