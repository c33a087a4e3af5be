# Osei-Bryson & Giles, table 2: readings of the rules that might give the paper's figures where rules.R does not. They
# are not settings of the package: rules_variants.patch, applied to its source of commit cef4340, puts each behind an
# environment variable, and this script needs the package built that way.
#
# * no deduction: C4.5's deduction from a numeric attribute's gain for its many cuts is omitted.
#   (Meant for the five rules other than gain_ratio.)
# * shut out: with effcami1 an attribute with many levels cannot win: one with at least 0.3 times
#   as many levels as there are rows. C4.5 only excludes these from the mean.
# * window: effcami1 takes attributes within one standard deviation of the mean, on both sides.
# * SI: SupCAMI is the split information even if there are more branches than classes.
# * known rows: cond_entropy minimises the conditional entropy of the rows with a known value,
#   regardless of their number.
# * unknown as pure: the same, times the share of these rows: the others count as if their class
#   were known.
# * joint: CAIR is CAMI divided by the joint entropy of class and attribute. in node: divided by
#   log2 of the classes present in the node, if these are more than the branches.
#
# Rscript rules_variants.R [data folder] [--repeats=5] [--out=results] [--name=rules_variants]

library(tectree)
source("common.R", local = TRUE)
rules_script <- read_functions("rules.R")

numeric_sets <- c(
  "IRIS", "Credit Approval", "Abalone", "Wave", "Glass", "Page Blocks", "Wine", "Yeast", "Pima",
  "Heart", "Hepatitis", "Segment", "Sick", "Sonar"
)
many_branches <- c("Breast Cancer", "Credit Approval", "Zoo", "Audiology", "Splice")
holed_sets <- c("Credit Approval", "Soybean", "Audiology", "Hepatitis", "Tumor", "Sick")
readings <- list(
  "no deduction" = list(sets = numeric_sets),
  "shut out" = list(sets = many_branches, TECTREE_SHUT_MANY = "1"),
  window = list(sets = many_branches, TECTREE_WINDOW = "1"),
  SI = list(sets = many_branches, TECTREE_SUP = "s"),
  "known rows" = list(sets = holed_sets, TECTREE_CE = "k"),
  "unknown as pure" = list(sets = holed_sets, TECTREE_CE = "s"),
  joint = list(sets = c("Credit Approval", "Nursery", "Splice"), TECTREE_CAIR = "j"),
  "in node" = list(sets = c("Credit Approval", "Nursery", "Splice"), TECTREE_CAIR = "k")
)

run_reading <- function(reading, options) {
  variables <- readings[[reading]][names(readings[[reading]]) != "sets"]
  do.call(rbind, lapply(readings[[reading]]$sets, function(dataset) {
    runs <- apart(c(TECTREE_NO_DEDUCTION = "1", variables), function() {
      do.call(rbind, lapply(seq_len(options$repeats), function(r) {
        job <- list(file = rules_script$files[[dataset]][1], repeat_ = r)
        rules_script$run_repeat(job, options$data)
      }))
    })
    groups <- split(runs, factor(runs$rule, rules_script$rules))
    data.frame(
      reading = reading, dataset = dataset, rule = names(groups), repeats = options$repeats,
      accuracy = vapply(groups, function(rows) mean(rows$accuracy), 0),
      run_sd = vapply(groups, function(rows) stats::sd(rows$accuracy), 0)
    )
  }))
}

main <- function() {
  options <- script_options(list(repeats = 5, out = "results", name = "rules_variants"))
  check_patched()
  out <- do.call(rbind, lapply(names(readings), run_reading, options = options))
  paper <- rules_script$paper_cells(options$data)
  at <- match(paste(out$dataset, out$rule), paste(paper$dataset, paper$rule))
  out$paper <- paper$paper[at]
  out$difference <- out$accuracy - out$paper
  write_results(out, options, paste0(options$name, ".csv"))
}

main()
