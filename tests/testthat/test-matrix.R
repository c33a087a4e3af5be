sparse_rows <- function(n = 200) {
  withr::with_seed(3, {
    x <- matrix(rpois(n * 90, 0.15), n, dimnames = list(NULL, paste0("w", 1:90)))
    x[, 3] <- round(rnorm(n), 1)
    x[5, 7] <- NA
    y <- factor(x[, 1] + x[, 2] + rpois(n, 0.3) > 0)
    list(x = x, y = y, number = x[, 3] + x[, 1] + rnorm(n) / 9)
  })
}

test_that("a sparse matrix gives the same tree and predictions as the dense matrix", {
  skip_if_not_installed("Matrix")
  d <- sparse_rows()
  columns <- Matrix::Matrix(d$x, sparse = TRUE)
  kinds <- list(
    columns, methods::as(columns, "RsparseMatrix"), methods::as(columns, "TsparseMatrix"),
    Matrix::Matrix(d$x, sparse = FALSE)
  )
  dense <- tec_tree(x = d$x, y = d$y)
  number <- tec_tree(x = d$x, y = d$number, criterion = "l2")
  prob <- predict(dense, d$x, type = "prob")
  for (x in kinds) {
    fit <- tec_tree(x = x, y = d$y)
    expect_identical(fit$tree, dense$tree)
    expect_identical(fit$columns, dense$columns)
    expect_identical(predict(dense, x, type = "prob"), prob)
    expect_identical(predict(fit, as.data.frame(d$x), type = "prob"), prob)
    expect_identical(tec_tree(x = x, y = d$number)$tree, number$tree)
    expect_identical(residuals(fit), residuals(dense))
  }
  fit <- tec_tree(x = columns, y = d$y)
  tune <- function(x) withr::with_seed(1, tec_tune(x = x, y = d$y, q = 1:2, folds = 3))
  expect_identical(tune(columns)$values, tune(d$x)$values)
  expect_identical(tec_scores(x = columns, y = d$y), tec_scores(x = d$x, y = d$y))
  expect_identical(predict(fit, columns[1, , drop = FALSE]), predict(dense, d$x[1, , drop = FALSE]))
  dimnames(columns) <- list(NULL, NULL)
  expect_identical(tec_tree(x = columns, y = d$y)$columns$name, paste0("V", 1:90))
})

test_that("patterns are TRUE and FALSE, symmetric and diagonal matrices whole", {
  skip_if_not_installed("Matrix")
  d <- sparse_rows()
  there <- d$x[, 10:20] > 0
  pattern <- methods::as(Matrix::Matrix(there, sparse = TRUE), "nMatrix")
  expect_identical(tec_tree(x = pattern, y = d$y)$tree, tec_tree(x = there, y = d$y)$tree)
  square <- Matrix::Diagonal(20, x = 1:20)
  colnames(square) <- letters[1:20]
  expect_identical(as_columns(square), as.data.frame(as.matrix(square)))
  symmetric <- Matrix::crossprod(Matrix::Matrix(d$x[, 20:30], sparse = TRUE))
  expect_identical(as_columns(symmetric), as.data.frame(as.matrix(symmetric), row.names = 1:11))
})

test_that("a matrix without columns is a table without columns", {
  expect_identical(dim(as_columns(matrix(0, 0, 0))), c(0L, 0L))
  fit <- tec_tree(Species ~ ., iris)
  expect_error(predict(fit, matrix(0, 0, 0)), class = "tec_error_newdata")
  expect_error(tec_picture(fit, "roc", data = matrix(0, 0, 0)), class = "tec_error_newdata")
})
