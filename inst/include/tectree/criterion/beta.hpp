// beta-entropy of a partition [S] Simovici: H_b = S_b (1-b) / (2^(1-b) - 1), a positive multiple of
// the Tsallis entropy; b -> 1 is Shannon in bits, b = 2 twice the Gini index.
#pragma once

#include "contract.hpp"

namespace tectree {

class Beta : public Criterion {
 public:
  static CriterionInfo info() {
    CriterionInfo i;
    i.name = "beta";
    i.parameter = "beta";
    i.least = 0.0;
    i.open = true;
    i.usual = 2.0;
    i.cut = "score";
    i.eligible = "all";
    i.score = "H_b(D) - sum (n_j/n)^b H_b(D_j)";
    i.units = "bits at beta = 1";
    i.reference = "Simovici, Decision Trees II";
    return i;
  }
  Beta(double b, double largest, double smallest)
      : Criterion(Kernel(b, largest, smallest)), unit_(bits(b)) {}
  Form form() const override { return Form::power; }
  double unit() const override { return unit_; }
  double impurity(const double* counts, int k, double n) const override {
    return unit_ * kernel_.entropy(counts, k, n);
  }
  Measures measure(const Partition& p) const override {
    const double gain = unit_ * p.share * (entropy_of(kernel_, p) - power_conditional(kernel_, p));
    return {gain, gain, gain};
  }

 private:
  static double bits(double b) {
    const double ln2 = std::log(2.0);
    return b == 1.0 ? 1.0 / ln2 : (1.0 - b) / std::expm1((1.0 - b) * ln2);
  }
  double unit_;
};

}  // namespace tectree
