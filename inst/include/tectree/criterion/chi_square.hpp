// Criteria that score a split by the p value of a test of classes by branches, as CHAID does (Kass
// 1980). search/chaid/ adjusts the p value if the number of divisions considered is known.
#pragma once

#include "association.hpp"
#include "contract.hpp"

namespace tectree {

// A criterion of this family must name its test; gains are those of its entropy.
class TestBase : public Criterion {
 public:
  TestBase(TestBy by, double q, double largest, double smallest)
      : Criterion(Kernel(q, largest, smallest)), by_(by) {}
  Form form() const override { return Form::linear; }
  bool pure_is_best() const override { return false; }
  TestBy test_by() const { return by_; }
  Measures measure(const Partition& p) const override {
    CountTable table;
    table.start(static_cast<std::size_t>(p.k));
    for (int j = 0; j < p.branches(); ++j) {
      if (p.size[j] > 0.0) table.add(p.branch(j));
    }
    const double worth = table.test(by_).worth();
    return {worth, gain(p), worth};
  }
  double gain(const Partition& p) const {
    return unit() * p.share * (entropy_of(kernel_, p) - linear_conditional(kernel_, p));
  }

 protected:
  TestBy by_;
};

class ChiSquare : public TestBase {
 public:
  static CriterionInfo info() {
    return {"chisq",   "score",    "all", "-log10 p of Pearson's chi-square, adjusted",
            "no unit", "Kass 1980"};
  }
  ChiSquare(double, double largest, double smallest)
      : TestBase(TestBy::pearson, 2.0, largest, smallest) {}
};

class LikelihoodRatio : public TestBase {
 public:
  static CriterionInfo info() {
    return {"chisq_lr", "score",
            "all",      "-log10 p of the likelihood-ratio chi-square, adjusted",
            "no unit",  "Biggs, de Ville & Suen 1991"};
  }
  LikelihoodRatio(double, double largest, double smallest)
      : TestBase(TestBy::likelihood, 1.0, largest, smallest) {}
  double unit() const override { return 1.0 / std::log(2.0); }
  double impurity(const double* counts, int k, double n) const override {
    return kernel_.entropy(counts, k, n) / std::log(2.0);
  }
};

// For ordered classes.
class RowEffects : public LikelihoodRatio {
 public:
  static CriterionInfo info() {
    return {"row_effects", "score",
            "all",         "-log10 p of the row effects model against independence, adjusted",
            "no unit",     "Goodman 1979; Magidson 1992"};
  }
  RowEffects(double parameter, double largest, double smallest)
      : LikelihoodRatio(parameter, largest, smallest) {
    by_ = TestBy::row_effects;
  }
};

}  // namespace tectree
