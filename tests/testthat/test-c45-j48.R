# preset = "c45" against J48 (Weka, by RWeka) on the data sets of the second paper and others. The
# rules leave margins of 1e-6 and 1e-3 where rounding is 1e-12, so rounding decides nothing in them,
# and the trees are equal line by line.

# Named in the paper's table, and without missing values.
paper_sets <- c(
  "iris", "car", "abalone", "waveform21", "waveform40", "glass", "page_blocks", "wine", "yeast",
  "zoo", "zoo_animal", "pima", "nursery", "heart_statlog", "kr_vs_kp", "letter", "segment",
  "sonar", "splice", "splice_name"
)
further_sets <- c(
  "vehicle", "haberman", "balance_scale", "hayes_roth", "monks1", "monks2_train", "monks3_train",
  "cmc", "ionosphere", "tic_tac_toe", "spambase", "poker_train", "glass_weka"
)
# Also in the table, with missing values.
holed_sets <- c(
  "breast_cancer", "credit_approval", "soybean", "mushroom", "audiology", "hepatitis",
  "primary_tumor", "sick",
  # and further ones
  "breast_w", "house_votes_84", "labor", "titanic"
)
# Half of the time is theirs; they are left out where the trees are those of another test.
large_sets <- c("letter", "page_blocks", "splice", "waveform40")

test_that("unpruned trees are J48's, line by line", {
  folder <- skip_without_j48()
  for (name in some_of(c(paper_sets, further_sets), 4)) {
    data <- j48_data(folder, name)
    peer <- unpruned_j48(folder, name)
    expected <- read_j48(peer)
    ours <- unpruned_of(folder, name)
    lines <- j48_lines(ours)
    differing <- utils::head(which(lines != expected$lines), 1)
    expect_identical(c(name, lines[differing]), c(name, expected$lines[differing]))
    expect_identical(length(lines), length(expected$lines), label = name)
    leaves <- sum(ours$tree$n_children == 0)
    expect_identical(c(leaves, length(ours$tree$parent)), c(expected$leaves, expected$size))
    same <- as.character(predict(ours, data)) == as.character(predict(peer))
    expect_identical(c(name, sum(!same)), c(name, "0"))
  }
})

test_that("new rows go where J48 sends them", {
  folder <- skip_without_j48()
  set.seed(301)
  for (name in some_of(c("glass", "segment", "vehicle", "spambase", "cmc", "page_blocks"), 2)) {
    data <- j48_data(folder, name)
    rows <- scattered_rows(data, 2000)
    ours <- as.character(predict(unpruned_of(folder, name), rows))
    theirs <- as.character(predict(unpruned_j48(folder, name), rows))
    expect_identical(c(name, sum(ours != theirs)), c(name, "0"))
  }
})

test_that("other sizes of the smallest branch are J48's", {
  folder <- skip_without_j48()
  names <- c("glass", "pima", "cmc", "segment", "nursery", "spambase", "page_blocks")
  for (name in some_of(names, 2)) {
    data <- j48_data(folder, name)
    for (size in c(1, 5, 30)) {
      peer <- fit_j48(data, U = TRUE, O = TRUE, M = size)
      ours <- unpruned_c45(data, min_bucket = size)
      expect_identical(j48_lines(ours), read_j48(peer)$lines, label = paste(name, size))
    }
  }
})

test_that("collapsed, by an oracle and by us, unpruned trees are J48's with its defaults", {
  folder <- skip_without_j48()
  for (name in some_of(setdiff(c(paper_sets, further_sets), large_sets), 4)) {
    data <- j48_data(folder, name)
    peer <- fit_j48(data, U = TRUE)
    expected <- read_j48(peer)
    ours <- unpruned_of(folder, name)
    collapsed <- collapse_tree(ours)
    lines <- j48_lines(ours, collapsed$leaf)
    differing <- utils::head(which(lines != expected$lines), 1)
    expect_identical(c(name, lines[differing]), c(name, expected$lines[differing]))
    counts <- c(sum(collapsed$leaf & collapsed$inside), sum(collapsed$inside))
    expect_identical(counts, c(expected$leaves, expected$size), label = name)
    classes <- collapsed_classes(ours, data, collapsed)
    same <- as.character(classes) == as.character(predict(peer))
    expect_identical(c(name, sum(!same)), c(name, "0"))
    own <- tec_tree(class ~ ., data, preset = "c45", prune = "none", threads = 1)
    expect_identical(j48_lines(own), expected$lines, label = name)
  }
})

test_that("pruned trees are J48's", {
  folder <- skip_without_j48()
  skip_unless_available(prune = "ebp")
  equal <- 0
  for (name in some_of(c(paper_sets, further_sets), 4)) {
    data <- j48_data(folder, name)
    peer <- fit_j48(data)
    expected <- read_j48(peer)
    ours <- tec_tree(class ~ ., data, preset = "c45", threads = 1)
    leaves <- sum(ours$tree$n_children == 0)
    same <- as.character(predict(ours, data)) == as.character(predict(peer))
    found <- c(leaves, length(ours$tree$parent), sum(!same))
    expect_identical(c(name, found), c(name, expected$leaves, expected$size, 0))
    equal <- equal + identical(as.double(found), as.double(c(expected$leaves, expected$size, 0)))
  }
  expect_gte(equal, if (all_cases()) 15 else 2)
})

# J48 shares a row without a value among the branches, as missing = "fractional" does.
test_that("with missing values, unpruned trees are J48's", {
  folder <- skip_without_j48()
  skip_unless_available(missing = "fractional")
  for (name in some_of(holed_sets, 3)) {
    data <- j48_data(folder, name)
    peer <- unpruned_j48(folder, name)
    expected <- read_j48(peer)
    ours <- unpruned_of(folder, name, missing = "fractional")
    lines <- without_weights(j48_lines(ours))
    expect_identical(lines, without_weights(expected$lines), label = name)
    counts <- c(sum(ours$tree$n_children == 0), length(ours$tree$parent))
    expect_identical(counts, c(expected$leaves, expected$size), label = name)
    same <- as.character(predict(ours, data)) == as.character(predict(peer))
    expect_identical(c(name, sum(!same)), c(name, "0"))
  }
})

# Below a raised branch the rows without a value are shared out by the weights of the rows that come
# there now.
test_that("with missing values, pruned trees are J48's", {
  folder <- skip_without_j48()
  skip_unless_available(missing = "fractional")
  skip_unless_available(prune = "ebp")
  for (name in some_of(holed_sets, 3)) {
    data <- j48_data(folder, name)
    ours <- tec_tree(class ~ ., data, preset = "c45", threads = 1)
    peer <- fit_j48(data)
    expect_identical(as.character(predict(ours, data)), as.character(predict(peer)), label = name)
    lines <- without_weights(j48_lines(ours))
    expect_identical(lines, without_weights(read_j48(peer)$lines), label = name)
  }
})

test_that("with missing values, trees pruned without raising are J48's", {
  folder <- skip_without_j48()
  for (name in some_of(holed_sets, 3)) {
    data <- j48_data(folder, name)
    peer <- fit_j48(data, S = TRUE)
    ours <- tec_tree(class ~ ., data, preset = "c45", raise = FALSE, threads = 1)
    expect_identical(
      without_weights(j48_lines(ours)), without_weights(read_j48(peer)$lines),
      label = name
    )
    expect_identical(as.character(predict(ours, data)), as.character(predict(peer)), label = name)
  }
})
