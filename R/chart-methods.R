# Tested in test-chart.R and test-importance-plot.R.
# plot() and autoplot() of what one chart shows, which `make(ink)` makes.

# `given`: further arguments of plot(), for adjust_chart().
plot_chart <- function(x, make, main, background, palette = NULL, legend = TRUE, given = list()) {
  plain_numbers()
  check_page(background, main, legend, palette)
  chart <- adjust_chart(make(ink_on(background %||% graphics::par("bg"))), given, "plot")
  chart$title <- main %||% chart$title
  draw_chart(chart, legend, background)
  invisible(x)
}

autoplot_chart <- function(make, main, background, palette = NULL, legend = TRUE) {
  plain_numbers()
  need_package("ggplot2", "autoplot")
  check_page(background, main, legend, palette)
  chart <- make(ink_on(background %||% theme_ground()))
  chart$title <- main %||% chart$title
  gg_chart(chart, legend, background)
}
