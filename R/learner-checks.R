# Tested in test-tec_check_learner.R.
# The learners of tec_check_learner(), and its checks.
# list(fit, predict, weights, threads, task). `fit` is a function of formula, data, weights and
# threads, the last two may be NULL. `weights`, `threads`: whether the learner has them.
learner_form <- function(learner, settings, env) {
  if (inherits(learner, c("model_spec", "Learner")) && length(settings)) {
    tec_abort("argument", c(
      "Settings in {.arg ...} are for a function or a model of this package.",
      x = "{.arg learner} is {describe(learner)}.", i = "Set them in {.arg learner}."
    ))
  }
  if (inherits(learner, "model_spec")) {
    return(parsnip_form(learner))
  }
  if (inherits(learner, "Learner")) {
    return(mlr3_form(learner))
  }
  maker <- intersect(class(learner), c(paste0("tec_", names(own_arguments))))[1L]
  if (!is.na(maker) && !is.null(learner$call)) {
    kept <- as.list(learner$call)[-1L]
    kept <- kept[!names(kept) %in% c("", "formula", "data", "x", "y", "weights", "subset")]
    kept <- lapply(kept[!names(kept) %in% names(settings)], eval, envir = env)
    return(function_form(get(maker, topenv()), c(kept, settings)))
  }
  if (!is.function(learner)) {
    abort_found(
      "{.arg learner} must be a function, a model of this package with its call, a specification \\
       of {.pkg parsnip} or a learner of {.pkg mlr3}.", learner
    )
  }
  function_form(learner, settings)
}

function_form <- function(learner, settings) {
  words <- names(formals(args(learner)))
  ours <- identical(topenv(environment(learner)), topenv())
  threads <- if (ours) "threads" else intersect(words, thread_words)
  weighted <- "weights" %in% words
  fit <- function(formula, data, weights, threads_used) {
    extra <- if (weighted) list(weights = weights)
    if (!is.null(threads_used)) extra[[threads[1L]]] <- threads_used
    do.call(learner, c(list(formula, data = data), extra, settings))
  }
  list(fit = fit, predict = predict_learner, weights = weighted, threads = length(threads) > 0L)
}

thread_words <- c(
  "threads", "num.threads", "num_threads", "nthread", "nthreads", "n.cores", "cores", "ncores"
)

predict_learner <- function(fit, newdata) {
  classes <- inherits(fit, "tec_fit") && !is.null(fit$response$levels)
  if (classes) stats::predict(fit, newdata, type = "prob") else stats::predict(fit, newdata)
}

parsnip_form <- function(spec) {
  fit <- function(formula, data, weights, threads_used) {
    if (!is.null(weights)) weights <- hardhat::frequency_weights(as.integer(weights))
    parsnip::fit(spec, formula, data = data, case_weights = weights)
  }
  predict <- function(fit, newdata) {
    prob <- if (spec$mode == "classification") {
      or_null(stats::predict(fit, newdata, type = "prob"))
    }
    prob %||% stats::predict(fit, newdata)
  }
  list(
    fit = fit, predict = predict, weights = parsnip::case_weights_allowed(spec),
    threads = FALSE, task = spec$mode
  )
}

mlr3_form <- function(learner) {
  classes <- learner$task_type == "classif"
  if (classes && "prob" %in% learner$predict_types) {
    learner <- learner$clone(deep = TRUE)
    learner$predict_type <- "prob"
  }
  fit <- function(formula, data, weights, threads_used) {
    task <- if (classes) "as_task_classif" else "as_task_regr"
    if (!is.null(weights)) data$.weights <- weights
    task <- of_mlr3(task)(data, target = as.character(formula[[2L]]))
    if (!is.null(weights)) task$set_col_roles(".weights", roles = "weights_learner")
    learner <- learner$clone(deep = TRUE)
    if (!is.null(threads_used)) of_mlr3("set_threads")(learner, threads_used)
    learner$train(task)
  }
  predict <- function(fit, newdata) {
    found <- fit$predict_newdata(newdata)
    if (fit$predict_type == "prob") found$prob else found$response
  }
  list(
    fit = fit, predict = predict, weights = "weights" %in% learner$properties,
    threads = length(learner$param_set$ids(tags = "threads")) > 0L,
    task = if (classes) "classification" else "regression"
  )
}

