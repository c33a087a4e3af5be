# Random damage to stored models and to JSON, and the functions that get the damaged models. Used by
# test-corruptions.R and tools/checks/corruptions.R.

# Evaluating this call is seen afterwards.
booby_trap <- quote(options(tectree.evaluated = TRUE))

# ---- damage ----

odd_values <- function() {
  list(
    NA, NaN, Inf, -Inf, 0, -1, 0.5, 1L, 2L, 99, 1e9, 2147483647, 1e308, "", "x", "1", NA_character_,
    "{options(tectree.evaluated = TRUE)}", TRUE, FALSE, list(), list(1, "a"), c(1.5, 2), 1:3,
    factor("a"), as.raw(1:2), 1i, mean, booby_trap, as.name("x"), matrix(0, 2, 2),
    data.frame(a = 1), character(), numeric(), integer(), structure(1, class = "odd"),
    structure(list(1), class = "odd"), as.Date("2020-01-01"), ~x
  )
}

odd_value <- function() {
  all <- odd_values()
  all[[sample.int(length(all), 1L)]]
}

pick_one <- function(x) x[[sample.int(length(x), 1L)]]

# A random path into nested lists; the shorter paths are lists themselves.
random_path <- function(x) {
  path <- integer()
  while (typeof(x) == "list" && length(x) > 0L && (length(path) == 0L || stats::runif(1) > 0.12)) {
    path <- c(path, sample.int(length(x), 1L))
    x <- .subset2(unclass(x), path[length(path)])
  }
  path
}

path_text <- function(x, path) {
  words <- character()
  for (i in path) {
    name <- names(unclass(x))[i]
    words <- c(words, if (is.null(name) || is.na(name) || !nzchar(name)) i else name)
    x <- .subset2(unclass(x), i)
  }
  paste(words, collapse = "$")
}

value_at <- function(x, path) {
  for (i in path) x <- .subset2(unclass(x), i)
  x
}

# `x` with `change` applied to the element at `path`. An element that becomes NULL is removed.
change_at <- function(x, path, change) {
  if (length(path) == 0L) {
    return(change(x))
  }
  class <- oldClass(x)
  x <- unclass(x)
  i <- path[1L]
  new <- change_at(.subset2(x, i), path[-1L], change)
  if (is.null(new)) x[i] <- NULL else x[[i]] <- new
  class(x) <- class
  x
}

change_one <- function(v) {
  if (length(v) == 0L) {
    return(odd_value())
  }
  i <- sample.int(length(v), 1L)
  class <- oldClass(v)
  v <- unclass(v)
  v[i] <- if (is.character(v)) {
    pick_one(list(NA, "", "x", v[sample.int(length(v), 1L)], "{mean}", "\xff"))
  } else if (is.raw(v)) {
    as.raw(sample.int(256L, 1L) - 1L)
  } else if (is.integer(v)) {
    pick_one(list(
      NA, 0L, -1L, 1L, v[i] + 1L, v[i] - 1L, 99L, .Machine$integer.max, -v[i],
      v[sample.int(length(v), 1L)]
    ))
  } else if (is.numeric(v)) {
    pick_one(list(
      NA, NaN, Inf, -Inf, 0, -1, v[i] + 1, v[i] * 1000, v[i] / 3, -v[i], 1e308, 5e-324, v[i] + 0.5,
      v[sample.int(length(v), 1L)]
    ))
  } else if (is.logical(v)) {
    pick_one(list(NA, !v[i]))
  } else {
    list(odd_value())
  }
  class(v) <- class
  v
}

change_type <- function(v) {
  to <- pick_one(list(
    as.character, as.list, as.integer, as.double, as.logical, as.factor, as.complex, rev, t,
    as.vector, unlist, unname, length, list, as.expression, as.data.frame
  ))
  suppressWarnings(tryCatch(to(v), error = function(e) odd_value()))
}

change_length <- function(v) {
  n <- length(v)
  at <- seq_len(n)
  to <- pick_one(list(
    at[-1L], at[-n], c(at, n), c(at, at), integer(), rev(at), at[sample.int(max(n, 1L))],
    c(at, NA), rep(1L, n), at[seq_len(min(n, 1L))]
  ))
  tryCatch(v[to], error = function(e) odd_value())
}

