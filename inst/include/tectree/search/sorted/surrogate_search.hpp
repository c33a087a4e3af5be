// Surrogates: splits in two of other columns that predict the branch of a split in two. The rules
// are those of rpart (Therneau & Atkinson), after Breiman et al. 1984, section 5.3:
//   * agreement is the weight of the rows sent to the branch that the split sends them to, divided
//     by that of the rows with a value in both columns;
//   * a cut leaves at least two such rows on either side; the lowest of the best is kept, and of
//     its two directions the one that sends high values to branch 0 on ties;
//   * a level goes to the branch that has most of its weight, on ties to the larger branch;
//   * a split that predicts no better than the larger branch is not a surrogate; the best come
//     first, ties in the order of the columns.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "../../split/split.hpp"
#include "../choose/best_cut.hpp"
#include "../door/node_search.hpp"
#include "../groups/divisions.hpp"
#include "../groups/groups.hpp"
#include "../missing/unknown.hpp"

namespace tectree {

constexpr std::uint8_t no_side = 2;  // missing at the split

namespace detail {

inline bool agrees_more(double a, double b) {
  return a > b * (1 + 1e-12);
}

// The moving cut: rows and weight below it by side, those without a side in the last cell.
struct SurrogateScan {
  double all_rows, weight[2], best;
  double rows[3] = {0, 0, 0}, low[3] = {0, 0, 0};
  std::size_t at = 0;  // of the best cut; 0: none agrees more than the larger side
  bool flipped = false;

  SurrogateScan(const double* side_rows, const double* side_weight)
      : all_rows(side_rows[0] + side_rows[1]),
        weight{side_weight[0], side_weight[1]},
        best(std::max(side_weight[0], side_weight[1])) {}

  // The cut at this place.
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

}  // namespace detail

// The surrogates of a node's split: the best of every other column, of these the best few.
template <class Index>
class SurrogateSearch {
 public:
  SurrogateSearch(const Arena<Index>& arena, const Frame& frame, const Sample& sample,
                  const SearchControl& control, int threads)
      : arena_(arena), frame_(frame), sample_(sample), control_(control), groups_(threads) {}

  // For a new split; then add() every row of the node, then find().
  void start() {
    side_.resize(arena_.n);
    weight_.resize(arena_.n);
    known_[0] = known_[1] = 0.0;
  }
  void add(Index row, int branch, double weight) {
    side_[row] = branch == no_branch ? no_side : static_cast<std::uint8_t>(branch);
    weight_[row] = weight;
    if (branch != no_branch) known_[branch] += weight;
  }

  // The best first, ties in the order of the columns; `shared`: by all threads.
  std::vector<Surrogate> find(const Range& node, int split_column, const SurrogateRule& rule,
                              bool shared, Team& team) {
    const std::vector<std::uint32_t>& columns = *node.columns;
    std::vector<std::optional<Surrogate>> of_column(columns.size());
    team.each_if(shared, columns.size(), [&](std::size_t i, Team& inner) {
      const auto c = static_cast<int>(columns[i]);
      if (c != split_column) of_column[i] = best_of(c, node, rule, groups_[inner.worker()]);
    });
    std::vector<Surrogate> found;
    for (std::optional<Surrogate>& s : of_column) {
      if (s) found.push_back(std::move(*s));
    }
    const auto key = [](const Surrogate& s) { return std::nearbyint(s.agree * 1e12); };
    std::stable_sort(found.begin(), found.end(),
                     [&](const Surrogate& a, const Surrogate& b) { return key(a) > key(b); });
    if (found.size() > static_cast<std::size_t>(rule.most)) found.resize(rule.most);
    return found;
  }

 private:
  double value(int c, Index row) const {
    return frame_.columns[c].value(sample_.row(arena_.position(row)));
  }

