# Calls every verb on every model as a user would. Verbs that work according to tec_verbs() must
# return; all others must be errors that name an alternative.

flowers <- iris[c(1:25, 51:75, 101:125), ]
pairs <- droplevels(iris[c(51:85, 101:135), ])
cars <- rbind(mtcars, mtcars)[c("mpg", "wt", "hp", "cyl")]
rownames(cars) <- NULL
cars$mpg <- cars$mpg + rep(c(0, 0.1), each = 32)

verb_calls <- list(
  "tree, classes" = quote(tec_tree(Species ~ ., flowers)),
  "tree, numbers" = quote(tec_tree(mpg ~ ., cars)),
  "forest, classes" = quote(tec_forest(Species ~ ., flowers, trees = 5)),
  "forest, numbers" = quote(tec_forest(mpg ~ ., cars, trees = 5)),
  "boosting, numbers" = quote(tec_boost(mpg ~ ., cars, rounds = 3, folds = 0)),
  "boosting, two classes" = quote(tec_boost(Species ~ ., pairs, rounds = 3, folds = 0)),
  "boosting, classes" = quote(tec_boost(Species ~ ., flowers, rounds = 3, folds = 0)),
  "cyclic boosting, numbers" = quote(tec_boost(mpg ~ ., cars,
    rounds = 3, folds = 0, cyclic = TRUE
  )),
  "cyclic boosting, classes" = quote(tec_boost(Species ~ ., pairs,
    rounds = 3, folds = 0, cyclic = TRUE
  )),
  "AdaBoost" = quote(tec_boost(Species ~ ., flowers, method = "adaboost", rounds = 3)),
  "rotation forest" = quote(tec_rotation(Species ~ ., flowers, trees = 3)),
  "splines, numbers" = quote(tec_mars(mpg ~ ., cars)),
  "splines, classes" = quote(tec_mars(Species ~ ., pairs))
)

rows_of <- function(model) eval(verb_calls[[model]][[3L]])
response_of <- function(rows) if (is.null(rows$mpg)) "Species" else "mpg"
predictors_of <- function(rows) setdiff(names(rows), response_of(rows))

# What a prediction of rows must look like.
is_response <- function(x, rows) {
  if (is.null(rows$mpg)) {
    is.factor(x) && length(x) == nrow(rows) && identical(levels(x), levels(rows$Species)) &&
      !anyNA(x)
  } else {
    is.double(x) && length(x) == nrow(rows) && all(is.finite(x))
  }
}

is_probability <- function(x, rows) {
  is.matrix(x) && identical(colnames(x), levels(rows$Species)) && nrow(x) == nrow(rows) &&
    all(is.finite(x)) && all(abs(rowSums(x) - 1) < 1e-9)
}

is_table <- function(x, n = nrow(x)) is.data.frame(x) && nrow(x) == n && nrow(x) > 0L && ncol(x) > 1

same_predictions <- function(x, fit, rows) {
  isTRUE(all.equal(predict(x, rows), predict(fit, rows), tolerance = 1e-12))
}

chosen_of <- function(fit) if (inherits(fit, "tec_tune")) fit$fit else fit

prints <- function(x) length(utils::capture.output(print(x))) > 2L

# A picture was drawn: the file is more than an empty page.
draws <- function(expr) {
  file <- withr::local_tempfile(fileext = ".pdf")
  withr::with_pdf(file, force(expr))
  file.size(file) > 2000
}

writes_code <- function(lang) {
  force(lang)
  function(fit, rows) {
    text <- tec_code(fit, lang)
    inherits(text, "tec_code") && any(vapply(predictors_of(rows), grepl, NA, text, fixed = TRUE))
  }
}

predicts <- function(type, right) {
  force(type)
  function(fit, rows) right(predict(fit, rows, type = type), rows, fit)
}

