// Classes in bins: the weight of a node's rows by bin and class, always in whole numbers, so sums
// and differences are exact.
//
// Rows with whole weights are counted as they are, and phi is looked up in a table. Fractions are
// counted in a unit so small that the error of the lightest row is less than 2^-34 of its weight;
// phi then comes from a curve. Cells contain case weights: class factors are applied when a cut is
// valued. The effects of rounding and of the curve on a gain are part of every interval. If sizes
// differ from case weights, a cell contains them after the classes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

#include "../classes/class_stat.hpp"
#include "../sorted/rows.hpp"

namespace tectree {

// The unit of counts.
template <class W>
struct ClassScale {
  static constexpr bool whole = W::whole;
  using Count = std::conditional_t<whole, std::uint32_t, std::uint64_t>;
  // Their weights in a score.
  using Mass = std::conditional_t<whole, std::uint32_t, double>;

  const KernelTable* table = nullptr;
  const PhiCurve* curve = nullptr;
  double unit = 1.0;          // a count of 1 as a case weight
  Shared<double> per;         // by class: as a weight in a score
  double lightest = 1.0;      // row, as a weight in a score
  double least_factor = 1.0;  // of a class

  double size(Count c) const { return static_cast<double>(c) * unit; }
  Mass mass(std::size_t s, Count c) const {
    if constexpr (whole) return c;
    return static_cast<Mass>(static_cast<double>(c) * per[s]);
  }
  static Count rest(Count all, Count part) { return all - part; }
  double phi(Mass m) const {
    if constexpr (whole) return table->phi[m];
    return m > 0.0 ? curve->phi(m) : 0.0;
  }
  double alpha(Mass m) const {
    if constexpr (whole) return table->alpha[m];
    return curve->alpha(m);
  }
  // The smallest count that reaches `bound`.
  Count least(double bound) const {
    if constexpr (whole) return std::max(least_count<W>(bound), 1u);
    const double least = std::ceil(least_count<W>(bound) / unit);
    return least < 1.0 ? 1 : least < 0x1p63 ? static_cast<Count>(least) : ~Count{0};
  }

  // Whether there is a unit for weights with this minimum and sum.
  static bool has_unit(double least, double total) { return whole || has_fine_unit(least, total); }
  // The maximum relative error of a weight.
  static constexpr double off = whole ? 0.0 : 0x1p-34;
};

// Counts by class and optionally of sizes, per cell.
template <class Count>
class ClassCells {
 public:
  struct What {
    std::uint16_t label, size;  // 0 if cells have no sizes
    Count weight;
  };

  void start(std::size_t cells, std::size_t width) {
    width_ = width;
    counts_.assign(cells * width, 0);
  }
  void add(std::size_t cell, const What& what) {
    Count* first = counts_.data() + cell * width_;
    first[what.label] += what.weight;
    first[width_ - 1] += what.size;
  }
  const Count* of(std::size_t cell) const { return counts_.data() + cell * width_; }

 private:
  std::size_t width_ = 0;
  std::vector<Count> counts_;
};

// What is known about a node.
template <class Count>
struct ClassCounts {
  std::vector<Count> total, cells;  // a cell; by bin
};

// The rows of a search as counted by the cells.
template <class W>
struct ClassBins {
  using Scale = ClassScale<W>;
  using Count = typename Scale::Count;
  using Counts = ClassCounts<Count>;

  // `given_unit`: of counts; 0: the smallest for these rows.
  ClassBins(const ClassStat<std::uint32_t, W>& stat, std::size_t n_rows, double given_unit = 0.0)
      : k(stat.classes()), width(k + stat.has_sizes()) {
    const auto row = [](std::size_t i) { return static_cast<std::uint32_t>(i); };
    if (!stat.counts_rows()) weight.resize(n_rows);
    if constexpr (!W::whole) {
      double total = 0.0;
      for (std::size_t i = 0; i < n_rows; ++i) total += stat.case_weight(row(i));
      unit = given_unit > 0.0 ? given_unit : fine_unit(total);
    }
    for (std::size_t i = 0; i < weight.size(); ++i)
      weight[i] = static_cast<Count>(std::llround(stat.case_weight(row(i)) / unit));
    for (std::size_t i = 0; has_sizes() && i < n_rows; ++i)
      size.push_back(static_cast<std::uint16_t>(stat.size(row(i))));
  }
  // Only some of the rows.
  ClassBins(const ClassBins& all, const Range& node, const CodedRows& from)
      : k(all.k), width(all.width), unit(all.unit) {
    for (std::size_t i = 0; !all.weight.empty() && i < node.size(); ++i)
      weight.push_back(all.weight[from.of(node)[i]]);
    for (std::size_t i = 0; has_sizes() && i < node.size(); ++i)
      size.push_back(all.size[from.of(node)[i]]);
  }

