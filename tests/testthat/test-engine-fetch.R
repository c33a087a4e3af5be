# Rows that fit into memory are read: the same call on the same data gives the same tree.

for (name in c("sqlite", "duckdb", "postgres")) {
  test_that(paste("the same tree from rows that are read:", name), {
    slow_out_of_turn(name, c("sqlite", "duckdb", "postgres"), 1)
    con <- engine_connection(name)
    d <- as_stored(name, fetch_data())
    put_table(name, "to_read", d)
    for (what in setdiff(names(fetch_calls), "honest")) {
      args <- fetch_calls[[what]]
      set.seed(1)
      rows <- at_rest(do.call(tec_tree, c(args, list(data = d))))
      set.seed(1)
      fit <- at_rest(do.call(
        tec_tree, c(args, list(data = con, table = "to_read", engine = read_all()))
      ))
      expect_identical(fit$tree, rows$tree, label = paste(name, what))
      expect_identical(fit[["cptable"]], rows[["cptable"]])
      expect_identical(fit$columns$levels, rows$columns$levels)
      expect_identical(fit$response$levels, rows$response$levels)
      expect_identical(at_rest(predict(fit, d)), at_rest(predict(rows, d)))
      expect_identical(fit$n_missing_response, rows$n_missing_response)
      expect_true(all(fit$found %in% c("", "collected")))
    }
  })
}

test_that("forests and tuning also read rows", {
  con <- engine_connection("sqlite")
  d <- as_stored("sqlite", fetch_data())
  put_table("sqlite", "to_read", d)
  grow <- function(...) {
    set.seed(4)
    at_rest(tec_forest(y ~ num + txt + whole, ..., trees = 5, weights = w, progress = FALSE))
  }
  fit <- grow(data = con, table = "to_read", engine = read_all())
  expect_identical(fit$trees, grow(data = d)$trees)
  tuned <- function(...) {
    set.seed(4)
    at_rest(tec_tune(y ~ num + txt + whole, ..., q = c(1, 2), folds = 3))
  }
  run <- tuned(data = con, table = "to_read", engine = read_all())
  expect_identical(run$fit$tree, tuned(data = d)$fit$tree)
  expect_identical(tec_passes(run)$what[1L], "rows")
})

test_that("two queries read a table: how many rows, then all of them", {
  con <- engine_connection("sqlite")
  put_table("sqlite", "to_read", as_stored("sqlite", fetch_data()))
  asked <- function(...) {
    tec_passes(at_rest(tec_tree(y ~ num + txt, con, table = "to_read", engine = read_all(...))))
  }
  expect_identical(asked()$what, "rows")
  expect_identical(asked(collect_rows = Inf)$rows, 300)
  counted <- count_calls("run_query", at_rest(
    tec_tree(y ~ num + txt, con, table = "to_read", engine = read_all(collect_rows = Inf))
  ))
  expect_equal(counted, 2) # the names of columns, the rows
})

test_that("values of several types in a column of SQLite are read as numbers, or refused", {
  con <- engine_connection("sqlite")
  run_engine(con, "DROP TABLE IF EXISTS mixed")
  run_engine(con, "CREATE TABLE mixed (a, b, y)")
  d <- data.frame(a = rep(c(1, 2.5, 3, 9), 10), b = rep(1:8, 5), y = rep(c(1, 2, 5, 7), 10))
  for (i in seq_len(nrow(d))) {
    run_engine(con, sprintf("INSERT INTO mixed VALUES (%g, %g, %g)", d$a[i], d$b[i], d$y[i]))
  }
  fit <- tec_tree(y ~ a + b, con, table = "mixed", engine = read_all())
  expect_identical(fit$tree, tec_tree(y ~ a + b, d)$tree)
  run_engine(con, "INSERT INTO mixed VALUES ('text', 1, 1)")
  expect_error(
    tec_tree(y ~ a + b, con, table = "mixed", engine = read_all()), class = "tec_error_column"
  )
})

test_that("the rows of a cluster are read", {
  skip_on_cran()
  d <- fetch_data()
  d$txt <- factor(d$txt)
  cl <- give_parts(cluster_of_two(), list(d[1:120, ], d[121:300, ]))
  rows <- at_rest(tec_tree(y ~ . - w - z, d))
  fit <- at_rest(tec_tree(y ~ . - w - z, cl, table = "part", engine = read_all()))
  expect_identical(fit$tree, rows$tree)
  terms <- at_rest(tec_tree(
    y ~ log(whole) + txt, cl, table = "part", weights = w, subset = whole > 2, engine = read_all()
  ))
  expect_identical(
    terms$tree, at_rest(tec_tree(y ~ log(whole) + txt, d, weights = w, subset = whole > 2))$tree
  )
})

