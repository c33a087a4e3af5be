# The oracle's criteria: each is written from its definition, in terms of shares, for one whole
# partition at a time. Nothing is shared with the engine or with the package's own entropies.
#
# A criterion is a list of
#   eligible  which attributes compete: "all", "mean" or "mean_sd";
#   measure   function(node, branch, parameter, unknown): the cut measure, the gain and the score;
#             `unknown` is the weight that counts as one more branch in a split information;
#   impurity  function(node, parameter).
# A node is a list(y, w, K): responses, weights and the number of declared classes (0: regression).

oracle_tsallis <- function(p, q) {
  p <- p[p > 0]
  if (q == 1) {
    -sum(p * log(p))
  } else if (abs(q - 1) < 1e-3) {
    -sum(p * expm1((q - 1) * log(p))) / (q - 1)
  } else {
    (sum(p^q) - 1) / (1 - q)
  }
}

oracle_bits <- function(p) {
  p <- p[p > 0]
  -sum(p * log2(p))
}

oracle_beta <- function(p, b) {
  if (abs(b - 1) < 1e-3) {
    return(oracle_tsallis(p, b) * if (b == 1) 1 / log(2) else (1 - b) / expm1((1 - b) * log(2)))
  }
  (1 - sum(p[p > 0]^b)) / (1 - 2^(1 - b))
}

# Weights by branch (rows, empty ones left out) and class (columns).
oracle_counts <- function(node, branch) {
  in_branch <- outer(branch, seq_len(max(branch)), "==")
  in_class <- outer(node$y, seq_len(node$K), "==")
  n_js <- crossprod(in_branch, node$w * in_class)
  n_js[rowSums(n_js) > 0, , drop = FALSE]
}

oracle_shares <- function(node) {
  colSums(node$w * outer(node$y, seq_len(node$K), "==")) / sum(node$w)
}

# H(D) - sum_j (n_j / n)^power H(D_j)
oracle_reduction <- function(n_js, entropy, power = 1) {
  n_j <- rowSums(n_js)
  within <- 0
  for (j in seq_along(n_j)) {
    within <- within + (n_j[j] / sum(n_j))^power * entropy(n_js[j, ] / n_j[j])
  }
  entropy(colSums(n_js) / sum(n_js)) - within
}

oracle_cami <- function(n_js) {
  p <- n_js / sum(n_js)
  by_independence <- outer(rowSums(p), colSums(p))
  sum((p * log2(p / by_independence))[p > 0])
}

oracle_branch_shares <- function(n_js, unknown) {
  sizes <- c(rowSums(n_js), unknown)
  sizes / sum(sizes)
}

oracle_split_information <- function(n_js, unknown) oracle_bits(oracle_branch_shares(n_js, unknown))

oracle_sup_cami <- function(n_js, unknown) {
  if (nrow(n_js) <= ncol(n_js)) {
    oracle_split_information(n_js, unknown)
  } else {
    oracle_bits(colSums(n_js) / sum(n_js))
  }
}

# gain(n_js, parameter); divisor(n_js, parameter, unknown) makes the score a ratio.
oracle_class_criterion <- function(gain, entropy, divisor = NULL, eligible = "all",
                                   cut_is_gain = FALSE) {
  measure_counts <- function(n_js, parameter, unknown = 0) {
    value <- gain(n_js, parameter)
    score <- if (is.null(divisor)) value else oracle_ratio(value, divisor(n_js, parameter, unknown))
    c(cut = if (cut_is_gain) value else score, gain = value, score = score)
  }
  list(
    eligible = eligible,
    measure_counts = measure_counts,
    measure = function(node, branch, parameter, unknown = 0) {
      measure_counts(oracle_counts(node, branch), parameter, unknown)
    },
    impurity = function(node, parameter) entropy(oracle_shares(node), parameter)
  )
}

# A node of one class can have no divisor; nothing is gained there.
oracle_ratio <- function(value, divisor) if (divisor > 0) value / divisor else 0

