# Text that no tec_json() wrote: changed at random, deep or long.

# A change of some bytes: one becomes another, some are dropped or repeated, or a value is replaced.
change_json <- function(json) {
  bytes <- utf8ToInt(json)
  for (i in seq_len(sample(3L, 1L))) {
    n <- length(bytes)
    at <- sample(n, 1L)
    to <- min(n, at + sample(20L, 1L))
    bytes <- switch(sample(5L, 1L),
      replace(bytes, at, sample(c(32:126, 0x4e2d), 1L)),
      bytes[-(at:to)],
      append(bytes, bytes[at:to], at),
      c(bytes[seq_len(at)], utf8ToInt(sample(json_pieces, 1L)), bytes[-seq_len(at)]),
      bytes[seq_len(at)]
    )
  }
  intToUtf8(bytes)
}

json_pieces <- c(
  "null", "[]", "{}", "\"\"", "-1", "0.5", "1e400", "true", "99999999999", ",", ":", "[", "}",
  "\\u0000", "\\ud800", "\"node\": 1,", "\"children\": [2, 2],", "\"version\": 1,"
)

# Replaces a value, at any depth, by one of another type or by another value of the file.
change_value <- function(x, others) {
  if (is.list(x) && length(x) > 0L && stats::runif(1L) < 0.9) {
    i <- sample(length(x), 1L)
    x[i] <- list(change_value(x[[i]], others))
    return(x)
  }
  sample(others, 1L)[[1L]]
}

json_files <- function() {
  set.seed(5)
  d <- data.frame(x = round(stats::rnorm(60), 1), f = gl(3, 20, labels = c("a", "b", "c")))
  d$y <- d$x + as.integer(d$f) + round(stats::rnorm(60), 1)
  d$k <- factor(d$y > 2)
  boosted <- tec_boost(k ~ x + f, d, trees = 3, seed = 1)
  list(
    tree = tec_tree(k ~ x + f, d, missing = "surrogate", prune = "none"),
    numbers = tec_tree(y ~ x + f, d, missing = "drop", nominal = "multiway", prune = "none"),
    forest = tec_forest(k ~ x + f, d, trees = 3, seed = 1), boosted = boosted,
    splines = tec_mars(y ~ x + f, d)
  )
}

# What comes back is a model that predicts, or an error of this package.
reads_or_refuses <- function(json, d) {
  read <- tryCatch(tec_from_json(json), error = identity, warning = identity)
  if (inherits(read, "condition")) {
    return(inherits(read, "tec_error"))
  }
  said <- tryCatch(predict(read, d), error = identity, warning = identity)
  # A warning is that the model has no level "c".
  predicts <- if (inherits(said, "condition")) {
    inherits(said, c("tec_error", "tec_warning"))
  } else {
    length(said) == nrow(d)
  }
  predicts && length(utils::capture.output(print(read))) > 0L
}

test_that("text changed at random is a model, or an error with a class", {
  skip_if_not_installed("jsonlite")
  d <- data.frame(x = c(-1, 0.2, NA), f = factor(c("a", "c", NA), c("a", "b", "c")))
  for (fit in json_files()) {
    json <- unclass(tec_json(fit))
    parts <- jsonlite::parse_json(json)
    others <- c(list(NULL, list(), -1, 0.5, 1e300, "a", TRUE, list(1), list(a = 1)), parts)
    for (i in case_seeds(fewer(20, 5))) {
      at_seed(i, {
        expect_true(reads_or_refuses(change_json(json), d))
        text <- jsonlite::toJSON(
          change_value(parts, others), auto_unbox = TRUE, null = "null", digits = NA
        )
        expect_true(reads_or_refuses(unclass(text), d))
      })
    }
  }
})

test_that("deep text and long text end at once", {
  skip_if_not_installed("jsonlite")
  start <- "{\"format\": \"tectree\", \"version\": 1, \"a\": "
  n <- fewer(1e6, 2e5)
  texts <- list(
    lists = paste0(start, strrep("[", n)),
    objects = paste0(start, strrep("{\"a\":", n)),
    strings = paste0(start, strrep("[\"\\\"]\", ", n)),
    late = paste0(start, "\"", strrep("\\\\", n / 2), "\", ", strrep("[", n)),
    others = paste0("[", strrep("1,", 4 * n), "1]"),
    spaces = paste0("[", strrep(" ", 8 * n), "]")
  )
  for (name in names(texts)) {
    time <- system.time(expect_error(tec_from_json(texts[[name]]), class = "tec_error_export"))
    # A second on a machine that does nothing else.
    expect_lt(time[["user.self"]], 3)
  }
  # Brackets in strings, and strings that end at a bracket.
  label <- paste0(strrep("[{", 60), "\\", "\"")
  d <- data.frame(y = 1:40, f = rep(c(label, "b"), 20))
  fit <- tec_tree(y ~ f, d, min_bucket = 1)
  expect_identical(predict(tec_from_json(tec_json(fit)), d), predict(fit, d))
})

test_that("the depth of text is that of its brackets outside strings, wherever it is cut", {
  depth <- function(text, cut) {
    bytes <- charToRaw(text)
    state <- list(depth = 0L, most = 0L, inside = 0L, slashes = 0L)
    state <- json_depth(bytes[seq_len(cut)], state)
    json_depth(bytes[-seq_len(cut)], state)$most
  }
  texts <- c(
    "[[1]]" = 2, "{\"[[[\": [\"\\\"[[\"]}" = 2, "[\"\\\\\", [[]]]" = 3, "[\"\\\\\\\"[[\"]" = 1
  )
  for (text in names(texts)) {
    for (cut in seq_len(nchar(text) - 1L)) expect_equal(depth(text, cut), texts[[text]])
  }
})

test_that("numbers that describe splines are checked", {
  skip_if_not_installed("jsonlite")
  json <- unclass(tec_json(tec_mars(mpg ~ hp, mtcars)))
  for (field in c("rows", "gcv", "rss", "r_squared", "gcv_r_squared", "mean")) {
    bad <- sub(paste0("\"", field, "\": [^,}]*"), paste0("\"", field, "\": \"a\""), json)
    expect_error(tec_from_json(bad), "number", class = "tec_error_export")
  }
  bad <- sub("\"counts\": \\[", "\"counts\": [null, ", json)
  expect_error(tec_from_json(bad), "spread\\[1\\]", class = "tec_error_export")
  infinite <- tec_from_json(sub("\"gcv\": [^,}]*", "\"gcv\": 1e999", json))
  expect_identical(infinite$gcv, Inf)
})
