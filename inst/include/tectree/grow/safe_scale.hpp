// Weights and numbers are scaled by powers of two if their squares or sums could leave the range of
// a double, and the tree's numbers are scaled back. Every such product is exact, so the tree is
// that of the original data; data of ordinary size are not scaled.
#pragma once

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../base/row_passes.hpp"
#include "../tree/forest.hpp"
#include "../tree/tree.hpp"
#include "problem.hpp"
#include "stop.hpp"

namespace tectree {

// Weights or numbers that no scale keeps in the range of a double, or a parameter for which the
// criterion's numbers leave it.
struct OutOfRange : std::runtime_error {
  enum class Kind { weights, response, parameter } of;
  OutOfRange(Kind which, const std::string& found) : std::runtime_error(found), of(which) {}
};

// The smallest and the largest size of some numbers, without zeros.
struct Sizes {
  double least = HUGE_VAL, most = 0.0;

  void add(double x) {
    const double size = std::fabs(x);
    if (size > 0.0 && size < least) least = size;
    if (size > most) most = size;
  }
  Sizes& operator+=(const Sizes& x) {
    least = std::min(least, x.least);
    most = std::max(most, x.most);
    return *this;
  }
  // The power of two that brings the largest to between 1/2 and 1, or 0 if all are of ordinary
  // size.
  int exponent(int ordinary) const {
    if (!(most > 0.0)) return 0;
    int e = 0;
    std::frexp(most, &e);
    return std::abs(e) > ordinary ? -e : 0;
  }
  // Whether it loses no digit of the smallest.
  bool exact(int exponent) const { return exponent >= 0 || std::ldexp(least, exponent) >= DBL_MIN; }
};

class SafeScale {
 public:
  SafeScale() = default;
  // Scales the problem and the settings in its units, and stores the scaled data here.
  SafeScale(Problem& problem, StopRule& stop, Team& team) {
    scale_weights(problem, team);
    if (problem.response.is_class()) {
      check_classes(problem, team);
    } else {
      scale_numbers(problem, team);
    }
    if (weight_ == 0 && gain_ == 0) return;
    // Sizes that are not weights keep their unit.
    const int of_sizes = problem.sample.sized() ? 0 : weight_;
    problem.control.min_bucket = times(problem.control.min_bucket, of_sizes);
    problem.control.min_gain = times(problem.control.min_gain, gain_);
    stop.min_bucket = problem.control.min_bucket;
    stop.min_split = times(stop.min_split, of_sizes);
    stop.least_risk = times(stop.least_risk, weight_ + gain_);
    stop.leaf_price = times(stop.leaf_price, weight_ + gain_);
    stop.min_impurity = times(stop.min_impurity, gain_);
    stop.min_weighted_gain = times(stop.min_weighted_gain, gain_);
  }
  SafeScale(SafeScale&&) = default;
  SafeScale& operator=(SafeScale&&) = default;

  // From the scale of the problem to that of the data.
  double gain(double x) const { return times(x, -gain_); }
  double risk(double x, int power = 1) const { return times(x, -weight_ - power * gain_); }
  // The other way.
  double scaled_risk(double x) const { return times(x, weight_ + gain_); }
  double scaled_weight(double x) const { return times(x, weight_); }
  // Scales the response; with power 2, its squares.
  double number(double x, int power = 1) const { return times(x, -power * number_); }

  void undo(Tree& tree) const {
    if (weight_ == 0 && gain_ == 0) return;
    for (double& x : tree.weight) x = times(x, -weight_);
    for (auto* values : {&tree.impurity, &tree.gain, &tree.score}) {
      for (std::size_t i = 0; i < values->size(); ++i) {
        // The score of a p value has no unit.
        if (values != &tree.score || !tree.test[i].exists()) (*values)[i] = gain((*values)[i]);
      }
    }
    if (tree.n_classes > 0) return;
    for (double& x : tree.yval) x = number(x);
  }
  void undo(Forest& forest) const {
    if (weight_ == 0 && number_ == 0) return;
    change_leaves(
        forest, [&](double x) { return times(x, -weight_); }, [&](double x) { return number(x); });
  }

 private:
  // Sums of squares of such large numbers, times such large weights, stay in the range of a double.
  static constexpr int ordinary_weight = 200, ordinary_number = 250;

  // x 2^e, at most the largest double, since squares of large numbers may exceed it.
  static double times(double x, int e) {
    if (e == 0 || !std::isfinite(x)) return x;
    return std::clamp(std::ldexp(x, e), -DBL_MAX, DBL_MAX);
  }

