test_that("the published gains of PlayTennis are reproduced", {
  by_name <- function(scores) round(stats::setNames(scores$gain, scores$variable), 4)
  scores <- function(data) {
    by_name(tec_scores(
      PlayTennis ~ ., data, criterion = "shannon", nominal = "multiway", min_bucket = 1
    ))
  }
  others <- c(Humidity = 0.1518, Wind = 0.0481, Temperature = 0.0292)
  expect_equal(scores(play_tennis), c(Outlook = 0.2467, others))
  expect_equal(scores(play_tennis_slides), c(Outlook = 0.2000, others))
  fit <- tec_tree(PlayTennis ~ ., play_tennis, preset = "id3")
  sunny <- which(as.data.frame(fit)$rule == "Outlook = sunny")
  below <- by_name(tec_scores(fit, play_tennis, node = sunny))
  expect_equal(
    round(below, 3), c(Humidity = 0.971, Temperature = 0.571, Wind = 0.020, Outlook = NA)
  )
})

test_that("the table has the documented columns, best first", {
  scores <- tec_scores(Species ~ ., iris)
  expect_s3_class(scores, c("tec_scores", "data.frame"), exact = TRUE)
  expect_named(scores, c(
    "variable", "split", "kind", "gain", "score", "eligible", "chosen", "cut", "exact", "tied",
    "reason"
  ))
  expect_equal(nrow(scores), 4)
  expect_false(is.unsorted(rev(scores$score)))
  expect_equal(sum(scores$chosen), 1)
  expect_true(scores$chosen[1])
  all <- tec_scores(Species ~ ., iris, candidates = "all")
  expect_gt(nrow(all), 50)
  expect_true("admissible" %in% names(all))
  expect_equal(sum(all$chosen), 1)
  expect_equal(all$split[all$chosen], scores$split[1])
})

test_that("the chosen split is the tree's", {
  fit <- tec_tree(Species ~ ., iris, criterion = "gain_ratio")
  nodes <- as.data.frame(fit)
  for (node in nodes$node[nodes$kind != "leaf"]) {
    scores <- tec_scores(fit, iris, node = node)
    expect_equal(scores$variable[scores$chosen], nodes$variable[node])
    expect_equal(scores$gain[scores$chosen], nodes$gain[node])
    expect_equal(attr(scores, "n"), nodes$n[node])
  }
})

test_that("a fit's settings may be overridden", {
  fit <- tec_tree(Species ~ ., iris, q = 1.5)
  expect_equal(attr(tec_scores(fit, iris), "criterion"), "tsallis, q = 1.5")
  expect_equal(attr(tec_scores(fit, iris, q = 3), "criterion"), "tsallis, q = 3")
  expect_equal(attr(tec_scores(fit, iris, criterion = "gini"), "criterion"), "gini")
  large <- tec_scores(fit, iris, min_bucket = 70)
  expect_equal(nrow(large), 4)
  expect_match(large$reason[1:3], "^$")
  expect_match(large$reason[4], "less than min_bucket")
})

test_that("x and y work as the formula does", {
  expect_equal(tec_scores(iris[1:4], iris$Species), tec_scores(Species ~ ., iris))
  expect_equal(tec_scores(data = iris, formula = Species ~ .), tec_scores(Species ~ ., iris))
  expect_equal(tec_scores(x = Species ~ ., data = iris), tec_scores(Species ~ ., iris))
  fit <- tec_tree(x = iris[1:4], y = iris$Species)
  expect_equal(tec_scores(fit, iris, y = iris$Species), tec_scores(Species ~ ., iris))
  expect_error(tec_scores(fit, iris[1:4]), class = "tec_error_newdata")
})

test_that("weights count", {
  d <- toy()
  d$w <- c(3, rep(1, 11))
  fit <- tec_tree(y ~ x, d, weights = w, min_bucket = 1)
  expect_equal(tec_scores(fit, d, weights = w)$gain, fit$tree$gain[1])
  expect_equal(tec_scores(y ~ x, d, weights = w, min_bucket = 1)$gain, fit$tree$gain[1])
})

