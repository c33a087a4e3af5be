# Tested in test-entropy-joint.R, test-entropy-cami.R and test-entropy-gain.R.

#' Entropies of several variables
#'
#' Joint entropy, conditional entropy and mutual information of two or more variables: Shannon's, or
#' their counterparts in the Tsallis family (`q`) and for beta-entropies (`beta`).
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
#'   `y` says about `x` beyond `z`. It is symmetric in `x` and `y`.
#'
#' Mutual information can be negative if `q` or `beta` is below 1, but not from 1 on.
#'
#' The measures satisfy the chain rules \eqn{S_q(X, Y) = S_q(Y) + S_q(X | Y)}, \eqn{S_q(X, Y | Z) =
#' S_q(X | Z) + S_q(Y | X, Z)} and \eqn{I_q(X; Y, Z) = I_q(X; Z) + I_q(X; Y | Z)} for every `q`. The
#' same holds for the beta-entropies, where \eqn{H_\beta(\pi | \sigma) = 0} exactly when
#' \eqn{\sigma} is finer than \eqn{\pi}; see [tec_is_finer()].
#'
#' @inheritSection entropy Units
#'
#' @param x,y Two variables of the same length. Each is a vector (of any atomic type; each distinct
#'   value is one value of the variable) or a data frame (each distinct row is one value: several
#'   variables taken together). Two [tec_partition()]s of the same set are also possible. Or only
#'   `x`: a matrix or table of non-negative weights whose rows are the values of `x` and whose
#'   columns are the values of `y`; each further dimension of a table is one more variable.
#' @param ... Further variables of the same kind. `mutual_information()` takes none.
#' @param given The known variable; a data frame for several.
#' @param q The Tsallis parameter, one finite number.
#' @param beta The parameter of the beta-entropy, one positive number, in place of `q`.
#' @param base Base of the logarithm of Shannon's entropy. The default is 2 (bits), or `exp(1)`
#'   (nats) if `q = 1` is given. Other entropies have no base.
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
        "{.fn mutual_information} takes two variables.",
        "i" = "A known third one is {.arg given}; several that belong together are a data
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

# The Tsallis entropy to compute, and the factor for the requested unit: without a parameter
# Shannon's entropy in bits, with `q` the units of S_q (nats at 1), with `beta` those of H_beta
# (bits at 1).
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
#' A class without rows still counts in `K`: an empty level of a factor, or an empty row of the
#' matrix. It makes `cair()` smaller if `K` is above `g`, by the same factor for all attributes with
#' `g` up to `K`, so their order stays the same. An attribute with more values than `K` may move up
#' relative to them. In `effcami()` an empty class only decides which bound applies. [droplevels()]
#' removes empty classes.
#'
#' If the denominator is zero (a single class, or a single branch for `effcami()`), the attribute is
#' uninformative and the value is 0.
#'
#' @param x The class: a vector, or a matrix or table of weights with the classes in rows and the
#'   attribute's values in columns. The number of declared classes is the number of levels of a
#'   factor or of rows of a matrix, otherwise the number of distinct values.
#' @param y The attribute, as long as `x`; left out when `x` is a matrix.
#' @return One number.
#' @seealso [mutual_information()], and [tec_criteria()] for the criteria `cami`, `cair`,
#'   `effcami0` and `effcami1`.
#' @family entropies and partitions
#' @examples
#' counts <- rbind(no = c(3, 0, 2), yes = c(2, 4, 3))
#' cami(counts)
#' cair(counts)
#' effcami(counts)
#' @export
cami <- function(x, y = NULL) {
  cami_of(as_cells(x, y))
}

#' @rdname cami
#' @export
cair <- function(x, y = NULL) {
  cells <- as_cells(x, y)
  share_of(cami_of(cells), log2(max(cells$n_rows, length(unique(cells$column)))))
}

#' @rdname cami
#' @export
effcami <- function(x, y = NULL) {
  cells <- as_cells(x, y)
  columns <- margin_of(cells, "column")$total
  margin <- if (length(columns) <= cells$n_rows) columns else margin_of(cells, "row")$total
  share_of(cami_of(cells), tsallis_of(margin, 1) / log(2))
}

cami_of <- function(cells) {
  row <- margin_of(cells, "row")
  column <- margin_of(cells, "column")
  independent <- row$total[row$at] * column$total[column$at]
  sum(cells$weight * log2(cells$weight / independent))
}

share_of <- function(part, whole) {
  if (whole > 0) part / whole else 0
}

#' Information gain and gain ratio
#'
#' How much an attribute says about a class, under the names used in textbooks. [tec_scores()]
#' computes the same for every candidate split of a data frame.
#'
#' @details
#' * `information_gain()`: the entropy of the class minus its mean entropy in the groups that the
#'   attribute forms: \eqn{S_q(X) - \sum_y p(y) S_q(X | Y = y)}. For Shannon's entropy this is
#'   [mutual_information()], for `q = 2` the gain of the Gini index. For other entropies mutual
#'   information differs, because it weights the groups by \eqn{p(y)^q}.
#' * `gain_ratio()`: the information gain divided by the entropy of the group sizes, which is
#'   [split_information()] for Shannon's entropy. It is 0 if the attribute has only one value.
#'
#' @section Units:
#' Without `q` the unit is bits. With `q` the entropies are Tsallis entropies (nats at `q = 1`).
#' `base` sets another unit for Shannon's entropy. A gain ratio has no unit.
#'
#' @inheritParams cami
#' @param q The Tsallis parameter, one finite number.
#' @param base Base of the logarithm of Shannon's entropy. The default is 2 (bits), or `exp(1)`
#'   (nats) if `q = 1` is given.
#' @return One number.
#' @seealso [misclassification()] and [gini_index()] for the impurity of one variable.
#' @family entropies and partitions
#' @examples
#' with(play_tennis, information_gain(PlayTennis, Outlook))
#' with(play_tennis, gain_ratio(PlayTennis, Outlook))
#' with(play_tennis, information_gain(PlayTennis, Outlook, q = 2)) # of the Gini index
#' information_gain(rbind(no = c(3, 0, 2), yes = c(2, 4, 3)))
#' tec_scores(PlayTennis ~ Outlook, play_tennis, criterion = "shannon", preset = "id3")
#' @export
information_gain <- function(x, y = NULL, q = NULL, base = NULL) {
  kind <- entropy_kind(q, NULL, base)
  kind$multiple * gain_of(as_cells(x, y), kind$q)
}

#' @rdname information_gain
#' @export
gain_ratio <- function(x, y = NULL, q = NULL) {
  kind <- entropy_kind(q, NULL, NULL)
  cells <- as_cells(x, y)
  share_of(gain_of(cells, kind$q), tsallis_of(margin_of(cells, "column")$total, kind$q))
}

# S_q(X) - sum_y p(y) S_q(X | y), over the values of y that occur.
gain_of <- function(cells, q) {
  column <- margin_of(cells, "column")
  within <- tsallis_terms(cells$weight / column$total[column$at], q)
  tsallis_of(margin_of(cells, "row")$total, q) - sum(column$total * rowsum(within, column$at))
}
