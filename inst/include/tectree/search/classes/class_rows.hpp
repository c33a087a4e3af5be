// The rows of a classification in an arena: their classes and weights.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "../../data/arena.hpp"
#include "../../data/take.hpp"
#include "../../tally/weights.hpp"
#include "../door/node_search.hpp"
#include "../missing/unknown.hpp"
#include "class_problem.hpp"

namespace tectree {

// Weights of rows, by row of an arena.
struct ClassWeights {
  // With and without the factors of their classes. Empty: all 1.
  std::vector<double> weight = {}, case_weight = {};
  // Sizes, if they are not the case weights. Empty: all 1.
  bool has_sizes = false;
  std::vector<double> size = {};
};

// Copies share the rows.
template <class Index, class W>
class ClassRows {
 public:
  using Count = typename W::Count;
  using Labels = std::vector<std::uint16_t>;
  using Weights = std::vector<double>;

  ClassRows(const ClassProblem& problem, Labels label, ClassWeights weights)
      : labels_(std::make_shared<const Labels>(std::move(label))),
        weights_(std::make_shared<ClassWeights>(std::move(weights))),
        label_(labels_->data()),
        by_class_(!W::whole && !problem.factors.plain()) {
    set_problem(problem);
  }

  // The problem, which must outlive the rows, has the table or the kernel of phi.
  void set_problem(const ClassProblem& problem) {
    w_ = W();
    if constexpr (W::whole) {
      w_.table = &problem.table;
    } else {
      w_.kernel = &problem.criterion->kernel();
      w_.curve = problem.curve.get();
      w_.half_least = problem.half_least;
      const Weights& size = has_sizes() ? weights_->size : weights_->case_weight;
      w_.has_sizes = by_class_ || has_sizes();
      if (w_.has_sizes && !size.empty()) w_.sizes = size.data();
    }
    if (!weights_->weight.empty()) w_.weight = weights_->weight.data();
  }

  // Sets the case weights of rows, of which no copy is in use; returns the smallest weight.
  double weigh(const ClassFactors& factors, const Index* rows, const double* weight,
               std::size_t n) {
    double least = HUGE_VAL;
    if constexpr (!W::whole) {
      if (by_class_ && weights_->case_weight.empty()) {
        weights_->case_weight.assign(labels_->size(), 1.0);
        w_.sizes = weights_->case_weight.data();
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      const Index row = rows[i];
      if (by_class_) weights_->case_weight[row] = weight[i];
      weights_->weight[row] = by_class_ ? weight[i] * factors.split_of(label_[row]) : weight[i];
      least = std::min(least, weights_->weight[row]);
    }
    if constexpr (!W::whole) w_.half_least = least / 2;
    return least;
  }

  const Labels& labels() const { return *labels_; }
  std::uint16_t label(std::size_t row) const { return label_[row]; }
  const std::uint16_t* label_data() const { return label_; }
  const W& weights() const { return w_; }
  // Whether every row counts 1; whether class factors differ; whether sizes differ from case
  // weights.
  bool count_one() const { return W::whole && weights_->weight.empty(); }
  bool by_class() const { return by_class_; }
  bool has_sizes() const { return !W::whole && weights_->has_sizes; }

  double case_weight(Index row) const { return of_row(own_case_weights(), row); }
  double size(Index row) const {
    return has_sizes() ? of_row(weights_->size, row) : case_weight(row);
  }
  // Empty if each is 1 and class factors do not differ.
  Weights case_weights() const {
    if (by_class_ && own_case_weights().empty()) return Weights(labels_->size(), 1.0);
    return own_case_weights();
  }

  // Empty if each is 1, or is the case weight.
  const Weights& own_sizes() const { return weights_->size; }

  // The rows of a node, in an arena of only these rows.
  template <class To>
  ClassRows<To, W> shrunk(const ClassProblem& problem, const Arena<Index>& from,
                          const Arena<To>& to, const Range& node) const {
    const Index* rows = from.rows.data() + node.begin;
    return {problem,
            of_rows(*labels_, rows, to.n),
            {of_rows(weights_->weight, rows, to.n), of_rows(weights_->case_weight, rows, to.n),
             weights_->has_sizes, of_rows(weights_->size, rows, to.n)}};
  }

  // ---- sums over rows ---------------------------------------------------------------------------

  void count(const Index* rows, std::size_t n, std::vector<Count>& total) const {
    if constexpr (W::whole) {
      if (w_.unit()) {
        return count_units([&](std::size_t i) { return rows[i]; }, n, label_, total.data(),
                           total.size());
      }
    }
    for (std::size_t i = 0; i < n; ++i) total[label_[rows[i]]] += w_.of(rows[i]);
  }
  void count_cases(const Index* rows, std::size_t n, std::vector<double>& total) const {
    for (std::size_t i = 0; i < n; ++i) total[label_[rows[i]]] += case_weight(rows[i]);
  }
  double size(const Index* rows, std::size_t n) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) sum += size(rows[i]);
    return sum;
  }

