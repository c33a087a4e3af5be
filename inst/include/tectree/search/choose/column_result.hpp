// What one column's search leaves for the choice among columns, and working space it keeps from
// node to node.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "../../criterion/contract.hpp"
#include "../../tree/records.hpp"

namespace tectree {

// The cuts that may be the best, as far as running sums can tell. Each comes with an interval [low,
// high] that holds its true value; a cut whose `high` lies under another's `low` is out.
class Contenders {
 public:
  struct Cut {
    std::uint32_t at;
    double high;
  };

  void clear() {
    cuts_.clear();
    floor_ = -HUGE_VAL;
    high_ = -HUGE_VAL;
  }
  void offer(std::uint32_t at, double low, double high) {
    if (std::isnan(high)) {  // sums that left the range of a double know nothing of the cut
      low = -HUGE_VAL;
      high = HUGE_VAL;
    }
    if (high < floor_ || high == -HUGE_VAL) return;
    if (low > floor_) {
      floor_ = low;
      // Keeps the list short while a curve climbs; the full sweep is left to settle().
      while (!cuts_.empty() && cuts_.back().high < floor_) cuts_.pop_back();
    }
    if (high > high_) high_ = high;
    cuts_.push_back({at, high});
  }
  // For a search that offered its cuts from the last to the first.
  void backwards() { std::reverse(cuts_.begin(), cuts_.end()); }
  bool empty() const { return cuts_.empty(); }
  double floor() const { return floor_; }
  double high() const { return high_; }
  // The cuts left, in the order they were offered.
  const std::vector<Cut>& settle() {
    std::size_t kept = 0;
    for (const Cut& c : cuts_) {
      if (c.high >= floor_) cuts_[kept++] = c;
    }
    cuts_.resize(kept);
    return cuts_;
  }

 private:
  std::vector<Cut> cuts_;
  double floor_ = -HUGE_VAL, high_ = -HUGE_VAL;
};

// An interval that holds a number.
struct Span {
  double low = -HUGE_VAL, high = HUGE_VAL;
};

struct ColumnResult {
  bool open = false;   // has contenders, not yet scored exactly
  bool found = false;  // has an exactly scored winner
  // The winner gains enough to split a node. One that does not stands for its column where columns
  // are compared with their mean, and is what people are shown.
  bool enough = false;
  // Rows on the left of the best cut: where the column is open and a preview told it (there are no
  // contenders then); where it is found, but no split yet.
  std::uint32_t told_at = 0, found_at = 0;
  // The rows whose value is known, where contenders are rows on the left; their impurity.
  std::uint32_t known = 0;
  double impurity = 0.0;
  // What is known while open, in units of S_q: of the best contender, widened so that two that tie
  // overlap.
  double low = 0.0, high = 0.0;
  // The same in the criterion's units and without widening, where a rule of eligibility asks.
  Span cut, score;
  // In the criterion's units, without widening: what the best contender measures at most.
  double most = HUGE_VAL;
  // What the search asks of the column, in the units of `low`: cuts surely below need not be found.
  double floor = -HUGE_VAL;
  Contenders contenders;
  Winner winner;

  // Whether the column has an admissible split; whether it may win.
  bool counts() const { return open | found; }
  bool competes() const { return open | (found & enough); }
  // The spans of a winner.
  void exactly() {
    cut = {winner.cut, winner.cut};
    score = {winner.score, winner.score};
  }
  void reset() {
    open = found = enough = false;
    told_at = found_at = 0;
    most = HUGE_VAL;
    contenders.clear();
  }
};

}  // namespace tectree
