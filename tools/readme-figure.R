# Draws the picture of README.md. From the root of the repository, with the package installed:
# Rscript tools/readme-figure.R
library(tectree)

fit <- tec_tree(Species ~ ., iris, q = 1.5, min_bucket = 10)
dir.create("man/figures", showWarnings = FALSE)
png("man/figures/README-tree.png", width = 980, height = 600, res = 140)
plot(fit)
invisible(dev.off())
