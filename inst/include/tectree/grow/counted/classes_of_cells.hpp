// The split of a node of which only the cells are known, for rows with classes. The cells become
// rows again: different rows with the same cells, which the row searches accept like any others,
// since a split depends only on the cells.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "../../criterion/chi_square.hpp"
#include "../../search/scan/class_cut.hpp"
#include "../grower.hpp"
#include "../searches.hpp"
#include "known_cells.hpp"

namespace tectree {

// A few weighted rows that have these cells in every column. For each class the columns' cells are
// laid side by side, in order; a row ends wherever a cell of any column ends.
class CellRows {
 public:
  // `kinds`: a frame of the columns without values.
  CellRows(const Frame& kinds, const Codes& codes, const KnownCells<ClassCell>& cells,
           int n_classes)
      : frame_(kinds), numbers_(codes.size()), levels_(codes.size()) {
    const std::size_t k = static_cast<std::size_t>(n_classes);
    std::vector<std::vector<Run>> runs(codes.size() * k);
    cells.each(codes, [&](const ClassCell& cell, double value) {
      std::vector<Run>& of = runs[cell.column * k + static_cast<std::size_t>(cell.label)];
      of.push_back({(of.empty() ? 0.0 : of.back().end) + cell.n, value});
    });
    for (std::size_t s = 0; s < k; ++s) add_class(runs, s, k);
    frame_.n_rows = label_.size();
    for (std::size_t c = 0; c < codes.size(); ++c) {
      Column& column = frame_.columns[c];
      if (column.kind == Kind::numeric) {
        column.real = numbers_[c].data();
      } else {
        column.whole = levels_[c].data();
      }
    }
  }
  CellRows(const CellRows&) = delete;

  const Frame& frame() const { return frame_; }
  Sample sample() const { return {label_.size(), nullptr, weight_.data()}; }
  const std::vector<int>& label() const { return label_; }  // from 1

 private:
  struct Run {
    double end;  // rows of the class up to and including its last
    double value;
  };

  void add_class(const std::vector<std::vector<Run>>& runs, std::size_t s, std::size_t k) {
    ends_.clear();
    for (std::size_t c = 0; c < numbers_.size(); ++c) {
      for (const Run& run : runs[c * k + s]) ends_.push_back(run.end);
    }
    std::sort(ends_.begin(), ends_.end());
    ends_.erase(std::unique(ends_.begin(), ends_.end()), ends_.end());
    double before = 0.0;
    for (double end : ends_) {
      label_.push_back(static_cast<int>(s) + 1);
      weight_.push_back(end - before);
      before = end;
    }
    for (std::size_t c = 0; c < numbers_.size(); ++c) {
      const Run* run = runs[c * k + s].data();
      for (double end : ends_) {
        while (run->end < end) ++run;
        if (frame_.columns[c].kind == Kind::numeric) {
          numbers_[c].push_back(run->value);
        } else {
          levels_[c].push_back(std::isnan(run->value) ? missing_code
                                                      : static_cast<int>(run->value));
        }
      }
    }
  }

  Frame frame_;
  std::vector<std::vector<double>> numbers_;
  std::vector<std::vector<int>> levels_;
  std::vector<int> label_;
  std::vector<double> weight_, ends_;
};

// What the cells of a node tell for rows with classes.
class ClassesOfCells {
 public:
  using Cell = ClassCell;
  using Total = std::vector<double>;  // by class

  // `problem`: its columns have no values and its sample no rows; it must outlive this object.
  // `root`: the cells of all rows.
  ClassesOfCells(const Problem& problem, std::shared_ptr<const Codes> codes,
                 const std::vector<ClassCell>& root, Team& team)
      : problem_(problem), codes_(std::move(codes)) {
    constexpr double most_in_table = 1 << 24;  // 24 bytes per row
    for (const ClassCell& cell : root) {
      if (cell.column != 0) continue;
      weights_.total += cell.n * problem.factors.split_of(cell.label);
      n_ += cell.rows;
    }
    weights_.unit = false;
    weights_.least = 1.0;
    if (!problem.factors.plain()) {
      for (int s = 0; s < problem.response.n_classes; ++s)
        weights_.least = std::min(weights_.least, problem.factors.split_of(s));
    }
    weights_.whole = problem.factors.plain() && weights_.total <= most_in_table;
    shared_.factors = problem.factors;
    share_classes(problem, weights_, weights_, team, shared_);
  }

  const Problem& problem() const { return problem_; }
  const Codes& codes() const { return *codes_; }
  Total none() const { return Total(problem_.response.n_classes, 0.0); }
  static void add(const Cell& cell, Total& total) { total[cell.label] += cell.n; }
  static double size_of(const Total& total) {
    return std::accumulate(total.begin(), total.end(), 0.0);
  }

