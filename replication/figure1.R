# Wang, Song & Xia, figure 1: accuracy and number of nodes against q on Glass. The paper
# has the best accuracy at q = 2.6 and the fewest nodes at q = 3.9.
#
# Rscript figure1.R [data folder] [--repeats=10] [--out=results]

library(tectree)
source("common.R", local = TRUE)

main <- function() {
  options <- script_options(list(repeats = 10, out = "results"))
  curves <- lapply(c("glass", "glass_id"), function(name) {
    data <- read_data(options$data, name)
    set.seed(1)
    tuned <- suppressMessages(
      tec_tune(
        class ~ ., data,
        q = seq(0.1, 10, by = 0.1), repeats = options$repeats, prune = "none"
      )
    )
    table <- as.data.frame(tuned)
    cbind(
      data.frame(dataset = name, repeats = options$repeats),
      table[c("q", "accuracy", "accuracy_se", "nodes", "nodes_se", "chosen")]
    )
  })
  write_results(do.call(rbind, curves), options, "figure1.csv")
}

main()
