// The intervals with the best ratio among those that gain enough; the oracle tries all partitions.
#include "check.h"

#include <functional>

#include <tectree/criterion/registry.hpp>
#include <tectree/search/groups/class_worth.hpp>

#include "support/random.h"

using namespace tectree;
using support::Random;

namespace {

using Cuts = std::vector<std::size_t>;

struct Asked {
  Groups groups;
  SearchControl control;
  std::unique_ptr<Criterion> criterion;
  ClassContext context;

  Asked(std::size_t m, double q, Random& random) {
    groups.start(3);
    for (std::size_t g = 0; g < m; ++g) {
      groups.add(static_cast<double>(g));
      for (int s = 0; s < 3; ++s) {
        const double count = random.below(4) + (s == static_cast<int>(3 * g / m) ? 2 : 0);
        groups.of(g)[s] = count;
        groups.weight.back() += count;
      }
    }
    groups.finish();
    criterion = make_criterion("tsallis_ratio", q, groups.n, 1.0);
    context = {criterion.get(), &control, {&criterion->kernel(), nullptr, 0.5}};
  }

  double impurity() const { return criterion->impurity(groups.total.data(), 3, groups.n); }
  CutValue value() const {
    return CutValue(*criterion, impurity() / criterion->unit(), groups.n,
                    static_cast<std::size_t>(groups.n), true, control.min_gain);
  }
  Measures measure(const Cuts& cuts) const {
    ClassExact exact(context, groups);
    return measures_of_intervals(exact, groups, cuts);
  }
  Cuts found(int g) const {
    Team team(1);
    const CutValue ranked = value();
    return ClassIntervals(context, groups, ranked).cuts(g, team);
  }
  bool admissible(const Cuts& cuts) const {
    bool every = true;
    each_interval(groups, cuts, [&](const double*, double weight) {
      every = every && weight >= control.min_bucket;
    });
    return every;
  }

  // The best ratio of all partitions into g intervals that gain enough; 0 if there is none.
  double best(int g) const {
    double ratio = 0.0;
    Cuts cuts;
    const std::function<void(std::size_t)> from = [&](std::size_t first) {
      if (cuts.size() + 1 == static_cast<std::size_t>(g)) {
        const Measures m = measure(cuts);
        if (admissible(cuts) && m.gain > control.min_gain) ratio = std::max(ratio, m.cut);
        return;
      }
      for (std::size_t at = first; at < groups.size(); ++at) {
        cuts.push_back(at);
        from(at + 1);
        cuts.pop_back();
      }
    };
    from(1);
    return ratio;
  }
};

}  // namespace

TEST(the_best_ratio_is_found_among_intervals_that_gain_enough) {
  Random random(3);
  int bound = 0, none = 0;
  for (int round = 0; round < 300; ++round) {
    Asked asked(static_cast<std::size_t>(6 + random.below(6)), 0.5 + random.below(4), random);
    asked.control.min_bucket = 1 + random.below(9);
    for (int g : {3, 4}) {
      asked.control.min_gain = 0.0;
      const Cuts free = asked.found(g);
      if (free.empty()) continue;
      // Slightly more than the best ratio gains.
      asked.control.min_gain = asked.measure(free).gain * (1.0 + 0.1 * random.below(4)) + 1e-6;
      const double best = asked.best(g);
      const Cuts cuts = asked.found(g);
      CHECK(cuts.empty() == (best == 0.0));
      none += cuts.empty();
      if (cuts.empty()) continue;
      ++bound;
      CHECK(asked.admissible(cuts));
      CHECK(asked.measure(cuts).gain > asked.control.min_gain);
      CHECK_NEAR(asked.measure(cuts).cut, best, 1e-9);
    }
  }
  CHECK(bound > 50);
  CHECK(none > 10);
}

// Three and a half million partitions of each kind.
TEST(many_values_are_no_matter) {
  Random random(4);
  for (double q : {1.0, 8.0}) {
    Asked asked(280, q, random);
    const Cuts free = asked.found(4);
    for (double more : {1.02, 3.0}) {
      asked.control.min_gain = asked.measure(free).gain * more;
      const Cuts cuts = asked.found(4);
      CHECK(cuts.empty() || asked.measure(cuts).gain > asked.control.min_gain);
    }
  }
}
