test_that("a tree resumes from its checkpoint on another connection", {
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

test_that("files that are not checkpoints are errors", {
  file <- withr::local_tempfile(fileext = ".rds")
  expect_error(tec_resume(file, 1), class = "tec_error_checkpoint")
  saveRDS(iris, file)
  expect_error(tec_resume(file, 1), class = "tec_error_checkpoint")
  writeLines("x", file)
  expect_error(tec_resume(file, 1), class = "tec_error_checkpoint")
})

# Grows from a table of SQLite with checkpoints in `file`; `each(level)` is called at each level.
grow_saved <- function(con, file, each = function(level) NULL) {
  withCallingHandlers(
    tec_tree(
      Species ~ ., con, table = "iris", prune = "none",
      engine = tec_engine(collect_rows = 0, checkpoint = file, progress = TRUE)
    ),
    message = function(m) {
      level <- sub("^Level ([0-9]+):.*", "\\1", trimws(conditionMessage(m)))
      if (grepl("^[0-9]+$", level)) each(as.integer(level))
      invokeRestart("muffleMessage")
    }
  )
}

resume_quietly <- function(file, con) {
  suppressWarnings(suppressMessages(tec_resume(file, con, table = "iris")))
}

test_that("there is a checkpoint before the first level", {
  con <- connect_sqlite()
  DBI::dbWriteTable(con, "iris", iris)
  file <- withr::local_tempfile(fileext = ".rds")
  expect_error(grow_saved(con, file, function(level) if (level == 1) stop("here")), "here")
  expect_length(readRDS(file)$answers, 0L)
  expect_identical(resume_quietly(file, con)$tree, grow_saved(con, NULL)$tree)
})

test_that("if no checkpoint can be saved, a fit stops before it counts", {
  con <- connect_sqlite()
  DBI::dbWriteTable(con, "iris", iris)
  local_binding("counter_of", function(...) stop("counted"))
  folder <- withr::local_tempdir()
  plain <- file.path(folder, "plain")
  writeLines("x", plain)
  files <- c(
    file.path(folder, "none", "a.rds"), # no such folder
    file.path(plain, "a.rds"), # a file in the place of the folder
    folder # a folder in the place of the file
  )
  # Where even the superuser may not write.
  if (dir.exists("/proc/1")) files <- c(files, "/proc/a.rds")
  for (file in files) {
    expect_error(grow_saved(con, file), class = "tec_error_checkpoint", info = file)
  }
  expect_identical(list.files(folder, all.files = TRUE, no.. = TRUE), "plain")
  expect_identical(readLines(plain), "x")
  closed <- file.path(folder, "closed")
  dir.create(closed, mode = "0555")
  skip_if(file.access(closed, 2) == 0, "all folders can be written to")
  expect_error(grow_saved(con, file.path(closed, "a.rds")), class = "tec_error_checkpoint")
})

test_that("a full disk ends the checkpoints, but not the fit, and the last one stays", {
  con <- connect_sqlite()
  DBI::dbWriteTable(con, "iris", iris)
  whole <- grow_saved(con, NULL)
  file <- withr::local_tempfile(fileext = ".rds")
  warned <- 0
  counting <- function(expr) {
    warned <<- 0
    withCallingHandlers(expr, tec_warning_checkpoint = function(w) {
      warned <<- warned + 1
      invokeRestart("muffleWarning")
    })
  }
  save <- save_whole
  calls <- 0
  # The one that tries the folder, one before the first level and one after it.
  local_binding("save_whole", function(state, file) {
    calls <<- calls + 1
    if (calls <= 3) save(state, file) else "No space left on device"
  })
  expect_identical(counting(grow_saved(con, file))$tree, whole$tree)
  expect_identical(c(warned, calls), c(1, 4))
  expect_length(readRDS(file)$answers, 1L)
  expect_identical(resume_quietly(file, con)$tree, whole$tree)
  # A device that is always full, in the place of the file that is written.
  skip_if_not(file.exists("/dev/full"), "there is no full device")
  local_binding("save_whole", save)
  before <- readRDS(file)
  fit <- counting(grow_saved(con, file, function(level) {
    if (level == 1) file.symlink("/dev/full", paste0(file, ".part"))
  }))
  expect_identical(fit$tree, whole$tree)
  expect_identical(warned, 1)
  expect_length(readRDS(file)$answers, 0L)
  expect_identical(list.files(dirname(file), basename(file)), basename(file))
})
