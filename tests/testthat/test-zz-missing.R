test_that("every exported function without its arguments is an error of the package, or works", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  others <- c("augment", "glance", "tidy") # of the package generics
  names <- setdiff(getNamespaceExports("tectree"), others)
  funs <- Filter(is.function, mget(names, asNamespace("tectree")))
  for (name in names(funs)) {
    said <- tryCatch(
      suppressMessages(suppressWarnings(utils::capture.output(funs[[name]]()))),
      error = identity
    )
    if (inherits(said, "error")) expect_s3_class(said, "tec_error")
  }
})

test_that("the argument that is missing is named", {
  p <- c(0.5, 0.5)
  fit <- tec_tree(Species ~ ., iris)
  calls <- list(
    cross_entropy = quote(cross_entropy(p)), kl_divergence = quote(kl_divergence(p)),
    verify_export = quote(verify_export(fit)), tec_picture = quote(tec_picture(fit)),
    tec_dependence = quote(tec_dependence(fit)), tec_resume = quote(tec_resume()),
    tec_more = quote(tec_more(fit)), tec_partition_sum = quote(tec_partition_sum(p)),
    compare_methods = quote(compare_methods(Species ~ .)),
    shannon_entropy = quote(shannon_entropy()),
    tec_parsnip_tree = quote(tec_parsnip_tree(Species ~ .)),
    tec_parsnip_boost = quote(tec_parsnip_boost(data = iris))
  )
  lacks <- c(
    "r", "r", "newdata", "type", "predictor", "file", "trees", "y", "data", "p", "data", "formula"
  )
  for (i in seq_along(calls)) {
    said <- paste0("`", names(calls)[i], "\\(\\)` needs `", lacks[i], "`")
    expect_error(eval(calls[[i]]), said, class = "tec_error_argument")
  }
})

test_that("arguments and help agree, and what may be left out still may", {
  expect_identical(names(formals(tec_json)), c("fit", "file"))
  expect_identical(needed_arguments(function(x, y = 1, z, ...) if (missing(z)) x), "x")
  expect_identical(needed_arguments(function(x, data, ...) UseMethod("f")), "x")
  plain <- function(x, y) c(x, y)
  checked <- with_missing_checks(plain, "plain")
  expect_identical(checked(1, 2), c(1, 2))
  expect_error(checked(1), "`plain\\(\\)` needs `y`", class = "tec_error_argument")
  wrapper <- function(x, y) checked(x, y)
  expect_error(wrapper(1), "`y`", class = "tec_error_argument")
})
