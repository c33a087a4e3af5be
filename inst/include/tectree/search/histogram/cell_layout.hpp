// Where the cells of a node's counts stand: column after column, one cell a code, in the codes'
// order, and the last for missing values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../data/codes/coded_column.hpp"

namespace tectree {

class CellLayout {
 public:
  // counts(c): whether a column that has codes is counted.
  template <class Counts>
  CellLayout(const Codes& codes, Counts counts) {
    for (std::uint32_t c = 0; c < codes.size(); ++c) {
      const bool counted = codes[c].coded && counts(c);
      first_.push_back(size() + (counted ? static_cast<std::size_t>(codes[c].codes) + 1 : 0));
    }
  }

  std::size_t size() const { return first_.back(); }
  bool counts(std::uint32_t c) const { return end(c) > first(c); }
  std::size_t first(std::uint32_t c) const { return first_[c]; }
  std::size_t end(std::uint32_t c) const { return first_[c + 1]; }

 private:
  std::vector<std::size_t> first_{0};
};

}  // namespace tectree
