// Room search/chaid/: columns divided, and chosen, by the p values of tests.
//
// A SortedTask whose columns are divided by CHAID's merging or, with the exact rules, by the
// smallest p value; the column with the smallest adjusted p value wins.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "../sorted/sorted_task.hpp"
#include "chaid_facts.hpp"
#include "divider.hpp"

namespace tectree {

template <class StatOf>
class ChaidTask : public SortedTask<StatOf> {
  using Base = SortedTask<StatOf>;
  using Index = typename StatOf::Row;
  using Tally = decltype(chaid::tally_of(std::declval<const StatOf&>()));

 public:
  using Scratch = typename Base::Scratch;
  using Base::stat;
  static constexpr bool shares_rows = false, own_choice = true;

  ChaidTask(Base base, std::shared_ptr<const chaid::Bounds> bounds)
      : Base(std::move(base)), bounds_(std::move(bounds)) {}

  template <class To>
  auto shrink(const Arena<Index>& from, const Arena<To>& to, const Range& node,
              const std::vector<std::uint16_t>& local) const {
    return of(Base::shrink(from, to, node, local));
  }
  template <class Small>
  auto take(const Taken<Index>& taken) const {
    return of(Base::template take<Small>(taken));
  }

  // The first column with the smallest adjusted p value.
  std::optional<std::size_t> choose(const std::vector<ColumnResult>& results,
                                    const std::vector<std::uint32_t>& columns,
                                    double& bound) const {
    bound = -HUGE_VAL;
    std::optional<std::size_t> best;
    for (std::uint32_t c : columns) {
      if (!results[c].can_split()) continue;
      const double worth = results[c].winner.score;
      if (!best || worth > results[*best].winner.score + chaid::slack(worth)) best = c;
    }
    return best;
  }

  void column(const Arena<Index>& arena, const Range& node, std::uint32_t c, Scratch& scratch,
              ColumnResult& result, Team& team) const {
    if (!stat().may_gain()) return;
    Tally tally = chaid::tally_of(stat());
    const Groups& groups = collect(arena, node, c, scratch);
    if (groups.size() < 2 || groups.with_value() < 1) return;
    result.impurity = tally.impurity(groups);
    chaid::Divider<Tally> divider(static_cast<int>(c), this->predictor(c), groups, control(), tally,
                                  result, team);
    if (control().by_chaid()) {
      divider.merge();
    } else {
      divider.divide_exactly();
    }
  }

  // ---- for the list of candidates ---------------------------------------------------------------

  // The number of categories of the column in the node, including that of missing values.
  std::size_t categories(const Arena<Index>& arena, const Range& node, std::uint32_t c) const {
    Scratch scratch;
    return collect(arena, node, c, scratch).size();
  }

 private:
  const SearchControl& control() const { return stat().control(); }

  template <class Other>
  ChaidTask<Other> of(SortedTask<Other> task) const {
    return {std::move(task), bounds_};
  }

  // ---- categories -------------------------------------------------------------------------------

  // One group per level or number, with CHAID's numbers one per group of the sample.
  const Groups& collect(const Arena<Index>& arena, const Range& node, std::uint32_t c,
                        Scratch& scratch) const {
    Groups& out = scratch.groups;
    const NodeColumn<Index> column = this->node_column(arena, node, c, no_branch, scratch);
    const std::vector<double>& bounds = (*bounds_)[c];
    const bool cut = control().by_chaid() && this->predictor(c).kind == Kind::numeric;
    const auto value_at = [&](const Entry<Index>* e) {
      return this->value_of(arena, c, e->row, scratch);
    };
    out.start(chaid::width_of(stat()));
    const auto add = [&](double value, const Entry<Index>* first, const Entry<Index>* last) {
      out.add(value);
      out.weight.back() = chaid::add_rows(stat(), out.of(out.size() - 1), first, last);
    };
    const Entry<Index>*e = column.e, *known = column.e + column.known;
    while (e < known) {
      if (!cut) {
        const Entry<Index>* next = end_of_run(e, known);
        add(value_at(e), e, next);
        e = next;
        continue;
      }
      const auto bound = std::lower_bound(bounds.begin(), bounds.end(), value_at(e));
      const Entry<Index>* next = bound == bounds.end()
                                     ? known
                                     : std::partition_point(e, known, [&](const Entry<Index>& at) {
                                         return this->value_of(arena, c, at.row, scratch) <= *bound;
                                       });
      // The group's own upper bound represents its numbers.
      add(bound == bounds.end() ? HUGE_VAL : *bound, e, next);
      e = next;
    }
    const bool complete = column.complete();
    const bool apart = control().unknown == SearchControl::Unknown::category && !complete;
    if (apart) add(std::nan(""), known, column.e + column.rows);
    out.finish();
    if (stat().by_class()) out.weigh_by_counts();
    out.unknown = stat().unknown_weight(complete || apart, out.n);
    return out;
  }

  std::shared_ptr<const chaid::Bounds> bounds_;
};

}  // namespace tectree
