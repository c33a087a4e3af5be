// The edges of a column's bins, and the search for a number's bin: bin b contains edges[b - 1] < x
// <= edges[b]. A grid of equal cells from the first edge to the last stores the number of edges
// below each cell, so only the edges inside the number's own cell are searched, usually one.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace tectree {

class BinEdges {
 public:
  // A number's bin and its position inside the bin, from 0 to 255. The position never falls as the
  // number rises, and is always 0 in the first and the last bin, which have no width.
  struct Place {
    std::uint8_t bin, within;
  };

  BinEdges() = default;
  // Increasing; at most 255.
  explicit BinEdges(std::vector<double> edges)
      : n_(edges.size()), edges_(std::move(edges)), low_(n_ + 1, 0.0), per_step_(n_ + 1, 0.0) {
    for (std::size_t b = 1; b < n_; ++b) {
      low_[b] = edges_[b - 1];
      per_step_[b] = finite_or_none(256.0 / (edges_[b] - edges_[b - 1]));
    }
    if (n_ > 1) {
      first_ = edges_.front();
      per_cell_ = finite_or_none(last_cell / (edges_.back() - edges_.front()));
    }
    below_.assign(cells, 0);
    std::vector<std::size_t> inside(cells, 0);
    for (double edge : edges_) ++inside[cell(edge)];
    std::size_t below = 0, most = 0;
    for (std::size_t c = 0; c < cells; ++c) {
      below_[c] = static_cast<std::uint8_t>(below);
      below += inside[c];
      most = std::max(most, inside[c]);
    }
    while (first_half_ <= most) first_half_ *= 2;
    first_half_ /= 2;
    edges_.resize(n_ + 2 * first_half_, HUGE_VAL);
  }

  std::size_t bins() const { return n_ + 1; }

  // The bin of a number that is not missing. Products replace branches that could not be predicted.
  std::uint8_t bin(double x) const {
    std::size_t below = below_[cell(x)];
    for (std::size_t half = first_half_; half > 0; half /= 2) {
      below += half * static_cast<std::size_t>(edges_[below + half - 1] < x);
    }
    return static_cast<std::uint8_t>(below);
  }

  Place place(double x) const {
    const std::uint8_t b = bin(x);
    return {b, static_cast<std::uint8_t>(clamped((x - low_[b]) * per_step_[b], 255.0))};
  }

 private:
  static constexpr std::size_t cells = 4096;
  static constexpr double last_cell = cells - 1.0;

  // A width without a usable inverse puts all numbers at one position: slower, but correct.
  static double finite_or_none(double x) { return std::isfinite(x) ? x : 0.0; }
  // NaN becomes 0.
  static std::uint32_t clamped(double x, double most) {
    x = x > 0.0 ? x : 0.0;
    return static_cast<std::uint32_t>(x < most ? x : most);
  }
  std::uint32_t cell(double x) const { return clamped((x - first_) * per_cell_, last_cell); }

  std::size_t n_ = 0;
  std::vector<double> edges_{HUGE_VAL};  // and infinity as far as the bisection looks
  std::vector<double> low_, per_step_;   // by bin: its lower edge, and 256 / width
  double first_ = 0.0, per_cell_ = 0.0;
  std::vector<std::uint8_t> below_;  // by cell: the number of edges before it
  std::size_t first_half_ = 1;
};

}  // namespace tectree
