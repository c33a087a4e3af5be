// Bounds on bins: a skipped bin contains no cut that would have reached the floor.
#include "check.h"

#include <tectree/criterion/registry.hpp>
#include <tectree/search/histogram/look_inside.hpp>
#include <tectree/search/statistic/counted_classes.hpp>

#include <memory>

#include "support/random.h"

using namespace tectree;
using support::Random;
using Counts = std::vector<std::uint32_t>;

namespace {

struct Case {
  const char* criterion;
  double q;
};
// Criteria whose loss is concave in every count, and the others with q > 0.
const std::vector<Case> cases = {
    {"tsallis", 0.1},       {"tsallis", 0.6},        {"shannon", 1},          {"gini", 2},
    {"tsallis", 5},         {"tsallis", 50},         {"tsallis_mutual", 0.2}, {"beta", 0.7},
    {"tsallis_mutual", 1},  {"tsallis_mutual", 1.5}, {"tsallis_mutual", 3.5}, {"beta", 2},
    {"tsallis_ratio", 0.4}, {"tsallis_ratio", 1},    {"tsallis_ratio", 2},    {"tsallis_ratio", 7}};

// The rows with a value of one column: counts left of the bin, in it, and in all.
struct Bin {
  Counts lo, in, total;
  std::uint32_t n = 0;
};

Bin random_bin(int k, Random& random) {
  Bin bin;
  const int most = random.one_of(std::vector<int>{2, 6, 40});
  for (int s = 0; s < k; ++s) {
    const auto some = [&] {
      return static_cast<std::uint32_t>(random.chance(0.3) ? 0 : random.below(most));
    };
    bin.lo.push_back(some());
    bin.in.push_back(random.chance(0.3) ? 0 : static_cast<std::uint32_t>(random.below(8)));
    bin.total.push_back(bin.lo.back() + bin.in.back() + some());
    bin.n += bin.total.back();
  }
  return bin;
}

struct Setup {
  Team team{1};
  std::unique_ptr<Criterion> criterion;
  KernelTable table;
  ClassScale<WholeWeight> scale;
  CutValue value;
  CodedColumn column;
  Column none;
  Sample sample;
  ClassBins<WholeWeight> bins;
  CountedClasses<WholeWeight>::Scratch scratch;

  Setup(const Case& one, const Bin& bin) : bins(without_rows(one, bin), 0) {
    criterion = make_criterion(one.criterion, one.q, bin.n, 1.0);
    table = KernelTable(criterion->kernel(), bin.n, team);
    const std::vector<double> total(bin.total.begin(), bin.total.end());
    const double s = criterion->impurity(total.data(), static_cast<int>(total.size()), bin.n) /
                     criterion->unit();
    value = CutValue(*criterion, s, bin.n, bin.n, true, 0.0);
    scale.table = &table;
  }

  static ClassStat<std::uint32_t, WholeWeight> without_rows(const Case& one, const Bin& bin) {
    const auto problem = std::make_shared<ClassProblem>();
    problem->n_classes = static_cast<int>(bin.total.size());
    problem->criterion = make_criterion(one.criterion, one.q, bin.n, 1.0);
    return {problem, {}, {}};
  }

  // A column with these counts by code and class.
  CountedClasses<WholeWeight> with(const Bin& bin, const std::uint32_t* counts, std::uint32_t least,
                                   Contenders& cuts) {
    scratch.total = bin.total;
    const Form form = criterion->form();
    const bool concave = form != Form::power || criterion->kernel().q() <= 2.0;
    return {{none, column, &sample, nullptr, 0},
            {&bins, scale, nullptr, least, form, concave},
            counts,
            bin.n,
            value,
            scratch,
            cuts};
  }
};

double true_value(const Criterion& criterion, const Bin& bin, const Counts& left, double& gain) {
  std::vector<double> l(left.begin(), left.end()), r;
  double n_l = 0;
  for (std::size_t s = 0; s < left.size(); ++s) {
    r.push_back(static_cast<double>(bin.total[s] - left[s]));
    n_l += l[s];
  }
  Partition p;
  p.start(static_cast<int>(left.size()));
  p.add(l.data(), n_l);
  p.add(r.data(), bin.n - n_l);
  const Measures m = criterion.measure(p);
  gain = m.gain;
  return criterion.form() == Form::ratio ? m.cut : m.cut / criterion.unit();
}

// The best admissible cut strictly inside the bin, its rows in a random order.
double best_inside(const Criterion& criterion, const Bin& bin, std::uint32_t least,
                   Random& random) {
  std::vector<std::size_t> labels;
  std::uint32_t n_l = 0;
  for (std::size_t s = 0; s < bin.in.size(); ++s) {
    labels.insert(labels.end(), bin.in[s], s);
    n_l += bin.lo[s];
  }
  random.shuffle(labels);
  Counts left = bin.lo;
  double best = -HUGE_VAL;
  for (std::size_t i = 0; i + 1 < labels.size(); ++i) {
    ++left[labels[i]];
    ++n_l;
    if (n_l < least || bin.n - n_l < least) continue;
    double gain = 0;
    const double value = true_value(criterion, bin, left, gain);
    if (gain > 1e-9) best = std::max(best, value);
  }
  return best;
}

// Each place knows its rows and those before it, and every bin with a cut inside is one.
bool count_rightly(const std::vector<BinPlace>& places, const CountedClasses<WholeWeight>& column,
                   std::uint32_t least) {
  std::size_t next = 0;
  std::uint32_t before = 0;
  for (int b = 0; b < column.coded.codes; ++b) {
    const std::uint32_t rows = column.count_of(column.in_bin(b));
    const bool known = next < places.size() && places[next].bin == b;
    // A cut inside leaves rows of the bin on both sides.
    const bool may_cut = rows > 1 && before + rows - 1 >= least && column.n() - before - 1 >= least;
    if (known != may_cut) return false;
    if (known && (places[next].before != before || places[next].in != rows)) return false;
    next += known;
    before += rows;
  }
  return next == places.size();
}

}  // namespace

