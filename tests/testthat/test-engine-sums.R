# Sums of numeric responses that are exact, whatever the numbers are.

far_apart <- list(
  halves = c(.1, .3, .7, 1e9 / 3), close = 1e9 + c(.1, .3, .7),
  both = c(.1, .3, .7, 1e9 + c(.1, .3, .7)),
  negative = c(-1e9 / 3, -.7, .1, 2^60), small = c(1e-30, 2e-30, 1e-20), cents = c(.07, .1, 123.45)
)

test_that("numbers are the sum of their digits, which are small enough", {
  set.seed(5)
  cases <- c(far_apart, list(
    stats::rnorm(500), exp(4 * stats::rnorm(500)), stats::runif(300) * 1e12, sample(1e15, 50), 0, 3
  ))
  for (y in cases) {
    for (w in list(NULL, sample(1e3, length(y), TRUE))) {
      of <- number_units(unit_facts(y, w), "y")
      digits <- number_digits(y, of, of$centre)
      expect_length(digits, of$digits)
      back <- Reduce(`+`, Map(`*`, digits, 2^(of$bits * (seq_along(digits) - 1))))
      expect_equal(back / of$scale + of$centre, y, tolerance = 1e-15)
      expect_true(all(unlist(digits) == round(unlist(digits))))
      # Sums of sizes, in any order, are whole numbers below 2^53.
      sums <- digit_sums(lapply(digits, abs), w)
      expect_true(all(vapply(sums, sum, 0) < 2^53))
    }
  }
  # One digit where squares are small enough: as many sums as ever.
  expect_identical(number_units(unit_facts(c(.1, 2.5, 3)), "y")$digits, 1L)
})

test_that("digits of products are those of squares", {
  # By long multiplication of decimal digits.
  digits <- list(c(7, 1), c(3, 2), c(5, 0))
  sums <- digit_sums(digits)
  square <- vapply(1:5, function(place) sums[[3L + place]], c(0, 0))
  value <- c(537, 21)
  expect_identical(drop(square %*% 10^(0:4)), value^2)
})

for (engine in c("sqlite", "duckdb", "postgres", "cluster")) {
  test_that(paste("a response of numbers far apart has memory's tree:", engine), {
    for (y in some_of(far_apart, 3)) {
      d <- data.frame(x = rep(seq_along(y), 5), y = rep(y, 5))
      here <- tec_tree(y ~ x, d, prune = "none", min_split = 2, min_bucket = 1)
      expect_identical(sum(here$tree$kind == 0L), length(y))
      for (there in counted_trees(engine, d, y ~ x)) expect_near_tree(there, here, d)
    }
  })

  test_that(paste("log-normal responses have memory's tree:", engine), {
    if (engine != "sqlite") slow_test()
    for (seed in case_seeds(2)) at_seed(seed, {
      n <- 300
      d <- data.frame(a = sample(20, n, TRUE), b = stats::rnorm(n), c = sample(6, n, TRUE) / 8)
      d$y <- exp(sample(3:4, 1L) * stats::rnorm(n) + (d$a > 10) + d$c)
      here <- tec_tree(y ~ a + b + c, d, prune = "none", max_depth = 6, min_split = 2,
        min_bucket = 2)
      for (there in counted_trees(engine, d, y ~ a + b + c, max_depth = 6, min_bucket = 2)) {
        expect_near_tree(there, here, d)
        expect_identical(there$sums, "exact")
      }
    })
  })
}

test_that("weights, folds and single numbers are also added exactly", {
  set.seed(8)
  n <- 200
  d <- data.frame(x = sample(9, n, TRUE), y = exp(3 * stats::rnorm(n)), w = sample(0:3, n, TRUE))
  d$single <- 0.1 + sample(1e3, n, TRUE) / 3
  con <- engine_connection("sqlite")
  put_table("sqlite", "sums", d)
  for (response in c("y", "single")) {
    formula <- stats::as.formula(paste(response, "~ x"))
    here <- tec_tree(formula, d, weights = w, weights_as = "frequency", prune = "none")
    there <- tec_tree(formula, con, table = "sums", weights = w,
      weights_as = "frequency", prune = "none",
      engine = tec_engine(collect_rows = 0, progress = FALSE))
    expect_near_tree(there, here, d)
  }
})

test_that("numbers with too many digits are an error that says how to round them", {
  con <- engine_connection("sqlite")
  put_table("sqlite", "wide", data.frame(x = 1:4, y = c(1e-150, 1, 2, 1e150)))
  put_table("sqlite", "large", data.frame(x = 1:4, y = c(1e300, 2e300, 1, 2)))
  count <- tec_engine(collect_rows = 0, progress = FALSE)
  expect_snapshot(show_errors({
    tec_tree(y ~ x, con, table = "wide", engine = count)
    tec_tree(y ~ x, con, table = "large", engine = count)
  }))
})

test_that("the decimal places of a column come from the counts of the database", {
  s <- list(n = 4, dialect = list(number = format))
  counts <- as.list(seq_along(decimal_scales))
  names(counts) <- paste0("s", seq_along(counts))
  counts$s2 <- 0
  local_binding("ask_totals", function(...) c(list(l = 1, u = 3, l0 = 1, m = 8, c = 4), counts))
  expect_identical(sql_unit_facts(s)$scales, decimal_scales[2L])
})
