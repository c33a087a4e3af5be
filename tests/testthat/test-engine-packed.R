# Rows that are read as codes: the same tree as from the rows themselves.

packed_text <- function(x) {
  packer <- tec_packer_(TRUE, length(x))
  tec_pack_(packer, list(x))
  tec_packed_(packer, list(character()))[[1L]]
}

packed_number <- function(x, like = numeric()) {
  packer <- tec_packer_(FALSE, length(x))
  for (part in split(x, seq_along(x) %/% 100)) tec_pack_(packer, list(part))
  tec_packed_(packer, list(like))[[1L]]
}

test_that("a packed vector behaves like any other", {
  x <- c(2.5, NA, -0, 0, 1e300, NaN, -Inf, rep(7, 300))
  p <- packed_number(x)
  expect_true(tec_is_packed_(p, bare = TRUE))
  expect_identical(length(p), length(x))
  expect_identical(p[3:5], c(0, 0, 1e300))
  expect_identical(is.na(p), is.na(x))
  expect_true(tec_is_packed_(p, bare = TRUE))
  expect_identical(sum(p == 7, na.rm = TRUE), 300L)
  q <- p
  q[1L] <- 9
  expect_identical(c(p[1L], q[1L]), c(2.5, 9))
  expect_identical(p + 0, replace(x, is.nan(x), NA) + 0)
  expect_identical(unserialize(serialize(p, NULL)), replace(x, is.nan(x), NA) + 0)
  day <- packed_number(c(3, NA, 4), as.Date(numeric()))
  expect_identical(day[3L], as.Date("1970-01-05"))
  expect_identical(packed_number(c(1, NA, 0), logical()), c(TRUE, NA, FALSE))
  txt <- packed_text(c("b", NA, "a", "b"))
  expect_identical(txt[c(1, 2, 4)], c("b", NA, "b"))
  expect_identical(different_texts(txt, 1:2), c("b", NA))
  expect_identical(levels_of_texts(txt, c("a", "b"))[1:4], c(2L, NA, 1L, 2L))
})

test_that("a code takes one byte, two, or there are none", {
  packer <- tec_packer_(c(FALSE, TRUE), 10)
  add <- function(x) tec_pack_(packer, list(x, as.character(x)))
  expect_identical(add(c(1:255, NA) + 0), c(1, 1))
  expect_identical(add(256), c(2, 2))
  expect_identical(add(257:65535 + 0), c(2, 2))
  expect_identical(add(65536), c(8, Inf))
  packer <- tec_packer_(FALSE, 0)
  tec_pack_(packer, list(0:70000 + 0))
  expect_identical(tec_packed_(packer, list(numeric()))[[1L]], 0:70000 + 0)
})

test_that("packed columns order rows like their values", {
  for (seed in case_seeds(3)) {
    set.seed(seed)
    d <- lapply(c(3, 70, 400, 2e9, 300, 5), function(k) {
      x <- sample(c(NA, round(stats::rnorm(k %% 1e4), 4)), 600, TRUE)
      if (k == 2e9) x else packed_number(x)
    })
    keys <- sort_keys(d, NULL)
    expect_lt(length(keys), 6L)
    some <- sort(sample(600, 400))
    expect_identical(do.call(order, keys), do.call(order, lapply(d, `[`, 1:600)))
    expect_identical(
      do.call(order, sort_keys(d, some)), do.call(order, lapply(d, `[`, some))
    )
  }
})

test_that("the core accepts codes in every search", {
  for (seed in case_seeds(4)) {
    set.seed(seed)
    n <- sample(c(60L, 700L), 1L)
    d <- data.frame(
      few = sample(c(1.5, 2, NA, 7), n, TRUE), many = round(stats::rnorm(n), 3),
      txt = sample(c(letters, NA), n, TRUE), more = paste0("t", sample(400L, n, TRUE))
    )
    d$y <- ifelse(d$many > 0 & !d$txt %in% letters[1:9], "u", sample(c("u", "v"), n, TRUE))
    d$z <- d$many^2 + stats::rnorm(n)
    p <- d
    for (j in c("few", "many", "z")) p[[j]] <- packed_number(d[[j]])
    for (j in c("txt", "more", "y")) p[[j]] <- packed_text(d[[j]])
    ways <- list(
      list(missing = "majority", min_split = 2), list(),
      list(missing = "surrogate"), list(preset = "c45", nominal = "multiway"),
      list(missing = "learned", subset = seq_len(n) %% 5 > 0)
    )
    for (response in c("y", "z")) {
      for (way in ways[seq_len(if (response == "y") 5L else 3L)]) {
        grow <- function(data) {
          set.seed(1)
          arguments <- list(stats::reformulate(names(d)[1:4], response), data)
          suppressWarnings(do.call(tec_tree, c(arguments, way)))
        }
        rows <- grow(d)
        fit <- grow(p)
        expect_identical(fit$tree, rows$tree, label = paste(seed, response, deparse(way)[1L]))
        expect_identical(predict(fit, p), predict(rows, d))
      }
    }
    for (j in names(p)[1:4]) expect_true(tec_is_packed_(p[[j]], bare = TRUE), label = j)
  }
})

