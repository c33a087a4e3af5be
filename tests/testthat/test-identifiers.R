ids <- function(n, n_levels = n) {
  set.seed(3)
  data.frame(
    id = sprintf("row %05d", rep_len(seq_len(n_levels), n)), x = stats::rnorm(n),
    y = sample(c("a", "b"), n, TRUE), stringsAsFactors = FALSE
  )
}

test_that("a nominal column with nearly as many levels as rows is named", {
  warned <- function(code) expect_warning(code, class = "tec_warning_identifier")
  warned(tec_tree(y ~ ., ids(200)))
  warned(tec_tree(y ~ ., transform(ids(200), id = factor(id))))
  warned(tec_tree(y ~ ., ids(50, 30)))
  warned(tec_tree(x = ids(20)[1:2], y = ids(20)$y))
  warned(tec_scores(y ~ ., ids(20)))
  # Only the rows used and those with a value count.
  some <- ids(300)
  warned(tec_tree(y ~ ., some, subset = 1:20))
  some$id[1:150] <- NA
  warned(tec_tree(y ~ ., some))
  expect_snapshot({
    fit <- tec_tree(y ~ ., ids(2000))
    fit <- tec_tree(y ~ ., transform(ids(30), name = rev(id)))
    fit <- tec_tree(y ~ ., cbind(ids(20)["y"], "{a b}" = ids(20)$id))
  })
})

test_that("ordinary columns give no such warning", {
  quiet <- function(code) expect_no_warning(code, class = "tec_warning_identifier")
  quiet(tec_tree(y ~ ., ids(50, 29)))
  quiet(tec_tree(y ~ ., ids(9)))
  quiet(tec_tree(y ~ . - id, ids(200)))
  quiet(tec_tree(PlayTennis ~ ., play_tennis, preset = "id3"))
  quiet(tec_tree(fruit ~ ., fruit))
  # Numbers and ordered levels are cut, not learnt one by one; an unused level is none.
  quiet(tec_tree(y ~ ., transform(ids(100), id = ordered(id))))
  quiet(tec_tree(y ~ ., transform(ids(40), id = seq_along(id))))
  quiet(tec_tree(y ~ ., transform(ids(20, 4), id = factor(id, sprintf("row %05d", 1:50)))))
})

test_that("numbers as text are named, codes in a factor are not", {
  d <- iris
  d$Petal.Length <- as.character(d$Petal.Length)
  dirty <- d
  dirty$Petal.Length[3] <- "?"
  expect_snapshot({
    fit <- tec_tree(Species ~ ., d)
    fit <- tec_tree(Species ~ ., dirty)
    fit <- tec_tree(Species ~ ., as.matrix(iris))
  })
  quiet <- function(code) expect_no_warning(code, class = "tec_warning_text")
  quiet(tec_tree(Species ~ ., transform(d, Petal.Length = factor(Petal.Length))))
  quiet(tec_tree(Species ~ ., transform(d, Petal.Length = round(as.numeric(Petal.Length)))))
  quiet(tec_tree(y ~ ., data.frame(y = 1:90, x = as.character(rep(1:9, 10)))))
  # Many numbers as text are not taken for names of the rows.
  many <- data.frame(y = c(1.5, 2), x = as.character(1:40 / 8))
  expect_warning(
    expect_no_warning(tec_tree(y ~ x, many), class = "tec_warning_identifier"),
    class = "tec_warning_text"
  )
})

test_that("a tuning run says it once", {
  n <- 0
  withCallingHandlers(
    tec_tune(y ~ ., ids(60), q = 1:2, folds = 3),
    tec_warning_identifier = function(w) {
      n <<- n + 1
      tryInvokeRestart("muffleWarning")
    }
  )
  expect_identical(n, 1)
})
