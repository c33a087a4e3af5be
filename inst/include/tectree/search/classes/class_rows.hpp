// The rows of a classification in an arena: their classes and weights, and the class counts of the
// node looked at.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../data/arena.hpp"
#include "../../data/take.hpp"
#include "../../tally/weights.hpp"
#include "../missing/unknown.hpp"
#include "class_problem.hpp"

namespace tectree {

template <class Index, class W>
class ClassRows {
 public:
  using Count = typename W::Count;

  // label and weight by row of the arena; weight empty where all are 1. Where classes count
  // differently, `case_weight` is what the factors are applied to, likewise.
  ClassRows(std::shared_ptr<const ClassProblem> problem, std::vector<std::uint16_t> label,
            std::vector<double> weight, std::vector<double> case_weight = {})
      : problem_(std::move(problem)),
        labels_(std::make_shared<const std::vector<std::uint16_t>>(std::move(label))),
        weights_(std::make_shared<const std::vector<double>>(std::move(weight))),
        case_weights_(std::make_shared<const std::vector<double>>(std::move(case_weight))),
        label_(labels_->data()),
        by_class_(!W::whole && !problem_->factors.plain()) {}

  const std::shared_ptr<const ClassProblem>& problem() const { return problem_; }
  std::size_t classes() const { return static_cast<std::size_t>(problem_->n_classes); }
  const std::uint16_t* labels() const { return label_; }
  // Whether every row counts 1.
  bool counts_rows() const { return W::whole && weights_->empty(); }

  NodeFacts describe(const Arena<Index>& arena, const Range& node, double* share) {
    count(arena, node);
    if (!by_class_) return class_facts(*problem_, total_, node.size(), share);
    std::vector<double> mass(case_total_);
    for (std::size_t s = 0; s < mass.size(); ++s) mass[s] *= problem_->factors.prior_of(s);
    NodeFacts facts = class_facts(*problem_, mass, node.size(), share);
    facts.case_weight = std::accumulate(case_total_.begin(), case_total_.end(), 0.0);
    return facts;
  }

  // What the rows weigh before classes count differently, none where each counts 1.
  std::vector<double> row_weights() const {
    if (!by_class_) return *weights_;
    return case_weights_->empty() ? std::vector<double>(labels_->size(), 1.0) : *case_weights_;
  }
  double weight_of(Index row) const {
    const std::vector<double>& weight = by_class_ ? *case_weights_ : *weights_;
    return weight.empty() ? 1.0 : weight[row];
  }
  // What a row adds to the weight of its node.
  double mass_of(Index row) const {
    if (!by_class_) return weight_of(row);
    return weight_of(row) * problem_->factors.prior_of(label_[row]);
  }

  // Those of a node, in the arena of its rows alone.
  template <class To>
  ClassRows<To, W> shrunk(const Arena<Index>& from, const Arena<To>& to, const Range& node) const {
    std::vector<std::uint16_t> label(to.n);
    std::vector<double> weight(weights_->empty() ? 0 : to.n);
    std::vector<double> case_weight(case_weights_->empty() ? 0 : to.n);
    for (std::size_t i = 0; i < to.n; ++i) {
      const Index row = from.rows[node.begin + i];
      label[i] = label_[row];
      if (!weights_->empty()) weight[i] = (*weights_)[row];
      if (!case_weights_->empty()) case_weight[i] = (*case_weights_)[row];
    }
    return {problem_, std::move(label), std::move(weight), std::move(case_weight)};
  }

  // Some of them with weights of their own, which need not be whole.
  template <class Small>
  ClassRows<Small, RealWeight> taken(const Taken<Index>& some) const {
    auto problem = std::make_shared<ClassProblem>();
    problem->frame = problem_->frame;
    problem->sample = problem_->sample;
    problem->n_classes = problem_->n_classes;
    problem->criterion = problem_->criterion;
    problem->control = problem_->control;
    problem->loss = problem_->loss;
    problem->factors = problem_->factors;
    problem->curve = problem_->curve;
    std::vector<std::uint16_t> label;
    for (Index row : some.rows) label.push_back(label_[row]);
    std::vector<double> weight = some.weight;
    if (by_class_) {
      for (std::size_t i = 0; i < weight.size(); ++i)
        weight[i] *= problem_->factors.split_of(label[i]);
    }
    problem->half_least = *std::min_element(weight.begin(), weight.end()) / 2;
    return {std::move(problem), std::move(label), std::move(weight),
            by_class_ ? some.weight : std::vector<double>()};
  }

