// Surrogates: splits in two of other columns that foretell the branch of a split in two. The rules
// are rpart's (Therneau & Atkinson), after Breiman et al. 1984, section 5.3:
//   * agreement is the weight of the rows sent to the branch that the split sends them to, over the
//     rows with a value in both columns;
//   * a cut leaves at least two such rows on either side, the lowest of the best is kept, and of
//     its two directions the one that sends high values to branch 0 on ties;
//   * a level goes to the branch that most of its weight goes to, to the larger one on ties; levels
//     too send at least two such rows to either branch;
//   * what foretells no better than the larger branch is no surrogate; the best stand first, equals
//     in the order of the columns.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "groups.hpp"

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
  if (!from.is_binned()) {
    const std::size_t known = from.known(node.begin, node.end);
    for (std::size_t i = 0; i < known; ++i) {
      const Entry<Index>& e = from.entries[node.begin + i];
      if (i == 0 || e.rank != from.entries[node.begin + i - 1].rank)
        out.groups.push_back({column.value(sample.row(arena.position(e.row))), {0, 0}, {0, 0}});
      put(out.groups.back(), e.row);
    }
    return out.finish();
  }
  for (double v : from.binned.values) out.groups.push_back({v, {0, 0}, {0, 0}});
  std::vector<char> occurs(out.groups.size(), 0);
  for (std::size_t i = node.begin; i < node.end; ++i) {
    const std::uint8_t code = from.binned.code[arena.rows[i]];
    if (code == from.binned.missing()) continue;
    occurs[code] = 1;
    put(out.groups[code], arena.rows[i]);
  }
  std::size_t kept = 0;
  for (std::size_t g = 0; g < out.groups.size(); ++g) {
    if (occurs[g]) out.groups[kept++] = out.groups[g];
  }
  out.groups.resize(kept);
  out.finish();
}

namespace detail {

inline bool agrees_more(double a, double b) {
  return a > b * (1 + 1e-12);
}

// The best cut; its agreeing weight, or none that beats the larger side.
inline std::optional<double> best_surrogate_cut(const SideGroups& s, int column, Kind kind,
                                                Surrogate& out) {
  double best = std::max(s.weight[0], s.weight[1]);
  double rows = 0.0, low[2] = {0.0, 0.0};
  const double all = s.rows[0] + s.rows[1];
  std::size_t at = 0;
  for (std::size_t g = 1; g < s.groups.size(); ++g) {
    const SideGroups::Group& before = s.groups[g - 1];
    rows += before.rows[0] + before.rows[1];
    for (int j : {0, 1}) low[j] += before.weight[j];
    if (rows < 2) continue;
    if (all - rows < 2) break;
    const double crossed = low[1] + (s.weight[0] - low[0]);
    const double straight = low[0] + (s.weight[1] - low[1]);
    const bool flipped = agrees_more(crossed, best);
    if (!flipped && !agrees_more(straight, best)) continue;
    best = flipped ? crossed : straight;
    out.flipped = flipped;
    at = g;
  }
  if (at == 0) return std::nullopt;
  cut_between(column, kind, s.groups[at - 1].value, s.groups[at].value, out.split);
  return best;
}

inline std::optional<double> best_surrogate_levels(const SideGroups& s, int column,
                                                   Surrogate& out) {
  const int larger = s.weight[1] >= s.weight[0] ? 1 : 0;
  double agree = 0.0, sent[2] = {0.0, 0.0};
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
    sent[to] += g.rows[0] + g.rows[1];
  }
  if (sent[0] < 2 || sent[1] < 2) return std::nullopt;
  return agree;
}

}  // namespace detail

// `known`: the weight of each branch over all rows of the node whose value is known.
inline std::optional<Surrogate> best_surrogate(const SideGroups& s, int column, Kind kind,
                                               bool by_level, const double* known,
                                               const SurrogateRule& rule) {
  Surrogate out;
  const std::optional<double> agree = by_level ? detail::best_surrogate_levels(s, column, out)
                                               : detail::best_surrogate_cut(s, column, kind, out);
  if (!agree) return std::nullopt;
  const double* of = rule.of_known ? s.weight : known;
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
