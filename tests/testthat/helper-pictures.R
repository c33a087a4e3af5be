# The texts of a drawn tree as rectangles in inches, and whether any two of them overlap.

drawn_words <- function(fit, width = 7, height = 7, ...) {
  grDevices::pdf(NULL, width = width, height = height)
  on.exit(grDevices::dev.off())
  suppressMessages(plot(fit, labels = FALSE, legend = FALSE, main = "", ...))
  layout <- last_drawn$layout
  graphics::par(mar = rep(0.5, 4), lheight = 0.85)
  words <- layout_words(layout)
  wide <- mapply(
    function(t, f) graphics::strwidth(t, "inches", layout$cex, f), words$text, words$font
  )
  high <- graphics::strheight(words$text, "inches", layout$cex)
  left <- words$x - wide * words$adj
  out <- data.frame(
    text = words$text, left = left, right = left + wide,
    low = words$y - high / 2, high = words$y + high / 2
  )
  attr(out, "size") <- graphics::par("pin")
  attr(out, "layout") <- layout
  out
}

# The texts of a ggplot that is laid out when it is drawn, as rectangles in inches. Attributes: the
# grobs, and the size of their page.
page_words <- function(picture, width = 7, height = 5) {
  grDevices::pdf(NULL, width = width, height = height)
  on.exit(grDevices::dev.off())
  print(picture)
  grid::grid.force()
  path <- grid::grid.grep("^page", grep = TRUE, viewports = TRUE)
  grobs <- grid::grid.get(path)$children
  grid::seekViewport(utils::tail(strsplit(attr(path, "vpPath"), "::")[[1L]], 1L))
  page <- grid::unit(1, "npc")
  size <- c(grid::convertWidth(page, "inches", TRUE), grid::convertHeight(page, "inches", TRUE))
  rectangles <- lapply(Filter(function(grob) inherits(grob, "text"), grobs), function(grob) {
    n <- length(grob$label)
    points <- rep_len(grob$gp$fontsize, n)
    font <- rep_len(grob$gp$font %||% 1L, n)
    extent <- vapply(seq_len(n), function(i) {
      gp <- grid::gpar(fontsize = points[i], font = font[i], lineheight = grob$gp$lineheight)
      one <- grid::textGrob(grob$label[i], gp = gp)
      c(
        grid::convertWidth(grid::grobWidth(one), "inches", TRUE),
        grid::convertHeight(grid::grobHeight(one), "inches", TRUE)
      )
    }, c(0, 0))
    left <- as.numeric(grob$x) - extent[1L, ] * grob$hjust
    low <- as.numeric(grob$y) - extent[2L, ] / 2
    data.frame(
      text = grob$label, left = left, right = left + extent[1L, ], low = low,
      high = low + extent[2L, ], points = points, colour = grob$gp$col
    )
  })
  words <- do.call(rbind, unname(rectangles)) %||% data.frame()
  structure(words, grobs = grobs, size = size)
}

overlaps <- function(words, slack = 0.005) {
  n <- nrow(words)
  pairs <- if (n > 1L) utils::combn(n, 2L) else matrix(0L, 2L, 0L)
  a <- words[pairs[1L, ], ]
  b <- words[pairs[2L, ], ]
  meet <- pmin(a$right, b$right) - pmax(a$left, b$left) > slack &
    pmin(a$high, b$high) - pmax(a$low, b$low) > slack
  paste(a$text[meet], b$text[meet], sep = " | ")
}

expect_readable <- function(fit, ..., inside = TRUE) {
  words <- drawn_words(fit, ...)
  testthat::expect_identical(overlaps(words), character())
  if (inside) {
    size <- attr(words, "size")
    testthat::expect_gte(min(words$left), -0.02)
    testthat::expect_lte(max(words$right), size[1L] + 0.05)
    testthat::expect_gte(min(words$low), -0.05)
    testthat::expect_lte(max(words$high), size[2L] + 0.05)
  }
  invisible(words)
}

# That boxes stand apart, and no text lies over a picture.
expect_apart <- function(words) {
  layout <- attr(words, "layout")
  if (layout$direction != "down") {
    return(invisible(words))
  }
  boxes <- data.frame(
    text = layout$view$node, left = layout$x - layout$width / 2,
    right = layout$x + layout$width / 2, low = layout$top - layout$height, high = layout$top
  )
  testthat::expect_identical(overlaps(boxes), character())
  pictures <- boxes
  pictures$text <- paste("picture", boxes$text)
  pictures$high <- layout$top - layout$pad / 2 -
    layout$line * (text_lines(layout$text$title) + 0.2)
  pictures$low <- pictures$high - layout$picture
  shown <- rbind(words[names(boxes)], pictures[layout$picture > 0, ])
  testthat::expect_identical(overlaps(shown), character())
  invisible(words)
}

# More leaves than any page holds.
wide_path_tree <- function() {
  set.seed(1)
  d <- as.data.frame(matrix(stats::rnorm(6000), 2000))
  d$y <- factor(sample(c("a", "b", "c"), 2000, TRUE))
  full_tree(y ~ ., d, min_bucket = 3, max_depth = 9)
}

long_levels <- function() {
  titanic <- as.data.frame(Titanic)
  titanic <- titanic[rep(seq_len(nrow(titanic)), titanic$Freq), 1:4]
  set.seed(1)
  deck <- c(
    "upper deck, starboard side", "upper deck, port side", "lower deck, port side", "steerage"
  )
  titanic$Deck <- factor(sample(deck, nrow(titanic), TRUE))
  titanic$Month <- factor(sample(month.name, nrow(titanic), TRUE), month.name)
  titanic
}

odd_names <- function(names, levels) {
  d <- iris
  names(d)[1:4] <- names
  levels(d$Species) <- levels
  d
}

# The share of one class in each row, as it is printed.
# What predict() says of each node, to two digits.
predicted_texts <- function(fit) {
  prob <- leaf_shares(fit)
  matrix(sprintf("%.2f", prob), nrow(prob))
}

# The stored pictures were drawn by ggplot2 3. ggplot2 4 places texts and margins differently.
skip_unless_ggplot2_draws_so <- function() {
  skip_if(utils::packageVersion("ggplot2") >= "4", "the stored pictures are by ggplot2 3")
}
