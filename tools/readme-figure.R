# Draws the figure of README.md as SVG. Run at the root of the repository, with the package
# installed: Rscript tools/readme-figure.R
library(tectree)

fit <- tec_tree(Species ~ ., iris)
dir.create("man/figures", showWarnings = FALSE)
svglite::svglite("man/figures/README-tree.svg", width = 7, height = 4.3, bg = "white")
plot(fit)
invisible(dev.off())

# For machines without that font: Verdana has the same widths.
file <- "man/figures/README-tree.svg"
writeLines(gsub('"DejaVu Sans"', '"DejaVu Sans", Verdana, sans-serif', readLines(file)), file)
