# A tree on variables whose names begin alike and on a factor with long levels.
engine_tree <- function() {
  set.seed(1)
  n <- 400
  d <- data.frame(engine_size = rnorm(n), engine_location = rnorm(n))
  d$engine_type <- factor(sample(c("dohc", "ohcv", "rotor", "l", "ohcf"), n, TRUE))
  purposes <- c(
    "domestic appliance", "car (new)", "car (used)", "radio/tv", "education", "retraining",
    "repairs"
  )
  d$purpose <- factor(sample(purposes, n, TRUE))
  some <- d$engine_location > 0.3 & d$purpose %in% purposes[c(1, 2, 7)]
  d$y <- factor(c("acceptable", "unacceptable", "very good")[1 + (d$engine_size > 0) + some])
  tec_tree(y ~ ., d, max_leaves = 14, prune = "none", missing = "fractional")
}

# Texts without line breaks: a space was there, or nothing after a sign within a name.
one_line <- function(text) gsub("(?<=[._,/-])\n(?=\\S)", "", gsub("\n", " ", text), perl = TRUE)
plain_text <- function(text) gsub("[ \n]", "", plain_signs(text))

test_that("every branch has its whole condition, and nodes their prediction and its share", {
  fits <- list(
    tec_tree(Species ~ ., iris, prune = "none"), engine_tree(),
    tec_tree(PlayTennis ~ ., play_tennis, preset = "id3")
  )
  for (fit in fits) {
    for (direction in c("down", "right")) {
      words <- expect_readable(fit, width = 12, height = 8, direction = direction)
      layout <- attr(words, "layout")
      conditions <- labels(fit, digits = 5)
      expect_identical(
        plain_text(layout$text$edge[-1]), unname(plain_text(conditions[layout$view$node[-1]]))
      )
      expect_identical(layout$text$edge[1], "")
      share <- predicted_texts(fit)[cbind(seq_along(fit$tree$yval), fit$tree$yval)]
      share <- share[layout$view$node]
      expect_identical(layout$view$title, paste(layout$view$value, share))
      expect_true(all(plain_text(layout$view$title) %in% plain_text(words$text)))
    }
  }
})

test_that("above a branch of the sideways tree stands its own condition, below it its own node", {
  words <- expect_readable(engine_tree(), direction = "right", width = 7, height = 5)
  layout <- attr(words, "layout")
  shown <- layout_words(layout)
  for (i in which(!layout$view$leaf)[-1]) {
    here <- shown[abs(shown$x - layout$x[i] - layout$gap) < 1e-9, ]
    above <- here[here$text == layout$text$edge[i] & here$y > layout$y[i], ]
    below <- here[here$text == layout$text$title[i] & here$y < layout$y[i], ]
    expect_gte(min(abs(above$y - layout$y[i])), 0)
    expect_gte(nrow(above), 1)
    expect_gte(nrow(below), 1)
  }
})

test_that("levels are listed where there is room, and counted where there is none", {
  fit <- engine_tree()
  large <- drawn_words(fit, width = 12, height = 8)$text
  expect_false(any(grepl("\\+[0-9]", large)))
  expect_true(any(grepl("domestic appliance", gsub("\n", " ", large), fixed = TRUE)))
  parts <- list(
    name = "purpose", rest = "in {domestic appliance, car, radio}", short = "",
    sets = list(c("domestic appliance", "car", "radio"))
  )
  parts$short <- parts$rest
  fitted <- function(width, lines) fit_conditions(parts, width, lines, nchar)
  expect_identical(c(fitted(50, 1)), "purpose in {domestic appliance, car, radio}")
  expect_identical(attr(fitted(50, 1), "lost"), 0L)
  expect_identical(c(fitted(36, 1)), "purpose in {domestic appliance, +2}")
  expect_identical(attr(fitted(36, 1), "lost"), 1L)
  expect_identical(c(fitted(20, 3)), "purpose in {domestic\nappliance, car,\nradio}")
})

test_that("of a condition the sign and the number stay, whatever the width", {
  parts <- list(
    name = c("engine_size", "engine_location", "engine_type_of_the_car"),
    rest = c("<= 26.282", "> 26.282", "<= 1.5"), short = c("<= 26.3", "> 26.3", "<= 1.5"),
    sets = vector("list", 3)
  )
  for (width in 14:30) {
    for (lines in 1:3) {
      text <- fit_conditions(parts, width, lines, nchar, short = TRUE)
      expect_lte(max(nchar(unlist(strsplit(text, "\n")))), width)
      end <- gsub("\n", " ", c(text))
      expect_true(all(endsWith(end, parts$rest) | endsWith(end, parts$short)))
      # And no two begin alike.
      expect_false(anyDuplicated(sub(" ?[<>].*", "", end)) > 0)
    }
  }
})

