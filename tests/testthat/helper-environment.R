# Results of every kind of model, to compare sessions with other options, locales, masks and random
# numbers. Used by test-environment.R and tools/checks/environment.R.

environment_data <- function() {
  i <- 1:120
  data.frame(
    x = (i * 37) %% 101 / 7, z = sqrt(i) - (i * 13) %% 17,
    # Locales differ in the order of these.
    w = c("a", "B", "b", "\u00e9", "I", "i", "Z", "_x", "10", "9")[i %% 10 + 1L],
    f = factor(c("low", "High", "mid")[(i * 7) %% 3 + 1L], c("low", "mid", "High")),
    day = as.Date("2020-01-01") + (i * 31) %% 60,
    y = c("yes", "No")[((i * 37) %% 101 + i %% 10 > 50 + i %% 7) + 1L],
    n = (i * 37) %% 101 / 7 + i %% 3, stringsAsFactors = FALSE
  )
}

environment_models <- function(d = environment_data(), threads = 2) {
  seeded <- function(call) {
    set.seed(1)
    call
  }
  suppressMessages(list(
    tree = tec_tree(y ~ . - n, d, missing = "majority", min_bucket = 2, prune = "none"),
    pruned = seeded(tec_tree(n ~ . - y, d, prune = "ccp", missing = "majority")),
    terms = tec_tree(n ~ log(x + 1) + cut(z, 3), d),
    forest = seeded(tec_forest(y ~ . - n, d, trees = 5, threads = threads, progress = FALSE)),
    boost = seeded(tec_boost(n ~ x + z + w, d,
      rounds = 5, folds = 0, threads = threads, progress = FALSE
    )),
    classes = seeded(tec_boost(f ~ x + z + w, d,
      rounds = 3, folds = 0, threads = threads, progress = FALSE
    )),
    rotation = seeded(
      tec_rotation(y ~ x + z + f, d, trees = 3, threads = threads, progress = FALSE)
    ),
    splines = tec_mars(n ~ x + z + f, d),
    tuned = seeded(tec_tune(y ~ x + z, d, q = 1:2, folds = 3))
  ))
}

# Plain values only.
environment_results <- function(d = environment_data(), threads = 2, exports = TRUE) {
  models <- environment_models(d, threads)
  exported <- models[c("tree", "pruned", "forest", "boost", "classes")]
  text <- function(write, ...) lapply(exported, function(fit) as.character(write(fit, ...)))
  set.seed(2)
  list(
    response = lapply(models, function(fit) as.vector(stats::predict(fit, d))),
    prob = lapply(models[c("tree", "forest", "classes", "rotation")], function(fit) {
      stats::predict(fit, d, type = "prob")
    }),
    levels = lapply(models[c("tree", "forest")], function(fit) fit$columns$levels),
    shap = as.data.frame(tec_shap(models$boost, d[1:4, ]))$value,
    importance = lapply(models, function(fit) as.list(importance(fit))),
    permuted = as.list(importance(models$tree, "permutation", data = d)),
    dependence = as.list(tec_dependence(models$forest, "x", data = d)),
    tidy = lapply(models[c("tree", "splines")], function(fit) as.list(as.data.frame(tidy(fit)))),
    glance = lapply(models, function(fit) as.list(glance(fit))),
    exports = if (exports) {
      c(
        list(
          json = text(tec_json), r = text(tec_code, "r"), c = text(tec_code, "c"),
          js = text(tec_code, "javascript"), python = text(tec_code, "python"),
          rust = text(tec_code, "rust"),
          sql = lapply(exported, function(fit) {
            as.character(tec_sql(fit, table = if (!inherits(fit, "tec_tree")) "rows"))
          }),
          pmml = text(tec_pmml, missing = "majority"), onnx = text(tec_onnx, missing = "majority")
        ),
        list(splines = list(
          as.character(tec_json(models$splines)), as.character(tec_code(models$splines, "r")),
          as.character(tec_sql(models$splines))
        ))
      )
    }
  )
}

# Names of the parts that differ.
environment_differences <- function(a, b) {
  out <- unlist(lapply(names(a), function(part) {
    if (identical(a[[part]], b[[part]])) {
      return(NULL)
    }
    if (!is.list(a[[part]])) {
      return(part)
    }
    inner <- names(a[[part]])
    same <- mapply(identical, a[[part]], b[[part]])
    paste0(part, "$", inner[!same])
  }))
  as.character(out)
}

# The results of a new session: `code` comes first; `wrap` is a command of sh before Rscript.
results_in_session <- function(code = "", wrap = "", env = character(), more = "exports = TRUE",
                               helper = testthat::test_path("helper-environment.R")) {
  folder <- tempfile("session")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  script <- file.path(folder, "script.R")
  out <- file.path(folder, "out.rds")
  writeLines(c(
    "library(tectree)",
    sprintf("base::sys.source(%s, base::environment())", deparse(normalizePath(helper))),
    code, sprintf("base::saveRDS(environment_results(%s), %s)", more, deparse(out))
  ), script)
  paths <- paste(.libPaths(), collapse = .Platform$path.sep)
  command <- paste(
    wrap, shQuote(file.path(R.home("bin"), "Rscript")), "--vanilla", shQuote(script), "2>&1"
  )
  env <- c(paste0("R_LIBS=", shQuote(paths)), "R_TESTS=", env)
  said <- suppressWarnings(
    system2("env", c(env, "sh", "-c", shQuote(command)), stdout = TRUE)
  )
  if (file.exists(out)) readRDS(out) else paste(said, collapse = "\n")
}
