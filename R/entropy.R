#' Entropies of one variable
#'
#' The entropies behind the split criteria, as plain functions.
#'
#' @details
#' * `tsallis_entropy()`: \eqn{S_q = (1 - \sum p^q) / (q - 1)}, summed over the values that
#'   occur. `q = 1` is Shannon's entropy in nats, `q = 2` the Gini index, `q = 0` the number of
#'   values that occur minus one. Any real `q` is allowed and the value is continuous in `q`.
#' * `beta_entropy()`: \eqn{H_\beta = (1 - \sum p^\beta) / (1 - 2^{1 - \beta})} for
#'   \eqn{\beta > 0}, a positive multiple of the Tsallis entropy with \eqn{q = \beta}. `beta = 1`
#'   is Shannon's entropy in bits, `beta = 2` twice the Gini index.
#' * `shannon_entropy()`: \eqn{-\sum p \log p}, by default in bits.
#' * `gini_index()`: \eqn{1 - \sum p^2}.
#' * `misclassification()`: \eqn{1 - \max p}, the error of always predicting the most frequent
#'   class.
#' * `split_information()`: the Shannon entropy of the branches' shares, the denominator of the
#'   gain ratio.
#'
#' @section Units:
#' One rule holds for all entropies of the package. Without a parameter they are Shannon's, in bits.
#' With `q` they are Tsallis entropies, at `q = 1` Shannon's in nats. With `beta` they are
#' beta-entropies, at `beta = 1` Shannon's in bits. So
#' `shannon_entropy(x) - conditional_entropy(x, y)` is `mutual_information(x, y)`, and
#' `tsallis_entropy(x, q) - conditional_entropy(x, y, q = q)` is `mutual_information(x, y, q = q)`.
#' `base` sets another unit for Shannon's entropy.
#'
#' @param p The distribution, in one of three forms:
#'   * a numeric vector, matrix or table of non-negative weights (probabilities or counts), which
#'     are normalised to sum to one; zeros are ignored. Numbers are always weights. A vector that
#'     looks like a variable gives a warning: only 0 and 1; at least five codes 1 to K (or 0 to K)
#'     of which two or more are repeated; or many whole numbers with few different values. Use
#'     `factor(y)` or `table(y)` for a variable. A single number gives a warning too;
#'   * a factor, character or logical vector: a variable, whose table of values is used;
#'   * a [tec_partition()], whose block sizes are used.
#'
#'   Missing values are an error in every form.
#' @param q,beta The parameter, one finite number. `beta` must be positive.
#' @param base Base of the logarithm: 2 for bits, `exp(1)` for nats.
#' @return One number.
#' @seealso [joint_entropy()], [conditional_entropy()] and [mutual_information()] for several
#'   variables, [information_gain()] for a class and an attribute, [cross_entropy()] and
#'   [kl_divergence()] for two distributions.
#' @family entropies and partitions
#' @examples
#' tsallis_entropy(c(9, 5), q = 1)
#' tsallis_entropy(c(9, 5), q = 2)
#' gini_index(c(9, 5))
#' misclassification(c(9, 5))
#' shannon_entropy(c("yes", "no", "yes", "yes"))
#' shannon_entropy(factor(c(1, 0, 1, 1))) # numbers alone would be weights
#' beta_entropy(c(0.5, 0.5), beta = 1.7)
#' split_information(c(5, 4, 5))
#' @name entropy
NULL

#' @rdname entropy
#' @export
tsallis_entropy <- function(p, q = 1) {
  q <- check_entropy_number(q, "q")
  tsallis_of(as_distribution(p), q)
}

#' @rdname entropy
#' @export
beta_entropy <- function(p, beta = 1) {
  beta <- check_entropy_number(beta, "beta", positive = TRUE)
  tsallis_of(as_distribution(p), beta) * beta_multiple(beta)
}

#' @rdname entropy
#' @export
shannon_entropy <- function(p, base = 2) {
  base <- check_entropy_base(base)
  tsallis_of(as_distribution(p), 1) / log(base)
}

#' @rdname entropy
#' @export
gini_index <- function(p) {
  tsallis_of(as_distribution(p), 2)
}

#' @rdname entropy
#' @export
misclassification <- function(p) {
  1 - max(as_distribution(p))
}

#' @rdname entropy
#' @export
split_information <- function(p, base = 2) {
  base <- check_entropy_base(base)
  tsallis_of(as_distribution(p), 1) / log(base)
}