test_that("memory decides, and a message says how before the work", {
  con <- engine_connection("sqlite")
  put_table("sqlite", "to_read", as_stored("sqlite", fetch_data()))
  said <- function(...) {
    out <- character()
    fit <- withCallingHandlers(
      suppressWarnings(tec_tree(
        y ~ num + whole + txt, con, table = "to_read", missing = "majority", prune = "none",
        max_depth = 2, engine = tec_engine(...)
      )),
      message = function(m) {
        out <<- c(out, conditionMessage(m))
        tryInvokeRestart("muffleMessage")
      }
    )
    list(out = sub("[0-9.]+ s[.]", "0 s.", out), fit = fit)
  }
  few <- said(memory = 1000)
  many <- said(memory = 1e6)
  expect_snapshot(writeLines(few$out))
  expect_snapshot(writeLines(many$out))
  expect_match(said(memory = 1000, strategy = "group")$out[1L], "are counted where they are")
  expect_identical(few$fit$tree, many$fit$tree)
  expect_true("values" %in% few$fit$found)
  expect_true("collected" %in% many$fit$found)
  expect_identical(choose_way(list(con = structure(list(), class = "cluster"), rows = 10),
    c("a", "b"), tec_engine(memory = 1580))$read, TRUE)
  expect_identical(choose_way(list(con = structure(list(), class = "cluster"), rows = 11),
    c("a", "b"), tec_engine(memory = 1580))$read, FALSE)
  expect_gt(memory_for_rows(0.25), 0)
  expect_snapshot(said(collect_rows = 10)$out[1L])
  expect_snapshot(said(collect_rows = Inf)$out[1L])
  expect_length(said(collect_rows = Inf, progress = FALSE)$out, 1L) # responses that are missing
})

test_that("what needs rows is refused before any query that scans", {
  con <- engine_connection("sqlite")
  put_table("sqlite", "to_read", as_stored("sqlite", fetch_data()))
  asked <- character()
  refused <- function(formula = y ~ num + txt, ...) {
    asked <<- character()
    local_binding("run_query", function(con, sql) {
      asked <<- c(asked, sql)
      DBI::dbGetQuery(con, sql)
    })
    tec_tree(formula, con, table = "to_read", ..., engine = read_all(collect_rows = 0))
  }
  calls <- list(
    list(missing = "fractional"), list(missing = "surrogate"), list(preset = "cart"),
    list(lookahead = 5), list(preset = "chaid"), list(max_p = 0.05), list(honest = TRUE),
    list(alpha = "1se"), list(z ~ num, criterion = "l1"), list(z ~ num, intervals = 3),
    list(z ~ num, splitter = "random"), list(z ~ num, missing = "mode"),
    list(y ~ log(whole)), list(q = c(1, 2)), list(criterion = "l2")
  )
  for (args in calls) {
    error <- tryCatch(do.call(refused, args), error = identity)
    expect_s3_class(error, "tec_error")
    scans <- !grepl("1 = 0|LIMIT 1$", asked)
    expect_identical(asked[scans], character(), label = deparse(args)[1L])
  }
})

test_that("with missing values a table has a default policy, and the fit names it", {
  con <- engine_connection("sqlite")
  d <- as_stored("sqlite", fetch_data())
  put_table("sqlite", "to_read", d)
  fit <- at_rest(
    tec_tree(y ~ num + txt, con, table = "to_read", engine = read_all(collect_rows = 0))
  )
  rows <- at_rest(tec_tree(y ~ num + txt, d, missing = "learned", prune = "none"))
  expect_identical(fit$tree, rows$tree)
  expect_match(format(fit), "missing = \"learned\"", fixed = TRUE, all = FALSE)
  expect_message(
    tec_tree(y ~ num + txt, con, table = "to_read", engine = read_all(collect_rows = 0)), "learned"
  )
})

test_that("the steps of a long preparation are reported before they are done", {
  con <- connect_sqlite()
  DBI::dbWriteTable(con, "long", data.frame(a = 1:50 / 7, b = rep(1:2, 25), y = rep(1:5, 10)))
  grow <- function(...) {
    out <- character()
    withCallingHandlers(
      tec_tree(y ~ a + b, con, table = "long", prune = "none", max_depth = 1,
        engine = tec_engine(collect_rows = 0, max_values = 20, ...)),
      message = function(m) {
        out <<- c(out, sub("(, [0-9.]+ s|[.]).*", "", trimws(conditionMessage(m))))
        invokeRestart("muffleMessage")
      }
    )
    grep("^Prep|^Level|^Rows", out, value = TRUE)
  }
  # As if each took long.
  said <- say_step
  local_binding("say_step", function(s, text, envir = parent.frame()) {
    s$told <- -Inf
    said(s, text, envir)
  })
  expect_snapshot(writeLines(grow(strategy = "group")))
  expect_identical(grow(progress = FALSE), character())
  local_binding("say_step", function(s, text, envir = parent.frame()) {
    s$told <- Inf
    said(s, text, envir)
  })
  expect_length(grow(), 4L)
})
