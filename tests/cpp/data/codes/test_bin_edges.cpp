// A number's bin agrees with the edges, wherever the grid's cells fall; its position inside the bin
// never falls as the number rises.
#include "check.h"

#include <tectree/data/codes/bin_edges.hpp>

#include "support/columns.h"

using namespace tectree;
using support::Random;

namespace {

// At most `most` distinct numbers, in order.
std::vector<double> edges_of(std::vector<double> x, std::size_t most) {
  x.erase(std::remove_if(x.begin(), x.end(), [](double v) { return std::isnan(v); }), x.end());
  x.resize(std::min(x.size(), most));
  std::sort(x.begin(), x.end());
  x.erase(std::unique(x.begin(), x.end()), x.end());
  return x;
}

// The numbers, the edges and the doubles next to these.
std::vector<double> near(const std::vector<double>& edges, std::vector<double> x) {
  for (double edge : edges) {
    x.insert(x.end(), {edge, std::nextafter(edge, -HUGE_VAL), std::nextafter(edge, HUGE_VAL)});
  }
  x.insert(x.end(), {-HUGE_VAL, HUGE_VAL, 0.0, 1e308, -1e308});
  x.erase(std::remove_if(x.begin(), x.end(), [](double v) { return std::isnan(v); }), x.end());
  std::sort(x.begin(), x.end());
  return x;
}

bool places_rightly(const std::vector<double>& edges, const std::vector<double>& x) {
  const BinEdges bins(edges);
  bool right = bins.bins() == edges.size() + 1;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto below = std::lower_bound(edges.begin(), edges.end(), x[i]) - edges.begin();
    const BinEdges::Place place = bins.place(x[i]);
    right = right && place.bin == below && bins.bin(x[i]) == below;
    if (place.bin == 0 || place.bin == edges.size()) right = right && place.within == 0;
    if (i == 0 || bins.bin(x[i - 1]) != place.bin) continue;
    right = right && bins.place(x[i - 1]).within <= place.within;
  }
  return right;
}

}  // namespace

TEST(a_bin_agrees_with_the_edges) {
  Random random(1);
  for (support::Shape shape : support::all_shapes) {
    for (std::size_t n : {0, 1, 2, 3, 10, 254}) {
      const std::vector<double> edges = edges_of(support::numbers_of(shape, 300, random), n);
      CHECK(places_rightly(edges, near(edges, support::numbers_of(shape, 2000, random))));
    }
  }
}

TEST(edges_that_share_a_cell_are_distinguished) {
  // One far edge leaves all others in the first cell of the grid.
  std::vector<double> edges;
  for (int i = 0; i < 250; ++i) edges.push_back(i);
  edges.push_back(1e12);
  Random random(2);
  std::vector<double> x;
  for (int i = 0; i < 5000; ++i) x.push_back(random.uniform() * 300 - 20);
  CHECK(places_rightly(edges, near(edges, x)));
}

TEST(a_bin_is_used_from_end_to_end) {
  const BinEdges bins({0.0, 1.0, 3.0});
  CHECK(bins.place(1e-9).within == 0 && bins.place(1.0).within == 255);
  CHECK(bins.place(2.0).bin == 2 && bins.place(2.0).within == 128);
}
