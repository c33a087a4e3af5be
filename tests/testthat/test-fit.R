damage <- function(piece, value, fit = toy_tree()) {
  fit$tree[[piece]] <- value
  fit
}

test_that("a damaged fit is a classed error everywhere", {
  broken <- list(
    damage("parent", NULL), damage("prob", NULL), damage("child", c(2L, 99L)),
    damage("child", c(2L, 1L)), damage("child", c(2L, 2L)), damage("child", 2L),
    damage("kind", c(1L, 0L)), damage("kind", c(9L, 0L, 0L)), damage("kind", c(0L, 0L, 0L)),
    damage("variable", c(7L, 0L, 0L)), damage("variable", c(NA, 0L, 0L)),
    damage("breaks", numeric()), damage("break_start", c(50L, 0L, 0L)),
    damage("break_start", c(-1L, 0L, 0L)), damage("n_children", c(3L, 0L, 0L)),
    damage("child_start", c(-1L, 0L, 0L)), damage("parent", c(0L, 3L, 1L)),
    damage("yval", c(1, 2, 9)), damage("yval", c(1, NA, 2)), damage("prob", matrix(0, 1, 2)),
    damage("depth", c(0L, 1L, 5L)), damage("default_child", c(9L, NA, NA)),
    damage("breaks", "a"), damage("kind", list(1, 0, 0)), damage("parent", integer()),
    structure(list(), class = "tec_tree"),
    structure(list(tree = 1, columns = 2), class = "tec_tree")
  )
  for (fit in some_of(broken, 9)) {
    expect_error(predict(fit, data.frame(x = c(1, NA))), class = "tec_error_damaged")
  }
  for (fit in some_of(broken[-22], 9)) {
    expect_error(format(fit), class = "tec_error_damaged")
    expect_error(as.data.frame(fit), class = "tec_error_damaged")
  }
})

test_that("missing numbers and surrogates of another type are found", {
  for (piece in c("n", "weight", "impurity")) {
    fit <- toy_tree()
    broken <- damage(piece, replace(fit$tree[[piece]], 1L, NA), fit)
    expect_error(predict(broken, toy()), class = "tec_error_damaged")
  }
  d <- toy()
  d$other <- d$x + c(1, -1)
  fit <- tec_tree(y ~ ., d, preset = "cart", cp = 0, missing = "surrogate", min_bucket = 1)
  skip_if(!length(fit$tree$surrogate_variable))
  for (piece in c(surrogate_pieces, surrogate_node_pieces)) {
    for (value in list(as.character(fit$tree[[piece]]), as.list(fit$tree[[piece]]))) {
      expect_error(predict(damage(piece, value, fit), d), class = "tec_error_damaged")
    }
  }
})

test_that("damaged level sets are found", {
  fit <- tec_tree(y ~ colour, toy(), min_bucket = 1)
  skip_if(!any(fit$tree$kind == 4L))
  for (piece in c("level", "level_child", "level_count")) {
    broken <- damage(piece, fit$tree[[piece]] + 90L, fit)
    expect_error(predict(broken, toy()), class = "tec_error_damaged")
  }
})

test_that("a damaged fit says so", {
  no_columns <- toy_tree()
  no_columns$columns <- NULL
  expect_snapshot(show_errors({
    predict(damage("child", c(2L, 99L)), toy())
    print(damage("breaks", NULL))
    as.data.frame(no_columns)
  }))
})

test_that("undamaged fits of every kind pass", {
  d <- cbind(toy(), z = toy()$x %% 5)
  expect_silent(check_fit(tec_tree(y ~ ., d, min_bucket = 1)))
  expect_silent(check_fit(tec_tree(y ~ ., d, min_bucket = 1, nominal = "multiway")))
  expect_silent(check_fit(tec_tree(y ~ z, d, min_bucket = 1, intervals = 4)))
  expect_silent(check_fit(tec_tree(y ~ colour, d, min_bucket = 1, nominal = "ordered")))
  expect_silent(check_fit(tec_tree(x ~ ., d, min_bucket = 1)))
  expect_silent(check_fit(tec_tree(y ~ ., d, max_depth = 0)))
})

