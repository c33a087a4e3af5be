view_example <- function(...) {
  set.seed(1)
  tec_forest(Species ~ ., iris, trees = 6, threads = 1, ...)
}

test_that("the page of a forest has the trees that are asked for, curve and importance", {
  fit <- view_example()
  view <- tec_view(fit, trees = c(2, 5))
  expect_s3_class(view, "tec_view")
  expect_match(view$html, "<title>Forest for Species</title>", fixed = TRUE)
  expect_match(view$html, "<option>2</option><option>5</option>", fixed = TRUE)
  expect_match(view$html, "Error rate out of bag by the number of trees", fixed = TRUE)
  expect_match(view$html, "Importance (gain)", fixed = TRUE)
  expect_no_match(view$html, "Prediction: <b>", fixed = TRUE)
  expect_no_match(tec_view(view_example(importance = "none"))$html, "Importance", fixed = TRUE)
  whole <- tec_view(tec_forest(
    mpg ~ ., mtcars, trees = 3, replace = FALSE, sample_fraction = 1, threads = 1
  ))
  expect_no_match(whole$html, "out of bag by", fixed = TRUE)
  expect_match(whole$text[1], "Regression forest for mpg")
  file <- withr::local_tempfile(fileext = ".html")
  expect_invisible(tec_view(fit, file, newrow = iris[71, ], trees = 1))
  said <- paste(readLines(file, encoding = "UTF-8", warn = FALSE), collapse = "\n")
  expect_match(said, paste0("Prediction: <b>", predict(fit, iris[71, ]), "</b>"), fixed = TRUE)
  for (bad in list(0, 7, 1.5, c(1, 1), "a", NA, integer())) {
    expect_error(tec_view(fit, trees = bad), "trees", class = "tec_error_argument")
  }
})

test_that("texts of the data cannot break out of the page of a forest", {
  case <- forest_export_cases(nasty[1:7], nasty, 4, trees = 2L)$learned
  html <- tec_view(case$fit)$html
  expect_length(gregexpr("</script>", html, fixed = TRUE)[[1L]], 2L)
  parts <- regmatches(html, regexpr("(?s)id=\"trees-data\">.*?</script>", html, perl = TRUE))
  skip_if_not_installed("jsonlite")
  pages <- jsonlite::parse_json(sub("</script>$", "", sub("^[^>]*>", "", parts)))
  expect_length(pages$trees, 2L)
  classes <- unlist(jsonlite::parse_json(pages$trees[[1]]$model)$classes)
  expect_setequal(classes, case$fit$response$levels)
})

test_that("the menu shows each tree, with the path of the row", {
  slow_test()
  skip_without_browser()
  fit <- view_example()
  page <- open_page(tec_view(fit, newrow = iris[71, ]))
  frame <- "document.getElementById('one').contentDocument"
  inside <- function(script) page$run(paste0(frame, ".", script))
  wait <- function(title) {
    page$run(paste0("new Promise((ok) => { const t = setInterval(() => {
      const d = ", frame, ", ready = d && d.documentElement.dataset.ready;
      if (ready && d.querySelector('h1').textContent === '", title, "') {
        clearInterval(t);
        ok(1);
      }
    }, 50); })"))
  }
  wait("Tree 1 of 6")
  answer <- function() inside("getElementById('row-answer').textContent")
  expect_match(answer(), as.character(predict(fit[[1]], iris[71, ])))
  page$run("document.getElementById('pick-next').click()")
  wait("Tree 2 of 6")
  expect_match(answer(), as.character(predict(fit[[2]], iris[71, ])))
  expect_match(page$run("document.getElementById('pick-facts').textContent"), "^of 6, ")
  expect_identical(page$errors(), character())
})

test_that("the page has the Shapley values of the row", {
  fit <- view_example()
  html <- tec_view(fit, newrow = iris[71, ])$html
  expect_match(html, "Shapley values of the row, share of versicolor", fixed = TRUE)
  value <- tec_shap(fit, iris[71, ], class = "versicolor")$values
  expect_match(html, "Petal.Length = 4.8</th>", fixed = TRUE)
  for (x in value) expect_match(html, paste0("<td>", format(signif(x, 3)), "</td>"), fixed = TRUE)
  # Their bars diverge from the middle, those of probabilities start at the left.
  bars <- bar_table(c("a", "b"), c(0.4, -0.2), diverge = TRUE)
  expect_match(bars, "class=\"raises\" x=\"50.0\" width=\"50.0\"", fixed = TRUE)
  expect_match(bars, "class=\"lowers\" x=\"25.0\" width=\"25.0\"", fixed = TRUE)
  expect_match(bar_table("a", 1), "class=\"plus\" x=\"0.0\" width=\"100.0\"", fixed = TRUE)
  expect_match(html, "class=\"(raises|lowers)\"")
  number <- tec_forest(mpg ~ ., mtcars, trees = 3, threads = 1)
  expect_match(tec_view(number, newrow = mtcars[1, ])$html, "Shapley values of the row, from")
})