  // Adds the classes of entries to a tally of k classes; returns their case weight.
  double add(const Entry<Index>* first, const Entry<Index>* last, double* tally,
             std::size_t k) const {
    const W w = w_;
    if (w.unit()) {
      const auto n = static_cast<std::size_t>(last - first);
      count_units([&](std::size_t i) { return first[i].row; }, n, label_, tally, k);
      return static_cast<double>(n);
    }
    double sum = 0.0;
    for (; first < last; ++first) {
      const auto weight = w.of(first->row);
      tally[label_[first->row]] += weight;
      sum += by_class_ ? case_weight(first->row) : static_cast<double>(weight);
    }
    return sum;
  }

  // Adds rows to the tallies, of k classes, and the case weights of their levels. `cells` is
  // working space.
  void add_levels(const Index* rows, std::size_t n, const ArenaColumn<Index>& column, std::size_t k,
                  std::vector<std::uint32_t>& cells, double* tally, double* weights) const {
    const std::size_t all = (column.levels + 1) * k;
    const auto cell = [&](std::size_t i) { return column.level[rows[i]] * k + label_[rows[i]]; };
    if (!w_.unit()) {
      for (std::size_t i = 0; i < n; ++i) {
        const auto weight = w_.of(rows[i]);
        tally[cell(i)] += weight;
        weights[column.level[rows[i]]] +=
            by_class_ ? case_weight(rows[i]) : static_cast<double>(weight);
      }
      return;
    }
    // In two halves: a count would wait for that of the previous row if they share a cell.
    cells.assign(2 * all, 0);
    for (std::size_t i = 0; i + 1 < n; i += 2) {
      ++cells[cell(i)];
      ++cells[all + cell(i + 1)];
    }
    if (n % 2 == 1) ++cells[cell(n - 1)];
    for (std::size_t i = 0, level = 0; i < all; ++level) {
      for (const std::size_t end = i + k; i < end; ++i) {
        tally[i] = cells[i] + cells[all + i];
        weights[level] += tally[i];
      }
    }
  }

 private:
  const Weights& own_case_weights() const {
    return by_class_ ? weights_->case_weight : weights_->weight;
  }
  static double of_row(const Weights& all, Index row) { return all.empty() ? 1.0 : all[row]; }
  template <class T>
  static std::vector<T> of_rows(const std::vector<T>& all, const Index* rows, std::size_t n) {
    std::vector<T> out;
    if (all.empty()) return out;
    out.reserve(n);
    for (std::size_t i = 0; i < n; ++i) out.push_back(all[rows[i]]);
    return out;
  }

  std::shared_ptr<const Labels> labels_;
  std::shared_ptr<ClassWeights> weights_;
  const std::uint16_t* label_;
  bool by_class_;
  W w_{};
};

}  // namespace tectree
