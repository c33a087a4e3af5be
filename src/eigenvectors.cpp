// Eigenvectors for rotation forests are Armadillo's: see Eigenvectors.
#define ARMA_WARN_LEVEL 0  // what cannot be solved is dealt with
#include <RcppArmadillo.h>

#include "eigenvectors.h"

// Columns that cannot be turned stay as they are.
void eigenvectors(std::size_t size, double* matrix) {
  const arma::mat symmetric(matrix, size, size);
  arma::vec value;
  arma::mat vector;
  const bool found = size > 1 && arma::eig_sym(value, vector, symmetric) && vector.is_finite();
  const arma::mat turned =
      found ? arma::mat(arma::fliplr(vector)) : arma::mat(size, size, arma::fill::eye);
  std::copy(turned.begin(), turned.end(), matrix);
}
