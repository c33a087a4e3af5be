# Wang, Song & Xia, table II: readings of the protocol that might give the paper's figures
# where table2.R does not.
#
# Every line is one reading, on the training and test parts of table2.R, with the level codes
# of nominal attributes as numbers:
# * "q by the test part (each repeat)": the q that does best on the test rows, in each repeat;
#   "q by the test part (once)": one q for all repeats. Not an honest figure, but the result of
#   choosing the best q afterwards.
# * "leaf of N", "depth N": the minimum leaf size, or the depth, whose entropy trees come closest
#   to the paper's number of nodes.
# * "N codes": every number replaced by one of N equal-width codes.
# * Glass with its row number, as a number or in alphabetical order. Monks with the last attribute
#   taken for the class (in the file the class is the first column), or with the classes shuffled.
#   Abalone with all 28 classes or in 3 groups. Car with its levels in alphabetical order, or with
#   9 of 10 rows for training.
#
# Rscript variants.R [data folder] [--repeats=10] [--cores=2] [--out=results] [--name=variants]

library(tectree)
source("common.R", local = TRUE)

q_grid <- seq(0.1, 10, by = 0.1)
numeric_sets <- c("yeast", "glass", "vehicle", "wine", "haberman", "abalone_3_20", "cmc")
datasets <- c(
  "yeast", "glass", "vehicle", "wine", "haberman", "car", "balance_scale", "hayes_roth",
  "monks1", "monks2", "monks3", "abalone_3_20", "cmc"
)
fixed <- list(
  shannon = tec_criterion("shannon"), gini = tec_criterion("gini"),
  gain_ratio_unfiltered = tec_criterion("tsallis_ratio", q = 1)
)

training_rows <- function(data, repeat_, share = 0.7) {
  set.seed(repeat_)
  sort(sample.int(nrow(data), round(share * nrow(data))))
}

judge <- function(data, train, ...) {
  fit <- tec_tree(
    class ~ ., data,
    subset = train, nominal = "ordered", prune = "none", threads = 1, ...
  )
  test <- data[-train, ]
  c(accuracy = 100 * mean(predict(fit, test) == test$class), nodes = n_nodes(fit))
}

summarised <- function(values, dataset, variant, criterion) {
  data.frame(
    dataset = dataset, variant = variant, criterion = criterion, repeats = ncol(values),
    accuracy = mean(values["accuracy", ]), accuracy_se = se_of(values["accuracy", ]),
    nodes = mean(values["nodes", ])
  )
}

# The three criteria without q.
read_so <- function(data, dataset, variant, repeats, share = 0.7, min_bucket = 5, ...) {
  do.call(rbind, lapply(names(fixed), function(criterion) {
    values <- vapply(seq_len(repeats), function(r) {
      train <- training_rows(data, r, share)
      judge(data, train, criterion = fixed[[criterion]], min_bucket = min_bucket, ...)
    }, c(accuracy = 0, nodes = 0))
    summarised(values, dataset, variant, criterion)
  }))
}

# All q on the test part.
by_test_part <- function(dataset, folder, repeats) {
  data <- read_data(folder, dataset)
  all <- vapply(seq_len(repeats), function(r) {
    train <- training_rows(data, r)
    vapply(q_grid, function(q) judge(data, train, q = q), c(accuracy = 0, nodes = 0))
  }, matrix(0, 2, length(q_grid), dimnames = list(c("accuracy", "nodes"), NULL)))
  best <- apply(all["accuracy", , , drop = FALSE], 3, which.max)
  each <- vapply(seq_len(repeats), function(r) all[, best[r], r], c(accuracy = 0, nodes = 0))
  once <- which.max(rowMeans(all["accuracy", , ]))
  plain <- function(q) summarised(all[, which.min(abs(q_grid - q)), ], dataset, "", "")
  rbind(
    transform(plain(1), variant = "as table2.R has it", criterion = "shannon"),
    transform(plain(2), variant = "as table2.R has it", criterion = "gini"),
    summarised(each, dataset, "q by the test part (each repeat)", "tsallis"),
    summarised(all[, once, ], dataset, "q by the test part (once)", "tsallis")
  )
}

# The setting whose trees have the paper's number of nodes, or come closest.
nearest_nodes <- function(dataset, folder, repeats, paper, what) {
  data <- read_data(folder, dataset)
  wanted <- paper$nodes[paper$file == sub("[123]$", "?", dataset) & paper$criterion == "shannon"]
  values <- if (what == "leaf") c(1:15, seq(20, 60, 5)) else 2:12
  settings <- function(value) {
    if (what == "leaf") list(min_bucket = value) else list(max_depth = value)
  }
  nodes <- vapply(values, function(value) {
    mean(vapply(seq_len(2), function(r) {
      arguments <- c(list(data, training_rows(data, r), criterion = "shannon"), settings(value))
      do.call(judge, arguments)[["nodes"]]
    }, 0))
  }, 0)
  best <- values[which.min(abs(nodes - wanted))]
  variant <- paste(if (what == "leaf") "leaf of" else "depth", best)
  do.call(read_so, c(list(data, dataset, variant, repeats), settings(best)))
}

