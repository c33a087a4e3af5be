// Class counts of rows that count 1, against counting one by one.
#include "check.h"

#include <tectree/tally/weights.hpp>

#include <vector>

#include "support/random.h"

using namespace tectree;
using support::Random;

namespace {

std::vector<std::uint32_t> one_by_one(const std::vector<std::uint32_t>& rows,
                                      const std::vector<std::uint16_t>& label, int classes) {
  std::vector<std::uint32_t> out(classes);
  for (std::uint32_t row : rows) ++out[label[row]];
  return out;
}

}  // namespace

TEST(any_rows_of_any_number_of_classes_are_counted) {
  Random random(1);
  for (std::uint32_t n : {0u, 1u, 2u, 1000u, 65535u, 65536u, 200000u}) {
    for (int classes = 1; classes <= 6; ++classes) {
      std::vector<std::uint16_t> label(n + 10);
      for (auto& s : label) s = static_cast<std::uint16_t>(random.below(classes));
      std::vector<std::uint32_t> rows(n);
      for (auto& row : rows)
        row = static_cast<std::uint32_t>(random.below(static_cast<int>(n) + 10));
      std::vector<std::uint32_t> total(classes);
      count_units([&](std::size_t i) { return rows[i]; }, rows.size(), label.data(), total.data(),
                  total.size());
      CHECK(total == one_by_one(rows, label, classes));
    }
  }
}

TEST(a_class_may_fill_its_part_of_the_register) {
  const std::vector<std::uint16_t> label = {3, 2};
  for (std::uint32_t n : {65534u, 65535u, 65536u, 131070u, 131071u}) {
    const std::vector<std::uint32_t> rows(n, 0), others(n, 1);
    std::vector<std::uint32_t> total(4);
    count_units([&](std::size_t i) { return rows[i]; }, rows.size(), label.data(), total.data(),
                total.size());
    count_units([&](std::size_t i) { return others[i]; }, others.size(), label.data(), total.data(),
                total.size());
    CHECK((total == std::vector<std::uint32_t>{0, 0, n, n}));
  }
}
