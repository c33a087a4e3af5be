test_that("every entry of the table is accepted or explained", {
  for (entry in other_words) {
    expect_identical(sum(lengths(entry[c("ours", "advice")]) > 0L), 1L)
    for (theirs in entry$theirs) expect_identical(find_word(entry$kind, theirs), entry)
  }
  kinds <- vapply(other_words, `[[`, "", "kind")
  theirs <- lapply(other_words, `[[`, "theirs")
  for (kind in unique(kinds)) expect_false(anyDuplicated(unlist(theirs[kinds == kind])) > 0)
})

test_that("arguments of other packages are translated", {
  same <- function(...) {
    pair <- list(...)
    expect_identical(do.call(tec_control, pair[1]), do.call(tec_control, pair[-1]))
  }
  for (entry in argument_words) {
    if (is.null(entry$ours) || !is.null(entry$convert)) next
    for (theirs in entry$theirs) {
      number <- list(if (entry$ours == "min_bucket_share") 0.1 else 1)
      value <- stats::setNames(number, entry$ours)
      expect_identical(
        do.call(tec_control, stats::setNames(number, theirs)), do.call(tec_control, value)
      )
    }
  }
  same(ccp_alpha = 0.1, alpha = 0.1, risk = "impurity")
  same(CF = 0.1, cf = 0.1, prune = "ebp")
  same(C = 0.1, cf = 0.1, prune = "ebp")
  same(U = TRUE, prune = "none")
  same(B = TRUE, nominal = "binary")
  same(S = TRUE, raise = FALSE)
  same(O = TRUE, collapse = FALSE)
  same(U = FALSE)
  same(min_samples_leaf = 3, min_bucket = 3)
  # A share, as in scikit-learn.
  same(min_samples_leaf = 0.1, min_bucket_share = 0.1, min_bucket = 1)
  same(min_samples_split = 5, min_split = 5)
  same(n_jobs = 2, threads = 2)
  same(n_jobs = -1)
  same(max_depth = NULL)
  same(max_leaves = NULL)
  # What changes nothing is taken.
  same(splitter = "best")
  same(trials = 1)
  same(J = FALSE)
  # What a word brings along gives way to what is said outright.
  expect_identical(tec_control(CF = 0.1, prune = "none")$prune, "none")
  errors <- tec_control(ccp_alpha = 0.1, risk = "misclassification")
  expect_identical(errors$risk, "misclassification")
})

test_that("arguments without a counterpart are errors with advice", {
  expect_snapshot(show_errors({
    tec_tree(Species ~ ., iris, method = "anova")
    tec_tree(mpg ~ ., mtcars, method = "class")
    tec_tree(mpg ~ ., mtcars, method = "poisson")
    tec_tree(Species ~ ., iris, parms = list(split = "twoing"))
    tec_tree(Species ~ ., iris, parms = list(shrink = 1))
    tec_tree(Species ~ ., iris, parms = list(split = "gini"), criterion = "shannon")
    tec_control(parms = list(split = "gini"))
    tec_tree(Species ~ ., iris, random_state = "a")
    tec_control(seed = 1)
    tec_tree(Species ~ ., iris, ntree = 2)
    tec_tree(Species ~ ., iris, sample_weight = 1)
    tec_tree(Species ~ ., iris, min_samples_split = 0.3)
    tec_tune(Species ~ ., iris, class_weight = "balanced")
    tec_tune(Species ~ ., iris, class_weights = "balanced")
    tec_tune(mpg ~ ., mtcars, scoring = "neg_mean_squared_error")
    tec_tune(tec_tree(Species ~ ., iris, prune = "none"))
    verify_export(tec_tree(Species ~ ., iris, prune = "none"), iris, "sqlite")
    verify_export(tec_tree(Species ~ ., iris, prune = "none"), iris, "pmml")
    tec_control(mincriterion = 0.95)
    tec_tune(Species ~ ., iris, param_grid = list(q = 1:3))
    tec_tune(Species ~ ., iris, scoring = "f1")
    tec_tune(Species ~ ., iris, scoring = "accuracy", metric = "brier")
    tec_tree(Species ~ ., iris, scoring = "accuracy")
    tec_tune(Species ~ ., iris, cv = 3, folds = 3)
    tec_tree(Species ~ ., iris, monotonic_cst = 1)
    tec_tree(Species ~ ., iris, J = TRUE)
    tec_tree(Species ~ ., iris, Q = 1)
    tec_tree(Species ~ ., iris, doNotMakeSplitPointActualValue = TRUE)
    tec_tree(Species ~ ., iris, costs = diag(3))
    tec_tree(Species ~ ., iris, k = 5)
    tec_tune(Species ~ ., iris, q = 1, metric = "kap")
    tec_tree(Species ~ ., iris, criterion = "twoing")
    tec_tree(Species ~ ., iris, preset = "C5.0")
    tec_tree(Species ~ ., iris, preset = "ctree")
    predict(toy_tree(), toy(), mtry = 2)
  }))
})

