// The criteria that cut by the information gain in bits: ID3, C4.5, and the two families of [OG]
// Osei-Bryson & Giles. CAMI, the mutual information of class and attribute, is another name for the
// information gain; the rules differ in eligibility and in the divisor of the gain.
#pragma once

#include <algorithm>

#include "contract.hpp"

namespace tectree {

class BitsBase : public Criterion {
 public:
  BitsBase(double, double largest, double smallest) : Criterion(Kernel(1.0, largest, smallest)) {}
  Form form() const override { return Form::linear; }
  double unit() const override { return 1.0 / std::log(2.0); }
  double impurity(const double* counts, int k, double n) const override {
    return kernel_.entropy(counts, k, n) / std::log(2.0);
  }
  Measures measure(const Partition& p) const override {
    const double ln2 = std::log(2.0);
    const double gain = p.share * (entropy_of(kernel_, p) - linear_conditional(kernel_, p)) / ln2;
    const double by = divisor(p);
    // Without class entropy there is nothing to gain, and nothing to divide by.
    return {gain, gain, by > 0.0 ? gain / by : 0.0};
  }

 protected:
  virtual double divisor(const Partition&) const { return 1.0; }
};

class Shannon : public BitsBase {
 public:
  static CriterionInfo info() {
    return {"shannon", "score", "all", "IG", "bits", "Quinlan 1986 (ID3)"};
  }
  using BitsBase::BitsBase;
};

class CondEntropy : public BitsBase {
 public:
  static CriterionInfo info() {
    return {"cond_entropy", "score",
            "all",          "H(Class) - H(Class | a)",
            "bits",         "Osei-Bryson & Giles 2002"};
  }
  using BitsBase::BitsBase;
};

class Cami : public BitsBase {
 public:
  static CriterionInfo info() {
    return {"cami", "score",
            "all",  "sum p_js log2(p_js / (p_j p_s))",
            "bits", "Osei-Bryson & Giles 2002"};
  }
  using BitsBase::BitsBase;
};

class GainRatio : public BitsBase {
 public:
  static CriterionInfo info() {
    return {"gain_ratio", "IG", "mean", "IG / SI", "bits", "Quinlan 1993 (C4.5)"};
  }
  using BitsBase::BitsBase;
  Eligible eligible() const override { return Eligible::mean; }
  double score_per_cut(double split_entropy, int) const override {
    return 1.0 / (split_entropy * unit());
  }

 protected:
  double divisor(const Partition& p) const override {
    return split_entropy(kernel_, p) / std::log(2.0);
  }
};

class Cair : public BitsBase {
 public:
  static CriterionInfo info() {
    return {
        "cair", "CAMI", "mean", "CAMI / max(log2 K, log2 g)", "bits", "Osei-Bryson & Giles 2002"};
  }
  using BitsBase::BitsBase;
  Eligible eligible() const override { return Eligible::mean; }
  bool best_cut_wins() const override { return true; }
  double score_per_cut(double, int classes) const override {
    return 1.0 / std::log2(std::max(classes, 2));
  }

 protected:
  double divisor(const Partition& p) const override {
    return std::log2(std::max(p.k, p.branches()));
  }
};

// SupCAMI, the maximum of CAMI with g branches: the split information if g <= K, as with two
// branches, otherwise the class entropy.
class EffCami0 : public GainRatio {
 public:
  static CriterionInfo info() {
    return {"effcami0", "CAMI", "mean", "CAMI / SupCAMI(g)", "bits", "Osei-Bryson & Giles 2002"};
  }
  using GainRatio::GainRatio;

 protected:
  double divisor(const Partition& p) const override {
    return p.branches() <= p.k ? GainRatio::divisor(p) : impurity(p.total.data(), p.k, p.n);
  }
};

class EffCami1 : public EffCami0 {
 public:
  static CriterionInfo info() {
    CriterionInfo i = EffCami0::info();
    i.name = "effcami1";
    i.eligible = "mean_sd";
    return i;
  }
  using EffCami0::EffCami0;
  Eligible eligible() const override { return Eligible::mean_sd; }
};

}  // namespace tectree