  NodeFacts facts(const Total& total, double rows, double* share) const {
    const auto n = static_cast<std::size_t>(rows);
    if (problem_.factors.plain()) return class_facts(shared_, total, n, share);
    std::vector<double> weight(total);
    for (std::size_t s = 0; s < weight.size(); ++s) weight[s] *= problem_.factors.prior_of(s);
    NodeFacts out = class_facts(shared_, weight, n, share);
    out.size = size_of(total);
    return out;
  }

  // `stream`: of the node, see Node.
  std::optional<Winner> best(const KnownCells<ClassCell>& cells, std::uint64_t stream,
                             Team& team) const {
    const CellRows rows(problem_.frame, *codes_, cells, problem_.response.n_classes);
    Problem problem = problem_;
    problem.frame = rows.frame();
    problem.sample = rows.sample();
    problem.response.code = rows.label().data();
    problem.training =
        Sample{static_cast<std::size_t>(n_), nullptr, nullptr};  // only the size is read
    auto search = sorted_search(problem, set_up(problem, weights_), team);
    Node root = root_of(*search, stream);
    const Winner* winner = search->best(root, team);
    return winner ? std::optional<Winner>(*winner) : std::nullopt;
  }

  // Whether cuts inside a bin can be bounded, and the column of the best cut wins: see
  // search/scan/class_cut.hpp. A p value that is adjusted for the number of values has
  // no bound, since bins do not tell how many values there are.
  bool bounded() const {
    const Criterion& c = *shared_.criterion;
    if (dynamic_cast<const TestBase*>(&c) != nullptr) return false;
    const double q = c.kernel().q();
    return q > 0.0 && (c.form() == Form::linear || (c.form() == Form::power && q <= 2.0)) &&
           !by_c45(problem_) && !problem_.control.random_cuts && problem_.control.intervals <= 2 &&
           shared_.eligible() == Eligible::all && shared_.best_cut_wins();
  }
  // Whether rows with a missing value count in the search of a column.
  bool unknown_count() const {
    using Unknown = SearchControl::Unknown;
    return problem_.control.unknown == Unknown::filled ||
           problem_.control.unknown == Unknown::learned;
  }
  // An upper bound of all cuts inside a bin. `left`: rows with smaller values; `bin`: rows in the
  // bin; `all`: all rows with a value.
  double bound(const Total& left, const Total& bin, const Total& all) const {
    const Criterion& criterion = *shared_.criterion;
    const Total total = in_score(all);
    const double n = size_of(total);
    const int k = static_cast<int>(total.size());
    const CutValue value(criterion, criterion.impurity(total.data(), k, n) / criterion.unit(), n, 1,
                         false, 0.0);
    std::vector<BothSides<double>> sides;
    ClassCut<CountKernel> cut({&criterion.kernel(), nullptr, 0.0}, total.data(), total.size(),
                              sides);
    cut.skip(in_score(left).data());
    cut.sum_up();
    return cut.most_inside(in_score(bin).data(), value, criterion.form(), true, HUGE_VAL) *
           criterion.unit();
  }

  // The problem for the rows of its sample, prepared like that of all rows.
  Setup set_up(const Problem& problem, Team& team) const {
    WeightFacts weights = weights_;
    weights.unit = weigh(problem.sample, team).unit && weights.whole;
    return set_up(problem, weights);
  }

 private:
  // Counts as weights in a score.
  Total in_score(Total counts) const {
    for (std::size_t s = 0; s < counts.size(); ++s) counts[s] *= problem_.factors.split_of(s);
    return counts;
  }
  Setup set_up(const Problem& problem, const WeightFacts& weights) const {
    ClassSetup out;
    out.weights = out.cases = weights;
    for (std::size_t i = 0; i < problem.sample.size; ++i) {
      const int label = problem.response.code[problem.sample.row(i)] - 1;
      const double w = problem.sample.weight(i);
      out.label.push_back(static_cast<std::uint16_t>(label));
      if (problem.factors.plain()) {
        if (!weights.unit) out.rows.weight.push_back(w);
      } else {
        out.rows.weight.push_back(w * problem.factors.split_of(label));
        out.rows.case_weight.push_back(w);
      }
    }
    *out.shared = shared_;
    out.shared->frame = &problem.frame;
    out.shared->sample = &problem.sample;
    return out;
  }

  const Problem& problem_;
  std::shared_ptr<const Codes> codes_;
  WeightFacts weights_;
  double n_ = 0.0;
  ClassProblem shared_;
};

}  // namespace tectree
