# The competitors: tectree, and every peer set to do the same work.

peer_names <- c("rpart", "ranger", "scikit-learn")

find_peers <- function(python) {
  code <- paste(
    "import platform, numpy, sklearn;",
    "print(sklearn.__version__, numpy.__version__, platform.python_version())"
  )
  sklearn <- suppressWarnings(
    tryCatch(
      system2(python, c("-c", shQuote(code)), stdout = TRUE, stderr = FALSE),
      error = function(e) character()
    )
  )
  version <- function(package) {
    if (requireNamespace(package, quietly = TRUE)) as.character(packageVersion(package))
  }
  found <- list(rpart = version("rpart"), ranger = version("ranger"))
  if (length(sklearn) == 1L) {
    versions <- strsplit(sklearn, " ")[[1L]]
    found[["scikit-learn"]] <- versions[[1L]]
    attr(found, "python") <- sprintf("numpy %s, Python %s", versions[[2L]], versions[[3L]])
  }
  found
}

has_peer <- function(options, name) !is.null(options$peers[[name]])

# Code that is loaded or compiled at first use should not be timed.
warm_up <- function(options) {
  fit <- tec_tree(Species ~ ., iris, threads = max(options$threads))
  predict(fit, iris)
  if (has_peer(options, "rpart")) {
    predict(rpart::rpart(Species ~ ., iris), iris)
  }
  if (has_peer(options, "ranger")) {
    predict(ranger::ranger(Species ~ ., iris, num.trees = 1), iris)
  }
}

# The minimum weight of a split node and of a leaf: no limit at all, and rpart's own
# defaults.
no_limit <- c(split = 2, bucket = 1)
rpart_limit <- c(split = 20, bucket = 7)

tectree_fit <- function(data, depth, threads, criterion = "gini", limit = no_limit) {
  tec_tree(
    y ~ ., data,
    criterion = criterion, min_split = limit[["split"]], min_bucket = limit[["bucket"]],
    max_depth = depth, prune = "none", threads = threads
  )
}

tectree_competitor <- function(data, depth, threads, criterion = "gini", name = "tectree",
                               limit = no_limit) {
  competitor(name, threads, timed(
    function() tectree_fit(data, depth, threads, criterion, limit),
    function(fit) sum(fit$tree$kind == 0L)
  ))
}

# No pruning, no surrogates, no competitors, no cross-validation. 30 is rpart's
# maximum depth.
rpart_fit <- function(data, depth, limit = no_limit) {
  rpart::rpart(
    y ~ ., data,
    method = if (is.factor(data$y)) "class" else "anova",
    control = rpart::rpart.control(
      minsplit = limit[["split"]], minbucket = limit[["bucket"]], cp = 0,
      maxdepth = min(depth, 30), maxcompete = 0, maxsurrogate = 0, usesurrogate = 0, xval = 0
    )
  )
}

rpart_competitor <- function(data, depth, limit = no_limit) {
  competitor("rpart", NA, timed(
    function() rpart_fit(data, depth, limit),
    function(fit) sum(fit$frame$var == "<leaf>")
  ))
}

# One tree on all rows with all columns: a forest's tree without randomness.
ranger_fit <- function(data, depth, threads) {
  ranger::ranger(
    y ~ ., data,
    num.trees = 1, mtry = ncol(data) - 1L, replace = FALSE, sample.fraction = 1,
    min.node.size = 1, max.depth = if (is.finite(depth)) depth else 0, oob.error = FALSE,
    num.threads = threads, seed = 1, verbose = FALSE
  )
}

ranger_competitor <- function(data, depth, threads) {
  competitor("ranger", threads, timed(
    function() ranger_fit(data, depth, threads),
    function(fit) sum(fit$forest$child.nodeIDs[[1L]][[1L]] == 0L)
  ))
}

# One Python process per run, which reads the files, fits and prints the time of
# fit().
sklearn_competitor <- function(files, depth, options) {
  competitor("scikit-learn", NA, function() {
    said <- suppressWarnings(system2(options$python, shQuote(c(
      file.path(options$dir, "sklearn_tree.py"), files$x, files$y,
      files$n, files$p, if (is.finite(depth)) depth else 0
    )), stdout = TRUE))
    if (length(said) != 1L) {
      stop("it did not answer")
    }
    numbers <- as.double(strsplit(said, " ")[[1L]])
    list(seconds = numbers[[1L]], leaves = as.integer(numbers[[2L]]))
  })
}

# The installed peers. rpart and scikit-learn always use one thread, so one set of
# their times serves every number of threads.
class_peers <- function(data, files, depth, options) {
  peers <- list()
  # On a full tree rpart's table of complexities takes the square of the number of
  # leaves: many minutes with a million rows, and never the fastest.
  if (has_peer(options, "rpart") && (is.finite(depth) || nrow(data) <= 5e5)) {
    peers <- c(peers, list(rpart_competitor(data, depth)))
  }
  if (has_peer(options, "ranger")) {
    peers <- c(peers, lapply(options$threads, function(threads) {
      ranger_competitor(data, depth, threads)
    }))
  }
  if (has_peer(options, "scikit-learn")) {
    peers <- c(peers, list(sklearn_competitor(files, depth, options)))
  }
  peers
}
