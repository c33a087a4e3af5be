// Every split in two of a column with the missing values on either side, as tried by the policy
// "learned".
#pragma once

#include "oracle/node.h"

namespace oracle {

// `side`: the branch of the missing values.
using TrySide = std::function<void(const Split&, const std::vector<Bag>&, int side)>;

inline bool divides_in_two(const Table& table, const Setting& setting, std::size_t column) {
  if (table.kind[column] == Kind::numeric) return setting.control.intervals == 2;
  return table.kind[column] != Kind::nominal || setting.control.nominal != Nominal::multiway;
}

// One more group of levels, which no split may have alone.
inline void try_with_group(const Table& table, const Setting& setting, Groups groups,
                           const Bag& unknown, const TrySide& attempt) {
  groups.value.push_back(table.n_levels[groups.column] + 1);
  groups.bag.push_back(unknown);
  groups.last_is_unknown = true;
  find_classes(groups);
  try_splits(table, setting, groups, [&](Split split, const std::vector<Bag>& bags) {
    if (has_unknown_alone(groups, split)) return;
    const int side = split.level_child.back();
    split.level.pop_back();
    split.level_child.pop_back();
    attempt(split, bags, side);
  });
}

inline void try_both_sides(const Table& table, const Setting& setting, const Groups& groups,
                           const Bag& unknown, const TrySide& attempt) {
  if (groups.value.size() < 2) return;
  if (table.kind[groups.column] == Kind::nominal && setting.control.nominal == Nominal::binary)
    return try_with_group(table, setting, groups, unknown, attempt);
  for (int side : {0, 1}) {
    try_splits(table, setting, groups, [&](const Split& split, std::vector<Bag> bags) {
      bags[static_cast<std::size_t>(side)].add(unknown);
      attempt(split, bags, side);
    });
  }
}

}  // namespace oracle
