# Text that the session cannot read, or reads only by its declared encoding.

latin1 <- function(x) {
  x <- iconv(x, "UTF-8", "latin1")
  Encoding(x) <- "unknown"
  x
}
marked <- function(x) {
  x <- latin1(x)
  Encoding(x) <- "latin1"
  x
}
bytes_of_utf8 <- function(x) {
  Encoding(x) <- "bytes"
  x
}
words <- c("caf\u00e9", "th\u00e9", "a")

test_that("text is read by its declared encoding, or is not text", {
  local_reproducible_output(unicode = TRUE)
  expect_identical(as_utf8(marked(words)), words)
  expect_identical(Encoding(as_utf8(marked(words))), c("UTF-8", "UTF-8", "unknown"))
  expect_identical(as_utf8(c(latin1(words), NA)), c(NA, NA, "a", NA))
  expect_identical(as_utf8(bytes_of_utf8(words)), c(NA, NA, "a"))
  expect_identical(spelled_out(latin1(words)), c("caf<e9>", "th<e9>", "a"))
})

models <- list(
  tec_tree = function(...) tec_tree(...), tec_scores = function(...) tec_scores(...),
  tec_boost = function(...) tec_boost(..., rounds = 3, folds = 0),
  adaboost = function(...) tec_boost(..., rounds = 3, method = "adaboost"),
  tec_forest = function(...) tec_forest(..., trees = 3),
  tec_rotation = function(...) tec_rotation(..., trees = 3),
  tec_mars = function(...) tec_mars(...), tec_tune = function(...) tec_tune(..., q = 1:2)
)

table_of <- function(words) {
  data.frame(x = rep(c(1, 2, 3), 100) + (1:300) / 1000, w = rep(words, 100), y = rep(words, 100))
}

test_that("bytes that are not text are refused with their column and row, by every model", {
  set.seed(1)
  bad <- table_of(words)
  bad$y[7] <- latin1("caf\u00e9")
  as_predictor <- table_of(c("a", "b", "c"))
  as_predictor$w[5] <- latin1("th\u00e9")
  as_factor <- transform(bad, y = factor(y))
  for (name in names(models)) {
    expect_error(models[[name]](y ~ x, bad), "Row 7", class = "tec_error_response", info = name)
    expect_error(models[[name]](y ~ x, as_factor), class = "tec_error_response", info = name)
    expect_error(
      models[[name]](y ~ w, as_predictor), "Row 5", class = "tec_error_column", info = name
    )
  }
  expect_snapshot(error = TRUE, {
    tec_tree(y ~ x, bad)
    tec_boost(y ~ x, as_factor)
    tec_forest(y ~ w, as_predictor)
  })
  fit <- tec_tree(y ~ w, table_of(words))
  new <- data.frame(w = c("a", latin1("caf\u00e9")))
  expect_snapshot(predict(fit, new), error = TRUE)
  expect_error(predict(fit, transform(new, w = factor(w))), class = "tec_error_newdata")
})

test_that("names that are not text are refused", {
  bad <- stats::setNames(data.frame(1:3, 1:3), c(latin1("th\u00e9"), "y"))
  expect_snapshot(error = TRUE, {
    tec_tree(y ~ ., bad)
    tec_tree(bad, 1:3)
  })
  formula <- stats::as.formula(call("~", quote(y), as.name(latin1("th\u00e9"))))
  expect_error(tec_tree(formula, bad), class = "tec_error_data")
})

test_that("text declared as Latin-1 equals the same text in UTF-8", {
  for (name in setdiff(names(models), c("tec_scores", "tec_tune"))) {
    grow <- function(data) {
      set.seed(1)
      models[[name]](y ~ x + w, data)
    }
    right <- grow(table_of(words))
    ours <- grow(table_of(marked(words)))
    expect_identical(ours$response$levels, right$response$levels, info = name)
    new <- table_of(words)
    expect_identical(predict(ours, new), predict(right, new), info = name)
    expect_identical(predict(right, transform(new, w = marked(w))), predict(right, new))
    factors <- transform(new, w = factor(marked(w), marked(rev(words[c(3, 1, 2)]))))
    expect_identical(predict(right, factors), predict(right, new))
  }
})

# In a session of its own, since R keeps text by the encoding of the session.
test_that("a session with ASCII only still reads UTF-8", {
  slow_test()
  skip_on_cran()
  skip_if_not_installed("withr")
  code <- '
    library(tectree)
    set.seed(1)
    words <- rawToChar(as.raw(c(0x63, 0x61, 0x66, 0xc3, 0xa9)))
    if (mark) Encoding(words) <- "UTF-8"
    data <- data.frame(x = (1:60) / 7, w = rep(c("a", words), 30), y = rep(c("a", words), 30))
    if (factors) data <- transform(data, w = factor(w), y = factor(y))
    fits <- list(
      tec_tree(y ~ w, data), tec_forest(y ~ w, data, trees = 3), tec_boost(y ~ w, data,
        rounds = 3, folds = 0
      ),
      tec_boost(y ~ w, data, rounds = 3, method = "adaboost"), tec_rotation(y ~ w, data, trees = 3),
      tec_mars(y ~ w, data)
    )
    right <- vapply(fits, function(fit) {
      mean(as.integer(predict(fit, data)) == rep(1:2, 30))
    }, 0)
    levels <- fits[[1]]$response$levels
    scores <- tec_scores(y ~ w, data)
    cat(right, "|", Encoding(levels), "|", nchar(levels, "bytes"), "|", nrow(scores))
  '
  for (mark in c(TRUE, FALSE)) {
    for (factors in c(TRUE, FALSE)) {
      said <- withr::with_envvar(
        c(LC_ALL = "C"),
        in_new_session(paste0("mark <- ", mark, "; factors <- ", factors, ";", code))
      )
      expect_identical(said, "1 1 1 1 1 1 | unknown UTF-8 | 1 5 | 1", info = paste(mark, factors))
    }
  }
})
