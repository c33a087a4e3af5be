// Surrogates: splits in two of other columns that predict the branch of a split in two. The rules
// are rpart's (Therneau & Atkinson), after Breiman et al. 1984, section 5.3:
//   * agreement is the weight of the rows sent to the branch that the split sends them to, over the
//     rows with a value in both columns;
//   * a cut leaves at least two such rows on either side, the lowest of the best is kept, and of
//     its two directions the one that sends high values to branch 0 on ties;
//   * a level goes to the branch that most of its weight goes to, to the larger one on ties;
//   * what predicts no better than the larger branch is no surrogate; the best stand first, equals
//     in the order of the columns.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "../groups/groups.hpp"

namespace tectree {

// A column's values in a node, ascending, with the rows of each by the split's branch.
struct SideGroups {
  struct Group {
    double value;
    double rows[2], weight[2];
  };
  std::vector<Group> groups;
  double rows[2], weight[2];

  void finish() {
    rows[0] = rows[1] = weight[0] = weight[1] = 0.0;
    for (const Group& g : groups) {
      for (int j : {0, 1}) {
        rows[j] += g.rows[j];
        weight[j] += g.weight[j];
      }
    }
  }
};

constexpr std::uint8_t no_side = 2;  // the split has no value

// `side` by row of the arena.
template <class Index, class WeightOf>
void collect_sides(const Arena<Index>& arena, std::size_t c, const Column& column,
                   const Sample& sample, const Range& node, const std::vector<std::uint8_t>& side,
                   WeightOf weight_of, SideGroups& out) {
  const ArenaColumn<Index>& from = arena.columns[c];
  const auto put = [&](SideGroups::Group& g, Index row) {
    if (side[row] == no_side) return;
    ++g.rows[side[row]];
    g.weight[side[row]] += weight_of(row);
  };
  out.groups.clear();
  const std::size_t known = from.known(node.begin, node.end);
  for (std::size_t i = 0; i < known; ++i) {
    const Entry<Index>& e = from.entries[node.begin + i];
    if (i == 0 || e.rank != from.entries[node.begin + i - 1].rank)
      out.groups.push_back({column.value(sample.row(arena.position(e.row))), {0, 0}, {0, 0}});
    put(out.groups.back(), e.row);
  }
  out.finish();
}

namespace detail {

inline bool agrees_more(double a, double b) {
  return a > b * (1 + 1e-12);
}

// The moving cut: rows and weight below it by side, those of no side in the last cell.
struct SurrogateScan {
  double all_rows, weight[2], best;
  double rows[3] = {0, 0, 0}, low[3] = {0, 0, 0};
  std::size_t at = 0;  // of the best cut; 0: none beats the larger side
  bool flipped = false;

  SurrogateScan(const double* side_rows, const double* side_weight)
      : all_rows(side_rows[0] + side_rows[1]),
        weight{side_weight[0], side_weight[1]},
        best(std::max(side_weight[0], side_weight[1])) {}

  // A cut at the present place.
  void consider(std::size_t here) {
    const double crossed = low[1] + (weight[0] - low[0]);
    const double straight = low[0] + (weight[1] - low[1]);
    const bool cross = agrees_more(crossed, best);
    if (!cross && !agrees_more(straight, best)) return;
    const double below = rows[0] + rows[1];
    if (below < 2 || all_rows - below < 2) return;
    best = cross ? crossed : straight;
    flipped = cross;
    at = here;
  }
};

// The best cut of a sorted column; its agreeing weight, or none that beats the larger side. Leaves
// the column's totals by side in `s`.
template <class Index, class WeightOf, class Value>
std::optional<double> best_surrogate_cut(const Entry<Index>* e, std::size_t known,
                                         const std::vector<std::uint8_t>& side, WeightOf weight_of,
                                         Value value, int column, Kind kind, SideGroups& s,
                                         Surrogate& out) {
  double rows[3] = {0, 0, 0}, weight[3] = {0, 0, 0};
  for (std::size_t i = 0; i < known; ++i) {
    ++rows[side[e[i].row]];
    weight[side[e[i].row]] += weight_of(e[i].row);
  }
  std::copy_n(rows, 2, s.rows);
  std::copy_n(weight, 2, s.weight);
  SurrogateScan scan(rows, weight);
  for (std::size_t i = 0; i < known; ++i) {
    if (i > 0 && e[i].rank != e[i - 1].rank) scan.consider(i);
    const std::uint8_t j = side[e[i].row];
    ++scan.rows[j];
    scan.low[j] += weight_of(e[i].row);
  }
  if (scan.at == 0) return std::nullopt;
  out.flipped = scan.flipped;
  cut_between(column, kind, value(e[scan.at - 1].row), value(e[scan.at].row), out.split);
  return scan.best;
}

inline std::optional<double> best_surrogate_levels(const SideGroups& s, int column,
                                                   Surrogate& out) {
  const int larger = s.weight[1] >= s.weight[0] ? 1 : 0;
  double agree = 0.0;
  out.split.kind = SplitKind::subset;
  out.split.column = column;
  out.split.branches = 2;
  for (const SideGroups::Group& g : s.groups) {
    if (!(g.rows[0] + g.rows[1] > 0)) continue;
    const int less = 1 - larger;
    const int to = agrees_more(g.weight[less], g.weight[larger]) ? less : larger;
    out.split.level.push_back(static_cast<int>(g.value));
    out.split.level_child.push_back(to);
    agree += g.weight[to];
  }
  if (out.split.level.empty()) return std::nullopt;
  return agree;
}

}  // namespace detail

// The best surrogate of one column in a node. `side` by row of the arena; `known`: the weight of
// each branch over all rows of the node whose value is known.
template <class Index, class WeightOf>
std::optional<Surrogate> best_surrogate(const Arena<Index>& arena, int c, const Column& column,
                                        const Sample& sample, const Range& node, bool by_level,
                                        const std::vector<std::uint8_t>& side, WeightOf weight_of,
                                        const double* known, const SurrogateRule& rule,
                                        SideGroups& s) {
  const ArenaColumn<Index>& from = arena.columns[c];
  Surrogate out;
  std::optional<double> agree;
  if (!by_level) {
    const auto value = [&](Index row) { return column.value(sample.row(arena.position(row))); };
    agree = detail::best_surrogate_cut(from.entries.data() + node.begin,
                                       from.known(node.begin, node.end), side, weight_of, value, c,
                                       column.kind, s, out);
  } else {
    collect_sides(arena, c, column, sample, node, side, weight_of, s);
    agree = detail::best_surrogate_levels(s, c, out);
  }
  if (!agree) return std::nullopt;
  const double* of = rule.of_known ? s.weight : known;
  // Sums in another order must not make one of a tie, however small the smaller branch.
  if (!detail::agrees_more(*agree, std::max(of[0], of[1]))) return std::nullopt;
  const double total = of[0] + of[1], majority = std::max(of[0], of[1]) / total;
  out.agree = *agree / total;
  out.adj = (out.agree - majority) / (1 - majority);
  if (!(out.adj > 1e-10)) return std::nullopt;
  return out;
}

// The best first, equals in the order they came in; `most` of them.
inline void keep_best_surrogates(std::vector<Surrogate>& found, int most) {
  const auto key = [](const Surrogate& s) { return std::nearbyint(s.agree * 1e12); };
  std::stable_sort(found.begin(), found.end(),
                   [&](const Surrogate& a, const Surrogate& b) { return key(a) > key(b); });
  if (found.size() > static_cast<std::size_t>(most)) found.resize(most);
}

}  // namespace tectree
