# What a user sees who attached `package` before or after this package.
as_user <- function(package, first, expr) {
  suppressMessages(library(package,
    character.only = TRUE, warn.conflicts = FALSE,
    pos = if (first) match("package:tectree", search()) + 1L else 2L
  ))
  withr::defer(detach(paste0("package:", package), character.only = TRUE))
  eval(substitute(expr), list(fit = toy_tree()), globalenv())
}

skip_if_not_attached <- function() {
  skip_if_not("package:tectree" %in% search(), "tectree is not attached")
}

test_that("ranger's importance() and ours live together in either order", {
  skip_if_not_installed("ranger")
  skip_if_not_attached()
  forest <- ranger::ranger(Species ~ ., iris, num.trees = 5, importance = "impurity", seed = 1)
  for (first in c(TRUE, FALSE)) {
    both <- as_user("ranger", first, function(forest) list(importance(forest), importance(fit)))
    both <- both(forest)
    expect_identical(both[[1]], ranger::importance(forest))
    expect_identical(both[[2]], tectree::importance(toy_tree()))
  }
})

test_that("DALEX's explain() takes any model in either order", {
  skip_if_not_installed("DALEX")
  skip_if_not_attached()
  model <- lm(mpg ~ wt, mtcars)
  for (first in c(TRUE, FALSE)) {
    by_name <- as_user("DALEX", first, function(m) explain(model = m, verbose = FALSE))(model)
    by_place <- as_user("DALEX", first, function(m) explain(m, mtcars, verbose = FALSE))(model)
    expect_s3_class(by_name, "explainer")
    expect_identical(by_place$y_hat, DALEX::explain(model, mtcars, verbose = FALSE)$y_hat)
  }
  explained <- as_user("DALEX", TRUE, explain(fit, data.frame(x = 1)))
  expect_s3_class(explained, "tec_explanation")
})

test_that("rpart's prune(), printcp() and plotcp() keep working", {
  skip_if_not_installed("rpart")
  skip_if_not_attached()
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  set.seed(1)
  peer <- rpart::rpart(Species ~ ., iris)
  for (first in c(TRUE, FALSE)) {
    use <- as_user("rpart", first, function(peer) {
      plotcp(peer)
      list(prune(peer, cp = 0.5), prune(fit, cp = 0.9), printcp(peer))
    })
    utils::capture.output(got <- use(peer))
    expect_identical(got[[1]]$frame, rpart::prune(peer, cp = 0.5)$frame)
    expect_identical(got[[2]], tec_prune(toy_tree(), cp = 0.9))
    expect_identical(got[[3]], peer$cptable)
  }
  expect_identical(generics::prune(toy_tree(), cp = 0.9), tec_prune(toy_tree(), cp = 0.9))
})

test_that("a function of the same name that is not a generic comes after a method", {
  skip_if_not_installed("rpart")
  skip_if_not_installed("dials")
  skip_if_not_attached()
  peer <- rpart::rpart(Species ~ ., iris)
  for (package in c("rpart", "dials")) {
    suppressMessages(library(package, character.only = TRUE, pos = 2L, warn.conflicts = FALSE))
  }
  withr::defer(for (package in c("rpart", "dials")) {
    detach(paste0("package:", package), character.only = TRUE)
  })
  expect_identical(prune.default(peer, cp = 0.5), rpart::prune(peer, cp = 0.5))
})

test_that("printcp() and plotcp() show the table of a tree", {
  set.seed(1)
  fit <- tec_tree(Species ~ ., iris, preset = "cart")
  shown <- utils::capture.output(printcp(fit))
  expect_identical(shown, utils::capture.output(print(cp_table(fit))))
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  expect_identical(plotcp(fit, minline = FALSE, lty = 2), cp_table(fit))
})

test_that("the tidiers of generics are available", {
  expect_identical(tidy, generics::tidy)
  expect_identical(glance, generics::glance)
  expect_identical(augment, generics::augment)
})

test_that("our generics name what they accept if no other package has a method", {
  local_binding("other_function", function(...) NULL)
  expect_snapshot(show_errors({
    explain(1)
    importance(lm(mpg ~ wt, mtcars))
    prune("a")
    printcp(1)
    plotcp(1)
  }))
})

test_that("functions that cannot accept an object are passed over", {
  skip_if_not_installed("ranger")
  expect_null(other_function("importance", 1))
  expect_null(other_function("no_such_function", 1))
  forest <- ranger::ranger(Species ~ ., iris, num.trees = 2, importance = "impurity", seed = 1)
  expect_identical(other_function("importance", forest), ranger::importance)
})

test_that("a default method that only stops accepts nothing", {
  expect_true(only_stops(function(x, ...) stop("No method")))
  expect_false(only_stops(function(x, ...) if (missing(x)) stop("No object") else x))
  expect_false(only_stops(sum))
})

test_that("an object that no package accepts is not passed on for ever", {
  skip_if_not_installed("randomForest")
  loadNamespace("randomForest")
  expect_null(other_function("importance", 1))
  expect_error(importance(1), class = "tec_error_argument")
})

test_that("functions that grow models show their arguments", {
  for (name in c("tec_tree", "tec_forest", "tec_boost", "tec_mars", "tec_rotation", "tec_tune")) {
    fun <- get(name, asNamespace("tectree"))
    shown <- formals(args(fun))
    expect_identical(names(shown)[1:3], c("x", "...", "data"))
    for (kind in c("formula", "default")) {
      own <- formals(get(paste0(name, ".", kind), asNamespace("tectree")))
      expect_identical(setdiff(names(own), c(names(shown), "formula")), character())
    }
    expect_true(isTRUE(as.logical(utils::isS3stdGeneric(fun))))
  }
  expect_identical(formals(args(tec_boost))$lambda, 1)
})

test_that("help pages have the names of their functions", {
  pages <- help_pages()
  for (name in intersect(sub("[.]Rd$", "", names(pages)), getNamespaceExports("tectree"))) {
    tags <- vapply(pages[[paste0(name, ".Rd")]], function(x) attr(x, "Rd_tag") %||% "", "")
    own <- unlist(pages[[paste0(name, ".Rd")]][tags == "\\name"])
    expect_identical(own, name)
  }
})

test_that("prune() and the tables of rpart accept only trees, and name any other model", {
  skip_if("package:rpart" %in% search())
  for (fit in list(tec_mars(mpg ~ wt, mtcars), tec_boost(mpg ~ wt, mtcars,
    rounds = 2, folds = 0
  ))) {
    for (f in c(prune, printcp, plotcp)) expect_error(f(fit), class = "tec_error_argument")
  }
})

test_that("generics and default methods get the arguments of the other methods", {
  generic <- with_arguments(
    function(x, ...) NULL, function(x, a, b = 2, ...) NULL, function(formula, b = 3, d = 4) NULL
  )
  expect_named(formals(generic), c("x", "...", "a", "b", "d"))
  expect_identical(formals(generic)$b, 2)
  method <- with_xy(function(formula, data, weights, q = 1, ...) q)
  expect_identical(names(formals(method))[1:2], c("x", "y"))
  expect_null(formals(method)$weights)
  expect_identical(formals(method)$q, 1)
  expect_identical(formals(with_xy(tec_tree.formula)), formals(tec_tree.default))
  expect_null(check_bound(NULL, "a", 0, optional = TRUE))
  expect_null(check_flag(NULL, "a", optional = TRUE))
})