test_that("words that stand for arguments of the call are accepted", {
  same <- function(a, b) {
    expect_identical(a$tree, b$tree)
    expect_identical(names(a$call), names(b$call))
    expect_identical(update(a, min_bucket = 3)$tree, update(b, min_bucket = 3)$tree)
  }
  prior <- c(0.2, 0.3, 0.5)
  loss <- matrix(c(0, 1, 2, 1, 0, 3, 1, 1, 0), 3)
  grow <- function(...) tec_tree(Species ~ ., iris, preset = "cart", folds = 0, ...)
  same(grow(parms = list(split = "information")), grow(criterion = "information"))
  same(grow(parms = list(spl = "inf")), grow(criterion = "information"))
  same(grow(parms = list(prior = prior, loss = loss)), grow(prior = prior, cost = loss))
  same(
    tec_tree(x = iris[1:4], y = iris$Species, parms = list(split = "g")),
    tec_tree(x = iris[1:4], y = iris$Species, criterion = "gini")
  )
  same(grow(parms = list()), grow())
  # From a function, with weights that are looked up in the data.
  weighted <- function(...) tec_tree(Species ~ Sepal.Length, iris, weights = Petal.Width, ...)
  expect_identical(
    weighted(parms = list(split = "gini"), min_bucket = 3)$tree,
    weighted(criterion = "gini", min_bucket = 3)$tree
  )
  expect_identical(grow(method = "class")$tree, grow()$tree)
  expect_identical(grow(mode = "classification")$tree, grow()$tree)
  expect_identical(tec_tree(mpg ~ ., mtcars, method = "anova")$tree, tec_tree(mpg ~ ., mtcars)$tree)
})

test_that("a seed of the call draws what set.seed() would, and leaves the others alone", {
  grow <- function(...) tec_tree(Species ~ ., iris, preset = "cart", cp = 0, ...)[["cptable"]]
  set.seed(3)
  before <- .Random.seed
  own <- grow(random_state = 7)
  expect_identical(.Random.seed, before)
  expect_identical(grow(seed = 7), own)
  set.seed(7)
  expect_identical(grow(), own)
  call <- tec_tree(Species ~ ., iris, random_state = 7)$call
  expect_identical(names(call), c("", "formula", "data"))
  expect_no_error(grow(random_state = NULL))
  tune <- function(...) tec_tune(Species ~ ., iris, q = 1:2, folds = 3, ...)
  scored <- tune(scoring = "neg_brier_score", random_state = 7)
  set.seed(7)
  expect_identical(as.data.frame(scored), as.data.frame(tune(metric = "brier")))
})

test_that("criteria, presets, types and metrics are understood", {
  for (name in c("entropy", "information", "log_loss")) {
    expect_identical(tec_criterion(name), tec_criterion("shannon"))
  }
  for (name in c("mse", "squared_error", "anova", "MSE")) {
    expect_identical(tec_criterion(name), tec_criterion("l2"))
  }
  expect_identical(tec_criterion("mae"), tec_criterion("l1"))
  expect_identical(tec_criterion("Gini"), tec_criterion("gini"))
  expect_identical(check_preset("C4.5"), "c45")
  expect_identical(check_preset("J48"), "c45")
  expect_identical(check_preset("rpart"), "cart")
  expect_identical(check_preset("ID3"), "id3")
  cost <- matrix(c(0, 1, 5, 1, 0, 5, 1, 1, 0), 3)
  expect_identical(
    tec_tree(Species ~ ., iris, preset = "rpart", cost = cost, folds = 0)$tree,
    tec_tree(Species ~ ., iris, preset = "cart", cost = cost, folds = 0)$tree
  )
  fit <- tec_tree(Species ~ ., iris)
  expect_identical(predict(fit, iris, type = "raw"), predict(fit, iris))
  expect_identical(predict(fit, iris, type = "where"), predict(fit, iris, type = "node"))
  expect_identical(predict(fit, iris, type = "probs"), predict(fit, iris, type = "prob"))
  number <- tec_tree(mpg ~ ., mtcars)
  expect_identical(predict(number, mtcars, type = "vector"), predict(number, mtcars))
  expect_identical(
    check_metric(c("roc_auc", "mn_log_loss", "bal_accuracy"), "classification"),
    c("auc", "log_loss", "balanced_accuracy")
  )
  expect_identical(check_metric("RMSE", "regression"), "rmse")
})

