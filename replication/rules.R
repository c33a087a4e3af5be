# Osei-Bryson & Giles, tables 2 and 3: six rules in C4.5's engine, by 10-fold cross-validation.
#
# A repeat draws stratified folds; all rules grow from the same ones. A cell is the share of all
# rows predicted correctly while held out. The paper has one run of each: its noise is the standard
# deviation between our repeats, whose rows are always the same.
#
# Rscript rules.R [data folder] [--repeats=10] [--cores=2] [--out=results] [--name=rules]

library(tectree)
source("common.R", local = TRUE)

rules <- c("gain_ratio", "cond_entropy", "cami", "cair", "effcami0", "effcami1")

# The paper's names, and ours. If a name can mean several files, the first is the reading assumed
# for the paper: with its identifier for Zoo and Splice, as in Weka.
files <- list(
  IRIS = "iris", "Breast Cancer" = c("breast_cancer", "breast_w"),
  "Credit Approval" = "credit_approval", Car = "car", Abalone = c("abalone", "abalone_3_20"),
  Wave = c("waveform21", "waveform40"), Glass = "glass", Soybean = "soybean",
  "Page Blocks" = "page_blocks", Mushroom = "mushroom", Wine = "wine", Yeast = "yeast",
  Zoo = c("zoo_animal", "zoo"), Pima = "pima", Nursery = "nursery", Audiology = "audiology",
  Heart = "heart_statlog", Hepatitis = "hepatitis", Tumor = "primary_tumor", Chess = "kr_vs_kp",
  Letter = "letter", Segment = "segment", Sick = "sick", Sonar = "sonar",
  Splice = c("splice_name", "splice")
)

# Columns of table 3: its name, the two rules, and the paper's word for their victories.
pairs <- data.frame(
  pair = c(
    "gr_ce", "gr_effcami0", "gr_effcami1", "gr_cair", "cair_effcami0", "cair_effcami1",
    "ce_cair", "cami_cair"
  ),
  first = c(
    "gain_ratio", "gain_ratio", "gain_ratio", "gain_ratio", "cair", "cair", "cond_entropy", "cami"
  ),
  second = c(
    "cond_entropy", "effcami0", "effcami1", "cair", "effcami0", "effcami1", "cair", "cair"
  )
)
called <- c(
  gain_ratio = "GR", cond_entropy = "CE", cami = "CAMI", cair = "CAIR", effcami0 = "EffCAMI_0",
  effcami1 = "EffCAMI_1"
)

# Each class is spread over the folds as evenly as possible.
draw_folds <- function(class, k = 10) {
  order <- sample.int(length(class))
  order <- order[order(class[order])]
  fold <- integer(length(class))
  fold[order] <- rep_len(sample.int(k), length(class))
  fold
}

run_repeat <- function(job, folder) {
  data <- read_data(folder, job$file)
  set.seed(job$repeat_)
  folds <- draw_folds(data$class)
  quietly <- function(x) suppressWarnings(suppressMessages(x))
  compared <- quietly(
    compare_criteria(class ~ ., data, rules, preset = "c45", folds = folds, threads = 1)
  )
  values <- as.data.frame(compared, what = "folds")
  rows <- tabulate(folds)[values$fold]
  right <- tapply(values$accuracy * rows, values$criterion, sum)[rules]
  data.frame(
    file = job$file, repeat_ = job$repeat_, rule = rules,
    accuracy = as.vector(100 * round(right) / nrow(data)),
    nodes = as.vector(tapply(values$nodes, values$criterion, mean)[rules])
  )
}

# The table of a paper's figures with one row per cell.
paper_cells <- function(folder) {
  paper <- utils::read.csv(file.path(folder, "tables", "og_table2.csv"))
  data.frame(
    dataset = rep(paper$dataset, length(rules)), rule = rep(rules, each = nrow(paper)),
    paper = unlist(paper[rules], use.names = FALSE)
  )
}

# A cell beside the paper's. `run_sd` is the noise of one run like the paper's; `difference_se`
# includes that of our mean. `departures` counts the standard errors.
compare_with_paper <- function(runs, paper) {
  cells <- do.call(rbind, lapply(names(files), function(dataset) {
    do.call(rbind, lapply(files[[dataset]], function(file) {
      do.call(rbind, lapply(rules, function(rule) {
        rows <- runs[runs$file == file & runs$rule == rule, ]
        n <- nrow(rows)
        data.frame(
          dataset = dataset, file = file, reading = match(file, files[[dataset]]), rule = rule,
          repeats = n, paper = paper$paper[paper$dataset == dataset & paper$rule == rule],
          accuracy = mean(rows$accuracy), run_sd = stats::sd(rows$accuracy),
          nodes = mean(rows$nodes), nodes_se = se_of(rows$nodes)
        )
      }))
    }))
  }))
  cells$difference <- cells$accuracy - cells$paper
  cells$difference_se <- cells$run_sd * sqrt(1 + 1 / cells$repeats)
  # The paper's figures have two digits.
  equal <- abs(cells$difference) < 0.005
  cells$departures <- ifelse(equal, 0, cells$difference / cells$difference_se)
  cells
}

