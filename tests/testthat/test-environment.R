# Sessions with other options, masked functions, random numbers and processes. Locales, memory
# limits and full folders: tools/checks/environment.R.

test_that("options of a session change no result", {
  plain <- environment_results()
  sessions <- list(
    comma = list(OutDec = ","), low = list(scipen = -5), high = list(scipen = 999),
    digits = list(digits = 3, digits.secs = 6), most = list(digits = 22),
    contrasts = list(contrasts = c("contr.helmert", "contr.sum")),
    fail = list(na.action = "na.fail"), exclude = list(na.action = "na.exclude"),
    strict = list(
      warn = 2, warnPartialMatchDollar = TRUE, warnPartialMatchArgs = TRUE,
      warnPartialMatchAttr = TRUE
    ),
    narrow = list(width = 20, max.print = 5, useFancyQuotes = FALSE, encoding = "latin1"),
    deparse = list(deparse.max.lines = 1, keep.source = FALSE)
  )
  for (name in in_turn(names(sessions), fewer(length(sessions), 4))) {
    changed <- withr::with_options(sessions[[name]], environment_results())
    expect_identical(environment_differences(plain, changed), character(), info = name)
  }
})

test_that("any kind of random numbers gives models that can be repeated, and stays as it was", {
  plain <- environment_results(exports = FALSE)
  fixed <- c("tree", "terms", "splines")
  kinds <- list(
    c("Wichmann-Hill", "Inversion", "Rejection"), c("L'Ecuyer-CMRG", "Inversion", "Rejection"),
    c("Mersenne-Twister", "Box-Muller", "Rounding"), c("Knuth-TAOCP-2002", "Inversion", "Rounding")
  )
  old <- RNGkind()
  withr::defer(RNGkind(old[1L], old[2L], old[3L]))
  for (kind in in_turn(kinds, fewer(length(kinds), 2))) {
    suppressWarnings(RNGkind(kind[1L], kind[2L], kind[3L]))
    first <- environment_results(exports = FALSE)
    second <- environment_results(exports = FALSE, threads = 1)
    expect_identical(RNGkind(), kind)
    expect_identical(environment_differences(first, second), character(), info = kind[1L])
    expect_identical(first$response[fixed], plain$response[fixed], info = kind[1L])
  }
})

# A script at top level, where the masks are found first. It names the packages of R's functions.
masked_script <- function(names, value) {
  c(
    "base::library(tectree)",
    "d <- tectree_data", "l <- base::list()",
    if (length(names)) sprintf("base::assign(%s, %s)", vapply(names, deparse, ""), value),
    "base::set.seed(1)",
    "tree <- tec_tree(y ~ . - n, d, min_bucket = 2, prune = 'none')",
    "forest <- tec_forest(y ~ x + z + w, d, trees = 3, progress = FALSE)",
    "boost <- tec_boost(n ~ x + z, data = d, rounds = 3, folds = 0, progress = FALSE)",
    "splines <- tec_mars(n ~ x + z, d)",
    "rotation <- tec_rotation(y ~ x + z, d, trees = 2, progress = FALSE)",
    "l$pruned <- stats::predict(tec_prune(tree, 'pep'), d)",
    "l$updated <- stats::predict(stats::update(tree, min_bucket = 9), d)",
    "l$more <- stats::predict(tec_more(forest, 1, progress = FALSE), d)",
    "l$again <- stats::predict(stats::update(forest, trees = 2), d)",
    "l$boosted <- stats::predict(stats::update(boost, rounds = 2), d)",
    "l$mars <- stats::predict(stats::update(splines, degree = 2), d)",
    "l$tuned <- base::as.data.frame(tec_tune(y ~ x + z, d, q = 1:2, folds = 3))",
    "l$several <- stats::predict(",
    "  tec_tune(y ~ x + z, d, model = 'forest', trees = 3, mtry = 1:2, folds = 2), d",
    ")",
    # The columns: the terms of a frame have the environment of their session.
    "l$fitted <- stats::fitted(tree)",
    "l$frame <- base::lapply(stats::model.frame(tree), base::identity)",
    "l$residuals <- stats::residuals(boost)", "l$turned <- stats::predict(rotation, d)",
    "l$summary <- base::format(base::summary(tree))", "l$printed <- base::format(forest)",
    "l$permuted <- tectree::importance(tree, 'permutation', data = d)$importance",
    "l$dependence <- base::as.list(tec_dependence(forest, 'x'))",
    "l$shrunk <- stats::predict(tec_shrink(forest, 2), d)",
    "l$export <- verify_export(tree, d, 'r')$agree",
    "l$json <- stats::predict(tec_from_json(tec_json(tree)), d)",
    "l$explained <- base::format(explain(tree, d[3, ]))",
    "l$table <- base::as.data.frame(compare_methods(y ~ x + z, d, folds = 2))$size",
    "l$shap <- base::as.data.frame(tec_shap(boost, d[1:3, ]))$value",
    "grDevices::pdf(NULL)", "graphics::plot(tree)", "graphics::plot(boost)"
  )
}

test_that("functions and variables of the same names as R's are not used", {
  slow_test()
  skip_on_cran()
  skip_on_os("windows")
  run <- function(names = character(), value = "") {
    folder <- withr::local_tempdir()
    data <- file.path(folder, "data.rds")
    out <- file.path(folder, "out.rds")
    saveRDS(environment_data(), data)
    code <- sub("tectree_data", sprintf("base::readRDS(%s)", deparse(data)),
      masked_script(names, value),
      fixed = TRUE
    )
    said <- in_new_session(c(code, sprintf("base::saveRDS(l, %s)", deparse(out))))
    if (file.exists(out)) readRDS(out) else said
  }
  names <- c(
    "c", "data", "df", "t", "mean", "sum", "predict", "T", "F", "length", "list", "matrix", "paste",
    "names", "levels", "factor", "max", "min", "order", "seq", "rep", "table", "apply", "lapply",
    "eval", "do.call", "summary", "print", "format", "plot", "update", "importance", "tec_control",
    "data.frame", "is.na", "exp", "sqrt", "stop", "warning", "tryCatch", "quote", "identity",
    "weights", "subset", "formula", "x", "y", "n", "fit", "tec_criterion", "prune", "as.factor",
    "numeric", "nrow", "ncol", "unlist", "response", "rows", "tree_depth", "augment"
  )
  plain <- run()
  expect_length(plain, 22)
  for (value in c("0", "function(...) base::stop('masked')")) {
    masked <- run(names, value)
    expect_type(masked, "list")
    expect_identical(environment_differences(plain, masked), character(), info = value)
  }
})
