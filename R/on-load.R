# What other packages are told of tectree as soon as they are loaded, in either order.

.onLoad <- function(libname, pkgname) {
  once_loaded("parsnip", register_parsnip)
  once_loaded("mlr3", register_mlr3)
}

once_loaded <- function(package, register) {
  if (isNamespaceLoaded(package)) register()
  setHook(packageEvent(package, "onLoad"), function(...) register())
}
