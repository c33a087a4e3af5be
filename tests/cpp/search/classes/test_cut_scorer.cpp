// Cuts scored from their counts agree with the criterion.
#include "check.h"

#include <tectree/criterion/registry.hpp>
#include <tectree/search/classes/class_node.hpp>

#include "support/random.h"

using namespace tectree;
using support::Random;

namespace {

using Counts = std::vector<std::uint32_t>;

struct Cut {
  std::uint32_t at;
};

struct Scored {
  SearchControl control;
  std::unique_ptr<Criterion> criterion;
  ClassContext context;
  CutScorer scorer;

  explicit Scored(const std::string& name)
      : criterion(make_criterion(name, 1.0, 100.0, 1.0)),
        context{criterion.get(), &control, {&criterion->kernel(), nullptr, 0.5}} {}

  // The measure of a cut with these counts on its left, by the scorer.
  Measures of(const Counts& total, const Counts& left, const UnknownWeight& unknown) {
    std::vector<std::size_t> classes;
    for (std::size_t s = 0; s < left.size(); ++s) classes.insert(classes.end(), left[s], s);
    const auto at = static_cast<std::uint32_t>(classes.size());
    for (std::size_t s = 0; s < left.size(); ++s)
      classes.insert(classes.end(), total[s] - left[s], s);
    Measures out;
    scorer.start(context, total, unknown);
    scorer.each(
        std::vector<Cut>{{at}}, classes.size(), [&](std::size_t i) { return classes[i]; },
        [](std::size_t) { return 1.0; },
        [&](std::uint32_t, const ClassExact& exact) { out = exact.measures(); });
    return out;
  }

  // The same, by the criterion.
  Measures expected(const Counts& total, const Counts& left, const UnknownWeight& unknown) const {
    Partition p;
    p.start(static_cast<int>(total.size()));
    p.share = unknown.share;
    p.unknown = unknown.weight;
    std::vector<double> side[2];
    double n[2] = {};
    for (std::size_t s = 0; s < total.size(); ++s) {
      side[0].push_back(left[s]);
      side[1].push_back(total[s] - left[s]);
      for (int j : {0, 1}) n[j] += side[j].back();
    }
    for (int j : {0, 1}) p.add(side[j].data(), n[j]);
    return criterion->measure(p);
  }
};

bool same(const Measures& a, const Measures& b) {
  return a.cut == b.cut && a.gain == b.gain && a.score == b.score;
}

}  // namespace

TEST(a_cut_measures_what_its_counts_do) {
  Random random(11);
  for (const char* name : {"gini", "shannon", "gain_ratio"}) {
    Scored s(name);
    s.control.min_gain = -10.0;  // every cut is listed
    Counts total;
    UnknownWeight unknown;
    for (int round = 0; round < 400; ++round) {
      if (round == 0 || random.below(15) == 0) {
        total = {5, 4, 3u + static_cast<std::uint32_t>(random.below(2))};
        unknown.share = random.below(3) == 0 ? 0.5 : 1.0;
        unknown.weight = random.below(3) == 0 ? 2.0 : 0.0;
      }
      const Counts left = {1, static_cast<std::uint32_t>(random.below(5)),
                           static_cast<std::uint32_t>(random.below(4))};
      CHECK(same(s.of(total, left, unknown), s.expected(total, left, unknown)));
    }
  }
}

TEST(cuts_of_one_column_are_distinguished) {
  Scored s("gini");
  const Counts total = {4, 4};
  // By position. The first cut and the last leave one row of one class alone on a side.
  const std::vector<int> of = {0, 1, 0, 1, 0, 1, 0, 1};
  BestOf best(s.control.min_gain, 0.5);
  s.scorer.start(s.context, total, {});
  s.scorer.each(
      std::vector<Cut>{{1}, {3}, {7}}, of.size(), [&](std::size_t i) { return of[i]; },
      [](std::size_t) { return 1.0; },
      [&](std::uint32_t at, const ClassExact& exact) { best.add(at, exact.measures()); });
  best.settle();
  CHECK(best.at() == 1);
  CHECK(same(best.measures(), s.expected(total, {1, 0}, {})));
}

TEST(both_sides_of_fractions_are_sums_of_their_rows) {
  // The difference of 1e6 and 1e6 - 0.1 has lost eight digits.
  Scored s("gini");
  const std::vector<double> weight = {1e6 / 3, 1e6 / 3, 1e6 / 3, 0.1}, total = {1e6 + 0.1, 0.0};
  double right = 0.0;
  s.scorer.start(s.context, total, {});
  s.scorer.each(
      std::vector<Cut>{{1}, {3}}, weight.size(), [](std::size_t) { return 0; },
      [&](std::size_t i) { return weight[i]; },
      [&](std::uint32_t, const ClassExact& exact) { right = exact.partition().branch(1)[0]; });
  CHECK(right == 0.1);
}

TEST(whole_numbers_are_taken_from_the_total) {
  Scored s("gini");
  Team team(1);
  const KernelTable table(s.criterion->kernel(), 8, team);
  s.context.counts.table = &table;
  for (std::uint32_t left : {0u, 1u, 3u}) {
    const Counts total = {4, 4}, on_left = {1, left};
    CHECK(same(s.of(total, on_left, {}), s.expected(total, on_left, {})));
  }
}