test_that("every stored field that another function reads is checked", {
  slow_test()
  fit <- tec_tree(Species ~ ., iris, max_depth = 2, prune = "none")
  rows <- iris[c(1, 60, 120), ]
  fields <- c(
    "tree", "columns", "response", "criterion", "control", "predictors", "n_rows",
    "n_missing_response",
    "formula", "call", "preset", "cost", "cost_in", "prior", "class_weights", "class_factors",
    "source"
  )
  values <- list("x", NA, -1, list(), c(1.5, 2), function(x) x, quote(stop("evaluated")))
  uses <- list(function(x) predict(x, rows), format, summary, tec_json, formula, labels)
  # Every field with every value and in every use, though not all three together.
  for (i in seq_along(fields)) {
    for (j in in_turn(seq_along(values), 2)) {
      broken <- replace(unclass(fit), fields[i], list(values[[j]]))
      class(broken) <- class(fit)
      for (use in uses[seq_along(uses) %% 3L == (i + j) %% 3L]) {
        said <- tryCatch(use(broken), error = identity)
        if (inherits(said, "error")) expect_s3_class(said, "tec_error")
      }
    }
  }
  for (field in setdiff(fields, c("call", "source", "n_missing_response"))) {
    broken <- replace(unclass(fit), field, list(function(x) x))
    class(broken) <- class(fit)
    expect_error(predict(broken, rows), class = "tec_error_damaged")
  }
})

test_that("parts of forests and splines that only some functions read are checked", {
  set.seed(1)
  forest <- tec_forest(mpg ~ wt + hp, mtcars, trees = 3, importance = "gain")
  boost <- tec_boost(mpg ~ wt + hp, mtcars, rounds = 3, folds = 0)
  rotation <- tec_rotation(Species ~ ., iris, trees = 2)
  splines <- tec_mars(mpg ~ wt + hp, mtcars)
  for (fit in list(forest, boost, rotation, splines)) expect_silent(check_fit(fit))
  bad <- function(fit, field, value) {
    structure(replace(unclass(fit), field, list(value)), class = class(fit))
  }
  expect_error(print(bad(forest, "n_rows", NULL)), class = "tec_error_damaged")
  expect_error(glance(bad(rotation, "n_rows", NULL)), class = "tec_error_damaged")
  expect_error(tec_shrink(bad(forest, "call", 1)), class = "tec_error_damaged")
  expect_error(tec_dependence(bad(splines, "call", 1), "wt"), class = "tec_error_damaged")
  expect_error(
    tec_more(bad(forest, "importance", list(type = NA)), 1), class = "tec_error_damaged"
  )
  expect_error(tec_more(bad(boost, "rounds", 1e9), 1), class = "tec_error_damaged")
  expect_error(summary(bad(splines, "end", list())), class = "tec_error_damaged")
  expect_error(print(bad(splines, "sizes", 1)), class = "tec_error_damaged")
  expect_error(importance(bad(splines, "subsets", NA)), class = "tec_error_damaged")
  expect_error(tec_code(bad(splines, "classes", "x")), class = "tec_error_damaged")
})

test_that("settings that print() reads are checked", {
  fit <- tec_tree(Species ~ ., iris, max_depth = 2, prune = "none")
  settings <- c(control_words, control_sizes)
  values <- list(NULL, NA, list(), function(x) x, quote(f(x)))
  for (i in seq_along(settings)) {
    for (j in in_turn((i + c(0L, 2L)) %% length(values) + 1L, 1)) {
      broken <- fit
      broken$control[settings[i]] <- values[j]
      expect_error(summary(broken), class = "tec_error_damaged")
    }
  }
  fit$tree$unknown <- quote(f(x))
  expect_error(predict(fit, iris), class = "tec_error_damaged")
})

test_that("predict() on plain columns evaluates nothing of the fit", {
  fit <- tec_tree(Species ~ ., iris, max_depth = 2)
  boom <- quote(stop("evaluated"))
  fit$call <- boom
  fit$formula <- call("~", boom, boom)
  expect_identical(levels(predict(fit, iris)), levels(iris$Species))
  expect_type(predict(fit, iris, "path"), "list")
})

