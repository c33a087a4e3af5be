# Standards of rOpenSci for statistical software that do not apply, or are not met. The others are
# tagged where they are met. tools/checks/standards.R checks that none is missing.

#' Standards that do not apply
#'
#' @srrstatsNA {G1.4a} Declined: comments on internal functions are ordinary ones, which say why.
#' @srrstatsNA {G3.1, G3.1a} No result is a covariance. Rotation forests use principal components
#'   because their definition does.
#' @srrstatsNA {G4.0} Declined: a file has the name that is given, as with `saveRDS()`, so that
#'   scripts find it.
#' @srrstatsNA {G5.11} Declined: tests run without a network. Real data are read from a folder.
#' @srrstatsNA {ML1.1a, ML1.1b, ML7.0} Rows have no labels: arguments say what they are for.
#' @srrstatsNA {ML1.4} Tables of databases are named by the user, one in each call.
#' @srrstatsNA {ML2.0, ML2.0a, ML2.0b} Trees need no preprocessing. Recipes and workflows of
#'   tidymodels do it where it is wanted, and are supported.
#' @srrstatsNA {ML2.1} Data are tables; nothing is broadcast.
#' @srrstatsNA {ML2.2, ML2.2a, ML2.2b, ML2.5} Only rotation forests scale columns, as a part of the
#'   method: otherwise their components would depend on the units.
#' @srrstatsNA {ML2.6, ML2.7} No function transforms data, and no result is on a transformed scale.
#' @srrstatsNA {ML3.7} Growth is not computed on graphics processors.
#' @srrstatsNA {ML4.5} Optional. Times per level are reported while rows are counted.
#' @srrstatsNA {ML5.2c} `saveRDS()` stores all models.
#' @srrstatsNA {RE2.4b} A predictor that equals the response is a split or a term like any other.
#' @srrstatsNA {RE4.3, RE4.6} The data choose the terms, so the usual intervals and covariances of
#'   their coefficients would be wrong. The help of the methods of all models says so.
#' @srrstatsNA {RE4.14, RE4.15, RE6.3, RE7.4} No model forecasts. Outside the range of the training
#'   rows, trees are constant and splines are straight lines.
#' @srrstatsNA {RE6.1} The default plot is `plot()`.
#' @srrstatsNA {RE7.0a} Rows without noise are valid data; none are rejected.
#' @noRd
NULL

#' Standards that are not met yet
#'
#' @srrstatsTODO {G5.2b} Not all of the 677 messages are compared with their text in tests: the text
#'   of about three quarters is. Others are only tested by their class.
#' @noRd
NULL
