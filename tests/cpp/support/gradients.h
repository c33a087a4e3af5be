// Gradients from lists of first and second derivatives, and those of a loss.
#pragma once

#include <tectree/ensemble/loss.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace support {

inline void add_gradient(tectree::Gradients& to, double g, double h) {
  to.of.push_back({g, h});
  to.most.g = std::max(to.most.g, std::fabs(g));
  to.most.h = std::max(to.most.h, h);
}

inline tectree::Gradients gradients_of(const std::vector<double>& g, const std::vector<double>& h) {
  tectree::Gradients out;
  for (std::size_t i = 0; i < g.size(); ++i) add_gradient(out, g[i], h[i]);
  return out;
}

// By output.
inline std::vector<tectree::Gradients> gradients_of(tectree::BoostLoss loss,
                                                    const tectree::ScoredRows& rows) {
  tectree::Team team(1);
  std::vector<tectree::Gradients> out;
  const auto nothing = [](std::size_t, std::size_t) {};
  tectree::find_gradients(loss, rows, false, nothing, out, team);
  return out;
}

inline double mean_loss_of(tectree::BoostLoss loss, const tectree::ScoredRows& rows) {
  tectree::Team team(1);
  return tectree::mean_loss(loss, rows, team);
}

}  // namespace support
