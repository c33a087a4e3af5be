# Means of entropies over groups, from the definition.
naive_gain <- function(x, y, entropy) {
  groups <- split(x, y, drop = TRUE)
  entropy(table(x)) - sum(lengths(groups) / length(x) * vapply(groups, function(g) {
    entropy(table(as.character(g)))
  }, 0))
}
naive_tsallis <- function(q) {
  function(n) {
    p <- n[n > 0] / sum(n)
    if (q == 1) -sum(p * log(p)) else (1 - sum(p^q)) / (q - 1)
  }
}

test_that("information gain and gain ratio follow the definition", {
  set.seed(4)
  for (i in 1:20) {
    x <- sample(letters[1:4], 40, TRUE)
    y <- sample(LETTERS[1:3], 40, TRUE)
    expect_equal(information_gain(x, y), naive_gain(x, y, naive_tsallis(1)) / log(2))
    expect_equal(
      gain_ratio(x, y), information_gain(x, y) / (naive_tsallis(1)(table(y)) / log(2))
    )
    for (q in c(0.5, 1, 2, 3.3)) {
      expect_equal(information_gain(x, y, q = q), naive_gain(x, y, naive_tsallis(q)))
      expect_equal(
        gain_ratio(x, y, q = q), naive_gain(x, y, naive_tsallis(q)) / naive_tsallis(q)(table(y))
      )
    }
    expect_equal(information_gain(x, y, base = exp(1)), information_gain(x, y, q = 1))
    expect_equal(information_gain(table(x, y)), information_gain(x, y))
    expect_equal(misclassification(x), 1 - max(table(x)) / 40)
  }
})

test_that("they equal the textbook's figures and those of tec_scores()", {
  quinlan <- play_tennis
  gain <- vapply(quinlan[c("Outlook", "Humidity", "Wind", "Temperature")], function(a) {
    information_gain(quinlan$PlayTennis, a)
  }, 0)
  for (criterion in c("shannon", "gain_ratio", "gini")) {
    scores <- tec_scores(
      PlayTennis ~ ., quinlan, criterion = criterion, nominal = "multiway", min_bucket = 1
    )
    of <- switch(criterion,
      shannon = function(a) information_gain(quinlan$PlayTennis, a),
      gain_ratio = function(a) gain_ratio(quinlan$PlayTennis, a),
      gini = function(a) information_gain(quinlan$PlayTennis, a, q = 2)
    )
    expect_equal(scores$score, unname(vapply(quinlan[scores$variable], of, 0)))
  }
  expect_equal(gain_ratio(quinlan$PlayTennis, rep("one", 14)), 0)
})

test_that("bad input is an error", {
  expect_error(information_gain(c("a", "b"), "a"), class = "tec_error_entropy")
  expect_error(information_gain(c("a", "b"), c("u", NA)), class = "tec_error_entropy")
  expect_error(gain_ratio(1:3), class = "tec_error_entropy")
  expect_error(misclassification(c(-1, 2)), class = "tec_error_entropy")
})
