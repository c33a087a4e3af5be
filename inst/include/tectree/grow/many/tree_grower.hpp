// Grows many trees from one problem: those of folds, of a tuning run, of a forest. What does not
// depend on a tree's rows is made once: codes, ranks or sorted columns, the criterion and its
// tables.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <variant>
#include <vector>

#include "../after/surrogates_after.hpp"
#include "bag.hpp"

namespace tectree {

class TreeGrower {
 public:
  // The possible totals of the rows of a tree.
  struct Limits {
    double total;  // their largest weight
    bool repeats;  // whether a row may count several times
  };

  TreeGrower(const Problem& whole, const MissingPolicy& missing, const Limits& limits, Team& team)
      : whole_(whole), missing_(defer_surrogates(whole, missing, team)) {
    if (!missing_.looks_for_surrogates()) deferred_ = missing.surrogates;
    whole_.control.unknown = missing.search;
    whole_.ranks = ranks_to_draw(whole_, team);
    const Setup setup = set_up_whole(limits, team);
    if (suits_histogram(whole_, setup)) codes_ = code_columns(whole_, missing_, team);
    if (!codes_ && !whole_.ranks)
      sorted_ = make_arena<std::uint32_t>(whole_.frame, whole_.sample, team);
  }
  // No row counts more than once.
  TreeGrower(const Problem& whole, const MissingPolicy& missing, Team& team)
      : TreeGrower(whole, missing, {weigh(whole.sample, team).total, false}, team) {}

  // `stream`: the seed of growth; `memory`: for the tree, or null. May be called by several threads
  // at once.
  Tree grow(const Bag& bag, std::uint64_t stream, const StopRule& stop, Team& team,
            std::shared_ptr<TreeMemory> memory = nullptr) const {
    Part part(whole_, bag, stream);
    part.problem.memory = std::move(memory);
    Setup setup = set_up(part, team);
    if (codes_) return grow_on_codes(part, std::move(setup), bag.positions, stop, team);
    // Sorting few rows is faster than finding them in the sorted columns; with ranks they are
    // sorted when a column is drawn.
    const SortedPart sorted{sorted_, bag.positions, false};
    const bool few = bag.positions.size() < whole_.sample.size / few_rows;
    const bool alone = few || whole_.ranks;
    return grow_from(sorted_search(part.problem, std::move(setup), team, alone ? nullptr : &sorted),
                     part.problem, stop, missing_, team, part.problem.pass_on_at);
  }
  Tree grow(const std::vector<std::uint32_t>& kept, const StopRule& stop, Team& team) const {
    return grow({kept, {}}, whole_.seed, stop, team);
  }

  // Surrogates that growth did not need: no row that a tree was grown from has a missing value.
  // Other rows may have one, or a level that a node has not seen.
  bool defers_surrogates() const { return deferred_.most > 0; }

  // `kept` as in grow().
  void add_deferred_surrogates(Tree& tree, const std::vector<std::uint32_t>& kept,
                               Team& team) const {
    const Part part(whole_, {kept, {}}, whole_.seed);
    add_surrogates(tree, part.problem, deferred_, team);
  }

  // The rows at some positions as a sample; `rows` is their memory.
  Sample rows_of(const std::vector<std::uint32_t>& positions, std::vector<int>& rows) const {
    return rows_at(whole_.sample, positions, rows);
  }

 private:
  static constexpr std::size_t few_rows = 16;

  static Sample rows_at(const Sample& all, const std::vector<std::uint32_t>& positions,
                        std::vector<int>& rows) {
    rows.clear();
    rows.reserve(positions.size());
    for (std::uint32_t p : positions) rows.push_back(static_cast<int>(all.row(p)) + 1);
    Sample out = all;
    out.rows = rows.data();
    out.size = rows.size();
    return out;
  }

