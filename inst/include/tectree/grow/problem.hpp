// A problem: data, response, criterion and settings, and the facts about it that decide how it is
// solved. Prepared for its searches: labels or numbers and weights by position, the criterion and
// its kernel's table.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "../base/row_passes.hpp"
#include "../base/team.hpp"
#include "../criterion/loss.hpp"
#include "../criterion/registry.hpp"
#include "../data/arena.hpp"
#include "../data/codes/coded_column.hpp"
#include "../data/ranks.hpp"
#include "../search/classes/class_problem.hpp"
#include "../search/classes/class_rows.hpp"
#include "../search/door/node_search.hpp"
#include "../search/numbers/number_problem.hpp"
#include "../tally/weights.hpp"
#include "../tree/tree.hpp"

namespace tectree {

struct Problem {
  Frame frame;
  Sample sample;
  Response response;
  std::string criterion;
  double parameter = 0.0;
  SearchControl control;
  Loss loss;
  ClassFactors factors;
  std::uint64_t seed = 0;    // of all random numbers
  bool sorted_only = false;  // only the sorted search, for comparison
  // A node of at most so many rows is grown in its own arena, 4 bytes per value: 20 columns then
  // take 1.3 MB, which are read in order. Tests use smaller limits.
  std::size_t pass_on_at = Entry<std::uint16_t>::most_rows;
  std::shared_ptr<const Codes> codes;  // of the sample's columns, if already made
  std::shared_ptr<const Ranks> ranks;  // likewise, if columns are sorted when drawn
  std::shared_ptr<TreeMemory> memory;  // for the tree; null: its own
  std::optional<Sample> training =
      std::nullopt;  // if `sample` is only one node of a tree: all its rows

  const Sample& whole() const { return training ? *training : sample; }
};

// The problem of predicting a class, with codes 1..n_classes, or a number for each row of a frame.
// The response must outlive the problem.
inline Problem to_classify(Frame frame, const std::vector<int>& codes, int n_classes,
                           std::string criterion = "shannon", double parameter = 0.0) {
  Problem out;
  out.frame = std::move(frame);
  out.sample.size = codes.size();
  out.response.n_classes = n_classes;
  out.response.code = codes.data();
  out.criterion = std::move(criterion);
  out.parameter = parameter;
  return out;
}
inline Problem to_regress(Frame frame, const std::vector<double>& numbers,
                          std::string criterion = "l2") {
  Problem out;
  out.frame = std::move(frame);
  out.sample.size = numbers.size();
  out.response.number = numbers.data();
  out.criterion = std::move(criterion);
  return out;
}

inline bool by_c45(const Problem& problem) {
  return problem.response.is_class() && problem.control.rules == SearchControl::Rules::c45;
}

// Whether splits are found by p values.
inline bool by_p_value(const Problem& problem) {
  const std::string& name = problem.criterion;
  return problem.control.by_chaid() || name == "chisq" || name == "chisq_lr" ||
         name == "row_effects";
}

// Whether columns may be sorted when drawn: parts of rows, surrogates and C4.5's rules need all.
inline bool may_sort_when_drawn(const Problem& problem) {
  using Unknown = SearchControl::Unknown;
  const Unknown unknown = problem.control.unknown;
  return problem.control.max_columns > 0 && !by_c45(problem) && !by_p_value(problem) &&
         (unknown == Unknown::ignored || unknown == Unknown::filled || unknown == Unknown::learned);
}

// The ranks of the sample's columns; null if dividing all columns is as fast as sorting the drawn
// ones.
inline std::shared_ptr<const Ranks> ranks_to_draw(const Problem& problem, Team& team) {
  constexpr std::size_t by_counting = 5, by_keys = 7;  // cost of a column, in divided columns
  const std::size_t drawn = problem.control.max_columns, all = problem.frame.columns.size();
  if (!may_sort_when_drawn(problem) || drawn * by_counting > all) return nullptr;
  auto ranks = std::make_shared<const Ranks>(make_ranks(problem.frame, problem.sample, team));
  std::size_t cost = 0;
  for (const ColumnRanks& column : ranks->columns())
    cost += column.values < most_dealt ? by_counting : by_keys;
  return drawn * cost <= all * all ? ranks : nullptr;
}

// What the rows of a sample add to the weight of their nodes, by row of the frame; none if that is
// the case weight.
inline std::vector<double> row_masses(const Problem& problem) {
  if (!problem.response.is_class() || problem.factors.plain()) return {};
  std::vector<double> out(problem.frame.n_rows, 0.0);
  for (std::size_t i = 0; i < problem.sample.size; ++i) {
    const std::size_t row = problem.sample.row(i);
    out[row] = problem.sample.weight(i) * problem.factors.prior_of(problem.response.code[row] - 1);
  }
  return out;
}

struct WeightFacts {
  double total = 0.0, least = HUGE_VAL;
  bool whole = true, unit = true;

