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
  whole <- tec_view(tec_forest(mpg ~ ., mtcars, trees = 3, replace = FALSE, sample_fraction = 1, threads = 1))
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
  expect_setequal(unlist(jsonlite::parse_json(pages$trees[[1]]$model)$classes), case$fit$response$levels)
})

test_that("the menu shows each tree, with the path of the row", {
  skip_without_browser()
  fit <- view_example()
  page <- open_page(tec_view(fit, newrow = iris[71, ]))
  inside <- function(script) page$run(paste0("document.getElementById('one').contentDocument.", script))
  wait <- function() {
    page$run("new Promise((ok) => { const f = document.getElementById('one'); const t = setInterval(() => {
      if (f.contentDocument && f.contentDocument.documentElement.dataset.ready) { clearInterval(t); ok(1); } }, 50); })")
  }
  wait()
  expect_identical(inside("querySelector('h1').textContent"), "Tree 1 of 6")
  answer <- function() inside("getElementById('row-answer').textContent")
  expect_match(answer(), as.character(predict(fit[[1]], iris[71, ])))
  page$run("document.getElementById('one').contentDocument.documentElement.dataset.ready = ''")
  page$run("document.getElementById('pick-next').click()")
  page$run("new Promise((ok) => setTimeout(ok, 1500))")
  wait()
  expect_identical(inside("querySelector('h1').textContent"), "Tree 2 of 6")
  expect_match(answer(), as.character(predict(fit[[2]], iris[71, ])))
  expect_match(page$run("document.getElementById('pick-facts').textContent"), "^of 6, ")
  expect_identical(page$errors(), character())
})
