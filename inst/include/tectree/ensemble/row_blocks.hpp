// The values of some rows side by side, for trees that the rows follow one at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../predict/forest_walk.hpp"

namespace tectree {

class RowBlocks {
 public:
  // row_at(i): the row of the frame.
  template <class RowAt>
  RowBlocks(const Frame& frame, std::size_t n, RowAt row_at)
      : n_(n), size_(rows_of_block(frame, n)) {
    blocks_.reserve(n / size_ + 1);
    for (std::size_t first = 0; first < n; first += size_) {
      blocks_.emplace_back(frame);
      blocks_.back().fill(std::min(size_, n - first),
                          [&](std::size_t i) { return row_at(first + i); });
    }
  }

  // Calls use(i, prediction of row i) for the rows with wanted(i).
  template <class Wanted, class Use>
  void follow(const ForestView& tree, Team& team, Wanted wanted, Use use) const {
    walk(tree, team, wanted,
         [&](TreeWalk& walk, std::size_t i, std::size_t row) { use(row, walk.number(i)); });
  }
  // The same for all rows and a classification tree; classes from 0.
  template <class Use>
  void classes(const ForestView& tree, Team& team, Use use) const {
    const auto k = static_cast<std::size_t>(tree.n_classes);
    walk(
        tree, team, [](std::size_t) { return true; },
        [&](TreeWalk& walk, std::size_t i, std::size_t row) {
          std::vector<double> shares(k);
          use(row, walk.add_class(i, shares.data(), 1));
        });
  }

 private:
  template <class Wanted, class Use>
  void walk(const ForestView& tree, Team& team, Wanted wanted, Use use) const {
    team.each_if(Team::worth(n_), blocks_.size(), [&](std::size_t b, Team&) {
      const std::size_t first = b * size_, end = std::min(n_, first + size_);
      std::vector<std::uint32_t> some;
      for (std::size_t i = first; i < end; ++i) {
        if (wanted(i)) some.push_back(static_cast<std::uint32_t>(i - first));
      }
      TreeWalk down(blocks_[b], true);
      down.follow(tree, 0, some);
      for (std::size_t i = 0; i < some.size(); ++i) use(down, i, first + some[i]);
    });
  }

  std::size_t n_, size_;
  std::vector<RowBlock> blocks_;
};

}  // namespace tectree