verb_checks <- list(
  "print()" = function(fit, rows) prints(fit),
  "summary()" = function(fit, rows) {
    found <- summary(fit)
    inherits(found, paste0("summary.", class(chosen_of(fit))[1L])) && prints(found)
  },
  "predict(type = \"response\")" = predicts("response", function(x, rows, fit) {
    is_response(x, rows) && identical(x, predict(fit, rows))
  }),
  "predict(type = \"class\")" = predicts("class", function(x, rows, fit) {
    is_response(x, rows) && identical(x, predict(fit, rows))
  }),
  "predict(type = \"prob\")" = predicts("prob", function(x, rows, fit) is_probability(x, rows)),
  "predict(type = \"link\")" = predicts("link", function(x, rows, fit) {
    NROW(x) == nrow(rows) && is.numeric(x) && all(is.finite(x))
  }),
  "predict(type = \"votes\")" = predicts("votes", function(x, rows, fit) is_probability(x, rows)),
  "predict(type = \"quantiles\")" = predicts("quantiles", function(x, rows, fit) {
    is.matrix(x) && nrow(x) == nrow(rows) && all(x[, 1L] <= x[, ncol(x)])
  }),
  "predict(type = \"se\")" = predicts("se", function(x, rows, fit) {
    NROW(x) == nrow(rows) && all(x >= 0)
  }),
  "predict(se = TRUE)" = function(fit, rows) {
    found <- predict(fit, rows, se = TRUE)
    identical(found$fit, predict(fit, rows)) && length(found$se.fit) == nrow(rows) &&
      all(found$se.fit >= 0)
  },
  "predict(type = \"terms\")" = predicts("terms", function(x, rows, fit) {
    sums <- rowSums(x) + attr(x, "constant")
    is.matrix(x) && nrow(x) == nrow(rows) && isTRUE(all.equal(sums, predict(fit, rows, "link")))
  }),
  "predict(type = \"node\")" = predicts("node", function(x, rows, fit) {
    NROW(x) == nrow(rows) && is.integer(x) && all(x >= 1L)
  }),
  "predict(type = \"path\")" = predicts("path", function(x, rows, fit) {
    is.list(x) && length(x) == nrow(rows) && all(vapply(x, is.data.frame, NA))
  }),
  "predict(type = \"tree\")" = predicts("tree", function(x, rows, fit) {
    is.matrix(x) && identical(dim(x), c(nrow(rows), length(chosen_of(fit))))
  }),
  "fitted()" = function(fit, rows) {
    found <- fitted(fit)
    if (inherits(chosen_of(fit), "tec_forest")) {
      return(identical(found, predict(fit)))
    }
    is_response(found, rows) && identical(found, predict(fit, rows))
  },
  "residuals()" = function(fit, rows) {
    truth <- rows[[response_of(rows)]]
    found <- fitted(fit)
    wanted <- if (is.numeric(truth)) truth - found else as.double(truth != found)
    isTRUE(all.equal(residuals(fit), wanted)) &&
      length(residuals(fit, rows[1:9, ])) == 9L && all(is.finite(residuals(fit, rows)))
  },
  "nobs()" = function(fit, rows) nobs(fit) == nrow(rows),
  "formula()" = function(fit, rows) {
    inherits(formula(fit), "formula") && setequal(all.vars(formula(fit)), names(rows))
  },
  "terms()" = function(fit, rows) {
    inherits(terms(fit), "terms") &&
      identical(attr(terms(fit), "term.labels"), predictors_of(rows))
  },
  "variable.names()" = function(fit, rows) {
    identical(variable.names(fit), predictors_of(rows)) &&
      all(variable.names(fit, used = TRUE) %in% predictors_of(rows))
  },
  "model.frame()" = function(fit, rows) {
    setequal(names(model.frame(fit)), names(rows)) && nrow(model.frame(fit)) == nrow(rows)
  },
  "update()" = function(fit, rows) {
    again <- withr::with_seed(1, update(fit))
    identical(class(again), class(fit)) && same_predictions(again, fit, rows)
  },
  "logLik()" = function(fit, rows) inherits(logLik(fit), "logLik") && is.finite(AIC(fit)),
  "deviance()" = function(fit, rows) is.finite(deviance(fit)),
  "plot()" = function(fit, rows) draws(plot(fit)),
  "autoplot()" = function(fit, rows) {
    testthat::skip_if_not_installed("ggplot2")
    chart <- ggplot2::autoplot(fit)
    inherits(chart, "ggplot") && length(ggplot2::ggplot_build(chart)$data) > 0L
  },
  "importance()" = function(fit, rows) {
    found <- importance(fit)
    inherits(found, "tec_importance") && setequal(found$variable, predictors_of(rows)) &&
      all(is.finite(found$importance))
  },
  "importance(type = \"permutation\")" = function(fit, rows) {
    found <- importance(fit, type = "permutation", data = rows, repeats = 2)
    inherits(found, "tec_importance") && setequal(found$variable, predictors_of(rows)) &&
      any(found$importance > 0)
  },
  "tec_dependence()" = function(fit, rows) {
    name <- predictors_of(rows)[1L]
    at <- stats::median(rows[[name]])
    found <- tec_dependence(fit, name, values = at)
    rows[[name]] <- at
    wanted <- if (is.null(rows$mpg)) predict(fit, rows, type = "prob") else predict(fit, rows)
    wanted <- if (is.matrix(wanted)) colMeans(wanted) else mean(wanted)
    if (length(wanted) == 2L) wanted <- wanted[2L]
    inherits(found, "tec_dependence") && isTRUE(all.equal(found$prediction, unname(wanted)))
  },
  "tec_dependence() of two" = function(fit, rows) {
    found <- tec_dependence(fit, predictors_of(rows)[1:2], rows, n = 3)
    inherits(found, "tec_dependence") && is_table(found) && draws(plot(found))
  },
  "tec_dependence(individual = TRUE)" = function(fit, rows) {
    found <- tec_dependence(fit, predictors_of(rows)[1L], n = 3, individual = TRUE)
    own <- attr(found, "individual")
    setequal(own$row, seq_len(nrow(rows))) && draws(plot(found))
  },
  "explain()" = function(fit, rows) prints(tectree::explain(fit, rows[1L, ])),
  "tec_shap()" = function(fit, rows) {
    # The trees of each class have a score of their own.
    model <- chosen_of(fit)
    several <- inherits(model, "tec_boost") && identical(model$method, "gradient") &&
      nlevels(rows$Species) > 2L
    found <- tec_shap(fit, rows[1:3, ], class = if (several) "setosa")
    inherits(found, "tec_shap") && is_table(as.data.frame(found))
  },
  "tec_view()" = function(fit, rows) {
    found <- tec_view(fit)
    inherits(found, "tec_view") && grepl("<html", found$html, fixed = TRUE)
  },
  "tidy()" = function(fit, rows) is_table(tidy(fit)),
  "glance()" = function(fit, rows) is_table(glance(fit), 1L) && glance(fit)$nobs == nrow(rows),
  "augment()" = function(fit, rows) {
    found <- augment(fit, newdata = rows)
    is_table(found, nrow(rows)) && is_response(found$.fitted, rows) && !is.null(found$.resid) &&
      is_table(augment(fit), nrow(rows))
  },
  "tec_json()" = function(fit, rows) {
    testthat::skip_if_not_installed("jsonlite")
    is.list(jsonlite::fromJSON(tec_json(fit), simplifyVector = FALSE))
  },
  "tec_from_json()" = function(fit, rows) {
    testthat::skip_if_not_installed("jsonlite")
    same_predictions(tec_from_json(tec_json(fit)), fit, rows)
  },
  "tec_sql()" = function(fit, rows) {
    testthat::skip_if_not_installed("RSQLite")
    con <- DBI::dbConnect(RSQLite::SQLite())
    on.exit(DBI::dbDisconnect(con))
    found <- verify_export(fit, rows, con)
    all(found$agree == nrow(rows)) && "response" %in% found$what
  },
  "tec_code(lang = \"r\")" = function(fit, rows) {
    own <- eval(parse(text = tec_code(fit, "r")))
    found <- own(rows)$response
    isTRUE(all.equal(as.vector(found), as.vector(predict(fit, rows))))
  },
  "tec_code(lang = \"c\")" = writes_code("c"),
  "tec_code(lang = \"javascript\")" = writes_code("javascript"),
  "tec_code(lang = \"python\")" = writes_code("python"),
  "tec_code(lang = \"rust\")" = writes_code("rust"),
  "tec_pmml()" = function(fit, rows) {
    found <- if (inherits(fit, "tec_tree")) tec_pmml(fit, missing = "null") else tec_pmml(fit)
    grepl("<PMML", found, fixed = TRUE)
  },
  "tec_onnx()" = function(fit, rows) {
    found <- if (inherits(fit, "tec_tree")) tec_onnx(fit, missing = "majority") else tec_onnx(fit)
    is.raw(found) && length(found) > 100L
  },
  "verify_export()" = function(fit, rows) {
    found <- verify_export(fit, rows, "r")
    all(found$agree == nrow(rows)) && "response" %in% found$what
  },
  "saveRDS()" = function(fit, rows) {
    file <- withr::local_tempfile(fileext = ".rds")
    saveRDS(fit, file)
    identical(predict(readRDS(file), rows), predict(fit, rows))
  },
  "butcher" = function(fit, rows) {
    testthat::skip_if_not_installed("butcher")
    less <- butcher::butcher(fit)
    is.null(less$call) && identical(predict(less, rows), predict(fit, rows))
  },
  "vip" = function(fit, rows) {
    testthat::skip_if_not_installed("vip")
    setequal(vip::vi(fit)$Variable, predictors_of(rows))
  },
  "DALEX" = function(fit, rows) {
    testthat::skip_if_not_installed("DALEX")
    y <- rows[[response_of(rows)]]
    if (nlevels(y) == 2L) y <- as.integer(y) - 1L
    x <- rows[predictors_of(rows)]
    found <- DALEX::explain(fit, data = x, y = y, verbose = FALSE)
    part <- DALEX::predict_parts(found, x[1L, ])
    NROW(found$y_hat) == nrow(rows) && all(is.finite(unlist(found$y_hat))) &&
      setequal(names(x), intersect(unique(part$variable_name), names(x))) &&
      identical(found$model_info$package, "tectree")
  },
  "iml" = function(fit, rows) {
    testthat::skip_if_not_installed("iml")
    type <- if (is.null(rows$mpg)) "prob"
    found <- iml::Predictor$new(fit, rows, y = response_of(rows), type = type)$predict(rows)
    wanted <- predict(fit, rows, type = type %||% "response")
    isTRUE(all.equal(unname(as.matrix(found)), unname(as.matrix(wanted))))
  }
)

