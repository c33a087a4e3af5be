// Groups for tests, made from their class counts.
#pragma once

#include <vector>

#include <tectree/search/groups/groups.hpp>

namespace support {

using tectree::Groups;

inline Groups groups_of(const std::vector<std::vector<double>>& counts) {
  Groups groups;
  groups.start(static_cast<int>(counts[0].size()));
  for (std::size_t g = 0; g < counts.size(); ++g) {
    groups.add(static_cast<double>(g + 1));
    for (std::size_t s = 0; s < counts[g].size(); ++s) {
      groups.of(g)[s] = counts[g][s];
      groups.weight.back() += counts[g][s];
    }
  }
  groups.finish();
  return groups;
}

}  // namespace support
