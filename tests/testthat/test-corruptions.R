# Random damage to stored models and to JSON. `Rscript tools/checks/corruptions.R` takes 20,000 cases. # nolint

stored_for_damage <- function() readRDS(test_path("fixtures", "models-1.rds"))

# Some damage to parts that only one function reads still gives R's own error. The script counts it.
test_that("random damage never gives a wrong answer, a long wait or evaluated code", {
  slow_test()
  skip_if_not_installed("jsonlite")
  models <- in_turn(stored_for_damage(), 4)
  known <- verbs_of_models(models)
  for (i in case_seeds(60)) {
    found <- corruption_case(i, models, known)
    fault <- grep("^FAULT (wrong|slow|evaluated)", found$outcomes, value = TRUE)
    expect_identical(
      unname(fault), character(), info = paste(i, found$model, found$what, names(fault))
    )
  }
})

# Calls with a side effect, where a stored model has calls and text.
with_traps <- function(fit) {
  trap <- function(x, inside = "") {
    if (inside %in% c("levels", "name", "kind", "predictors", "needs", "ptype")) {
      return(x)
    }
    if (is.call(x)) {
      if (inherits(x, "formula")) {
        return(structure(call("~", booby_trap, booby_trap), class = "formula"))
      }
      return(as.call(list(as.name("tec_tree"), formula = booby_trap, data = booby_trap)))
    }
    if (is.list(x)) {
      class <- oldClass(x)
      x <- unclass(x)
      for (i in seq_along(x)) {
        if (!is.null(x[[i]])) x[[i]] <- trap(x[[i]], names(x)[i] %||% "")
      }
      class(x) <- class
    }
    x
  }
  trap(fit)
}

test_that("nothing in a stored model is evaluated for new rows, tables, pictures and exports", {
  skip_if_not_installed("jsonlite")
  verbs <- corruption_verbs()
  plain <- setdiff(names(verbs$run), verbs$evaluates)
  stored <- stored_for_damage()
  for (name in in_turn(names(stored), fewer(6, 2))) {
    one <- stored[[name]]
    trapped <- with_traps(one$fit)
    expect_false(identical(trapped, one$fit))
    for (verb in plain) {
      said <- outcome_of(verb, verbs$run[[verb]], trapped, one$rows, FALSE)
      expect_false(identical(said, "FAULT evaluated"), label = paste(name, verb))
    }
    expect_equal(predict(trapped, one$rows), one$response, info = name)
  }
})

test_that("text of a stored model is never code", {
  stored <- stored_for_damage()
  text <- "{options(tectree.evaluated = TRUE)}"
  verbs <- corruption_verbs()$run
  verbs$absent <- function(fit, rows) predict(fit, rows[0])
  for (name in in_turn(names(stored), fewer(4, 1))) {
    fit <- stored[[name]]$fit
    inner <- if (inherits(fit, "tec_tune")) fit$fit else fit
    class <- class(inner)
    inner <- unclass(inner)
    inner$columns$name[] <- paste0(text, seq_along(inner$columns$name))
    inner$columns$needs <- as.list(inner$columns$name)
    inner$predictors <- lapply(inner$columns$name, as.name)
    inner$columns$levels <- lapply(inner$columns$levels, function(x) {
      if (length(x)) paste0(text, x)
    })
    inner$response$name <- text
    inner$preset <- inner$source <- text
    class(inner) <- class
    for (verb in names(verbs)) {
      said <- outcome_of(verb, verbs[[verb]], inner, stored[[name]]$rows, FALSE)
      expect_false(identical(said, "FAULT evaluated"), label = paste(name, verb))
    }
  }
  json <- gsub("\"Species\"", "\"{options(tectree.evaluated = TRUE)}\"", stored$tree$json)
  read <- function(fit, rows) tec_from_json(sub("\"n\": ?60", "\"n\": -60", json))
  expect_identical(outcome_of("tec_from_json", read, NULL, NULL, FALSE), "tec_error_export")
})