equal_width <- function(x, n) {
  floor(pmin((x - min(x)) / diff(range(x)) * n, n - 0.5))
}

coded <- function(dataset, folder, repeats) {
  data <- read_data(folder, dataset)
  numeric <- vapply(data, is.numeric, NA)
  do.call(rbind, lapply(c(4, 6, 10), function(n) {
    data[numeric] <- lapply(data[numeric], equal_width, n = n)
    read_so(data, dataset, paste(n, "codes"), repeats)
  }))
}

read_glass <- function(folder, repeats) {
  data <- read_data(folder, "glass_id")
  id <- names(data)[1]
  numbered <- read_so(data, "glass", "row number in", repeats)
  data[[id]] <- rank(as.character(data[[id]]))
  rbind(numbered, read_so(data, "glass", "row number in (alphabetical)", repeats))
}

read_monks <- function(name, folder, repeats) {
  data <- read_data(folder, name)
  shuffled <- do.call(rbind, lapply(seq_len(repeats), function(r) {
    set.seed(100 + r)
    data$class <- sample(data$class)
    train <- training_rows(data, r)
    vapply(names(fixed), function(one) {
      judge(data, train, criterion = fixed[[one]], min_bucket = 5)
    }, c(accuracy = 0, nodes = 0))
  }))
  noise <- do.call(rbind, lapply(names(fixed), function(one) {
    values <- rbind(
      accuracy = shuffled[rownames(shuffled) == "accuracy", one],
      nodes = shuffled[rownames(shuffled) == "nodes", one]
    )
    summarised(values, name, "classes shuffled", one)
  }))
  swapped <- data[c("class", paste0("a", 1:6))]
  names(swapped) <- c("a0", paste0("a", 1:5), "class")
  id <- data.frame(id = seq_len(nrow(data)), data)
  training <- read_data(folder, paste0(name, "_train"))
  rbind(
    noise, read_so(swapped, name, "last attribute for the class", repeats),
    read_so(id, name, "row number in", repeats),
    read_so(training, name, "training file", repeats)
  )
}

read_abalone <- function(folder, repeats) {
  all <- read_data(folder, "abalone")
  rings <- as.integer(as.character(all$class))
  groups <- all
  groups$class <- cut(rings, c(0, 8, 10, 29))
  rbind(
    read_so(all, "abalone_3_20", "all 28 classes", repeats),
    read_so(groups, "abalone_3_20", "3 groups of rings", repeats)
  )
}

read_car <- function(folder, repeats) {
  data <- read_data(folder, "car")
  sorted <- data
  nominal <- setdiff(names(data), "class")
  sorted[nominal] <- lapply(data[nominal], function(x) factor(as.character(x)))
  rbind(
    read_so(sorted, "car", "levels in alphabetical order", repeats),
    read_so(data, "car", "9 of 10 rows for training", repeats, share = 0.9),
    read_so(sorted, "car", "both", repeats, share = 0.9)
  )
}

main <- function() {
  options <- script_options(list(repeats = 10, cores = 2, out = "results", name = "variants"))
  folder <- options$data
  repeats <- options$repeats
  paper <- utils::read.csv(file.path(folder, "tables", "tec_table2.csv"))
  each <- function(names, reading) lapply(names, function(name) function() reading(name))
  jobs <- c(
    each(datasets, function(name) by_test_part(name, folder, repeats)),
    each(datasets, function(name) nearest_nodes(name, folder, repeats, paper, "leaf")),
    each(datasets, function(name) nearest_nodes(name, folder, repeats, paper, "depth")),
    each(numeric_sets, function(name) coded(name, folder, repeats)),
    each(paste0("monks", 1:3), function(name) read_monks(name, folder, repeats)),
    list(
      function() read_glass(folder, repeats), function() read_abalone(folder, repeats),
      function() read_car(folder, repeats)
    )
  )
  out <- run_jobs(jobs, function(job) job(), options$cores)
  at <- match(
    paste(sub("^monks[123]$", "monks?", out$dataset), out$criterion),
    paste(paper$file, paper$criterion)
  )
  out$paper_accuracy <- paper$accuracy[at]
  out$paper_nodes <- paper$nodes[at]
  write_results(out, options, paste0(options$name, ".csv"))
}

# A test sources this file for its functions.
if (!interactive() && !isTRUE(getOption("tectree.replication.functions"))) main()