TEST(a_skipped_bin_contains_no_better_cut) {
  Random random(1);
  int passed_over = 0;
  for (const Case& one : cases) {
    for (int round = 0; round < 300; ++round) {
      const Bin bin = random_bin(random.between(2, 10), random);
      if (bin.n < 2) continue;
      Setup setup(one, bin);
      const std::uint32_t least = random.chance(0.7) ? 1 : 4;
      double best = -HUGE_VAL;
      for (int order = 0; order < 4; ++order)
        best = std::max(best, best_inside(*setup.criterion, bin, least, random));
      const auto reach = [&](double floor) {
        Contenders cuts;
        auto column = setup.with(bin, nullptr, least, cuts);
        column.pass(bin.lo.data());
        return column.bound(bin.in.data(), false, floor) >= floor;
      };
      CHECK(best == -HUGE_VAL || reach(best));
      CHECK(best == -HUGE_VAL || reach(best * (1 + 1e-10)));  // ties with the floor count
      passed_over += best > -HUGE_VAL && !reach(best + 0.3);
    }
  }
  CHECK(passed_over > 500);  // otherwise the bounds would be useless
}

TEST(cuts_between_bins_are_offered_with_their_counts) {
  Random random(2);
  for (const Case& one : cases) {
    for (int round = 0; round < 20; ++round) {
      const int codes = random.between(1, 25);
      const std::uint32_t least = static_cast<std::uint32_t>(random.between(1, 6));
      Counts counts;
      Bin bin{{}, {}, {0, 0, 0}, 0};
      for (int i = 0; i < 3 * codes; ++i) {
        counts.push_back(random.chance(0.4) ? 0 : static_cast<std::uint32_t>(random.below(9)));
        bin.total[static_cast<std::size_t>(i % 3)] += counts.back();
        bin.n += counts.back();
      }
      if (bin.n < 2) continue;
      Setup setup(one, bin);
      ColumnResult scan;
      setup.column.codes = codes;
      auto column = setup.with(bin, counts.data(), least, scan.contenders);
      offer_edges(column, scan.places);
      CHECK(count_rightly(scan.places, column, least));
      // Each cut's place, counts and value are true; the best of all edges is among them.
      double best = -HUGE_VAL, best_offered = -HUGE_VAL;
      ClassCells<std::uint32_t> parts;
      Counts left(3, 0);
      std::uint32_t n_l = 0;
      for (int b = 0; b + 1 < codes; ++b) {
        for (std::size_t s = 0; s < 3; ++s)
          n_l += counts[3 * static_cast<std::size_t>(b) + s],
              left[s] += counts[3 * static_cast<std::size_t>(b) + s];
        if (n_l < least || bin.n - n_l < least) continue;
        double gain = 0;
        const double value = true_value(*setup.criterion, bin, left, gain);
        if (gain > 1e-9) best = std::max(best, value);
        for (const Contender& cut : scan.contenders.settle()) {
          if (cut.weight != n_l) continue;
          Counts up_to(3, 0);
          for (std::size_t i = 0; i < 3 * (static_cast<std::size_t>(cut.bin) + 1); ++i)
            up_to[i % 3] += counts[i];
          int visited = 0;
          at_each_cut(column, {cut}, parts, [&](std::uint32_t) {
            ++visited;
            for (std::size_t s = 0; s < 3; ++s) CHECK(column.left(s) == left[s]);
          });
          CHECK(visited == 1);
          CHECK(cut.mass == n_l && up_to == left);
          CHECK(cut.at_edge());
          CHECK(cut.high >= value - 1e-14);
          best_offered = std::max(best_offered, value);
        }
      }
      CHECK(best == -HUGE_VAL || best_offered >= best - 1e-13);
      CHECK(best == -HUGE_VAL ||
            (scan.contenders.floor() <= best + 1e-13 && scan.contenders.high() >= best - 1e-13));
    }
  }
}
