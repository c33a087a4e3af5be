test_that("trees of each kind print", {
  expect_snapshot({
    tec_tree(Species ~ ., iris, q = 1.5)
    tec_tree(mpg ~ ., mtcars)
    tec_tree(PlayTennis ~ ., play_tennis, preset = "id3")
    tec_tree(y ~ ., toy(), weights = rep(1:2, 6), weights_as = "frequency", min_bucket = 1)
    tec_tree(Species ~ ., iris, max_depth = 0)
  })
})

test_that("no line is wider than asked", {
  d <- toy()
  names(d)[2] <- strrep("a very long name ", 20)
  words <- c("\u65e5\u672c\u8a9e", "\u4e2d\u6587", "\u97d3\u56fd")
  d$kanji <- factor(rep(strrep(words, 20), each = 4))
  levels(d$y) <- c(strrep("no", 60), strrep("\u662f", 60))
  names(d)[1] <- "y"
  wide <- data.frame(y = factor(rep(letters[1:12], 2)), f = rep(paste("the level", 1:12), 2))
  fits <- list(
    tec_tree(y ~ ., d, min_bucket = 1), tec_tree(y ~ kanji, d, min_bucket = 1),
    tec_tree(y ~ f, wide, min_bucket = 1), tec_tree(mpg ~ ., mtcars, min_bucket = 1)
  )
  for (width in c(20, 40, 80)) {
    for (fit in fits) {
      expect_lte(max(nchar(format(fit, width = width), "width")), width)
    }
  }
  withr::local_options(width = 40)
  expect_lte(max(nchar(utils::capture.output(print(fits[[1]])), "width")), 40)
})

test_that("narrow and UTF-8 prints look like this", {
  d <- toy()
  d$couleur <- factor(rep(c("rouge fonc\u00e9", "bleu", "vert"), each = 4))
  expect_snapshot({
    print(tec_tree(y ~ couleur + x, d, min_bucket = 1), width = 40)
    print(tec_tree(y ~ couleur, d, min_bucket = 1), width = 40)
  })
})

test_that("a large tree shows its top, and how to see the rest", {
  d <- data.frame(x = 1:200, y = rep_len(c(0, 1, 5), 200))
  fit <- full_tree(y ~ x, d, min_bucket = 1)
  lines <- format(fit)
  expect_lte(length(lines), 50)
  expect_match(lines[length(lines)], "^# ... with \\d+ more nodes: print\\(x, n = Inf\\)$")
  expect_gte(length(format(fit, n = Inf)), length(fit$tree$parent))
  expect_false(any(grepl("more nodes", format(fit, n = Inf))))
  expect_equal(shown_nodes(c(0, 1, 2, 2, 1), 3), c(1, 2, 5))
})

test_that("print returns its argument and refuses nonsense", {
  fit <- toy_tree()
  expect_output(expect_identical(print(fit), fit))
  expect_error(print(fit, n = 0), class = "tec_error_control")
  expect_error(print(fit, digts = 3), class = "tec_error_argument")
})

test_that("the rule has priority over weights and shares", {
  air <- airquality
  names(air)[3] <- "wind_speed_of_the_day_before"
  air$hot <- factor(ifelse(air$Temp > 77, "hot", "cold"))
  fit <- tec_tree(
    hot ~ . - Temp, air, min_bucket = 3, missing = "fractional", prune = "none"
  )
  rules <- labels(fit)
  rule_of <- function(lines) {
    nodes <- lines[grepl("^ *[0-9]+\\) ", lines)]
    sub(":.*", "", sub("^ *[0-9]+\\) ", "", nodes))
  }
  for (width in c(80, 100, 120)) {
    expect_identical(rule_of(format(fit, width = width)), unname(rules))
  }
  expect_true(any(grepl("(weight ", format(fit, width = 100), fixed = TRUE)))
  expect_false(any(grepl("(weight ", format(fit, width = 80), fixed = TRUE)))
  # Of long names the middle is left out, the condition stays.
  expect_true(all(endsWith(rule_of(format(fit, width = 60)), sub(".* ", "", rules))))
})

