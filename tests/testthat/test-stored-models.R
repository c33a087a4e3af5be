# Reads models that this and earlier versions stored. data-raw/stored-models.R made the files.

stored_models <- function() {
  files <- list.files(test_path("fixtures"), "^models-[0-9]+[.]rds$", full.names = TRUE)
  do.call(c, lapply(files, readRDS))
}

test_that("stored models of every format predict what they predicted", {
  stored <- stored_models()
  classes <- unique(vapply(stored, function(one) class(one$fit)[1L], ""))
  expect_setequal(
    classes, c("tec_tree", "tec_forest", "tec_boost", "tec_rotation", "tec_mars", "tec_tune")
  )
  for (name in names(stored)) {
    one <- stored[[name]]
    expect_equal(predict(one$fit, one$rows), one$response, tolerance = 1e-12, info = name)
    if (!is.null(one$prob)) {
      prob <- predict(one$fit, one$rows, type = "prob")
      expect_equal(prob, one$prob, tolerance = 1e-12, info = name)
    }
    expect_output(print(one$fit), label = name)
    expect_no_error(utils::capture.output(print(summary(one$fit))))
    expect_gt(nrow(importance(one$fit)), 0)
  }
})

test_that("stored JSON of every format predicts what the models predicted", {
  skip_if_not_installed("jsonlite")
  for (one in Filter(function(one) !is.null(one$json), stored_models())) {
    fit <- tec_from_json(one$json)
    expect_equal(predict(fit, one$rows), one$response, tolerance = 1e-12)
  }
})

test_that("a model is the same after either byte order", {
  for (one in stored_models()) {
    for (xdr in c(TRUE, FALSE)) {
      again <- unserialize(serialize(one$fit, NULL, xdr = xdr))
      expect_identical(predict(again, one$rows), predict(one$fit, one$rows))
    }
  }
})

test_that("models have a format number, and a newer one is refused", {
  for (one in stored_models()) {
    fit <- if (inherits(one$fit, "tec_tune")) one$fit$fit else one$fit
    expect_identical(unclass(fit)[["format"]], 1L)
    newer <- fit
    class(newer) <- NULL
    newer$format <- 2L
    class(newer) <- class(fit)
    expect_error(predict(newer, one$rows), "formats up to 1", class = "tec_error_format")
    expect_error(tec_shap(newer, one$rows), class = "tec_error")
    newer <- unclass(newer)
    newer$format <- "1"
    class(newer) <- class(fit)
    expect_error(predict(newer, one$rows), class = "tec_error_damaged")
  }
})

test_that("newer JSON is refused", {
  skip_if_not_installed("jsonlite")
  json <- stored_models()[["tree"]]$json
  newer <- sub("\"version\": ?1", "\"version\": 2", json)
  expect_false(identical(newer, json))
  expect_error(tec_from_json(newer), "formats up to 1", class = "tec_error_format")
})

test_that("verify_export() and functions that use checksums refuse damaged parts", {
  refused <- function(fit, change, rows = iris) {
    bad <- change(unclass(fit))
    class(bad) <- class(fit)
    expect_error(verify_export(bad, rows, "json"), class = "tec_error_damaged")
  }
  number <- tec_tree(Sepal.Length ~ Species, iris)
  refused(number, function(x) `[[<-`(x, c("tree", "prob"), rep(0.5, 8)))
  refused(number, function(x) `[[<-`(x, c("criterion", "name"), ""))
  refused(number, function(x) `[[<-`(x, c("response", "name"), "\xff"))
  refused(number, function(x) `[[<-`(x, "call", as.call(list("tec_tree"))))
  curve <- tec_mars(Sepal.Length ~ Species, iris)
  refused(curve, function(x) `[[<-`(x, "side", as.vector(x$side)))
  refused(curve, function(x) `[[<-`(x, "means", as.name("x")))
  odd <- number
  odd$marks$response <- mean
  expect_identical(fitted(odd), fitted(number))
})
