#' What works on which model
#'
#' Returns a table of verbs (functions, methods and other packages) and models. If a verb does not
#' apply to a model, or is not implemented, the table names an alternative. The verb is then an
#' error.
#' *Experimental*, see *Lifecycle* in [tectree-package].
#'
#' `"tec_dependence() of two"` is a call with two predictors. `"parsnip"`, `"caret"` and `"mlr3"`
#' stand for the engine `"tectree"` ([parsnip], [parsnip-boost], ...), [tec_caret()] and the
#' learners of [mlr3]. `"DALEX"`, `"iml"`, `"vip"` and `"butcher"` stand for the functions of those
#' packages, called with a fit.
#'
#' The result of [tec_tune()] and a tree or forest from a database support the same verbs as their
#' model. A fit of parsnip or a workflow supports only some of them, see [parsnip]; for the others
#' `parsnip::extract_fit_engine()` returns the model. If the call of a model does not lead to its
#' rows, verbs that need them require `data`.
#'
#' @param x An object returned by `tec_verbs()`.
#' @param width Maximum width of a line.
#' @param ... Not used.
#' @return A data frame of class `tec_verbs` with one row per model and verb: `model`, `verb`,
#'   `works` (`TRUE` or `FALSE`) and `instead`, which is `NA` if the verb works. It prints as a
#'   table of marks: `+` works, `-` does not. `format()` returns the lines.
#' @evalRd verbs_section()
#' @family uses of all models
#' @examples
#' verbs <- tec_verbs()
#' verbs
#' subset(verbs, model == "splines, numbers" & !works, c("verb", "instead"))
#' @srrstats {ML5.2, ML5.2a} A table of all functions that work on each model.
#' @srrstats {ML5.2b} [tec_json()] and the vignettes store a model and read it again.
#' @export
tec_verbs <- function() {
  out <- expand.grid(
    model = verb_models, verb = verb_names, stringsAsFactors = FALSE, KEEP.OUT.ATTRS = FALSE
  )
  refused <- verb_refusals()
  at <- match(paste(out$model, out$verb), paste(refused$model, refused$verb))
  out$works <- is.na(at)
  out$instead <- refused$instead[at]
  class(out) <- c("tec_verbs", "data.frame")
  out
}

verb_models <- c(
  "tree, classes", "tree, numbers", "forest, classes", "forest, numbers", "boosting, numbers",
  "boosting, two classes", "boosting, classes", "cyclic boosting, numbers",
  "cyclic boosting, classes", "AdaBoost", "rotation forest", "splines, numbers", "splines, classes"
)

verb_names <- c(
  "print()", "summary()",
  paste0("predict(type = \"", prediction_types, "\")"), "predict(se = TRUE)",
  "fitted()", "residuals()", "nobs()", "formula()", "terms()", "variable.names()",
  "model.frame()", "update()", "logLik()", "deviance()", "plot()", "autoplot()", "importance()",
  "importance(type = \"permutation\")", "tec_dependence()", "tec_dependence() of two",
  "tec_dependence(individual = TRUE)", "explain()", "tec_shap()", "tec_view()", "tidy()",
  "glance()", "augment()", "tec_json()", "tec_from_json()", "tec_sql()",
  paste0("tec_code(lang = \"", c("r", "c", "javascript", "python", "rust"), "\")"),
  "tec_pmml()", "tec_onnx()", "verify_export()", "saveRDS()", "butcher", "vip", "DALEX", "iml",
  "parsnip", "caret", "mlr3"
)

