// Classes in bins: what a node's rows weigh by bin and class, always in whole numbers, so that sums
// and what is left of them are exact.
//
// Rows that weigh whole numbers are counted as they are, and phi is looked up in a table. Fractions
// are counted in a unit so small that the lightest row is off by less than 2^-34 of itself; phi
// comes from a curve then. Cells hold case weights: the factors of classes that count differently
// come in where a cut is valued. What rounding and the curve may do to a gain is part of every
// interval.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "../classes/class_stat.hpp"
#include "../histogram/histogram_rows.hpp"

namespace tectree {

// What counts mean.
template <class W>
struct ClassScale {
  static constexpr bool whole = W::whole;
  using Count = std::conditional_t<whole, std::uint32_t, std::uint64_t>;
  // What they weigh in a score.
  using Mass = std::conditional_t<whole, std::uint32_t, double>;

  const KernelTable* table = nullptr;
  const PhiCurve* curve = nullptr;
  double unit = 1.0;          // a count of 1 as a case weight
  std::vector<double> per;    // by class: as a weight in a score
  double lightest = 1.0;      // row, as a weight in a score
  double least_factor = 1.0;  // of a class

  double size(Count c) const { return static_cast<double>(c) * unit; }
  Mass mass(std::size_t s, Count c) const {
    if constexpr (whole) return c;
    return static_cast<double>(c) * per[s];
  }
  double phi(Mass m) const {
    if constexpr (whole) return table->phi[m];
    return m > 0.0 ? curve->phi(m) : 0.0;
  }
  double alpha(Mass m) const {
    if constexpr (whole) return table->alpha[m];
    return curve->alpha(m);
  }
  // The least count that reaches `bound`.
  Count least(double bound) const {
    if constexpr (whole) return std::max(least_count<W>(bound), 1u);
    const double least = std::ceil(least_count<W>(bound) / unit);
    return least < 1.0 ? 1 : least < 0x1p63 ? static_cast<Count>(least) : ~Count{0};
  }

  // Whether there is a unit for weights of which the least and their sum are these.
  static bool has_unit(double least, double total) {
    return whole || least / unit_for(total) >= smallest;
  }
  // How far off a weight may be, as a part of itself.
  static constexpr double off = whole ? 0.0 : 0x1p-34;
  static double unit_for(double total) { return std::ldexp(1.0, std::ilogb(total) + 1 - 61); }

 private:
  static constexpr double smallest = 0x1p33;
};

// Counts by class, a cell each.
template <class Count>
class ClassCells {
 public:
  struct What {
    std::uint16_t label;
    Count weight;
  };

  void start(std::size_t cells, std::size_t k) {
    k_ = k;
    counts_.assign(cells * k, 0);
  }
  void add(std::size_t cell, const What& what) { counts_[cell * k_ + what.label] += what.weight; }
  const Count* of(std::size_t cell) const { return counts_.data() + cell * k_; }

 private:
  std::size_t k_ = 0;
  std::vector<Count> counts_;
};

// What is known of a node.
template <class Count>
struct ClassCounts {
  std::vector<Count> total, cells;  // by class; by bin and class

  // The counts of a cell, by class.
  Count* at(std::size_t cell) { return cells.data() + cell * total.size(); }
};

// The rows of a search as the cells count them.
template <class W>
struct ClassBins {
  using Scale = ClassScale<W>;
  using Count = typename Scale::Count;
  using Counts = ClassCounts<Count>;

  ClassBins(const ClassStat<std::uint32_t, W>& stat, std::size_t n_rows) : k(stat.classes()) {
    if (!stat.counts_rows()) weight.resize(n_rows);
    if constexpr (!W::whole) {
      double total = 0.0;
      for (std::size_t i = 0; i < n_rows; ++i) total += stat.case_weight(i);
      unit = Scale::unit_for(total);
    }
    for (std::size_t i = 0; i < weight.size(); ++i)
      weight[i] = static_cast<Count>(std::llround(stat.case_weight(i) / unit));
  }
  // Counts that come from outside, in units.
  ClassBins(std::size_t classes, double unit_of_counts) : k(classes), unit(unit_of_counts) {}
  // Some of the rows alone.
  ClassBins(const ClassBins& all, const Range& node, const HistogramRows& from)
      : k(all.k), unit(all.unit) {
    for (std::size_t i = 0; !all.weight.empty() && i < node.size(); ++i)
      weight.push_back(all.weight[from.of(node)[i]]);
  }

  Count of(std::uint32_t row) const { return weight.empty() ? 1 : weight[row]; }

  // The counts by bin of every column of the node that is counted.
  std::shared_ptr<Counts> count(const HistogramRows& rows, const std::uint16_t* label,
                                const Range& node, Team& team) const {
    auto out = std::make_shared<Counts>();
    out->total.assign(k, 0);
    out->cells.assign(rows.cells.size() * k, 0);
    const std::uint32_t* row = rows.of(node);
    const std::size_t n = node.size();
    std::vector<std::uint16_t> labels(n);
    std::vector<Count> weights(weight.empty() ? 0 : n);
    for (std::size_t i = 0; i < n; ++i) labels[i] = label[row[i]];
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = weight[row[i]];
    for (std::size_t i = 0; i < n; ++i) out->total[labels[i]] += weights.empty() ? 1 : weights[i];
    team.each(node.columns->size(), [&](std::size_t i, Team&) {
      const std::uint32_t c = (*node.columns)[i];
      if (!rows.cells.counts(c)) return;
      Count* into = out->cells.data() + rows.cells.first(c) * k;
      const std::uint8_t* code = (*rows.codes)[c].binned.code.data();
      if (weights.empty()) {
        for (std::size_t j = 0; j < n; ++j) ++into[code[row[j]] * k + labels[j]];
      } else {
        for (std::size_t j = 0; j < n; ++j) into[code[row[j]] * k + labels[j]] += weights[j];
      }
    });
    return out;
  }

  // What is left of a node's counts without those of a part of its rows.
  std::shared_ptr<Counts> rest(const CellLayout& cells, const std::vector<std::uint32_t>& columns,
                               const Counts& all, const Counts& part) const {
    auto out = std::make_shared<Counts>(all);
    for (std::size_t s = 0; s < k; ++s) out->total[s] -= part.total[s];
    for (std::uint32_t c : columns) {
      for (std::size_t i = cells.first(c) * k; i < cells.end(c) * k; ++i)
        out->cells[i] -= part.cells[i];
    }
    return out;
  }

  std::size_t k;
  double unit = 1.0;
  std::vector<Count> weight;  // by row; empty where every row counts 1
};

// What the columns of a node have in common.
template <class W>
struct NodeClasses {
  const ClassBins<W>* bins;
  const ClassScale<W>& scale;
  const std::uint16_t* label;           // by row
  typename ClassScale<W>::Count least;  // a side
  Form form;
  bool concave;  // the loss is concave in every class's weight
};

}  // namespace tectree
