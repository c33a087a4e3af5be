// The Tsallis family: one q, three ways to weigh the branches. Gini is q = 2.
// [TEC] Wang, Song & Xia, eqs. 11, 13, 16, 21.
#pragma once

#include "contract.hpp"

namespace tectree {

class TsallisBase : public Criterion {
 public:
  double impurity(const double* counts, int k, double n) const override {
    return kernel_.entropy(counts, k, n);
  }

 protected:
  using Criterion::Criterion;
  static CriterionInfo info(const char* name, const char* score, const char* reference) {
    CriterionInfo i;
    i.name = name;
    i.parameter = "q";
    i.least = -HUGE_VAL;
    i.open = true;
    i.usual = 1.0;
    i.cut = "score";
    i.eligible = "all";
    i.score = score;
    i.units = "nats at q = 1";
    i.reference = reference;
    return i;
  }
};

class Tsallis : public TsallisBase {
 public:
  static CriterionInfo info() {
    return TsallisBase::info("tsallis", "S_q(D) - sum n_j/n S_q(D_j)", "Wang, Song & Xia, eq. 16");
  }
  Tsallis(double q, double largest, double smallest) : TsallisBase(Kernel(q, largest, smallest)) {}
  Form form() const override { return Form::linear; }
  Measures measure(const Partition& p) const override {
    const double gain = p.share * (entropy_of(kernel_, p) - linear_conditional(kernel_, p));
    return {gain, gain, gain};
  }
};

class Gini : public Tsallis {
 public:
  static CriterionInfo info() {
    CriterionInfo i = TsallisBase::info("gini", "tsallis with q = 2", "Breiman et al. 1984");
    i.parameter = "";
    i.units = "probability";
    return i;
  }
  Gini(double, double largest, double smallest) : Tsallis(2.0, largest, smallest) {}
};

class TsallisRatio : public TsallisBase {
 public:
  static CriterionInfo info() {
    return TsallisBase::info("tsallis_ratio", "tsallis / S_q(n_1/n, ..., n_g/n)",
                             "Wang, Song & Xia, eq. 21");
  }
  TsallisRatio(double q, double largest, double smallest)
      : TsallisBase(Kernel(q, largest, smallest)) {}
  Form form() const override { return Form::ratio; }
  Measures measure(const Partition& p) const override {
    const double gain = p.share * (entropy_of(kernel_, p) - linear_conditional(kernel_, p));
    const double ratio = gain / split_entropy(kernel_, p);
    return {ratio, gain, ratio};
  }
};

class TsallisMutual : public TsallisBase {
 public:
  static CriterionInfo info() {
    return TsallisBase::info("tsallis_mutual", "S_q(D) - sum (n_j/n)^q S_q(D_j)",
                             "Wang, Song & Xia, eqs. 11, 13");
  }
  TsallisMutual(double q, double largest, double smallest)
      : TsallisBase(Kernel(q, largest, smallest)) {}
  Form form() const override { return Form::power; }
  Measures measure(const Partition& p) const override {
    const double gain = p.share * (entropy_of(kernel_, p) - power_conditional(kernel_, p));
    return {gain, gain, gain};
  }
};

// Of a partition [S] Simovici: H_b = S_b (1-b) / (2^(1-b) - 1), a positive multiple of the Tsallis
// entropy; b -> 1 is Shannon in bits, b = 2 twice the Gini index.
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
