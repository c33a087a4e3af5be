// Random problems whose values, weights and settings may be any double: either the numbers in the
// tree are finite, or an error says what is out of range.
#pragma once

#include <tectree/grow/after/list_candidates.hpp>
#include <tectree/grow/safe_scale.hpp>
#include <tectree/predict/predictor.hpp>

#include <cmath>
#include <exception>
#include <limits>
#include <string>
#include <vector>

#include "roads/generate.h"
#include "support/extremes.h"

namespace roads {

class ExtremeGenerator {
 public:
  explicit ExtremeGenerator(std::uint64_t seed) : random_(seed * 40503u + 5) { case_.seed = seed; }

  Case make() {
    n_ = static_cast<std::size_t>(random_.between(2, random_.chance(0.1) ? 200 : 40));
    const int classes = random_.chance(0.7) ? random_.between(2, random_.chance(0.1) ? 9 : 4) : 0;
    add_columns();
    add_response(classes);
    choose_settings(classes);
    add_weights(classes);
    return std::move(case_);
  }

 private:
  // The numbers of a column, or of a problem, are of one kind: of some sizes, or of any.
  enum class Size { any, edges, denormal, huge, tiny, near_one, plain, two_sizes };
  Size random_size() { return static_cast<Size>(random_.below(8)); }

  double positive(Size size) {
    const double u = 0.5 + random_.uniform();
    switch (size) {
      case Size::any:
        return std::fabs(random_.any_double());
      case Size::edges:
        return std::fabs(random_.one_of(edges_));
      case Size::denormal:
        return random_.between(1, 50) * std::numeric_limits<double>::denorm_min();
      case Size::huge:
        return u * std::pow(10.0, random_.between(150, 307));
      case Size::tiny:
        return u * std::pow(10.0, -random_.between(150, 307));
      case Size::near_one:
        return 1.0 + random_.between(-5, 5) * std::numeric_limits<double>::epsilon();
      case Size::plain:
        return random_.between(1, 6);
      case Size::two_sizes:
        break;
    }
    return random_.chance(0.5) ? u * 1e-10 : u * 1e160;
  }
  double finite(Size size) {
    for (;;) {
      const double x = positive(size);
      if (std::isfinite(x)) return random_.chance(0.1) ? 0.0 : random_.chance(0.5) ? -x : x;
    }
  }
  double finite_positive(Size size) {
    for (;;) {
      const double x = positive(size);
      if (x > 0.0 && std::isfinite(x)) return x;
    }
  }

  void add_columns() {
    const int p = random_.between(1, 4);
    const double missing = random_.chance(0.3) ? 0.2 : 0.0;
    for (int c = 0; c < p; ++c) {
      const int levels = random_.chance(0.25) ? random_.between(1, 6) : 0;
      const Size size = random_size();
      std::vector<double> x(n_);
      for (double& v : x) {
        const double sign = random_.chance(0.5) ? -1.0 : 1.0;
        v = levels > 0 ? random_.between(1, levels) : sign * positive(size);
        if (random_.chance(missing)) v = std::numeric_limits<double>::quiet_NaN();
      }
      const Kind kind = levels == 0           ? Kind::numeric
                        : random_.chance(0.3) ? Kind::ordered
                                              : Kind::nominal;
      case_.table.add(kind, levels, std::move(x));
    }
  }

  void add_response(int classes) {
    Table& t = case_.table;
    t.n_classes = classes;
    const Size size = random_size();
    const bool few = random_.chance(0.4);
    const double two[] = {finite(size), finite(size)};
    for (std::size_t i = 0; i < n_; ++i) {
      if (classes > 0) {
        t.y.push_back(random_.between(1, classes));
      } else {
        t.number.push_back(few ? two[random_.below(2)] : finite(size));
      }
    }
  }

  double setting(double usual) {
    return random_.chance(0.7) ? usual : finite_positive(random_size());
  }

  void choose_settings(int classes) {
    Setting& s = case_.setting;
    const std::vector<tectree::CriterionInfo> all = tectree::all_criteria();
    do {
      s.criterion = all[static_cast<std::size_t>(random_.below(static_cast<int>(all.size())))].name;
    } while ((s.criterion[0] == 'l') != (classes == 0));
    s.parameter = random_.chance(0.3) ? random_.between(1, 40) / 10.0 : finite(random_size());
    if (random_.chance(0.2)) s.parameter = random_.one_of(parameters_);
    if (s.criterion == "beta" && !(s.parameter > 0.0)) s.parameter = finite_positive(Size::any);
    s.control.min_bucket = setting(random_.between(1, 3));
    s.stop.min_split = setting(random_.between(1, 5));
    s.control.min_gain = random_.chance(0.6)   ? 0.0
                         : random_.chance(0.3) ? -HUGE_VAL
                                               : finite(random_size());
    s.control.intervals = random_.chance(0.3) ? random_.between(3, 5) : 2;
    s.control.nominal = static_cast<SearchControl::Nominal>(random_.below(3));
    s.control.free_levels = random_.below(2) > 0 ? 2.0 : HUGE_VAL;
    s.control.eligible = static_cast<tectree::Eligible>(random_.below(4));
    if (classes > 0 && random_.chance(0.2)) s.control.rules = SearchControl::Rules::c45;
    if (random_.chance(0.2)) s.stop.max_leaves = random_.between(2, 10);
    s.stop.max_depth = random_.between(1, 6);
    const char* policies[] = {"majority", "drop", "mode", "surrogate", "fractional", "learned"};
    case_.missing = policies[random_.below(5)];
    case_.small = static_cast<std::size_t>(random_.between(2, 100));
  }

