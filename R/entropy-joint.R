#' Entropies of two variables
#'
#' Joint and conditional entropy and mutual information, in the Tsallis family (`q`) or as
#' beta-entropies (`beta`).
#'
#' @details
#' With \eqn{p_{xy}} the shares of the pairs:
#'
#' * `joint_entropy()`: \eqn{S_q(X, Y)}, the entropy of the pairs;
#' * `conditional_entropy()`: \eqn{S_q(X | Y) = \sum_y p(y)^q S_q(X | Y = y)}, the entropy left in
#'   `x` when `y` is known;
#' * `mutual_information()`: \eqn{I_q(X; Y) = S_q(X) - S_q(X | Y)}. It is symmetric.
#'
#' They satisfy \eqn{S_q(X, Y) = S_q(Y) + S_q(X | Y)} for every `q`. The same holds for the
#' beta-entropies, where \eqn{H_\beta(\pi | \sigma) = 0} exactly when \eqn{\sigma} is finer than
#' \eqn{\pi}; see [is_finer()].
#'
#' @param x,y Two vectors of the same length (any atomic type; each distinct value is one value of
#'   the variable), or two [partition()]s of the same set. Or only `x`: a matrix or table of
#'   non-negative weights whose rows are the values of `x` and whose columns the values of `y`.
#' @param q The Tsallis parameter, one finite number. The default 1 is Shannon's entropy in nats.
#' @param beta The parameter of the beta-entropy, one positive number, in place of `q`. `beta = 1`
#'   is Shannon's entropy in bits.
#' @param base Base of the logarithm for `q = 1`, for instance 2 for bits. It has no meaning for
#'   other entropies.
#' @return One number.
#' @seealso [tsallis_entropy()] and [beta_entropy()] for one variable, [cami()] for the measures
#'   built on mutual information.
#' @examples
#' play <- c("no", "no", "yes", "yes", "yes", "no")
#' wind <- c("weak", "strong", "weak", "weak", "weak", "strong")
#' conditional_entropy(play, wind, base = 2)
#' mutual_information(play, wind, q = 1.5)
#' joint_entropy(table(play, wind), q = 2)
#' conditional_entropy(partition(play), partition(wind), beta = 2)
#' @export
joint_entropy <- function(x, y = NULL, q = 1, beta = NULL, base = exp(1)) {
  kind <- entropy_kind(q, beta, base, !missing(q), !missing(base))
  cells <- as_contingency(x, y)
  kind$multiple * tsallis_of(cells, kind$q)
}

#' @rdname joint_entropy
#' @export
conditional_entropy <- function(x, y = NULL, q = 1, beta = NULL, base = exp(1)) {
  kind <- entropy_kind(q, beta, base, !missing(q), !missing(base))
  kind$multiple * conditional_tsallis(as_contingency(x, y), kind$q)
}

#' @rdname joint_entropy
#' @export
mutual_information <- function(x, y = NULL, q = 1, beta = NULL, base = exp(1)) {
  kind <- entropy_kind(q, beta, base, !missing(q), !missing(base))
  cells <- as_contingency(x, y)
  kind$multiple * (tsallis_of(rowSums(cells), kind$q) - conditional_tsallis(cells, kind$q))
}

#' Class-attribute measures
#'
#' The class-attribute mutual information and its two normalised forms, all in bits.
#'
#' @details
#' * `cami()`: \eqn{\sum p_{js} \log_2 (p_{js} / (p_j p_s))}, the mutual information of class and
#'   attribute.
#' * `cair()`: CAMI divided by \eqn{\max(\log_2 K, \log_2 g)}, with `K` the number of declared
#'   classes and `g` the number of values of the attribute that occur.
#' * `effcami()`: CAMI divided by the largest value it could take, SupCAMI: the
#'   [split_information()] where \eqn{g \le K}, otherwise the entropy of the class.
#'
#' Where the denominator is zero (a single class, or a single branch under `effcami()`) the
#' attribute says nothing about the class and the value is 0.
#'
#' @param x The class: a vector, or a matrix or table of weights with the classes in rows and the
#'   attribute's values in columns. The number of declared classes is the number of levels of a
#'   factor or of rows of a matrix, otherwise the number of distinct values.
#' @param y The attribute, as long as `x`; left out when `x` is a matrix.
#' @return One number.
#' @seealso [mutual_information()], and [tec_criteria()] for the criteria `cami`, `cair`,
#'   `effcami0` and `effcami1`.
#' @examples
#' counts <- rbind(no = c(3, 0, 2), yes = c(2, 4, 3))
#' cami(counts)
#' cair(counts)
#' effcami(counts)
#' @export
cami <- function(x, y = NULL) {
  cami_of(as_contingency(x, y))
}