test_that("settings, prunings, responses and spreads of another type are damage", {
  boost <- tec_boost(Species ~ ., iris, rounds = 2, folds = 0)
  boost$control$intervals <- c(2L, 2L)
  expect_error(tec_more(boost, 2), class = "tec_error_damaged")
  tree <- tec_tree(mpg ~ ., mtcars)
  tree$pruning$penalties <- character()
  expect_error(tec_prune(tree, alpha = 0), class = "tec_error_damaged")
  forest <- tec_forest(mpg ~ ., mtcars, trees = 2)
  forest$response <- 1
  expect_error(tec_sql(forest), class = "tec_error_damaged")
  ada <- tec_boost(Species ~ ., iris, rounds = 3, method = "adaboost")
  ada$curve <- list(round = 1:3, training = list())
  expect_error(plot(ada), class = "tec_error_damaged")
  turned <- tec_rotation(Species ~ ., iris, trees = 2)
  turned$inputs$name <- NULL
  expect_error(tec_components(turned), class = "tec_error_damaged")
  fit <- tec_mars(mpg ~ hp + wt + qsec, mtcars)
  damaged <- list(
    function(fit) {
      fit$spread[[2L]]$range <- 1
      fit
    },
    function(fit) {
      fit$control$unseen <- c("missing", "missing")
      fit
    },
    function(fit) {
      fit$used <- fit$used[-1L]
      fit
    },
    function(fit) {
      fit$end <- c(1L, 1L)
      fit
    }
  )
  for (damage in damaged) {
    for (verb in list(plot, tec_json, predict)) {
      expect_error(verb(damage(fit)), class = "tec_error_damaged")
    }
  }
})

test_that("shares, values, cuts and formulas that give wrong answers are damage", {
  tree <- tec_tree(Species ~ ., iris, max_depth = 2, prune = "none")
  numbers <- tec_tree(mpg ~ wt, mtcars)
  forest <- tec_forest(mpg ~ wt, mtcars, trees = 2)
  damaged <- list(
    replace(unclass(tree), "tree", list(replace(tree$tree, "prob", list(tree$tree$prob * 2)))),
    replace(unclass(tree), "tree", list(replace(tree$tree, "prob", list(-tree$tree$prob)))),
    replace(unclass(tree), "tree", list(replace(tree$tree, "breaks", list(tree$tree$breaks * NaN))))
  )
  for (one in damaged) {
    expect_error(predict(structure(one, class = class(tree)), iris), class = "tec_error_damaged")
  }
  numbers$tree$yval[2L] <- Inf
  expect_error(predict(numbers, mtcars), class = "tec_error_damaged")
  for (formula in list(1, ~wt, quote(mpg))) {
    bad <- structure(replace(unclass(forest), "formula", list(formula)), class = class(forest))
    expect_error(augment(bad, mtcars), class = "tec_error_damaged")
  }
})

test_that("the error of a damaged tree names the damage", {
  fit <- toy_tree()
  says <- function(change, text, start = fit) {
    bad <- unclass(start)
    body <- substitute(change)
    changed <- list2env(list(bad = bad))
    eval(body, changed)
    bad <- changed$bad
    fault <- expect_error(
      check_fit(structure(bad, class = "tec_tree")), class = "tec_error_damaged"
    )
    expect_match(cli::ansi_strip(conditionMessage(fault)), text, fixed = TRUE)
  }
  says(bad$tree <- 1, "its tree is not a list")
  says(bad$columns <- 1, "its columns are not a list")
  says(bad$columns$levels[[1]] <- 1, "the labels of a column are not text")
  says(bad$tree$level <- 1L, "its level sets differ in length")
  says(bad$tree$test <- matrix(0, 1, 5), "its tests do not match its nodes")
  says(bad$tree$kind[1] <- 3L, "a split does not match its column")
  surrogates <- tec_tree(
    Species ~ ., iris, missing = "surrogate", max_depth = 1, prune = "none"
  )
  says(bad$tree$surrogate_kind[1] <- 3L, "a surrogate does not match its column", surrogates)
})

test_that("surrogates beyond their pool or of a leaf are damage", {
  fit <- tec_tree(Species ~ ., iris, missing = "surrogate")
  expect_gt(length(fit$tree$surrogate_variable), 0)
  beyond <- fit
  beyond$tree$surrogate_start[1L] <- length(fit$tree$surrogate_variable)
  expect_error(predict(beyond, iris), "a surrogate is out of range", class = "tec_error_damaged")
  of_leaf <- fit
  of_leaf$tree$surrogate_count[fit$tree$n_children == 0L][1L] <- 1L
  expect_error(predict(of_leaf, iris), "a surrogate is out of range", class = "tec_error_damaged")
})