  // The problem of some rows, and their memory.
  struct Part {
    Part(const Problem& whole, const Bag& bag, std::uint64_t stream) : problem(whole) {
      const std::size_t n = bag.positions.size();
      problem.sample = rows_at(whole.sample, bag.positions, rows);
      problem.seed = stream;
      problem.codes.reset();
      if (whole.ranks) problem.ranks = std::make_shared<const Ranks>(*whole.ranks, bag.positions);
      if (bag.counts.empty()) return;
      weights.reserve(n);
      for (std::size_t i = 0; i < n; ++i)
        weights.push_back(bag.counts[i] * whole.sample.weight(bag.positions[i]));
      problem.sample.own = weights.data();
      if (n > 0) {
        const double draws = std::accumulate(bag.counts.begin(), bag.counts.end(), 0.0);
        problem.control.copies = draws / static_cast<double>(n);
      }
      if (!whole.sample.sized()) return;
      for (std::size_t i = 0; i < n; ++i)
        sizes.push_back(bag.counts[i] * whole.sample.size_at(bag.positions[i]));
      problem.sample.own_sizes = sizes.data();
    }
    Part(const Part&) = delete;

    std::vector<int> rows;
    std::vector<double> weights, sizes;
    Problem problem;
  };

  // For all rows, with tables that serve every tree; whether some rows count more than once decides
  // which searches may be used.
  Setup set_up_whole(const Limits& limits, Team& team) {
    if (!whole_.response.is_class()) {
      NumberSetup numbers = set_up_numbers(whole_, team);
      if (limits.repeats && numbers.numbers.weight.empty())
        numbers.numbers.weight.assign(whole_.sample.size, 1.0);
      return numbers;
    }
    facts_ = weigh(whole_.sample, team);
    facts_.total = std::max(facts_.total, limits.total);
    facts_.whole = facts_.whole && counts_fit(facts_.total, whole_.sample.size);
    ClassSetup classes = read_classes(whole_, facts_, team);
    if (!whole_.factors.plain() && limits.repeats) {
      const auto& factors = whole_.factors.split;
      classes.weights.total = limits.total * *std::max_element(factors.begin(), factors.end());
    }
    share_classes(whole_, classes.weights, classes.cases, team, *classes.shared);
    shared_ = classes.shared;
    return classes;
  }

  Setup set_up(const Part& part, Team& team) const {
    if (!whole_.response.is_class()) return set_up_numbers(part.problem, team);
    WeightFacts facts = weigh(part.problem.sample, team);
    facts.whole = facts_.whole;
    facts.unit = facts.unit && facts_.unit;
    ClassSetup out = read_classes(part.problem, facts, team);
    out.shared = std::make_shared<ClassProblem>(*shared_);
    out.shared->control = part.problem.control;
    out.shared->frame = &part.problem.frame;
    out.shared->sample = &part.problem.sample;
    out.shared->ranks = part.problem.ranks;
    return out;
  }

  Tree grow_on_codes(const Part& part, Setup setup, const std::vector<std::uint32_t>& positions,
                     const StopRule& stop, Team& team) const {
    auto some = std::make_shared<Codes>(codes_->size());
    const std::size_t n = whole_.sample.size;
    const bool ordered = std::any_of(codes_->begin(), codes_->end(), [](const CodedColumn& column) {
      return !column.order.entries.empty();
    });
    const auto place = ordered ? places_of(positions, n) : std::vector<std::uint32_t>();
    team.each(some->size(), [&](std::size_t c, Team&) {
      const CodedColumn& all = (*codes_)[c];
      (*some)[c] = take_rows(all, positions);
      if (!all.order.entries.empty())
        take_entries(all.order, 0, n, positions.size(), place, (*some)[c].order);
    });
    const auto coded = tectree::coded(part.problem, std::move(setup), std::move(some));
    return grow_coded(*coded, all_positions(positions.size()), part.problem, stop, missing_, team);
  }

  TreeGrower(const TreeGrower&) = delete;  // shared data points into it

  Problem whole_;
  MissingPolicy missing_;
  SurrogateRule deferred_;                      // what missing_ lacks
  WeightFacts facts_;                           // of classes: facts that hold for every tree
  std::shared_ptr<const ClassProblem> shared_;  // likewise
  std::shared_ptr<const Codes> codes_;          // of the whole sample
  Arena<std::uint32_t> sorted_;  // its columns, if they are neither coded nor sorted when drawn
};

}  // namespace tectree
