// External sums of numbers as the statistic of a histogram search: for every code the number of its
// rows, the sum of their numbers, and that of their squares. For least squares.
//
// The numbers are those of the response minus a centre, which should be close to its mean, so that
// squares lose no relevant digits.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "../numbers/mean_stat.hpp"
#include "summed_numbers.hpp"

namespace tectree {

struct NumberTotal {
  double n = 0.0, sum = 0.0, squares = 0.0;
  double lost = 0.0;  // maximum rounding of the squares by subtraction

  void operator+=(const NumberTotal& more) {
    n += more.n;
    sum += more.sum;
    squares += more.squares;
    lost += more.lost;
  }
  // Without a part of the rows; exactly zero if that part has all rows.
  void operator-=(const NumberTotal& part) {
    if (n == part.n) {
      *this = NumberTotal();
      return;
    }
    lost += part.lost + 4e-16 * squares;
    n -= part.n;
    sum -= part.sum;
    squares -= part.squares;
  }
  double mean() const { return sum / n; }
  friend double rows_of(const NumberTotal& of) { return of.n; }
  // The mean squared error around the mean; 0 if it may be only rounding.
  double impurity() const {
    const double left = squares - sum * mean();
    return left > 1e-13 * squares + lost ? left / n : 0.0;
  }
};

// What is known about a node.
class KnownNumbers {
 public:
  KnownNumbers(std::shared_ptr<const NumberProblem> problem, const NumberTotal& total)
      : problem_(std::move(problem)), impurity_(total.impurity()), mean_(total.mean()) {}

  const std::shared_ptr<const NumberProblem>& problem() const { return problem_; }
  const SearchControl& control() const { return problem_->control; }
  double impurity() const { return impurity_; }
  double mean() const { return mean_; }
  bool may_gain() const { return impurity_ > 0.0 && std::isfinite(impurity_); }

 private:
  std::shared_ptr<const NumberProblem> problem_;
  double impurity_, mean_;
};

class TableOfNumbers {
 public:
  using Problem = NumberProblem;
  using Counted = SummedColumn<NumberTotal>;
  using Known = KnownNumbers;
  struct Counts {
    std::vector<NumberTotal> cells;
    NumberTotal total;
  };
  struct Scratch {
    Groups groups;
  };
  static constexpr bool by_cut_alone = true;

  static bool suits(const NumberProblem& p) {
    return p.eligible() == Eligible::all && p.control.intervals <= 2;
  }

  Counted column(const BinView& view, std::size_t first_cell, const Known& known, const Node& node,
                 Scratch&, ColumnResult& result) const {
    const NumberTotal* cells = counts(node).cells.data() + first_cell;
    NumberTotal total = counts(node).total;
    total -= cells[view.coded.codes];
    result.impurity = known.impurity();
    return {view,
            cells,
            total,
            SumCut(total.n, total.sum),
            known.control().min_bucket,
            slack_of_sums(known.impurity(), static_cast<std::size_t>(total.n)),
            result.contenders};
  }

  // The best division of a column's levels.
  void search_groups(const Counted& column, const Known& known, std::uint32_t c, Scratch& scratch,
                     Team& team, ColumnResult& result) const {
    Groups& groups = scratch.groups;
    groups.start(1);
    // Missing values may be a group of their own.
    const bool with_unknown = known.control().unknown == SearchControl::Unknown::learned &&
                              groups_in_two(known.control(), column.column.kind);
    for (int b = 0; b < column.coded.codes + with_unknown; ++b) {
      const NumberTotal& cell = *column.in_bin(b);
      if (!(cell.n > 0.0)) continue;
      groups.add(b < column.coded.codes ? column.coded.binned.values[b] : std::nan(""));
      groups.weight.back() = cell.n;
      *groups.of(groups.size() - 1) = cell.sum - cell.n * known.mean();
    }
    groups.finish();
    MeanWorth<LeastSquares> worth(known.control(), groups, {groups.unknown.share, known.mean()},
                                  known.impurity());
    tectree::search_groups(worth, {column.column, c}, team, result);
  }

  template <class Use>
  void measure(const Counted& column, const Known& known, const std::vector<Contender>& cuts,
               Scratch&, Use use) const {
    NumberTotal left;
    int next = 0;  // code on the right
    for (std::uint32_t i = 0; i < cuts.size(); ++i) {
      while (next <= cuts[i].bin) left += *column.in_bin(next++);
      NumberTotal right = column.total();
      right -= left;
      MeanExact<LeastSquares> m(1.0, known.mean());
      m.add(left.sum - left.n * known.mean(), left.n);
      m.add(right.sum - right.n * known.mean(), right.n);
      use(i, m.measures());
    }
  }

 private:
  static const Counts& counts(const Node& node) {
    return *static_cast<const Counts*>(node.counts.get());
  }
};

// The sums of one node as the Source of its columns; see ../histogram/histogram_stat.hpp.
class SumsOfNode {
 public:
  using Stat = TableOfNumbers;
  static constexpr bool in_memory = false;
  struct ByValue {};

  // `codes`: one code per value of every column; `sums`: by column and code, the last of which is
  // that of missing values.
  SumsOfNode(std::shared_ptr<const NumberProblem> problem, const Codes& codes,
             const std::vector<std::vector<NumberTotal>>& sums)
      : codes_(codes),
        cells_(codes, [](std::uint32_t) { return true; }),
        counts_(std::make_shared<const Stat::Counts>(counts_of(sums))),
        known_(std::move(problem), counts_->total) {}

  const Stat& stat() const { return stat_; }
  const KnownNumbers& node_stat() const { return known_; }
  const Codes& codes() const { return codes_; }
  const CellLayout& cells() const { return cells_; }
  BinView view(const Node&, std::uint32_t c) const {
    return {known_.problem()->frame->columns[c], codes_[c]};
  }
  Node node() const { return {static_cast<std::size_t>(counts_->total.n), 0, {}, counts_, 0}; }

 private:
  static Stat::Counts counts_of(const std::vector<std::vector<NumberTotal>>& sums) {
    Stat::Counts out;
    for (const std::vector<NumberTotal>& column : sums)
      out.cells.insert(out.cells.end(), column.begin(), column.end());
    if (!sums.empty()) {
      for (const NumberTotal& cell : sums.front()) out.total += cell;
    }
    return out;
  }

  Stat stat_;
  const Codes& codes_;
  CellLayout cells_;
  std::shared_ptr<const Stat::Counts> counts_;
  KnownNumbers known_;
};

}  // namespace tectree