  void add(double w) {
    total += w;
    least = std::min(least, w);
    whole = whole && w == std::floor(w);
    unit = unit && w == 1.0;
  }
  WeightFacts& operator+=(const WeightFacts& x) {
    total += x.total;
    least = std::min(least, x.least);
    whole = whole && x.whole;
    unit = unit && x.unit;
    return *this;
  }
};

// phi's table has a cell for every count up to the total: worthwhile while that is of the order of
// the number of rows.
inline bool counts_fit(double total, std::size_t rows) {
  return total <= 16.0 * static_cast<double>(rows) + 1e6;
}

// Of n rows, by weight_of(i).
template <class WeightOf>
WeightFacts weigh(std::size_t n, Team& team, WeightOf weight_of) {
  WeightFacts f = sum_over(n, 1, team, [&](std::size_t first, std::size_t end) {
    WeightFacts out;
    for (std::size_t i = first; i < end; ++i) out.add(weight_of(i));
    return out;
  });
  f.whole = f.whole && counts_fit(f.total, n);
  return f;
}
inline WeightFacts weigh(const Sample& sample, Team& team) {
  return weigh(sample.size, team, [&](std::size_t i) { return sample.weight(i); });
}

// The sizes of a sample's rows, by position; empty if all are 1.
inline std::vector<double> own_sizes(const Sample& sample) {
  std::vector<double> out;
  for (std::size_t i = 0; i < sample.size; ++i) out.push_back(sample.size_at(i));
  if (std::all_of(out.begin(), out.end(), [](double x) { return x == 1.0; })) out.clear();
  return out;
}

// By column, whether a row has no value.
inline std::vector<char> incomplete_columns(const Frame& frame, const Sample& sample, Team& team) {
  std::vector<char> holed(frame.columns.size(), 0);
  const bool shared = Team::worth(sample.size * frame.columns.size());
  team.each_if(shared, frame.columns.size(), [&](std::size_t c, Team&) {
    holed[c] =
        !each_value(frame.columns[c], sample, [](std::size_t, double x) { return !std::isnan(x); });
  });
  return holed;
}
inline bool any_missing(const Frame& frame, const Sample& sample, Team& team) {
  const std::vector<char> holed = incomplete_columns(frame, sample, team);
  return std::find(holed.begin(), holed.end(), 1) != holed.end();
}

// ---- prepared for its searches ----------------------------------------------------------------

struct ClassSetup {
  WeightFacts weights, cases;  // of rows as they count, and of case weights
  std::shared_ptr<ClassProblem> shared = std::make_shared<ClassProblem>();
  std::vector<std::uint16_t> label;  // by position in the sample
  ClassWeights rows;                 // likewise
};

// With fractional weights, sizes are counted separately.
inline void apply_sizes(const Sample& sample, ClassSetup& setup) {
  std::vector<double> size = own_sizes(sample);
  if (setup.cases.unit && size.empty()) return;
  setup.rows.has_sizes = true;
  setup.rows.size = std::move(size);
  if (setup.rows.weight.empty()) setup.rows.weight.assign(sample.size, 1.0);
  setup.weights.whole = setup.weights.unit = false;
  setup.cases.whole = setup.cases.unit = false;
}

inline void apply_factors(const ClassFactors& factors, const Sample& sample, ClassSetup& setup,
                          Team& team) {
  setup.shared->factors = factors;
  setup.rows.case_weight = std::move(setup.rows.weight);
  setup.rows.weight.resize(sample.size);
  pass_over(sample.size, 1, team, [&](std::size_t first, std::size_t end, Team&) {
    for (std::size_t i = first; i < end; ++i)
      setup.rows.weight[i] = sample.weight(i) * factors.split_of(setup.label[i]);
  });
  setup.weights = weigh(sample.size, team, [&](std::size_t i) { return setup.rows.weight[i]; });
  setup.weights.whole = setup.weights.unit = false;
}

// What all searches of a classification share; `weights`: of its rows as they count; `cases`: of
// their case weights.
inline void share_classes(const Problem& problem, const WeightFacts& weights,
                          const WeightFacts& cases, Team& team, ClassProblem& out) {
  out.frame = &problem.frame;
  out.sample = &problem.sample;
  out.n_classes = problem.response.n_classes;
  out.control = problem.control;
  out.ranks = problem.ranks;
  out.loss = problem.loss;
  out.criterion =
      make_criterion(problem.criterion, problem.parameter, weights.total, weights.least);
  out.half_least = weights.whole ? 0.5 : weights.least / 2;
  if (has_fine_unit(cases.least, cases.total)) out.part_unit = fine_unit(cases.total);
  const bool has_curve = !by_c45(problem) && out.criterion->form() != Form::ratio;
  if (weights.whole) {
    out.table = KernelTable(out.criterion->kernel(), static_cast<std::size_t>(weights.total), team);
    if (has_curve && problem.control.unknown == SearchControl::Unknown::grouped) {
      out.curve_of_parts =
          std::make_shared<CurveOfParts>(out.criterion->kernel(), weights.least, weights.total);
    }
  } else if (has_curve) {
    // C4.5's scan decides by running sums, and a ratio is not a sum of errors.
    out.curve = PhiCurve::of(out.criterion->kernel(), weights.least, weights.total);
  }
}

// Labels and weights by position; `cases`: of the sample's weights.
inline ClassSetup read_classes(const Problem& problem, const WeightFacts& cases, Team& team) {
  ClassSetup out;
  out.weights = out.cases = cases;
  out.label.resize(problem.sample.size);
  out.rows.weight.resize(out.weights.unit ? 0 : problem.sample.size);
  pass_over(problem.sample.size, 1, team, [&](std::size_t first, std::size_t end, Team&) {
    for (std::size_t i = first; i < end; ++i) {
      out.label[i] = static_cast<std::uint16_t>(problem.response.code[problem.sample.row(i)] - 1);
      if (!out.weights.unit) out.rows.weight[i] = problem.sample.weight(i);
    }
  });
  if (problem.sample.sized()) apply_sizes(problem.sample, out);
  if (!problem.factors.plain()) apply_factors(problem.factors, problem.sample, out, team);
  return out;
}

inline ClassSetup set_up_classes(const Problem& problem, Team& team) {
  ClassSetup out = read_classes(problem, weigh(problem.sample, team), team);
  share_classes(problem, out.weights, out.cases, team, *out.shared);
  return out;
}

// A regression problem, prepared for its searches.
struct NumberSetup {
  WeightFacts weights;
  std::shared_ptr<NumberProblem> shared = std::make_shared<NumberProblem>();
  Numbers numbers;  // by position in the sample
};

inline NumberSetup set_up_numbers(const Problem& problem, Team& team) {
  NumberSetup out;
  out.weights = weigh(problem.sample, team);
  out.shared->frame = &problem.frame;
  out.shared->sample = &problem.sample;
  out.shared->control = problem.control;
  out.shared->ranks = problem.ranks;
  out.numbers.y.resize(problem.sample.size);
  out.numbers.weight.resize(out.weights.unit ? 0 : problem.sample.size);
  pass_over(problem.sample.size, 1, team, [&](std::size_t first, std::size_t end, Team&) {
    for (std::size_t i = first; i < end; ++i) {
      out.numbers.y[i] = problem.response.number[problem.sample.row(i)];
      if (!out.weights.unit) out.numbers.weight[i] = problem.sample.weight(i);
    }
  });
  if (problem.sample.sized()) {
    out.numbers.size = own_sizes(problem.sample);
    out.numbers.has_sizes = !out.weights.unit || !out.numbers.size.empty();
    if (out.numbers.has_sizes && out.weights.unit)
      out.numbers.weight.assign(problem.sample.size, 1.0);
  }
  return out;
}

using Setup = std::variant<ClassSetup, NumberSetup>;

inline Setup set_up(const Problem& problem, Team& team) {
  if (problem.response.is_class()) return set_up_classes(problem, team);
  return set_up_numbers(problem, team);
}

}  // namespace tectree
