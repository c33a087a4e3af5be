// Eigenvectors for rotation forests, by Armadillo: see Eigenvectors.
#define ARMA_WARN_LEVEL 0  // unsolvable systems are handled
#include <RcppArmadillo.h>

#include "eigenvectors.h"

// Columns without a decomposition stay as they are.
void eigenvectors(std::size_t size, double* matrix) {
  const arma::mat symmetric(matrix, size, size);
  arma::vec value;
  arma::mat vector;
  const bool found = size > 1 && arma::eig_sym(value, vector, symmetric) && vector.is_finite();
  const arma::mat turned =
      found ? arma::mat(arma::fliplr(vector)) : arma::mat(size, size, arma::fill::eye);
  std::copy(turned.begin(), turned.end(), matrix);
}
