test_that("PMML predicts what the forest does", {
  skip_if_not_installed("xml2")
  names <- c("a\"b", "c'd<", "e&f;", "line\nbreak\ttab", "\U0001F333 \u00e9", "]]>", "back\\slash")
  wanted <- c("learned", "drop", "shares", "numbers", "fractionalnumbers", "weights")
  odd <- forest_export_cases(names, nasty, 2, trees = 2L)
  cases <- c(forest_export_cases(trees = 3L)[wanted], nasty = odd["learned"], nasty = odd["shares"])
  for (name in in_turn(names(cases), 2)) {
    fit <- cases[[name]]$fit
    for (missing in setdiff(missing_choices, if (fit$trees$unknown == 1L) "as_fitted")) {
      target <- pmml_target(tec_pmml(fit, missing = missing))
      expect_export(cases[[name]], target, paste(name, missing), missing)
    }
  }
})

test_that("the document of a forest is as PMML orders it", {
  skip_if_not_installed("xml2")
  set.seed(1)
  fit <- tec_forest(Species ~ ., iris, trees = 4, threads = 1)
  file <- withr::local_tempfile()
  tec_pmml(fit, file)
  root <- xml2::xml_ns_strip(xml2::read_xml(file))
  expect_identical(
    xml2::xml_name(xml2::xml_children(root)), c("Header", "DataDictionary", "MiningModel")
  )
  model <- xml2::xml_children(root)[[3L]]
  expect_identical(
    xml2::xml_name(xml2::xml_children(model)), c("MiningSchema", "Output", "Segmentation")
  )
  segments <- xml2::xml_find_all(model, "Segmentation/Segment")
  expect_identical(xml2::xml_attr(segments, "id"), as.character(1:4))
  expect_length(xml2::xml_find_all(model, ".//TreeModel/Output"), 0L)
  schema <- Sys.getenv("TECTREE_PMML")
  skip_if_not(file.exists(schema), "no schema: TECTREE_PMML names pmml-4-4.xsd")
  expect_true(xml2::xml_validate(xml2::read_xml(file), xml2::read_xml(schema)))
})

test_that("forests that PMML cannot express are errors", {
  cases <- forest_export_cases(trees = 2L)
  expect_error(tec_pmml(cases$cost$fit), "costs", class = "tec_error_export")
  expect_error(tec_pmml(cases$fractional$fit), "forest has.*majority", class = "tec_error_export")
})
