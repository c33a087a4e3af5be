# What the page's own predictor says of rows, typed in as text, beside predict() and explain().

page_answers <- function(page, texts) {
  script <- paste0("JSON.stringify(", json_text(I(texts)), ".map((text) => {
    const row = readRow(text).row, out = predictRow(row);
    const changes = nearestChanges(row, out.value).slice(0, 5).map(
      (c) => ({ node: c.node + 1, n: c.moves.length, size: c.distance, text: changeText(c, row) }));
    return { node: out.node + 1, shares: out.shares || [], value: out.value, changes };
  }))")
  jsonlite::fromJSON(page$run(script), simplifyVector = FALSE)
}

row_texts <- function(fit, rows) {
  vapply(seq_len(nrow(rows)), function(i) {
    row_lines(fit, suppressWarnings(code_rows(fit, rows[i, , drop = FALSE], globalenv())))
  }, "")
}

# Values missing, infinite, between those of training, and levels never seen.
spoiled <- function(d) {
  d[] <- lapply(d, function(x) {
    n <- length(x)
    if (is.factor(x)) {
      x <- replace(as.character(x), stats::runif(n) < 0.1, "never seen")
    } else if (is.numeric(x) && !inherits(x, "Date")) {
      x <- as.numeric(x) + stats::rnorm(n) * (stats::runif(n) < 0.4)
      x[stats::runif(n) < 0.03] <- sample(c(-Inf, Inf), 1)
    }
    replace(x, stats::runif(n) < 0.15, NA)
  })
  d
}

expect_same_answers <- function(fit, rows, page) {
  got <- page_answers(page, row_texts(fit, rows))
  suppressWarnings({
    node <- predict(fit, rows, type = "node")
    value <- predict(fit, rows)
    shares <- if (is.factor(value)) predict(fit, rows, type = "prob")
  })
  pick <- function(what) vapply(got, function(g) as.numeric(g[[what]]), 0)
  expect_identical(as.integer(pick("node")), node)
  if (is.null(shares)) {
    expect_equal(pick("value"), value, tolerance = 1e-12)
  } else {
    expect_identical(as.integer(pick("value")) + 1L, as.integer(value))
    theirs <- vapply(got, function(g) as.numeric(unlist(g$shares)), numeric(ncol(shares)))
    expect_equal(t(theirs), unname(shares), tolerance = 1e-12)
  }
  got
}

expect_same_changes <- function(fit, row, got) {
  ours <- utils::head(suppressWarnings(explain(fit, row))$changes, 5L)
  take <- function(what, type) vapply(got$changes, `[[`, type, what)
  expect_identical(as.integer(take("node", 0L)), ours$node)
  expect_identical(as.integer(take("n", 0L)), ours$n_changes)
  expect_equal(vapply(got$changes, function(g) as.numeric(g$size), 0), ours$distance)
  expect_identical(take("text", ""), ours$change)
}

test_that("the page predicts random rows as predict() does, and changes them as explain()", {
  slow_test()
  skip_without_browser()
  missing <- character()
  for (seed in c(1:5, 8:12)) {
    case <- random_road_case(seed)
    case$missing <- policies_of_missing[seed %% 6 + 1]
    missing <- union(missing, case$missing)
    fit <- grow_case(case)
    set.seed(seed)
    rows <- spoiled(case$data[sample(nrow(case$data), 25, TRUE), ])
    page <- open_page(tec_view(fit))
    got <- expect_same_answers(fit, rows, page)
    for (i in 1:4) expect_same_changes(fit, rows[i, ], got[[i]])
    expect_identical(page$errors(), character(), label = paste("errors of seed", seed))
  }
  expect_setequal(missing, policies_of_missing)
})

test_that("costs, priors, weights and several intervals are followed", {
  slow_test()
  skip_without_browser()
  set.seed(1)
  rows <- spoiled(iris[sample(150, 40), 1:4])
  cost <- matrix(c(0, 1, 9, 1, 0, 9, 1, 1, 0), 3, dimnames = list(levels(iris$Species), NULL))
  colnames(cost) <- rownames(cost)
  fits <- list(
    full_tree(Species ~ ., iris, cost = cost), full_tree(Species ~ ., iris, intervals = 3),
    full_tree(Species ~ ., iris, prior = c(0.1, 0.6, 0.3), weights = seq(0.1, 3, length.out = 150)),
    full_tree(Sepal.Length ~ ., iris[1:4], criterion = "l1")
  )
  for (fit in fits) {
    page <- open_page(tec_view(fit))
    expect_same_answers(fit, rows, page)
  }
  # With data a change is measured by standard deviations.
  page <- open_page(tec_view(fits[[2]], data = iris))
  change <- page_answers(page, row_texts(fits[[2]], iris[71, ]))[[1]]$changes[[1]]
  ours <- explain(fits[[2]], iris[71, ], data = iris)$changes
  expect_equal(change$size, ours$distance[1])
})