# The verbs that do not work: one row per model and verb.
verb_refusals <- function() {
  numbers <- grep("numbers", verb_models, value = TRUE)
  trees <- c("tree, classes", "tree, numbers")
  forests <- c("forest, classes", "forest, numbers")
  boosts <- grep("boosting|AdaBoost", verb_models, value = TRUE)
  rotation <- "rotation forest"
  splines <- grep("splines", verb_models, value = TRUE)
  but <- function(...) setdiff(verb_models, c(...))
  # `verb` may be several.
  no <- function(verb, models, instead) {
    expand.grid(model = models, verb = verb, instead = instead, stringsAsFactors = FALSE)
  }
  type <- function(...) paste0("predict(type = \"", c(...), "\")")
  exports <- verb_names[seq(match("tec_json()", verb_names), match("verify_export()", verb_names))]
  rbind(
    no(type("class", "prob"), numbers, "predict(type = \"response\")"),
    no(type("link"), c(trees, forests, rotation), "predict(type = \"prob\"), or \"response\""),
    no(type("votes"), but(forests), "predict(type = \"prob\"), or \"response\""),
    no(type("votes"), "forest, numbers", "predict(type = \"tree\")"),
    no(type("quantiles"), "forest, classes", "predict(type = \"prob\")"),
    no(type("quantiles"), but(forests), "tec_forest() and its predict(type = \"quantiles\")"),
    no(type("se"), trees, "predict(se = TRUE)"),
    no(type("se"), but(trees, forests), "tec_forest() and its predict(type = \"se\")"),
    no("predict(se = TRUE)", forests, "predict(type = \"se\")"),
    no(
      "predict(se = TRUE)", but(trees, forests), "tec_forest() and its predict(type = \"se\")"
    ),
    no(type("terms"), c(trees, forests, boosts), "tec_shap()"),
    no(type("terms"), rotation, "tec_dependence()"),
    no(type("node"), c(boosts, rotation, splines), "predict(type = \"response\")"),
    no(type("path"), forests, "predict(fit[[1]], type = \"path\")"),
    no(type("path"), c(boosts, rotation, splines), "predict(type = \"response\")"),
    no(type("tree"), trees, "predict(type = \"response\")"),
    no(type("tree"), boosts, "predict(rounds = )"),
    no(type("tree"), c(rotation, splines), "predict(type = \"response\")"),
    no(c("logLik()", "deviance()"), forests, "fit$oob"),
    no(c("logLik()", "deviance()"), boosts, "fit$curve"),
    no(c("logLik()", "deviance()"), rotation, "summary(fit, data)"),
    no(c("logLik()", "deviance()"), splines, "glance(), which has the GCV"),
    no("explain()", c(forests, boosts), "tec_shap()"),
    no(c("explain()", "tec_shap()"), rotation, "importance(), tec_dependence()"),
    no("tec_shap()", splines, "explain()"),
    no("tec_view()", c(boosts, splines, rotation), "plot()"),
    no(exports, rotation, "saveRDS()"),
    no("tec_code(lang = \"rust\")", splines, "tec_code(lang = \"c\")"),
    no(c("tec_pmml()", "tec_onnx()"), splines, "tec_code(), tec_sql() or tec_json()"),
    no("parsnip", rotation, "tec_rotation()"),
    no(c("caret", "mlr3"), c(rotation, splines), "parsnip for splines, tec_rotation(), tec_mars()")
  )
}

# A matrix of TRUE and FALSE, with one row per verb and one column per model.
verbs_matrix <- function(x) {
  models <- unique(x$model)
  verbs <- unique(x$verb)
  out <- matrix(NA, length(verbs), length(models), dimnames = list(verbs, models))
  out[cbind(match(x$verb, verbs), match(x$model, models))] <- x$works
  out
}

#' @rdname tec_verbs
#' @export
print.tec_verbs <- function(x, width = getOption("width"), ...) {
  refuse_dots("print", ...)
  if (!all(c("model", "verb", "works") %in% names(x))) {
    print(as.data.frame(unclass(x)))
    return(invisible(x))
  }
  cat(format.tec_verbs(x, width), sep = "\n")
  invisible(x)
}

#' @rdname tec_verbs
#' @export
format.tec_verbs <- function(x, width = getOption("width"), ...) {
  check_output(width = width)
  refuse_dots("format", ...)
  works <- verbs_matrix(x)
  models <- colnames(works)
  marks <- ifelse(is.na(works), " ", ifelse(works, "+", "-"))
  number <- format(seq_along(models))
  wide <- nchar(number[1L])
  cells <- apply(marks, 2L, formatC, width = wide)
  lines <- paste(pad(c("", rownames(works))), c(
    paste(number, collapse = " "),
    apply(matrix(cells, nrow(works)), 1L, paste, collapse = " ")
  ))
  keys <- paste(number, models)
  fit_width(c(
    lines, "", wrap(paste(keys, collapse = "; "), width),
    wrap("+ works, - does not: `instead` says what to do", width)
  ), width)
}

