// Room search/chaid/: columns divided, and chosen, by the p values of tests.
//
// A SortedTask whose columns are divided by CHAID's merging or, by the exact rules, in the way of
// least p value; the column of the least adjusted p value wins.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "../sorted/sorted_task.hpp"
#include "chaid_facts.hpp"
#include "merging.hpp"

namespace tectree {

template <class StatOf>
class ChaidTask : public SortedTask<StatOf> {
  using Base = SortedTask<StatOf>;
  using Index = typename StatOf::Row;
  using Tally = chaid::Tallies<StatOf>;

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

  // The first of those with the least adjusted p value.
  std::optional<std::size_t> choose(const std::vector<ColumnResult>& results,
                                    const std::vector<std::uint32_t>& columns,
                                    double& bound) const {
    bound = -HUGE_VAL;
    std::optional<std::size_t> best;
    for (std::uint32_t c : columns) {
      if (!results[c].can_split()) continue;
      const double worth = results[c].winner.score;
      if (!best || worth > results[*best].winner.score + slack(worth)) best = c;
    }
    return best;
  }
  static double slack(double worth) { return 1e-10 * std::fabs(worth) + 1e-12; }

  void column(const Arena<Index>& arena, const Range& node, std::uint32_t c, Scratch& scratch,
              ColumnResult& result, Team& team) const {
    if (!stat().may_gain()) return;
    Tally tally(stat());
    Groups& groups = scratch.groups;
    collect(arena, node, c, scratch, tally, groups);
    if (groups.size() < 2 || groups.with_value() < 1) return;
    result.impurity = tally.impurity(groups);
    if (control().by_chaid()) {
      divide_by_merging(c, groups, tally, result, team);
    } else {
      divide_exactly(c, groups, tally, result, team);
    }
  }

  // ---- for the list of candidates ---------------------------------------------------------------

  // How many categories the column has in the node, that of the rows without a value included.
  std::size_t categories(const Arena<Index>& arena, const Range& node, std::uint32_t c) const {
    Scratch scratch;
    Tally tally(stat());
    collect(arena, node, c, scratch, tally, scratch.groups);
    return scratch.groups.size();
  }

 private:
  const SearchControl& control() const { return stat().control(); }

  template <class Other>
  ChaidTask<Other> of(SortedTask<Other> task) const {
    return {std::move(task), bounds_};
  }

  // ---- categories -------------------------------------------------------------------------------

  // A group for each level or number, of numbers by CHAID for each of the sample's groups.
  void collect(const Arena<Index>& arena, const Range& node, std::uint32_t c, Scratch& scratch,
               Tally& tally, Groups& out) const {
    const NodeColumn<Index> column = this->node_column(arena, node, c, no_branch, scratch);
    const std::vector<double>& bounds = (*bounds_)[c];
    const bool cut = control().by_chaid() && this->predictor(c).kind == Kind::numeric;
    const auto value_at = [&](const Entry<Index>* e) {
      return this->value_of(arena, c, e->row, scratch);
    };
    out.start(tally.width());
    const auto add = [&](double value, const Entry<Index>* first, const Entry<Index>* last) {
      out.add(value);
      out.weight.back() = tally.add(out.of(out.size() - 1), first, last);
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
      // The group's own upper bound stands for its numbers.
      add(bound == bounds.end() ? HUGE_VAL : *bound, e, next);
      e = next;
    }
    const bool complete = column.complete();
    const bool apart = control().unknown == SearchControl::Unknown::category && !complete;
    if (apart) add(std::nan(""), known, column.e + column.rows);
    out.finish();
    if (tally.by_class()) out.weigh_by_counts();
    out.unknown = stat().unknown_weight(complete || apart, out.n);
  }

  // ---- by CHAID ---------------------------------------------------------------------------------

