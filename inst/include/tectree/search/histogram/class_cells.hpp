// What the histogram search of classes works on: every column's codes, made once, the rows that
// take part, and each node's class counts by code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "../../data/codes/coded_column.hpp"
#include "../classes/class_task.hpp"
#include "../door/node_search.hpp"

namespace tectree {

// The data, coded once: by position in the sample.
struct CodedClasses {
  std::vector<std::uint16_t> label;
  std::vector<CodedColumn> columns;

  CodedClasses(const ClassProblem& problem, std::vector<std::uint16_t> l, Team& team)
      : label(std::move(l)), columns(make_codes(*problem.frame, *problem.sample, team)) {}

  // Some of the rows alone, and of the columns those `present`.
  CodedClasses(const CodedClasses& all, const std::vector<std::uint32_t>& rows,
               const std::vector<std::uint32_t>& present, Team& team)
      : columns(all.columns.size()) {
    label.reserve(rows.size());
    for (std::uint32_t row : rows) label.push_back(all.label[row]);
    team.each(present.size(), [&](std::size_t i, Team&) {
      columns[present[i]] = take_rows(all.columns[present[i]], rows);
    });
  }
};

// The rows of one search, and where the counts of each column stand; shared by forks.
struct CodedRows {
  using Counts = std::vector<std::uint32_t>;
  static constexpr std::size_t most_counts = 1 << 19;  // held for every open node

  std::shared_ptr<const CodedClasses> coded;
  std::vector<std::uint32_t> rows;     // each node's rows, increasing within the node
  std::vector<std::size_t> offset{0};  // of each column's counts
  std::size_t n_classes;
  Sample sample;

  CodedRows(std::shared_ptr<const CodedClasses> d, std::vector<std::uint32_t> r, const Sample& s,
            int k)
      : coded(std::move(d)), rows(std::move(r)), n_classes(k), sample(s) {
    for (const CodedColumn& column : coded->columns) {
      const std::size_t cells = column.coded ? static_cast<std::size_t>(column.codes) + 1 : 0;
      offset.push_back(offset.back() + cells * n_classes);
    }
  }

  // The rows of a node alone, side by side; what is counted of the node holds here too.
  CodedRows(const CodedRows& all, const Range& node, Team& team)
      : rows(node.size()),
        offset(all.offset),
        n_classes(all.n_classes),
        sample(all.sample),
        origin_(all.of(node), all.of(node) + node.size()) {
    coded = std::make_shared<CodedClasses>(*all.coded, origin_, *node.columns, team);
    std::iota(rows.begin(), rows.end(), 0u);
    for (std::uint32_t row : origin_)
      frame_rows_.push_back(static_cast<int>(all.sample.row(row)) + 1);
    all.trace(origin_);
    sample.size = rows.size();
    sample.rows = frame_rows_.data();
  }

  // Makes positions here positions in the sample of the problem.
  void trace(std::vector<std::uint32_t>& positions) const {
    if (origin_.empty()) return;
    for (std::uint32_t& position : positions) position = origin_[position];
  }

  const std::uint32_t* of(const Range& node) const { return rows.data() + node.begin; }
  static const Counts& counts_of(const Range& node) {
    return *static_cast<const Counts*>(node.counts.get());
  }
  // Of a node that has been counted: k class counts a code, then those without a value.
  const std::uint32_t* counts(const Range& node, std::uint32_t column) const {
    return counts_of(node).data() + offset[column];
  }
  const std::uint32_t* missing(const Range& node, std::uint32_t column) const {
    return counts(node, column) + coded->columns[column].codes * n_classes;
  }

  // The class counts by code of every coded column of the node. `labels` is working space.
  std::shared_ptr<Counts> count(const Range& node, std::vector<std::uint16_t>& labels,
                                Team& team) const {
    auto counts = std::make_shared<Counts>(offset.back(), 0);
    labels.resize(node.size());
    for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = coded->label[of(node)[i]];
    team.each(node.columns->size(), [&](std::size_t i, Team&) {
      const std::uint32_t c = (*node.columns)[i];
      const CodedColumn& column = coded->columns[c];
      if (!column.coded) return;
      std::uint32_t* into = counts->data() + offset[c];
      const std::uint8_t* code = column.binned.code.data();
      const std::uint32_t* row = of(node);
      for (std::size_t j = 0; j < labels.size(); ++j) ++into[code[row[j]] * n_classes + labels[j]];
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

 private:
  // Where copied rows come from: their positions in the problem's sample, and their rows in its
  // frame as a sample has them.
  std::vector<std::uint32_t> origin_;
  std::vector<int> frame_rows_;
};

}  // namespace tectree
