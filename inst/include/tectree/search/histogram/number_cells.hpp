// What the histogram search of least squares works on: every column's codes and the numbers, the
// rows that take part, and each node's sums by code.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "../../base/team.hpp"
#include "../../data/codes/coded_column.hpp"
#include "../../tally/sums.hpp"
#include "../door/node_search.hpp"
#include "../numbers/number_problem.hpp"

namespace tectree {

// The data, coded once: by position in the sample.
struct CodedNumbers {
  std::shared_ptr<const Numbers> numbers;
  std::vector<CodedColumn> columns;

  CodedNumbers(const NumberProblem& problem, Numbers all, Team& team)
      : numbers(std::make_shared<const Numbers>(std::move(all))),
        columns(make_codes(*problem.frame, *problem.sample, team)) {}
};

// What is known of a node.
struct NumberSums {
  WholeScale scale;
  WholeSums total;
  std::vector<WholeSums> cells;  // by column and code, the missing one last
};

// The rows of one search, and where the sums of each column stand; shared by forks.
struct NumberCells {
  std::shared_ptr<const CodedNumbers> coded;
  Arena<std::uint32_t> arena;          // the rows, and the columns that are searched by value
  std::vector<std::int64_t> number;    // by position, on the scale of the node that it is in
  std::vector<std::size_t> offset{0};  // of each column's cells

  NumberCells(std::shared_ptr<const CodedNumbers> d, std::vector<std::uint32_t> rows)
      : coded(std::move(d)), number(coded->numbers->y.size()) {
    arena.n = number.size();
    arena.rows = std::move(rows);
    arena.columns.resize(coded->columns.size());
    for (std::size_t c = 0; c < coded->columns.size(); ++c) {
      const CodedColumn& column = coded->columns[c];
      if (!summed(column)) arena.columns[c].binned = column.binned;
      offset.push_back(offset.back() +
                       (summed(column) ? static_cast<std::size_t>(column.codes) + 1 : 0));
    }
  }

  // A column whose codes are one value each is searched by value.
  static bool summed(const CodedColumn& column) { return column.coded && !column.exact; }

  const std::uint32_t* of(const Range& node) const { return arena.rows.data() + node.begin; }
  static const NumberSums& sums_of(const Range& node) {
    return *static_cast<const NumberSums*>(node.counts.get());
  }

  // Whether a node's sums are fine enough to tell its cuts apart: an error of a unit a row must be
  // small beside what chance alone makes of the sums. Far from the numbers that the unit was made
  // for, it need not be.
  static bool fine_enough(const Range& node, double impurity) {
    return sums_of(node).scale.unit() * std::sqrt(static_cast<double>(node.size())) <=
           1e-5 * std::sqrt(impurity);
  }

  // A scale for the node's own numbers, of mean `mean`, not all of which are the same.
  WholeScale rescale(const Range& node, double mean) {
    const double* y = coded->numbers->y.data();
    const std::uint32_t *first = of(node), *last = first + node.size();
    double most = 0.0;
    for (const std::uint32_t* row = first; row < last; ++row)
      most = std::max(most, std::fabs(y[*row] - mean));
    const WholeScale scale(mean, most, node.size());
    for (const std::uint32_t* row = first; row < last; ++row) number[*row] = scale.of(y[*row]);
    return scale;
  }

  // The sums by code of every column of the node. `numbers` is working space.
  std::shared_ptr<NumberSums> count(const Range& node, const WholeScale& scale,
                                    std::vector<std::int64_t>& numbers, Team& team) const {
    auto out = std::make_shared<NumberSums>();
    out->scale = scale;
    out->cells.resize(offset.back());
    const std::uint32_t* row = of(node);
    const std::size_t n = node.size();
    const int coarseness = scale.coarseness();
    numbers.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      numbers[i] = number[row[i]];
      out->total.add(numbers[i], coarseness);
    }
    team.each(node.columns->size(), [&](std::size_t i, Team&) {
      const std::uint32_t c = (*node.columns)[i];
      if (!summed(coded->columns[c])) return;
      const std::uint8_t* code = coded->columns[c].binned.code.data();
      WholeSums* into = out->cells.data() + offset[c];
      for (std::size_t j = 0; j < n; ++j) into[code[row[j]]].add(numbers[j], coarseness);
    });
    return out;
  }

  // What is left of a node's sums without those of a part of its rows.
  std::shared_ptr<NumberSums> rest(const Range& node, const NumberSums& part) const {
    auto rest = std::make_shared<NumberSums>(sums_of(node));
    rest->total -= part.total;
    for (std::uint32_t c : *node.columns) {
      for (std::size_t i = offset[c]; i < offset[c + 1]; ++i) rest->cells[i] -= part.cells[i];
    }
    return rest;
  }
};

}  // namespace tectree
