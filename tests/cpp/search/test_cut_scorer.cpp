// Cuts scored from their counts: as the criterion measures them.
#include "check.h"

#include <tectree/criterion/registry.hpp>
#include <tectree/search/classes/cut_scorer.hpp>

#include "support/random.h"

using namespace tectree;
using support::Random;

namespace {

using Counts = std::vector<std::uint32_t>;

struct Scored {
  SearchControl control;
  std::unique_ptr<Criterion> criterion;
  ClassContext context;
  CutScorer scorer;

  explicit Scored(const std::string& name)
      : criterion(make_criterion(name, 1.0, 100.0, 1.0)),
        context{criterion.get(), &control, {&criterion->kernel(), nullptr, 0.5}} {}

  // What a cut with these counts on its left measures, the scorer asked.
  Measures of(const Counts& total, const Counts& left, const UnknownWeight& unknown) {
    BestOf best(control.min_gain, 1.0);
    scorer.start(context, total, unknown);
    for (std::size_t s = 0; s < left.size(); ++s) scorer.move(s, left[s]);
    scorer.add(7, best);
    CHECK(!best.empty());
    best.settle();
    CHECK(best.at() == 7);
    return best.measures();
  }

  // The same, the criterion asked.
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
    s.control.min_gain = -10.0;  // every cut is told
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

TEST(cuts_of_one_column_are_told_apart) {
  Scored s("gini");
  const Counts total = {4, 4};
  // By place. The first cut and the last leave one row of one class alone on a side.
  const std::vector<int> of = {0, 1, 0, 1, 0, 1, 0, 1};
  BestOf best(s.control.min_gain, 0.5);
  s.scorer.start(s.context, total, {});
  struct Cut {
    std::uint32_t at;
  };
  s.scorer.add_sorted(
      std::vector<Cut>{{1}, {3}, {7}}, [&](std::size_t i) { return of[i]; },
      [](std::size_t) { return 1.0; }, best);
  best.settle();
  CHECK(best.at() == 1);
  CHECK(same(best.measures(), s.expected(total, {1, 0}, {})));
}
