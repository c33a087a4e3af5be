# Registers tectree with other packages when both are loaded, in any order.

.onLoad <- function(libname, pkgname) {
  once_loaded("parsnip", register_parsnip)
  once_loaded("mlr3", register_mlr3)
}

# A version that rejects the registration must not prevent tectree from loading.
once_loaded <- function(package, register) {
  try_it <- function(...) {
    tryCatch(register(), error = function(e) {
      tec_warn("package", c(
        "{.pkg {package}} does not know the trees of this package.", x = "{conditionMessage(e)}"
      ))
    })
    invisible()
  }
  setHook(packageEvent(package, "onLoad"), try_it)
  if (isNamespaceLoaded(package)) try_it()
}
