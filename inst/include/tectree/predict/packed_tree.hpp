// What many rows of a forest's walk read: their values side by side, and a tree with the relevant
// data of each node in one place.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "../data/frame.hpp"
#include "../tree/forest.hpp"

namespace tectree {

// Some rows of a frame, with their values side by side: numbers, or level codes; NaN if missing.
class RowBlock {
 public:
  explicit RowBlock(const Frame& frame) : frame_(frame), width_(frame.columns.size()) {}

  // row_at(i): the row of the frame.
  template <class RowAt>
  void fill(std::size_t n, RowAt row_at) {
    make_room(n);
    for (std::size_t c = 0; c < width_; ++c) {
      if (frame_.columns[c].present()) fill_column(c, n, row_at);
    }
  }
  // Only one column.
  template <class RowAt>
  void fill_column(std::size_t c, std::size_t n, RowAt row_at) {
    const Column& column = frame_.columns[c];
    put_column(c, n, [&](std::size_t i) { return column.value(row_at(i)); });
  }

  // For values that are not those of the frame.
  void make_room(std::size_t n) { values_.resize(n * width_); }
  template <class Value>
  void put_column(std::size_t c, std::size_t n, Value value) {
    double* to = values_.data() + c;
    for (std::size_t i = 0; i < n; ++i) to[i * width_] = value(i);
  }

  const Frame& frame() const { return frame_; }
  const double* row(std::size_t i) const { return values_.data() + i * width_; }

 private:
  const Frame& frame_;
  std::size_t width_;
  std::vector<double> values_;
};

// A tree with the relevant data of each node in one place.
class PackedTree {
 public:
  void pack(const ForestView& forest, std::size_t first, std::size_t end, const Frame& frame) {
    nodes_.resize(end - first);
    has_sides_ = false;
    for (std::size_t node = first; node < end; ++node) {
      Node& to = nodes_[node - first];
      if (forest.is_leaf(node)) {
        to = Node();
        continue;
      }
      const std::size_t column = forest.column(node);
      const bool sides = by_sides(frame.columns[column]);
      has_sides_ = has_sides_ || sides;
      to.cut = forest.cut[node];
      to.column = static_cast<std::int32_t>(column);
      to.step[1] = 1;
      to.step[2] = forest.right[node];
      if (forest.unknown == UnknownRows::branch)
        to.step[0] = forest.variable[node] < 0 ? forest.right[node] : 1;
      if (sides) to.column = -to.column - 1;
    }
    sides_ = forest.sides;
    levels_ = frame.columns.data();
  }

  // Where each of some rows stops: at a leaf, or where its value is missing and it goes nowhere.
  template <std::size_t n>
  void last_of_each(const std::array<const double*, n>& row, std::array<std::size_t, n>& at) const {
    has_sides_ ? go<true>(row, at) : go<false>(row, at);
  }

 private:
  static constexpr int looked_at = 4;  // levels between checks of which rows still move

  // step: by side, relative to the node; 0 in a leaf
  struct Node {
    double cut = std::numeric_limits<double>::quiet_NaN();
    std::int32_t column = 0, step[3] = {0, 0, 0};
  };

  template <bool may_have_sides>
  std::size_t next(std::size_t at, const double* row) const {
    const Node& node = nodes_[at];
    if (may_have_sides && node.column < 0) {
      const std::int32_t column = -node.column - 1;
      return at + node.step[side_of_level(sides_, node.cut, row[column], levels_[column].n_levels)];
    }
    const double x = row[node.column];
    return at + node.step[static_cast<int>(x <= node.cut) + 2 * static_cast<int>(x > node.cut)];
  }

  // Once half have stopped each continues alone, so none waits for the deepest.
  template <bool may_have_sides, std::size_t n>
  void go(const std::array<const double*, n>& row, std::array<std::size_t, n>& at) const {
    for (std::size_t moving = n; moving > n / 2;) {
      std::array<std::size_t, n> before;
      for (int level = 0; level < looked_at; ++level) {
        before = at;
        for (std::size_t i = 0; i < n; ++i) at[i] = next<may_have_sides>(at[i], row[i]);
      }
      moving = 0;
      for (std::size_t i = 0; i < n; ++i) moving += at[i] != before[i];
    }
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t to; (to = next<may_have_sides>(at[i], row[i])) != at[i];) at[i] = to;
    }
  }

  std::vector<Node> nodes_;
  bool has_sides_ = false;
  const unsigned char* sides_ = nullptr;
  const Column* levels_ = nullptr;
};

}  // namespace tectree