test_that("trees of one node, of great depth, of many branches and from elsewhere are followed", {
  slow_test()
  skip_without_browser()
  page <- open_page(tec_view(full_tree(y ~ x, data.frame(x = 1, y = rep(3:4, 5)))))
  expect_equal(page$run("predictRow(readRow('x = 1').row).value"), 3.5)
  expect_identical(page$errors(), character())
  deep <- chain_tree(3000)
  rows <- data.frame(x = c(0.5, 1500, 1500.5, 3001, NA))
  expect_same_answers(deep, rows, open_page(tec_view(deep)))
  set.seed(4)
  d <- data.frame(a = factor(sample(c(letters, NA), 300, TRUE)), x = stats::rnorm(300))
  d$y <- factor(ifelse(d$a %in% letters[1:9], "low", ifelse(d$x > 0, "high", "odd")))
  wide <- full_tree(y ~ ., d, preset = "c45")
  expect_same_answers(wide, spoiled(d[1:60, 1:2]), open_page(tec_view(wide)))
  skip_if_not_installed("rpart")
  # rpart tries all groupings where there are three classes.
  d$a[d$a %in% letters[13:26]] <- NA
  theirs <- as_tec_tree(rpart::rpart(y ~ ., droplevels(d), cp = 0, minsplit = 5))
  expect_same_answers(theirs, spoiled(d[1:60, 1:2]), open_page(tec_view(theirs)))
})

test_that("trees of CHAID are followed, and their branches of missing values alone", {
  slow_test()
  skip_without_browser()
  d <- lonely_data()
  fit <- tec_tree(y ~ ., d, preset = "chaid")
  set.seed(3)
  rows <- spoiled(d[sample(nrow(d), 60), c("a", "o", "x", "u")])
  page <- open_page(tec_view(fit))
  got <- expect_same_answers(fit, rows, page)
  for (i in 1:3) expect_same_changes(fit, rows[i, ], got[[i]])
  expect_identical(page$errors(), character())
})

test_that("a term that R computes is asked for as it is, and R computes it of newrow", {
  slow_test()
  skip_without_browser()
  fit <- full_tree(mpg ~ log(wt) + hp, mtcars)
  page <- open_page(tec_view(fit, newrow = mtcars[3, ]))
  help <- page$run("$('row-help').textContent")
  expect_match(help, "does not compute log[(]wt[)]: give the result")
  expect_equal(page$run("readRow($('row').value).row[0]"), log(mtcars$wt[3]))
  got <- page_answers(page, page$run("$('row').value"))[[1]]
  expect_equal(got$value, predict(fit, mtcars[3, ]))
})

test_that("dates, times of a zone, differences, and logical values are read", {
  slow_test()
  skip_without_browser()
  set.seed(2)
  n <- 300
  # Over both changes of the clock.
  at <- as.POSIXct("2024-03-30", tz = "Europe/Berlin") + sort(stats::runif(n, 0, 220 * 86400))
  d <- data.frame(
    day = as.Date("2023-12-30") + sample(90, n, TRUE), at = at,
    took = as.difftime(stats::runif(n, 0, 5), units = "hours"), on = sample(c(TRUE, FALSE), n, TRUE)
  )
  d$y <- as.numeric(d$day > as.Date("2024-02-01")) + 2 * (d$at > d$at[150]) + d$on +
    as.numeric(d$took > 2) + stats::rnorm(n) / 10
  fit <- full_tree(y ~ ., d, min_bucket = 1)
  page <- open_page(tec_view(fit))
  d$took[1:5] <- NA
  got <- expect_same_answers(fit, d[seq(1, n, 3), ], page)
  expect_same_changes(fit, d[1, ], got[[1]])
  # An hour that the clock shows twice, once with and once without summer time.
  twice <- d[c(1, 1), ]
  twice$at[] <- as.POSIXct(c("2024-10-27 00:30:00", "2024-10-27 01:30:00"), tz = "UTC")
  texts <- row_texts(fit, twice)
  read <- vapply(texts, function(text) page$run(paste0("readRow(", json_text(text), ").row[1]")), 0)
  expect_equal(unname(read), as.numeric(twice$at))
  # As people write them.
  text <- "day = 2024-01-09, at = 2024-07-01T10:30:00Z, took = 1,on=t"
  row <- data.frame(
    day = as.Date("2024-01-09"), at = as.POSIXct("2024-07-01 12:30:00", tz = "Europe/Berlin"),
    took = as.difftime(1, units = "hours"), on = TRUE
  )
  expect_equal(page_answers(page, text)[[1]]$node, predict(fit, row, type = "node"))
  said <- page$run("readRow('day = 2024-02-31, at = noon').notes.join('|')")
  expect_match(said, "2024-02-31\u201d is no date for day")
  expect_match(said, "noon\u201d is no time for at")
  expect_match(said, "Not given, so missing: took, on")
})

