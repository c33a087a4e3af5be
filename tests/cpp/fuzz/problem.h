// Bytes as a problem of the roads: data, weights, missing values and settings.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "fuzz/bytes.h"
#include "roads/problem.h"

namespace fuzz {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

// `wild`: numbers and weights may be any double.
class ProblemOfBytes {
 public:
  ProblemOfBytes(Bytes& in, bool wild) : in_(in), wild_(wild) {}

  roads::Case make() {
    n_ = static_cast<std::size_t>(2 + in_.below(in_.seldom() ? 200 : 40));
    classes_ = in_.one_of({0, 2, 2, 3, 4, 6, 1, 0});
    absolute_ = in_.flag();
    const int p = in_.between(1, 4);
    out_.seed = 8u * static_cast<std::uint64_t>(in_.byte());  // every road takes it
    choose_criterion();
    choose_control();
    const int weights = in_.below(8);
    add_columns(p);
    add_response();
    add_weights(weights);
    return std::move(out_);
  }

 private:
  using Control = tectree::SearchControl;

  void choose_criterion() {
    auto& s = out_.setting;
    if (classes_ == 0) {
      s.criterion = absolute_ ? "l1" : "l2";
      return;
    }
    const std::vector<tectree::CriterionInfo> all = tectree::all_criteria();
    s.criterion = all[static_cast<std::size_t>(in_.below(static_cast<int>(all.size())))].name;
    if (s.criterion[0] == 'l') s.criterion = "gini";  // those of numbers
    s.parameter = in_.one_of({0.3, 0.5, 1.0, 1.2, 1.5, 2.0, 3.0, 8.0});
  }

  void choose_control() {
    auto& s = out_.setting;
    s.control.min_bucket = in_.one_of({1.0, 1.0, 1.5, 2.0, 3.0, 7.0});
    s.stop.min_split = s.control.min_bucket * in_.between(1, 3);
    s.stop.max_depth = in_.flag() ? HUGE_VAL : in_.between(1, 9);
    if (in_.seldom()) s.stop.max_leaves = in_.between(2, 20);
    s.control.min_gain = in_.one_of({0.0, 0.0, 0.0, -HUGE_VAL, 0.01});
    s.control.nominal = static_cast<Control::Nominal>(in_.below(3));
    s.control.free_levels = in_.one_of({HUGE_VAL, 2.0});
    s.control.eligible = static_cast<tectree::Eligible>(in_.one_of({0, 0, 0, 1, 2, 3}));
    s.control.intervals = in_.one_of({2, 2, 2, 3, 4});
    const int rules = in_.below(8);
    out_.missing =
        in_.one_of<const char*>({"majority", "drop", "mode", "surrogate", "fractional", "learned"});
    const bool learned = out_.missing == "learned";
    if (classes_ > 0 && rules == 1 && !learned) s.control.rules = Control::Rules::c45;
    const bool tests = s.criterion.rfind("chisq", 0) == 0 || s.criterion == "row_effects";
    if (tests) s.control.rules = Control::Rules::exact;
    if ((tests || s.criterion == "l2") && rules >= 6 && !learned) {
      s.control.rules = rules == 6 ? Control::Rules::chaid : Control::Rules::chaid_exhaustive;
      s.control.intervals = 4;
      s.control.alpha_split = in_.one_of({0.05, 0.5, 1.0});
      s.control.alpha_resplit = in_.one_of({0.0, 0.04});
      if (in_.flag()) out_.missing = "category";
    }
    // Parts of rows multiply.
    if (out_.missing == "fractional") s.stop.max_depth = std::min(s.stop.max_depth, 6.0);
    if (out_.missing == "surrogate" && in_.flag()) out_.undecided = tectree::UnknownRows::stop;
    out_.small = static_cast<std::size_t>(in_.between(2, 60));
    if (in_.seldom()) {
      s.control.max_columns = static_cast<std::size_t>(in_.below(3));
      s.control.random_ties = in_.flag();
    }
  }

  double value() {
    if (!wild_) return in_.small();
    const double out = in_.any_double();
    return std::isnan(out) ? none : out;
  }

  void add_columns(int p) {
    for (int c = 0; c < p; ++c) {
      const int kind = in_.below(4), levels = kind < 2 ? 0 : in_.between(1, 6);
      const int missing = in_.flag() ? in_.byte() / 3 : 0;  // of 256 values
      std::vector<double> x(n_);
      for (double& v : x) {
        v = levels > 0 ? in_.between(1, levels) : value();
        if (missing > 0 && in_.byte() < missing) v = none;
      }
      out_.table.add(kind < 2    ? tectree::Kind::numeric
                     : kind == 2 ? tectree::Kind::nominal
                                 : tectree::Kind::ordered,
                     levels, std::move(x));
    }
  }

  void add_response() {
    out_.table.n_classes = classes_;
    for (std::size_t i = 0; i < n_; ++i) {
      if (classes_ > 0) {
        out_.table.y.push_back(in_.between(1, classes_));
        continue;
      }
      const double y = value();
      out_.table.number.push_back(std::isfinite(y) ? y : 0.0);
    }
  }

  double weight() {
    if (!wild_) return (1 + in_.byte()) / 16.0;
    const double w = std::fabs(in_.any_double());
    return w > 0.0 && std::isfinite(w) ? w : 1.0;
  }

  void add_weights(int kind) {
    auto& t = out_.table;
    for (std::size_t i = 0; i < n_ && (kind == 5 || kind == 6); ++i)
      t.weight.push_back(kind == 5 ? in_.between(1, 4) : weight());
    if (!t.weight.empty() && in_.flag()) t.size.assign(n_, 1.0);
    for (int s = 0; s < classes_ && kind == 7; ++s) {
      out_.factors.prior.push_back(in_.between(1, 8) / 4.0);
      out_.factors.split.push_back(in_.between(1, 8) / 4.0);
    }
    for (int i = 0; i < classes_ * classes_ && kind == 4; ++i)
      out_.loss.cost.push_back(i % (classes_ + 1) == 0 ? 0.0 : in_.between(1, 5));
  }

  Bytes& in_;
  bool wild_, absolute_ = false;
  roads::Case out_;
  std::size_t n_ = 0;
  int classes_ = 0;
};

}  // namespace fuzz
