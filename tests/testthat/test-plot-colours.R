test_that("distances are those of the paper that explains them", {
  # Sharma, Wu and Dalal (2005), table 1: pairs 1, 7, 17, 19, 25 and 34.
  first <- rbind(
    c(50, 2.6772, -79.7751), c(50, 0, 0), c(50, 2.5, 0), c(50, 2.5, 0),
    c(60.2574, -34.0099, 36.2677), c(2.0776, 0.0795, -1.135)
  )
  second <- rbind(
    c(50, 0, -82.7485), c(50, -1, 2), c(73, 25, -18), c(50, 3.2592, 0.335),
    c(60.4626, -34.1751, 39.4387), c(0.9033, -0.0636, -0.5514)
  )
  expected <- c(2.0425, 2.3669, 27.1492, 1, 1.2644, 0.9082)
  expect_equal(colour_distance(first, second), expected, tolerance = 1e-4)
})

test_that("the simulation is that of colorspace", {
  skip_if_not_installed("colorspace", "2.1.0")
  theirs <- list(
    protanopia = colorspace::protan, deuteranopia = colorspace::deutan,
    tritanopia = colorspace::tritan
  )
  for (vision in names(theirs)) {
    ours <- grDevices::col2rgb(seen_as(apart_colours, vision))
    expect_lte(max(abs(ours - grDevices::col2rgb(theirs[[vision]](apart_colours)))), 1)
  }
})

test_that("up to fourteen classes are told apart by whoever looks", {
  expect_length(apart_colours, 14)
  for (vision in names(colour_visions)) {
    expect_gte(least_distance(seen_as(class_colours(14), vision)), 10)
    # And from the page, light or dark.
    for (page in c("#FFFFFF", "#1B1B1B")) {
      from_page <- vapply(apart_colours, function(l) least_distance(seen_as(c(l, page), vision)), 0)
      expect_gte(min(from_page), 10)
    }
  }
  for (k in 1:14) expect_identical(class_colours(k), apart_colours[seq_len(k)])
  # As much from the page, but for the palest, which have a frame.
  expect_gte(min(vapply(line_colours(11), function(l) least_distance(c(l, "#FFFFFF")), 0)), 20)
  # Such a palette as greys and rainbows does not pass.
  expect_lt(least_distance(seen_as(grDevices::rainbow(14), "deuteranopia")), 5)
})

test_that("the first four classes and lines differ in grey", {
  lightness <- function(colours) {
    rgb <- t(grDevices::col2rgb(colours)) / 255
    grDevices::convertColor(rgb, from = "sRGB", to = "Lab")[, "L"]
  }
  for (k in 2:4) {
    expect_gte(min(stats::dist(lightness(class_colours(k)))), 11)
    expect_gte(min(stats::dist(lightness(line_colours(k)))), 11)
  }
  expect_lt(min(stats::dist(lightness(c("#E69F00", "#56B4E9")))), 1)
})

test_that("more classes and lines have colours of their own", {
  for (k in c(15, 26, 42)) expect_false(anyDuplicated(class_colours(k)) > 0)
  for (n in c(7, 12, 30)) expect_false(anyDuplicated(line_colours(n)) > 0)
  expect_length(value_colours(c(1, 1)), 2)
  expect_identical(value_colours(c(0, 1), c("#000000", "#FFFFFF")), c("#000000", "#FFFFFF"))
})

test_that("letters on a palette of the user's can be read", {
  fit <- tec_tree(mpg ~ ., mtcars)
  colour <- function(...) {
    words <- drawn_words(fit, direction = "down", ...)
    node_text_colour(attr(words, "layout"), ink_on("white"))
  }
  expect_setequal(colour(palette = c("black", "grey20")), c("white", "black"))
  expect_identical(unique(colour(palette = c("white", "grey90"))), "black")
})

test_that("every ink has a colour that differs from its ground", {
  for (ground in c("black", "white", "transparent")) {
    ink <- unlist(ink_on(ground))
    expect_false(anyNA(ink))
    expect_false(any(ink[c("text", "line", "frame")] == ink[1L]))
  }
})
