// Random problems that combine sizes, classes, kinds of columns, criteria, weights and missing
// values: the same for a seed on every machine.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "roads/columns.h"

namespace roads {

using tectree::SearchControl;

class Generator : private Columns {
 public:
  explicit Generator(std::uint64_t seed) : Columns(seed * 2654435761u + 17) { case_.seed = seed; }

  // `rows`: approximately.
  Case make(std::size_t rows) {
    n_ = rows - static_cast<std::size_t>(random_.below(static_cast<int>(rows / 8 + 1)));
    if (rows > 17000 && random_.chance(0.15))
      n_ = 16384 + static_cast<std::size_t>(random_.below(3)) - 1;
    choose_response();
    add_columns();
    add_response();
    choose_criterion();
    choose_control();
    add_weights();
    draw_at_random();
    return std::move(case_);
  }

  // Few rows, for the oracle, which does not draw at random.
  Case make_small() {
    small_ = true;
    const double u = random_.uniform();
    n_ = static_cast<std::size_t>(u < 0.88   ? random_.between(2, 18)
                                  : u < 0.98 ? random_.between(19, 40)
                                             : random_.between(41, 100));
    choose_response();
    add_columns();
    add_response();
    choose_criterion();
    choose_control();
    choose_surrogates();
    add_weights();
    return std::move(case_);
  }

  // The first column and some others separate two classes, and rows times columns are worth
  // sharing: the first must win, whichever thread finishes first.
  Case make_tied() {
    n_ = 3000;
    classes_ = 2;
    const std::size_t p = 8;
    add_ties(p);
    choose_criterion();
    case_.setting.control.min_bucket = random_.between(1, 30);
    return std::move(case_);
  }

 private:
  void add_ties(std::size_t p) {
    Table& t = case_.table;
    t.n_classes = classes_;
    case_.ties = true;
    for (std::size_t i = 0; i < n_; ++i) t.y.push_back(random_.between(1, 2));
    const std::size_t another =
        1 + static_cast<std::size_t>(random_.below(static_cast<int>(p) - 1));
    for (std::size_t c = 0; c < p; ++c) {
      if (c == 0 || c == another || random_.chance(0.3)) {
        add_perfect();
      } else {
        add_column(static_cast<Values>(random_.below(kinds_of_values)), 0.0);
      }
    }
  }

  void choose_response() {
    const int task = random_.below(10);
    classes_ = task >= 8 ? 0
               : small_  ? one_of({2, 2, 2, 3, 3, 4, 6, 1})
                         : one_of({2, 3, 4, 5, 6, 8, 12, 2, 3, 4, 20, 40});
    absolute_ = task == 9;
  }

  void add_columns() {
    const int p = large() ? random_.between(1, huge() ? 5 : 8) : random_.between(1, small_ ? 4 : 6);
    const bool alike = random_.chance(0.4);
    Values kind = static_cast<Values>(random_.below(kinds_of_values));
    const double holes = !random_.chance(0.4) ? 0.0
                         : small_             ? one_of({0.1, 0.3, 0.6, 0.9})
                                              : one_of({0.02, 0.2, 0.6});
    // Few incomplete columns are searched by value beside others on codes.
    const double holed = random_.chance(0.4) ? 0.25 : 0.6;
    for (int c = 0; c < p; ++c) {
      if (!alike) kind = static_cast<Values>(random_.below(kinds_of_values));
      const double missing = holes > 0.0 && random_.chance(holed) ? holes : 0.0;
      add_column(kind, missing);
    }
  }

