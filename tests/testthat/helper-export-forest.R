# Forests for the tests of exports: every rule for missing values, classes by votes, shares and
# costs, and numbers, with the data and rows of helper-export.R.

forest_export_cases <- function(names = paste0("x", 1:7), labels = letters[1:14], seed = 1,
                                trees = 7L) {
  set.seed(seed)
  full <- export_data(200, names, labels)
  classes <- labels[c(1, 9, 5)]
  cost <- matrix(c(0, 1, 6, 2, 0, 1, 1, 3, 0), 3)
  grow <- function(y, ...) {
    fit <- suppressWarnings(tec_forest(
      x = with_gaps(full), y = y, trees = trees, max_depth = 5, threads = 1, progress = FALSE, ...
    ))
    rows <- forest_export_rows(fit, export_data(150, names, labels))
    list(fit = fit, rows = rows)
  }
  y <- export_response(full, classes)
  number <- export_response(full, NULL)
  list(
    learned = grow(y), fractional = grow(y, missing = "fractional"),
    drop = grow(y, missing = "drop", nominal = "multiway", intervals = 3),
    shares = grow(y, probability = TRUE, missing = "majority"),
    cost = grow(y, cost = cost), costfractional = grow(y, cost = cost, missing = "fractional"),
    numbers = grow(number), fractionalnumbers = grow(number, missing = "fractional"),
    dropnumbers = grow(number, missing = "drop"),
    weights = grow(number, weights = runif(200), missing = "mode")
  )
}

# Values at and next to thresholds of the first trees, unknown labels, gaps.
forest_export_rows <- function(fit, d) {
  for (i in seq_len(min(3L, length(fit)))) d <- export_rows(fit[[i]], d, 0.03)
  d
}

# As postgres_target(), of forests.
postgres_forest <- function() {
  if (is.null(postgres$folder)) postgres$folder <- start_postgres(testthat::teardown_env())
  function(fit, missing) {
    function(rows) postgres_forest_predict(fit, rows, missing, postgres$folder)
  }
}

postgres_forest_predict <- function(fit, rows, missing, folder) {
  put_postgres_rows(fit, rows, folder)
  types <- c("response", if (!is.null(fit$response$levels)) c("prob", "votes"))
  out <- lapply(types, function(type) {
    query <- tec_sql(fit, "postgres", type, missing, table = "r", keep = "row_number")
    value <- ask_postgres(paste0("SELECT * FROM (", query, ") q ORDER BY row_number"), folder)[-1L]
    if (type == "response" && !is.null(fit$response$levels)) return(value[[1L]])
    number <- matrix(as.numeric(as.matrix(value)), nrow(rows))
    if (type == "response") number[, 1L] else number
  })
  stats::setNames(out, types)
}