test_that("one level stands against the rest", {
  got <- tec_scores(fruit ~ color, fruit, q = 1, candidates = "all")
  alone <- function(level) {
    sides <- strsplit(got$split, " | ", fixed = TRUE)
    got$gain[vapply(sides, function(s) paste0("{", level, "}") %in% s, NA)]
  }
  expect_equal(alone("red"), 0.464288357, tolerance = 1e-8)
  expect_equal(alone("yellow"), 0.264649387, tolerance = 1e-8)
  expect_equal(alone("green"), 0.092355543, tolerance = 1e-8)
})

test_that("scores print within the width", {
  expect_snapshot({
    tec_scores(Species ~ ., iris, criterion = "gain_ratio")
    tec_scores(PlayTennis ~ ., play_tennis, min_bucket = 1, candidates = "all")
    tec_scores(y ~ one, data.frame(y = c("a", "b"), one = 1))
    print(tec_scores(Species ~ ., iris, candidates = "all"), n = 3)
    tec_scores(Species ~ ., iris)[1:2, c("variable", "gain")]
  })
  scores <- tec_scores(PlayTennis ~ ., play_tennis, min_bucket = 1)
  for (width in c(30, 40, 80)) {
    lines <- utils::capture.output(print(scores, width = width))
    expect_lte(max(nchar(lines, "width")), width)
  }
})

test_that("bad requests are classed errors", {
  fit <- tec_tree(Species ~ ., iris)
  expect_snapshot(show_errors({
    tec_scores(fit, iris, node = 99)
    tec_scores(fit, iris, node = "a")
    tec_scores(fit, iris[1:4])
    tec_scores(fit, iris[1:50, ], node = 3)
    tec_scores(fit, iris, criterion = "l2")
    tec_scores(fit, iris, candidates = "some")
    tec_scores(Species ~ ., iris, criterion = "gni")
  }))
})

test_that("priors, weights of classes and losses count as they do in a tree", {
  part <- iris[c(1:50, 60:80, 140:150), ]
  cost <- matrix(c(0, 1, 10, 1, 0, 10, 1, 1, 0), 3)
  prior <- c(virginica = 0.7, setosa = 0.1, versicolor = 0.2)
  for (asked in list(
    list(prior = prior), list(class_weights = "balanced"), list(class_weights = c(1, 2, 5)),
    list(cost = cost, cost_in = "split"), list(cost = cost, preset = "cart"),
    list(prior = prior, cost = cost, cost_in = "split", criterion = "gain_ratio")
  )) {
    fit <- do.call(tec_tree, c(list(Species ~ ., part, prune = "none"), asked))
    scores <- do.call(tec_scores, c(list(Species ~ ., part), asked))
    expect_equal(scores, tec_scores(fit, part))
    expect_equal(scores$gain[scores$chosen], fit$tree$gain[1])
    expect_equal(do.call(tec_scores, c(list(part[1:4], part$Species), asked)), scores)
  }
  plain <- tec_scores(Species ~ ., part)
  expect_equal(tec_scores(Species ~ ., part, cost = cost), plain)
  expect_false(isTRUE(all.equal(tec_scores(Species ~ ., part, prior = prior), plain)))
})

test_that("wrong settings give the errors of tec_tree()", {
  score <- function(...) tec_scores(Species ~ ., iris, ...)
  expect_error(score(prior = c(0.5, 0.5)), class = "tec_error_prior")
  expect_error(score(prior = c(0.5, 0.2, 0.1)), class = "tec_error_prior")
  expect_error(score(class_weights = c(1, 0, 1)), class = "tec_error_class_weights")
  expect_error(score(cost = matrix(1, 3, 3)), class = "tec_error_cost")
  expect_error(score(cost_in = "split"), class = "tec_error_cost")
  expect_error(tec_scores(mpg ~ ., mtcars, prior = 1), class = "tec_error_prior")
  message <- function(call) tryCatch(call, error = conditionMessage)
  expect_identical(
    message(score(prior = c(0.5, 0.5))), message(tec_tree(Species ~ ., iris, prior = c(0.5, 0.5)))
  )
})

