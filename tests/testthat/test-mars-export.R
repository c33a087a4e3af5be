mars_cases <- function() {
  air <- transform(airquality, Month = factor(Month, labels = c("a", "b'", "c\"", "d\\", "\u00e9")))
  cars <- transform(mtcars, am = am == 1, cyl = factor(cyl, ordered = TRUE), vs = vs == 1)
  fits <- list(
    suppressMessages(tec_mars(Ozone ~ ., air, degree = 2, prune = "none")),
    suppressWarnings(tec_mars(Species ~ ., iris, degree = 2)),
    tec_mars(am ~ hp + wt + cyl + vs, cars), tec_mars(mpg ~ carb, mtcars, thresh = 0.9)
  )
  rows <- list(rbind(air, transform(air[1:2, ], Month = "unseen")), iris, cars, mtcars)
  Map(list, fit = fits, rows = rows)
}

test_that("programs and JSON predict what predict() does", {
  slow_test()
  skip_if_not_installed("jsonlite")
  targets <- c("r", "json", "python", "javascript", "c")
  commands <- c(python = "python3", javascript = "node", c = "cc")
  for (target in targets) {
    command <- commands[target]
    if (!is.na(command) && !nzchar(Sys.which(command))) next
    for (case in mars_cases()) {
      out <- suppressWarnings(verify_export(case$fit, case$rows, target))
      expect_identical(out$agree, out$rows)
    }
  }
})

test_that("SQL predicts what predict() does", {
  skip_if_not_installed("RSQLite")
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  withr::defer(DBI::dbDisconnect(con))
  for (case in mars_cases()) {
    out <- suppressWarnings(verify_export(case$fit, case$rows, con))
    expect_identical(out$agree, out$rows)
  }
})

test_that("the database PostgreSQL reads the text", {
  slow_test()
  folder <- start_postgres(environment())
  for (case in mars_cases()) {
    put_postgres_rows(case$fit, case$rows, folder)
    wanted <- suppressWarnings(predict(case$fit, case$rows))
    query <- paste("SELECT", tec_sql(case$fit, "postgres"), "FROM r ORDER BY row_number")
    said <- ask_postgres(query, folder)[[1L]]
    if (is.numeric(wanted)) {
      expect_equal(as.numeric(said), wanted, tolerance = 1e-9)
    } else {
      expect_identical(replace(said, said == "", NA), as.character(wanted))
    }
  }
})

test_that("a fit comes back from JSON with its methods", {
  skip_if_not_installed("jsonlite")
  for (case in mars_cases()[2:3]) {
    again <- tec_from_json(tec_json(case$fit))
    lines <- function(fit) mars_formula_lines(fit, 7L, 80)
    expect_identical(lines(again), lines(case$fit))
    expect_identical(predict(again, case$rows, "terms"), predict(case$fit, case$rows, "terms"))
    expect_identical(
      drawn_nowhere(plot(again)), drawn_nowhere(plot(case$fit))
    )
  }
})

test_that("damaged JSON and unsupported exports are errors", {
  skip_if_not_installed("jsonlite")
  fit <- tec_mars(mpg ~ hp, mtcars)
  json <- unclass(tec_json(fit))
  dated <- tec_mars(mpg ~ day, transform(mtcars, day = as.Date("2020-01-01") + hp))
  broken <- function(from, to) tec_from_json(sub(from, to, json, fixed = TRUE))
  expect_snapshot(show_errors({
    broken("\"hp\", \"side\"", "\"nothing\", \"side\"")
    broken("\"below\"", "\"beside\"")
    broken("\"coefficients\": [", "\"coefficients\": [1, ")
    tec_code(fit, "rust")
    verify_export(fit, mtcars, "json_python")
    tec_sql(dated, "postgres")
    tec_sql(fit, type = "prob")
    tec_sql(fit, table = "cars")
    tec_code(tec_mars(mpg ~ log(hp), mtcars))
    importance(tec_from_json(json))
  }))
})

test_that("splines from JSON are summarised", {
  skip_if_not_installed("jsonlite")
  for (fit in list(tec_mars(mpg ~ ., mtcars), tec_mars(Species ~ ., iris))) {
    again <- tec_from_json(tec_json(fit))
    data <- if (is.null(fit$response$levels)) mtcars else iris
    expect_output(print(summary(again)), "not known")
    expect_output(print(summary(again, data)), "rows")
    expect_output(print(again))
    expect_no_error(glance(again))
    expect_no_error(tidy(again))
  }
})

test_that("splines that break a rule of the format are refused by that rule", {
  skip_if_not_installed("jsonlite")
  cars <- transform(mtcars, am = factor(am), vs = factor(vs, labels = c("v", "s")))
  refuses <- json_refuses(tec_mars(am ~ wt + vs, cars))
  refuses(p$classes <- list("0", "2"), "classes: they must be different levels of the response")
  refuses(p$classes <- list("0", "0"), "classes: they must be different levels of the response")
  refuses(p$terms[[1]]$factors <- p$terms[[2]]$factors, "terms[1]: the first term is the intercept")
  refuses(p$terms[[2]]$factors[[1]]$column <- "hp", "terms[2]: there is no such column")
  refuses(p$terms[[2]]$factors[[1]][c("column", "level")] <- c("vs", "u"), "there is no such level")
  refuses(p$terms[[1]]$coefficients <- list(1, 2), "as many coefficients as there are sums, 1")
  refuses(p$terms[[1]]$mean <- "a", "terms[1]: it must be a finite number")
  refuses(p$spread[[1]] <- 1, "spread[1]: it must be an object")
  refuses(p$gcv <- "low", "gcv: it must be a number")
})
