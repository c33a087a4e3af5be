kind_of <- function(x, ...) code_column(x, "x", NULL)[c("kind", "n_levels", "levels")]

test_that("each type of column is coded as documented", {
  expect_equal(kind_of(1:3)$kind, "numeric")
  expect_equal(kind_of(c(1.5, NA))$kind, "numeric")
  expect_equal(kind_of(Sys.Date())$kind, "numeric")
  expect_equal(kind_of(Sys.time())$kind, "numeric")
  expect_equal(kind_of(as.POSIXlt(Sys.time()))$kind, "numeric")
  expect_equal(kind_of(as.difftime(1, units = "days"))$kind, "numeric")
  nominal <- list(kind = "nominal", n_levels = 2L, levels = c("b", "a"))
  expect_equal(kind_of(factor("a", c("b", "a"))), nominal)
  expect_equal(kind_of(ordered("a", c("b", "a")))$kind, "ordered")
  expect_equal(kind_of(c("b", "a", NA, "B"))$levels, c("B", "a", "b"))
  expect_equal(kind_of(c(TRUE, NA))$levels, c("FALSE", "TRUE"))
  expect_equal(code_column(c(TRUE, NA, FALSE), "x", NULL)$value, c(2L, NA, 1L))
})

test_that("doubles and integers are not copied", {
  x <- c(1, 2, 3)
  i <- 1:3 + 0L
  expect_identical(code_column(x, "x", NULL)$value, x)
  skip_if_not(capabilities("profmem"))
  copies <- utils::capture.output({
    tracemem(x)
    code_column(x, "x", NULL)
    untracemem(x)
  })
  expect_false(any(grepl("->", copies)))
})

test_that("a level that is NA is a missing value", {
  x <- factor(c("a", NA, "b"), levels = c(NA, "a", "b"), exclude = NULL)
  coded <- code_column(x, "x", NULL)
  expect_equal(coded$levels, c("a", "b"))
  expect_equal(coded$value, c(1L, NA, 2L))
})

test_that("characters have the levels of the rows used", {
  expect_equal(code_column(c("a", "b", "c"), "x", c(1L, 3L))$levels, c("a", "c"))
})

test_that("64-bit integers are decoded from their bits", {
  # 5, -1, 2^32 + 7, NA as their two 32-bit halves.
  halves <- c(5L, 0L, -1L, -1L, 7L, 1L, 0L, NA)
  bits <- readBin(writeBin(halves, raw(), endian = "little"), "double", 4, endian = "little")
  x <- structure(bits, class = "integer64")
  expect_equal(code_column(x, "x", NULL)$value, c(5, -1, 2^32 + 7, NA))
})

#' @srrstats {G5.8b} Lists, matrices and complex numbers as columns.
test_that("columns that are not vectors are refused, all at once", {
  d <- toy()
  d$l <- as.list(1:12)
  d$m <- matrix(1:24, 12)
  d$z <- complex(real = 1:12)
  d$r <- as.raw(1:12)
  d$f <- data.frame(a = 1:12)
  expect_snapshot(show_errors({
    tec_tree(y ~ x + l, d)
    tec_tree(y ~ ., d)
  }))
  expect_error(tec_tree(y ~ ., d), class = "tec_error_column")
})

#' @srrstats {G2.11} Columns of an own class, as of the package units.
test_that("numbers of a class that forbids arithmetic, as units do, are read as numbers", {
  refuse <- function(...) stop("units differ")
  for (group in c("Ops", "Math", "Summary")) {
    registerS3method(group, "strict_units", refuse, envir = baseenv())
  }
  registerS3method("[", "strict_units", function(x, i) {
    structure(unclass(x)[i], class = "strict_units")
  }, envir = baseenv())
  strict <- function(x) structure(x, class = "strict_units")
  d <- transform(mtcars, wt = strict(wt), mpg = strict(mpg))
  expect_error(d$wt + 1, "units differ")
  small <- list(tec_forest = list(trees = 5), tec_rotation = list(trees = 3))
  for (name in c("tec_tree", "tec_forest", "tec_boost", "tec_rotation", "tec_mars")) {
    grow <- function(data) {
      withr::with_seed(1, do.call(name, c(list(mpg ~ wt + hp, quote(data)), small[[name]])))
    }
    expect_identical(predict(grow(d), d), predict(grow(mtcars), mtcars), info = name)
  }
  fit <- tec_tree(mpg ~ wt + hp, d)
  expect_equal(residuals(fit, d), residuals(tec_tree(mpg ~ wt + hp, mtcars), mtcars))
})