# One of `every` rows of `cells`; with the next `shift` the rows after these.
cells_in_turn <- function(cells, shift, every) {
  taken <- in_turn(seq_len(every) - 1, 1)
  cells[(seq_len(nrow(cells)) - shift) %% every %in% taken, ]
}

# Whether a cell is as the table says: "" or what is wrong.
wrong_cell <- function(works, check, fit, rows) {
  problem <- NULL
  found <- tryCatch(
    withCallingHandlers(
      suppressMessages(check(fit, rows)),
      warning = function(w) {
        if (inherits(w, "tec_warning")) invokeRestart("muffleWarning")
      }
    ),
    skip = function(s) "skipped", error = identity
  )
  if (identical(found, "skipped")) {
    return("")
  }
  if (!inherits(found, "error")) {
    if (!works) return("works, the table says that it does not")
    return(if (isTRUE(found)) "" else "is not what was asked for")
  }
  if (works) {
    return(paste("error:", conditionMessage(found)))
  }
  if (!inherits(found, "tec_error")) {
    return(paste("not an error of ours:", conditionMessage(found)))
  }
  if (any(names(found$body) == "i")) "" else paste("says nothing to do:", conditionMessage(found))
}

test_that("each verb works on each model, or names an alternative", {
  skip_on_cran()
  verbs <- tec_verbs()
  expect_setequal(verbs$model, names(verb_calls))
  frameworks <- c("parsnip", "caret", "mlr3")
  expect_setequal(setdiff(verbs$verb, frameworks), names(verb_checks))
  for (model in unique(verbs$model)) {
    rows <- rows_of(model)
    fit <- withr::with_seed(1, suppressMessages(eval(verb_calls[[model]])))
    cells <- verbs[verbs$model == model & !verbs$verb %in% frameworks, ]
    cells <- cells_in_turn(cells, match(model, names(verb_calls)), fewer(2, 4))
    for (i in seq_len(nrow(cells))) {
      verb <- cells$verb[i]
      # Grown with this importance.
      of <- if (verb == "importance()" && inherits(fit, "tec_forest")) {
        update(fit, importance = "gain")
      } else {
        fit
      }
      wrong <- wrong_cell(cells$works[i], verb_checks[[verb]], of, rows)
      expect_identical(wrong, "", label = paste(verb, "of", model))
    }
  }
})

