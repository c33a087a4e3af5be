test_that("PMML predicts what predict() does", {
  skip_if_not_installed("xml2")
  names <- c("a\"b", "c'd<", "e&f;", "line\nbreak\ttab", "\U0001F333 \u00e9", "]]>", "back\\slash")
  cases <- c(export_cases(), stats::setNames(export_cases(names, nasty, 2), paste("nasty", 1:14)))
  for (name in in_turn(names(cases), 3)) {
    fit <- cases[[name]]$fit
    for (missing in setdiff(missing_choices, if (fit$tree$unknown == 1L) "as_fitted")) {
      text <- tec_pmml(fit, missing = missing)
      expect_export(cases[[name]], pmml_target(text), paste(name, missing), missing)
    }
  }
})

test_that("the document is as PMML orders it, and goes to a file", {
  skip_if_not_installed("xml2")
  fit <- tec_tree(Species ~ ., iris, preset = "cart")
  file <- withr::local_tempfile()
  tec_pmml(fit, file)
  root <- xml2::read_xml(file)
  expect_identical(xml2::xml_ns(root)[["d1"]], "http://www.dmg.org/PMML-4_4")
  expect_identical(
    xml2::xml_name(xml2::xml_children(root)), c("Header", "DataDictionary", "TreeModel")
  )
  model <- xml2::xml_children(root)[[3L]]
  expect_identical(xml2::xml_name(xml2::xml_children(model)), c("MiningSchema", "Output", "Node"))
  expect_identical(
    pmml_target(paste(readLines(file), collapse = "\n"))(iris)$response,
    as.character(predict(fit, iris))
  )
})

test_that("documents are valid by PMML's schema", {
  skip_if_not_installed("xml2")
  schema <- Sys.getenv("TECTREE_PMML")
  skip_if_not(file.exists(schema), "no schema: TECTREE_PMML names pmml-4-4.xsd")
  schema <- xml2::read_xml(schema)
  valid <- function(text) xml2::xml_validate(xml2::read_xml(unclass(text)), schema)
  names <- c("a\"b", "c'd<", "e&f;", "line\nbreak\ttab", "\U0001F333 \u00e9", "]]>", "back\\slash")
  cases <- c(export_cases(), stats::setNames(export_cases(names, nasty, 2), paste("nasty", 1:14)))
  for (name in in_turn(names(cases), 6)) {
    said <- valid(tec_pmml(cases[[name]]$fit, missing = "null"))
    expect_true(said, label = paste(name, paste(attr(said, "errors"), collapse = "; ")))
  }
  text <- tec_pmml(tec_tree(Species ~ ., iris, preset = "cart"))
  expect_false(valid(sub("<Header>", "<Heading/><Header>", text, fixed = TRUE)))
})

test_that("a tree of any depth is written, in time that grows with its nodes", {
  text <- unclass(tec_pmml(chain_tree(2000)))
  # The one chain is closed as often as it is opened, and 2000 deep.
  marks <- regmatches(text, gregexpr("<Node |</Node>", text))[[1L]]
  level <- cumsum(ifelse(marks == "<Node ", 1L, -1L))
  expect_identical(max(level), 2001L)
  expect_identical(level[length(level)], 0L)
  skip_if_not_installed("xml2")
  rows <- data.frame(x = c(0.5, 99.5, 200, NA))
  expect_identical(
    tec_verified(chain_tree(100), rows, pmml_target(tec_pmml(chain_tree(100)))), c(4L, 4L)
  )
})

test_that("models that PMML cannot express are errors", {
  skip_if_not_installed("xml2")
  expect_error(
    tec_pmml(tec_tree(Species ~ ., gappy_iris(), missing = "fractional")), "majority",
    class = "tec_error_export"
  )
  d <- data.frame(x = rep(c("a\001", "b"), 20), y = rep(1:2, 20))
  expect_error(tec_pmml(tec_tree(y ~ x, d), missing = "null"), class = "tec_error_export")
})

test_that("a default tree without missing values at its splits needs no argument", {
  fits <- list(
    tec_tree(Species ~ ., iris), tec_tree(mpg ~ ., mtcars),
    tec_tree(am ~ wt, transform(mtcars, am = factor(am)), weights = cyl / 3)
  )
  for (fit in fits) {
    expect_identical(fit$control$missing, "fractional")
    for (write in list(tec_pmml, tec_onnx)) {
      expect_no_message(chosen <- write(fit, missing = "majority"))
      expect_message(found <- write(fit), "predict.*all branches", class = "tec_message_missing")
      expect_identical(found, chosen)
    }
    expect_error(tec_pmml(fit, missing = "as_fitted"), "majority", class = "tec_error_export")
  }
  # A gap in a column that the tree does not use is none.
  d <- iris
  d$Sepal.Width[1] <- NA
  fit <- tec_tree(Species ~ ., d, max_depth = 2)
  expect_false(2L %in% used_columns(fit$tree))
  expect_message(expect_type(tec_onnx(fit), "raw"), class = "tec_message_missing")
  # Where predict() does the same, or no split asks, nothing is said.
  for (missing in c("surrogate", "majority", "learned")) {
    expect_no_message(tec_pmml(tec_tree(Species ~ ., iris, missing = missing)))
  }
  expect_no_message(tec_pmml(tec_tree(Species ~ ., iris, max_depth = 0)))
  gaps <- tec_tree(Species ~ ., gappy_iris())
  expect_error(tec_onnx(gaps), "majority", class = "tec_error_export")
  expect_error(tec_pmml(gaps), "majority", class = "tec_error_export")
})
