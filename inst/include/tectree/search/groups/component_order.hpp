// The order of levels along their first principal component, see divisions.hpp.
#pragma once

// Whoever includes the core may have configured Armadillo their own way; alone, it needs only its
// dense eigensolver.
#include <armadillo>

#include <cstdint>
#include <vector>

#include "divisions.hpp"

namespace tectree {

template <class Groups>
std::vector<std::uint32_t> order_by_component(const Groups& groups,
                                              const std::vector<int>& present) {
  const arma::uword k = present.size(), m = groups.size();
  arma::mat shares(m, k);
  arma::vec weight(m), mean(k);
  for (arma::uword g = 0; g < m; ++g) {
    weight[g] = groups.weight[g] / groups.n;
    for (arma::uword s = 0; s < k; ++s) shares(g, s) = groups.of(g)[present[s]] / groups.weight[g];
  }
  for (arma::uword s = 0; s < k; ++s) mean[s] = groups.total[present[s]] / groups.n;
  shares.each_row() -= mean.t();
  const arma::mat scatter = shares.t() * arma::diagmat(weight) * shares;
  arma::vec values;
  arma::mat vectors;
  if (!arma::eig_sym(values, vectors, scatter)) return order_by_share(groups, present.back());
  arma::vec first = vectors.col(k - 1);
  if (first[arma::abs(first).index_max()] < 0) first = -first;
  const arma::vec projection = shares * first;
  return order_by(std::vector<double>(projection.begin(), projection.end()));
}

}  // namespace tectree