test_that("a row is read as CSV with and without names, and complaints are plain", {
  slow_test()
  skip_without_browser()
  fit <- full_tree(Species ~ ., iris)
  page <- open_page(tec_view(fit))
  read <- function(text) unlist(page$run(paste0("readRow(", json_text(text), ").row")))
  notes <- function(text) {
    paste(unlist(page$run(paste0("readRow(", json_text(text), ").notes"))), collapse = " ")
  }
  row <- c(5.9, 4.8, 1.8)
  expect_equal(read("Sepal.Length = 5.9\nPetal.Length=4.8\nPetal.Width = 1.8"), row)
  expect_equal(read("Sepal.Length,Petal.Length,Petal.Width,Species\n5.9,4.8,1.8,virginica"), row)
  expect_equal(read("\"Sepal.Length\"\tPetal.Length\tPetal.Width\n\"7\"\t5.9\t4.8\t1.8"), row)
  expect_equal(read("5.9, 4.8, 1.8"), row)
  expect_equal(read("5.9, 3.1, 4.8, 1.8"), row)
  expect_equal(read("5,9;4,8;1,8"), row)
  expect_match(notes("5.9, 4.8"), "A line of 2 values: give 3 [(]Sepal.Length, Petal.Length, Pe")
  expect_match(notes("Petal.Length = 4, Petal.Wdith = 2"), "Not understood: Petal.Wdith = 2")
  expect_match(notes("Petal.Length = long"), "long\u201d is no number for Petal.Length; it counts")
  expect_match(notes("5.9, 4.8, 1.8\n6, 5, 1"), "Only the first row is used")
  csv <- withr::local_tempfile()
  utils::write.csv(iris[71, ], csv)
  expect_equal(read(paste(readLines(csv), collapse = "\n")), row)
})

test_that("names and levels of any letters come through, and none is taken for code", {
  skip_without_browser()
  evil <- c(
    "</script><script>window.hacked = 1</script>", "\"quoted\", 'so'", "new\nline = 2",
    "<img src=x onerror='window.hacked = 1'>", "\U0001f333 \u00e4", "back\\slash",
    " ", "NA", "<!--", "${1}"
  )
  set.seed(3)
  d <- data.frame(a = factor(sample(evil, 400, TRUE), evil), b = stats::rnorm(400))
  names(d) <- c("</script> = \"a\", 1\n", "<b onclick=\"window.hacked = 1\">b</b>")
  d$y <- factor(evil[(as.integer(d[[1]]) + (d[[2]] > 0)) %% 10 + 1], evil)
  fit <- full_tree(x = d[1:2], y = d$y, min_bucket = 1)
  page <- open_page(tec_view(fit, newrow = d[1, ]))
  expect_identical(unlist(page$run("tree.columns[0].levels")), evil)
  expect_identical(unlist(page$run("tree.classes")), evil)
  expect_identical(unlist(page$run("tree.names")), names(d)[1:2])
  expect_same_answers(fit, d[1:60, ], page)
  page$run("document.getElementById('open-all').click()")
  expect_gt(page$run("document.querySelectorAll('.node').length"), 5)
  expect_identical(page$run("typeof window.hacked"), "undefined")
  expect_identical(page$run("document.querySelectorAll('img, #tree b').length"), 0L)
  expect_identical(page$errors(), character())
  expect_match(page$run("document.getElementById('row-answer').textContent"), "is predicted")
})