# Models that other functions made, as their row of the table: tuned, by parsnip, from a database,
# from a file.
from_elsewhere <- list(
  "tree, classes" = list(
    tuned = quote(tec_tune(Species ~ ., flowers, q = c(1, 2), folds = 3)),
    parsnip = quote(of_parsnip("decision_tree", Species ~ ., flowers)),
    database = quote(tec_tree(Species ~ ., in_database(flowers), table = "rows"))
  ),
  "tree, numbers" = list(
    tuned = quote(tec_tune(mpg ~ ., cars, max_depth = c(2, 3), folds = 3)),
    parsnip = quote(of_parsnip("decision_tree", mpg ~ ., cars)),
    database = quote(tec_tree(mpg ~ ., in_database(cars), table = "rows"))
  ),
  "forest, classes" = list(
    tuned = quote(tec_tune(Species ~ ., flowers, model = "forest", mtry = c(1, 2), trees = 5)),
    parsnip = quote(of_parsnip("rand_forest", Species ~ ., flowers, trees = 5)),
    database = quote(tec_forest(Species ~ ., in_database(flowers), table = "rows", trees = 5))
  ),
  "boosting, two classes" = list(
    file = quote(tec_from_json(tec_json(tec_boost(Species ~ ., pairs, rounds = 3, folds = 0))))
  ),
  "boosting, classes" = list(
    tuned = quote(
      tec_tune(Species ~ ., flowers, model = "boost", max_depth = 1:2, folds = 2, rounds = 3)
    ),
    parsnip = quote(of_parsnip("boost_tree", Species ~ ., flowers, trees = 3))
  ),
  "splines, numbers" = list(
    parsnip = quote(of_parsnip("mars", mpg ~ ., cars)),
    file = quote(tec_from_json(tec_json(tec_mars(mpg ~ ., cars))))
  )
)

