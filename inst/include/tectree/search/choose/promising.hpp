// The most promising of all splits that were measured in a node.
//
// In order: the node's winner; then by score, eligible columns first. Of two cuts of one column
// with few rows between them, the second is put back: neighbouring cuts finish in nearly the same
// subtrees, and would crowd out all others.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "../door/node_search.hpp"
#include "best_cut.hpp"

namespace tectree {

// A split that was measured. `bin`: the bin of a cut whose split is made only if it is promising.
struct Offer {
  Winner winner;
  int bin = -1;
  bool back = false;  // comes after all others

  int column() const { return winner.split.column; }
  // For a cut by value: the weight on its left, and the weight of both sides.
  bool is_cut() const {
    const SplitKind kind = winner.split.kind;
    return kind == SplitKind::threshold || kind == SplitKind::level;
  }
  double left() const { return winner.branch_weight[0]; }
  double total() const { return winner.branch_weight[0] + winner.branch_weight[1]; }
};

// Whether a split may be tried for the sake of later splits: it loses nothing in the required gain.
inline bool worth_trying(const Measures& m, double min_gain, double impurity) {
  return m.finite() && m.gain >= min_gain - 1e-12 * impurity;
}

class Promising {
 public:
  // `impurity`: of the node; `rule`: which columns are eligible.
  Promising(std::vector<std::vector<Offer>> by_column, const Winner* best, double impurity,
            Eligible rule)
      : impurity_(impurity) {
    std::vector<double> cuts;
    for (std::vector<Offer>& offers : by_column) {
      double most = -HUGE_VAL;
      for (Offer& offer : offers) {
        most = std::max(most, offer.winner.cut);
        offers_.push_back(std::move(offer));
      }
      if (most > -HUGE_VAL) cuts.push_back(most);
    }
    bound_ = eligibility_bound(cuts, rule);
    if (best) best_ = *best;
  }

  // complete(offer) makes the split of one that has a bin.
  Tried take(std::size_t most, const std::function<void(Offer&)>& complete = {}) {
    Tried out;
    if (best_) {
      out.first_is_best = true;
      keep_place({*best_, -1, false});
      out.splits.push_back(*best_);
    }
    std::vector<std::size_t> back;
    for (std::size_t i : in_order()) {
      if (out.splits.size() >= most) return out;
      if (stands_back(offers_[i])) {
        back.push_back(i);
      } else {
        keep_place(offers_[i]);
        add(offers_[i], complete, out);
      }
    }
    for (std::size_t i : back) {
      if (out.splits.size() >= most) break;
      add(offers_[i], complete, out);
    }
    return out;
  }

 private:
  static constexpr double apart = 20.0;  // cuts with this part of the weight between them are apart

  struct Place {
    int column, filled;
    double left;
  };

  void add(Offer& offer, const std::function<void(Offer&)>& complete, Tried& out) const {
    if (offer.bin >= 0) complete(offer);
    if (best_ && same_split(offer.winner.split, best_->split) && same_side(offer, best_->filled))
      return;
    out.splits.push_back(std::move(offer.winner));
  }

  // Scores that differ by rounding tie, and the order of columns and cuts decides.
  std::vector<std::size_t> in_order() const {
    std::vector<std::size_t> order(offers_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::vector<double> score(offers_.size());
    const double unit = impurity_ > 0.0 ? impurity_ * 1e-9 : 1.0;
    for (std::size_t i = 0; i < order.size(); ++i)
      score[i] = std::nearbyint(offers_[i].winner.score / unit);
    const auto less = [&](std::size_t a, std::size_t b) {
      const bool a_may = offers_[a].winner.cut >= bound_, b_may = offers_[b].winner.cut >= bound_;
      if (a_may != b_may) return a_may;
      return score[a] != score[b] ? score[a] > score[b] : a < b;
    };
    std::sort(order.begin(), order.end(), less);
    return order;
  }

  // Unless sides were tried, all rows with a missing value go to one side, given by the cut.
  static bool same_side(const Offer& offer, int filled) {
    return offer.winner.filled == no_branch || offer.winner.filled == filled;
  }
  void keep_place(const Offer& offer) {
    if (offer.is_cut()) taken_.push_back({offer.column(), offer.winner.filled, offer.left()});
  }
  bool stands_back(const Offer& offer) const {
    if (!offer.is_cut()) return offer.back;
    const double least = offer.total() / apart;
    return std::any_of(taken_.begin(), taken_.end(), [&](const Place& place) {
      return place.column == offer.column() && same_side(offer, place.filled) &&
             std::fabs(place.left - offer.left()) < least;
    });
  }

  std::vector<Offer> offers_;
  std::optional<Winner> best_;
  std::vector<Place> taken_;
  double impurity_, bound_ = -HUGE_VAL;
};

}  // namespace tectree
