// What is known about one column in the contest of a node's columns. Results are kept from node to
// node, so a small node allocates no memory.
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "../../criterion/contract.hpp"
#include "../../tree/records.hpp"

namespace tectree {

// A cut that may be the best of its column, as far as running sums can tell.
struct Contender {
  std::uint32_t at;  // rows on its left, or the number of a division of groups
  double high;       // an upper bound of its measure
  // If rows are counted by code:
  int bin = -1;  // the last code with a row on its left
  // The values around it if it lies inside its bin; otherwise they are found only if it wins.
  double below = std::nan(""), above = std::nan("");
  double weight = 0.0, mass = 0.0;  // on its left: without and with the factors of classes

  bool at_edge() const { return std::isnan(below); }
};

// A bin that has not been looked into.
struct BinPlace {
  int bin;
  double before, in;  // the weight of the rows on its left, and in it
  double most;        // maximum measure of a cut inside
};

// Each contender has an interval [low, high] that contains its true value; a cut is out if its
// `high` is below another's `low`.
class Contenders {
 public:
  void clear() {
    cuts_.clear();
    floor_ = -HUGE_VAL;
    high_ = -HUGE_VAL;
  }
  void offer(std::uint32_t at, double low, double high) { offer(low, {at, high}); }
  void offer(double low, Contender cut) {
    if (std::isnan(cut.high)) {  // sums beyond the range of a double are unusable
      low = -HUGE_VAL;
      cut.high = HUGE_VAL;
    }
    if (cut.high < floor_ || cut.high == -HUGE_VAL) return;
    if (low > floor_) {
      floor_ = low;
      // Keeps the list short while a curve climbs; settle() checks all of it.
      while (!cuts_.empty() && cuts_.back().high < floor_) cuts_.pop_back();
    }
    if (cut.high > high_) high_ = cut.high;
    cuts_.push_back(cut);
  }
  // For a search that offers its cuts from the last to the first.
  void reverse() { std::reverse(cuts_.begin(), cuts_.end()); }
  bool empty() const { return cuts_.empty(); }
  double floor() const { return floor_; }
  double high() const { return high_; }
  // The remaining cuts, in the order they were offered.
  const std::vector<Contender>& settle() {
    const auto out = [&](const Contender& c) { return c.high < floor_; };
    cuts_.erase(std::remove_if(cuts_.begin(), cuts_.end(), out), cuts_.end());
    return cuts_;
  }
  // The same from the lowest up, if cuts inside bins were offered after those between them.
  const std::vector<Contender>& settle_by_weight() {
    settle();
    std::sort(cuts_.begin(), cuts_.end(),
              [](const Contender& a, const Contender& b) { return a.weight < b.weight; });
    return cuts_;
  }

 private:
  std::vector<Contender> cuts_;
  double floor_ = -HUGE_VAL, high_ = -HUGE_VAL;
};

// An interval that contains a number.
struct Span {
  double low = -HUGE_VAL, high = HUGE_VAL;
};

struct ColumnResult {
  // How much is known, and which members may be read.
  enum class State : std::uint8_t {
    none,       // no admissible split, or none that matters: nothing
    bounded,    // not searched, but previewed: low, high
    previewed,  // and its best cut has one position: at, low, high, cut, known, impurity
    open,       // searched, not scored: low, high, most, known, impurity; contenders, places
    scored,     // its best cut and its measures: at, enough, winner without the split
    complete    // its best split: enough, winner
  };
  State state = State::none;

  // The best split gains enough to be made. Otherwise it still represents its column when columns
  // are compared with their mean, and is shown to the user.
  bool enough = false;
  std::uint32_t at = 0;     // rows on the left of the best cut
  std::uint32_t known = 0;  // rows with a value
  double impurity = 0.0;    // of these
  // In units of S_q: the measure of the best contender, widened so that two that tie overlap.
  double low = 0.0, high = 0.0;
  // In the criterion's units, without widening: its measure and score, while columns are compared
  // by spans; and its maximum measure.
  Span cut, score;
  double most = HUGE_VAL;
  // Set before the search, in the units of `low`: cuts surely below need not be found.
  double floor = -HUGE_VAL;
  Contenders contenders;
  std::vector<BinPlace> places;  // in order
  Winner winner;

  bool is_open() const { return (state == State::previewed) | (state == State::open); }
  bool is_scored() const { return state >= State::scored; }
  bool has_split() const { return state >= State::previewed; }  // an admissible one
  bool can_split() const { return is_scored() & enough; }
  bool may_split() const {
    const bool open = is_open(), can = can_split();  // no branch: see ColumnChoice::list()
    return open | can;
  }

  void reset() {
    state = State::none;
    most = HUGE_VAL;
    contenders.clear();
    places.clear();
  }
  void open(double least, double highest) {
    state = State::open;
    low = least;
    high = highest;
  }
  void open_contenders() {
    if (!contenders.empty() || !places.empty()) open(contenders.floor(), contenders.high());
  }
  // The best cut, scored; its split may wait until the column has won.
  void keep_cut(std::uint32_t place, const Measures& m, bool gains_enough) {
    state = State::scored;
    at = place;
    enough = gains_enough;
    winner.cut = m.cut;
    winner.gain = m.gain;
    winner.score = m.score;
    winner.deduction = 0.0;
    winner.exact = true;
    winner.filled = no_branch;
    winner.test = Test();
  }
  void complete(Split split) {
    assert(state == State::scored);
    state = State::complete;
    winner.split = std::move(split);
  }
  // The spans of exact measures.
  void close_spans() {
    assert(is_scored());
    cut = {winner.cut, winner.cut};
    score = {winner.score, winner.score};
  }
};

}  // namespace tectree
