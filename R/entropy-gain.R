#' Information gain and gain ratio
#'
#' What an attribute tells about a class, by the names of the textbooks. [tec_scores()] computes the
#' same for every candidate split of a data frame.
#'
#' @details
#' * `information_gain()`: the entropy of the class less the mean entropy of the class in the groups
#'   that the attribute makes: \eqn{S_q(X) - \sum_y p(y) S_q(X | Y = y)}. For Shannon's entropy this
#'   is [mutual_information()], for `q = 2` the gain of the Gini index. For other entropies mutual
#'   information differs: it weighs the groups by \eqn{p(y)^q}.
#' * `gain_ratio()`: the information gain divided by the entropy of the group sizes, for Shannon's
#'   entropy [split_information()]. It is 0 where the attribute has one value only.
#'
#' @section Units:
#' Without `q` bits, with `q` Tsallis entropies (nats at `q = 1`). `base` sets another unit for
#' Shannon's entropy. A gain ratio has no unit.
#'
#' @inheritParams cami
#' @param q The Tsallis parameter, one finite number.
#' @param base Base of the logarithm of Shannon's entropy: 2, bits, unless `q = 1` is given, then
#'   `exp(1)`, nats.
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