# ---- fits and predictions ----

# An environment with the learner, the data, and the fit that all others are compared with.
learner_bench <- function(form, problem, tolerance) {
  bench <- list2env(c(form, problem, list(tolerance = tolerance)))
  bench$error <- tryCatch(
    {
      bench$model <- fit_learner(bench, bench$data)
      bench$new <- new_rows(bench, bench$data)
      bench$expected <- predict_rows(bench, bench$model, bench$new)
      bench$again <- refit(bench)
      bench$other <- refit(bench, seed = 2L)
      if (anyNA(bench$expected)) say_found("Predictions are missing.")
      NULL
    },
    error = but_limits(identity)
  )
  bench
}

fit_learner <- function(bench, data, weights = NULL, threads = NULL, seed = 1L) {
  rownames(data) <- NULL
  # A call of model.frame() inside the learner finds `weights` here.
  environment(bench$formula) <- list2env(list(weights = weights), parent = globalenv())
  set.seed(seed)
  without_output(bench$fit(bench$formula, data, weights, threads))
}

# A matrix with one row per row of `newdata`.
predict_rows <- function(bench, model, newdata) {
  force(model) # fitted before the seed is set
  set.seed(1L)
  x <- without_output(bench$predict(model, newdata))
  if (is.data.frame(x)) x <- if (length(x) == 1L) x[[1L]] else as.matrix(x)
  if (is.factor(x)) x <- as.character(x)
  if (is.array(x) && length(dim(x)) > 2L) x <- matrix(x, nrow(x))
  if (!is.atomic(x) || is.null(x)) {
    say_found("Predictions are ", describe(x), "; use `predict` to make them a vector or matrix.")
  }
  x <- as.matrix(x)
  if (nrow(x) != nrow(newdata)) {
    say_found(nrow(newdata), " new rows have ", count_text(nrow(x), "prediction"), ".")
  }
  x
}

# Each predictor is moved by another number of rows, so that few rows were training rows.
new_rows <- function(bench, data) {
  n <- nrow(data)
  data[bench$predictors] <- Map(function(x, by) {
    x[(seq_len(n) + by - 2L) %% n + 1L]
  }, data[bench$predictors], seq_along(bench$predictors))
  data
}

refit <- function(bench, data = bench$data, newdata = bench$new, ...) {
  predict_rows(bench, fit_learner(bench, data, ...), newdata)
}

without_output <- function(expr) {
  utils::capture.output(out <- suppressMessages(suppressWarnings(expr)))
  out
}

# The largest difference of two results of predict_rows().
difference_of <- function(x, y) {
  both <- colnames(y)
  if (!is.null(both) && setequal(colnames(x), both)) x <- x[, both, drop = FALSE]
  if (!identical(dim(x), dim(y))) say_found("The predictions have another number of columns.")
  if (any(is.na(x) != is.na(y))) say_found("Predictions of other rows are missing.")
  differ <- !is.na(y) & x != y
  if (!any(differ)) {
    return(0)
  }
  if (!is.numeric(x)) mean(differ) else max(abs(x - y)[differ]) / max(abs(y), na.rm = TRUE)
}

# ---- running a check ----

# A check ends early with a sentence: found (it failed), or why it is not applicable.
say_found <- function(..., difference = NA_real_) {
  stop(learner_sentence("tec_learner_found", paste0(...), difference))
}
not_applicable <- function(...) stop(learner_sentence("tec_learner_skip", paste0(...)))
learner_sentence <- function(class, text, difference = NA_real_) {
  rlang::error_cnd(class, message = text, difference = difference)
}

run_learner_check <- function(name, bench) {
  check <- learner_checks[[name]]
  said <- function(result, found, difference = NA_real_) {
    list(check = name, result = result, difference = difference, found = found)
  }
  tryCatch(
    {
      if (name != "predictions") check_applies(check$needs, bench)
      difference <- check$run(bench)
      passed <- is.na(difference) || difference <= bench$tolerance
      said(if (passed) "passed" else "failed", check$found[[2L - passed]], difference)
    },
    tec_learner_skip = function(e) said("not applicable", conditionMessage(e)),
    tec_learner_found = function(e) said("failed", conditionMessage(e), e$difference),
    error = but_limits(function(e) {
      text <- gsub("[[:space:]]+", " ", cli::ansi_strip(conditionMessage(e)))
      said("failed", paste0("Error: ", fit_width(trimws(text), 200L)))
    })
  )
}