  // Whether rows have sizes that cells can hold.
  static bool can_hold(const ClassWeights& rows) {
    return std::all_of(rows.size.begin(), rows.size.end(),
                       [](double x) { return x >= 1.0 && x <= 65535.0 && x == std::floor(x); });
  }
  bool has_sizes() const { return width > k; }
  Count of(std::uint32_t row) const { return weight.empty() ? 1 : weight[row]; }
  std::uint16_t size_of(std::uint32_t row) const { return has_sizes() ? size[row] : 0; }
  Count weight_in(const Count* cell) const { return std::accumulate(cell, cell + k, Count{0}); }
  // What min_bucket bounds, as a count.
  Count size_in(const Count* cell) const { return has_sizes() ? cell[k] : weight_in(cell); }

  // The counts by bin of every counted column of the node.
  std::shared_ptr<Counts> count(const CodedRows& rows, const std::uint16_t* label,
                                const Range& node, Team& team) const {
    auto out = std::make_shared<Counts>();
    out->total.assign(width, 0);
    out->cells.assign(rows.cells.size() * width, 0);
    const std::uint32_t* row = rows.of(node);
    const std::size_t n = node.size();
    std::vector<std::uint16_t> labels(n);
    std::vector<Count> weights(weight.empty() ? 0 : n);
    for (std::size_t i = 0; i < n; ++i) labels[i] = label[row[i]];
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = weight[row[i]];
    for (std::size_t i = 0; i < n; ++i) out->total[labels[i]] += weights.empty() ? 1 : weights[i];
    std::vector<std::uint16_t> sizes(has_sizes() ? n : 0);
    for (std::size_t i = 0; i < sizes.size(); ++i) out->total[k] += sizes[i] = size[row[i]];
    team.each(node.columns->size(), [&](std::size_t i, Team&) {
      const std::uint32_t c = (*node.columns)[i];
      if (!rows.cells.counts(c)) return;
      Count* into = out->cells.data() + rows.cells.first(c) * width;
      const std::uint8_t* code = (*rows.codes)[c].binned.code.data();
      if (has_sizes()) {
        for (std::size_t j = 0; j < n; ++j) {
          Count* cell = into + code[row[j]] * width;
          cell[labels[j]] += weights.empty() ? 1 : weights[j];
          cell[k] += sizes[j];
        }
      } else if (weights.empty()) {
        for (std::size_t j = 0; j < n; ++j) ++into[code[row[j]] * k + labels[j]];
      } else {
        for (std::size_t j = 0; j < n; ++j) into[code[row[j]] * k + labels[j]] += weights[j];
      }
    });
    return out;
  }

  // A node's counts minus those of a part of its rows.
  std::shared_ptr<Counts> rest(const CellLayout& cells, const std::vector<std::uint32_t>& columns,
                               const Counts& all, const Counts& part) const {
    auto out = std::make_shared<Counts>(all);
    for (std::size_t s = 0; s < width; ++s) out->total[s] -= part.total[s];
    for (std::uint32_t c : columns) {
      for (std::size_t i = cells.first(c) * width; i < cells.end(c) * width; ++i)
        out->cells[i] -= part.cells[i];
    }
    return out;
  }

  std::size_t k, width;  // classes; counts of a cell
  double unit = 1.0;
  std::vector<Count> weight;        // by row; empty if every row counts 1
  std::vector<std::uint16_t> size;  // by row, if cells have sizes
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