# What the rules of C4.5 take from the whole training set, a node's scores take from there too:
# which attributes have many levels, and which values thresholds may be.
test_that("under the rules of C4.5 the scores of a node choose the tree's split", {
  set.seed(81)
  n <- 120
  data <- data.frame(
    many = factor(sample(letters, n, TRUE), letters), x = round(stats::rnorm(n), 1),
    z = round(stats::rnorm(n), 1), few = factor(sample(c("a", "b", "c"), n, TRUE))
  )
  signal <- data$x + (data$few == "a") + (as.integer(data$many) < 13)
  data$y <- factor(signal + stats::rnorm(n) > 0.5)
  fit <- tec_tree(y ~ ., data, preset = "c45", prune = "none", collapse = FALSE)
  nodes <- as.data.frame(fit)
  # In these `many` has a level for every third row.
  small <- nodes$kind != "leaf" & 0.3 * nodes$n <= 26
  expect_gt(sum(small), 3)
  for (node in nodes$node[nodes$kind != "leaf"]) {
    chosen <- subset(tec_scores(fit, data, node = node), chosen)
    expect_identical(chosen$variable, nodes$variable[node])
    expect_equal(chosen$gain, nodes$gain[node])
    first <- nodes$rule[nodes$parent == node][1]
    if (nodes$kind[node] == "threshold") {
      expect_identical(paste(chosen$variable, chosen$split), first)
    }
  }
})

test_that("every attribute has a row, with the reason where it cannot split", {
  d <- cbind(
    iris, one = 1, none = NA_real_, few = c(1, rep(2, 149)), zero = rep(c("a", "b"), 75)
  )
  scores <- tec_scores(Species ~ ., d)
  expect_setequal(scores$variable, setdiff(names(d), "Species"))
  reason <- stats::setNames(scores$reason, scores$variable)
  expect_identical(sum(reason == ""), 4L)
  expect_match(reason[c("one", "none")], "one value")
  expect_match(reason["few"], "min_bucket")
  expect_match(reason["zero"], "min_gain")
  expect_equal(scores$gain[scores$variable == "zero"], 0)
  expect_true(all(is.na(scores$gain[scores$variable %in% c("one", "none", "few")])))
  expect_identical(scores$eligible, scores$reason == "")
  expect_snapshot(scores)
  any_gain <- tec_scores(Species ~ ., d, min_gain = -Inf)
  expect_identical(any_gain$reason[any_gain$variable == "zero"], "")
})

test_that("the training rows of a tree's call are found, with their weights", {
  w <- rep(1:3, 50)
  fit <- tec_tree(Species ~ ., iris, weights = w)
  expect_identical(tec_scores(fit, node = 3), tec_scores(fit, iris, node = 3, weights = w))
  part <- tec_tree(Species ~ ., iris, subset = 51:150)
  expect_identical(tec_scores(part, node = 2), tec_scores(part, iris[51:150, ], node = 2))
  by_x <- tec_tree(iris[1:4], iris$Species)
  expect_identical(
    tec_scores(by_x, node = 3), tec_scores(by_x, iris[1:4], node = 3, y = iris$Species)
  )
  d <- iris
  fit <- tec_tree(Species ~ ., d)
  d <- d[1:100, ]
  expect_error(tec_scores(fit), "contains other rows now", class = "tec_error_data")
})

