# How the vignettes show code and figures: SVG within the page, without what svglite repeats on
# every line. Read by each vignette's first chunk.

# knitr lays plots out for Helvetica, whatever font svglite then finds: so only fonts as wide as that.
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
  tags <- gsub(" lengthAdjust='spacingAndGlyphs'", "", tags, fixed = TRUE)
  gsub(" />", "/>", gsub(" textLength='[0-9.]+px'", "", tags), fixed = TRUE)
}

# A file of svglite's as an element of the page.
lean_svg <- function(file, alt) {
  svg <- paste(readLines(file, encoding = "UTF-8", warn = FALSE), collapse = "\n")
  box <- regmatches(svg, regexpr("(?<=viewBox=')[^']+", svg, perl = TRUE))
  width <- strsplit(box, " ")[[1]][3]
  svg <- gsub("\n\\s*", "\n", sub("(?s)^.*?</style>\\s*</defs>", "", svg, perl = TRUE))
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