# The table in README.md: verbs that users look for together, and models that one function fits.
verb_groups <- function() {
  types <- function(...) paste0("predict(type = \"", c(...), "\")")
  from <- function(first, last) verb_names[seq(match(first, verb_names), match(last, verb_names))]
  list(
    "`print()`, `summary()`, `tidy()`, `glance()`, `augment()`" =
      c("print()", "summary()", "tidy()", "glance()", "augment()"),
    "`predict()`, `fitted()`, `residuals()`, `update()`, ..." =
      c(types("response"), from("fitted()", "update()")),
    "nodes and paths of rows" = types("node", "path"),
    "quantiles, standard errors" = c(types("quantiles", "se"), "predict(se = TRUE)"),
    "`logLik()`, `deviance()`" = c("logLik()", "deviance()"),
    "`plot()`, `autoplot()`" = c("plot()", "autoplot()"),
    "`importance()`, `tec_dependence()`" =
      from("importance()", "tec_dependence(individual = TRUE)"),
    "`tec_shap()`" = "tec_shap()",
    "`explain()`" = "explain()",
    "`tec_view()`" = "tec_view()",
    "SQL, JSON, source code, `verify_export()`" =
      c(from("tec_json()", "tec_code(lang = \"rust\")"), "verify_export()"),
    "PMML, ONNX" = c("tec_pmml()", "tec_onnx()"),
    "`saveRDS()`, butcher, vip, DALEX, iml" = from("saveRDS()", "iml"),
    "parsnip, caret, mlr3" = from("parsnip", "mlr3")
  )
}

model_groups <- list(
  tree = verb_models[1:2], forest = verb_models[3:4], boosting = verb_models[5:7],
  "cyclic boosting" = verb_models[8:9], AdaBoost = "AdaBoost",
  "rotation forest" = "rotation forest", splines = verb_models[12:13]
)

# The groups as Markdown, for README.md: whether all verbs of a group work on all of its models.
verbs_markdown <- function(x) {
  works <- verbs_matrix(x)
  groups <- verb_groups()
  mark <- function(verbs, models) {
    found <- works[verbs, models]
    if (all(found)) "\u2713" else if (any(found)) "\u25d0" else "\u2013"
  }
  row <- function(...) paste0("| ", paste(c(...), collapse = " | "), " |")
  c(
    row("", names(model_groups)), paste0("|---|", strrep(":-:|", length(model_groups))),
    vapply(names(groups), function(group) {
      row(group, vapply(model_groups, function(models) mark(groups[[group]], models), ""))
    }, "", USE.NAMES = FALSE)
  )
}

# The table and the alternatives, for the help page.
verbs_section <- function() {
  x <- tec_verbs()
  escape <- function(text) gsub("([%{}\\\\])", "\\\\\\1", text)
  # Verbs with the same models and the same alternative are one item.
  refused <- x[!x$works, ]
  by_verb <- split(refused, factor(refused$verb, unique(refused$verb)))
  parts <- do.call(rbind, lapply(unname(by_verb), function(group) {
    models <- tapply(group$model, factor(group$instead, unique(group$instead)), paste,
      collapse = "; "
    )
    data.frame(verb = group$verb[1L], models = as.vector(models), instead = names(models))
  }))
  key <- paste(parts$models, parts$instead)
  items <- vapply(split(parts, factor(key, unique(key))), function(group) {
    paste0(
      "\\item ", paste0("\\code{", escape(group$verb), "}", collapse = ", "), " (",
      group$models[1L], "): ", escape(group$instead[1L]), "."
    )
  }, "")
  c(
    "\\section{The table}{", "\\preformatted{", escape(format.tec_verbs(x, 80L)), "}", "}",
    "\\section{What to do instead}{", "\\itemize{", unname(items), "}", "}"
  )
}
