// Room grow/many/: many trees from one sample: subsets, folds, forests.
//
// Bags: the rows that the trees of a forest are grown from, drawn with the tree's own seed, so
// neither threads nor compilers change them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../../base/stream.hpp"

namespace tectree {

// Some rows of a sample: their positions, increasing, and how often each counts.
struct Bag {
  std::vector<std::uint32_t> positions;
  std::vector<std::uint32_t> counts;  // empty: once each
};

// How bags are drawn.
struct Draws {
  bool replace = true;
  std::vector<std::size_t> of_class;  // draws of each class; one number if classes do not matter
  std::vector<double> weights;        // by position: how often a row is drawn; empty: equally often
};

// Rows that are drawn from together: of all classes, or of one.
class Urn {
 public:
  // `rows`: their positions. Rows with weight 0 are never drawn.
  Urn(std::vector<std::uint32_t> rows, std::size_t draws, const Draws& how)
      : rows_(std::move(rows)), draws_(draws), replace_(how.replace) {
    if (!how.weights.empty()) weigh(how.weights);
    if (draws_ > 0 && (rows_.empty() || (!replace_ && draws_ > rows_.size())))
      throw std::invalid_argument("more rows are to be drawn than exist");
  }

  std::size_t size() const { return rows_.size(); }

  // Calls take(position) for each draw. `order` is working space, which must be 0, 1, ... up to the
  // size of the largest urn before and is so again afterwards.
  template <class Take>
  void draw(Stream& stream, std::vector<std::uint32_t>& order, Take take) const {
    if (!weights_.empty() && !replace_) return draw_different_by_weight(stream, take);
    if (!weights_.empty()) {
      for (std::size_t i = 0; i < draws_; ++i) take(rows_[by_weight(stream, sums_)]);
    } else if (replace_) {
      for (std::size_t i = 0; i < draws_; ++i) take(rows_[stream.below(rows_.size())]);
    } else {
      draw_different(stream, order, take);
    }
  }

 private:
  void weigh(const std::vector<double>& by_position) {
    std::vector<std::uint32_t> some;
    for (std::uint32_t row : rows_) {
      if (!(by_position[row] > 0.0)) continue;
      some.push_back(row);
      weights_.push_back(by_position[row]);
    }
    rows_.swap(some);
    sums_ = summed(weights_);
  }

  static std::vector<double> summed(const std::vector<double>& weights) {
    std::vector<double> sums(weights.size());
    std::partial_sum(weights.begin(), weights.end(), sums.begin());
    return sums;
  }

  // The row whose interval of the cumulative weights contains a number drawn below their total.
  static std::size_t by_weight(Stream& stream, const std::vector<double>& sums) {
    const double at = stream.uniform() * sums.back();
    const auto found = std::upper_bound(sums.begin(), sums.end(), at) - sums.begin();
    return std::min(static_cast<std::size_t>(found), sums.size() - 1);
  }

  // A shuffle of the first places only, undone when they have been read.
  template <class Take>
  void draw_different(Stream& stream, std::vector<std::uint32_t>& order, Take take) const {
    std::vector<std::uint32_t> from(draws_);
    for (std::size_t i = 0; i < draws_; ++i) {
      from[i] = static_cast<std::uint32_t>(i + stream.below(rows_.size() - i));
      std::swap(order[i], order[from[i]]);
      take(rows_[order[i]]);
    }
    for (std::size_t i = draws_; i-- > 0;) std::swap(order[i], order[from[i]]);
  }

  // A row that has already been drawn is drawn again. Once half of the weight is gone, the sums of
  // the remaining weights are recomputed.
  template <class Take>
  void draw_different_by_weight(Stream& stream, Take take) const {
    std::vector<double> left = weights_, sums = sums_;
    double gone = 0.0;
    for (std::size_t i = 0; i < draws_;) {
      const std::size_t at = by_weight(stream, sums);
      if (left[at] == 0.0) continue;
      take(rows_[at]);
      ++i;
      gone += left[at];
      left[at] = 0.0;
      if (gone < 0.5 * sums.back()) continue;
      sums = summed(left);
      gone = 0.0;
    }
  }

  std::vector<std::uint32_t> rows_;
  std::vector<double> weights_, sums_;  // by row; empty: all are drawn equally often
  std::size_t draws_;
  bool replace_;
};

// What all bags of a forest are drawn from.
class Urns {
 public:
  // `classes`: by position, from 0; used if classes have their own draws.
  Urns(std::size_t n, const Draws& how, const std::vector<std::uint16_t>& classes)
      : n_(n), replace_(how.replace) {
    const std::size_t k = how.of_class.size();
    std::vector<std::vector<std::uint32_t>> rows(k);
    for (std::size_t i = 0; i < n; ++i)
      rows[k > 1 ? classes[i] : 0].push_back(static_cast<std::uint32_t>(i));
    for (std::size_t s = 0; s < k; ++s) {
      urns_.emplace_back(std::move(rows[s]), how.of_class[s], how);
      draws_ += how.of_class[s];
    }
  }

  std::size_t rows() const { return n_; }
  std::size_t draws() const { return draws_; }
  bool replace() const { return replace_; }
  const std::vector<Urn>& urns() const { return urns_; }

 private:
  std::size_t n_, draws_ = 0;
  bool replace_;
  std::vector<Urn> urns_;
};

// Draws the bags of one thread.
class Drawer {
 public:
  explicit Drawer(const Urns& urns) : urns_(urns), counts_(urns.rows(), 0) {
    std::size_t most = 0;
    for (const Urn& urn : urns.urns()) most = std::max(most, urn.size());
    order_.resize(urns.replace() ? 0 : most);
    std::iota(order_.begin(), order_.end(), 0u);
  }

  // `seed`: of the tree.
  Bag draw(std::uint64_t seed) {
    Stream stream(Stream::part(seed, 0));
    Bag out;
    for (const Urn& urn : urns_.urns()) {
      urn.draw(stream, order_, [&](std::uint32_t position) {
        if (counts_[position]++ == 0) out.positions.push_back(position);
      });
    }
    put_in_order(out.positions);
    if (urns_.replace()) out.counts.reserve(out.positions.size());
    for (std::uint32_t position : out.positions) {
      if (urns_.replace()) out.counts.push_back(counts_[position]);
      counts_[position] = 0;
    }
    return out;
  }

 private:
  // If most rows are present, finding them is faster than sorting; without a branch, which could
  // not be predicted.
  void put_in_order(std::vector<std::uint32_t>& positions) const {
    if (positions.size() < counts_.size() / 16)
      return std::sort(positions.begin(), positions.end());
    const std::size_t drawn = positions.size();
    positions.resize(drawn + 1);  // one more is written but not counted
    std::size_t found = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      positions[found] = static_cast<std::uint32_t>(i);
      found += counts_[i] > 0;
    }
    positions.resize(drawn);
  }

  const Urns& urns_;
  std::vector<std::uint32_t> counts_;  // 0 between bags
  std::vector<std::uint32_t> order_;
};

}  // namespace tectree
