// An unregistered criterion for numbers: its own header is all that it needs to grow trees.
#include <tectree/grow/make_sorted_search.hpp>

#include "check.h"
#include "grow/common.h"

namespace own_criterion {

// Counts about their mean: the Poisson deviance, which for a branch with the sum S is 2 sum y ln y
// - 2 S ln(S / n), here without the terms that all splits share.
struct PoissonDeviance {
  static constexpr tectree::About about = tectree::About::mean;
  static constexpr int power = 1;
  static tectree::CriterionInfo info() {
    tectree::CriterionInfo i;
    i.name = "poisson";
    return i;
  }
  static double loss(double y, double centre, double weight) {
    return 2 * weight * ((y > 0 ? y * std::log(y / centre) : 0.0) - (y - centre));
  }
  static double part(double sum, double n, double mean) {
    const double all = sum + n * mean;
    return all > 0 ? 2 * all * std::log(all / (n * mean)) : 0.0;
  }
};

Table counts(std::size_t n, Weights weights, Random& random) {
  Table table = random_table(n, 0, weights, random);
  for (double& y : table.number) y = std::floor(std::fabs(y));
  return table;
}

tectree::Tree tree_of(const Table& table, const Setting& setting) {
  tectree::Team team(1);
  const tectree::Problem problem = support::problem_of(table, setting);
  const auto missing = tectree::missing_policy("majority");
  auto setup = tectree::set_up_numbers(problem, team);
  auto search = tectree::compose_sorted(tectree::ByNumber<PoissonDeviance>(), std::uint16_t(),
                                        problem, setup, nullptr, team);
  return tectree::grow_from(std::move(search), problem, support::stop_of(setting), missing, team,
                            problem.pass_on_at);
}

}  // namespace own_criterion

TEST(a_criterion_of_one_header_grows_the_oracles_tree) {
  Random random(31);
  for (int i = 0; i < 150; ++i) {
    const Table table = own_criterion::counts(static_cast<std::size_t>(random.between(2, 70)),
                                              weights_of(i), random);
    Setting setting = of_criterion("poisson");
    setting.control.nominal = static_cast<Nominal>(random.below(3));
    setting.control.intervals = random.chance(0.2) ? 3 : 2;
    setting.control.min_bucket = random.between(1, 4);
    const std::string said = oracle::Comparison(own_criterion::tree_of(table, setting),
                                                oracle::Growth({table, setting}).grow(), 1e-9)
                                 .said();
    CHECK(said.empty());
    if (!said.empty()) std::printf("table %d: %s\n", i, said.c_str());
  }
}
