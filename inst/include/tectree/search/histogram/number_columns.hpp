// The columns of a large node under least squares, from coarse to fine: the cuts that the sums
// tell; then a closer look at the bins in which the best cut may lie; at last the exact gain. Each
// column has a result, in which stands what is known of it so far.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "../numbers/mean_task.hpp"
#include "number_cells.hpp"
#include "number_cursor.hpp"

namespace tectree {

// A node whose sums are known.
struct NumberNode {
  const Range& range;
  double mean, impurity;
};

// Columns may be worked on at the same time by different workers.
class NumberColumns {
 public:
  NumberColumns(std::shared_ptr<const NumberProblem> problem,
                std::shared_ptr<const NumberCells> rows, int threads)
      : problem_(std::move(problem)),
        rows_(std::move(rows)),
        results_(rows_->coded->columns.size()),
        cuts_(results_.size()),
        inside_(threads) {
    least_ = std::max(least_count<WholeWeight>(problem_->control.min_bucket), 1u);
  }

  std::vector<ColumnResult>& results() { return results_; }
  int threads() const { return static_cast<int>(inside_.size()); }

  // What the sums tell of a column: the result is open, and its best cut known in part.
  void look(const NumberNode& node, std::uint32_t c) {
    ColumnResult& result = results_[c];
    const NumberView seen = view(node, c);
    result.impurity = node.impurity;
    if (seen.total.n() < 2) {
      result.constant = true;
      return;
    }
    cuts_[c].start();
    NumberCursor cursor(seen, cuts_[c]);
    offer_edges(seen, cursor, cuts_[c].places);
    result.open = true;
    result.low = cuts_[c].low;
    result.high = cuts_[c].high;
  }

  // Looks into the bins in which a cut may reach `floor`.
  void look_closely(const NumberNode& node, std::uint32_t c, double floor, int worker) {
    ColumnResult& result = results_[c];
    const NumberView seen = view(node, c);
    NumberCursor cursor(seen, cuts_[c]);
    inside_[worker].scan_places(seen, cuts_[c].places, floor, cursor);
    result.open = !cuts_[c].cuts.empty();
    result.low = cuts_[c].low;
    result.high = cuts_[c].high;
  }

  // The exact gain of the cuts that may be the best.
  void resolve(const NumberNode& node, std::uint32_t c, int) {
    ColumnResult& result = results_[c];
    const NumberView seen = view(node, c);
    const std::vector<BinCut>& cuts = cuts_[c].settle();
    BestOf best(problem_->control.min_gain, result.impurity);
    for (std::uint32_t i = 0; i < cuts.size(); ++i) best.add(i, measures(seen, cuts[i], node.mean));
    result.open = false;
    if (best.empty()) return;
    best.settle();
    BinCut cut = cuts[best.at()];
    if (cut.at_edge) values_beside(seen, cut.bin, cut.below, cut.above);
    keep_cut(result, static_cast<int>(c), Kind::numeric, cut.below, cut.above, best.measures(),
             best.enough());
    result.winner.branch_weight.assign(
        {static_cast<double>(cut.at), static_cast<double>(seen.total.n() - cut.at)});
  }

 private:
  NumberView view(const NumberNode& node, std::uint32_t c) const {
    const NumberSums& known = NumberCells::sums_of(node.range);
    const CodedColumn& column = rows_->coded->columns[c];
    const WholeSums* sums = known.cells.data() + rows_->offset[c];
    WholeSums total = known.total;
    total -= sums[column.codes];
    return {{problem_->frame->columns[c], *problem_->sample, column, rows_->of(node.range),
             node.range.size()},
            rows_->number.data(),
            sums,
            total,
            known.scale,
            least_,
            slack_of_sums(node.impurity, total.n())};
  }

  // From the numbers themselves; the same as in sorted columns.
  Measures measures(const NumberView& seen, const BinCut& cut, double mean) const {
    constexpr Pair side[] = {{1.0, 0.0}, {0.0, 1.0}};
    const CodedColumn& column = seen.column;
    BinEdges::Place place{static_cast<std::uint8_t>(cut.bin), 0};
    if (!cut.at_edge) place = column.edges.place(cut.below);
    const double* y = rows_->coded->numbers->y.data();
    CarefulSums sums;
    for (std::size_t i = 0; i < seen.n_rows; ++i) {
      const int code = seen.code(i);
      if (code == column.missing()) continue;
      const bool on_right =
          cut.at_edge ? code > cut.bin
                      : column.above(seen.rows[i], cut.below, place, [&] { return seen.value(i); });
      // Without a branch that could not be predicted.
      sums.add((y[seen.rows[i]] - mean) * side[on_right]);
    }
    const Pair value = sums.value();
    Moments m(1.0);
    m.add(value[0], cut.at);
    m.add(value[1], seen.total.n() - cut.at);
    return m.measures();
  }

  std::shared_ptr<const NumberProblem> problem_;
  std::shared_ptr<const NumberCells> rows_;
  std::vector<ColumnResult> results_;
  std::vector<BinCuts> cuts_;
  std::vector<LookInside<SumCells>> inside_;  // by worker
  std::uint32_t least_;
};

}  // namespace tectree
