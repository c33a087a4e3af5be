// A bin's rows in parts: every row once, by its position inside the bin, counted by class.
#include "check.h"

#include <tectree/search/histogram/bin_parts.hpp>
#include <tectree/search/statistic/class_counts.hpp>

#include <set>

#include "support/random.h"

using namespace tectree;
using support::Random;

namespace {

using Parts = BinParts<ClassCells<std::uint32_t>>;
using Item = Parts::Item;

std::vector<Item> random_items(std::size_t n, int first, int places, int k, Random& random) {
  std::vector<Item> items(n);
  for (std::size_t i = 0; i < n; ++i) {
    items[i] = {
        0.0,
        static_cast<std::uint32_t>(i),
        static_cast<std::uint8_t>(first + random.below(places)),
        {static_cast<std::uint16_t>(random.below(k)), static_cast<std::uint16_t>(random.below(3)),
         static_cast<std::uint32_t>(random.between(1, 3))}};
  }
  return items;
}

bool dealt_rightly(Parts& parts, const std::vector<Item>& items, int k) {
  std::set<std::uint32_t> rows;
  int highest = -1;
  bool right = true;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    std::vector<std::uint32_t> counts(k + 1, 0);
    int here = highest;
    for (const Item* item = parts.begin(part); item < parts.end(part); ++item) {
      rows.insert(item->row);
      counts[item->what.label] += item->what.weight;
      counts[k] += item->what.size;
      right = right && item->within > highest && items[item->row].within == item->within;
      here = std::max<int>(here, item->within);
    }
    highest = here;
    right = right && std::equal(counts.begin(), counts.end(), parts.cell(part));
    right = right && parts.is_last(part) == (rows.size() == items.size());
  }
  return right && rows.size() == items.size();
}

}  // namespace

TEST(every_row_is_in_one_part) {
  Random random(1);
  Parts parts;
  for (int i = 0; i < 300; ++i) {
    const int k = random.between(2, 6), places = random.one_of(std::vector<int>{2, 30, 256}),
              first = random.between(0, 256 - places);
    const std::vector<Item> items =
        random_items(static_cast<std::size_t>(random.between(65, 6000)), first, places, k, random);
    const Item* end = items.data() + items.size();
    if (places == 256) CHECK(parts.divide(items.data(), end, k + 1));
    if (parts.divide(items.data(), end, k + 1)) CHECK(dealt_rightly(parts, items, k));
  }
}

TEST(rows_at_one_position_make_no_parts) {
  Random random(2);
  Parts parts;
  for (int at : {0, 77, 255}) {
    const std::vector<Item> items = random_items(500, at, 1, 3, random);
    CHECK(!parts.divide(items.data(), items.data() + items.size(), 3));
  }
}
