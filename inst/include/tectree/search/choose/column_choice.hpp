// Room search/choose/: what is known about each column, and which column wins.
//
// The choice among columns, with as few of them scored exactly as possible.
//
// A scan leaves most columns open: the measure of their best cut is known to lie in an interval.
// Eligibility compares each with a bound computed from all (such as their mean), which is then also
// in an interval. A column surely below the bound is out; one surely above it sets a floor for the
// winner's score; only columns that may reach the floor need their exact score. A column whose best
// split gains too little to be made counts in the bound, but cannot win.
// Throughout, `score` is a function of a list of open columns that scores them exactly: afterwards
// each is scored, or has no split. by_spans() also passes the score from which a column matters;
// `score` may leave a column open with narrower spans, as long as these can be narrowed further.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "../../base/stream.hpp"
#include "../door/search_control.hpp"
#include "best_cut.hpp"
#include "column_result.hpp"

namespace tectree {

class ColumnChoice {
 public:
  using Columns = std::vector<std::uint32_t>;

  ColumnChoice(const std::vector<ColumnResult>& results, Eligible rule)
      : results_(results), rule_(rule) {}

  // Scores every column.
  template <class Score>
  std::optional<std::size_t> among_all(const Columns& columns, double impurity, Score score) {
    list(columns, [](const ColumnResult& result) { return result.is_open(); });
    score(listed_);
    cuts_.clear();
    for (std::uint32_t c : columns) {
      if (results_[c].has_split()) cuts_.push_back(results_[c].winner.cut);
    }
    bound_ = eligibility_bound(cuts_, rule_);
    return best_of(columns, impurity);
  }

  // For a criterion whose score is its cut measure and that lets all columns compete: those whose
  // interval reaches the best.
  template <class Score>
  std::optional<std::size_t> by_cut(const Columns& columns, double impurity, Score score) {
    double floor = -HUGE_VAL;
    for (std::uint32_t c : columns) {
      if (results_[c].may_split()) floor = std::max(floor, results_[c].low);
    }
    list(
        columns,
        [&](const ColumnResult& result) { return result.is_open() && result.high >= floor; },
        may_compete_);
    // If columns tie, as many do in a node with few rows, the first is enough.
    double most = -HUGE_VAL;
    for (std::uint32_t c : may_compete_) most = std::max(most, results_[c].most);
    bound_ = -HUGE_VAL;
    for (std::uint32_t c : may_compete_) {
      one_.assign(1, c);
      score(one_);
      if (!results_[c].may_split() || !ties_or_beats(results_[c].winner.cut, most, impurity))
        continue;
      if (best_of(columns, impurity) == c) return c;
    }
    return best_of(columns, impurity);
  }

  // By the spans of the columns, which `score` narrows. find_span(column) finds the span of the
  // score of an eligible column from the span of its cut. Scores those that may win, the `at_once`
  // most promising at a time; if one of them is neither surely eligible nor surely ineligible, the
  // rest too.
  template <class Score, class FindSpan>
  std::optional<std::size_t> by_spans(const Columns& columns, double impurity, std::size_t at_once,
                                      Score score, FindSpan find_span) {
    for (;;) {
      const Span bound = bound_span(columns);
      bound_ = bound.high;
      list(
          columns,
          [&](const ColumnResult& result) {
            return result.may_split() & (result.cut.high >= bound.low);
          },
          may_compete_);
      for (std::uint32_t c : may_compete_) find_span(c);
      double reach = least_to_win(may_compete_, bound.high, impurity);
      list(may_compete_, [&](const ColumnResult& result) { return result.score.high >= reach; });
      bool sure = true, open = false;  // whether all that may win are eligible; whether one is open
      for (std::uint32_t c : listed_) {
        sure = sure & (results_[c].cut.low >= bound.high);
        open = open | results_[c].is_open();
      }
      if (open) {
        keep_open();
      } else {
        if (sure) return best_of(columns, impurity);
        list(columns, [](const ColumnResult& result) { return result.is_open(); });
        if (listed_.empty()) return best_of(columns, impurity);
        reach = -HUGE_VAL;
      }
      const bool all = listed_.size() <= at_once;
      if (reach > -HUGE_VAL) {
        keep_most(at_once, [](const ColumnResult& result) { return result.score.low; });
      } else {  // those that widen the bound's own span most
        keep_most(at_once,
                  [](const ColumnResult& result) { return result.cut.high - result.cut.low; });
      }
      score(listed_, reach);
      if (open && sure && all && all_can_split()) return best_of(columns, impurity);
    }
  }

  // The smallest eligible cut measure, after among_all().
  double bound() const { return bound_; }

 private:
  template <class Which>
  void list(const Columns& columns, Which which) {
    list(columns, which, listed_);
  }
  template <class Which>
  void list(const Columns& columns, Which which, Columns& out) const {
    // Without branches, which could not be predicted.
    out.resize(columns.size());
    std::size_t n = 0;
    for (std::uint32_t c : columns) {
      out[n] = c;
      n += which(results_[c]);
    }
    out.resize(n);
  }

