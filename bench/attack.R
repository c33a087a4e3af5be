# Wrong values for every argument of every function, and damaged models for every method:
#
#   Rscript bench/attack.R [CALLS [SEED]]
#
# CALLS (default 20,000): how many of all calls, at random.
# Every call must return, or stop with an error of class "tec_error", within 10 seconds. Calls run
# in child processes, so that one which ends R is found and the others go on. Prints a line for each
# fault and a summary; the exit status is 1 if there was any fault.

suppressMessages(library(tectree))
arguments <- commandArgs(TRUE)
n_calls <- if (length(arguments)) as.numeric(arguments[1L]) else 20000
set.seed(if (length(arguments) > 1L) as.integer(arguments[2L]) else 1L)
seconds <- 10

# ---- what the calls are about ----

small <- iris[c(1:20, 51:70, 101:120), ]
quick <- list(trees = 4, threads = 1, progress = FALSE)
grow <- function(f, ...) suppressWarnings(suppressMessages(f(...)))
models <- list(
  tree = grow(tec_tree, Species ~ ., small, threads = 1),
  number = grow(tec_tree, Sepal.Length ~ ., small, threads = 1),
  forest = grow(tec_forest, Species ~ ., small, trees = 4, threads = 1),
  numbers = grow(tec_forest, Sepal.Length ~ ., small, trees = 4, threads = 1),
  boost = grow(tec_boost, Species ~ ., small, rounds = 3, max_depth = 2),
  ada = grow(tec_boost, Species ~ ., small, rounds = 3, method = "adaboost"),
  cyclic = grow(tec_boost, Sepal.Length ~ ., small, rounds = 2, cyclic = TRUE, bags = 2),
  rotation = grow(tec_rotation, Species ~ ., small, trees = 3),
  mars = grow(tec_mars, Sepal.Length ~ ., small),
  tune = grow(tec_tune, Species ~ ., small, q = 1:2, folds = 3),
  scores = grow(tec_scores, Species ~ ., small)
)
list2env(models, globalenv())
shapes <- tec_shapes(cyclic, data = small)
shap <- tec_shap(tree, small[1:5, ])
picture <- tec_picture(tree, "roc", data = small)
comparison <- grow(compare_criteria, Species ~ ., small, folds = 3)
dependence <- tec_dependence(tree, "Petal.Width", data = small)
json <- unclass(tec_json(tree))
classes <- small$Species
numbers <- small$Sepal.Length

