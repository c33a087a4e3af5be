// A tree laid out for prediction: the relevant data of a node are in one place, and several rows go
// down side by side, so the processor neither waits for memory nor mispredicts branches. A row
// stops at a leaf, at a missing value, and at a level that the node never saw.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../tree/spread.hpp"

namespace tectree {

class Steps {
 public:
  static constexpr std::size_t side_by_side = 16;

  // Both must outlive this object, and so must the data that the tree points to.
  Steps(const Tree& tree, const Frame& frame) : tree_(tree), frame_(frame), steps_(tree.size()) {
    std::vector<int> level(tree.size());
    for (int node = 0; node < static_cast<int>(tree.size()); ++node) {
      if (tree.kind[node] != 0) add(node, level);
    }
  }

  // The node where a row that has come to one stops.
  int last(int at, std::size_t row) const {
    for (int to; (to = next(at, row)) != at;) at = to;
    const auto place = static_cast<std::size_t>(at);
    return place < tree_.size() ? at : owner_[place - tree_.size()];
  }

  // The same for the rows row, row + 1, ..., side_by_side of them, from the root. Once half have
  // stopped each continues alone, so none waits for the deepest.
  void last_of_each(std::size_t row, int* node) const {
    std::array<int, side_by_side> at{};
    std::size_t moving = side_by_side;
    for (int level = 0; level < levels_ && moving > side_by_side / 2; ++level) {
      const bool looks = level % looked_at == looked_at - 1;
      const auto before = at;
      for (std::size_t i = 0; i < side_by_side; ++i) at[i] = next(at[i], row + i);
      if (!looks) continue;
      moving = 0;
      for (std::size_t i = 0; i < side_by_side; ++i) moving += at[i] != before[i];
    }
    for (std::size_t i = 0; i < side_by_side; ++i) node[i] = last(at[i], row + i);
  }

 private:
  static constexpr int looked_at = 4;  // levels between checks
  static constexpr std::size_t most_levels = std::size_t{1} << 20;

  enum class Reads : std::int32_t { nothing, reals, wholes, levels, packed, packed_levels };
  struct Step {
    const void* values = nullptr;
    double cut = 0.0;
    // Where a number leads: missing, at most the cut, above it. For levels: where they stay, where
    // they start in to_of_level_, and how many there are.
    std::int32_t to[3] = {0, 0, 0};
    Reads reads = Reads::nothing;
  };

  int next(int at, std::size_t row) const {
    const Step& step = steps_[at];
    if (step.reads == Reads::reals)
      return by_number(step, static_cast<const double*>(step.values)[row]);
    if (step.reads == Reads::nothing) return at;
    if (step.reads == Reads::packed)
      return by_number(step, static_cast<const Column*>(step.values)->value(row));
    if (step.reads == Reads::packed_levels)
      return by_level(step, static_cast<const Column*>(step.values)->level(row));
    const int code = static_cast<const int*>(step.values)[row];
    return step.reads == Reads::wholes ? by_number(step, Column::number(code))
                                       : by_level(step, code);
  }
  static int by_number(const Step& step, double x) {
    return step.to[static_cast<int>(x <= step.cut) + 2 * static_cast<int>(x > step.cut)];
  }
  int by_level(const Step& step, int code) const {
    const bool known = code >= 1 && code <= step.to[2];
    return known ? to_of_level_[step.to[1] + code - 1] : step.to[0];
  }

  static const void* read_from(const Column& column) {
    if (column.real) return column.real;
    return column.whole ? static_cast<const void*>(column.whole) : &column;
  }

  // `level`: of each added node, and of its children.
  void add(int node, std::vector<int>& level) {
    const Column& column = frame_.columns[tree_.variable[node]];
    const Reads numbers = column.real            ? Reads::reals
                          : column.whole         ? Reads::wholes
                          : column.packed.values ? Reads::packed
                                                 : Reads::nothing;
    const void* values = read_from(column);
    const auto staying = [&](int at) { return Step{values, 0.0, {at, at, at}, numbers}; };
    levels_ = std::max(levels_, level[node] + 1);
    // A leaf reads what its parent reads, and stays: without a branch that could be mispredicted.
    for (int j = 0; j < tree_.n_children[node]; ++j) {
      const int leaf = child_of(tree_, node, j);
      level[leaf] = level[node] + 1;
      steps_[leaf] = staying(leaf);
    }
    const auto kind = static_cast<SplitKind>(tree_.kind[node]);
    if (kind == SplitKind::subset || kind == SplitKind::multiway) {
      add_levels(node, column);
    } else if (tree_.break_count[node] > 0) {
      add_breaks(node, node, 0, tree_.break_count[node], staying(node));
    }
  }

  // The breaks [first, last) of a node, by bisection: one entry of steps_ for each.
  void add_breaks(int place, int node, int first, int last, Step step) {
    const int middle = first + (last - first) / 2;
    const auto half = [&](int from, int to) {
      if (from == to) return child_of(tree_, node, from);
      const int own = static_cast<int>(steps_.size());
      steps_.emplace_back();
      owner_.push_back(node);
      add_breaks(own, node, from, to, step);
      return own;
    };
    step.cut = tree_.breaks[tree_.break_start[node] + middle];
    step.to[0] = place;
    step.to[1] = half(first, middle);
    step.to[2] = half(middle + 1, last);
    steps_[place] = step;
  }

  // At most as many levels as rows, in all nodes: the layout must not take longer than prediction.
  void add_levels(int node, const Column& column) {
    const auto n = static_cast<std::size_t>(std::max(column.n_levels, 0));
    if (to_of_level_.size() + n > std::min(frame_.n_rows, most_levels)) return;
    const int first = static_cast<int>(to_of_level_.size());
    const SplitView split = tree_.split(node);
    for (int code = 1; code <= column.n_levels; ++code) {
      const int branch = route_code(split, code);
      to_of_level_.push_back(branch == no_branch ? node : child_of(tree_, node, branch));
    }
    const Reads levels = column.whole ? Reads::levels : Reads::packed_levels;
    steps_[node] = {read_from(column), 0.0, {node, first, column.n_levels}, levels};
  }

  const Tree& tree_;
  const Frame& frame_;
  int levels_ = 0;           // below the root
  std::vector<Step> steps_;  // by node, followed by those of further breaks
  std::vector<int> owner_;   // the nodes of the latter
  std::vector<int> to_of_level_;
};

}  // namespace tectree