change_attributes <- function(v) {
  tryCatch(
    switch(sample.int(6L, 1L),
      `attributes<-`(v, NULL), `dim<-`(v, NULL), `names<-`(v, NULL), `dim<-`(v, c(length(v), 1L)),
      `class<-`(v, "odd"), `names<-`(v, rep("a", length(v)))
    ),
    error = function(e) odd_value()
  )
}

# list(fit =, what = a text).
corrupt_fit <- function(fit) {
  path <- random_path(fit)
  kind <- sample(
    c("replace", "remove", "one", "type", "length", "attributes", "swap"), 1L,
    prob = c(3, 1, 6, 1.5, 2, 1.5, 1)
  )
  other <- value_at(fit, random_path(fit))
  new <- odd_value()
  change <- switch(kind,
    replace = function(v) new, remove = function(v) NULL, one = change_one, type = change_type,
    length = change_length, attributes = change_attributes, swap = function(v) other
  )
  # Names and calls have no elements to change.
  plain <- function(v) {
    if (kind %in% c("replace", "remove", "swap") || is.vector(unclass(v)) || is.array(v)) {
      change(v)
    } else {
      new
    }
  }
  what <- paste(kind, path_text(fit, path))
  list(fit = change_at(fit, path, plain), what = what)
}

# One to three changes of a text of JSON.
corrupt_json <- function(json) {
  json <- unclass(json)[1L]
  token <- "\"(?:[^\"\\\\]|\\\\.)*\"|-?[0-9][0-9.]*(?:e[-+]?[0-9]+)?|true|false|null|[][{},:]"
  at <- gregexpr(token, json, perl = TRUE)[[1L]]
  from <- as.integer(at)
  size <- attr(at, "match.length")
  others <- c(
    "0", "-1", "1", "2", "0.5", "1e999", "1e308", "99", "null", "true", "[]", "{}", "\"x\"", "\"\"",
    "[1]", "\"1\"", "NaN", "", "[", "]", "}", ",", ":", "2147483648", "\"\\u0000\"", "\"{mean}\""
  )
  for (i in seq_len(sample.int(3L, 1L, prob = c(6, 2, 1)))) {
    k <- sample.int(length(from), 1L)
    own <- substr(json, from[k], from[k] + size[k] - 1L)
    new <- switch(sample.int(4L, 1L),
      sample(others, 1L),
      {
        j <- sample.int(length(from), 1L)
        substr(json, from[j], from[j] + size[j] - 1L)
      },
      paste0(own, own), one_number(own)
    )
    json <- paste0(substr(json, 1L, from[k] - 1L), new, substring(json, from[k] + size[k]))
    from[from > from[k]] <- from[from > from[k]] + nchar(new) - size[k]
    size[k] <- nchar(new)
  }
  list(json = json, what = paste("json", own, "->", new))
}

one_number <- function(token) {
  value <- suppressWarnings(as.numeric(token))
  if (is.na(value)) {
    return("")
  }
  new <- pick_one(list(value + 1, -value, value * 1000, value / 3, value + 0.5))
  format(new, digits = 17L, scientific = FALSE)
}

# ---- the functions that get the models ----

