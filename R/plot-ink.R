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

# What charts have in common.
check_page <- function(background, main, legend = TRUE, palette = NULL) {
  check_flag(legend, "legend", topic = "argument")
  if (!is.null(palette)) check_colours(palette, "palette")
  check_one_text(main, "main")
  if (is.null(background)) {
    return(invisible())
  }
  if (!is.character(background) || length(background) != 1L || !are_colours(background)) {
    tec_abort("argument", c(
      "{.arg background} must be one colour.", x = "It is {describe(background)}."
    ))
  }
}

check_one_text <- function(x, arg) {
  if (is.null(x)) {
    return(invisible())
  }
  if (!is_string(x)) {
    tec_abort("argument", c("{.arg {arg}} must be one text.", x = "It is {describe(x)}."))
  }
  utf8_text(x, paste0("{.arg ", arg, "}"), "argument", function(at) c("Text", at))
}

check_limits <- function(x, arg) {
  right <- is.numeric(x) && length(x) == 2L && all(is.finite(x)) && x[1L] != x[2L]
  if (!is.null(x) && !right) {
    tec_abort("argument", c("{.arg {arg}} must be two numbers.", x = "It is {describe(x)}."))
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
