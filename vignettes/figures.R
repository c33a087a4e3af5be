# How the vignettes show code and figures: SVG within the page, without what svglite repeats on
# every line. Read by each vignette's first chunk.

# knitr lays plots out for Helvetica, whatever font svglite then finds. So fonts as wide as that
# come first, and each text has the length of Helvetica, whatever font the reader has.
svg_style <- paste0(
  "svg.figure text { white-space: pre; font-size: 12px; font-family: Helvetica, Arial, ",
  "\"Liberation Sans\", \"Nimbus Sans\", \"DejaVu Sans Condensed\", sans-serif; }",
  "svg.figure line, svg.figure polyline, svg.figure polygon, svg.figure path, svg.figure rect, ",
  "svg.figure circle { fill: none; stroke: #000; stroke-width: 0.75; stroke-linecap: round; ",
  "stroke-linejoin: round; stroke-miterlimit: 10; }"
)

# Numbers to a tenth of a point, without the usual style.
lean_tags <- function(tags) {
  tags <- gsub("([0-9]\\.[0-9])[0-9]+", "\\1", tags)
  tags <- gsub("\\.0(?=[^0-9])", "", tags, perl = TRUE)
  tags <- gsub(" ?font-family: \"[^\"]+\";", "", tags)
  tags <- gsub("(font-size: 12px|stroke-width: 0\\.7);? ?", "", tags)
  tags <- gsub("; ", ";", gsub(": ", ":", tags, fixed = TRUE), fixed = TRUE)
  tags <- gsub(" style=''", "", gsub(";'", "'", tags, fixed = TRUE), fixed = TRUE)
  gsub(" />", "/>", tags, fixed = TRUE)
}

# The texts of a figure with the lengths that they have in Helvetica.
helvetica_lengths <- function(svg) {
  at <- gregexpr("<text[^>]* textLength='[^']*'[^>]*>[^<]*</text>", svg)
  tags <- regmatches(svg, at)[[1]]
  if (length(tags) == 0) {
    return(svg)
  }
  text <- gsub("^<text[^>]*>|</text>$", "", tags)
  codes <- c("&lt;" = "<", "&gt;" = ">", "&quot;" = "\"", "&apos;" = "'", "&amp;" = "&")
  for (code in names(codes)) text <- gsub(code, codes[[code]], text, fixed = TRUE)
  # Letters that Helvetica does not have, such as "≤", are about as wide as "x".
  text <- gsub("[^\\x{01}-\\x{ff}]", "x", text, perl = TRUE)
  size <- as.numeric(sub("px.*", "", sub(".*font-size: *", "", tags)))
  bold <- grepl("font-weight: *(bold|[67]00)", tags)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  graphics::plot.new()
  inches <- mapply(function(text, size, font) {
    graphics::strwidth(text, "inches", cex = size / 12, font = font)
  }, text, size, 1 + bold)
  new <- sprintf("textLength='%.1f'", 72 * inches)
  regmatches(svg, at)[[1]] <- mapply(function(tag, length) {
    sub("textLength='[^']*'", length, tag)
  }, tags, new, USE.NAMES = FALSE)
  svg
}

# A file of svglite's as an element of the page.
lean_svg <- function(file, alt) {
  svg <- paste(readLines(file, encoding = "UTF-8", warn = FALSE), collapse = "\n")
  box <- regmatches(svg, regexpr("(?<=viewBox=')[^']+", svg, perl = TRUE))
  width <- strsplit(box, " ")[[1]][3]
  svg <- gsub("\n\\s*", "\n", sub("(?s)^.*?</style>\\s*</defs>", "", svg, perl = TRUE))
  svg <- helvetica_lengths(svg)
  # What is written in the figure stays as it is.
  tags <- gregexpr("<[^>]+>", svg)
  regmatches(svg, tags) <- lapply(regmatches(svg, tags), lean_tags)
  head <- sprintf(
    "<svg class='figure' role='img' aria-label='%s' viewBox='%s' style='width:%spt;max-width:100%%'>",
    gsub("'", "&#39;", alt, fixed = TRUE), box, width
  )
  paste0(head, "\n<style>", svg_style, "</style>", svg)
}

local({
  image <- knitr::knit_hooks$get("plot")
  knitr::knit_hooks$set(plot = function(x, options) {
    if (!endsWith(x, ".svg")) {
      return(image(x, options))
    }
    figure <- lean_svg(x, if (is.null(options$fig.alt)) "" else options$fig.alt)
    paste0("\n\n```{=html}\n<p style='text-align:center'>\n", figure, "</p>\n```\n\n")
  })
})

knitr::opts_chunk$set(
  collapse = TRUE, comment = "#>", fig.width = 7, fig.height = 4, dpi = 96, fig.retina = 2,
  dev = if (requireNamespace("svglite", quietly = TRUE)) "svglite" else "png",
  dev.args = list(bg = "white"), fig.align = "center"
)
