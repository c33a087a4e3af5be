// The cuts that may be the best: none whose interval reaches that of the best is lost, and none
// that does not is kept.
#include "check.h"

#include <tectree/search/choose/column_result.hpp>

#include "support/random.h"

using support::Random;
using tectree::Contender;
using tectree::Contenders;

namespace {

struct Offer {
  std::uint32_t at;
  double low, high;
};

std::vector<Offer> random_offers(int n, int shape, Random& random) {
  std::vector<Offer> offers;
  for (int i = 0; i < n; ++i) {
    const double drift = shape == 0 ? 0.0 : shape == 1 ? i : -i;
    const double value = drift + random.below(10), error = random.below(4);
    offers.push_back({static_cast<std::uint32_t>(i + 1), value - error, value + error});
  }
  return offers;
}

// The offers whose interval reaches the largest lower end, in their order.
std::vector<Offer> reaching(const std::vector<Offer>& offers) {
  double floor = -HUGE_VAL;
  for (const Offer& o : offers) floor = std::max(floor, o.low);
  std::vector<Offer> kept;
  for (const Offer& o : offers) {
    if (o.high >= floor) kept.push_back(o);
  }
  return kept;
}

bool same(const std::vector<Contender>& cuts, const std::vector<Offer>& offers) {
  bool all = cuts.size() == offers.size();
  for (std::size_t i = 0; i < offers.size() && all; ++i) {
    all = cuts[i].at == offers[i].at && cuts[i].high == offers[i].high;
  }
  return all;
}

}  // namespace

TEST(those_that_reach_the_best_are_kept_in_order) {
  Random random(1);
  Contenders contenders;
  for (int round = 0; round < 600; ++round) {
    const std::vector<Offer> offers = random_offers(random.between(1, 40), round % 3, random);
    contenders.clear();
    double floor = -HUGE_VAL, high = -HUGE_VAL;
    for (const Offer& o : offers) {
      contenders.offer(o.at, o.low, o.high);
      floor = std::max(floor, o.low);
      high = std::max(high, o.high);
      CHECK(contenders.floor() == floor);
      CHECK(contenders.high() == high);
      CHECK(!contenders.empty());
    }
    CHECK(same(contenders.settle(), reaching(offers)));
    CHECK(same(contenders.settle(), reaching(offers)));  // settling twice changes nothing
  }
}

TEST(offers_made_from_the_last_to_the_first_come_out_in_order) {
  Random random(2);
  for (int round = 0; round < 300; ++round) {
    const std::vector<Offer> offers = random_offers(random.between(1, 40), round % 3, random);
    Contenders contenders;
    for (auto o = offers.rbegin(); o != offers.rend(); ++o)
      contenders.offer(o->at, o->low, o->high);
    contenders.reverse();
    CHECK(same(contenders.settle(), reaching(offers)));
  }
}

TEST(cleared_contenders_are_as_new) {
  Contenders contenders;
  CHECK(contenders.empty());
  CHECK(contenders.floor() == -HUGE_VAL && contenders.high() == -HUGE_VAL);
  contenders.offer(1, 5.0, 6.0);
  contenders.clear();
  CHECK(contenders.empty());
  contenders.offer(2, -9.0, -8.0);
  CHECK(contenders.settle().size() == 1 && contenders.settle()[0].at == 2);
}

TEST(touching_intervals_are_both_kept) {
  Contenders contenders;
  contenders.offer(1, 0.0, 2.0);
  contenders.offer(2, 2.0, 3.0);
  CHECK(contenders.settle().size() == 2);
  contenders.clear();
  contenders.offer(1, 0.0, 2.0);
  contenders.offer(2, std::nextafter(2.0, 3.0), 3.0);
  CHECK(contenders.settle().size() == 1);
}

TEST(a_nan_rules_nothing_out_and_stays) {
  const double nan_value = std::numeric_limits<double>::quiet_NaN();
  Contenders contenders;
  contenders.offer(1, nan_value, nan_value);
  CHECK(contenders.floor() == -HUGE_VAL);
  contenders.offer(2, 0.0, 1.0);
  contenders.offer(3, -2.0, -1.0);
  contenders.offer(4, nan_value, nan_value);
  CHECK(contenders.floor() == 0.0);
  const auto& cuts = contenders.settle();
  CHECK(cuts.size() == 3 && cuts[0].at == 1 && cuts[1].at == 2 && cuts[2].at == 4);
}

TEST(a_cut_without_a_chance_is_no_contender) {
  Contenders contenders;
  contenders.offer(1, -HUGE_VAL, -HUGE_VAL);
  CHECK(contenders.empty());
}