of_parsnip <- function(model, formula, data, ...) {
  testthat::skip_if_not_installed("parsnip")
  mode <- if (is.null(data$mpg)) "classification" else "regression"
  spec <- parsnip::set_engine(getExportedValue("parsnip", model)(mode, ...), "tectree")
  parsnip::extract_fit_engine(parsnip::fit(spec, formula, data))
}

in_database <- function(data) {
  testthat::skip_if_not_installed("RSQLite")
  con <- DBI::dbConnect(RSQLite::SQLite())
  withr::defer(DBI::dbDisconnect(con), testthat::teardown_env())
  if (!is.null(data$Species)) data$Species <- as.character(data$Species)
  DBI::dbWriteTable(con, "rows", data)
  con
}

# What a model whose call does not lead to its rows cannot do without them.
verbs_of_rows <- c(
  "fitted()", "residuals()", "model.frame()", "update()", "augment()", "tec_dependence()",
  "tec_dependence(individual = TRUE)"
)

# What a file does not hold.
verbs_of_calls <- c(
  "formula()", "terms()", "plot()", "autoplot()", "tidy()", "importance()",
  "importance(type = \"permutation\")"
)

test_that("tuned models, and those by parsnip, from a database and a file are like their model", {
  slow_test()
  skip_on_cran()
  skip_if_not_installed("jsonlite")
  verbs <- tec_verbs()
  verbs <- verbs[!verbs$verb %in% c("parsnip", "caret", "mlr3"), ]
  for (model in names(from_elsewhere)) {
    rows <- rows_of(model)
    all_of_model <- verbs[verbs$model == model, ]
    for (origin in names(from_elsewhere[[model]])) {
      call <- from_elsewhere[[model]][[origin]]
      fit <- tryCatch(
        withr::with_seed(1, suppressMessages(eval(call))), skip = function(s) NULL
      )
      if (is.null(fit)) next
      origins <- c("tuned", "parsnip", "database", "file")
      shift <- match(model, names(from_elsewhere)) + match(origin, origins)
      cells <- cells_in_turn(all_of_model, shift, 3)
      may_fail <- switch(origin, tuned = character(), file = c(verbs_of_rows, verbs_of_calls),
        verbs_of_rows
      )
      for (i in seq_len(nrow(cells))) {
        verb <- cells$verb[i]
        # A file has no formula, so there are predictions but no residuals.
        if (origin == "file" && verb == "augment()") next
        wrong <- wrong_cell(cells$works[i], verb_checks[[verb]], fit, rows)
        if (nzchar(wrong) && verb %in% may_fail) {
          wrong <- wrong_cell(FALSE, verb_checks[[verb]], fit, rows)
        }
        expect_identical(wrong, "", label = paste(verb, "of", model, origin))
      }
    }
  }
})

