// Proxies in blocks: the highest, the best cut between different values, and all that are high
// enough.
#include "check.h"

#include <tectree/search/scan/cut_proxies.hpp>

#include <vector>

#include "support/random.h"

using namespace tectree;
using support::Random;

namespace {

// Few different proxies, so that many are the most; some cuts are between equal values.
struct Column {
  std::uint32_t least, end;
  std::vector<double> proxy;
  std::vector<char> tied;

  Column(std::uint32_t first, std::uint32_t last, double share_tied, Random& random)
      : least(first), end(last), proxy(last + 1), tied(last + 1) {
    for (std::uint32_t l = 0; l <= last; ++l) {
      proxy[l] = static_cast<double>(random.below(40));
      tied[l] = random.chance(share_tied);
    }
  }
  double most() const { return *std::max_element(proxy.begin() + least, proxy.end()); }

  void fill(CutProxies& out) const {
    out.make(least, end, [&](std::uint32_t from, std::uint32_t to, double* proxies) {
      for (std::uint32_t l = from; l < to; ++l) proxies[l] = proxy[l];
      return *std::max_element(proxy.begin() + from, proxy.begin() + to);
    });
  }
};

}  // namespace

TEST(the_cuts_of_a_high_proxy_are_found) {
  Random random(2);
  CutProxies proxies;
  for (int i = 0; i < 600; ++i) {
    const auto least = static_cast<std::uint32_t>(1 + random.below(5)),
               end = least + static_cast<std::uint32_t>(random.below(150));
    const Column column(least, end, i % 3 * 0.45, random);
    column.fill(proxies);
    const auto tied = [&](std::uint32_t l) { return column.tied[l] != 0; };
    CHECK(proxies.most() == column.most());
    const double bar = static_cast<double>(random.below(40));
    std::vector<std::uint32_t> expected, found;
    for (std::uint32_t l = least; l <= end; ++l)
      if (column.proxy[l] >= bar && !column.tied[l]) expected.push_back(l);
    proxies.each(bar, tied, [&](std::uint32_t l) { found.push_back(l); });
    CHECK(found == expected);
  }
}

TEST(the_best_cut_is_one_between_different_values) {
  Random random(3);
  CutProxies proxies;
  int beside_the_most = 0, none = 0;
  for (int i = 0; i < 2000; ++i) {
    const Column column(1, 1 + static_cast<std::uint32_t>(random.below(30)), 0.6, random);
    column.fill(proxies);
    const std::uint32_t best = proxies.best([&](std::uint32_t l) { return column.tied[l] != 0; });
    double most = -HUGE_VAL;
    for (std::uint32_t l = 1; l <= column.end; ++l)
      if (!column.tied[l]) most = std::max(most, column.proxy[l]);
    none += best == 0;
    CHECK((best == 0) == (most == -HUGE_VAL));
    if (best == 0) continue;
    beside_the_most += column.proxy[best] < column.most();
    CHECK(!column.tied[best] && column.proxy[best] == most);
  }
  CHECK(beside_the_most > 100 && none > 20);
}