#' The q-logarithm and the q-exponential
#'
#' \eqn{\ln_q x = (x^{1 - q} - 1) / (1 - q)} and its inverse
#' \eqn{e_q^x = [1 + (1 - q) x]^{1 / (1 - q)}}. `q = 1` gives [log()] and [exp()], and both are
#' continuous in `q`. The Tsallis entropy is the mean of \eqn{\ln_q(1 / p)}.
#'
#' Where \eqn{1 + (1 - q) x < 0} the q-exponential is 0. For `q < 1` it falls to 0 before that
#' point. For `q > 1` it grows without bound as `x` rises to \eqn{1 / (q - 1)}, is `Inf` there and 0
#' beyond, where no value of the q-logarithm lies.
#'
#' @param x A numeric vector; for `q_log()` without negative values. `NA` stays `NA`.
#' @param q One finite number.
#' @return A numeric vector as long as `x`.
#' @family entropies and partitions
#' @examples
#' q_log(c(0.5, 1, 2), q = 1.5)
#' q_exp(q_log(3, q = 0.4), q = 0.4)
#' p <- c(0.2, 0.3, 0.5)
#' sum(p * q_log(1 / p, q = 1.7))
#' tsallis_entropy(p, q = 1.7)
#' @export
q_log <- function(x, q = 1) {
  q <- check_entropy_number(q, "q")
  check_real_vector(x)
  if (any(x < 0, na.rm = TRUE)) {
    cli::cli_abort(
      c(
        "{.arg x} must not be negative.",
        "x" = "Found {.val {min(x, na.rm = TRUE)}}.",
        "i" = "The q-logarithm is defined for {.code x >= 0}."
      ),
      class = entropy_error
    )
  }
  if (q == 1) log(x) else expm1((1 - q) * log(x)) / (1 - q)
}

#' @rdname q_log
#' @export
q_exp <- function(x, q = 1) {
  q <- check_entropy_number(q, "q")
  check_real_vector(x)
  if (q == 1) {
    return(exp(x))
  }
  # For -1 and below the result is 0 or, at the pole of q > 1, Inf; log1p() would give NaN below -1.
  step <- (1 - q) * x
  ifelse(step < -1, 0, exp(log1p(pmax(step, -1)) / (1 - q)))
}

# S_q of a normalised vector. One formula for every q != 1: with sum(p) = 1,
# (1 - sum p^q) / (q - 1) = -sum p (p^(q-1) - 1) / (q - 1), and expm1() keeps it exact near q = 1.
tsallis_of <- function(p, q) {
  sum(tsallis_terms(p[p > 0], q))
}

tsallis_terms <- function(p, q) {
  if (q == 1) -p * log(p) else -p * expm1((q - 1) * log(p)) / (q - 1)
}

# H_b = beta_multiple(b) * S_b: (b - 1) / (1 - 2^(1-b)), which is 1 / ln 2 at b = 1.
beta_multiple <- function(beta) {
  if (beta == 1) {
    return(1 / log(2))
  }
  (1 - beta) / expm1((1 - beta) * log(2))
}

as_distribution <- function(p, call = rlang::caller_env(), arg = "p") {
  weights <- distribution_weights(p, call, arg)
  if (anyNA(weights) || any(weights < 0) || any(is.infinite(weights))) {
    cli::cli_abort(
      c(
        "{.arg {arg}} must contain finite, non-negative weights.",
        "x" = "Found {.val {weights[is.na(weights) | weights < 0 | is.infinite(weights)][1]}}."
      ),
      class = entropy_error, call = call
    )
  }
  if (sum(weights) <= 0) {
    cli::cli_abort(
      c(
        "{.arg {arg}} must have a positive sum.",
        "x" = if (length(weights)) "All its weights are zero." else "It is empty."
      ),
      class = entropy_error, call = call
    )
  }
  # The largest first, so that a sum of huge weights cannot overflow.
  weights <- weights / max(weights)
  weights / sum(weights)
}

is_variable <- function(p) is.factor(p) || is.character(p) || is.logical(p)

distribution_weights <- function(p, call, arg) {
  if (inherits(p, "tec_partition")) {
    return(tabulate(p$block))
  }
  if (is_variable(p)) {
    check_no_missing(p, arg, call)
    return(as.double(table(p)))
  }
  if (is.numeric(p) && !is.object(p) || inherits(p, "table")) {
    if (is.null(dim(p)) && !is.object(p) && length(p) == 1L) warn_single(arg)
    if (is.null(dim(p)) && looks_like_variable(p)) warn_variable(p, arg)
    return(as.double(p))
  }
  cli::cli_abort(
    c(
      "{.arg {arg}} must be weights, a variable or a partition.",
      "x" = "It is {.obj_type_friendly {p}}.",
      "i" = "Give numeric weights, a factor, character or logical vector, or a {.fn tec_partition}."
    ),
    class = entropy_error, call = call
  )
}
