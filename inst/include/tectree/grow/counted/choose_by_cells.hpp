// Room grow/counted/: trees of rows that are elsewhere, level by level: what is not known yet is
// asked for, of all nodes that wait together.
//
// The split of a node of which only the cells are known: how many rows each value of a column has,
// and of which class. The cells become rows again, other rows with the same cells, which the
// searches of rows take as any others: a split depends on nothing but the cells.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "../grow_from_counts.hpp"
#include "../searches.hpp"

namespace tectree {

// The rows of a bin that have one value there, where a bin was looked into.
template <class Cell>
struct ValueCell {
  Cell cell;
  double value;
};

// What is known of a node's rows: their cells by code, and, of bins that were looked into, by
// value. Both by column, then code.
template <class Cell>
struct KnownCells {
  const std::vector<Cell>& cells;
  const std::vector<ValueCell<Cell>>& inside;

  // use(cell, value): a bin that was not looked into has its code's value. `no_value`: of rows
  // without one.
  template <class Use>
  void each(const Codes& codes, Use use) const {
    auto at = inside.begin();
    for (const Cell& cell : cells) {
      const CodedColumn& coded = codes[cell.column];
      const auto before = [&](const Cell& c) {
        return c.column != cell.column ? c.column < cell.column : c.code < cell.code;
      };
      while (at != inside.end() && before(at->cell)) ++at;
      const bool known =
          at != inside.end() && at->cell.column == cell.column && at->cell.code == cell.code;
      if (!known) {
        use(cell, cell.code < coded.codes ? coded.binned.values[cell.code]
                                          : std::numeric_limits<double>::quiet_NaN());
        continue;
      }
      if (&cell != cells.data() && (&cell)[-1].column == cell.column &&
          (&cell)[-1].code == cell.code)
        continue;  // its values were used with the first class
      for (auto v = at;
           v != inside.end() && v->cell.column == cell.column && v->cell.code == cell.code; ++v)
        use(v->cell, v->value);
    }
  }
};

// A bin that may have the best cut in it.
struct OpenBin {
  std::uint32_t column;
  int code;
};

// A few weighted rows that have these cells in every column. Of each class the columns' cells are
// laid side by side, in order; a row ends wherever a cell of any column does.
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
  const std::vector<double>& weight() const { return weight_; }

 private:
  struct Run {
    double end;  // rows of the class up to its last
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

// What the cells of a node tell where rows have classes.
class ClassesOfCells {
 public:
  using Cell = ClassCell;
  using Total = std::vector<double>;  // by class

  // `problem`: the columns have no values and the sample no rows; it must outlive this. `root`: the
  // cells of all rows.
  ClassesOfCells(const Problem& problem, std::shared_ptr<const Codes> codes,
                 const std::vector<ClassCell>& root, Team& team)
      : problem_(problem), codes_(std::move(codes)) {
    constexpr double most_in_table = 1 << 24;  // 24 bytes a row
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
    share_classes(problem, weights_, team, shared_);
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
    out.case_weight = size_of(total);
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
        Sample{static_cast<std::size_t>(n_), nullptr, nullptr};  // of which only the size is read
    auto search = sorted_search(problem, set_up(problem, weights_), team);
    Node root = root_of(*search, stream);
    const Winner* winner = search->best(root, team);
    return winner ? std::optional<Winner>(*winner) : std::nullopt;
  }