test_that("leaves have scores too", {
  fit <- full_tree(Species ~ ., iris)
  leaves <- which(fit$tree$kind == 0)
  for (node in leaves) {
    scores <- tec_scores(fit, iris, node = node)
    expect_equal(nrow(scores), 4)
    expect_false(any(scores$chosen))
    expect_true(all(nzchar(scores$reason)))
    expect_equal(attr(scores, "n"), fit$tree$n[node])
  }
  expect_snapshot(tec_scores(fit, iris, node = leaves[1]))
})

test_that("ties with the winner are marked", {
  tied <- function(...) {
    scores <- tec_scores(Species ~ ., iris, ...)
    scores$variable[scores$tied]
  }
  expect_identical(tied(), "Petal.Width")
  expect_identical(tied(criterion = "gain_ratio"), "Petal.Width")
  expect_identical(tied(candidates = "all"), "Petal.Width")
  again <- cbind(iris, again = iris$Petal.Length)
  expect_identical(tec_scores(Species ~ ., again, preset = "c45")$tied, logical(5))
  twin <- cbind(iris, again = iris$Petal.Width)
  scores <- tec_scores(Species ~ ., twin, preset = "c45")
  expect_identical(scores$variable[scores$tied], "again")
})

test_that("by the rules of C4.5 the table shows the deduction", {
  scores <- tec_scores(Species ~ ., iris, preset = "c45")
  plain <- function(name) {
    cut <- as.numeric(sub("<= ", "", scores$split[scores$variable == name]))
    mutual_information(iris$Species, iris[[name]] <= cut)
  }
  expect_equal(scores$gain + scores$deduction, vapply(scores$variable, plain, 0, USE.NAMES = FALSE))
  # Cuts with at least 5 rows (a tenth of a class's share) on either side.
  tried <- vapply(scores$variable, function(name) {
    left <- cumsum(table(iris[[name]]))
    sum(left >= 5 & 150 - left >= 5)
  }, 0)
  expect_equal(scores$deduction, unname(log2(tried)) / 150)
  expect_snapshot(scores)
  levels <- tec_scores(PlayTennis ~ ., play_tennis, preset = "c45")
  expect_identical(levels$deduction, rep(0, 4))
})

test_that("cond_entropy shows the entropy that is left, each measure in its units", {
  scores <- tec_scores(PlayTennis ~ ., play_tennis, criterion = "cond_entropy", min_bucket = 1,
    nominal = "multiway"
  )
  left <- vapply(scores$variable, function(name) {
    conditional_entropy(play_tennis$PlayTennis, play_tennis[[name]])
  }, 0)
  expect_equal(scores$cond_entropy, unname(left))
  expect_snapshot(scores)
  units <- function(...) attr(tec_scores(Species ~ ., iris, ...), "units")
  expect_identical(units(), "gain and score in nats")
  expect_identical(units(q = 2), "gain and score in units of S_q")
  expect_match(
    units(criterion = "gain_ratio"), "gain in bits, score .no unit.: gain / split information"
  )
  expect_identical(units(criterion = "gini"), "gain and score in units of the Gini index")
  # With missing values: of the rows that have one.
  holes <- play_tennis
  holes$Wind[1:4] <- NA
  for (policy in c("majority", "fractional")) {
    found <- tec_scores(PlayTennis ~ Wind, holes, criterion = "cond_entropy", min_bucket = 1,
      missing = policy
    )
    known <- holes[-(1:4), ]
    expect_equal(found$cond_entropy, conditional_entropy(known$PlayTennis, known$Wind))
  }
  # With their learned side they count.
  found <- tec_scores(PlayTennis ~ Wind, holes, criterion = "cond_entropy", min_bucket = 1,
    missing = "learned"
  )
  wind <- as.character(holes$Wind)
  sides <- lapply(levels(holes$Wind), function(side) {
    conditional_entropy(holes$PlayTennis, replace(wind, is.na(wind), side))
  })
  expect_equal(found$cond_entropy, min(unlist(sides)))
  expect_identical(found$missing_branch, which.min(unlist(sides)))
})