# Each is called with a model and new rows. `evaluates`: it may evaluate the call or the formula of
# the model, as SECURITY.md says.
corruption_verbs <- function() {
  shown <- function(f) function(fit, rows) utils::capture.output(f(fit, rows))
  drawn <- function(f) {
    function(fit, rows) {
      grDevices::pdf(NULL)
      on.exit(grDevices::dev.off())
      f(fit, rows)
      NULL
    }
  }
  type <- function(type) function(fit, rows) stats::predict(fit, rows, type = type)
  plain <- list(
    predict = function(fit, rows) stats::predict(fit, rows), prob = type("prob"),
    class = type("class"), node = type("node"), path = type("path"), link = type("link"),
    tree = type("tree"), votes = type("votes"), terms = type("terms"),
    se = function(fit, rows) stats::predict(fit, rows, se = TRUE),
    print = shown(function(fit, rows) print(fit)), format = function(fit, rows) format(fit),
    str = shown(function(fit, rows) utils::str(fit)), tidy = function(fit, rows) tidy(fit),
    glance = function(fit, rows) glance(fit), nobs = function(fit, rows) stats::nobs(fit),
    importance = function(fit, rows) importance(fit),
    coef = function(fit, rows) stats::coef(fit),
    variables = function(fit, rows) stats::variable.names(fit),
    formula = function(fit, rows) stats::formula(fit), length = function(fit, rows) length(fit),
    table = function(fit, rows) as.data.frame(fit), list = function(fit, rows) as.list(fit),
    labels = function(fit, rows) labels(fit), n_leaves = function(fit, rows) n_leaves(fit),
    n_nodes = function(fit, rows) n_nodes(fit), depth = function(fit, rows) tree_depth(fit),
    n_trees = function(fit, rows) n_trees(fit), first = function(fit, rows) fit[[1L]],
    equal = function(fit, rows) all.equal(fit, fit), cp_table = function(fit, rows) cp_table(fit),
    loglik = function(fit, rows) stats::logLik(fit),
    deviance = function(fit, rows) stats::deviance(fit),
    json = function(fit, rows) tec_json(fit), sql = function(fit, rows) tec_sql(fit, "ansi"),
    c = function(fit, rows) tec_code(fit, "c"), js = function(fit, rows) tec_code(fit, "javascript"), # nolint
    pmml = function(fit, rows) tec_pmml(fit, missing = "majority"),
    onnx = function(fit, rows) tec_onnx(fit, missing = "majority"),
    verify_r = function(fit, rows) verify_export(fit, rows, "r"),
    verify_json = function(fit, rows) verify_export(fit, rows, "json"),
    rules = shown(function(fit, rows) print(tec_rules(fit))),
    explain = shown(function(fit, rows) print(explain(fit, rows[1L, ]))),
    shap = function(fit, rows) tec_shap(fit, rows[1:3, ], threads = 1),
    view = function(fit, rows) tec_view(fit), shapes = function(fit, rows) tec_shapes(fit),
    components = function(fit, rows) tec_components(fit), plot = drawn(function(fit, rows) plot(fit)), # nolint
    rpart = function(fit, rows) as_rpart(fit), forest = function(fit, rows) as_tec_forest(fit),
    as_tree = function(fit, rows) as_tec_tree(fit), prune = function(fit, rows) tec_prune(fit, cp = 0.1), # nolint
    shrink = function(fit, rows) tec_shrink(fit, 1), intervals = function(fit, rows) tec_intervals(fit), # nolint
    permutation = function(fit, rows) importance(fit, "permutation", data = rows, repeats = 1),
    dependence = function(fit, rows) {
      tec_dependence(fit, fit$columns$name[1L], data = rows, n = 3, threads = 1)
    },
    gains = function(fit, rows) tec_gains(fit, rows), augment = function(fit, rows) augment(fit, rows), # nolint
    proximity = function(fit, rows) tec_proximity(fit, rows, threads = 1)
  )
  evaluates <- list(
    summary = shown(function(fit, rows) print(summary(fit))),
    fitted = function(fit, rows) stats::fitted(fit),
    frame = function(fit, rows) stats::model.frame(fit),
    terms_of = function(fit, rows) stats::terms(fit),
    more = function(fit, rows) tec_more(fit, 1, data = rows, progress = FALSE, threads = 1),
    update = function(fit, rows) stats::update(fit, data = rows),
    prune_rows = function(fit, rows) tec_prune(fit, "rep", validation = rows)
  )
  # These read the response of the rows, which is an expression of the formula.
  response <- c("gains", "permutation", "shapes", "shrink")
  list(run = c(plain, evaluates), evaluates = c(names(evaluates), response))
}

# ---- one case ----

judged_verbs <- c(
  "predict", "class", "prob", "node", "verify_r", "verify_json", "glance", "importance"
)

# Why the answer of a verb cannot be right, or NULL.
wrong_answer <- function(verb, out, fit, rows) {
  if (!verb %in% judged_verbs) {
    return(NULL)
  }
  levels <- if (inherits(fit, "tec_tune")) fit$fit$response$levels else fit$response$levels
  n <- nrow(rows)
  if (verb %in% c("predict", "class")) {
    if (length(out) != n) return("another number of predictions")
    if (is.null(levels)) {
      if (!is.double(out)) return("predictions that are not numbers")
      if (any(is.infinite(out)) || anyNA(out) && !inherits(fit, "tec_mars")) {
        return("predictions that are not finite")
      }
    } else if (!is.factor(out) && !is.character(out) && !is.logical(out)) {
      return("predictions that are not classes")
    } else if (anyNA(out) && !inherits(fit, "tec_mars")) {
      return("missing classes")
    }
  }
  if (verb == "prob") {
    if (!identical(dim(out), c(n, length(levels)))) return("shares of other dimensions")
    if (!is.numeric(out) || !all(is.finite(out) | inherits(fit, "tec_mars"))) {
      return("shares that are not finite")
    }
    if (any(out < 0 | out > 1 + 1e-9, na.rm = TRUE)) return("shares outside 0 to 1")
    if (any(abs(rowSums(out) - 1) > 1e-6, na.rm = TRUE)) return("shares that do not add up to 1")
  }
  if (verb == "node" && !is.list(out) && (!is.numeric(out) || anyNA(out))) return("missing nodes")
  if (verb %in% c("verify_r", "verify_json") && any(out$agree < out$rows)) {
    return("an export that predicts otherwise")
  }
  if (verb == "glance" && nrow(out) != 1L) return("not one row")
  if (verb == "importance") {
    value <- out$importance
    if (!is.numeric(value) || anyNA(value)) return("importance that is not a number")
  }
  NULL
}