  void keep_open() {
    const auto scored = [&](std::uint32_t c) { return !results_[c].is_open(); };
    listed_.erase(std::remove_if(listed_.begin(), listed_.end(), scored), listed_.end());
  }
  bool all_can_split() const {
    return std::all_of(listed_.begin(), listed_.end(),
                       [&](std::uint32_t c) { return results_[c].can_split(); });
  }

  // Keeps the n listed columns with the largest what(result).
  template <class What>
  void keep_most(std::size_t n, What what) {
    if (listed_.size() <= n) return;
    std::partial_sort(
        listed_.begin(), listed_.begin() + n, listed_.end(),
        [&](std::uint32_t a, std::uint32_t b) { return what(results_[a]) > what(results_[b]); });
    listed_.resize(n);
  }

  // The bound of eligibility, from the spans of all cuts.
  Span bound_span(const Columns& columns) {
    double n = 0.0, low = 0.0, high = 0.0;
    for (std::uint32_t c : columns) {
      if (!results_[c].has_split()) continue;
      n += 1.0;
      low += results_[c].cut.low;
      high += results_[c].cut.high;
    }
    if (rule_ == Eligible::all || n == 0.0) return {-HUGE_VAL, -HUGE_VAL};
    const Span sd = rule_ == Eligible::mean_sd ? sd_span(columns) : Span{0.0, 0.0};
    const double rounding = high > low ? 1e-14 * std::max(std::fabs(low), std::fabs(high)) : 0.0;
    return {eligibility_bound((low - rounding) / n, sd.high),
            eligibility_bound((high + rounding) / n, sd.low)};
  }

  // The sd of two lists differs by at most the distance of the lists over sqrt(n - 1).
  Span sd_span(const Columns& columns) {
    cuts_.clear();
    double squares = 0.0;
    for (std::uint32_t c : columns) {
      if (!results_[c].has_split()) continue;
      const Span& cut = results_[c].cut;
      const double radius = (cut.high - cut.low) / 2;
      cuts_.push_back(cut.low + radius);
      squares += radius * radius;
    }
    const double sd = sd_of(cuts_),
                 off = std::sqrt(squares / std::max(1.0, static_cast<double>(cuts_.size()) - 1));
    return {sd - off * (1 + 1e-12), sd + off * (1 + 1e-12)};
  }

  // A lower bound of the winner's score, from the columns that are surely eligible.
  double least_to_win(const Columns& columns, double bound, double impurity) const {
    double floor = -HUGE_VAL;
    for (std::uint32_t c : columns) {
      const ColumnResult& result = results_[c];
      const double low = result.score.low;
      floor = std::max(floor, result.cut.low >= bound ? low : -HUGE_VAL);
    }
    return floor - tie_slack(floor, floor, impurity);
  }

  // The first best score of the columns that were scored and reach the bound.
  std::optional<std::size_t> best_of(const Columns& columns, double impurity) {
    scores_.clear();
    list(columns, [&](const ColumnResult& result) {
      return result.can_split() && result.winner.cut >= bound_;
    });
    if (listed_.empty()) return std::nullopt;
    for (std::uint32_t c : listed_) scores_.push_back(results_[c].winner.score);
    return listed_[first_best(scores_, impurity)];
  }

  const std::vector<ColumnResult>& results_;
  Eligible rule_;
  std::vector<double> cuts_, scores_;
  Columns listed_, one_;
  Columns may_compete_;  // those that may be eligible, or win
  double bound_ = -HUGE_VAL;
};

struct DrawnColumns {
  std::vector<std::uint32_t> all, drawn;
};

// The winner among the searched columns of a node: all in their order, or some drawn at random; if
// the drawn columns have no split, more are drawn if requested. search(columns) finds the winner
// among some of them, null if there is none. `space` is kept from node to node.
template <class Search>
const Winner* search_drawn(const SearchControl& control, const std::vector<std::uint32_t>& columns,
                           std::uint64_t stream, DrawnColumns& space, Search search) {
  if (control.max_columns == 0 && !control.random_ties) return search(columns);
  auto& [all, drawn] = space;
  all = columns;
  const std::size_t n = all.size(),
                    most = control.max_columns > 0 ? std::min(control.max_columns, n) : n;
  Stream(stream).shuffle(all);
  for (std::size_t first = 0; first < n; first += most) {
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(first + most, n));
    drawn.assign(all.begin() + static_cast<std::ptrdiff_t>(first), end);
    // If columns tie, the first in the frame wins.
    if (!control.random_ties) std::sort(drawn.begin(), drawn.end());
    const Winner* winner = search(drawn);
    if (winner || !control.draw_more) return winner;
  }
  return nullptr;
}

}  // namespace tectree