test_that("with a learned side every cut is listed with the better one", {
  set.seed(231)
  d <- data.frame(
    y = factor(sample(c("a", "b"), 60, TRUE)), x = round(rnorm(60), 1), full = rnorm(60)
  )
  d$x[d$y == "b" & runif(60) < 0.5] <- NA
  all <- tec_scores(y ~ ., d,
    criterion = "gini", missing = "learned", candidates = "all", min_bucket = 1
  )
  of_x <- all[all$variable == "x", ]
  expect_equal(nrow(of_x), length(unique(stats::na.omit(d$x))) - 1L)
  expect_true(all(is.na(all$missing_branch[all$variable == "full"])))
  gain_with <- function(cut, branch) {
    left <- ifelse(is.na(d$x), branch == 1L, d$x <= cut)
    gini <- function(y) 1 - sum(prop.table(table(y))^2)
    gini(d$y) - mean(left) * gini(d$y[left]) - mean(!left) * gini(d$y[!left])
  }
  cut <- as.numeric(sub(".*<= ", "", of_x$split))
  v <- sort(unique(d$x))
  cut <- v[findInterval(cut, v)]
  both <- cbind(mapply(gain_with, cut, 1L), mapply(gain_with, cut, 2L))
  expect_equal(of_x$gain, pmax(both[, 1], both[, 2]))
  expect_identical(of_x$missing_branch, max.col(both + c(1e-12, 0)[col(both)], "first"))
  best <- tec_scores(y ~ ., d, criterion = "gini", missing = "learned", min_bucket = 1)
  expect_equal(best$gain[best$variable == "x"], max(of_x$gain))
})

test_that("with all candidates the table shows what rules out a split", {
  scores <- tec_scores(PlayTennis ~ ., play_tennis, criterion = "gini", candidates = "all")
  expect_false(scores$admissible[1])
  expect_true(all(scores$admissible[scores$chosen]))
  expect_output(print(scores), "no: min_bucket")
  expect_snapshot(scores)
})

# The groupings of levels that there are for each cut of as many numbers.
naming <- function(levels) log((2^(levels - 1) - 1) / (levels - 1))

test_that("a grouping of levels pays for its name", {
  d <- data.frame(
    y = factor(c(1, 1, 2, 1, 2, 2, 1, 2, 2, 2, 1, 1, 2, 1, 1, 1)),
    f = factor(rep(letters[1:4], each = 4)), two = factor(rep(c("p", "q"), 8)),
    o = factor(rep(1:4, 4), ordered = TRUE), x = rep(c(3, 1, 2, 5), 4)
  )
  for (criterion in c("shannon", "gini", "gain_ratio", "cair")) {
    grown <- function(...) {
      scores <- tec_scores(y ~ ., d, criterion = criterion, min_bucket = 1, ...)
      scores[match(names(d)[-1L], scores$variable), ]
    }
    free <- grown()
    paid <- grown(free_levels = 2)
    group <- strsplit(gsub("[^abcd]", "", sub("\\|.*", "", free$split[1L])), "")[[1L]]
    left <- letters[1:4] %in% group
    table <- table(left[d$f], d$y) / 16
    told <- sum(table * log(table / outer(rowSums(table), colSums(table))), na.rm = TRUE)
    share <- max(0, 1 - naming(4) / (16 * told))
    expect_equal(paid$gain[1L], free$gain[1L] * share)
    expect_equal(paid$score[1L], free$score[1L] * share)
    expect_equal(paid$deduction, c(free$gain[1L] * (1 - share), 0, 0, 0))
    expect_identical(paid$gain[-1L], free$gain[-1L])
  }
  expect_null(free$deduction)
  listed <- function(...) {
    tec_scores(y ~ f, d, criterion = "shannon", candidates = "all", min_bucket = 1, ...)
  }
  all <- listed(free_levels = 2)
  whole <- listed()
  at <- match(whole$split, all$split)
  expect_equal(all$gain[at] + all$deduction[at], whole$gain)
})