  void add_weights(int classes) {
    if (random_.chance(0.6)) {
      const Size size = random_size();
      const bool mixed = random_.chance(0.3);
      for (std::size_t i = 0; i < n_; ++i)
        case_.table.weight.push_back(finite_positive(mixed ? random_size() : size));
    }
    // R accepts factors and costs between 1e-100 and 1e100.
    const auto moderate = [&] { return std::pow(10.0, random_.between(-100, 100)); };
    if (classes > 0 && random_.chance(0.2)) {
      for (int s = 0; s < classes; ++s) {
        case_.factors.prior.push_back(moderate());
        case_.factors.split.push_back(moderate());
      }
      keep_total(case_.factors.prior);
      keep_total(case_.factors.split);
    }
    if (classes > 0 && random_.chance(0.2)) {
      for (int i = 0; i < classes * classes; ++i)
        case_.loss.cost.push_back(i % (classes + 1) == 0 ? 0.0 : moderate());
    }
  }

  // As in R: the weights sum to the number of rows.
  void keep_total(std::vector<double>& factors) {
    double with = 0.0, without = 0.0;
    for (std::size_t i = 0; i < n_; ++i) {
      const double w = std::ldexp(case_.table.w(i), -200);
      with += w * factors[static_cast<std::size_t>(case_.table.y[i] - 1)];
      without += w;
    }
    if (!(with > 0.0) || !std::isfinite(without / with)) return;
    for (double& f : factors) f *= without / with;
  }

  Random random_;
  Case case_;
  std::size_t n_ = 0;
  const std::vector<double> edges_ = support::extremes();
  const std::vector<double> parameters_{1.0 + 1e-16, 1.0 - 1e-16, 1.0 + 1e-9, 0.5,   1.5,
                                        -1.0,        0.0,         50.0,       -50.0, 700.0,
                                        1e3,         1e-3,        1e-12,      1e6};
};

inline std::string not_finite(const tectree::Tree& tree) {
  const std::pair<const char*, const std::vector<double>*> all[] = {
      {"n", &tree.n},        {"weight", &tree.weight}, {"prediction", &tree.yval},
      {"gain", &tree.gain},  {"score", &tree.score},   {"impurity", &tree.impurity},
      {"share", &tree.share}};
  for (const auto& [what, values] : all) {
    for (double v : *values) {
      if (!std::isfinite(v)) return std::string(what) + " is " + std::to_string(v);
    }
  }
  for (double b : tree.breaks) {
    if (std::isnan(b)) return "a threshold is NaN";
  }
  return "";
}

// Grows and uses a tree as R does; returns what is wrong with it, empty if nothing is.
inline std::string wrong_with(const Case& c, const Way& way) {
  try {
    Posed posed(c, way);
    tectree::Team team(1);
    const tectree::SafeScale scale(posed.problem, posed.stop, team);
    tectree::Tree tree = posed.grow();
    scale.undo(tree);
    const std::string said = not_finite(tree);
    if (!said.empty()) return said;
    tectree::check_tree(tree, posed.problem.frame.columns.size());
    std::vector<int> leaf(posed.problem.frame.n_rows);
    tectree::predict_leaves(tree, posed.problem.frame, leaf.data(), team);
    tectree::shared_rows(tree, posed.problem.frame, team);
    posed.problem.control.unknown = posed.missing().search;
    tectree::list_candidates(posed.problem, c.seed % 2 == 0, team);
  } catch (const tectree::OutOfRange&) {
    return "";
  } catch (const std::exception& error) {
    return std::string("throws: ") + error.what();
  }
  return "";
}

inline std::vector<std::pair<const char*, Way>> ways_of_extremes(const Case& c) {
  Way usual, wide, binned, plain;
  wide.sorted_only = true;
  wide.small = 0;
  binned.small = c.small;
  plain.simd = false;
  return {{"the usual one", usual}, {"32 bits", wide}, {"binned", binned}, {"without SIMD", plain}};
}

}  // namespace roads