test_that("no two names become the same text", {
  set.seed(1)
  random <- function() {
    parts <- replicate(3, strrep(sample(letters, 1), sample(1:20, 1)))
    vapply(1:6, function(i) {
      parts[sample(3, 1)] <- paste(sample(letters, sample(1:9, 1), TRUE), collapse = "")
      paste(parts, collapse = "")
    }, "")
  }
  for (i in 1:100) {
    names <- random()
    for (width in c(4, 7, 12)) {
      short <- shorten_apart(names, width, nchar)
      expect_identical(match(short, short), match(names, names))
      expect_identical(short[nchar(names) <= width], names[nchar(names) <= width])
    }
  }
  engine <- shorten_apart(c("engine_size", "engine_type", "engine_location"), 7, nchar, "~")
  expect_identical(engine, c("eng~ize", "eng~ype", "eng~ion"))
  # What tells them apart stays, also in the middle.
  middle <- shorten_apart(paste0("a_long_name_", c(1, 2, 33), "_of_something"), 9, nchar)
  expect_true(all(mapply(grepl, c("1", "2", "33"), middle)))
  expect_lte(max(nchar(middle)), 9)
  expect_identical(shorten_apart(c("same", "same"), 3, nchar)[1], shorten_apart("same", 3, nchar))
})

test_that("branches are named by words, values or conditions", {
  fit <- tec_tree(Species ~ ., iris, prune = "none")
  view <- function(...) tree_view(fit, Inf, NULL, tree_looks(fit, ...), signs = FALSE)
  first <- which(fit$tree$parent > 0 & node_branches(fit$tree) == 0)
  inner <- fit$tree$kind != 0
  asked <- view(branches = "yes/no")
  expect_setequal(asked$edge[-1], c("yes", "no"))
  expect_identical(unique(asked$edge[first]), "yes")
  conditions <- labels(fit, digits = 5)
  expect_identical(asked$ask[fit$tree$parent[first]], unname(paste0(conditions[first], "?")))
  expect_identical(unique(asked$ask[!inner]), "")
  sided <- view(branches = "left/right")
  expect_identical(sided$ask[1], unname(conditions[2]))
  expect_identical(sided$edge[2:3], c("left", "right"))
  valued <- view(branches = "value")
  expect_identical(valued$title[inner], as.data.frame(fit)$variable[inner])
  expect_identical(valued$edge[2:3], c("<= 2.45", "> 2.45"))
  # To the right a node does not stand between its branches: conditions are whole there.
  words <- drawn_words(fit, branches = "value", direction = "right")
  expect_true("Petal.Length <= 2.45" %in% words$text)
  # More than two branches have no yes and no.
  tennis <- tec_tree(PlayTennis ~ ., play_tennis, preset = "id3")
  edge <- tree_view(tennis, Inf, NULL, tree_looks(tennis, branches = "yes/no"))$edge
  expect_true(all(c("Outlook = sunny", "yes", "no") %in% edge))
  for (branches in branch_texts) {
    for (direction in c("down", "right")) {
      expect_readable(fit, branches = branches, direction = direction)
    }
  }
  expect_error(plot(fit, branches = "words"), class = "tec_error_argument")
})

test_that("rpart.plot's looks are one argument", {
  fit <- tec_tree(Species ~ ., iris, prune = "none")
  looks <- tree_looks(fit, style = "rpart.plot")
  view <- tree_view(fit, Inf, NULL, looks)
  share <- apply(predicted_texts(fit), 1, paste, collapse = " ")
  expect_identical(view$extra, paste0(share, "\n", percent_text(fit$tree$n / 150), "%"))
  expect_identical(view$edge, c("", "yes", "no", rep("", nrow(view) - 3)))
  colours <- view_colours(fit, view, class_colours(3))
  fill <- grDevices::col2rgb(box_fills(view, colours, ink_on("white")))
  # The purer, the stronger the colour.
  strength <- colSums(255 - fill)
  one <- which(fit$tree$yval == 2)
  expect_identical(order(strength[one]), order(fit$tree$prob[one, 2]))
  for (f in list(fit, tec_tree(mpg ~ ., mtcars), tec_tree(Species ~ ., iris, max_depth = 0))) {
    for (page in list(c(3.3, 3), c(7, 5), c(12, 8))) {
      words <- expect_readable(f, style = "rpart.plot", width = page[1], height = page[2])
      expect_identical(attr(words, "layout")$direction, "down")
      expect_apart(words)
    }
  }
  expect_error(plot(fit, style = "rpart"), class = "tec_error_argument")
})

test_that("names that just fit their branch are not shortened", {
  parts <- list(
    name = c("abcde", "abcde", ""), rest = c("< 1", ">= 1", ""), short = c("< 1", ">= 1", ""),
    sets = list(NULL, NULL, NULL)
  )
  expect_null(short_conditions(parts, 10, 1L, nchar))
})

test_that("a break takes the space before it out of the width", {
  pieces <- text_pieces("ab cd", function(x) 2 * nchar(x))
  expect_identical(pieces$stop, c(4, 10))
  expect_identical(pieces$next_start, c(6, 10))
})
