#' Entropies of several variables
#'
#' Joint and conditional entropy and mutual information of two or more variables: Shannon's, in the
#' Tsallis family (`q`) or as beta-entropies (`beta`).
#'
#' @details
#' With \eqn{p_{xy}} the shares of the pairs:
#'
#' * `joint_entropy(x, y)`: \eqn{S_q(X, Y)}, the entropy of the pairs; with more variables, of
#'   their combinations;
#' * `conditional_entropy(x, y)`: \eqn{S_q(X | Y) = \sum_y p(y)^q S_q(X | Y = y)}, the entropy left
#'   in `x` when `y` is known; with more variables, when all of them are;
#' * `mutual_information(x, y)`: \eqn{I_q(X; Y) = S_q(X) - S_q(X | Y)}. It is symmetric;
#' * `mutual_information(x, y, given = z)`: \eqn{I_q(X; Y | Z) = S_q(X | Z) - S_q(X | Y, Z)}, what
#'   `y` says of `x` beyond `z`. It is symmetric in `x` and `y`.
#'
#' Mutual information can be negative for `q` and `beta` below 1, never for those from 1 on.
#'
#' They satisfy the chain rules \eqn{S_q(X, Y) = S_q(Y) + S_q(X | Y)},
#' \eqn{S_q(X, Y | Z) = S_q(X | Z) + S_q(Y | X, Z)} and
#' \eqn{I_q(X; Y, Z) = I_q(X; Z) + I_q(X; Y | Z)} for every `q`. The same holds for the
#' beta-entropies, where \eqn{H_\beta(\pi | \sigma) = 0} exactly when \eqn{\sigma} is finer than
#' \eqn{\pi}; see [tec_is_finer()].
#'
#' @inheritSection entropy Units
#'
#' @param x,y Two variables of the same length: vectors (any atomic type; each distinct value is one
#'   value of the variable), data frames (each distinct row is one value: several variables taken
#'   together), or [tec_partition()]s of the same set. Or only `x`: a matrix or table of
#'   non-negative weights whose rows are the values of `x` and whose columns the values of `y`; in a
#'   table of more dimensions each further one is one more variable.
#' @param ... Further variables of the same kind. `mutual_information()` takes none.
#' @param given The variable that is known; a data frame for several.
#' @param q The Tsallis parameter, one finite number.
#' @param beta The parameter of the beta-entropy, one positive number, in place of `q`.
#' @param base Base of the logarithm of Shannon's entropy: 2, bits, unless `q = 1` is given, then
#'   `exp(1)`, nats. It has no meaning for other entropies.
#' @return One number.
#' @seealso [shannon_entropy()], [tsallis_entropy()] and [beta_entropy()] for one variable,
#'   [kl_divergence()] for two distributions, [cami()] for the measures built on mutual information.
#' @family entropies and partitions
#' @examples
#' play <- c("no", "no", "yes", "yes", "yes", "no")
#' wind <- c("weak", "strong", "weak", "weak", "weak", "strong")
#' sky <- c("sun", "sun", "cloud", "rain", "rain", "rain")
#'
#' mutual_information(play, wind)
#' shannon_entropy(play) - conditional_entropy(play, wind)
#'
#' mutual_information(play, wind, q = 1.5)
#' joint_entropy(table(play, wind), q = 2)
#' conditional_entropy(tec_partition(play), tec_partition(wind), beta = 2)
#'
#' # Three variables
#' joint_entropy(play, wind, sky)
#' conditional_entropy(play, wind, sky)
#' mutual_information(play, wind, given = sky)
#' @export
joint_entropy <- function(x, y = NULL, ..., q = NULL, beta = NULL, base = NULL) {
  kind <- entropy_kind(q, beta, base)
  kind$multiple * tsallis_of(as_cells(x, y, ..., alone = is.data.frame(x))$weight, kind$q)
}

#' @rdname joint_entropy
#' @export
conditional_entropy <- function(x, y = NULL, ..., q = NULL, beta = NULL, base = NULL) {
  kind <- entropy_kind(q, beta, base)
  kind$multiple * conditional_tsallis(as_cells(x, y, ...), kind$q)
}

#' @rdname joint_entropy
#' @export
mutual_information <- function(x, y = NULL, ..., given = NULL, q = NULL, beta = NULL,
                               base = NULL) {
  if (...length() > 0 || is.null(y) && length(dim(x)) > 2) {
    cli::cli_abort(
      c(
        "{.fn mutual_information} is of two variables.",
        "i" = "A third one that is known is {.arg given}; several that belong together are a data
               frame."
      ),
      class = entropy_error
    )
  }
  kind <- entropy_kind(q, beta, base)
  if (is.null(given)) {
    cells <- as_cells(x, y)
    before <- tsallis_of(margin_of(cells, "row")$total, kind$q)
  } else {
    check_second(y)
    cells <- as_cells(x, y, given)
    before <- conditional_tsallis(as_cells(x, given), kind$q)
  }
  kind$multiple * (before - conditional_tsallis(cells, kind$q))
}

# With `given` the variables themselves are needed.
check_second <- function(y, call = rlang::caller_env()) {
  if (is.null(y)) {
    cli::cli_abort(
      c("{.arg given} needs {.arg x} and {.arg y} as variables.", "x" = "{.arg y} is missing."),
      class = entropy_error, call = call
    )
  }
}

# sum_y p(y)^q S_q(X | y), over the values of y that occur.
conditional_tsallis <- function(cells, q) {
  column <- margin_of(cells, "column")
  terms <- tsallis_terms(cells$weight / column$total[column$at], q)
  sum(column$total^q * rowsum(terms, column$at))
}

# The Tsallis entropy to compute and the multiple of it that is asked for: without a parameter
# Shannon's in bits, `q` in the units of S_q (nats at 1), `beta` in those of H_beta (bits at 1).
entropy_kind <- function(q, beta, base, call = rlang::caller_env()) {
  if (!is.null(q) && !is.null(beta)) {
    cli::cli_abort(
      c("Only one of {.arg q} and {.arg beta} can be given.", "x" = "Both are."),
      class = entropy_error, call = call
    )
  }
  power <- if (is.null(beta)) {
    check_entropy_number(q %||% 1, "q", call = call)
  } else {
    check_entropy_number(beta, "beta", positive = TRUE, call = call)
  }
  if (!is.null(base) && (power != 1 || !is.null(beta))) {
    cli::cli_abort(
      c(
        "{.arg base} can be given only for Shannon's entropy: alone or with {.code q = 1}.",
        "i" = "The other entropies contain no logarithm."
      ),
      class = entropy_error, call = call
    )
  }
  if (!is.null(beta)) {
    return(list(q = power, multiple = beta_multiple(power)))
  }
  base <- check_entropy_base(base %||% (if (is.null(q)) 2 else exp(1)), call)
  list(q = power, multiple = if (power == 1) 1 / log(base) else 1)
}
