# Whole calls of preset = "cart" and rpart() on subsamples of real data as they are, for
# test-rpart-same.R and bench/rpart-same.R.

# Sets on which rpart() takes seconds at most: with more than two classes it tries all groupings of
# a factor's levels.
rpart_sets <- c(
  "abalone_3_20", "adult", "audiology", "balance_scale", "bank_marketing", "breast_cancer",
  "breast_w", "car", "cmc", "credit_approval", "glass", "haberman", "heart_statlog", "hepatitis",
  "house_votes_84", "ionosphere", "iris", "kr_vs_kp", "labor", "letter", "monks1", "monks2",
  "mushroom", "page_blocks", "pima", "poker_train", "segment", "sick", "sonar", "soybean",
  "spambase", "splice", "tic_tac_toe", "titanic", "vehicle", "waveform21", "wine", "yeast", "zoo"
)
rpart_kinds <- c("plain", "plain", "plain", "weights", "prior", "loss")

rpart_case <- function(folder, seed) {
  set.seed(seed)
  case <- list(
    seed = seed, set = sample(rpart_sets, 1), kind = sample(rpart_kinds, 1),
    split = sample(c("gini", "information", "anova"), 1), cp = sample(c(0.01, 0.01, 0.002), 1)
  )
  data <- shared_set(folder, case$set)
  numbers <- names(data)[vapply(data, function(x) length(unique(x)) > 20 && is.numeric(x), NA)]
  if (case$split == "anova" && length(numbers)) {
    case$response <- sample(numbers, 1)
    names(data)[match(c("class", case$response), names(data))] <- c("other", "class")
    case$kind <- if (case$kind == "weights") "weights" else "plain"
  } else if (case$split == "anova") {
    case$split <- "gini"
  }
  data <- data[!is.na(data$class), ]
  size <- min(nrow(data), sample(c(100, 200, 500, 1000, 2000), 1))
  data <- data[sample(nrow(data), size), ]
  rownames(data) <- NULL
  case$size <- c(20, 7)
  data$weight <- 1
  if (case$kind == "weights" && has_unknown(data)) {
    # Surrogates are found by rows here and weights there in rpart, so weights are next to 1.
    data$weight <- weights_near_one(size)
  } else if (case$kind == "weights") {
    data$weight <- sample(3, size, replace = TRUE)
    data$weight <- data$weight / mean(data$weight)
    case$size <- c(2, 1)
  }
  if (is.factor(data$class)) {
    data$class <- droplevels(data$class)
    k <- nlevels(data$class)
    if (case$kind == "prior") case$prior <- sample(8, k, replace = TRUE)
    case$prior <- if (!is.null(case$prior)) summing_to_one(case$prior)
    if (case$kind == "loss") {
      case$loss <- matrix(sample(4, k * k, replace = TRUE), k)
      # rpart charges rows left out the transposed losses.
      case$loss <- case$loss + t(case$loss)
      diag(case$loss) <- 0
    }
  }
  case$data <- data
  case
}

# Rows without a value; or left out, with a level that a node has not seen.
has_unknown <- function(data) {
  any(vapply(data[names(data) != "class"], function(x) is.factor(x) || anyNA(x), NA))
}

shared_sets_read <- new.env()
shared_set <- function(folder, name) {
  if (is.null(shared_sets_read[[name]])) shared_sets_read[[name]] <- read_shared(folder, name)
  shared_sets_read[[name]]
}

case_label <- function(case) {
  shown <- case[c("seed", "set", "kind", "split", "response", "cp")]
  shown <- shown[!vapply(shown, is.null, NA)]
  paste(c(names(shown)[1], unlist(shown), nrow(case$data), "rows"), collapse = " ")
}

case_formula <- function(data) {
  stats::reformulate(sprintf("`%s`", setdiff(names(data), c("class", "weight"))), "class")
}

case_rpart <- function(case, data = case$data, prior = case$prior, cp = case$cp, xval = 10,
                       ...) {
  formula <- case_formula(data)
  environment(formula) <- environment()
  numeric <- case$split == "anova"
  # rpart does not count a last class that has no row.
  classes <- if (!numeric) seq_len(max(as.integer(data$class)))
  parms <- list(
    split = case$split, prior = prior[classes], loss = case$loss[classes, classes, drop = FALSE]
  )
  rpart::rpart(formula, data,
    weights = data$weight, method = if (numeric) "anova" else "class",
    parms = if (!numeric) parms[lengths(parms) > 0], cp = cp, xval = xval,
    minsplit = case$size[1], minbucket = case$size[2], maxcompete = 0, ...
  )
}

case_tectree <- function(case, data = case$data, prior = case$prior, ...) {
  criterion <- switch(case$split, gini = "gini", information = "shannon", anova = "l2")
  tec_tree(case_formula(data), data,
    weights = data$weight, criterion = criterion, preset = "cart", prior = prior,
    cost = case$loss, min_split = case$size[1],
    min_bucket = case$size[2], threads = 1, ...
  )
}

