# Forests, boosting, rotation forests, splines and Shapley values against naive implementations, on random
# problems: tests/testthat/helper-ensembles.R contains the topics, the helpers beside it the naive
# implementations.
#
#   Rscript bench/ensembles.R [problems per topic] [first seed] [topic ...]
#
# Prints the first differences of each topic, then a table. A difference, or an error, ends the script
# with status 1.

library(tectree)
directory <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1]))
helpers <- file.path(directory, "..", "tests", "testthat")
naive <- new.env(parent = asNamespace("tectree"))
for (file in c(
  "oracle-auto", "oracle-forest", "oracle-boost", "oracle-shap", "rotation", "mars", "ensembles"
)) {
  sys.source(file.path(helpers, paste0("helper-", file, ".R")), naive)
}

arguments <- commandArgs(TRUE)
problems <- if (length(arguments)) as.integer(arguments[1]) else 1000L
first <- if (length(arguments) > 1) as.integer(arguments[2]) else 1L
topics <- naive$ensemble_topics
asked <- arguments[-(1:2)]
if (length(asked)) topics <- topics[match.arg(asked, names(topics), several.ok = TRUE)]

table <- do.call(rbind, lapply(names(topics), function(topic) {
  differ <- 0L
  time <- system.time(for (seed in first + seq_len(problems) - 1L) {
    found <- tryCatch(topics[[topic]](seed), error = function(e) conditionMessage(e))
    if (length(found)) {
      differ <- differ + 1L
      if (differ <= 5L) cat(topic, ", seed ", seed, ": ", paste(found, collapse = "; "), "\n", sep = "")
    }
  })
  data.frame(topic, problems, differ, seconds = round(sum(time[1:2])))
}))
print(table, row.names = FALSE, right = FALSE)
quit(status = as.integer(any(table$differ > 0)))
