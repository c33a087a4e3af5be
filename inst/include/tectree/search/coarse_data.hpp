// What the coarse search works on: every column's codes, made once, and the rows that take part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "../data/coarse.hpp"
#include "class_task.hpp"

namespace tectree {

// The data, coded once: by position in the sample.
struct CoarseData {
  std::vector<std::uint16_t> label;
  std::vector<CoarseColumn> columns;

  CoarseData(const ClassProblem& problem, std::vector<std::uint16_t> l, Team& team)
      : label(std::move(l)), columns(problem.frame->columns.size()) {
    team.each(columns.size(), [&](std::size_t c, Team&) {
      columns[c] = make_coarse(problem.frame->columns[c], *problem.sample);
    });
  }
};

// The rows of one search, with where the counts of each column stand; shared by forks.
struct CoarseRows {
  std::shared_ptr<const CoarseData> coded;
  std::vector<std::uint32_t> rows;     // each node's rows, increasing within the node
  std::vector<std::size_t> offset{0};  // of each column's counts

  CoarseRows(std::shared_ptr<const CoarseData> d, std::vector<std::uint32_t> r, int n_classes)
      : coded(std::move(d)), rows(std::move(r)) {
    for (const CoarseColumn& c : coded->columns) {
      const std::size_t codes = c.coded ? static_cast<std::size_t>(c.codes) + 1 : 0;
      offset.push_back(offset.back() + codes * n_classes);
    }
  }
};

}  // namespace tectree