# `needs`: "fit", a single fit; "seed", the same model from the same seed; "draws", no draws.
check_applies <- function(needs, bench) {
  if (!is.null(bench$error)) not_applicable("The learner does not predict these data.")
  same <- function(x) difference_of(x, bench$expected) <= bench$tolerance
  if (needs != "fit" && !same(bench$again)) {
    not_applicable("The same seed gives different predictions.")
  }
  if (needs == "draws" && !same(bench$other)) {
    not_applicable("The learner is random, and the change also changes its draws.")
  }
}

# Fits to data with changed columns and compares the predictions.
change <- function(bench, data) {
  difference_of(refit(bench, data, new_rows(bench, data)), bench$expected)
}

predictors_that <- function(bench, test, what) {
  out <- bench$predictors[vapply(bench$data[bench$predictors], test, NA)]
  if (length(out)) out else not_applicable("No predictor is ", what, ".")
}

factors_of <- function(bench) predictors_that(bench, is.factor, "a factor")

# ---- the checks ----

other_rows <- c(
  "does not change the predictions of other rows.", "changes the predictions of other rows."
)

same_or_not <- function(what, needs, run) {
  found <- paste(what, c("does not change the predictions.", "changes the predictions."))
  list(needs = needs, run = run, found = found)
}

learner_checks <- list(
  predictions = list(
    needs = "fit", run = function(bench) if (is.null(bench$error)) NA_real_ else stop(bench$error),
    found = "Each row has a prediction."
  ),
  seed = list(
    needs = "fit", run = function(bench) difference_of(bench$again, bench$expected),
    found = paste("The same seed gives", c("the same predictions.", "different predictions."))
  ),
  session = list(
    needs = "fit", run = function(bench) check_session(bench),
    found = "Options, working directory, global environment and random seed are left alone."
  ),
  "order of rows" = same_or_not("Another order of the training rows", "draws", function(bench) {
    order <- order((seq_len(nrow(bench$data)) * 7919) %% 104729)
    difference_of(refit(bench, bench$data[order, ]), bench$expected)
  }),
  "order of columns" = same_or_not("Another order of the predictors", "draws", function(bench) {
    change(bench, bench$data[c(rev(bench$predictors), bench$response)])
  }),
  units = same_or_not("A change of units of the predictors", "seed", function(bench) {
    names <- predictors_that(bench, function(x) is.numeric(x) && !is.object(x), "numeric")
    by <- rep_len(c(1000, 1.8, 0.01), length(names))
    other <- Map(function(x, by) by * x + if (by == 1.8) 32 else 0, bench$data[names], by)
    change(bench, replace(bench$data, names, other))
  }),
  "response units" = same_or_not("A change of units of the response", "seed", function(bench) {
    data <- bench$data
    y <- data[[bench$response]]
    if (!is.numeric(y)) not_applicable("The response is not numeric.")
    data[[bench$response]] <- 1000 * y
    difference_of(refit(bench, data) / 1000, bench$expected)
  }),
  "constant column" = same_or_not("A constant predictor", "draws", function(bench) {
    change(bench, cbind(bench$data, constant.column = 1))
  }),
  "unused level" = same_or_not("A level that no row has", "draws", function(bench) {
    names <- factors_of(bench)
    more <- lapply(bench$data[names], function(x) factor(x, c(levels(x), "unused")))
    change(bench, replace(bench$data, names, more))
  }),
  threads = same_or_not("The number of threads", "seed", function(bench) {
    if (!bench$threads) not_applicable("No argument for the number of threads is known.")
    difference_of(refit(bench, threads = 2L), refit(bench, threads = 1L))
  }),
  weights = list(
    needs = "seed", run = function(bench) compare_weights(bench),
    found = "A weight of n acts as n rows."
  ),
  "zero weights" = list(
    needs = "draws", run = function(bench) {
      check_weighted(bench)
      weights <- as.numeric(seq_len(nrow(bench$data)) %% 7L != 3L)
      difference_of(refit(bench, weights = weights), refit(bench, bench$data[weights > 0, ]))
    },
    found = paste("A weight of 0", c("acts", "does not act"), "as leaving the row out.")
  ),
  "one row" = list(
    needs = "fit", run = function(bench) {
      rows <- unique(round(seq(1, nrow(bench$new), length.out = 8L)))
      alone <- lapply(rows, function(i) predict_rows(bench, bench$model, bench$new[i, ]))
      difference_of(do.call(rbind, alone), bench$expected[rows, , drop = FALSE])
    },
    found = paste("A row has", c("the same", "another"), "prediction if it is predicted alone.")
  ),
  "new levels" = same_or_not("Another set or order of levels in new rows", "fit", function(bench) {
    names <- factors_of(bench)
    turned <- lapply(bench$new[names], function(x) factor(x, rev(levels(x))))
    found <- predict_rows(bench, bench$model, replace(bench$new, names, turned))
    alike <- which(bench$new[[names[1L]]] == bench$new[[names[1L]]][1L])
    few <- predict_rows(bench, bench$model, droplevels(bench$new[alike, ]))
    max(
      difference_of(few, bench$expected[alike, , drop = FALSE]),
      difference_of(found, bench$expected)
    )
  }),
  "unseen level" = list(
    needs = "fit", run = function(bench) {
      name <- factors_of(bench)[1L]
      change_row(bench, name, factor(replace(as.character(bench$new[[name]]), 2L, "unseen")))
    },
    found = paste("A row with an unseen level", other_rows)
  ),
  "missing value" = list(
    needs = "fit", run = function(bench) {
      name <- bench$predictors[1L]
      change_row(bench, name, replace(bench$new[[name]], 2L, NA))
    },
    found = paste("A row with a missing value", other_rows)
  ),
  stored = same_or_not("Storing the fit", "fit", function(bench) {
    again <- unserialize(serialize(bench$model, NULL))
    difference_of(predict_rows(bench, again, bench$new), bench$expected)
  }),
  export = list(
    needs = "fit", run = function(bench) {
      fit <- bench$model
      fit <- wrapped_tree(if (inherits(fit, "Learner")) fit$model else fit)
      if (!inherits(fit, c("tec_fit", "tec_tune")) || inherits(fit, "tec_rotation")) {
        not_applicable("No export of the learner is known.")
      }
      max(verify_export(fit, bench$new, "r")$difference)
    },
    found = "The exported R code predicts the same."
  )
)

