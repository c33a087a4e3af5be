// What the coarse search of classes works on: every column's codes, made once, the rows that take
// part, and each node's class counts by code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "../data/coarse.hpp"
#include "class_task.hpp"
#include "door.hpp"

namespace tectree {

// The data, coded once: by position in the sample.
struct CoarseData {
  std::vector<std::uint16_t> label;
  std::vector<CoarseColumn> columns;

  CoarseData(const ClassProblem& problem, std::vector<std::uint16_t> l, Team& team)
      : label(std::move(l)), columns(make_coarse(*problem.frame, *problem.sample, team)) {}
};

// The rows of one search, and where the counts of each column stand; shared by forks.
struct CoarseRows {
  using Counts = std::vector<std::uint32_t>;

  std::shared_ptr<const CoarseData> coded;
  std::vector<std::uint32_t> rows;     // each node's rows, increasing within the node
  std::vector<std::size_t> offset{0};  // of each column's counts
  std::size_t n_classes;

  CoarseRows(std::shared_ptr<const CoarseData> d, std::vector<std::uint32_t> r, int k)
      : coded(std::move(d)), rows(std::move(r)), n_classes(k) {
    for (const CoarseColumn& c : coded->columns) {
      const std::size_t codes = c.coded ? static_cast<std::size_t>(c.codes) + 1 : 0;
      offset.push_back(offset.back() + codes * n_classes);
    }
  }

  const std::uint32_t* of(const Range& node) const { return rows.data() + node.begin; }
  static const Counts& counts_of(const Range& node) {
    return *static_cast<const Counts*>(node.counts.get());
  }
  // Of a node that has been counted: k class counts a code, the missing one last.
  const std::uint32_t* counts(const Range& node, std::uint32_t column) const {
    return counts_of(node).data() + offset[column];
  }

  // The class counts by code of every coded column of the node. `labels` is working space.
  std::shared_ptr<Counts> count(const Range& node, std::vector<std::uint16_t>& labels,
                                Team& team) const {
    auto counts = std::make_shared<Counts>(offset.back(), 0);
    const std::uint32_t* row = of(node);
    const std::size_t n = node.size(), k = n_classes;
    labels.resize(n);
    for (std::size_t i = 0; i < n; ++i) labels[i] = coded->label[row[i]];
    team.each(node.columns->size(), [&](std::size_t i, Team&) {
      const std::uint32_t c = (*node.columns)[i];
      if (!coded->columns[c].coded) return;
      const std::uint8_t* code = coded->columns[c].binned.code.data();
      std::uint32_t* into = counts->data() + offset[c];
      for (std::size_t j = 0; j < n; ++j) ++into[code[row[j]] * k + labels[j]];
    });
    return counts;
  }

  // What is left of a node's counts without those of a part of its rows.
  std::shared_ptr<Counts> rest(const Range& node, const Counts& part) const {
    auto rest = std::make_shared<Counts>(counts_of(node));
    for (std::uint32_t c : *node.columns) {
      for (std::size_t i = offset[c]; i < offset[c + 1]; ++i) (*rest)[i] -= part[i];
    }
    return rest;
  }
};

}  // namespace tectree
