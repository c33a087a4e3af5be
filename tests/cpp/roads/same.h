// Whether two trees are the same, and if not, what differs first.
#pragma once

#include <tectree/tree/tree.hpp>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

namespace roads {

using tectree::Tree;

// The tolerance for numbers whose sums may be made in another order; well below 1e-10, within which
// two scores tie.
constexpr double close_by = 1e-12;

// The permitted differences between the trees of two roads.
struct Terms {
  bool twins = false;      // column c of the first is column 2c of the second
  bool surrogates = true;  // are compared; a copy of a column would be its best surrogate
  double weights = 1.0;    // the second tree's are this multiple of the first's
  double tolerance = 0.0;  // of numbers, relative; for gains relative to the root's impurity
};

class Difference {
 public:
  Difference(const Tree& a, const Tree& b, const Terms& terms) : a_(a), b_(b), terms_(terms) {
    const std::size_t n = std::min(a.size(), b.size());
    for (node_ = 0; node_ < n && said_.empty(); ++node_) compare(static_cast<int>(node_));
    if (said_.empty() && a.size() != b.size())
      said_ = std::to_string(b.size()) + " nodes instead of " + std::to_string(a.size());
  }
  // Empty if the trees are equal.
  const std::string& said() const { return said_; }

 private:
  template <class T>
  void same(const T& a, const T& b, const char* what) {
    if (!(a == b)) say(static_cast<double>(a), static_cast<double>(b), what);
  }
  void near(double a, double b, double scale, const char* what) {
    if (a == b || (std::isnan(a) && std::isnan(b))) return;
    if (!(std::fabs(a - b) <= terms_.tolerance * std::max(scale, std::fabs(a)))) say(a, b, what);
  }
  void say(double a, double b, const std::string& what) {
    if (!said_.empty()) return;
    std::ostringstream out;
    out.precision(17);
    out << "node " << node_ << " of " << a_.n[node_] << " rows, depth " << a_.depth[node_] << ": "
        << what << ' ' << b << " instead of " << a;
    said_ = out.str();
  }

  void compare(int i) {
    same(a_.parent[i], b_.parent[i], "parent");
    same(a_.n[i], b_.n[i], "rows");
    same(a_.kind[i], b_.kind[i], "kind of split");
    near(terms_.weights * a_.weight[i], b_.weight[i], 0.0, "weight");
    numbers(i);
    if (!said_.empty() || a_.kind[i] == 0) return;
    same(twin(a_.variable[i]), b_.variable[i], "column");
    same(a_.n_children[i], b_.n_children[i], "children");
    same(a_.default_child[i], b_.default_child[i], "default branch");
    same(int{a_.exact[i]}, int{b_.exact[i]}, "exact");
    same(a_.break_count[i], b_.break_count[i], "thresholds");
    same(a_.level_count[i], b_.level_count[i], "levels");
    if (!said_.empty()) return;
    for (int j = 0; j < a_.break_count[i]; ++j)
      same(a_.breaks[a_.break_start[i] + j], b_.breaks[b_.break_start[i] + j], "threshold");
    for (int j = 0; j < a_.level_count[i]; ++j) {
      same(a_.level[a_.level_start[i] + j], b_.level[b_.level_start[i] + j], "level");
      same(a_.level_child[a_.level_start[i] + j], b_.level_child[b_.level_start[i] + j],
           "branch of a level");
    }
    surrogates(i);
  }

  void numbers(int i) {
    // For equal numbers, the impurity is only the rounding of the centre.
    const double centre = a_.n_classes > 0 ? 0.0 : std::fabs(a_.yval[0]);
    const double least = std::max(centre, centre * centre) * 0x1p-52;
    const double impurity = std::fabs(a_.impurity[0]) + least;
    near(a_.yval[i], b_.yval[i], centre, "prediction");
    near(a_.impurity[i], b_.impurity[i], impurity, "impurity");
    near(a_.gain[i], b_.gain[i], impurity, "gain");
    near(a_.score[i], b_.score[i], impurity * divided_by(i), "score");
    for (int s = 0; s < a_.n_classes; ++s) near(a_.shares(i)[s], b_.shares(i)[s], 0.0, "share");
  }

  // A ratio's score is its gain, with its error, divided by a number that may be as small as the
  // share of a branch with one row.
  double divided_by(int i) const {
    const double by = a_.gain[i] > 0.0 ? std::fabs(a_.score[i]) / a_.gain[i] : 1.0;
    return std::max(1.0, std::min(by, static_cast<double>(a_.n[i])));
  }

  void surrogates(int i) {
    if (!terms_.surrogates || terms_.twins) return;
    same(a_.surrogates.count[i], b_.surrogates.count[i], "surrogates");
    for (int j = 0; j < a_.surrogates.count[i] && said_.empty(); ++j) {
      const auto of = [&](const Tree& t) {
        return t.surrogates.get(t.surrogates.start[i] + j, t.level, t.level_child);
      };
      const tectree::Surrogate a = of(a_), b = of(b_);
      same(a.split.column, b.split.column, "column of a surrogate");
      same(a.flipped, b.flipped, "direction of a surrogate");
      if (!tectree::same_split(a.split, b.split)) say(0, 1, "split of a surrogate");
      near(a.agree, b.agree, 0.0, "agreement");
      near(a.adj, b.adj, 1.0, "adjusted agreement");
    }
  }

  int twin(int column) const { return terms_.twins ? 2 * column : column; }

  const Tree& a_;
  const Tree& b_;
  const Terms terms_;
  std::size_t node_ = 0;
  std::string said_;
};

}  // namespace roads
