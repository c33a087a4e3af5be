// Numbers divided into up to four intervals, against trying every partition.
#include "check.h"
#include "grow/common.h"

namespace {

// One or two columns of few values, so that all partitions can be tried.
Table interval_table(const std::string& criterion, int round, Random& random) {
  Table table;
  const std::size_t n = static_cast<std::size_t>(random.between(2, 45));
  for (int c = random.between(1, 2); c > 0; --c) {
    std::vector<double> x(n);
    const int values = random.between(2, 9);
    for (double& v : x)
      v = random.chance(0.05) ? std::numeric_limits<double>::quiet_NaN()
                              : random.below(values) * 1.5;
    table.add_numbers(std::move(x));
  }
  support::add_response(table, n, criterion[0] == 'l' ? 0 : random.between(2, 4), random);
  support::add_weights(table, n, weights_of(round), random);
  return table;
}

void check_interval_trees(const std::string& criterion, int rounds, std::uint64_t seed) {
  Random random(seed);
  int right = 0;
  for (int round = 0; round < rounds && right == round; ++round) {
    const Table table = interval_table(criterion, round, random);
    Setting setting;
    setting.criterion = criterion;
    setting.parameter = random.one_of(std::vector<double>{0.3, 1.0, 1.5, 2.0, 3.0});
    setting.control.intervals = random.between(3, 4);
    setting.control.min_bucket = random.one_of(std::vector<double>{1, 1, 2, 3.5});
    right += support::same_as_oracle(table, setting, "intervals, round " + std::to_string(round));
  }
  CHECK(right == rounds);
}

}  // namespace

TEST(intervals_of_tsallis) {
  check_interval_trees("tsallis", 40, 21);
}
TEST(intervals_of_tsallis_ratio) {
  check_interval_trees("tsallis_ratio", 40, 22);
}
TEST(intervals_of_tsallis_mutual) {
  check_interval_trees("tsallis_mutual", 40, 23);
}
TEST(intervals_of_gini) {
  check_interval_trees("gini", 40, 24);
}
TEST(intervals_of_gain_ratio) {
  check_interval_trees("gain_ratio", 40, 25);
}
TEST(intervals_of_cair) {
  check_interval_trees("cair", 40, 26);
}
TEST(intervals_of_shannon) {
  check_interval_trees("shannon", 40, 27);
}
TEST(intervals_of_beta) {
  check_interval_trees("beta", 40, 28);
}
TEST(intervals_of_l2) {
  check_interval_trees("l2", 40, 29);
}
TEST(intervals_of_l1) {
  check_interval_trees("l1", 40, 30);
}