  void divide_by_merging(std::uint32_t c, const Groups& groups, Tally& tally, ColumnResult& result,
                         Team& team) const {
    using chaid::Order;
    const bool by_value = divided_by_value(control(), this->predictor(c).kind);
    const Order order = !by_value              ? Order::none
                        : groups.has_unknown() ? Order::floating
                                               : Order::full;
    chaid::Merging<Tally> merging(groups, order, control(), tally, team);
    const std::vector<std::vector<std::uint32_t>>& parts = merging.run();
    if (parts.size() < 2) return;
    std::vector<int> branch(groups.size());
    for (std::size_t j = 0; j < parts.size(); ++j) {
      for (std::uint32_t g : parts[j]) branch[g] = static_cast<int>(j);
    }
    const bool exhaustive = control().rules == SearchControl::Rules::chaid_exhaustive;
    const double log_times = exhaustive ? chaid::log_pairs(order, groups.size())
                                        : chaid::log_divisions(order, groups.size(), parts.size());
    keep(c, groups, branch, static_cast<int>(parts.size()), log_times, true, tally, result);
    const double least = -std::log10(control().alpha_split);
    result.enough = result.enough && result.winner.score >= least - 1e-12;
  }

  // `branch`: of each group.
  void keep(std::uint32_t c, const Groups& groups, const std::vector<int>& branch, int branches,
            double log_times, bool exact, Tally& tally, ColumnResult& result) const {
    std::vector<std::vector<double>> sums(branches, std::vector<double>(groups.stride, 0.0));
    std::vector<double> weight(branches, 0.0), case_weight(branches, 0.0);
    for (std::size_t g = 0; g < groups.size(); ++g) {
      for (int s = 0; s < groups.stride; ++s) sums[branch[g]][s] += groups.of(g)[s];
      weight[branch[g]] += groups.weight[g];
      case_weight[branch[g]] += groups.case_weights()[g];
    }
    std::vector<chaid::Sums> of_branch;
    of_branch.reserve(static_cast<std::size_t>(branches));
    for (int j = 0; j < branches; ++j) of_branch.push_back({sums[j].data(), weight[j]});
    Test test = tally.test(of_branch);
    if (control().adjusts_p) test.log_times = log_times;
    const double worth = test.worth(), gain = tally.gain(of_branch, groups.unknown.share);
    const Measures m{worth, gain, worth};
    if (!m.finite()) return;
    result.keep_cut(0, m, enough_gain(m, control().min_gain, result.impurity));
    result.complete(split_by(c, groups, branch, branches));
    Winner& winner = result.winner;
    winner.test = test;
    winner.exact = exact;
    winner.filled = groups.has_unknown() ? branch.back() : no_branch;
    winner.branch_weight = std::move(case_weight);
    result.low = result.high = worth;
  }

  Split split_by(std::uint32_t c, const Groups& groups, const std::vector<int>& branch,
                 int branches) const {
    const Column& column = this->predictor(c);
    const std::size_t known = groups.with_value();
    const auto own = [&](int b) {
      return std::find(branch.begin(), branch.begin() + known, b) ==
             branch.begin() + static_cast<std::ptrdiff_t>(known);
    };
    const bool unknown_alone = own(branches - 1);
    const int id = static_cast<int>(c);
    if (column.kind == Kind::numeric) {
      Split split{SplitKind::intervals, id, branches, {}, {}, {}};
      for (std::size_t g = 1; g < known; ++g) {
        if (branch[g] == branch[g - 1]) continue;
        // By CHAID a group's value is its upper bound.
        split.breaks.push_back(control().by_chaid()
                                   ? groups.value[g - 1]
                                   : between(groups.value[g - 1], groups.value[g]));
      }
      // No number goes into a branch of rows without one.
      if (unknown_alone) split.breaks.push_back(HUGE_VAL);
      if (branches == 2 && !unknown_alone) split.kind = SplitKind::threshold;
      return split;
    }
    if (!divided_by_value(control(), column.kind)) {
      Split split{SplitKind::subset, id, branches, {}, {}, {}};
      for (std::size_t g = 0; g < known; ++g) {
        split.level.push_back(static_cast<int>(groups.value[g]));
        split.level_child.push_back(branch[g]);
      }
      return split;
    }
    return split_in_order(id, column.n_levels, groups, branch, branches, unknown_alone);
  }
  // A level that the node has not seen goes with its lower neighbour's half of the way.
  Split split_in_order(int id, int n_levels, const Groups& groups, const std::vector<int>& branch,
                       int branches, bool unknown_alone) const {
    const std::size_t known = groups.with_value();
    std::vector<double> cut;
    for (std::size_t g = 1; g < known; ++g) {
      if (branch[g] != branch[g - 1])
        cut.push_back(std::floor((groups.value[g - 1] + groups.value[g]) / 2));
    }
    if (branches == 2 && !unknown_alone) return {SplitKind::level, id, 2, cut, {}, {}};
    Split split{SplitKind::subset, id, branches, {}, {}, {}};
    for (int code = 1; code <= n_levels; ++code) {
      split.level.push_back(code);
      split.level_child.push_back(static_cast<int>(
          std::lower_bound(cut.begin(), cut.end(), static_cast<double>(code)) - cut.begin()));
    }
    return split;
  }

