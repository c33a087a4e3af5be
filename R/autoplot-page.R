# A ggplot does not know the size of its page until it is drawn. So the plot contains several
# versions of the tree, with fewer and fewer levels, and draws the largest readable one.

# The least size of letters in points: of a part, of the first version, and where hardly anything
# would be left.
readable_points <- c(part = 5, first = 4.5, least = 4)

# The versions as one data frame per layer, in the units of the first.
stack_versions <- function(layouts, layer) {
  first <- layouts[[1L]]
  lines <- page_lines(first$view)
  parts <- lapply(seq_along(layouts), function(i) {
    layout <- layouts[[i]]
    out <- layer(layout)
    across <- intersect(names(out), c("x", "xend", "xmin", "xmax"))
    down <- intersect(names(out), c("y", "yend", "ymin", "ymax"))
    own <- page_lines(layout$view)
    out[across] <- lapply(out[across], function(x) x * first$width / layout$width)
    out[down] <- lapply(out[down], function(y) {
      lines[1L] + (y - own[1L]) * diff(lines) / diff(own)
    })
    out$version <- rep(i, nrow(out))
    out
  })
  do.call(rbind, parts)
}

# The data for the choice at drawing time; `tell` is called once, with the version.
version_choice <- function(layouts, words, tell) {
  choice <- new.env(parent = emptyenv())
  choice$words <- if (length(words)) split(words, words$version)
  choice$levels <- vapply(layouts, function(layout) max(layout$view$level), 0)
  choice$row <- vapply(layouts, function(layout) {
    1 / diff(page_lines(layout$view)) / (layout$crowd %||% 1)
  }, 0)
  choice$width <- layouts[[1L]]$width
  choice$tell <- tell
  choice
}

drawn_version <- function(choice) {
  if (length(choice$levels) == 1L) {
    return(1L)
  }
  page <- c(
    grid::convertWidth(grid::unit(1, "npc"), "inches", valueOnly = TRUE),
    grid::convertHeight(grid::unit(1, "npc"), "inches", valueOnly = TRUE)
  )
  if (!identical(choice$page, page)) {
    points <- mapply(function(words, row) {
      words[c("x", "xmax")] <- words[c("x", "xmax")] / choice$width
      wide <- text_inches(written(words$label), ifelse(words$bold, "bold", "plain"), 10)
      fitting_points(words, wide, page, row)
    }, choice$words, choice$row)
    choice$page <- page
    choice$version <- readable_version(points, choice$levels)
  }
  if (choice$version > 1L && is.null(choice$told)) {
    choice$told <- TRUE
    choice$tell(choice$version)
  }
  choice$version
}

# The first readable version; small letters are preferred to an almost empty tree.
readable_version <- function(points, levels) {
  if (points[1L] >= readable_points[["first"]]) {
    return(1L)
  }
  part <- match(TRUE, points >= readable_points[["part"]])
  small <- match(TRUE, points >= readable_points[["least"]] & levels >= 2)
  if (!is.na(part) && (levels[part] >= 2 || is.na(small))) {
    return(part)
  }
  if (is.na(small)) which.max(points) else small
}

#' @exportS3Method grid::makeContent
makeContent.tec_versions <- function(x) {
  part <- x$parts[[as.character(drawn_version(x$choice))]]
  grid::setChildren(x, grid::gList(part %||% grid::nullGrob()))
}

# A line per leaf, and no fewer than four, so that a small tree has no huge bars.
page_lines <- function(view) {
  leaves <- sum(view$leaf)
  (c(-1, 1) * max(leaves, 4) - leaves) / 2
}