# The settings that make each model by a framework.
framework_fits <- list(
  parsnip = function(model, rows) {
    mode <- if (is.null(rows$mpg)) "classification" else "regression"
    spec <- if (grepl("tree", model)) {
      parsnip::set_engine(parsnip::decision_tree(mode), "tectree")
    } else if (model == "rotation forest") {
      return(NULL)
    } else if (grepl("forest", model)) {
      parsnip::set_engine(parsnip::rand_forest(mode, trees = 5), "tectree")
    } else if (grepl("splines", model)) {
      parsnip::set_engine(parsnip::mars(mode), "tectree")
    } else {
      spec <- parsnip::boost_tree(mode, trees = 5)
      switch(model,
        AdaBoost = parsnip::set_engine(spec, "tectree", method = "adaboost"),
        parsnip::set_engine(spec, "tectree", cyclic = grepl("cyclic", model))
      )
    }
    fit <- parsnip::fit(spec, stats::reformulate(".", response_of(rows)), rows)
    prob <- if (mode == "classification") as.matrix(predict(fit, rows, type = "prob"))
    list(fit = parsnip::extract_fit_engine(fit), response = predict(fit, rows)[[1L]], prob = prob)
  },
  caret = function(model, rows) {
    name <- if (grepl("tree", model)) {
      "tree"
    } else {
      switch(model,
        AdaBoost = "adaboost", "rotation forest" = "rotation",
        if (grepl("splines", model)) "mars" else if (grepl("forest", model)) "forest" else "boost"
      )
    }
    method <- tec_caret(name)
    x <- rows[predictors_of(rows)]
    y <- rows[[response_of(rows)]]
    grid <- method$grid(x, y, len = 1)
    more <- list(
      forest = list(trees = 5), boost = list(cyclic = grepl("cyclic", model))
    )[[name]]
    control <- caret::trainControl("none", classProbs = is.factor(y))
    fit <- do.call(caret::train, c(
      list(x, y, method = method, trControl = control, tuneGrid = grid), more
    ))
    prob <- if (is.factor(y)) as.matrix(predict(fit, x, type = "prob"))
    list(fit = fit$finalModel, response = predict(fit, x), prob = prob)
  },
  mlr3 = function(model, rows) {
    kind <- if (grepl("tree", model)) {
      ""
    } else if (grepl("rotation|splines", model)) {
      return(NULL)
    } else if (grepl("forest", model)) {
      "_forest"
    } else {
      "_boost"
    }
    task <- if (is.null(rows$mpg)) {
      mlr3::as_task_classif(rows, target = "Species", id = "rows")
    } else {
      mlr3::as_task_regr(rows, target = "mpg", id = "rows")
    }
    learner <- mlr3::lrn(
      paste0(task$task_type, ".tectree", kind),
      predict_type = if (is.null(rows$mpg)) "prob" else "response"
    )
    if (model == "AdaBoost") learner$param_set$values$method <- "adaboost"
    if (grepl("cyclic", model)) learner$param_set$values$cyclic <- TRUE
    found <- learner$train(task)$predict(task)
    list(
      fit = learner$model, response = found$response,
      prob = if (is.null(rows$mpg)) found$prob
    )
  }
)

test_that("frameworks make and use the models of the table", {
  skip_on_cran()
  verbs <- tec_verbs()
  for (framework in names(framework_fits)) {
    if (!requireNamespace(framework, quietly = TRUE)) next
    if (framework == "caret") suppressPackageStartupMessages(requireNamespace("caret"))
    for (model in in_turn(unique(verbs$model), 4)) {
      rows <- rows_of(model)
      works <- verbs$works[verbs$model == model & verbs$verb == framework]
      found <- tryCatch(
        suppressMessages(withr::with_seed(1, framework_fits[[framework]](model, rows))),
        tec_error = function(e) NULL
      )
      expect_identical(!is.null(found), works, label = paste(framework, "of", model))
      if (is.null(found)) next
      expect_s3_class(found$fit, as.character(verb_calls[[model]][[1L]]))
      expect_equal(as.vector(found$response), as.vector(predict(found$fit, rows)))
      if (is.null(rows$mpg)) {
        expect_equal(unname(found$prob), unname(predict(found$fit, rows, type = "prob")))
      }
    }
  }
})

test_that("the table is a data frame, and prints as marks", {
  verbs <- tec_verbs()
  expect_named(verbs, c("model", "verb", "works", "instead"))
  expect_identical(is.na(verbs$instead), verbs$works)
  expect_false(anyDuplicated(verbs[c("model", "verb")]) > 0)
  lines <- format(verbs)
  of_paths <- grep("predict(type = \"path\")", lines, fixed = TRUE, value = TRUE)
  expect_match(of_paths, " [+]  [+]( {1,2}-){11}$")
  expect_output(print(verbs[verbs$verb == "explain()", ]), "explain\\(\\) ")
  expect_output(print(verbs[c("model", "instead")]), "instead")
  # Each refusal is of a model and a verb of the table, once.
  refused <- verb_refusals()
  expect_identical(nrow(refused), sum(!verbs$works))
})

