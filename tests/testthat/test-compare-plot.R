# Twelve criteria no two of which must grow the same tree, as those on one line do.
compared_all <- function() {
  set.seed(1)
  named <- c("shannon", "gini", "gain_ratio", "effcami1")
  tsallis <- lapply(c(0.2, 0.5, 0.8, 1.5, 3, 4, 5, 8), function(q) tec_criterion("tsallis", q = q))
  compare_criteria(Species ~ ., iris, criteria = c(as.list(named), tsallis), folds = 4)
}

test_that("names and ranks do not overlap", {
  compared <- compared_all()
  expect_identical(nrow(compared$table), 12L)
  shapes <- diagram_shapes(compared)
  names <- shapes$names
  left <- names$hjust == 1
  expect_lt(max(names$x[left]), min(names$x[!left]))
  expect_identical(unique(names$xmax[left]), shapes$wide[1])
  expect_identical(unique(names$xmax[!left]), shapes$wide[2])
  expect_equal(diff(names$y[left]), rep(-1, 5))
  expect_equal(diff(names$y[!left]), rep(1, 5))
  ticks <- shapes$ticks
  expect_lt(ticks$xmax[1] - ticks$x[1], 1)
  for (size in list(c(3.3, 3), c(7, 5), c(12, 8))) {
    grDevices::pdf(NULL, width = size[1], height = size[2])
    before <- graphics::par("mar", "xpd", "lheight")
    expect_identical(plot(compared), compared)
    expect_identical(graphics::par("mar", "xpd", "lheight"), before)
    graphics::par(mar = rep(0.5, 4), lheight = 0.85)
    page <- graphics::par("pin")
    unit <- (page[2] - 1) / diff(shapes$high)
    for (words in list(names, ticks)) {
      cex <- diagram_cex(words, page, shapes$wide, unit)
      room <- abs(words$xmax - words$x) / diff(shapes$wide) * page[1]
      expect_true(all(inches(words$label, cex) <= room))
      expect_gte(12 * cex, 4)
    }
    grDevices::dev.off()
  }
})

test_that("the ggplot has all names and ranks, as the table says", {
  skip_if_not_installed("ggplot2")
  compared <- compared_all()
  for (size in list(c(3.3, 3), c(7, 5))) {
    words <- page_words(ggplot2::autoplot(compared), size[1], size[2])
    expect_setequal(words$text, c(compared$table$criterion, 1:12))
    expect_identical(overlaps(words), character())
  }
})

test_that("criteria that grow the same tree are named below", {
  set.seed(1)
  compared <- compare_criteria(Species ~ ., iris,
    criteria = c("gini", "shannon", "tsallis", "cami", "gain_ratio"), q = 1:2, folds = 3
  )
  labels <- diagram_shapes(compared)$names$label
  expect_setequal(labels, c("gini (+1)", "shannon (+2)", "gain_ratio"))
  expect_identical(
    diagram_same(compared), "Same tree (+): gini / tsallis, q = 2; shannon / tsallis, q = 1 / cami"
  )
  expect_identical(diagram_same(compared_all()), "")
  skip_if_not_installed("ggplot2")
  caption <- ggplot2::autoplot(compared)$labels$caption
  expect_match(gsub("\n", " ", caption), diagram_same(compared), fixed = TRUE)
  skip_if_not_installed("vdiffr")
  vdiffr::expect_doppelganger("comparison same trees", function() plot(compared))
})

test_that("pictures of comparisons equal the reviewed ones", {
  skip_if_not_installed("vdiffr")
  compared <- compared_all()
  vdiffr::expect_doppelganger("comparison", function() plot(compared))
  skip_if_not_installed("ggplot2")
  skip_unless_ggplot2_draws_so()
  vdiffr::expect_doppelganger("gg comparison", ggplot2::autoplot(compared))
})