  // The sizes of the numbers of a sample's rows, by position.
  template <class Number>
  static Sizes sizes_of(const Sample& sample, Team& team, Number number) {
    return sum_over(sample.size, 1, team, [&](std::size_t first, std::size_t end) {
      Sizes out;
      for (std::size_t i = first; i < end; ++i) out.add(number(i));
      return out;
    });
  }

  void scale_weights(Problem& problem, Team& team) {
    Sample& sample = problem.sample;
    if (!sample.weights) return;
    const Sizes sizes = sizes_of(sample, team, [&](std::size_t i) { return sample.weight(i); });
    weight_ = sizes.exponent(ordinary_weight);
    if (weight_ == 0) return;
    if (!sizes.exact(weight_))
      throw OutOfRange(OutOfRange::Kind::weights, "some are too small compared with the largest");
    weights_.assign(problem.frame.n_rows, 0.0);
    double total = 0.0;
    for (std::size_t i = 0; i < sample.size; ++i)
      total += weights_[sample.row(i)] = std::ldexp(sample.weight(i), weight_);
    if (std::isinf(std::ldexp(total, -weight_)))
      throw OutOfRange(OutOfRange::Kind::weights, "their sum exceeds the largest number");
    sample.weights = weights_.data();
  }

  // Of rows as their classes count, with both factors.
  struct ClassWeightFacts {
    Sizes sizes;
    double total = 0.0;
    bool too_small = false;  // some are, for a double

    void add(double weight, bool plain) {
      too_small = too_small || (!plain && !(weight >= DBL_MIN));
      sizes.add(weight);
      total += weight;
    }
    ClassWeightFacts& operator+=(const ClassWeightFacts& x) {
      sizes += x.sizes;
      total += x.total;
      too_small = too_small || x.too_small;
      return *this;
    }
  };

  // The weight of a row by its class, and entropies of the smallest shares, which grow without
  // bound below q = 0.
  static void check_classes(const Problem& problem, Team& team) {
    const ClassFactors& factors = problem.factors;
    const bool plain = factors.plain();
    const auto look = [&](std::size_t first, std::size_t end) {
      ClassWeightFacts out;
      for (std::size_t i = first; i < end; ++i) {
        const auto s = static_cast<std::size_t>(problem.response.code[problem.sample.row(i)] - 1);
        const double w = problem.sample.weight(i);
        out.add(w * factors.prior_of(s), plain);
        out.add(w * factors.split_of(s), plain);
      }
      return out;
    };
    // With neither weights nor factors, every row counts 1, twice.
    const bool ones = plain && !problem.sample.weights && !problem.sample.own;
    const auto rows = static_cast<double>(problem.sample.size);
    const ClassWeightFacts facts = ones ? ClassWeightFacts{{1.0, 1.0}, 2 * rows}
                                        : sum_over(problem.sample.size, 1, team, look);
    if (facts.too_small) {
      throw OutOfRange(OutOfRange::Kind::weights,
                       "one multiplied by its class weight is too small compared with the largest");
    }
    if (!std::isfinite(facts.total)) {
      throw OutOfRange(OutOfRange::Kind::weights,
                       "one multiplied by its class weight is too large");
    }
    const double q = make_criterion(problem.criterion, problem.parameter, 1.0, 1.0)->kernel().q();
    constexpr double most_digits = 280.0;
    if (q < 0.0 && -q * std::log10(facts.total / facts.sizes.least) > most_digits) {
      throw OutOfRange(OutOfRange::Kind::parameter,
                       "entropies of small shares exceed the largest number");
    }
  }

  void scale_numbers(Problem& problem, Team& team) {
    Response& response = problem.response;
    const Sample& sample = problem.sample;
    const Sizes sizes =
        sizes_of(sample, team, [&](std::size_t i) { return response.number[sample.row(i)]; });
    number_ = sizes.exponent(ordinary_number);
    if (number_ == 0) return;
    if (!sizes.exact(number_))
      throw OutOfRange(OutOfRange::Kind::response, "some are too small compared with the largest");
    gain_ = number_ * std::visit([](auto criterion) { return decltype(criterion)::power; },
                                 pick_regression(problem.criterion));
    numbers_.assign(problem.frame.n_rows, 0.0);
    for (std::size_t i = 0; i < sample.size; ++i) {
      const std::size_t row = sample.row(i);
      numbers_[row] = std::ldexp(response.number[row], number_);
    }
    response.number = numbers_.data();
  }

  int weight_ = 0, number_ = 0, gain_ = 0;  // the exponents
  std::vector<double> weights_, numbers_;
};

}  // namespace tectree