test_that("README and the help page have the table", {
  verbs <- tec_verbs()
  places <- c("README.md", file.path("00_pkg_src", "tectree", "README.md"))
  readme <- Filter(file.exists, file.path(test_path("..", ".."), places))[1L]
  skip_if(is.na(readme), "README.md is not beside the tests")
  lines <- readLines(readme, encoding = "UTF-8")
  ends <- match(c("<!-- verbs -->", "<!-- end of verbs -->"), lines)
  shown <- lines[seq(ends[1L] + 2L, ends[2L] - 2L)]
  expect_identical(shown, verbs_markdown(verbs))
  # Each verb is in one group, but for types of predict() that depend on the response.
  grouped <- unlist(verb_groups(), use.names = FALSE)
  expect_false(anyDuplicated(grouped) > 0)
  others <- paste0("predict(type = \"", c("class", "prob", "link", "votes", "terms", "tree"), "\")")
  expect_setequal(c(grouped, others), unique(verbs$verb))
  expect_setequal(unlist(model_groups), unique(verbs$model))
  page <- file.path(dirname(readme), "man", "tec_verbs.Rd")
  skip_if_not(file.exists(page), "the help pages are not beside the tests")
  expect_true(all(verbs_section() %in% readLines(page)))
})

test_that("summary() of a boosted model prints its kind", {
  fit <- eval(verb_calls[["boosting, classes"]])
  found <- summary(fit, flowers)
  expect_identical(sum(found$confusion), 75)
  lines <- utils::capture.output(print(found))
  expect_match(lines[1L], "Gradient boosting for Species")
  expect_true(any(grepl("Importance by gain", lines)))
  expect_true(any(grepl("Accuracy", lines)))
  expect_error(print(found, nonsense = 1), class = "tec_error_argument")
})

test_that("the standard methods of a model find its rows where they are called", {
  own <- cars
  fit <- tec_boost(mpg ~ log(wt) + hp, own, rounds = 3, folds = 0)
  expect_equal(residuals(fit), own$mpg - fitted(fit))
  expect_identical(names(model.frame(fit)), c("mpg", "log(wt)", "hp"))
  own <- own[1:9, ]
  expect_error(fitted(fit), class = "tec_error_data")
  expect_error(residuals(fit, cars[-1L]), "response", class = "tec_error_data")
  xy <- tec_boost(cars[-1L], cars$mpg, rounds = 3, folds = 0)
  expect_equal(fitted(xy), predict(xy, cars))
  expect_identical(variable.names(xy), names(cars)[-1L])
})

test_that("a model of ours does not go to a package that is only loaded", {
  skip_if_not_installed("DALEX")
  skip_if("package:DALEX" %in% search())
  requireNamespace("DALEX")
  fit <- eval(verb_calls[["rotation forest"]])
  expect_error(tectree::explain(fit, flowers[1L, ]), "importance", class = "tec_error_argument")
})

# Help that R writes is valid, and has this many items.
rd_items <- function(lines) {
  file <- withr::local_tempfile(lines = c("\\name{a}", "\\title{a}", "\\description{a}", lines))
  rd <- expect_silent(tools::parse_Rd(file))
  expect_length(capture.output(print(tools::checkRd(rd))), 0L)
  length(grep("^\\\\item", lines))
}

test_that("the help page says what to do instead, for each verb that a model lacks", {
  table <- tec_verbs()
  refused <- table[!table$works, ]
  lines <- verbs_section()
  text <- paste(lines, collapse = "\n")
  for (verb in unique(refused$verb)) expect_match(text, paste0("\\code{", verb), fixed = TRUE)
  for (model in unique(refused$model)) expect_match(text, model, fixed = TRUE)
  for (instead in unique(refused$instead)) {
    expect_match(text, gsub("([%{}\\\\])", "\\\\\\1", instead), fixed = TRUE)
  }
  # Verbs with the same models and alternative share an item.
  key <- vapply(split(refused, refused$verb), function(x) {
    paste(x$model[order(x$model)], x$instead[order(x$model)], collapse = "|")
  }, "")
  expect_gte(rd_items(lines), length(unique(key)))
})
