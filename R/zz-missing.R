# A required argument that is missing is an error that names it. This file is read last when the
# package is built. It adds the check to the start of all functions that users call.

abort_missing <- function(what, arg) {
  tec_abort("argument", c(
    "{.fn {what}} needs {.arg {arg}}.", x = "It is not given.",
    i = "See {.code ?{what}}."
  ))
}

# The arguments without a default whose absence the body does not handle. A generic requires the
# argument that it dispatches on.
needed_arguments <- function(fun) {
  args <- formals(fun)
  bare <- vapply(args, identical, NA, quote(expr = ))
  out <- setdiff(names(args)[bare], c("...", "weights", "subset"))
  calls <- called_in(body(fun))
  if ("UseMethod" %in% vapply(calls, call_head, "")) out <- out[1L]
  asked <- Filter(function(call) call_head(call) == "missing", calls)
  setdiff(out[!is.na(out)], vapply(asked, function(call) as.character(call[[2L]]), ""))
}

# All calls in an expression.
called_in <- function(expr) {
  if (!is.call(expr)) {
    return(NULL)
  }
  parts <- Filter(is.call, as.list(expr))
  c(list(expr), unlist(lapply(parts, called_in)))
}

with_missing_checks <- function(fun, name) {
  for (arg in rev(needed_arguments(fun))) {
    body(fun) <- bquote({
      if (base::missing(.(as.name(arg)))) abort_missing(.(name), .(arg))
      .(body(fun))
    })
  }
  fun
}

# Models have their own check: they need a formula, or data.
local({
  here <- topenv()
  models <- paste0("tec_", c("tree", "forest", "boost", "rotation", "mars", "tune", "scores"))
  words <- c(
    "as_rpart", "as_tec_forest", "as_tec_tree", "as.party.tec_tree", "cair", "cami",
    "compare_methods", "cp_table", "effcami", "gain_ratio", "gini_index", "information_gain",
    "kl_divergence", "misclassification", "mutual_information", "n_leaves", "n_nodes", "n_trees",
    "q_exp", "q_log", "split_information", "tree_depth", "verify_export"
  )
  names <- c(grep("^tec_[^.]*[^_.]$|_entropy$|^autoplot[.]", ls(here), value = TRUE), words)
  for (name in setdiff(names, c(models, "tec_abort", "tec_inform", "tec_warn"))) {
    fun <- get(name, here)
    if (is.function(fun)) assign(name, with_missing_checks(fun, name), here)
  }
})