# A call of each, right as it stands. The arguments of a method are tried, not those of its generic.
calls <- alist(
  tec_tree.formula = tec_tree(formula = Species ~ ., data = small),
  tec_tree.default = tec_tree(x = small[1:4], y = classes),
  tec_forest.formula = tec_forest(formula = Species ~ ., data = small, trees = 3),
  tec_forest.default = tec_forest(x = small[1:4], y = classes, trees = 3),
  tec_boost.formula = tec_boost(formula = Species ~ ., data = small, rounds = 2),
  tec_boost.default = tec_boost(x = small[1:4], y = classes, rounds = 2),
  tec_rotation.formula = tec_rotation(formula = Species ~ ., data = small, trees = 2),
  tec_rotation.default = tec_rotation(x = small[1:4], y = classes, trees = 2),
  tec_mars.formula = tec_mars(formula = Sepal.Length ~ ., data = small),
  tec_mars.default = tec_mars(x = small[2:4], y = numbers),
  tec_tune.formula = tec_tune(formula = Species ~ ., data = small, q = 1:2, folds = 3),
  tec_tune.default = tec_tune(x = small[1:4], y = classes, q = 1:2, folds = 3),
  tec_scores.formula = tec_scores(formula = Species ~ ., data = small),
  tec_scores.default = tec_scores(x = small[1:4], y = classes),
  tec_scores.tec_tree = tec_scores(x = tree, node = 1, data = small),
  compare_criteria = compare_criteria(formula = Species ~ ., data = small, folds = 2),
  compare_methods = compare_methods(
    formula = Species ~ ., data = small, folds = 2, methods = list(tree = tec_tree)
  ),
  tec_control = tec_control(), tec_criterion = tec_criterion(name = "tsallis"),
  tec_engine = tec_engine(),
  predict.tec_tree = predict(object = tree, newdata = small),
  predict.tec_forest = predict(object = forest, newdata = small),
  predict.tec_boost = predict(object = boost, newdata = small),
  predict.tec_rotation = predict(object = rotation, newdata = small),
  predict.tec_mars = predict(object = mars, newdata = small),
  predict.tec_tune = predict(object = tune, newdata = small),
  predict.tec_shapes = predict(object = shapes, newdata = small),
  print.tec_tree = print(x = tree), print.tec_forest = print(x = forest),
  print.tec_boost = print(x = boost), print.tec_rotation = print(x = rotation),
  print.tec_mars = print(x = mars), print.tec_tune = print(x = tune),
  print.tec_scores = print(x = scores), print.tec_shap = print(x = shap),
  summary.tec_tree = summary(object = tree), summary.tec_forest = summary(object = forest),
  summary.tec_rotation = summary(object = rotation), summary.tec_mars = summary(object = mars),
  plot.tec_tree = plot(x = tree), plot.tec_forest = plot(x = forest),
  plot.tec_boost = plot(x = boost), plot.tec_rotation = plot(x = rotation),
  plot.tec_mars = plot(x = mars), plot.tec_tune = plot(x = tune),
  plot.tec_scores = plot(x = scores), plot.tec_shap = plot(x = shap),
  plot.tec_shapes = plot(x = shapes), plot.tec_picture = plot(x = picture),
  plot.tec_comparison = plot(x = comparison), plot.tec_dependence = plot(x = dependence),
  plot_impurity = plot_impurity(),
  importance.tec_tree = importance(x = tree), importance.tec_forest = importance(x = forest),
  importance.tec_boost = importance(x = boost), importance.tec_mars = importance(x = mars),
  importance.tec_rotation = importance(x = rotation, data = small),
  tidy.tec_tree = tidy(x = tree), glance.tec_tree = glance(x = tree),
  augment.tec_tree = augment(x = tree, data = small), tidy.tec_forest = tidy(x = forest),
  glance.tec_forest = glance(x = forest), augment.tec_forest = augment(x = forest, data = small),
  tidy.tec_boost = tidy(x = boost), glance.tec_boost = glance(x = boost),
  tidy.tec_mars = tidy(x = mars), glance.tec_mars = glance(x = mars),
  tidy.tec_rotation = tidy(x = rotation), glance.tec_rotation = glance(x = rotation),
  explain.tec_tree = explain(x = tree, newdata = small[1, ]),
  explain.tec_mars = explain(x = mars, newdata = small[1, ]),
  tec_prune = tec_prune(fit = tree, alpha = 0.1), cp_table = cp_table(fit = tree),
  tec_rules = tec_rules(fit = tree), tec_gains = tec_gains(x = tree, data = small),
  tec_intervals = tec_intervals(fit = tree), tec_shrink = tec_shrink(fit = tree, lambda = 2),
  tec_picture = tec_picture(fit = tree, type = "roc", data = small),
  tec_sql = tec_sql(fit = tree), tec_json = tec_json(fit = tree), tec_code = tec_code(fit = tree),
  tec_pmml = tec_pmml(fit = tree), tec_onnx = tec_onnx(fit = tree),
  tec_from_json = tec_from_json(json = json), as_rpart = as_rpart(fit = tree),
  as_tec_tree = as_tec_tree(x = tree), as_tec_forest = as_tec_forest(x = forest),
  tec_more = tec_more(fit = forest, trees = 2), tec_proximity = tec_proximity(fit = forest, small),
  tec_dependence = tec_dependence(fit = tree, variables = "Petal.Width", data = small),
  tec_shap.tec_tree = tec_shap(x = tree, newdata = small[1:3, ]),
  tec_shap.tec_forest = tec_shap(x = forest, newdata = small[1:3, ]),
  tec_shap.tec_boost = tec_shap(x = boost, newdata = small[1:3, ]),
  tec_shapes = tec_shapes(fit = cyclic, data = small),
  tec_components = tec_components(fit = rotation),
  n_trees = n_trees(x = forest), n_leaves = n_leaves(x = tree), tree_depth = tree_depth(x = tree),
  shannon_entropy = shannon_entropy(p = c(1, 3)), tsallis_entropy = tsallis_entropy(p = 1:2, q = 2),
  beta_entropy = beta_entropy(p = 1:2, beta = 2), gini_index = gini_index(p = 1:2),
  misclassification = misclassification(p = 1:2), q_log = q_log(x = 2, q = 2),
  q_exp = q_exp(x = 2, q = 2), cami = cami(x = classes, y = classes),
  cair = cair(x = classes, y = classes), effcami = effcami(x = classes, y = classes),
  conditional_entropy = conditional_entropy(x = classes, y = classes),
  joint_entropy = joint_entropy(x = classes, y = classes),
  mutual_information = mutual_information(x = classes, y = classes),
  information_gain = information_gain(x = classes, y = classes),
  gain_ratio = gain_ratio(x = classes, y = classes),
  split_information = split_information(x = classes),
  cross_entropy = cross_entropy(p = 1:2, r = 2:3), kl_divergence = kl_divergence(p = 1:2, r = 2:3),
  tec_partition = tec_partition(list(1:2, 3))
)

# ---- wrong values ----