# list(model, damage, use): each was once an error of R, or a wrong answer.
test_that("parts that only one function reads are checked", {
  stored <- readRDS(test_path("fixtures", "models-1.rds"))
  new_rows <- function(x, rows) predict(x, rows)
  damages <- list(
    list("cyclic boosting", function(x) {
      x$columns$levels <- lapply(x$columns$levels, function(l) if (length(l)) paste0(l, "\xff"))
      x$columns$name[1L] <- "\xff"
      x
    }, new_rows),
    list("forest, numbers", function(x) {
      x$columns$name[2L] <- ""
      x
    }, terms),
    list("shrunk tree", function(x) replace(x, "tree", list("x")), n_leaves),
    list("forest", function(x) {
      x$columns$name[1L] <- "other"
      x
    }, function(x, rows) verify_export(x, rows, "r")),
    list("tree, cost", function(x) {
      names(x$tree$weight) <- rep("a", length(x$tree$weight))
      x
    }, format),
    list("tree, numbers", function(x) {
      x$criterion$name <- "x"
      x
    }, function(x, rows) tec_prune(x, "rep", validation = rows)),
    list("tree, chaid", function(x) {
      x$control$missing <- ""
      x
    }, function(x, rows) tec_prune(x, "rep", validation = rows)),
    list("tree, honest", function(x) {
      x$control$max_p <- 1:4
      x
    }, function(x, rows) tec_prune(x, "rep", validation = rows)),
    list("tree, missing values", function(x) {
      x$pruning$leaves_grown <- list(7)
      x
    }, format),
    list("tree, missing values", function(x) {
      x$class_factors <- list(1)
      x
    }, summary),
    list("tree, missing values", function(x) {
      dim(x$n_rows) <- 1L
      x
    }, tec_view),
    list("boosting, two classes", function(x) replace(x, "rounds", 1L), glance),
    list("AdaBoost", function(x) replace(x, "rounds", 0.5), glance),
    list("AdaBoost", function(x) {
      x$settings$max_depth <- "x"
      x
    }, summary),
    list("boosting, classes", function(x) {
      x$trees$variable <- "x"
      x
    }, tec_code),
    list("boosting, numbers", function(x) {
      x$trees$cut[x$trees$variable == 0L] <- Inf
      x
    }, new_rows),
    list("cyclic boosting", function(x) {
      x$curve$training <- NULL
      x
    }, plot),
    list("rotation forest", function(x) replace(x, "gain", list(NULL)), plot),
    list("splines", function(x) {
      x$inputs$level[1L] <- 7L
      x
    }, tec_json),
    list("splines", function(x) {
      x$sizes$terms <- NULL
      x
    }, summary),
    list("splines", function(x) {
      x$sizes$rss <- x$sizes$rss > 0
      x
    }, summary),
    list("splines", function(x) replace(x, "r_squared", list(NULL)), glance),
    list("forest", function(x) {
      x$columns$needs[[2L]] <- NA_character_
      x
    }, new_rows),
    list("tuned tree", function(x) replace(x, "fit", "x"), new_rows),
    list("tuned tree", function(x) replace(x, "stopped", list(list(1))), print),
    list("tuned tree", function(x) replace(x, "metric", "other"), plot)
  )
  for (one in damages) {
    fit <- stored[[one[[1L]]]]$fit
    rows <- stored[[one[[1L]]]]$rows
    broken <- structure(one[[2L]](unclass(fit)), class = class(fit))
    use <- one[[3L]]
    with_rows <- "rows" %in% names(formals(use))
    expect_error(if (with_rows) use(broken, rows) else use(broken), class = "tec_error_damaged")
  }
})

test_that("update() names a call that cannot be evaluated", {
  stored <- readRDS(test_path("fixtures", "models-1.rds"))
  for (name in c("splines", "AdaBoost", "rotation forest", "tuned tree")) {
    fit <- stored[[name]]$fit
    fit$call <- quote(x(data = rows))
    expect_error(update(fit, data = stored[[name]]$rows), class = "tec_error_damaged")
  }
  fit <- tec_mars(mpg ~ wt, mtcars)
  expect_error(update(fit, data = not_there), "not_there", class = "tec_error_argument")
  tree <- tec_tree(mpg ~ wt, mtcars)
  tree$formula <- NULL
  expect_error(update(tree, data = mtcars), class = "tec_error_conversion")
  set.seed(1)
  tuned <- tec_tune(Species ~ ., iris, q = 1:2, folds = 3)
  expect_setequal(update(tuned, q = 1:3)$table$q, 1:3)
})
