# Tested in test-plot-colours.R and test-chart.R.
# Colours for light and dark backgrounds.

is_dark <- function(colour) {
  if (is.null(colour) || is.na(colour) || colour == "transparent") {
    return(FALSE)
  }
  sum(grDevices::col2rgb(colour) * c(0.299, 0.587, 0.114)) < 130
}

# ground: the page; text; line: branches, axes; faint: grids; box: inner nodes; leaf: leaves.
ink_on <- function(ground = graphics::par("bg")) {
  if (is_dark(ground)) {
    return(list(
      ground = ground, text = "grey93", line = "grey70", frame = "grey75", faint = "grey35",
      box = "grey25", box_frame = "grey55", leaf = "grey12"
    ))
  }
  list(
    ground = if (is.null(ground) || ground %in% c("transparent", NA)) "white" else ground,
    text = "black", line = "grey45", frame = "grey40", faint = "grey88", box = "grey94",
    box_frame = "grey70", leaf = "white"
  )
}

# What all charts have: the colour of the ground, and the title.
check_page <- function(background, main) {
  if (!is.null(main) && !(is.atomic(main) && length(main) == 1L || is.language(main))) {
    tec_abort("argument", c("{.arg main} must be one text.", x = "It is {describe(main)}."))
  }
  if (is.character(main)) utf8_text(main, "{.arg main}", "argument", function(at) c("Text", at))
  if (is.null(background)) {
    return(invisible())
  }
  known <- is.character(background) && length(background) == 1L && !is.na(background) &&
    !inherits(try(grDevices::col2rgb(background), silent = TRUE), "try-error")
  if (!known) {
    tec_abort("argument", c(
      "{.arg background} must be one colour.", x = "It is {describe(background)}."
    ))
  }
}

# Fills the figure that was just opened; its layout may hold others.
paint_ground <- function(background) {
  if (is.null(background)) {
    return(invisible())
  }
  graphics::par(bg = background, new = FALSE)
  x <- graphics::grconvertX(0:1, "nfc", "user")
  y <- graphics::grconvertY(0:1, "nfc", "user")
  graphics::rect(x[1L], y[1L], x[2L], y[2L], col = background, border = NA, xpd = NA)
}