for (name in c("sqlite", "duckdb", "postgres")) {
  test_that(paste("the same tree from rows that are read as codes:", name), {
    slow_out_of_turn(name, c("sqlite", "duckdb", "postgres"), 1)
    con <- engine_connection(name)
    d <- as_stored(name, fetch_data())
    put_table(name, "to_read", d)
    for (what in setdiff(names(fetch_calls), c("honest", "terms"))) {
      args <- fetch_calls[[what]]
      n <- length(columns_of_call(args[[1L]], names(d), tec_engine(), args[c("weights", "subset")]))
      set.seed(1)
      rows <- at_rest(do.call(tec_tree, c(args, list(data = d))))
      set.seed(1)
      fit <- NULL
      packed <- count_calls("read_packed", fit <- at_rest(do.call(
        tec_tree, c(args, list(data = con, table = "to_read", engine = for_codes(nrow(d), n)))
      )))
      expect_equal(packed, 1)
      expect_identical(fit$tree, rows$tree, label = paste(name, what))
      expect_identical(fit[["cptable"]], rows[["cptable"]])
      expect_identical(fit$columns$levels, rows$columns$levels)
      expect_identical(fit$response$levels, rows$response$levels)
      expect_identical(at_rest(predict(fit, d)), at_rest(predict(rows, d)))
      expect_true(all(fit$found %in% c("", "collected")))
    }
  })
}

test_that("a table that turns out too large is counted, and a message says so", {
  con <- engine_connection("sqlite")
  set.seed(1)
  d <- data.frame(x = (1:70000) / 7, z = sample(9L, 70000, TRUE), y = rep(c("a", "b"), 35000))
  DBI::dbWriteTable(con, "many_values", d, overwrite = TRUE)
  grow <- function(width, ...) {
    at_rest(tec_tree(y ~ ., con, table = "many_values", max_depth = 1, prune = "none",
      engine = tec_engine(memory = rows_need(70000, width), ...)))
  }
  expect_true("collected" %in% grow(c(8, 1, 1))$found)
  fit <- grow(c(7, 1, 1), exact = "bins", collect_rows = NULL)
  expect_false("rows" %in% tec_passes(fit)$what[nrow(tec_passes(fit))])
  expect_true("counts" %in% tec_passes(fit)$what)
})

test_that("forests and tuning accept codes", {
  con <- engine_connection("sqlite")
  d <- as_stored("sqlite", fetch_data())
  put_table("sqlite", "to_read", d)
  grow <- function(...) {
    set.seed(4)
    at_rest(tec_forest(y ~ num + txt + whole, ..., trees = 5, weights = w, progress = FALSE))
  }
  fit <- grow(data = con, table = "to_read", engine = for_codes(300, 5))
  expect_identical(fit$trees, grow(data = d)$trees)
  tuned <- function(...) {
    set.seed(4)
    at_rest(tec_tune(y ~ num + txt + whole, ..., q = c(1, 2), folds = 3))
  }
  run <- tuned(data = con, table = "to_read", engine = for_codes(300, 4))
  expect_identical(run$fit$tree, tuned(data = d)$fit$tree)
})

test_that("a message says that rows are read as codes", {
  con <- engine_connection("sqlite")
  put_table("sqlite", "to_read", as_stored("sqlite", fetch_data()))
  engine <- for_codes(300, 3)
  engine$progress <- TRUE
  expect_message(
    suppressWarnings(tec_tree(z ~ num + whole, con, table = "to_read", engine = engine)),
    "are read as codes: as numbers they would need about 52 kB, more than the"
  )
})

for (engine in c("sqlite", "duckdb", "postgres")) {
  test_that(paste("hostile tables that are read as codes have memory's tree:", engine), {
    if (engine != "sqlite") slow_test()
    for (seed in case_seeds(3)) {
      found <- compare_hostile(engine, seed, "codes")$result
      expect_true(found == "same" || startsWith(found, "tec_error_"),
        label = paste(engine, "seed", seed, found))
    }
  })
}