  // A row's class depends on the sides of some columns that its values are on, and on chance.
  void add_response() {
    Table& t = case_.table;
    t.n_classes = classes_;
    const int sides = random_.between(0, 4);
    std::vector<std::size_t> column;
    std::vector<double> at;
    for (int i = 0; i < sides; ++i) {
      column.push_back(static_cast<std::size_t>(random_.below(static_cast<int>(t.x.size()))));
      at.push_back(
          t.x[column.back()][static_cast<std::size_t>(random_.below(static_cast<int>(n_)))]);
    }
    const double noise = one_of({0.0, 0.05, 0.2, 0.5});
    const bool rare = random_.chance(0.3);
    const double far = one_of({0.0, 0.0, 1e4}), spread = one_of({0.0, 0.1, 1.0});
    // Whole numbers and tenths tie very often.
    const double step = one_of({0.0, 0.0, 0.0, 1.0, 1.0, 0.1});
    for (std::size_t i = 0; i < n_; ++i) {
      int signal = 0;
      for (std::size_t j = 0; j < at.size(); ++j) signal = 2 * signal + (t.x[column[j]][i] > at[j]);
      if (classes_ > 0) {
        const double u = random_.uniform();
        const int chance = static_cast<int>((rare ? u * u * u : u) * classes_);
        t.y.push_back(1 + (sides == 0 || random_.chance(noise) ? chance : signal % classes_));
      } else {
        const double y = signal + spread * (random_.uniform() + random_.uniform());
        t.number.push_back(far + (random_.chance(noise / 4) ? 10 * y
                                  : step > 0.0              ? step * std::floor(4 * y)
                                                            : y));
      }
    }
  }

  void choose_criterion() {
    Setting& s = case_.setting;
    if (classes_ == 0) {
      s.criterion = absolute_ ? "l1" : "l2";
      return;
    }
    do {
      s.criterion = one_of<const char*>({"tsallis", "tsallis", "tsallis_ratio", "tsallis_mutual",
                                         "shannon", "gini", "gini", "gain_ratio", "gain_ratio",
                                         "cond_entropy", "cami", "cair", "effcami0", "effcami1",
                                         "beta", "chisq", "chisq_lr", "row_effects"});
    } while (small_ && by_test(s.criterion));
    s.parameter =
        one_of({0.3, 0.5, 1.0, 1.0001, 1.2, 1.5, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 8.0, -1.0, 0.0});
    if (s.criterion == "beta" && s.parameter <= 0.0) s.parameter = 1.7;
  }

  void choose_control() {
    Setting& s = case_.setting;
    s.control.min_bucket = small_ ? one_of({1.0, 1.0, 1.0, 1.5, 2.0, 3.0})
                                  : one_of({1.0, 1.0, 2.0, 3.0, 5.0, 7.0, 12.0, 20.0, 30.0});
    s.stop.min_split = s.control.min_bucket * one_of({1.0, 2.0, 3.0});
    s.stop.max_depth = random_.chance(0.5) ? HUGE_VAL : random_.between(1, 9);
    if (huge()) s.stop.max_depth = random_.between(2, 14);
    if (absolute_ && large()) s.stop.max_depth = random_.between(1, 5);
    if (random_.chance(0.15)) s.stop.max_leaves = random_.between(2, 40);
    s.control.min_gain = one_of({0.0, 0.0, 0.0, 0.0, -HUGE_VAL, 0.01});
    s.control.nominal = static_cast<SearchControl::Nominal>(random_.below(3));
    s.control.free_levels = random_.below(2) > 0 ? 3.0 : HUGE_VAL;
    if (random_.chance(0.2))
      s.control.eligible = static_cast<tectree::Eligible>(random_.between(1, 3));
    if (!large() && random_.chance(0.1)) s.control.intervals = random_.between(3, 4);
    if (classes_ > 0 && random_.chance(0.1)) s.control.rules = SearchControl::Rules::c45;
    case_.missing = one_of<const char*>(
        {"majority", "majority", "drop", "mode", "surrogate", "fractional", "learned", "learned"});
    if (case_.missing == "learned") s.control.rules = SearchControl::Rules::exact;
    if (!small_) choose_tests();
    limit_shared_out_rows();
    case_.small = static_cast<std::size_t>(
        random_.between(16, static_cast<int>(std::min<std::size_t>(n_ / 2 + 16, 5000))));
  }

  static bool by_test(const std::string& criterion) {
    return criterion.rfind("chisq", 0) == 0 || criterion == "row_effects";
  }

  // CHAID's rules, and p values that a split must reach.
  void choose_tests() {
    Setting& s = case_.setting;
    const bool tests = by_test(s.criterion);
    if (tests) s.control.rules = SearchControl::Rules::exact;
    if ((tests || s.criterion == "l2") && case_.missing != "learned" && random_.chance(0.3)) {
      s.control.rules = random_.chance(0.5) ? SearchControl::Rules::chaid
                                            : SearchControl::Rules::chaid_exhaustive;
      s.control.intervals = random_.between(3, 8);
      s.control.alpha_split = one_of({0.05, 0.5, 1.0});
      s.control.alpha_resplit = one_of({0.0, 0.04});
      if (random_.chance(0.5)) case_.missing = "category";
    }
    if (!random_.chance(0.1)) return;
    s.stop.max_p = one_of({0.001, 0.05, 0.5});
    if (!large() && random_.chance(0.5)) s.stop.permutations = 19;
  }

