test_that("a forest comes back from JSON", {
  skip_if_not_installed("jsonlite")
  cases <- some_of(forest_export_cases(), 4)
  for (name in names(cases)) {
    fit <- cases[[name]]$fit
    rows <- cases[[name]]$rows
    again <- tec_from_json(tec_json(fit))
    expect_identical(again$trees, fit$trees, label = name)
    expect_export(cases[[name]], "json", name)
    for (type in c("node", "tree", "response", if (!is.null(fit$response$levels)) c("prob", "votes"))) {
      expect_identical(
        suppressWarnings(predict(again, rows, type)), suppressWarnings(predict(fit, rows, type)),
        label = paste(name, type)
      )
    }
    expect_identical(unclass(tec_json(again)), unclass(tec_json(fit)))
    expect_identical(as.data.frame(again[[2]]), as.data.frame(fit[[2]]))
  }
})