test_that("one-column matrices and unused levels are harmless", {
  d <- toy()
  d$x <- matrix(d$x)
  expect_equal(tec_tree(y ~ x, d, min_bucket = 1)$tree, toy_tree()$tree)
})

test_that("labelled columns of haven are read as their values", {
  labelled <- function(x) {
    structure(x, labels = c(no = 1, yes = 2), class = c("haven_labelled", "vctrs_vctr", typeof(x)))
  }
  d <- data.frame(y = rep(1:2, 20) + 0, x = rep(1:2, 20) + 0)
  l <- d
  l$y <- labelled(d$y)
  l$x <- labelled(d$x)
  fit <- suppressMessages(tec_tree(y ~ x, l))
  expect_equal(fit$tree, suppressMessages(tec_tree(y ~ x, d))$tree)
  expect_equal(predict(fit, l), d$y)
})

# A factor whose third value has a code of its own.
with_code <- function(x, code) {
  codes <- unclass(x)
  codes[3] <- code
  attributes(codes) <- attributes(x)
  codes
}

test_that("a factor with codes outside its levels is an error everywhere", {
  by_class <- tec_tree(Species ~ ., iris)
  by_species <- tec_tree(Sepal.Length ~ Species, iris)
  for (code in c(9L, 4L, 0L, -5L, .Machine$integer.max)) {
    d <- iris
    d$Species <- with_code(iris$Species, code)
    expect_error(tec_tree(Species ~ ., d), paste("row 3 .*", code), class = "tec_error_response")
    expect_error(tec_tree(d[1:4], d$Species), class = "tec_error_response")
    expect_error(tec_scores(Species ~ ., d), class = "tec_error_response")
    expect_error(tec_tune(Species ~ ., d, q = 1:2), class = "tec_error_response")
    expect_error(tec_tree(Sepal.Length ~ ., d), paste("row 3 .*", code), class = "tec_error_column")
    expect_error(tec_tree(d[3:5], d$Sepal.Length), class = "tec_error_column")
    expect_error(predict(by_species, d), paste("row 3 .*", code), class = "tec_error_newdata")
    expect_error(
      tec_prune(by_class, method = "rep", validation = d),
      class = "tec_error_validation"
    )
    expect_error(mutual_information(d$Species, iris$Species), class = "tec_error_entropy")
    # Where one of the levels is NA, too, and in another order of levels than in training.
    attr(d$Species, "levels") <- c("setosa", NA, "virginica")
    expect_error(tec_tree(Species ~ ., d), class = "tec_error_response")
    expect_error(tec_tree(Sepal.Length ~ ., d), class = "tec_error_column")
    expect_error(predict(by_species, d), class = "tec_error_newdata")
  }
  no_levels <- with_code(factor(c(NA, NA, NA)), 1L)
  d <- data.frame(y = 1:3)
  expect_snapshot(show_errors({
    tec_tree(iris[1:4], with_code(iris$Species, 9L))
    tec_tree(data.frame(`{x}` = no_levels, check.names = FALSE), d$y)
    predict(by_species, data.frame(Species = with_code(iris$Species, -5L)))
  }))
})

test_that("missing codes and levels without rows are valid", {
  expect_silent(
    check_factor(factor(c(NA, "a"), levels = c("a", "b")), "column", stop("not needed"))
  )
  expect_silent(check_factor(factor(character()), "column", stop("not needed")))
  expect_silent(check_factor(factor(NA), "column", stop("not needed")))
})

test_that("a text of rows without a response gives no warning", {
  d <- data.frame(y = c(1, 1, 2, 2, NA), g = c("a", "a", "b", "b", "c"))
  fit <- suppressMessages(tec_tree(y ~ g, d, min_split = 2))
  expect_no_warning(predict(fit, d))
  expect_warning(predict(fit, data.frame(g = "odd")))
})

test_that("64-bit integers whose lower half is 2^31 keep their value", {
  bytes <- as.raw(c(0, 0, 0, 0x80, 0, 0, 0, 0))
  wide <- structure(readBin(bytes, "double", 1L, endian = "little"), class = "integer64")
  expect_identical(decode_integer64(wide), 2^31)
})
