// The Tsallis family: one q, three ways to weight the branches. Gini is q = 2.
// [TEC] Wang, Song & Xia, eqs. 11, 13, 16, 21.
#pragma once

#include "contract.hpp"

namespace tectree {

class Tsallis : public Criterion {
 public:
  static CriterionInfo info() {
    return {"tsallis",
            "score",
            "all",
            "S_q(D) - sum n_j/n S_q(D_j)",
            "nats at q = 1",
            "Wang, Song & Xia, eq. 16",
            true,
            "q",
            1.0,
            -HUGE_VAL};
  }
  Tsallis(double q, double largest, double smallest) : Criterion(Kernel(q, largest, smallest)) {}
  Form form() const override { return Form::linear; }
  Measures measure(const Partition& p) const override {
    const double gain = p.share * (entropy_of(kernel_, p) - linear_conditional(kernel_, p));
    return {gain, gain, gain};
  }
};

class Gini : public Tsallis {
 public:
  static CriterionInfo info() {
    return {"gini", "score", "all", "tsallis with q = 2", "probability", "Breiman et al. 1984"};
  }
  Gini(double, double largest, double smallest) : Tsallis(2.0, largest, smallest) {}
};

class TsallisRatio : public Tsallis {
 public:
  static CriterionInfo info() {
    CriterionInfo i = Tsallis::info();
    i.name = "tsallis_ratio";
    i.score = "tsallis / S_q(n_1/n, ..., n_g/n)";
    i.reference = "Wang, Song & Xia, eq. 21";
    return i;
  }
  using Tsallis::Tsallis;
  Form form() const override { return Form::ratio; }
  Measures measure(const Partition& p) const override {
    const double gain = Tsallis::measure(p).gain, ratio = gain / split_entropy(kernel_, p);
    return {ratio, gain, ratio};
  }
};

class TsallisMutual : public Tsallis {
 public:
  static CriterionInfo info() {
    CriterionInfo i = Tsallis::info();
    i.name = "tsallis_mutual";
    i.score = "S_q(D) - sum (n_j/n)^q S_q(D_j)";
    i.reference = "Wang, Song & Xia, eqs. 11, 13";
    return i;
  }
  using Tsallis::Tsallis;
  Form form() const override { return Form::power; }
  Measures measure(const Partition& p) const override {
    const double gain = unit() * p.share * (entropy_of(kernel_, p) - power_conditional(kernel_, p));
    return {gain, gain, gain};
  }
};

// The entropy of a partition ([S] Simovici): H_b = S_b (1-b) / (2^(1-b) - 1), a positive multiple
// of the Tsallis entropy. b -> 1 is Shannon's in bits, b = 2 twice the Gini index.
class Beta : public TsallisMutual {
 public:
  static CriterionInfo info() {
    return {"beta",
            "score",
            "all",
            "H_b(D) - sum (n_j/n)^b H_b(D_j)",
            "bits at beta = 1",
            "Simovici, Decision Trees II",
            true,
            "beta",
            2.0,
            0.0};
  }
  Beta(double b, double largest, double smallest)
      : TsallisMutual(b, largest, smallest), unit_(bits(b)) {}
  double unit() const override { return unit_; }

 private:
  static double bits(double b) {
    const double ln2 = std::log(2.0);
    return b == 1.0 ? 1.0 / ln2 : (1.0 - b) / std::expm1((1.0 - b) * ln2);
  }
  double unit_;
};

}  // namespace tectree
