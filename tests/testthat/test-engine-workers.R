# The functions of a worker of a cluster, called in this process.

test_that("a worker describes, counts and forgets its part", {
  part <- data.frame(
    g = factor(c("a", "b", "a", "b")), x = c(1, 1, 2, 2), w = c(1, 2, 0, 3), k = 1:4,
    t = as.difftime(1:4, units = "mins"), y = factor(c("p", "q", "p", "p"))
  )
  version <- getNamespaceVersion("tectree")[["version"]]
  work <- function(f, ...) answer_call(version, f, list(...))$value
  table <- function() part
  withr::defer(forget_part())
  expect_identical(work("describe_part", table), list(rows = 4, types = c(
    g = "factor", x = "numeric", w = "numeric", k = "numeric", t = "difftime mins", y = "factor"
  )))
  expect_identical(work("send_part", table, c("x", "y")), part[c("x", "y")])
  expect_identical(work("part_levels", table, c("x", "g")), list(x = NULL, g = c("a", "b")))
  terms <- list(response = "y", predictors = c("g", "x"), weights = "w", task = "class")
  levels <- list(g = c("z", "b", "a"), y = c("q", "p"))
  expect_null(work("open_part", table, levels, terms, list(key = "k")))
  meta <- work("use_part", "meta")
  expect_identical(meta$response$levels, c("q", "p"))
  expect_identical(meta$columns[[1L]]$values, c("z", "b", "a"))
  expect_identical(c(meta$n, meta$weight), c(3, 6)) # the row of weight 0 is left out
  work("close_part")
  expect_null(cluster_state$counter)
  work("forget_part")
  expect_null(get_part(table))
})

test_that("a worker refuses a part that is not a data frame, and counts that are not whole", {
  withr::defer(forget_part())
  cluster <- function(...) expect_error(..., class = "tec_error_cluster")
  cluster(describe_part(function() 1), "must return a data frame")
  forget_part()
  cluster(describe_part("no_part_here"), "no data frame `no_part_here`")
  cluster(answer_call("0.0.1", "close_part", list()), "this session has version 0.0.1")
  part <- list(w = c(1, 2.5), n = c(-1, 2), k = c(-1, 2), m = c(NA, 1))
  expect_null(check_whole(part, NULL, "weights", 0))
  expect_null(check_whole(part, "k", "key", -2^53))
  for (name in c("w", "n", "m")) {
    expect_error(
      check_whole(part, name, "weights", 0), paste("Not every row of", name),
      class = "tec_error_weights"
    )
  }
  expect_error(check_whole(part, "m", "key", -2^53), "whole numbers\\.", class = "tec_error_key")
  answer <- list(turn = 2, failed = list(
    class = c("tec_error_weights", "tec_error"), message = c("Bad {weights}.", x = "Row 1.")
  ))
  expect_error(check_answer(answer, 2, "b"), "Worker b: Bad", class = "tec_error_weights")
  cluster(check_answer(answer, 1, "b"), "the answer to an earlier call")
})