test_that("a weight that equals the number of rows is not printed", {
  d <- toy()
  d$x[2] <- NA
  fit <- tec_tree(y ~ x, d, missing = "fractional", prune = "none", min_bucket = 1)
  lines <- format(fit)
  whole <- abs(fit$tree$weight - fit$tree$n) < 1e-6
  expect_true(any(whole) && any(!whole))
  nodes <- lines[grepl("^ *[0-9]+\\) ", lines)]
  expect_identical(grepl("(weight", nodes, fixed = TRUE), !whole)
})

test_that("texts are cut to a display width", {
  expect_equal(fit_width("abcdef", 5), "ab...")
  expect_equal(fit_width("abcde", 5), "abcde")
  expect_lte(nchar(fit_width(strrep("\u65e5", 10), 8), "width"), 8)
})

test_that("nothing is printed wider than 80 columns, whatever the names and levels", {
  skip_if_not(l10n_info()[["UTF-8"]])
  set.seed(91)
  words <- function(letters, n, most = 60) {
    unique(replicate(n, paste(sample(letters, sample(most, 1), TRUE), collapse = "")))
  }
  plain <- c(letters, " ", ".", ",", "{", "}", "\"", "\\", "%", "\n", "\t")
  signs <- c("\u65e5", "e", "\u0301", "\u200b", "\u0627\u0644", "\u202e", "\U1F600", " ")
  n <- 300
  for (alphabet in list(plain, signs, "x")) {
    for (levels in if (all_cases()) c(2, 20, 60) else 20) {
      d <- data.frame(a = factor(sample(words(alphabet, levels), n, TRUE)), b = rnorm(n))
      d$o <- factor(sample(words(alphabet, levels), n, TRUE), ordered = TRUE)
      names(d) <- make.unique(c(words(alphabet, 9, 90), "u", "v", "w")[1:3])
      y <- factor(sample(words(alphabet, 4), n, TRUE))
      for (fit in list(
        tec_tree(d, y, min_bucket = 2, missing = "surrogate"), tec_tree(d, rnorm(n, sd = 1e6)),
        tec_tree(d, y, nominal = "multiway", criterion = "gain_ratio")
      )) {
        shown <- utils::capture.output({
          print(fit, n = Inf)
          print(summary(fit))
          print(tec_rules(fit), n = Inf)
          print(explain(fit, d[1, ]))
          print(importance(fit))
        })
        expect_gt(length(shown), 10)
        expect_lte(max(nchar(shown, "width")), 80)
        expect_false(any(grepl("\t", shown)))
      }
    }
  }
})

test_that("only groups of levels are called a heuristic", {
  set.seed(1)
  expect_no_match(
    capture.output(print(tec_tree(mpg ~ ., mtcars, splitter = "random"))), "heuristic"
  )
})

test_that("digits, widths and numbers of lines that R cannot use are errors, or are cut", {
  fit <- tec_tree(Species ~ ., iris)
  components <- tec_components(with_seed(1, tec_rotation(Species ~ ., iris, trees = 1)))
  shapes <- tec_shapes(tec_boost(mpg ~ ., mtcars, rounds = 2, folds = 0, max_depth = 1), mtcars)
  spline <- tec_mars(mpg ~ ., mtcars)
  refused <- function(call) expect_error(call, class = "tec_error")
  refused(print(fit, digits = 1e300))
  refused(format(summary(fit), digits = "a"))
  refused(format(summary(fit), width = list()))
  refused(print(tec_scores(fit, iris), digits = 1e300))
  refused(print(components, most = c(1, 2)))
  refused(format(shapes, n = c(TRUE, FALSE)))
  refused(coef(spline, digits = c(1, 2)))
  refused(labels(fit, set_width = NULL))
  refused(tec_rules(fit, digits = -1))
  refused(format(tec_partition(list(1:2, 3)), width = NA))
  expect_output(print(summary(tec_prune(fit, alpha = 0.01)), width = 1e300), "setosa")
})