latin1 <- iconv("caf\u00e9", "UTF-8", "latin1")
invalid <- `Encoding<-`(latin1, "unknown")
bad_factor <- structure(c(1L, 9L), levels = c("a", "b"), class = "factor")
values <- list(
  NULL, NA, NA_integer_, NA_real_, NA_character_, NaN, Inf, -Inf, -1, 0, 0.5, 1.5, 1L, 2, 3, 7, 1e9,
  2^31, 1e300, -1e300, 1e-300, integer(), numeric(), character(), logical(), list(), list(1),
  list(1, "a"), list(a = 1, b = list(2)), "", "a", "no such", invalid, latin1,
  `Encoding<-`(latin1, "bytes"), c(invalid, "a"), strrep("a", 1e4), TRUE, FALSE, c(TRUE, FALSE),
  c(NA, TRUE), 1:3, c(1, NA), c(0.2, 0.8), c(a = 1, b = 2), 1:60, seq(0, 1, length.out = 60),
  c("a", "b"), letters, factor("a"), factor(c("a", "b"))[0], bad_factor, rep(bad_factor, 30),
  structure(1:3, class = "factor"), structure(1, class = "no such class"),
  structure(list(), class = "tec_tree"), structure(list(1), class = "tec_forest"),
  structure(list(), class = "tec_boost"), structure(list(), class = "tec_mars"),
  structure(list(), class = "tec_rotation"), structure(list(), class = "tec_tune"),
  structure(list(), class = "tec_control"), structure(list(), class = "tec_criterion"), small,
  small[0, ], small[, 0], data.frame(), data.frame(a = I(list(1, 2))), matrix(1:4, 2), matrix("a"),
  matrix(numeric(), 0, 0), array(1:8, c(2, 2, 2)), function(x) x, function() stop("no"), quote(x),
  quote(x + y), y ~ x, ~x, y ~ ., new.env(), Sys.Date(), Sys.time(), as.POSIXlt(Sys.time()),
  as.difftime(1, units = "secs"), 1i, raw(3), expression(a), structure(1e-320, class = "integer64"),
  structure(rep(5e-324, 60), class = "integer64"), structure("x", class = "POSIXct"),
  structure(list(1, 2:3), class = "data.frame"), pairlist(a = 1), tree, forest, emptyenv(), numbers,
  classes, as.character(classes), rev(small), small[c(5, 1, 2)], "Species", "gini", 10L, 100
)

arguments_of <- function(name) {
  f <- get0(name, asNamespace("tectree"))
  setdiff(names(formals(f)), "...")
}
# What a generic of R dispatches on is not the method's to check.
of_base <- "^(print|plot|summary|predict)[.]"
tries <- do.call(rbind, lapply(names(calls), function(name) {
  expand.grid(call = name, arg = arguments_of(name), value = seq_along(values),
    stringsAsFactors = FALSE)
}))
tries <- tries[!(grepl(of_base, tries$call) & tries$arg %in% c("x", "object")), ]
tried <- list(
  label = paste0(tries$call, "(", tries$arg, " = value ", tries$value, ")"),
  make = function(i) {
    call <- calls[[tries$call[i]]]
    value <- values[[tries$value[i]]]
    call[tries$arg[i]] <- list(if (is.language(value)) call("quote", value) else value)
    call
  }
)

# ---- damaged models ----

odd <- list(
  NULL, NA, -1L, 0L, 1L, 2147483647L, -2147483647L, 1e300, NaN, Inf, "x", list(), integer(), 0:9
)
# Somewhere in a list of lists: an element changed, or a part dropped, shortened or lengthened.
damage <- function(x, depth = 0L) {
  if (is.list(x) && length(x) && depth < 4L && (depth == 0L || stats::runif(1) < 0.8)) {
    i <- sample.int(length(x), 1L)
    part <- unclass(x)[[i]]
    new <- damage(part, depth + 1L)
    class <- oldClass(x)
    x <- unclass(x)
    if (is.null(new)) x[i] <- list(NULL) else x[[i]] <- new
    class(x) <- class
    return(x)
  }
  how <- sample.int(4L, 1L)
  if (how == 1L || length(x) == 0L || !is.atomic(x)) return(odd[[sample.int(length(odd), 1L)]])
  at <- sample.int(length(x), 1L)
  if (how == 2L) return(x[-at])
  if (how == 3L) return(c(x, x[at]))
  to <- odd[[sample(2:10, 1L)]]
  if (is.raw(x)) x[at] <- as.raw(9L) else if (!is.factor(x)) x[at] <- to
  x
}
methods <- alist(
  predict(m, small), print(m), summary(m), plot(m), tidy(m), glance(m), importance(m), m[[1]],
  tec_json(m), tec_code(m), tec_sql(m), tec_pmml(m), tec_onnx(m), tec_shrink(m, 2),
  tec_shapes(m, small),
  tec_shap(m, small[1:3, ]), tec_more(m, 2), as_tec_forest(m), tec_prune(m, alpha = 0),
  tec_rules(m),
  tec_proximity(m, small), tec_components(m), as.data.frame(m), explain(m, small[1, ]), cp_table(m),
  as_rpart(m), tec_intervals(m), tec_gains(m, data = small), predict(m, small, type = "prob"),
  predict(m, small[1, ]), tec_scores(m, data = small), nobs(m), augment(m, newdata = small)
)
kinds <- setdiff(names(models), "scores")
damaged <- list(
  label = function(i) paste0("damaged ", kinds[i %% length(kinds) + 1L], " ", i),
  make = function(i) {
    set.seed(i)
    m <- damage(models[[kinds[i %% length(kinds) + 1L]]])
    as.call(list(quote(local), as.call(list(
      quote(`{`), call("<-", quote(m), m), methods[[sample.int(length(methods), 1L)]]
    ))))
  }
)

