// The rows of one boosted tree: their sums by code, and their division between two branches.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "../../base/fetch.hpp"
#include "../../data/divide.hpp"
#include "../door/node_search.hpp"
#include "code_rows.hpp"
#include "gradient_rule.hpp"

namespace tectree {

// What the trees of one boosting run share.
struct GradientData {
  const Frame& frame;
  const Sample& sample;
  const CodeColumns& columns;
  const std::vector<CodeGroup>& groups;
  GradientRule rule;
};

// The columns of a tree, increasing, and where the cells of each start.
struct TreeColumns {
  std::vector<std::uint32_t> all;
  std::vector<std::size_t> first{0};
  // Of each group of codes with columns of the tree: their places in `all`, or none.
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  struct Part {
    const CodeGroup* group;
    std::vector<std::size_t> place;
  };
  std::vector<Part> parts;
  std::vector<std::size_t> alone;  // places of the columns that are read one by one

  TreeColumns(const GradientData& data, std::vector<std::uint32_t> columns)
      : all(std::move(columns)) {
    std::vector<std::size_t> place(data.columns.size(), none);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const CodeColumn& column = data.columns[all[i]];
      place[all[i]] = i;
      first.push_back(first.back() + static_cast<std::size_t>(column.codes) + 1);
      if (!column.wide.empty()) alone.push_back(i);
    }
    for (const CodeGroup& group : data.groups) {
      Part part{&group, {}};
      for (std::uint32_t c : group.columns) part.place.push_back(place[c]);
      const auto missing = std::count(part.place.begin(), part.place.end(), none);
      if (2 * static_cast<std::size_t>(missing) <= part.place.size()) {
        parts.push_back(std::move(part));
        continue;
      }
      for (std::size_t i : part.place) {
        if (i != none) alone.push_back(i);
      }
    }
  }

  std::size_t cells() const { return first.back(); }
};

class GradientRows {
 public:
  explicit GradientRows(const GradientData& data) : data_(data) {}

  // The rows of a new tree: their positions.
  void start(const std::vector<std::uint32_t>& positions, const Gradients& gradients, Team& team) {
    gradients_ = &gradients;
    scale_ = GradientScale(gradients);
    rows_.resize(positions.size());
    spare_.resize(positions.size());
    pass_over(positions.size(), 1, team, [&](std::size_t first, std::size_t end, Team&) {
      std::copy(positions.begin() + static_cast<std::ptrdiff_t>(first),
                positions.begin() + static_cast<std::ptrdiff_t>(end),
                rows_.begin() + static_cast<std::ptrdiff_t>(first));
    });
  }

  // Orders the levels of factors by the leaves that `others`, rows outside the tree, would give
  // them. So a level's own rows do not choose its side and count there too, which would make any
  // factor of many levels look good. Without others, the rows of each node order its levels.
  void order_levels(const std::vector<std::uint32_t>& others, const TreeColumns& columns,
                    Team& team) {
    leaf_of_level_.assign(others.empty() ? 0 : columns.all.size(), {});
    team.each(leaf_of_level_.size(), [&](std::size_t place, Team&) {
      const CodeColumn& column = data_.columns[columns.all[place]];
      if (column.kind != Kind::nominal) return;
      std::vector<GradientCell> cells(static_cast<std::size_t>(column.codes) + 1);
      column.with_codes([&](const auto* code) {
        for (std::uint32_t row : others) cells[code[row]].add(scale_.of(gradients_->of[row]));
      });
      for (int b = 0; b < column.codes; ++b) {
        const GradientSums of = scale_.sums(cells[static_cast<std::size_t>(b)]);
        leaf_of_level_[place].push_back(data_.rule.value(of.g, of.h));
      }
    });
  }
  // By level, or null.
  const double* leaf_of_level(std::size_t place) const {
    return leaf_of_level_.empty() || leaf_of_level_[place].empty() ? nullptr
                                                                   : leaf_of_level_[place].data();
  }
  // The leaf of a level that no row outside the tree has: its sums are 0.
  static constexpr double unknown_leaf = 0.0;

  std::size_t size() const { return rows_.size(); }
  std::uint32_t operator[](std::size_t i) const { return rows_[i]; }
  const GradientScale& scale() const { return scale_; }
  const Gradient& gradient(std::size_t row) const { return gradients_->of[row]; }