  // Whether cuts inside a bin can be bounded, and the column of the best cut wins: see
  // search/statistic/counted_classes.hpp.
  bool bounded() const {
    const Criterion& c = *shared_.criterion;
    const double q = c.kernel().q();
    return q > 0.0 && (c.form() == Form::linear || (c.form() == Form::power && q <= 2.0)) &&
           !by_c45(problem_) && !problem_.control.random_cuts && problem_.control.intervals <= 2 &&
           shared_.eligible() == Eligible::all && shared_.best_cut_wins();
  }
  // Whether rows without a value count in the search of a column.
  bool unknown_count() const {
    using Unknown = SearchControl::Unknown;
    return problem_.control.unknown == Unknown::filled ||
           problem_.control.unknown == Unknown::learned;
  }
  // What no cut inside a bin exceeds. `left`: of the values below it; `bin`: in it; `all`: of all
  // rows with a value. A loss that is concave in every count is least at a corner of what may lie
  // on the left: the bin's first classes are put on either side in every way. The rows of others
  // are parts of their own, which loses least.
  double bound(const Total& left, const Total& bin, const Total& all) const {
    constexpr std::size_t most = 6;
    const std::size_t k = all.size();
    std::vector<std::size_t> corners, apart;
    for (std::size_t s = 0; s < k; ++s) {
      if (bin[s] > 0.0) (corners.size() < most ? corners : apart).push_back(s);
    }
    const auto mass = [&](std::size_t s, double n) { return n * problem_.factors.split_of(s); };
    double highest = -HUGE_VAL;
    std::vector<double> on_left(k), on_right(k), alone(k);
    for (std::size_t way = 0; way < std::size_t{1} << corners.size(); ++way) {
      for (std::size_t s = 0; s < k; ++s) {
        on_left[s] = mass(s, left[s]);
        on_right[s] = mass(s, all[s] - left[s] - bin[s]);
      }
      for (std::size_t i = 0; i < corners.size(); ++i) {
        const std::size_t s = corners[i];
        (way >> i & 1 ? on_left : on_right)[s] += mass(s, bin[s]);
      }
      Partition parts;
      parts.start(static_cast<int>(k));
      add_part(parts, on_left);
      add_part(parts, on_right);
      for (std::size_t s : apart) {
        std::fill(alone.begin(), alone.end(), 0.0);
        alone[s] = mass(s, bin[s]);
        add_part(parts, alone);
      }
      highest = std::max(highest, shared_.criterion->measure(parts).cut);
    }
    return highest;
  }

  // The problem of rows of its sample, made ready as that of all rows.
  Setup set_up(const Problem& problem) const {
    WeightFacts weights = weights_;
    weights.unit = weigh(problem.sample).unit && weights.whole;
    return set_up(problem, weights);
  }