test_that("numbers pay by the share of the variance or of the deviations", {
  set.seed(5)
  d <- data.frame(y = rnorm(40), f = factor(rep(1:5, 8)))
  d$y <- d$y + 2 * (d$f == 3)
  grown <- function(criterion, ...) {
    tec_scores(y ~ f, d, criterion = criterion, min_bucket = 1, ...)
  }
  spread <- list(l2 = mean((d$y - mean(d$y))^2) * 2, l1 = mean(abs(d$y - median(d$y))))
  for (criterion in names(spread)) {
    free <- grown(criterion)$gain
    told <- free / spread[[criterion]]
    paid <- grown(criterion, free_levels = 2)$gain
    expect_equal(paid, free * (1 - naming(5) / 40 / told))
  }
})

test_that("only factors with more than `free_levels` levels pay, by default ten", {
  set.seed(4)
  d <- data.frame(ten = factor(rep(1:10, 12)), eleven = factor(rep_len(1:11, 120)))
  d$y <- factor(sample(2, 120, TRUE))
  of <- function(...) {
    scores <- tec_scores(y ~ ., d, ...)
    stats::setNames(scores$deduction %||% c(0, 0), scores$variable)[c("ten", "eleven")] > 0
  }
  paid <- function(ten, eleven) c(ten = ten, eleven = eleven)
  expect_identical(of(), paid(FALSE, TRUE))
  expect_identical(of(free_levels = 11), paid(FALSE, FALSE))
  expect_identical(of(free_levels = 9), paid(TRUE, TRUE))
  for (preset in c("cart", "c45")) expect_identical(of(preset = preset), paid(FALSE, FALSE))
  expect_identical(tec_forest(y ~ ., d, trees = 2)$control$free_levels, 10)
  expect_identical(tec_tree(y ~ ., d, preset = "cart")$control$free_levels, Inf)
  expect_error(tec_tree(y ~ ., d, free_levels = 1), class = "tec_error_control")
})

test_that("identifiers do not harm trees and forests by default", {
  set.seed(2)
  d <- data.frame(x = rnorm(200), id = factor(sample(200)), town = factor(sample(60, 200, TRUE)))
  d$y <- factor(ifelse(d$x + rnorm(200) > 0, "a", "b"))
  without <- tec_tree(y ~ x, d, max_depth = 1, prune = "none")
  with <- suppressWarnings(tec_tree(y ~ ., d, max_depth = 1, prune = "none"))
  expect_identical(with$tree$breaks, without$tree$breaks)
  greedy <- suppressWarnings(
    tec_tree(y ~ ., d, max_depth = 1, prune = "none", free_levels = Inf)
  )
  expect_identical(greedy$tree$variable[1L], 2L)
  # A bag has copies of rows, which say nothing new about an identifier.
  roots <- function(...) {
    forest <- suppressWarnings(tec_forest(y ~ ., d, trees = 50, mtry = 3, max_depth = 1, ...))
    table(factor(forest$trees$variable[forest$trees$variable > 0], 1:3))
  }
  expect_gt(roots(free_levels = Inf)[["2"]], 20)
  expect_lt(roots()[["2"]], 5)
})

test_that("frequencies pay like repeated rows", {
  set.seed(3)
  d <- data.frame(f = factor(sample(8, 40, TRUE)), y = factor(sample(2, 40, TRUE)))
  times <- sample(3, 40, TRUE)
  one <- tec_scores(y ~ f, d, weights = times, weights_as = "frequency", free_levels = 2)
  all <- tec_scores(y ~ f, d[rep(1:40, times), ], free_levels = 2)
  expect_equal(one$gain, all$gain)
  expect_equal(one$deduction, all$deduction)
})
