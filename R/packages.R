# Packages that only some functions need.

need_package <- function(package, what) {
  if (requireNamespace(package, quietly = TRUE)) {
    return(invisible())
  }
  tec_abort("package", c(
    "{.fn {what}} needs the package {.pkg {package}}, which is not installed.",
    i = "Install it with {.code install.packages(\"{package}\")}."
  ))
}

# A tibble if the package is installed.
as_table <- function(x) {
  if (requireNamespace("tibble", quietly = TRUE)) tibble::as_tibble(x) else x
}