oracle_regression_criterion <- function(deviation) {
  list(
    eligible = "all",
    measure = function(node, branch, parameter, unknown = 0) {
      within <- 0
      for (j in unique(branch)) {
        here <- branch == j
        within <- within + sum(node$w[here]) / sum(node$w) * deviation(node$y[here], node$w[here])
      }
      gain <- deviation(node$y, node$w) - within
      c(cut = gain, gain = gain, score = gain)
    },
    impurity = function(node, parameter) deviation(node$y, node$w)
  )
}

oracle_mean <- function(y, w) sum(w * y) / sum(w)

oracle_median <- function(y, w) {
  at <- order(y)
  y <- y[at]
  below <- cumsum(w[at])
  half <- sum(w) / 2
  slack <- 1e-12 * sum(w)
  first <- which(below >= half - slack)[1]
  if (abs(below[first] - half) <= slack) mean(y[first + 0:1]) else y[first]
}

oracle_mse <- function(y, w) oracle_mean((y - oracle_mean(y, w))^2, w)
oracle_mae <- function(y, w) oracle_mean(abs(y - oracle_median(y, w)), w)

in_bits <- function(p, parameter) oracle_bits(p)
gain_in_bits <- function(n_js, parameter) oracle_reduction(n_js, oracle_bits)
gain_cami <- function(n_js, parameter) oracle_cami(n_js)
gain_tsallis <- function(n_js, q) oracle_reduction(n_js, function(p) oracle_tsallis(p, q))

oracle_criteria <- list(
  tsallis = oracle_class_criterion(gain_tsallis, oracle_tsallis),
  tsallis_ratio = oracle_class_criterion(
    gain_tsallis, oracle_tsallis,
    divisor = function(n_js, q, unknown) oracle_tsallis(oracle_branch_shares(n_js, unknown), q)
  ),
  tsallis_mutual = oracle_class_criterion(
    function(n_js, q) oracle_reduction(n_js, function(p) oracle_tsallis(p, q), power = q),
    oracle_tsallis
  ),
  shannon = oracle_class_criterion(gain_in_bits, in_bits),
  gini = oracle_class_criterion(
    function(n_js, parameter) oracle_reduction(n_js, function(p) 1 - sum(p^2)),
    function(p, parameter) 1 - sum(p^2)
  ),
  gain_ratio = oracle_class_criterion(
    gain_in_bits, in_bits,
    divisor = function(n_js, parameter, unknown) oracle_split_information(n_js, unknown),
    eligible = "mean", cut_is_gain = TRUE
  ),
  cond_entropy = oracle_class_criterion(gain_in_bits, in_bits),
  cami = oracle_class_criterion(gain_cami, in_bits),
  cair = oracle_class_criterion(
    gain_cami, in_bits,
    divisor = function(n_js, parameter, unknown) max(log2(ncol(n_js)), log2(nrow(n_js))),
    eligible = "mean", cut_is_gain = TRUE
  ),
  effcami0 = oracle_class_criterion(
    gain_cami, in_bits,
    divisor = function(n_js, parameter, unknown) oracle_sup_cami(n_js, unknown),
    eligible = "mean", cut_is_gain = TRUE
  ),
  effcami1 = oracle_class_criterion(
    gain_cami, in_bits,
    divisor = function(n_js, parameter, unknown) oracle_sup_cami(n_js, unknown),
    eligible = "mean_sd", cut_is_gain = TRUE
  ),
  beta = oracle_class_criterion(
    function(n_js, b) oracle_reduction(n_js, function(p) oracle_beta(p, b), power = b),
    oracle_beta
  ),
  l2 = oracle_regression_criterion(oracle_mse),
  l1 = oracle_regression_criterion(oracle_mae)
)

# Whether two classes at most allow the scan of the levels in the order of a class's share.
oracle_has_linear_weights <- function(name, parameter) {
  always <- c(
    "shannon", "gini", "gain_ratio", "cond_entropy", "cami", "cair", "effcami0", "effcami1"
  )
  name %in% always ||
    name == "tsallis" && parameter > 0 ||
    name %in% c("tsallis_mutual", "beta") && parameter == 1
}
