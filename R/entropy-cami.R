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
#' A class without rows still counts in `K`: a factor's empty level, or an empty row of the matrix.
#' It makes `cair()` smaller wherever `K` is above `g`, by the same factor for all attributes with
#' `g` up to `K`, so their order stays; an attribute with more values than `K` may move up against
#' them. In `effcami()` it only decides which bound holds. [droplevels()] removes empty classes.
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
