// A Worth measures divisions of a column's groups. group_search.hpp finds the best division for any
// Worth; ClassWorth, MeanWorth and MedianWorth are the three. The first two are a TallyWorth: the
// measures of a branch come from the sum of its groups' tallies.
//
// A Worth has
//   groups()                        the groups that are divided
//   control()                       the settings of the search
//   impurity(), unit()              the scale of rounding, and the unit of the measures
//   groupings()                     the ways to group levels in two: GroupDivisions
//   in_two(divisions, at, left)     the measures of one division; `left`: the groups on the left
//   try_all(divisions, settle, team, result, best)
//                                   adds to `best` all divisions that may be the best; calls
//                                   settle(), which may replace `divisions`, if the best of them
//                                   may not be admissible
//   cuts(g, team)                   the best partition into g intervals: the first group of each
//                                   interval but the first; empty if there is none
//   of_intervals(cuts)              the measures of such a partition
//   information(divisions, at, gain)  how much a division in two with this gain tells about the
//                                   response, in nats per row
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../base/contract.hpp"
#include "../choose/best_cut.hpp"
#include "divisions.hpp"
#include "intervals.hpp"

namespace tectree {

template <class Exact>
Measures measures_of_intervals(Exact& exact, const Groups& groups,
                               const std::vector<std::size_t>& cuts) {
  exact.start();
  each_interval(groups, cuts, [&](const double* sums, double weight) { exact.add(sums, weight); });
  return exact.measures();
}

// An Exact computes the measures of a split: start(); add(sums, weight) for each branch;
// measures(). rest(all, part) is all - part, without rounding that looks like rows. Unless a Worth
// has its own try_all(), cuts() and groupings(), it also has cost(sums, weight), of an interval,
// and groupings(groups).
template <class Exact>
class TallyWorth {
  static_assert(meets<Exact&>(TECTREE_CAN(exact, exact.start(),
                                          exact.add(some<const double*>(), double{}))),
                "an Exact must have start() and add(sums, weight), for each branch");
  static_assert(meets<const Exact&>(TECTREE_CAN(exact, Measures{exact.measures()})),
                "an Exact must have measures(), of the split");
  static_assert(meets<const Exact&>(TECTREE_CAN(exact, double{exact.rest(double{}, double{})})),
                "an Exact must have rest(all, part), the difference");

 public:
  // `impurity`: the scale of rounding.
  TallyWorth(const SearchControl& control, const Groups& groups, const Exact& exact,
             double impurity)
      : groups_(groups), control_(control), exact_(exact), impurity_(impurity) {}

  const Groups& groups() const { return groups_; }
  const SearchControl& control() const { return control_; }
  const Exact& exact() const { return exact_; }  // of the latest division

  Measures in_two(const GroupDivisions&, std::uint32_t, const LeftSide& left) {
    sums_.resize(static_cast<std::size_t>(groups_.stride));
    for (std::size_t s = 0; s < sums_.size(); ++s)
      sums_[s] = exact_.rest(groups_.total[s], left.sums[s]);
    exact_.start();
    exact_.add(left.sums, left.weight);
    exact_.add(sums_.data(), groups_.n - left.weight);
    return exact_.measures();
  }
  Measures of_intervals(const std::vector<std::size_t>& cuts) {
    return measures_of_intervals(exact_, groups_, cuts);
  }

  // Of normal numbers: log(1 / (1 - r)) / 2 for the share r of the variance, or less.
  double information(const GroupDivisions&, std::uint32_t, double gain) const {
    return gain / (2 * groups_.unknown.share * impurity_);
  }

  double impurity() const { return impurity_; }
  static double unit() { return 1.0; }
  GroupDivisions groupings() const { return exact_.groupings(groups_); }

  template <class Settle>
  void try_all(const GroupDivisions& divisions, Settle settle, Team&, ColumnResult&, BestOf& best) {
    settle();
    each_division(groups_, divisions, [&](std::uint32_t at, const LeftSide& left) {
      if (fits(groups_, left, control_.min_bucket)) best.add(at, in_two(divisions, at, left));
    });
  }
  std::vector<std::size_t> cuts(int g, Team& team) const {
    CostOfSums cost(groups_, control_.min_bucket, [&](const std::vector<double>& sums, double n) {
      return exact_.cost(sums, n);
    });
    return best_cuts(cost, groups_.size(), g, 1e-13 * impurity_ * groups_.n, team);
  }

 protected:
  // With these groups on the left, each side the sum of its groups.
  Measures of_members(const std::vector<char>& on_left) {
    exact_.start();
    for (const char side : {1, 0}) {
      sums_.assign(static_cast<std::size_t>(groups_.stride), 0.0);
      double weight = 0.0;
      for (std::size_t g = 0; g < groups_.size(); ++g) {
        if (on_left[g] != side) continue;
        for (std::size_t s = 0; s < sums_.size(); ++s) sums_[s] += groups_.of(g)[s];
        weight += groups_.weight[g];
      }
      exact_.add(sums_.data(), weight);
    }
    return exact_.measures();
  }

  const Groups& groups_;

 private:
  const SearchControl& control_;
  Exact exact_;
  double impurity_;
  std::vector<double> sums_;  // of one branch
};

template <class Worth>
constexpr bool is_worth() {
  using Cuts = std::vector<std::size_t>;
  static_assert(meets<Worth&>(TECTREE_CAN(worth, static_cast<const Groups&>(worth.groups()))),
                "a Worth must have groups(), the Groups that are divided");
  static_assert(
      meets<Worth&>(TECTREE_CAN(worth, static_cast<const SearchControl&>(worth.control()))),
      "a Worth must have control(), the SearchControl");
  static_assert(meets<Worth&>(TECTREE_CAN(worth, double{worth.impurity()})),
                "a Worth must have impurity(), the scale of rounding");
  static_assert(meets<Worth&>(TECTREE_CAN(worth, double{worth.unit()})),
                "a Worth must have unit(), the unit of its measures");
  static_assert(meets<Worth&>(TECTREE_CAN(worth, GroupDivisions{worth.groupings()})),
                "a Worth must have groupings(), the GroupDivisions of levels in two");
  static_assert(meets<Worth&>(TECTREE_CAN(
                    worth, Measures{worth.in_two(some<const GroupDivisions&>(), std::uint32_t{},
                                                 some<const LeftSide&>())})),
                "a Worth must have in_two(divisions, at, left), the Measures of a division");
  static_assert(meets<Worth&>(TECTREE_CAN(
                    worth, worth.try_all(some<const GroupDivisions&>(), some<void (&)()>(),
                                         some<Team&>(), some<ColumnResult&>(), some<BestOf&>()))),
                "a Worth must have try_all(divisions, settle, team, result, best)");
  static_assert(meets<Worth&>(TECTREE_CAN(worth, Cuts(worth.cuts(int{}, some<Team&>())))),
                "a Worth must have cuts(g, team), the best g intervals");
  static_assert(
      meets<Worth&>(TECTREE_CAN(worth, Measures{worth.of_intervals(some<const Cuts&>())})),
      "a Worth must have of_intervals(cuts), the Measures of intervals");
  static_assert(
      meets<Worth&>(TECTREE_CAN(worth, double{worth.information(some<const GroupDivisions&>(),
                                                                std::uint32_t{}, double{})})),
      "a Worth must have information(divisions, at, gain), in nats per row");
  return true;
}

}  // namespace tectree
