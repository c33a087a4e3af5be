# Writes vignettes/articles/check-learners.csv: what tec_check_learner() finds in ten packages. Run
# at the root of the sources, with the packages installed: Rscript data-raw/check-learners.R
library(tectree)
source("vignettes/articles/check-learners.R")
results <- lapply(names(learners), function(package) {
  version <- as.character(utils::packageVersion(package))
  cbind(package, version, as.data.frame(learners[[package]]()))
})
results <- do.call(rbind, results)
results$difference <- signif(results$difference, 2)
utils::write.csv(results, "vignettes/articles/check-learners.csv", row.names = FALSE)