test_that("the help page shows every word", {
  text <- paste(unlist(help_pages()[["other-words.Rd"]]), collapse = " ")
  for (entry in other_words) {
    for (theirs in entry$theirs) expect_true(grepl(theirs, text, fixed = TRUE), info = theirs)
  }
})

# Vignettes *Coming from ...* have a line per argument, and each argument is accepted or answered.
expect_translated <- function(tool, arguments) {
  arguments <- setdiff(arguments, "...")
  expect_gt(length(arguments), 5)
  expect_identical(setdiff(arguments, coming_from_words()[[tool]]), character())
  known <- function(name) {
    name %in% c(control_names, tree_arguments) || !is.null(find_word("argument", name))
  }
  expect_identical(Filter(Negate(known), arguments), character())
}

test_that("every argument of rpart.control() is translated", {
  skip_if_not_installed("rpart")
  expect_translated("rpart.control", names(formals(rpart::rpart.control)))
})

test_that("every argument of C5.0Control() is translated", {
  skip_if_not_installed("C50")
  expect_translated("C5.0Control", names(formals(C50::C5.0Control)))
})

test_that("every argument of ctree_control() is translated", {
  skip_if_not_installed("partykit")
  expect_translated("ctree_control", names(formals(partykit::ctree_control)))
})

test_that("every option of J48 is translated", {
  skip_if_not_installed("RWeka")
  options <- tryCatch(RWeka::WOW("J48")$Name, error = function(e) skip("There is no Java."))
  expect_translated("J48", sub("^-", "", options))
})

test_that("every argument of DecisionTreeClassifier is translated", {
  slow_test()
  python <- skip_without_sklearn()
  code <- paste(
    "import inspect, sklearn.tree;",
    "print(*inspect.signature(sklearn.tree.DecisionTreeClassifier).parameters)"
  )
  arguments <- system2(python, c("-W ignore -c", shQuote(code)), stdout = TRUE)
  expect_translated("DecisionTreeClassifier", strsplit(arguments, " ")[[1]])
})

test_that("exports know the usual names of databases and languages", {
  fit <- full_tree(Species ~ ., iris)
  same <- function(theirs, ours, write) expect_identical(write(fit, theirs), write(fit, ours))
  same("PostgreSQL", "postgres", tec_sql)
  same("MySQL", "mysql", tec_sql)
  same("sqlserver", "mssql", tec_sql)
  same("databricks", "spark", tec_sql)
  same("Python", "python", tec_code)
  same("py", "python", tec_code)
  same("R", "r", tec_code)
  same("js", "javascript", tec_code)
  same("C++", "c", tec_code)
  expect_identical(tec_sql(fit, type = "proba"), tec_sql(fit, type = "prob"))
  proba <- predict(fit, iris, type = "predict_proba")
  expect_identical(proba, predict(fit, iris, type = "prob"))
  expect_error(tec_sql(fit, "hive"), class = "tec_error_argument")
  expect_error(tec_code(fit, "julia"), class = "tec_error_argument")
})

test_that("attributes of scikit-learn are named by a message", {
  fit <- full_tree(Species ~ ., iris)
  for (name in names(part_advice)) {
    expect_message(part <- eval(call("$", fit, name)), class = "tec_message_part")
    expect_null(part)
  }
  expect_snapshot(fit$feature_importances_)
  # Parts that are NULL, and the beginning of a name, say nothing.
  expect_silent(fit$cost)
  expect_silent(expect_identical(fit$predictor, fit$predictors))
})

test_that("spaces and hyphens in the names of criteria count as underscores", {
  criterion <- function(name) tec_tree(Species ~ ., iris, criterion = name)$criterion
  expect_identical(criterion("information gain"), criterion("shannon"))
  expect_identical(criterion("Gain-Ratio"), criterion("gain_ratio"))
  expect_identical(criterion("gini index"), criterion("gini"))
  expect_error(tec_tree(Species ~ ., iris, method = "ID3"), "see `preset`")
})

