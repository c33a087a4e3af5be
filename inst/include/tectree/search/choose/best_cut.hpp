// The best of the cuts of a column that were scored exactly, and its split.
#pragma once

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "../../split/split.hpp"
#include "column_result.hpp"
#include "ties.hpp"

namespace tectree {

inline Split cut_between(int column, Kind kind, double a, double b) {
  if (kind == Kind::numeric) return {SplitKind::threshold, column, 2, {between(a, b)}, {}, {}};
  return {SplitKind::level, column, 2, {std::floor((a + b) / 2)}, {}, {}};
}

// The first best, by the cut measure or another, of candidates whose exact measures are known: of
// those that gain enough to split a node or, where none does, of all.
class BestOf {
 public:
  BestOf() = default;
  BestOf(double min_gain, double impurity) { start(min_gain, impurity); }
  void start(double min_gain, double impurity) {
    min_gain_ = min_gain;
    impurity_ = impurity;
    enough_ = false;
    clear();
  }

  void add(std::uint32_t at, const Measures& m) { add(at, m, m.cut); }
  void add(std::uint32_t at, const Measures& m, double by) {
    if (!m.finite()) return;
    const bool enough = enough_gain(m, min_gain_, impurity_);
    if (enough != enough_) {
      if (enough_) return;
      enough_ = true;
      clear();
    }
    at_.push_back(at);
    by_.push_back(by);
    all_.push_back(m);
  }
  bool empty() const { return at_.empty(); }
  // Settles on the winner; then at() and measures() speak of it.
  void settle() { first_ = first_best(by_, impurity_); }
  std::uint32_t at() const { return at_[first_]; }
  const Measures& measures() const { return all_[first_]; }
  bool enough() const { return enough_; }

 private:
  void clear() {
    at_.clear();
    by_.clear();
    all_.clear();
  }

  double min_gain_ = 0.0, impurity_ = 0.0;
  bool enough_ = false;
  std::vector<std::uint32_t> at_;
  std::vector<double> by_;
  std::vector<Measures> all_;
  std::size_t first_ = 0;
};

// A column's best cut in two; its split may wait, where its place is told.
inline void keep_place(ColumnResult& result, std::uint32_t at, const Measures& m, bool enough) {
  result.found = true;
  result.enough = enough;
  result.open = false;
  result.found_at = at;
  Winner& w = result.winner;
  w.cut = m.cut;
  w.gain = m.gain;
  w.score = m.score;
  w.exact = true;
}

}  // namespace tectree