# A difference of at most half a point is a tie.
verdict <- function(a, b, pair) {
  # For figures with two digits, as in the paper.
  d <- round(round(a, 2) - round(b, 2), 2)
  ifelse(abs(d) <= 0.5, "TIE", ifelse(d > 0, called[pairs$first[pair]], called[pairs$second[pair]]))
}

verdicts_of <- function(accuracy) {
  vapply(seq_len(nrow(pairs)), function(pair) {
    verdict(accuracy[[pairs$first[pair]]], accuracy[[pairs$second[pair]]], pair)
  }, "")
}

# The 200 verdicts: the paper's, those implied by its own figures, those of our means, and how often
# one run of ours agrees with the paper's verdict, and with another run of ours.
compare_verdicts <- function(runs, paper, table3) {
  do.call(rbind, lapply(names(files), function(dataset) {
    rows <- runs[runs$file == files[[dataset]][1], ]
    means <- tapply(rows$accuracy, rows$rule, mean)
    theirs <- paper[paper$dataset == dataset, ]
    by_run <- lapply(split(rows, rows$repeat_), function(run) {
      verdicts_of(stats::setNames(as.list(run$accuracy), run$rule))
    })
    by_run <- matrix(unlist(by_run), nrow(pairs))
    printed <- unlist(table3[table3$id == match(dataset, names(files)), pairs$pair])
    data.frame(
      dataset = dataset, pair = pairs$pair, paper = unname(printed),
      paper_figures = verdicts_of(stats::setNames(as.list(theirs$paper), theirs$rule)),
      ours = verdicts_of(as.list(means)),
      runs_as_paper = rowMeans(by_run == printed), runs_agree = apply(by_run, 1, agreement)
    )
  }))
}

# The share of pairs of runs that agree.
agreement <- function(x) {
  n <- length(x)
  if (n < 2) {
    return(NA_real_)
  }
  count <- table(x)
  sum(count * (count - 1)) / (n * (n - 1))
}

# Equivalent rules must grow the same trees, from all rows and from the training rows of each fold
# of the first repeat.
compare_trees <- function(file, folder) {
  data <- read_data(folder, file)
  set.seed(1)
  folds <- draw_folds(data$class)
  same <- vapply(0:10, function(fold) {
    grow <- function(rule) {
      fit <- tec_tree(
        class ~ ., data,
        subset = which(folds != fold), criterion = rule, preset = "c45", threads = 1
      )
      as.data.frame(fit)[c("node", "parent", "rule", "n", "yval")]
    }
    first <- grow("cami")
    c(
      cami_cond_entropy = identical(first, grow("cond_entropy")),
      gain_ratio_effcami0 = identical(grow("gain_ratio"), grow("effcami0")),
      # The nominal attributes with most levels may have more branches than there are classes.
      cami_cair = identical(first, grow("cair"))
    )
  }, logical(3))
  data.frame(file = file, rules = rownames(same), trees = ncol(same), equal = rowSums(same))
}

main <- function() {
  options <- script_options(list(repeats = 10, cores = 2, out = "results", name = "rules"))
  all <- unlist(files, use.names = FALSE)
  jobs <- expand.grid(file = all, repeat_ = seq_len(options$repeats), stringsAsFactors = FALSE)
  jobs <- split(jobs, seq_len(nrow(jobs)))
  runs <- run_jobs(jobs, function(job) run_repeat(job, options$data), options$cores)
  runs <- runs[order(match(runs$file, all)), ]
  paper <- paper_cells(options$data)
  table3 <- utils::read.csv(file.path(options$data, "tables", "og_table3.csv"))
  name <- function(part) paste0(options$name, part, ".csv")
  write_results(compare_with_paper(runs, paper), options, name(""))
  write_results(compare_verdicts(runs, paper, table3), options, name("_verdicts"))
  equal <- run_jobs(all, function(file) compare_trees(file, options$data), options$cores)
  write_results(equal, options, name("_equal"))
  names(runs)[names(runs) == "repeat_"] <- "repeat"
  write_results(runs, options, name("_runs"))
}

# A test sources this file for its functions.
if (!interactive() && !isTRUE(getOption("tectree.replication.functions"))) main()