test_that("values of a word keep their meaning, and other values are errors", {
  boost <- function(...) {
    tec_boost(mpg ~ ., mtcars, rounds = 2, folds = 0, min_bucket = 3, seed = 1, ...)
  }
  plain <- boost(threads = 1)
  none <- list(cv.folds = 0, nthread = 0, num_threads = -1, train.fraction = 1)
  for (i in seq_along(none)) expect_identical(do.call(boost, none[i])$trees, plain$trees)
  early <- boost(early_stopping_rounds = NULL, patience = 1, validation = 0.3)
  expect_identical(early$trees, boost(patience = 1, validation = 0.3)$trees)
  expect_identical(tec_control(nthread = 0), tec_control())
  expect_identical(tec_control(num.threads = 2), tec_control(threads = 2))
  forest <- function(...) tec_forest(Species ~ ., iris, trees = 2, threads = 1, ...)
  calls <- alist(
    nodesize = forest(nodesize = sum), progress = forest(verbose = "zzz"),
    replace = forest(bootstrap = "zzz"), splitrule = forest(splitrule = c("gini", "extratrees")),
    max_depth = forest(max.depth = "zzz"), U = tec_control(U = "zzz"),
    max_depth = tec_control(maxheight = factor(1:2)), folds = boost(nfold = 0),
    threads = boost(nthread = as.name("x")), train.fraction = boost(train.fraction = "zzz"),
    tec_boost = boost(control = list(eta = 0.3))
  )
  expect_named_errors(calls)
})

test_that("types of predictions of other packages are translated, or errors with advice", {
  fit <- withr::with_seed(1, tec_forest(mpg ~ wt + hp, mtcars, trees = 5))
  expect_identical(predict(fit, mtcars, "quantile"), predict(fit, mtcars, "quantiles"))
  for (model in list(fit, tec_tree(mpg ~ wt, mtcars), tec_mars(mpg ~ wt, mtcars))) {
    expect_error(predict(model, mtcars, "interval"), "quantiles", class = "tec_error_argument")
  }
})

test_that("the tables of the help page contain every word and its replacement", {
  for (kind in c("argument", "forest", "mars", "boost", "rotation", "criterion", "type", "part")) {
    own <- Filter(function(entry) entry$kind == kind, other_words)
    lines <- strsplit(other_words_table(kind), "\n", fixed = TRUE)[[1L]]
    expect_identical(lines[1:2], c("| your word | of | ours |", "|---|---|---|"))
    expect_length(lines, length(own) + 2L)
    for (i in seq_along(own)) {
      for (word in own[[i]]$theirs) expect_match(lines[i + 2L], word, fixed = TRUE)
      for (word in own[[i]]$ours %||% own[[i]]$advice) {
        expect_match(lines[i + 2L], word, fixed = TRUE)
      }
    }
  }
  expect_match(other_words_table("part"), "`fit$", fixed = TRUE)
  expect_match(other_words_table("criterion"), "`\"", fixed = TRUE)
  both <- strsplit(other_words_table(c("criterion", "type")), "\n", fixed = TRUE)[[1L]]
  expect_length(both, sum(vapply(other_words, `[[`, "", "kind") %in% c("criterion", "type")) + 2L)
})

test_that("the words for tasks are accepted with the responses they name", {
  classes <- list(task = "classification", name = "y")
  numbers <- list(task = "regression", name = "y")
  expect_no_error(check_task_word(list(mode = "classification", method = "class"), classes))
  expect_no_error(check_task_word(list(mode = "regression", method = "anova"), numbers))
  for (word in c("classification", "class")) {
    expect_error(check_task_word(list(mode = word), numbers), class = "tec_error_response")
  }
  for (word in c("regression", "anova")) {
    expect_error(check_task_word(list(mode = word), classes), class = "tec_error_response")
  }
})

test_that("the table names the packages that have each argument", {
  kinds <- vapply(other_words, `[[`, "", "kind")
  for (entry in other_words[kinds == "argument"]) {
    expect_true(is_string(entry$tool) && nzchar(entry$tool), info = entry$theirs[1L])
  }
})

test_that("all usual names of new rows are explained", {
  fit <- tec_tree(mpg ~ wt, mtcars)
  for (name in c("data", "new_data", "newx", "newX", "X", "x_new", "test")) {
    given <- stats::setNames(list(fit, mtcars), c("", name))
    expect_error(do.call(predict, given), "Use `newdata`", class = "tec_error_argument")
  }
})
