// Surrogates of a split in two: splits of other columns that send rows the same way.
#pragma once

#include <map>
#include <optional>
#include <set>

#include "oracle/missing.h"

namespace oracle {

using tectree::Surrogate;

// The weights on either side.
struct Sides {
  double w[2] = {0.0, 0.0};
  double larger() const { return std::max(w[0], w[1]); }
  double both() const { return w[0] + w[1]; }
};

// A row whose branch is known, with its value in the surrogate's column.
struct Led {
  double value, w;
  int branch;
};

inline Sides sides_of(const std::vector<Led>& rows) {
  Sides out;
  for (const Led& r : rows) out.w[r.branch] += r.w;
  return out;
}

class SurrogateFinder {
 public:
  SurrogateFinder(const Problem& problem, const Rows& rows, const Split& split)
      : problem_(problem), rows_(rows), split_(split) {}

  // The best first; in the order of columns on ties.
  std::vector<Surrogate> find() const {
    std::vector<Surrogate> out;
    if (problem_.missing != "surrogate" || problem_.surrogates.most == 0) return out;
    if (split_.branches != 2) return out;
    for (std::size_t c = 0; c < problem_.table.x.size(); ++c) {
      if (static_cast<int>(c) == split_.column) continue;
      if (const auto found = of_column(c)) out.push_back(*found);
    }
    const auto rounded = [](const Surrogate& s) { return std::nearbyint(s.agree * 1e12); };
    std::stable_sort(out.begin(), out.end(), [&](const Surrogate& a, const Surrogate& b) {
      return rounded(a) > rounded(b);
    });
    const auto most = static_cast<std::size_t>(problem_.surrogates.most);
    if (out.size() > most) out.resize(most);
    return out;
  }

 private:
  // A surrogate with the weight of the rows that it sends correctly.
  struct Rated {
    Surrogate surrogate;
    double right = 0.0;
  };

  std::optional<Surrogate> of_column(std::size_t column) const {
    const std::vector<double>& x = problem_.table.x[column];
    const std::vector<double>& own = problem_.table.x[static_cast<std::size_t>(split_.column)];
    std::vector<Led> led, both;
    std::set<double> values;  // of all rows, including those without a known branch
    for (const Row& r : rows_) {
      if (!std::isnan(x[r.at])) values.insert(x[r.at]);
      const int branch = branch_of(split_, own[r.at]);
      if (branch < 0) continue;
      led.push_back({x[r.at], r.w, branch});
      if (!std::isnan(x[r.at])) both.push_back(led.back());
    }
    if (both.empty()) return std::nullopt;
    const bool by_value = problem_.table.kind[column] != Kind::nominal ||
                          problem_.setting.control.nominal == Nominal::ordered;
    std::optional<Rated> best = by_value ? best_cut(column, values, both) : by_level(both);
    if (!best) return std::nullopt;
    const Sides of = sides_of(problem_.surrogates.of_known ? both : led);
    Surrogate& out = best->surrogate;
    out.split.column = static_cast<int>(column);
    out.split.branches = 2;
    out.agree = best->right / of.both();
    out.adj = (best->right - of.larger()) / (of.both() - of.larger());
    if (!(out.adj > 1e-10)) return std::nullopt;
    return out;
  }

  // The cut, and its direction, that sends most rows correctly: more than the larger branch has,
  // and with two rows on either side.
  std::optional<Rated> best_cut(std::size_t column, const std::set<double>& values,
                                const std::vector<Led>& rows) const {
    const bool number = problem_.table.kind[column] == Kind::numeric;
    double most = sides_of(rows).larger();
    std::optional<Rated> best;
    double before = 0.0;
    for (double v : values) {
      const double a = before;
      before = v;
      if (v == *values.begin()) continue;
      std::vector<Led> low, high;
      for (const Led& r : rows) (r.value < v ? low : high).push_back(r);
      if (low.size() < 2 || high.size() < 2) continue;
      const Sides l = sides_of(low), h = sides_of(high);
      for (const bool flipped : {true, false}) {
        const double right = flipped ? l.w[1] + h.w[0] : l.w[0] + h.w[1];
        if (right <= most * (1 + 1e-12)) continue;
        most = right;
        best = Rated{};
        best->right = right;
        best->surrogate.flipped = flipped;
        best->surrogate.split.kind = number ? SplitKind::threshold : SplitKind::level;
        best->surrogate.split.breaks = {number ? midpoint(a, v) : std::floor((a + v) / 2)};
      }
    }
    return best;
  }

  // Each level goes where most of its rows go; to the larger branch on ties.
  std::optional<Rated> by_level(const std::vector<Led>& rows) const {
    const Sides all = sides_of(rows);
    const int larger = all.w[1] >= all.w[0] ? 1 : 0;
    std::map<int, Sides> levels;
    for (const Led& r : rows) levels[static_cast<int>(r.value)].w[r.branch] += r.w;
    Rated out;
    out.surrogate.split.kind = SplitKind::subset;
    for (const auto& [level, sides] : levels) {
      const bool other = sides.w[1 - larger] > sides.w[larger] * (1 + 1e-12);
      const int to = other ? 1 - larger : larger;
      out.surrogate.split.level.push_back(level);
      out.surrogate.split.level_child.push_back(to);
      out.right += sides.w[to];
    }
    return out;
  }

  const Problem& problem_;
  const Rows& rows_;
  const Split& split_;
};

}  // namespace oracle
