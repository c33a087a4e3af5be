# Do small trees predict better when they look ahead? Held-out errors of trees with 4, 8 and 16 leaves. The article
# vignettes/articles/lookahead.Rmd reads the results.
#
#   Rscript bench/lookahead.R [--lib=DIR] [--data=DIR] [--out=bench/lookahead] [--sets=glass,sick] [--rows=2000]
#                             [--minutes=Inf]
#
# Nested folds: five outer folds, the same for every method, measure the error; within each, five folds of its
# training rows choose the pruning of the methods that prune. Larger sets are sampled. Sets are processed one by
# one, small ones first, and stored: a second run continues where the first ended. evtree takes seconds per tree, so
# it only grows trees of 8 leaves, on sets of at most 5,000 values. One thread; time is processor time.
source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))), "uci.R"))
library(tectree, lib.loc = given("lib", NULL))
options(tectree.threads = 1)
folder <- given("data", "../shared/data/uci")
out <- given("out", "bench/lookahead")
most_rows <- as.numeric(given("rows", 2000))
ends <- Sys.time() + 60 * as.numeric(given("minutes", Inf))
outer <- 5L
tried <- 20

# --- Data: the response is the column `y`; one set of each family of variants -----------------------------------

manifest <- read.csv(file.path(folder, "MANIFEST.csv"))
manifest <- manifest[!manifest$name %in% left_out, ]
chosen <- given("sets", NULL)
if (!is.null(chosen)) manifest <- manifest[manifest$name %in% strsplit(chosen, ",")[[1L]], ]

read_set <- function(about) {
  sample_of_set(uci_set(about, folder), most_rows, sum(utf8ToInt(about$name)))
}

# --- Methods: functions of training rows and a number of leaves that return a fit ----------------------------

our_tree <- function(...) {
  settings <- list(...)
  function(train, leaves) do.call(tec_tree, c(list(y ~ ., train, max_leaves = leaves), settings))
}
ours_pruned <- list(alpha = "min", folds = 5)

# rpart grows its sequence of trees; uses the largest with at most so many leaves, or of these the one with the
# smallest cross-validated error.
rpart_tree <- function(pruned) {
  function(train, leaves) {
    fit <- rpart::rpart(y ~ ., train, cp = 0, minsplit = 10, minbucket = 5, xval = if (pruned) 5 else 0)
    table <- as.data.frame(fit$cptable)
    table <- table[table$nsplit < leaves, , drop = FALSE]
    row <- if (pruned) which.min(table$xerror) else nrow(table)
    rpart::prune(fit, cp = table$CP[row])
  }
}

# C5.0 cannot bound the leaves: uses the smallest `minCases` of a sequence whose tree has no more.
c50_tree <- function(train, leaves) {
  n <- nrow(train)
  for (cases in unique(pmin(round(5 * 1.25^(0:40)), floor(n / 2)))) {
    control <- C50::C5.0Control(minCases = cases, noGlobalPruning = FALSE)
    fit <- C50::C5.0(train[names(train) != "y"], train$y, control = control)
    if (fit$size <= leaves) break
  }
  fit
}

# Neither can evtree, but it can bound the depth.
evtree_tree <- function(train, leaves) {
  train[] <- lapply(train, function(x) if (is.factor(x)) droplevels(x) else x)
  control <- evtree::evtree.control(maxdepth = log2(leaves), minbucket = 5, minsplit = 10, seed = 1)
  evtree::evtree(y ~ ., train, control = control)
}

methods <- list(
  greedy = our_tree(prune = "none"),
  ahead = our_tree(prune = "none", lookahead = tried),
  ahead_impurity = our_tree(prune = "none", lookahead = tried, risk = "impurity"),
  rpart = rpart_tree(FALSE),
  C5.0 = c50_tree,
  evtree = evtree_tree,
  greedy_pruned = do.call(our_tree, ours_pruned),
  ahead_pruned = do.call(our_tree, c(ours_pruned, list(lookahead = tried))),
  rpart_pruned = rpart_tree(TRUE)
)
needs <- c(rpart = "rpart", rpart_pruned = "rpart", C5.0 = "C50", evtree = "evtree")
there <- vapply(names(methods), function(m) is.na(needs[m]) || requireNamespace(needs[[m]], quietly = TRUE), NA)
methods <- methods[there]

count_leaves <- function(fit) {
  if (inherits(fit, "tec_tree")) {
    sum(fit$tree$kind == 0L)
  } else if (inherits(fit, "rpart")) {
    sum(fit$frame$var == "<leaf>")
  } else if (inherits(fit, "C5.0")) {
    fit$size
  } else {
    length(partykit::nodeids(fit, terminal = TRUE))
  }
}

wrong <- function(fit, data) {
  of_class <- if (inherits(fit, "tec_tree") || inherits(fit, "party")) "response" else "class"
  # evtree refuses unseen levels: counted as wrong, like a missing answer.
  answer <- tryCatch(
    suppressWarnings(predict(fit, data, type = of_class)),
    error = function(e) rep(NA, nrow(data))
  )
  mean(is.na(answer) | as.character(answer) != as.character(data$y))
}

judge <- function(method, train, test, leaves, seed) {
  set.seed(seed)
  start <- proc.time()
  fit <- tryCatch(suppressWarnings(methods[[method]](train, leaves)), error = function(e) NULL)
  seconds <- sum((proc.time() - start)[1:2])
  if (is.null(fit)) {
    return(NULL) # evtree takes no missing values, for one
  }
  data.frame(
    method = method, leaves = leaves, grown = count_leaves(fit), error = wrong(fit, test),
    training = wrong(fit, train), seconds = seconds
  )
}

study <- function(about) {
  data <- read_set(about)
  fold <- sample(rep_len(seq_len(outer), nrow(data)))
  grid <- expand.grid(method = names(methods), leaves = c(4, 8, 16), fold = seq_len(outer), stringsAsFactors = FALSE)
  slow <- grid$method == "evtree" & (grid$leaves != 8 | length(data) * nrow(data) > 5000)
  grid <- grid[!slow, ]
  rows <- Map(function(method, leaves, f) {
    train <- data[fold != f, ]
    train$y <- droplevels(train$y)
    found <- judge(method, train, data[fold == f, ], leaves, f)
    if (!is.null(found)) cbind(set = about$name, rows = nrow(data), fold = f, found)
  }, grid$method, grid$leaves, grid$fold)
  do.call(rbind, unname(rows))
}

# --- One file of results, one set at a time -----------------------------------------------------------------------

dir.create(out, FALSE, TRUE)
file <- file.path(out, "results.csv")
done <- if (file.exists(file)) unique(read.csv(file)$set)
for (i in order(pmin(manifest$rows, most_rows) * manifest$features)) {
  about <- manifest[i, ]
  if (about$name %in% done || Sys.time() > ends) next
  start <- proc.time()
  found <- study(about)
  numbers <- vapply(found, is.double, NA)
  found[numbers] <- lapply(found[numbers], signif, 5)
  utils::write.table(
    found, file, append = file.exists(file), col.names = !file.exists(file), sep = ",", row.names = FALSE, quote = FALSE
  )
  message(format(about$name, width = 20), format(sum((proc.time() - start)[1:2]), digits = 3), " s")
}