  // The sums of the rows of a node by column of the tree and code.
  std::vector<GradientCell> count(const Range& node, const TreeColumns& columns, Team& team) const {
    std::vector<std::vector<GradientCell>> by_worker(static_cast<std::size_t>(team.size()));
    pass_over(node.size(), columns.all.size(), team,
              [&](std::size_t first, std::size_t end, Team& inner) {
                auto& to = by_worker[static_cast<std::size_t>(inner.worker())];
                if (to.empty()) to.resize(columns.cells());
                add(node.begin + first, node.begin + end, columns, to.data());
              });
    std::vector<GradientCell> out;
    for (std::vector<GradientCell>& one : by_worker) {
      if (one.empty()) continue;
      if (out.empty()) {
        out.swap(one);
        continue;
      }
      for (std::size_t i = 0; i < out.size(); ++i) out[i].add(one[i]);
    }
    return out;
  }

  // Divides the rows of a node, in their order: `side` is 0 or 1 for each code.
  void divide(const Range& node, const CodeColumn& column, const std::vector<std::uint8_t>& side,
              Team& team) {
    column.with_codes([&](const auto* code) {
      const auto side_of = [code](std::uint32_t row) { return std::size_t{code[row]}; };
      std::vector<std::size_t> right(passes_over(node.size()) + 1, 0);
      // Each block by itself, into the spare rows.
      pass_over(node.size(), 1, team, [&](std::size_t first, std::size_t end, Team&) {
        std::array<std::uint32_t, rows_of_pass + 8> others;
        std::uint32_t* from = rows_.data() + node.begin + first;
        const std::size_t n = end - first,
                          there = divide_in_two(from, n, others.data(), side.data(), side_of);
        std::uint32_t* to = spare_.data() + node.begin + first;
        std::copy_n(from, n - there, to);
        std::copy_n(others.data(), there, to + (n - there));
        right[first / rows_of_pass + 1] = there;
      });
      for (std::size_t b = 1; b < right.size(); ++b) right[b] += right[b - 1];
      const std::size_t all_left = node.size() - right.back();
      pass_over(node.size(), 1, team, [&](std::size_t first, std::size_t end, Team&) {
        const std::size_t b = first / rows_of_pass, there = right[b + 1] - right[b];
        const std::uint32_t* from = spare_.data() + node.begin + first;
        std::uint32_t* to = rows_.data() + node.begin;
        std::copy_n(from, end - first - there, to + (first - right[b]));
        std::copy_n(from + (end - first - there), there, to + (all_left + right[b]));
      });
    });
  }

 private:
  // Rows at once, whose gradients stay in the cache.
  static constexpr std::size_t some = 512;

  void add(std::size_t begin, std::size_t end, const TreeColumns& columns, GradientCell* to) const {
    std::array<GradientCell, some> own;
    std::array<GradientCell, Binned::most + 1> unused;
    for (std::size_t at = begin; at < end; at += some) {
      const std::uint32_t* row = rows_.data() + at;
      const std::size_t n = std::min(some, end - at);
      for (std::size_t i = 0; i < n; ++i) {
        if (at + i + rows_ahead < end) {
          const std::uint32_t soon = row[i + rows_ahead];
          fetch(&gradients_->of[soon]);
          for (const TreeColumns::Part& part : columns.parts) fetch(part.group->at(soon));
        }
        own[i] = scale_.of(gradients_->of[row[i]]);
      }
      for (const TreeColumns::Part& part : columns.parts) {
        std::array<GradientCell*, CodeGroup::most> cells;
        for (std::size_t j = 0; j < part.place.size(); ++j) {
          const std::size_t place = part.place[j];
          cells[j] = place == TreeColumns::none ? unused.data() : to + columns.first[place];
        }
        part.group->add(row, n, own.data(), cells.data());
      }
      for (std::size_t place : columns.alone) {
        GradientCell* cells = to + columns.first[place];
        data_.columns[columns.all[place]].with_codes([&](const auto* code) {
          for (std::size_t i = 0; i < n; ++i) cells[code[row[i]]].add(own[i]);
        });
      }
    }
  }

  const GradientData& data_;
  const Gradients* gradients_ = nullptr;  // of all rows
  GradientScale scale_;
  std::vector<std::uint32_t> rows_, spare_;
  std::vector<std::vector<double>> leaf_of_level_;  // by column of the tree
};

}  // namespace tectree
