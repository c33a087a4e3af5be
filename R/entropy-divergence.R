#' Cross-entropy and Kullback-Leibler divergence
#'
#' Measure how far one distribution is from another: with Shannon's measures, or with their
#' counterparts in the Tsallis family (`q`) and for beta-entropies (`beta`).
#'
#' @details
#' * `kl_divergence()`: \eqn{D_q(p \| r) = -\sum p \ln_q(r / p)} with the [q-logarithm][q_log()],
#'   for `q = 1` \eqn{\sum p \log(p / r)}. For `q > 0` it is 0 if the two agree and positive
#'   otherwise.
#' * `cross_entropy()`: \eqn{C_q(p, r) = -\sum p^q \ln_q r}, for `q = 1` \eqn{-\sum p \log r}.
#'
#' The cross-entropy is the entropy of `p` plus the divergence, for every `q` and `beta`. Both are
#' infinite if `q` or `beta` is at least 1 and `r` has weight 0 for a value that `p` has. `q = 2`
#' gives the divergence \eqn{\sum p^2 / r - 1}.
#'
#' Shannon's mutual information of two variables is the divergence of their joint distribution from
#' that of independent variables; see the examples.
#'
#' @inheritSection entropy Units
#'
#' @param p,r Two distributions of the same values: `p` is the true or observed one, `r` the one
#'   compared with it, for example the prediction of a model. Each is a numeric vector of weights, a
#'   table or a variable, as in [shannon_entropy()]. If both have names (variables always have),
#'   values are matched by name, and a value that is missing from one has weight 0 there. Otherwise
#'   values are matched by position.
#' @inheritParams joint_entropy
#' @return One number, which may be `Inf`.
#' @seealso [mutual_information()], [shannon_entropy()]
#' @family entropies and partitions
#' @examples
#' observed <- c(yes = 9, no = 5)
#' predicted <- c(yes = 0.5, no = 0.5)
#' cross_entropy(observed, predicted)
#' kl_divergence(observed, predicted)
#' shannon_entropy(observed) + kl_divergence(observed, predicted)
#' kl_divergence(observed, predicted, q = 2)
#'
#' counts <- table(play_tennis$PlayTennis, play_tennis$Outlook)
#' mutual_information(counts)
#' kl_divergence(counts, outer(rowSums(counts), colSums(counts)))
#' @export
cross_entropy <- function(p, r, q = NULL, beta = NULL, base = NULL) {
  kind <- entropy_kind(q, beta, base)
  both <- aligned_distributions(p, r)
  kind$multiple * (tsallis_of(both$p, kind$q) + tsallis_divergence(both, kind$q))
}

#' @rdname cross_entropy
#' @export
kl_divergence <- function(p, r, q = NULL, beta = NULL, base = NULL) {
  kind <- entropy_kind(q, beta, base)
  kind$multiple * tsallis_divergence(aligned_distributions(p, r), kind$q)
}

# -sum p ln_q(r / p) over the values that p has.
tsallis_divergence <- function(both, q) {
  here <- both$p > 0
  p <- both$p[here]
  -sum(p * q_log(both$r[here] / p, q))
}

# Two distributions of the same values, in the same order.
aligned_distributions <- function(p, r, call = rlang::caller_env()) {
  if (inherits(p, "tec_partition") || inherits(r, "tec_partition")) {
    cli::cli_abort(
      c(
        "{.arg p} and {.arg r} must not be partitions.",
        "i" = "The blocks of two partitions do not belong together one by one."
      ),
      class = entropy_error, call = call
    )
  }
  p <- named_distribution(p, "p", call)
  r <- named_distribution(r, "r", call)
  if (!is.null(names(p)) && !is.null(names(r))) {
    values <- union(names(p), names(r))
    shares <- function(of) ifelse(values %in% names(of), of[match(values, names(of))], 0)
    return(list(p = shares(p), r = shares(r)))
  }
  if (length(p) != length(r)) {
    cli::cli_abort(
      c(
        "{.arg p} and {.arg r} must be distributions of the same values.",
        "x" = "They have {length(p)} and {length(r)} values.",
        "i" = "Give both names, then values are matched by them."
      ),
      class = entropy_error, call = call
    )
  }
  list(p = unname(p), r = unname(r))
}

# Shares, with names if each value has its own.
named_distribution <- function(x, arg, call) {
  shares <- as_distribution(x, call, arg)
  names <- if (is_variable(x)) names(table(x)) else names(x)
  if (!is.null(names) && !anyNA(names) && all(nzchar(names)) && !anyDuplicated(names)) {
    names(shares) <- names
  }
  shares
}
