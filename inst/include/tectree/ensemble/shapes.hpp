// A sum of trees in which no leaf depends on more than two predictors, as functions of one or two
// predictors: exact tables over the cells between all cuts.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../base/team.hpp"
#include "../data/frame.hpp"
#include "../tree/forest.hpp"

namespace tectree {

// A predictor's cells: for a number the intervals between the cuts; for a factor its levels, with a
// cut after each if they are ordered. The last cell is for missing values.
struct ShapeColumn {
  bool levels = false;
  std::vector<double> cuts;  // increasing
  std::size_t n_levels = 0;

  std::size_t cells() const { return (levels ? n_levels : cuts.size() + 1) + 1; }
};

// The table of one predictor, if `second` is no_column, or of two, by the first within the second.
struct ShapeTable {
  static constexpr std::size_t no_column = static_cast<std::size_t>(-1);
  std::size_t first, second;
  std::vector<double> value;  // by output, cell of the second, cell of the first
};

struct TooManyPredictors : std::runtime_error {
  TooManyPredictors() : std::runtime_error("a leaf depends on more than two predictors") {}
};

class ShapeTables {
 public:
  ShapeTables(const ForestView& forest, const Frame& frame, const int* output, std::size_t outputs)
      : forest_(forest), output_(output), outputs_(outputs) {
    columns_.resize(frame.columns.size());
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      columns_[c].levels = by_sides(frame.columns[c]);
      columns_[c].n_levels = static_cast<std::size_t>(std::max(frame.columns[c].n_levels, 0));
    }
    for (std::size_t node = 0; node < forest.nodes; ++node) {
      if (!forest.is_leaf(node) && !columns_[forest.column(node)].levels)
        columns_[forest.column(node)].cuts.push_back(forest.cut[node]);
    }
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      ShapeColumn& column = columns_[c];
      if (frame.columns[c].kind == Kind::ordered && !column.cuts.empty()) {
        column.cuts.clear();
        for (int level = 1; level < frame.columns[c].n_levels; ++level)
          column.cuts.push_back(level);
      }
      std::sort(column.cuts.begin(), column.cuts.end());
      column.cuts.erase(std::unique(column.cuts.begin(), column.cuts.end()), column.cuts.end());
    }
    constant_.assign(outputs, 0.0);
  }

  void run(Team& team) {
    for (std::size_t t = 0; t < forest_.trees; ++t) {
      team.check();
      std::vector<Side> path;
      walk(forest_.root(t), path, static_cast<std::size_t>(output_[t]));
    }
  }

  const std::vector<ShapeColumn>& columns() const { return columns_; }
  const std::vector<double>& constant() const { return constant_; }
  std::vector<ShapeTable> tables() const {
    std::vector<ShapeTable> out;
    for (const auto& one : tables_) out.push_back(one.second);
    return out;
  }

 private:
  // The cells of a column that lead to a node.
  struct Side {
    std::size_t column;
    std::vector<char> inside;
  };

  void walk(std::size_t node, std::vector<Side>& path, std::size_t output) {
    if (forest_.is_leaf(node)) return add(path, forest_.number(node), output);
    const std::size_t column = forest_.column(node);
    const std::vector<char> left = goes_left(node);
    for (bool right : {false, true}) {
      std::vector<Side> below = path;
      auto side = std::find_if(below.begin(), below.end(),
                               [&](const Side& s) { return s.column == column; });
      if (side == below.end()) {
        if (below.size() == 2) throw TooManyPredictors();
        below.push_back({column, std::vector<char>(columns_[column].cells(), 1)});
        side = below.end() - 1;
      }
      for (std::size_t i = 0; i < left.size(); ++i)
        side->inside[i] = static_cast<char>(side->inside[i] && (left[i] != 0) != right);
      walk(right ? forest_.right_child(node) : forest_.left_child(node), below, output);
    }
  }

  std::vector<char> goes_left(std::size_t node) const {
    const ShapeColumn& column = columns_[forest_.column(node)];
    std::vector<char> out(column.cells());
    const bool unknown_left = forest_.variable[node] > 0;
    if (column.levels) {
      const unsigned char* side = forest_.sides + static_cast<std::size_t>(forest_.cut[node]);
      for (std::size_t i = 0; i < column.n_levels; ++i)
        out[i] = static_cast<char>(side[i] == 0 ? unknown_left : side[i] == 1);
    } else {
      for (std::size_t i = 0; i + 1 < out.size(); ++i)  // a cell is at most its upper cut
        out[i] = static_cast<char>(i < column.cuts.size() && column.cuts[i] <= forest_.cut[node]);
    }
    out.back() = static_cast<char>(unknown_left);
    return out;
  }

  void add(const std::vector<Side>& path, double value, std::size_t output) {
    if (path.empty()) {
      constant_[output] += value;
      return;
    }
    const bool pair = path.size() == 2;
    const bool swapped = pair && path[1].column < path[0].column;
    const Side& first = path[swapped ? 1 : 0];
    const std::size_t a = first.inside.size();
    const std::size_t b = pair ? path[swapped ? 0 : 1].inside.size() : 1;
    const std::size_t second = pair ? path[swapped ? 0 : 1].column : ShapeTable::no_column;
    ShapeTable& table = tables_[{first.column, second}];
    if (table.value.empty()) table = {first.column, second, std::vector<double>(a * b * outputs_)};
    double* to = table.value.data() + output * a * b;
    for (std::size_t j = 0; j < b; ++j) {
      if (pair && !path[swapped ? 0 : 1].inside[j]) continue;
      for (std::size_t i = 0; i < a; ++i) {
        if (first.inside[i]) to[j * a + i] += value;
      }
    }
  }

  const ForestView& forest_;
  const int* output_;
  std::size_t outputs_;
  std::vector<ShapeColumn> columns_;
  std::vector<double> constant_;  // by output
  std::map<std::pair<std::size_t, std::size_t>, ShapeTable> tables_;
};

}  // namespace tectree