 protected:
  W weights() const {
    W w;
    if constexpr (W::whole) {
      w.table = &problem_->table;
    } else {
      w.kernel = &problem_->criterion->kernel();
      w.curve = problem_->curve.get();
      w.half_least = problem_->half_least;
      w.by_class = by_class_;
      if (!case_weights_->empty()) w.case_weight = case_weights_->data();
    }
    if (!weights_->empty()) w.weight = weights_->data();
    return w;
  }

  void count(const Arena<Index>& arena, const Range& node) {
    w_ = weights();
    total_.assign(problem_->n_classes, Count{0});
    if (by_class_) {
      case_total_.assign(problem_->n_classes, 0.0);
      for (std::size_t i = node.begin; i < node.end; ++i)
        case_total_[label_[arena.rows[i]]] += w_.size(arena.rows[i]);
      for (std::size_t s = 0; s < total_.size(); ++s)
        total_[s] = case_total_[s] * problem_->factors.split_of(s);
      return;
    }
    const Index* rows = arena.rows.data() + node.begin;
    if constexpr (W::whole) {
      if (w_.unit()) {
        return count_units([&](std::size_t i) { return rows[i]; }, node.size(), label_,
                           total_.data(), total_.size());
      }
    }
    for (std::size_t i = 0; i < node.size(); ++i) total_[label_[rows[i]]] += w_.of(rows[i]);
  }

  // Adds the classes of entries to `tally`; returns their size.
  double add_classes(const Entry<Index>* first, const Entry<Index>* last, double* tally) const {
    const W w = w_;
    if (w.unit()) {
      const auto n = static_cast<std::size_t>(last - first);
      count_units([&](std::size_t i) { return first[i].row; }, n, label_, tally, classes());
      return static_cast<double>(n);
    }
    double size = 0.0;
    for (; first < last; ++first) {
      const auto weight = w.of(first->row);
      tally[label_[first->row]] += weight;
      size += w.sized() ? w.size(first->row) : static_cast<double>(weight);
    }
    return size;
  }

  // Adds rows to the tallies and sizes of their levels; `cells` is working space.
  void add_levels(const Index* rows, std::size_t n, const ArenaColumn<Index>& column,
                  std::vector<std::uint32_t>& cells, double* tally, double* size) const {
    const std::size_t k = classes(), all = (column.levels + 1) * k;
    const auto cell = [&](std::size_t i) { return column.level[rows[i]] * k + label_[rows[i]]; };
    if (!w_.unit()) {
      for (std::size_t i = 0; i < n; ++i) {
        const auto weight = w_.of(rows[i]);
        tally[cell(i)] += weight;
        size[column.level[rows[i]]] += w_.sized() ? w_.size(rows[i]) : static_cast<double>(weight);
      }
      return;
    }
    // In two halves: a count waits for the row before it of the same cell.
    cells.assign(2 * all, 0);
    for (std::size_t i = 0; i + 1 < n; i += 2) {
      ++cells[cell(i)];
      ++cells[all + cell(i + 1)];
    }
    if (n % 2 == 1) ++cells[cell(n - 1)];
    for (std::size_t i = 0, level = 0; i < all; ++level) {
      for (const std::size_t end = i + k; i < end; ++i) {
        tally[i] = cells[i] + cells[all + i];
        size[level] += tally[i];
      }
    }
  }

  // The class counts of a column's rows that have a value.
  void known_total(const NodeColumn<Index>& column, std::vector<Count>& out) const {
    out = total_;
    if (column.complete()) return;
    out.assign(total_.size(), Count{0});
    for (std::size_t i = 0; i < column.known; ++i)
      out[label_[column.e[i].row]] += w_.of(column.e[i].row);
  }

  // The size of these rows, whose weight is `weight`.
  double size_of(const NodeColumn<Index>& column, double weight) const {
    if (!by_class_) return weight;
    double size = 0.0;
    for (std::size_t i = 0; i < column.known; ++i) size += weight_of(column.e[i].row);
    return size;
  }

  std::shared_ptr<const ClassProblem> problem_;
  std::shared_ptr<const std::vector<std::uint16_t>> labels_;  // shared by forks
  std::shared_ptr<const std::vector<double>> weights_, case_weights_;
  const std::uint16_t* label_;
  bool by_class_;  // classes count differently
  W w_{};
  std::vector<Count> total_;
  std::vector<double> case_total_;  // of the node, as total_
};

}  // namespace tectree
