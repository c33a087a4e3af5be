# A rule as R code: "x in (1, 3] & f in {a, b}".
rule_code <- function(rule) {
  if (rule == "any row") {
    return(quote(TRUE))
  }
  parts <- strsplit(rule, " & ", fixed = TRUE)[[1]]
  parts <- sub("^(\\S+) in \\((\\S+), (\\S+)\\]$", "\\1 > \\2 & \\1 <= \\3", parts)
  sets <- grepl("\\{", parts)
  parts[sets] <- vapply(parts[sets], function(p) {
    labels <- strsplit(sub(".*\\{(.*)\\}", "\\1", p), ", ")[[1]]
    paste0(sub(" in .*", "", p), " %in% ", paste(deparse(labels), collapse = ""))
  }, "")
  parts <- sub("^(\\S+) = (.*)$", "\\1 == \"\\2\"", parts)
  str2lang(paste(parts, collapse = " & "))
}

test_that("each row satisfies one rule, that of its leaf", {
  cases <- list(
    list(tec_tree(fruit ~ ., fruit, min_bucket = 1), fruit),
    list(tec_tree(fruit ~ ., fruit, nominal = "multiway", intervals = 3), fruit),
    list(tec_tree(PlayTennis ~ ., play_tennis, preset = "id3"), play_tennis),
    list(tec_tree(mpg ~ ., mtcars, min_bucket = 1), mtcars)
  )
  for (case in cases) {
    rules <- tec_rules(case[[1]], digits = 15)
    node <- predict(case[[1]], case[[2]], type = "node")
    for (i in seq_len(nrow(rules))) {
      holds <- eval(rule_code(rules$rule[i]), case[[2]])
      expect_identical(rep_len(holds, nrow(case[[2]])), node == rules$node[i])
    }
  }
})

test_that("probability and lift are those of the rows", {
  fit <- tec_tree(fruit ~ ., fruit, smooth = 0)
  rules <- tec_rules(fit)
  node <- predict(fit, fruit, type = "node")
  for (i in seq_len(nrow(rules))) {
    here <- fruit$fruit[node == rules$node[i]]
    expect_equal(rules$n[i], length(here))
    expect_equal(rules$probability[i], mean(here == rules$class[i]))
    expect_equal(rules$lift[i], mean(here == rules$class[i]) / mean(fruit$fruit == rules$class[i]))
  }
})

test_that("inner nodes and a single leaf have rules too", {
  fit <- full_tree(Species ~ ., iris)
  expect_identical(tec_rules(fit, nodes = 1)$rule, "any row")
  expect_identical(tec_rules(fit, nodes = 8)$rule, "Petal.Length > 4.95 & Petal.Width <= 1.75")
  expect_identical(tec_rules(full_tree(Species ~ ., iris, max_depth = 0))$lift, 1)
})

test_that("ordered levels and dates read as they are", {
  d <- toy()
  d$size <- factor(rep(c("s", "m", "l", "xl"), each = 3), c("s", "m", "l", "xl"), ordered = TRUE)
  d$y <- factor(rep(c("a", "b", "c", "d"), each = 3))
  expect_identical(
    tec_rules(tec_tree(y ~ size, d, min_bucket = 1))$rule,
    c("size <= s", "size in (s, m]", "size in (m, l]", "size > l")
  )
  d$day <- as.Date("2024-02-27") + 1:12
  expect_match(tec_rules(tec_tree(y ~ day, d, min_bucket = 1))$rule[1], "^day <= 2024-03-01$")
})

test_that("rules print within the width", {
  expect_snapshot({
    tec_rules(tec_tree(Species ~ ., iris))
    print(tec_rules(tec_tree(mpg ~ ., mtcars)), n = 2, width = 40)
    tec_rules(tec_tree(y ~ x, toy(), min_bucket = 1, weights = rep(2, 12),
      weights_as = "frequency"))
  })
  d <- iris
  names(d)[3] <- strrep("long", 50)
  lines <- utils::capture.output(print(tec_rules(tec_tree(Species ~ ., d)), width = 30))
  expect_lte(max(nchar(lines, "width")), 30)
})

test_that("a table of rules is a data frame", {
  rules <- tec_rules(tec_tree(Species ~ ., iris))
  expect_identical(class(as.data.frame(rules)), "data.frame")
  expect_identical(class(rules[1:2, ]), "data.frame")
  expect_snapshot(show_errors({
    tec_rules(toy_tree(), nodes = 9)
    tec_rules(1)
  }))
})

test_that("seventeen digits name a threshold that is a value of the data", {
  set.seed(1)
  d <- data.frame(x = rnorm(60))
  d$y <- factor(d$x > 0.3)
  rules <- tec_rules(tec_tree(y ~ x, d, preset = "c45"), digits = 17)
  low <- which(startsWith(rules$rule, "x <= "))
  cut <- as.numeric(sub("x <= ", "", rules$rule[low]))
  expect_equal(sum(d$x <= cut), rules$n[low])
})
