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

inline void cut_between(int column, Kind kind, double a, double b, Split& s) {
  s.level.clear();
  s.level_child.clear();
  s.kind = kind == Kind::numeric ? SplitKind::threshold : SplitKind::level;
  s.column = column;
  s.branches = 2;
  s.breaks.assign(1, kind == Kind::numeric ? between(a, b) : std::floor((a + b) / 2));
}

inline Split cut_between(int column, Kind kind, double a, double b) {
  Split s;
  cut_between(column, kind, a, b, s);
  return s;
}

// The first best, by the cut measure, of candidates whose exact measures are known: of those that
// gain enough to split a node or, where none does, of all.
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

  void add(std::uint32_t at, const Measures& m) {
    if (!m.finite()) return;
    const bool enough = enough_gain(m, min_gain_, impurity_);
    if (enough != enough_) {
      if (enough_) return;
      enough_ = true;
      clear();
    }
    at_.push_back(at);
    cut_.push_back(m.cut);
    all_.push_back(m);
  }
  bool empty() const { return at_.empty(); }
  // Settles on the winner; then at() and measures() speak of it.
  void settle() { first_ = first_best(cut_, impurity_); }
  std::uint32_t at() const { return at_[first_]; }
  const Measures& measures() const { return all_[first_]; }
  bool enough() const { return enough_; }

 private:
  void clear() {
    at_.clear();
    cut_.clear();
    all_.clear();
  }

  double min_gain_ = 0.0, impurity_ = 0.0;
  bool enough_ = false;
  std::vector<std::uint32_t> at_;
  std::vector<double> cut_;
  std::vector<Measures> all_;
  std::size_t first_ = 0;
};

inline void keep(ColumnResult& result, Split split, std::vector<double> weights, const Measures& m,
                 bool exact, bool enough) {
  result.found = true;
  result.enough = enough;
  result.open = false;
  result.winner = {std::move(split), std::move(weights), m.cut, m.gain, m.score, exact};
}

// A column's best cut in two, of which only the place is known yet.
inline void keep_place(ColumnResult& result, std::uint32_t at, const Measures& m, bool enough) {
  result.found = true;
  result.enough = enough;
  result.open = false;
  result.place = at;
  Winner& w = result.winner;
  w.cut = m.cut;
  w.gain = m.gain;
  w.score = m.score;
  w.exact = true;
}
inline void keep_place(ColumnResult& result, const BestOf& best) {
  keep_place(result, best.at(), best.measures(), best.enough());
}

// Its split, by the values a < b beside it; the caller adds the branches' weights.
inline void finish_cut(ColumnResult& result, int column, Kind kind, double a, double b) {
  cut_between(column, kind, a, b, result.winner.split);
  result.place = 0;
}

inline void keep_cut(ColumnResult& result, int column, Kind kind, double a, double b,
                     const Measures& m, bool enough) {
  keep_place(result, 0, m, enough);
  finish_cut(result, column, kind, a, b);
}

}  // namespace tectree