# ---- running ----

jobs <- c(
  lapply(sample(nrow(tries), min(nrow(tries), round(n_calls * 2 / 3))), function(i) {
    list(label = tried$label[i], make = function() tried$make(i))
  }),
  lapply(seq_len(round(n_calls / 3)), function(i) {
    list(label = damaged$label(i), make = function() damaged$make(i))
  })
)
quiet <- function(expr) {
  sink(nullfile())
  on.exit(sink())
  suppressWarnings(suppressMessages(eval(expr, globalenv())))
}
# "" or what is wrong.
fault_of <- function(job) {
  call <- job$make()
  start <- proc.time()[[3L]]
  said <- tryCatch(
    {
      setTimeLimit(elapsed = seconds, transient = TRUE)
      quiet(call)
      ""
    },
    tec_error = function(e) "",
    error = function(e) paste0("raw error: ", conditionMessage(e)[1L])
  )
  setTimeLimit()
  took <- proc.time()[[3L]] - start
  if (took > seconds) said <- sprintf("took %.0f s", took)
  # Functions of the generic that do not know the class are R's own business.
  theirs <- "no applicable method|unused argument|cannot coerce class|no 'nobs' method"
  if (grepl(theirs, said)) "" else said
}

folder <- tempfile("attack")
dir.create(folder)
log <- file.path(folder, "log")
run <- function(from, to) {
  setwd(folder)
  grDevices::pdf(NULL)
  options(width = 80, browser = "true", warn = -1)
  for (i in seq.int(from, to)) {
    cat(i, "\n", file = log, append = TRUE)
    said <- fault_of(jobs[[i]])
    if (nzchar(said)) cat(i, "FAULT", gsub("[\r\n]+", " ", said), "\n", file = log, append = TRUE)
  }
  cat("end\n", file = log, append = TRUE)
}

faults <- list()
at <- 1L
batch <- 500L
while (at <= length(jobs)) {
  unlink(log)
  to <- min(length(jobs), at + batch - 1L)
  child <- parallel::mcparallel(run(at, to), silent = TRUE, mc.set.seed = FALSE)
  since <- proc.time()[[3L]]
  seen <- 0
  repeat {
    done <- parallel::mccollect(child, wait = FALSE, timeout = 1)
    lines <- if (file.exists(log)) readLines(log, warn = FALSE) else character()
    if (length(lines) != seen) {
      seen <- length(lines)
      since <- proc.time()[[3L]]
    }
    stuck <- proc.time()[[3L]] - since > 3 * seconds
    if (stuck) tools::pskill(child$pid, tools::SIGKILL)
    if (!is.null(done) || stuck || utils::tail(c("", lines), 1L) == "end") break
  }
  parallel::mccollect(child, wait = FALSE)
  found <- grep(" FAULT ", lines, value = TRUE, useBytes = TRUE)
  number <- as.integer(sub(" .*", "", found, useBytes = TRUE))
  faults <- c(faults, Map(function(i, x) {
    paste0(jobs[[i]]$label, ": ", sub("^[0-9]+ FAULT ", "", x, useBytes = TRUE))
  }, number, found))
  last <- suppressWarnings(max(as.integer(sub(" .*", "", lines[lines != "end"], useBytes = TRUE))))
  if (utils::tail(c("", lines), 1L) != "end") {
    faults <- c(faults, paste0(jobs[[last]]$label, ": ", if (stuck) "hangs" else "ends R"))
    at <- last + 1L
  } else {
    at <- to + 1L
  }
  message(at - 1L, " of ", length(jobs), " calls, ", length(faults), " faults")
}
writeLines(sort(unlist(faults)))
cat(length(jobs), "calls,", length(faults), "faults\n")
quit(status = length(faults) > 0L)
