# Draws the picture of README.md. From the root of the repository, with the package installed:
# Rscript tools/readme-figure.R
library(tectree)

fit <- tec_tree(Species ~ ., iris)
dir.create("man/figures", showWarnings = FALSE)
png("man/figures/README-tree.png", width = 1400, height = 860, res = 200)
plot(fit)
invisible(dev.off())
