# When does q matter? Ten data sets of at least 5,000 rows.
#
# A repeat: a random 70 % of the rows are the training part. Inside it 5-fold cross-validation
# chooses q for `tsallis`; the test part plays no role in that choice. Trees of every q of the grid
# are also evaluated on the test part: q = 1 is the entropy (`shannon`), q = 2 the Gini index, and
# the best of all shows the possible gain. Trees have at least 5 rows per leaf and no pruning: grown
# to the end ("full"), or to depth 5 ("shallow").
#
# Rscript larger.R [data folder] [--repeats=10] [--cores=2] [--out=results] [--name=larger]

library(tectree)
source("common.R", local = TRUE)

datasets <- c(
  "page_blocks", "mushroom", "waveform21", "waveform40", "nursery", "letter", "adult",
  "bank_marketing", "poker_train", "covtype_sample"
)
q_grid <- c(0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)
depths <- c(full = Inf, shallow = 5)

# The mean share of correct predictions over the classes of the test part.
balanced <- function(right, class) mean(tapply(right, class, mean), na.rm = TRUE)

# One row per q: its result on the test part, and whether the training part chose it.
run_repeat <- function(job, folder) {
  data <- read_data(folder, job$dataset)
  set.seed(job$repeat_)
  train <- sort(sample.int(nrow(data), round(0.7 * nrow(data))))
  control <- tec_control(
    min_bucket = 5, max_depth = depths[[job$trees]], prune = "none", threads = 1
  )
  # A class with few rows may be absent from a fold.
  tuned <- suppressWarnings(suppressMessages(tec_tune(
    class ~ ., data,
    subset = train, q = q_grid, folds = 5, control = control
  )))
  test <- data[-train, ]
  judged <- vapply(q_grid, function(q) {
    fit <- tec_tree(class ~ ., data, subset = train, q = q, control = control)
    right <- predict(fit, test) == test$class
    c(100 * mean(right), 100 * balanced(right, test$class), n_nodes(fit))
  }, numeric(3))
  data.frame(
    dataset = job$dataset, trees = job$trees, repeat_ = job$repeat_, q = q_grid,
    chosen = seq_along(q_grid) == tuned$chosen, accuracy = judged[1, ],
    balanced_accuracy = judged[2, ], nodes = judged[3, ]
  )
}

# Means by q: the curve.
curves_of <- function(runs) {
  key <- runs[c("dataset", "trees", "q")]
  out <- do.call(rbind, lapply(split(runs, key, drop = TRUE), function(rows) {
    data.frame(
      rows[1, c("dataset", "trees", "q")],
      repeats = nrow(rows), accuracy = mean(rows$accuracy), accuracy_se = se_of(rows$accuracy),
      balanced_accuracy = mean(rows$balanced_accuracy), nodes = mean(rows$nodes),
      times_chosen = sum(rows$chosen), row.names = NULL
    )
  }))
  out[order(match(out$dataset, datasets), out$trees, out$q), ]
}

# The advantage of the tuned q on the test part over the entropy and over the Gini index, and of the
# best q there, known only afterwards, over the tuned one.
summarise_runs <- function(runs) {
  groups <- split(runs, runs[c("dataset", "trees")], drop = TRUE)
  out <- do.call(rbind, lapply(groups, function(rows) {
    by_run <- split(rows, rows$repeat_)
    of <- function(which, what = "accuracy") {
      vapply(by_run, function(run) run[[what]][which(run)], 0)
    }
    tuned <- function(run) run$chosen
    shannon <- function(run) run$q == 1
    gini <- function(run) run$q == 2
    best <- function(run) which.max(run$accuracy)
    over_shannon <- of(tuned) - of(shannon)
    over_gini <- of(tuned) - of(gini)
    data.frame(
      rows[1, c("dataset", "trees")],
      repeats = length(by_run), q = stats::median(of(tuned, "q")),
      shannon = mean(of(shannon)), gini = mean(of(gini)), tuned = mean(of(tuned)),
      over_shannon = mean(over_shannon), over_shannon_se = se_of(over_shannon),
      over_gini = mean(over_gini), over_gini_se = se_of(over_gini),
      missed = mean(of(best) - of(tuned)),
      balanced_over_shannon = mean(
        of(tuned, "balanced_accuracy") - of(shannon, "balanced_accuracy")
      ),
      nodes_shannon = mean(of(shannon, "nodes")), nodes_gini = mean(of(gini, "nodes")),
      nodes_tuned = mean(of(tuned, "nodes")), row.names = NULL
    )
  }))
  out[order(match(out$dataset, datasets), out$trees), ]
}

main <- function() {
  options <- script_options(list(
    repeats = 10, cores = 2, out = "results", name = "larger",
    datasets = paste(datasets, collapse = ",")
  ))
  jobs <- expand.grid(
    dataset = words(options$datasets), trees = names(depths), repeat_ = seq_len(options$repeats),
    stringsAsFactors = FALSE
  )
  jobs <- split(jobs, seq_len(nrow(jobs)))
  runs <- run_jobs(jobs, function(job) run_repeat(job, options$data), options$cores)
  name <- function(part) paste0(options$name, part, ".csv")
  write_results(summarise_runs(runs), options, name(""))
  write_results(curves_of(runs), options, name("_curves"))
  names(runs)[names(runs) == "repeat_"] <- "repeat"
  write_results(runs, options, name("_runs"))
}

# A test sources this file for its functions.
if (!interactive() && !isTRUE(getOption("tectree.replication.functions"))) main()