# `tree`, `table`: whether they are the same. Where one is not: `why`, the first tie or other named
# difference of the unpruned trees, in words.
compare_case <- function(case) {
  out <- case_same(case)
  if (!all(unlist(out))) {
    fold <- with_seed(case$seed, sample(rep(1:10, length.out = nrow(case$data))))
    out$why <- tie_of(case, case$data, case$prior)
    for (k in if (out$tree) 1:10) {
      if (is.null(out$why)) out$why <- tie_without(case, fold, k)
    }
    if (out$tree && is.null(out$why)) out$why <- row_on_threshold(case)
    if (out$tree && is.null(out$why)) out$why <- row_by_surrogate(case)
  }
  out
}

case_same <- function(case, surrogates = 5) {
  theirs <- with_seed(case$seed, case_rpart(case, maxsurrogate = surrogates))
  ours <- with_seed(case$seed, case_tectree(case, cp = case$cp, max_surrogate = surrogates))
  list(
    tree = same_case_tree(ours, theirs, case$data),
    table = same_case_table(cp_table(ours), theirs$cptable)
  )
}

with_seed <- function(seed, code) {
  set.seed(seed)
  code
}

# A row left out that lies on a threshold goes right in rpart, left in tectree. Where each number is
# moved a little, to one side of the middle between its neighbours, there is none.
row_on_threshold <- function(case) {
  if (all(unlist(case_same(off_thresholds(case))))) "a row left out lies on a threshold"
}

# A row left out has no value, or a level that its node has not seen, and goes by a surrogate that
# rpart leaves out: without surrogates both are the same.
row_by_surrogate <- function(case) {
  if (has_unknown(case$data) && all(unlist(case_same(off_thresholds(case), surrogates = 0)))) {
    "a row left out goes by a surrogate that rpart leaves out"
  }
}

off_thresholds <- function(case) {
  set.seed(case$seed)
  move <- function(x) {
    if (!is.numeric(x)) {
      return(x)
    }
    value <- sort(unique(x))
    gap <- diff(c(-Inf, value, Inf))
    room <- pmin(gap[-1], gap[-length(gap)])
    moved <- value + ifelse(is.finite(room), room, 1) * stats::runif(length(value), 0, 0.3)
    moved[match(x, value)]
  }
  predictors <- setdiff(names(case$data), c("class", "weight"))
  case$data[predictors] <- lapply(case$data[predictors], move)
  case
}

same_case_tree <- function(ours, theirs, data) {
  partition <- function(x) match(x, unique(x))
  nodes <- as.data.frame(ours)
  identical(
    partition(predict(ours, data, type = "node")), partition(unname(theirs$where))
  ) && identical(
    sort(nodes$variable[nodes$kind != "leaf"]),
    sort(as.character(theirs$frame$var[theirs$frame$var != "<leaf>"]))
  )
}

# rpart has a row for each of two penalties that differ by rounding: tectree has the first. A root
# without splits has no penalty there, and is not estimated.
same_case_table <- function(ours, theirs) {
  if (nrow(theirs) == 1L) {
    return(nrow(ours) == 1L)
  }
  theirs <- theirs[c(TRUE, diff(theirs[, "CP"]) < -1e-10), , drop = FALSE]
  columns <- c("cp", "nsplit", "rel_error", "xerror", "xstd")
  ours <- as.matrix(as.data.frame(ours)[columns])
  identical(dim(ours), dim(theirs)) && all(abs(ours - theirs) < 1e-8)
}

# The first place where the unpruned trees of both part, in words; NULL where they do not.
tie_of <- function(case, data, prior) {
  theirs <- case_rpart(case, data, prior, cp = -1, xval = 0)
  ours <- case_tectree(case, data, prior, prune = "none")
  factor <- ours$class_factors$split
  mass <- if (is.null(factor)) data$weight else data$weight * factor[as.integer(data$class)]
  found <- compare_with_rpart(ours, theirs, data, w = data$weight, mass = mass)
  # Without missing values surrogates send no row.
  wrong <- if (anyNA(data)) found$wrong else grep("^gain", found$wrong, value = TRUE)
  if (length(wrong)) {
    stop(case_label(case), ": the trees differ without a tie: ", toString(wrong))
  }
  if (length(found$where)) found$where[1]
}

# The same for the trees without fold k, whose classes count as those of the whole sample.
tie_without <- function(case, fold, k) {
  part <- case$data[fold != k, ]
  prior <- case$prior
  if (is.factor(part$class)) {
    share <- function(data) as.vector(tapply(data$weight, data$class, sum, default = 0))
    factor <- if (is.null(prior)) 1 else prior / share(case$data)
    prior <- factor * share(part)
    prior <- if (!is.null(case$prior)) summing_to_one(prior)
  }
  why <- tie_of(case, part, prior) %||% equal_columns(case, part, prior)
  if (!is.null(why)) paste0("without fold ", k, ", ", why)
}

# The first node in which the best cuts of two columns gain the same. rpart's rounding then decides,
# and may decide differently inside its cross-validation.
equal_columns <- function(case, data, prior) {
  fit <- case_tectree(case, data, prior, prune = "none")
  for (node in which(fit$tree$n_children > 0L)) {
    scores <- tec_scores(fit, data, node = node)
    best <- order(scores$gain, decreasing = TRUE)[1:2]
    gain <- scores$gain[best]
    if (!anyNA(gain) && gain[1L] - gain[2L] <= 1e-9 * gain[1L]) {
      names <- paste(scores$variable[best], collapse = " and ")
      return(sprintf("node %d: %s gain the same", node, names))
    }
  }
}