# What happened: "right", the class of the package's error, or a fault that begins with "FAULT".
outcome_of <- function(verb, run, fit, rows, may_evaluate) {
  options(tectree.evaluated = NULL)
  started <- proc.time()[["elapsed"]]
  devices <- length(grDevices::dev.list())
  out <- tryCatch(
    suppressMessages(suppressWarnings(run(fit, rows))), error = identity, interrupt = identity
  )
  while (length(grDevices::dev.list()) > devices) grDevices::dev.off()
  seconds <- proc.time()[["elapsed"]] - started
  fault <- if (isTRUE(getOption("tectree.evaluated")) && !may_evaluate) {
    "evaluated"
  } else if (seconds > 10) {
    paste("slow:", round(seconds), "s")
  } else if (inherits(out, "error") && !inherits(out, "tec_error")) {
    paste0("without class: ", sub("\n.*", "", conditionMessage(out)))
  } else if (!inherits(out, "error")) {
    found <- tryCatch(wrong_answer(verb, out, fit, rows), error = function(e) {
      paste("it cannot be read:", conditionMessage(e))
    })
    if (!is.null(found)) paste("wrong:", found)
  } else if (grepl("differ from those of", conditionMessage(out)[1L])) {
    "wrong: an export that predicts otherwise"
  }
  options(tectree.evaluated = NULL)
  if (!is.null(fault)) {
    return(paste("FAULT", fault))
  }
  if (inherits(out, "error")) grep("^tec_error_", class(out), value = TRUE)[1L] else "right"
}

# The verbs whose answer for the undamaged model is right or an error with a class, by model.
verbs_of_models <- function(models, verbs = corruption_verbs()) {
  lapply(models, function(one) {
    works <- vapply(names(verbs$run), function(verb) {
      outcome_of(verb, verbs$run[[verb]], one$fit, one$rows, TRUE)
    }, "")
    works[!startsWith(works, "FAULT")]
  })
}

# A case is made from its seed alone. Returns list(model, what, outcomes by verb); `before` is
# called with the description before each verb, so that a crash can be found.
corruption_case <- function(seed, models, known, n_verbs = 4L, before = function(text) NULL,
                            verbs = corruption_verbs()) {
  set.seed(seed)
  name <- sample(names(models), 1L)
  one <- models[[name]]
  fit <- NULL
  if (stats::runif(1) < 0.2 && !is.null(one$json)) {
    bad <- corrupt_json(one$json)
    before(paste(seed, name, "tec_from_json", bad$what))
    read <- function(fit, rows) tec_from_json(bad$json)
    outcomes <- c(tec_from_json = outcome_of("tec_from_json", read, NULL, one$rows, FALSE))
    if (outcomes == "right") fit <- tec_from_json(bad$json)
  } else {
    bad <- corrupt_fit(one$fit)
    fit <- bad$fit
    outcomes <- character()
  }
  if (!is.null(fit)) {
    possible <- names(known[[name]])
    apt <- possible[known[[name]] == "right"]
    chosen <- unique(c("predict", sample(apt, min(n_verbs - 1L, length(apt))), sample(possible, 1L))) # nolint
    for (verb in chosen) {
      before(paste(seed, name, verb, bad$what))
      may <- verb %in% verbs$evaluates || grepl("predictors", bad$what)
      outcomes[verb] <- outcome_of(verb, verbs$run[[verb]], fit, one$rows, may)
    }
  }
  list(model = name, what = bad$what, outcomes = outcomes)
}