#' @rdname cami
#' @export
cair <- function(x, y = NULL) {
  cells <- as_contingency(x, y)
  n_branches <- sum(colSums(cells) > 0)
  share_of(cami_of(cells), log2(max(nrow(cells), n_branches)))
}

#' @rdname cami
#' @export
effcami <- function(x, y = NULL) {
  cells <- as_contingency(x, y)
  n_branches <- sum(colSums(cells) > 0)
  margin <- if (n_branches <= nrow(cells)) colSums(cells) else rowSums(cells)
  share_of(cami_of(cells), tsallis_of(margin, 1) / log(2))
}

cami_of <- function(cells) {
  independent <- outer(rowSums(cells), colSums(cells))
  here <- cells > 0
  sum(cells[here] * log2(cells[here] / independent[here]))
}

share_of <- function(part, whole) {
  if (whole > 0) part / whole else 0
}

# sum_y p(y)^q S_q(X | y). Columns without weight are left out before p(y)^q, which is infinite
# there for negative q.
conditional_tsallis <- function(cells, q) {
  column <- colSums(cells)
  present <- column > 0
  within <- apply(cells[, present, drop = FALSE], 2, function(cell) tsallis_of(cell / sum(cell), q))
  sum(column[present]^q * within)
}

# The Tsallis entropy to compute and the multiple of it that is asked for.
entropy_kind <- function(q, beta, base, has_q, has_base, call = rlang::caller_env()) {
  base <- check_entropy_base(base, call)
  if (is.null(beta)) {
    q <- check_entropy_number(q, "q", call = call)
  } else if (has_q) {
    cli::cli_abort(
      c("Only one of {.arg q} and {.arg beta} can be given.", "x" = "Both are."),
      class = "tec_error_entropy", call = call
    )
  } else {
    q <- check_entropy_number(beta, "beta", positive = TRUE, call = call)
  }
  if (has_base && (q != 1 || !is.null(beta))) {
    cli::cli_abort(
      c(
        "{.arg base} can be given only with {.code q = 1}.",
        "i" = "The other entropies contain no logarithm."
      ),
      class = "tec_error_entropy", call = call
    )
  }
  list(q = q, multiple = if (is.null(beta)) 1 / log(base) else beta_multiple(q))
}

# The shares of the pairs: rows the declared values of x, columns those of y.
as_contingency <- function(x, y, call = rlang::caller_env()) {
  if (is.null(y)) {
    return(contingency_from_matrix(x, call))
  }
  if (inherits(x, "tec_partition") && inherits(y, "tec_partition")) {
    y <- aligned_blocks(y, x, call)
    x <- x$block
  }
  check_variable(x, "x", call)
  check_variable(y, "y", call)
  if (length(x) != length(y)) {
    cli::cli_abort(
      c(
        "{.arg x} and {.arg y} must have the same length.",
        "x" = "They have {length(x)} and {length(y)} values."
      ),
      class = "tec_error_entropy", call = call
    )
  }
  x <- declared_values(x)
  y <- declared_values(y)
  cells <- tabulate((y$code - 1) * x$n + x$code, x$n * y$n)
  matrix(cells / sum(cells), x$n)
}

# A factor declares its levels; any other vector the values that it has. Not table(), which would
# take numbers that agree in their first 15 digits for the same value.
declared_values <- function(x) {
  if (is.factor(x)) {
    return(list(code = as.integer(x), n = nlevels(x)))
  }
  values <- unique(x)
  list(code = match(x, values), n = length(values))
}

contingency_from_matrix <- function(x, call) {
  if (!is.matrix(x) || !is.numeric(x)) {
    cli::cli_abort(
      c(
        "{.arg x} must be a matrix of weights when {.arg y} is not given.",
        "x" = "It is {.obj_type_friendly {x}}.",
        "i" = "Give two vectors, two partitions, or a matrix or table of weights."
      ),
      class = "tec_error_entropy", call = call
    )
  }
  matrix(as_distribution(as.double(x), call), nrow(x))
}

check_variable <- function(x, arg, call) {
  if (!is.atomic(x) || is.null(x) || is.matrix(x)) {
    cli::cli_abort(
      c(
        "{.arg {arg}} must be a vector or a factor.",
        "x" = "It is {.obj_type_friendly {x}}.",
        "i" = "A partition can be paired only with another partition."
      ),
      class = "tec_error_entropy", call = call
    )
  }
  check_no_missing(x, arg, call)
  if (length(x) == 0) {
    cli::cli_abort(
      c("{.arg {arg}} must not be empty."),
      class = "tec_error_entropy", call = call
    )
  }
}
