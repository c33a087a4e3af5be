test_that("a tree goes on from its checkpoint on another connection", {
  skip_if_not_installed("RSQLite")
  file <- withr::local_tempfile(fileext = ".rds")
  source <- withr::local_tempfile(fileext = ".sqlite")
  connect <- function() DBI::dbConnect(RSQLite::SQLite(), source)
  con <- connect()
  DBI::dbWriteTable(con, "iris", iris)
  engine <- tec_engine(collect_rows = 0, checkpoint = file, progress = FALSE)
  grow <- function() tec_tree(Species ~ ., con, table = "iris", prune = "none", engine = engine)
  whole <- grow()
  # As if it had stopped after each level.
  saved <- readRDS(file)
  expect_length(saved$answers, tree_depth(whole) - 1L)
  DBI::dbDisconnect(con)
  con <- connect()
  withr::defer(DBI::dbDisconnect(con))
  for (levels in seq(0, length(saved$answers))) {
    part <- saved
    part$answers <- saved$answers[seq_len(levels)]
    saveRDS(part, file)
    again <- tec_resume(file, con, table = "iris")
    expect_identical(again$tree, whole$tree)
    expect_identical(again$found, whole$found)
    expect_identical(
      sum(tec_passes(again)$what == "counts"), length(saved$answers) - as.integer(levels)
    )
  }
  DBI::dbExecute(con, "DELETE FROM iris WHERE rowid = 5")
  expect_error(tec_resume(file, con, table = "iris"), class = "tec_error_counts")
})

test_that("files that are no checkpoint are errors", {
  file <- withr::local_tempfile(fileext = ".rds")
  expect_error(tec_resume(file, 1), class = "tec_error_checkpoint")
  saveRDS(iris, file)
  expect_error(tec_resume(file, 1), class = "tec_error_checkpoint")
  writeLines("x", file)
  expect_error(tec_resume(file, 1), class = "tec_error_checkpoint")
})