  // Each split of a column with missing values divides its rows into parts, which multiply.
  void limit_shared_out_rows() {
    if (case_.missing != "fractional" || !case_.has_missing()) return;
    Setting& s = case_.setting;
    s.stop.max_depth = std::min(s.stop.max_depth, huge() ? 3.0 : large() ? 5.0 : 8.0);
    s.stop.min_split = std::max(s.stop.min_split, 4.0);
    s.control.min_bucket = std::max(s.control.min_bucket, 2.0);
  }

  void choose_surrogates() {
    case_.surrogates.most = one_of({5, 5, 1, 0});
    case_.surrogates.used = random_.chance(0.8);
    case_.surrogates.of_known = random_.chance(0.3);
    if (random_.chance(0.3)) case_.undecided = tectree::UnknownRows::stop;
  }

  void draw_at_random() {
    if (!random_.chance(0.12)) return;
    tectree::SearchControl& control = case_.setting.control;
    control.max_columns = static_cast<std::size_t>(random_.below(4));
    control.random_ties = random_.chance(0.5);
    control.random_cuts = random_.chance(0.4) && control.intervals == 2 &&
                          control.rules == tectree::SearchControl::Rules::exact;
  }

  // In most cases each row is one.
  void add_sizes() {
    Table& t = case_.table;
    if (t.weight.empty() || !random_.chance(0.6)) return;
    const bool differ = random_.chance(0.3);
    for (std::size_t i = 0; i < n_; ++i) t.size.push_back(differ ? random_.between(1, 3) : 1);
  }

  void add_weights() {
    Table& t = case_.table;
    const int kind = huge() ? 0 : small_ ? random_.between(10, 19) : random_.below(20);
    if (kind == 17) {
      for (std::size_t i = 0; i < n_; ++i) t.weight.push_back(random_.between(1, 4));
    } else if (kind == 18 || (kind == 19 && random_.chance(0.4))) {
      for (std::size_t i = 0; i < n_; ++i) t.weight.push_back(random_.between(1, 40) / 16.0 + 0.1);
    }
    add_sizes();
    if (classes_ == 0) return;
    if (kind == 19) {
      for (int s = 0; s < classes_; ++s) {
        const double size =
            small_ && random_.chance(0.3) ? std::pow(10.0, random_.between(-2, 2)) : 1;
        case_.factors.prior.push_back(size * random_.between(1, 8) / 4.0);
        case_.factors.split.push_back(size * random_.between(1, 8) / 4.0);
      }
    }
    if (random_.chance(0.1)) {
      for (int i = 0; i < classes_ * classes_; ++i)
        case_.loss.cost.push_back(i % (classes_ + 1) == 0 ? 0.0 : random_.between(1, 5));
    }
  }

  int classes_ = 0;
};

// A case for the oracle.
inline Case small_case(std::uint64_t seed) {
  Case out = Generator(seed ^ 0x6f7261636c65u).make_small();
  out.seed = seed;
  return out;
}

// The first cases of every hundred thousand are those of the C++ tests, most of them small, because
// sanitizers take time.
constexpr std::uint64_t block = 100000, quick_cases = 600;

// All sizes occur, the large ones seldom.
inline std::size_t rows_of_case(std::uint64_t seed) {
  const bool quick = seed % block < quick_cases;
  const std::uint64_t turn = quick ? seed % block : seed % 1000;
  const std::size_t rows[] = {60000, 20000, 3000, 300};
  const std::uint64_t until[2][4] = {{1, 5, 40, 160}, {1, 4, 34, 650}};
  for (int i = 0; i < 4; ++i) {
    if (turn < until[quick][i]) return rows[i];
  }
  return 40;
}

inline Case random_case(std::uint64_t seed) {
  if (seed % 500 == 17) return Generator(seed).make_tied();
  return Generator(seed).make(rows_of_case(seed));
}

}  // namespace roads