  // The best surrogate of one column in a node.
  std::optional<Surrogate> best_of(int c, const Range& node, const SurrogateRule& rule,
                                   Groups& groups) const {
    const NodeColumn<Index> column = column_of(arena_, node, static_cast<std::uint32_t>(c));
    Surrogate out;
    out.split.column = c;
    double both[2];  // weight of the column's rows by side
    const std::optional<double> agree = divided_by_value(control_, frame_.columns[c].kind)
                                            ? best_cut(column, both, out)
                                            : best_levels(column, groups, both, out);
    if (!agree) return std::nullopt;
    const double* of = rule.of_known ? both : known_;
    // A tie with the larger branch is not a surrogate, even if sums in another order differ by
    // rounding.
    if (!detail::agrees_more(*agree, std::max(of[0], of[1]))) return std::nullopt;
    const double total = of[0] + of[1], majority = std::max(of[0], of[1]) / total;
    out.agree = *agree / total;
    out.adj = (out.agree - majority) / (1 - majority);
    if (!(out.adj > 1e-10)) return std::nullopt;
    return out;
  }

  // Stores the best cut of a sorted column in `out`; returns the weight that agrees, none if no cut
  // agrees more than the larger side. `both`: the column's weight by side.
  std::optional<double> best_cut(const NodeColumn<Index>& column, double* both,
                                 Surrogate& out) const {
    const Entry<Index>* e = column.e;
    double rows[3] = {0, 0, 0}, weight[3] = {0, 0, 0};
    for (std::size_t i = 0; i < column.known; ++i) {
      ++rows[side_[e[i].row]];
      weight[side_[e[i].row]] += weight_[e[i].row];
    }
    std::copy_n(weight, 2, both);
    detail::SurrogateScan scan(rows, weight);
    for (std::size_t i = 0; i < column.known; ++i) {
      if (i > 0 && e[i].rank != e[i - 1].rank) scan.consider(i);
      const std::uint8_t j = side_[e[i].row];
      ++scan.rows[j];
      scan.low[j] += weight_[e[i].row];
    }
    if (scan.at == 0) return std::nullopt;
    const int c = out.split.column;
    out.flipped = scan.flipped;
    out.split = cut_between(c, frame_.columns[c].kind, value(c, e[scan.at - 1].row),
                            value(c, e[scan.at].row));
    return scan.best;
  }

  // The same for a column's levels. A tally contains rows and weight by side.
  std::optional<double> best_levels(const NodeColumn<Index>& column, Groups& groups, double* both,
                                    Surrogate& out) const {
    const auto add_rows = [&](double* sums, const Entry<Index>* e, const Entry<Index>* last) {
      for (; e < last; ++e) {
        if (side_[e->row] == no_side) continue;
        ++sums[side_[e->row]];
        sums[2 + side_[e->row]] += weight_[e->row];
      }
      return 0.0;
    };
    collect_runs(column.e, column.e + column.known, 4, groups, add_rows,
                 [&](Index row) { return value(out.split.column, row); });
    std::copy_n(groups.total.data() + 2, 2, both);
    const int larger = both[1] >= both[0] ? 1 : 0, less = 1 - larger;
    double agree = 0.0;
    out.split.kind = SplitKind::subset;
    out.split.branches = 2;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const double *rows = groups.of(g), *weight = rows + 2;
      if (!(rows[0] + rows[1] > 0)) continue;
      const int to = detail::agrees_more(weight[less], weight[larger]) ? less : larger;
      out.split.level.push_back(static_cast<int>(groups.value[g]));
      out.split.level_child.push_back(to);
      agree += weight[to];
    }
    if (out.split.level.empty()) return std::nullopt;
    return agree;
  }

  const Arena<Index>& arena_;
  const Frame& frame_;
  const Sample& sample_;
  const SearchControl& control_;
  std::vector<Groups> groups_;      // by worker
  std::vector<std::uint8_t> side_;  // by row: of the split
  std::vector<double> weight_;      // likewise
  double known_[2] = {0.0, 0.0};    // the weight of each side, over all rows whose value is known
};

}  // namespace tectree
