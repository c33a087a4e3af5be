# Colours of classes and numbers.

# Fourteen colours that colour-blind people can tell apart: those of Okabe and Ito (2008)
# without black, then seven chosen such that any two differ by 10 or more (CIEDE2000), as
# seen by trichromats and in simulations of protanopia, deuteranopia and tritanopia.
apart_colours <- c(
  "#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7",
  "#3C3C3C", "#960F00", "#C3E1F0", "#780069", "#5A6969", "#0000D2", "#C3C3B4"
)

class_colours <- function(k) shaded(apart_colours, k)

# Those of the fourteen that are visible as thin lines on white.
line_colours <- function(n) {
  shaded(apart_colours[c(5L, 6L, 3L, 1L, 2L, 7L, 8L, 9L, 11L, 12L, 13L)], n)
}

# Further classes get darker shades.
shaded <- function(base, k) {
  most <- length(base)
  colours <- base[(seq_len(k) - 1L) %% most + 1L]
  if (k <= most) {
    return(colours)
  }
  shade <- (seq_len(k) - 1L) %/% most
  mix <- shade / (max(shade) + 1)
  grDevices::rgb(t(grDevices::col2rgb(colours) / 255 * rep(1 - 0.65 * mix, each = 3)))
}

# Light to dark blue for numbers.
number_colours <- c("#DEEBF7", "#0072B2")

value_colours <- function(x, ends = number_colours) {
  range <- range(x)
  at <- if (diff(range) > 0) (x - range[1L]) / diff(range) else rep(0.5, length(x))
  grDevices::rgb(grDevices::colorRamp(ends)(at), maxColorValue = 255)
}

# The colours of all classes, or the ends of the scale of numbers.
class_palette <- function(fit, palette) {
  numbers <- fit$response$task == "regression"
  needed <- if (numbers) 2L else length(fit$response$levels)
  out <- palette %||% if (numbers) number_colours else class_colours(needed)
  if (length(out) < needed) abort_palette(needed, palette)
  out
}

# Names, codes such as "#0072B2", or numbers of R's palette().
are_colours <- function(x) {
  (is.character(x) || is.numeric(x) && !is.object(x) && all_in_range(x, 0, 1e6)) &&
    is.null(dim(x)) && length(x) > 0L && !anyNA(x) &&
    !inherits(try(grDevices::col2rgb(x), silent = TRUE), "try-error")
}

check_colours <- function(x, arg, several = TRUE) {
  if (!are_colours(x) || !several && length(x) != 1L) {
    what <- if (several) "colours" else "one colour"
    tec_abort("argument", c("{.arg {arg}} must be {what}.", x = "It is {describe(x)}."))
  }
  x
}

# list(class = a colour per class, node = a colour per node drawn, shares).
view_colours <- function(fit, view, colours) {
  if (fit$response$task == "regression") {
    return(list(node = value_colours(view$yval, colours)))
  }
  list(class = colours, node = colours[view$yval], shares = attr(view, "shares"))
}

abort_palette <- function(needed, palette) {
  tec_abort("argument", c(
    "{.arg palette} must have {needed} colour{?s}.",
    x = "It has {length(palette)}."
  ))
}