 private:
  static void add_part(Partition& parts, const std::vector<double>& counts) {
    const double n = std::accumulate(counts.begin(), counts.end(), 0.0);
    if (n > 0.0) parts.add(counts.data(), n);
  }
  Setup set_up(const Problem& problem, const WeightFacts& weights) const {
    ClassSetup out;
    out.weights = out.cases = weights;
    for (std::size_t i = 0; i < problem.sample.size; ++i) {
      const int label = problem.response.code[problem.sample.row(i)] - 1;
      const double w = problem.sample.weight(i);
      out.label.push_back(static_cast<std::uint16_t>(label));
      if (problem.factors.plain()) {
        if (!weights.unit) out.weight.push_back(w);
      } else {
        out.weight.push_back(w * problem.factors.split_of(label));
        out.case_weight.push_back(w);
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

// The same where rows have numbers, under least squares. Sums are those of whole multiples of
// `unit`, off from `centre`.
class NumbersOfCells {
 public:
  using Cell = NumberCell;
  using Total = NumberTotal;

  NumbersOfCells(const Problem& problem, std::shared_ptr<const Codes> codes, double centre,
                 double unit)
      : problem_(problem), codes_(std::move(codes)), centre_(centre), unit_(unit) {
    // A bin that was not looked into is searched as one value.
    auto as_values = std::make_shared<Codes>(*codes_);
    for (CodedColumn& column : *as_values) column.exact = true;
    as_values_ = std::move(as_values);
    shared_->frame = &problem_.frame;
    shared_->control = problem.control;
    detail::need(problem.criterion == LeastSquares::info().name && !problem.control.random_cuts &&
                     TableOfNumbers::suits(*shared_),
                 "the criterion, or a setting, needs rows");
  }

  const Problem& problem() const { return problem_; }
  const Codes& codes() const { return *codes_; }
  static Total none() { return {}; }
  static void add(const Cell& cell, Total& total) {
    total += NumberTotal{cell.n, cell.sum, cell.squares};
  }
  static double size_of(const Total& total) { return total.n; }

  NodeFacts facts(const Total& total, double rows, double* share) const {
    NodeFacts out = TableOfNumbers(centre_).facts(*shared_, in_units(total), share);
    out.n = static_cast<std::size_t>(rows);
    return out;
  }

  std::optional<Winner> best(const KnownCells<NumberCell>& cells, std::uint64_t stream,
                             Team& team) const {
    const std::shared_ptr<const Codes> codes = cells.inside.empty() ? as_values_ : own_codes(cells);
    const auto fill = [&](const Path&, const CellLayout& layout, TableOfNumbers::Counts& counts) {
      cells.each(*codes_, [&](const NumberCell& cell, double value) {
        const CodedColumn& own = (*codes)[cell.column];
        const std::vector<double>& values = own.binned.values;
        const auto code =
            std::isnan(value)
                ? own.codes
                : std::lower_bound(values.begin(), values.end(), value) - values.begin();
        counts.at(layout.first(cell.column) + static_cast<std::size_t>(code)) +=
            in_units({cell.n, cell.sum, cell.squares});
      });
    };
    HistogramSearch<CountSource<TableOfNumbers>> search(
        CountSource<TableOfNumbers>(shared_, TableOfNumbers(centre_), codes, fill), 0, 1);
    Node root = root_of(search, stream);
    const Winner* winner = search.best(root, team);
    return winner ? std::optional<Winner>(*winner) : std::nullopt;
  }

  static constexpr bool bounded() { return true; }
  static constexpr bool unknown_count() { return false; }
  // Of m of a bin's n_b rows, the sum is off from m times their mean by no more than the root of
  // m (n_b - m) / n_b times their sum of squares about it (Cauchy and Schwarz).
  double bound(const Total& left, const Total& bin, const Total& all) const {
    constexpr double most_steps = 1024.0;
    const double mean = all.sum / all.n, middle = bin.sum / bin.n,
                 spread = std::max(bin.squares - bin.sum * middle, 0.0) + 1e-12 * bin.squares,
                 step = std::max(1.0, std::ceil(bin.n / most_steps));
    const auto at = [&](double m) {
      return std::fabs(left.sum + m * middle - (left.n + m) * mean);
    };
    const auto off = [&](double m) { return std::sqrt(spread * m * (bin.n - m) / bin.n); };
    const auto sizes = [&](double m) { return (left.n + m) * (all.n - left.n - m); };
    double highest = -HUGE_VAL;
    // From m to its end the first is convex, the second rises up to half the bin, and the product
    // of sizes is least at an end.
    for (double m = 1.0; m < bin.n; m += step) {
      const double end = std::min(m + step, bin.n - 1.0), half = bin.n / 2;
      const double far = std::max(at(m), at(end)) +
                         (m < half && half < end ? off(half) : std::max(off(m), off(end)));
      highest = std::max(highest, far * far / std::min(sizes(m), sizes(end)));
    }
    return highest * unit_ * unit_;
  }

  Setup set_up(const Problem& problem) const { return set_up_numbers(problem); }

 private:
  // The columns' codes, but a code for each value in bins that were looked into.
  std::shared_ptr<const Codes> own_codes(const KnownCells<NumberCell>& cells) const {
    std::vector<std::vector<double>> values(codes_->size());
    cells.each(*codes_, [&](const NumberCell& cell, double value) {
      if (!std::isnan(value)) values[cell.column].push_back(value);
    });
    auto out = std::make_shared<Codes>();
    for (std::vector<double>& v : values) {
      std::sort(v.begin(), v.end());
      v.erase(std::unique(v.begin(), v.end()), v.end());
      out->push_back(exact_codes(std::move(v)));
    }
    return out;
  }
  NumberTotal in_units(const NumberTotal& total) const {
    return {total.n, total.sum * unit_, total.squares * unit_ * unit_, total.lost * unit_ * unit_};
  }

  const Problem& problem_;
  std::shared_ptr<const Codes> codes_, as_values_;
  double centre_, unit_;
  std::shared_ptr<NumberProblem> shared_ = std::make_shared<NumberProblem>();
};

}  // namespace tectree