  // ---- by the exact rules -----------------------------------------------------------------------

  void divide_exactly(std::uint32_t c, const Groups& groups, Tally& tally, ColumnResult& result,
                      Team& team) const {
    const Column& column = this->predictor(c);
    const std::size_t m = groups.size();
    std::vector<int> branch(m);
    if (groups_apart(column)) {
      if (!enough_large_branches(groups, control().min_bucket)) return;
      std::iota(branch.begin(), branch.end(), 0);
      keep(c, groups, branch, static_cast<int>(m), 0.0, true, tally, result);
      if (result.is_scored()) as_multiway(c, groups, column.n_levels, result);
      return;
    }
    GroupDivisions divisions{DivisionKind::prefixes, natural_order(m), true};
    double ways = static_cast<double>(m) - 1;
    if (!divided_by_value(control(), column.kind)) {
      ways = std::exp2(static_cast<double>(m) - 1) - 1;
      if (m <= all_groupings_limit) {
        divisions.kind = DivisionKind::groupings;
      } else {
        divisions.order = chaid::Merging<Tally>::order_to_cut(tally, groups);
        divisions.exact = false;
      }
    }
    double most = -HUGE_VAL;
    std::uint32_t best = 0;
    std::vector<double> right(groups.stride);
    each_division(groups, divisions, [&](std::uint32_t at, const LeftSide& left) {
      if (at % 1024 == 0) team.check();
      if (!fits(groups, left, control().min_bucket)) return;
      for (int s = 0; s < groups.stride; ++s) right[s] = rest(groups.total[s], left.sums[s]);
      const double worth =
          tally
              .test(std::array<chaid::Sums, 2>{chaid::Sums{left.sums, left.weight},
                                               chaid::Sums{right.data(), groups.n - left.weight}})
              .worth();
      if (!std::isfinite(worth) || (best > 0 && worth <= most + slack(most))) return;
      most = worth;
      best = at;
    });
    if (best == 0) return;
    const std::vector<char> left = members_of(divisions, groups, best);
    for (std::size_t g = 0; g < m; ++g) branch[g] = left[g] == left[0] ? 0 : 1;
    keep(c, groups, branch, 2, std::log(ways), divisions.exact, tally, result);
  }
  bool groups_apart(const Column& column) const {
    return !divided_by_value(control(), column.kind) &&
           control().nominal == SearchControl::Nominal::multiway;
  }
  // What rounding leaves of nothing is nothing.
  static double rest(double total, double part) {
    const double r = total - part;
    return r < 1e-9 * total ? 0.0 : r;
  }
  void as_multiway(std::uint32_t c, const Groups& groups, int n_levels,
                   ColumnResult& result) const {
    Winner& winner = result.winner;
    winner.split = multiway_split(static_cast<int>(c), n_levels);
    winner.branch_weight.assign(static_cast<std::size_t>(n_levels), 0.0);
    for (std::size_t g = 0; g < groups.size(); ++g) {
      winner.branch_weight[static_cast<std::size_t>(groups.value[g]) - 1] =
          groups.case_weights()[g];
    }
  }

  std::shared_ptr<const chaid::Bounds> bounds_;
};

}  // namespace tectree
