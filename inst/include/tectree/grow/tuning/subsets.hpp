// Trees on many subsets of one sample: the folds of a cross-validation, or of a tuning. What does
// not depend on the subset is done once: columns are coded, or sorted, for the whole sample.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "../after/surrogates_after.hpp"

namespace tectree {

class SubsetGrower {
 public:
  SubsetGrower(const Problem& whole, const MissingPolicy& missing, Team& team)
      : whole_(whole), missing_(defer_surrogates(whole, missing, team)) {
    if (!missing_.looks_for_surrogates()) deferred_ = missing.surrogates;
    whole_.control.unknown = missing.search;
    whole_.ranks = ranks_to_draw(whole_, team);
    Setup setup = set_up(whole_, team);
    coded_ = code_problem(whole_, setup, missing_, team);
    if (!coded_ && !whole_.ranks)
      sorted_ = make_arena<std::uint32_t>(whole_.frame, whole_.sample, team);
  }

  // `kept`: positions in the whole sample, increasing. May be called by several threads at once.
  Tree grow(const std::vector<std::uint32_t>& kept, const StopRule& stop, Team& team) const {
    std::vector<int> rows;
    Problem part = whole_;
    part.sample = rows_of(kept, rows);
    if (coded_) return grow_coded(*coded_, kept, part, stop, missing_, team);
    const SortedPart sorted{sorted_, kept, false};
    return grow_from(sorted_search(part, set_up(part, team), team, &sorted), part, stop, missing_,
                     team, part.pass_on_at);
  }

  // Surrogates that growth could do without: no row that a tree was grown from lacks a value.
  // Others may, or have a level that a node has not seen.
  bool defers_surrogates() const { return deferred_.most > 0; }

  // `kept` as in grow().
  void add_deferred_surrogates(Tree& tree, const std::vector<std::uint32_t>& kept,
                               Team& team) const {
    std::vector<int> rows;
    Problem part = whole_;
    part.sample = rows_of(kept, rows);
    add_surrogates(tree, part, deferred_, team);
  }

  // The rows at some positions as a sample; `rows` is their memory.
  Sample rows_of(const std::vector<std::uint32_t>& positions, std::vector<int>& rows) const {
    rows.clear();
    for (std::uint32_t p : positions) rows.push_back(static_cast<int>(whole_.sample.row(p)) + 1);
    Sample out = whole_.sample;
    out.rows = rows.data();
    out.size = rows.size();
    return out;
  }

 private:
  SubsetGrower(const SubsetGrower&) = delete;  // what is shared points into it

  Problem whole_;
  MissingPolicy missing_;
  SurrogateRule deferred_;  // what missing_ lacks
  std::unique_ptr<CodedProblem> coded_;
  Arena<std::uint32_t> sorted_;  // of the whole sample, where it is not coded
};

// A partition of the sample: the group of each position, from 0.
struct Folds {
  const int* group = nullptr;
  int count = 0;

  std::vector<std::uint32_t> positions(std::size_t n, int fold, bool of_group) const {
    std::vector<std::uint32_t> out;
    for (std::size_t i = 0; i < n; ++i) {
      if ((group[i] == fold) == of_group) out.push_back(static_cast<std::uint32_t>(i));
    }
    return out;
  }
};

// A tree grown without a fold.
struct FoldTree {
  std::size_t fold;
  Tree tree;
  const std::vector<std::uint32_t>& seen;  // positions
  Sample rest;                             // the rows left out
  double share;                            // of the weight that the tree has seen
};

// Grows one tree without each fold and calls use(FoldTree, grower, team). `stop_of(share)`: the
// rule for a tree that has seen this share.
template <class StopOf, class Use>
void each_fold(const Problem& problem, const MissingPolicy& missing, const Folds& folds,
               StopOf stop_of, Team& team, Use use) {
  const SubsetGrower grower(problem, missing, team);
  const double total = weigh(problem.sample).total;
  const std::size_t n = problem.sample.size;
  team.each(folds.count, [&](std::size_t fold, Team& inner) {
    const auto seen = folds.positions(n, static_cast<int>(fold), false);
    const auto rest = folds.positions(n, static_cast<int>(fold), true);
    if (seen.empty() || rest.empty()) return;
    std::vector<int> rows;
    const double share = weigh(grower.rows_of(seen, rows)).total / total;
    Tree tree = grower.grow(seen, stop_of(share), inner);
    use(FoldTree{fold, std::move(tree), seen, grower.rows_of(rest, rows), share}, grower, inner);
  });
}

}  // namespace tectree