# The other rows keep their predictions; that of row 2 may be missing.
change_row <- function(bench, name, value) {
  data <- bench$new
  data[[name]] <- value
  found <- predict_rows(bench, bench$model, data)
  difference_of(found[-2L, , drop = FALSE], bench$expected[-2L, , drop = FALSE])
}

check_weighted <- function(bench) {
  if (!bench$weights) not_applicable("The learner has no argument for weights.")
}

# For a random learner, only whether weights have an effect.
compare_weights <- function(bench) {
  check_weighted(bench)
  weights <- rep_len(c(1, 2, 1, 3), nrow(bench$data))
  found <- refit(bench, weights = weights)
  if (difference_of(found, bench$expected) == 0) say_found("Weights have no effect.")
  check_applies("draws", bench)
  rows <- rep(seq_along(weights), weights)
  difference <- difference_of(refit(bench, bench$data[rows, ]), found)
  if (difference > bench$tolerance) {
    ratios <- difference_of(refit(bench, weights = 2 * weights), found) <= bench$tolerance
    say_found(
      "A weight of n does not act as n rows", if (ratios) "; only ratios of weights matter", ".",
      difference = difference
    )
  }
  difference
}

check_session <- function(bench) {
  state <- function() {
    list(
      options = options(), "the working directory" = getwd(),
      "the global environment" = ls(globalenv(), all.names = TRUE),
      "the kind of random numbers" = RNGkind()
    )
  }
  before <- state()
  ends <- lapply(1:2, function(seed) {
    model <- fit_learner(bench, bench$data, seed = seed)
    end <- globalenv()$.Random.seed
    predict_rows(bench, model, bench$new)
    end
  })
  changed <- !mapply(identical, before, state())
  if (any(changed)) say_found("This changes: ", paste(names(before)[changed], collapse = ", "), ".")
  if (identical(ends[[1L]], ends[[2L]])) say_found("Fitting sets the random seed of the session.")
  NA_real_
}
