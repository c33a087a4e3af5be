# A published table, every cell as text.
read_published <- function(name) {
  folder <- skip_without_shared_data()
  read.csv(file.path(folder, paste0(name, ".csv.gz")), colClasses = "character")
}

as_text <- function(data) {
  data[] <- lapply(data, as.character)
  data
}

#' @srrstats {G5.0} Published data sets, with published results in test-numbers.R.
test_that("play_tennis is Quinlan's table and the slides change one cell of it", {
  expect_equal(dim(play_tennis), c(14, 5))
  expect_equal(lapply(play_tennis, levels), list(
    Outlook = c("sunny", "overcast", "rain"), Temperature = c("hot", "mild", "cool"),
    Humidity = c("high", "normal"), Wind = c("weak", "strong"), PlayTennis = c("no", "yes")
  ))
  counts <- unclass(table(play_tennis$Outlook, play_tennis$PlayTennis))
  expect_equal(as.vector(counts), c(3, 0, 2, 2, 4, 3))
  expect_equal(as.vector(table(play_tennis$Humidity, play_tennis$PlayTennis)), c(4, 1, 3, 6))
  expect_equal(as.vector(table(play_tennis$Wind, play_tennis$PlayTennis)), c(2, 3, 6, 3))

  changed <- as.matrix(play_tennis) != as.matrix(play_tennis_slides)
  expect_equal(unname(which(changed, arr.ind = TRUE)[1, ]), c(13, 1))
  expect_equal(sum(changed), 1)
  expect_equal(as.character(play_tennis_slides$Outlook[13]), "rain")
})

test_that("fruit has the generator's rows", {
  expect_equal(dim(fruit), c(1000, 4))
  expect_named(fruit, c("fruit", "size", "color", "weight"))
  expect_equal(c(table(fruit$fruit)), c(apple = 517, banana = 280, pear = 203))
  expect_equal(c(table(fruit$size)), c(small = 481, big = 519))
  expect_equal(c(table(fruit$color)), c(red = 476, yellow = 279, green = 245))
  expect_equal(range(fruit$weight), c(3.3, 202.6))
})

test_that("monks is the whole domain and follows the rules", {
  expect_equal(nrow(unique(monks[1:6])), 3 * 3 * 2 * 3 * 4 * 2)
  expect_true(all(vapply(monks, is.factor, NA)))
  value <- function(name) as.integer(as.character(monks[[name]]))
  holds <- function(name) monks[[name]] == "1"
  expect_equal(holds("monks1"), value("a1") == value("a2") | value("a5") == 1)
  expect_equal(holds("monks2"), rowSums(as_text(monks[1:6]) == "1") == 2)
  expect_equal(
    holds("monks3"),
    (value("a5") == 3 & value("a4") == 1) | (value("a5") != 4 & value("a2") != 3)
  )
})

test_that("monks equals the published files", {
  for (problem in c("monks1", "monks2", "monks3")) {
    published <- read_published(problem)
    ours <- as_text(monks[c(paste0("a", 1:6), problem)])
    names(ours)[7] <- "class"
    expect_equal(ours, published, ignore_attr = "out.attrs")
  }
})

test_that("balance_scale follows the rule", {
  expect_equal(nrow(unique(balance_scale[1:4])), 5^4)
  expect_true(all(vapply(balance_scale[1:4], is.integer, NA)))
  expect_equal(levels(balance_scale$class), c("L", "B", "R"))
  tips <- with(balance_scale, right_weight * right_distance - left_weight * left_distance)
  expect_equal(as.integer(balance_scale$class), sign(tips) + 2)
})

test_that("balance_scale equals the published file", {
  expect_equal(as_text(balance_scale), read_published("balance_scale"))
})
