// Least squares on bins: a cut's gain lies in the reported interval, and a skipped bin contains no
// cut that would have reached the floor.
#include "check.h"

#include <tectree/search/statistic/summed_numbers.hpp>

#include <algorithm>
#include <numeric>

#include "support/random.h"

using namespace tectree;
using support::Random;

namespace {

// Rows in the order of a column: those before a bin, inside it, and after it.
struct Bin {
  std::vector<double> y;
  std::size_t from = 0, to = 0;

  double mean() const { return std::accumulate(y.begin(), y.end(), 0.0) / size(); }
  double size() const { return static_cast<double>(y.size()); }
};

Bin random_bin(Random& random) {
  Bin bin;
  const int sizes[3] = {random.below(60), random.between(1, 40), random.below(60)};
  const double step = random.one_of(std::vector<double>{0.0, 1.0, 8.0}),
               noise = random.one_of(std::vector<double>{0.0, 1e-3, 1.0}),
               far = random.chance(0.1) ? 1e6 : 0.0;
  for (int part = 0; part < 3; ++part) {
    if (part == 1) bin.from = bin.y.size();
    for (int i = 0; i < sizes[part]; ++i) {
      const bool jumps = part == 2 || (part == 1 && random.chance(0.5));
      bin.y.push_back((jumps ? step : 0.0) + noise * (random.uniform() - 0.5));
    }
    if (part == 1) bin.to = bin.y.size();
  }
  bin.y.front() += far;
  return bin;
}

// The decrease of the mean squared error if the first `at` rows are on the left: that between the
// means of both sides.
double true_gain(const std::vector<double>& y, std::size_t at) {
  const auto mean = [&](std::size_t from, std::size_t to) {
    long double sum = 0.0;
    for (std::size_t i = from; i < to; ++i) sum += y[i];
    return static_cast<double>(sum / static_cast<long double>(to - from));
  };
  const double n = static_cast<double>(y.size()), left = static_cast<double>(at) / n,
               apart = mean(0, at) - mean(at, y.size());
  return left * (1 - left) * apart * apart;
}

// What is known about the bin.
struct Setup {
  Column none;
  Sample sample;
  CodedColumn column;
  WholeScale scale;
  WholeSums before, inside, total;
  std::vector<std::int64_t> number;

  // The scale need not be made for these rows only.
  Setup(const Bin& bin, double centre, double most) : scale(centre, most, bin.y.size() * 10) {
    for (std::size_t i = 0; i < bin.y.size(); ++i) {
      number.push_back(scale.of(bin.y[i]));
      total.add(number[i], scale.coarseness());
      if (i < bin.from) before.add(number[i], scale.coarseness());
      if (i >= bin.from && i < bin.to) inside.add(number[i], scale.coarseness());
    }
  }
  SummedNumbers with(Contenders& cuts, double least) const {
    return {{none, column, &sample, nullptr, 0},
            number.data(),
            &inside,
            total,
            scale,
            least,
            0.0,
            cuts};
  }
};

Setup setup_of(const Bin& bin, Random& random) {
  double most = 0.0;
  const double centre = bin.mean() + (random.chance(0.3) ? 3.0 : 0.0);
  for (double y : bin.y) most = std::max(most, std::fabs(y - centre));
  return Setup(bin, centre, std::max(most, 1e-3) * (random.chance(0.3) ? 5.0 : 1.0));
}

bool admissible(const Bin& bin, std::size_t at, std::uint32_t least) {
  return at >= least && at < bin.y.size() && bin.y.size() - at >= least;
}

// The best cut of the bin, its rows in a few random orders.
double best_inside(Bin bin, bool closed, std::uint32_t least, Random& random) {
  double best = -HUGE_VAL;
  for (int order = 0; order < 6; ++order) {
    std::vector<double> inside(bin.y.begin() + bin.from, bin.y.begin() + bin.to);
    if (order < 2) std::sort(inside.begin(), inside.end());  // where a cut may gain most
    if (order == 1) std::reverse(inside.begin(), inside.end());
    if (order > 1) random.shuffle(inside);
    std::copy(inside.begin(), inside.end(), bin.y.begin() + bin.from);
    for (std::size_t at = bin.from + 1; at < bin.to + closed; ++at) {
      if (admissible(bin, at, least)) best = std::max(best, true_gain(bin.y, at));
    }
  }
  return best;
}

}  // namespace

TEST(a_skipped_bin_contains_no_better_cut) {
  Random random(1);
  int passed_over = 0;
  for (int round = 0; round < 4000; ++round) {
    const Bin bin = random_bin(random);
    const Setup setup = setup_of(bin, random);
    const std::uint32_t least = random.chance(0.6) ? 1 : 7;
    const bool closed = random.chance(0.5);
    const double best = best_inside(bin, closed, least, random);
    Contenders cuts;
    SummedNumbers column = setup.with(cuts, least);
    column.pass(&setup.before);
    const double bound = column.bound(&setup.inside, closed, HUGE_VAL);
    const auto reach = [&](double floor) { return bound >= floor; };
    if (best == -HUGE_VAL) continue;
    CHECK(reach(best * (1 - 1e-9) - 1e-15));
    passed_over += !reach(2 * best + 0.01);
  }
  CHECK(passed_over > 1000);  // otherwise the bounds would be useless
}

TEST(a_cut_is_offered_with_an_interval_that_contains_its_gain) {
  Random random(2);
  for (int round = 0; round < 1000; ++round) {
    const Bin bin = random_bin(random);
    const Setup setup = setup_of(bin, random);
    const std::uint32_t least = static_cast<std::uint32_t>(random.between(1, 5));
    for (std::size_t at = 1; at < bin.y.size(); ++at) {
      Contenders cuts;
      SummedNumbers column = setup.with(cuts, least);
      for (std::size_t i = 0; i < at; ++i) column.pass_row(setup.number[i]);
      CHECK(column.admissible() == admissible(bin, at, least));
      if (!column.admissible()) continue;
      column.offer(3, 1.0, 2.0);
      const double gain = true_gain(bin.y, at), rounding = 1e-13 * std::max(1.0, gain);
      CHECK(cuts.settle().size() == 1 && cuts.settle()[0].weight == at &&
            cuts.settle()[0].bin == 3);
      CHECK(cuts.floor() <= gain + rounding && cuts.high() >= gain - rounding);
      const double most = setup.scale.unit() * 0x1p50;
      CHECK(cuts.high() - cuts.floor() <= 1e-10 * most * most + rounding);
    }
  }
}
