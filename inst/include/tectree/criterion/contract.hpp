// Room criterion/: what makes a split good. One header per family of criteria; registry.hpp lists
// them.
//
// A criterion for classes scores one whole partition of a node: the class counts of every branch.
// It never owns a scan. `cut` chooses the split that represents a column, `eligible` says which
// columns compete, `score` chooses among them; `gain` must be positive.
//
// It derives from Criterion and has
//   info()                       its CriterionInfo, from which R's list of criteria comes
//   C(parameter, largest, smallest)
//                                constructor for a sample: its total weight, its smallest weight
//   form()                       the algebraic form of its cut measure over the kernel's sums; a
//                                scan, which visits many partitions that differ by a row, uses it
//                                instead of a virtual call
//   measure(partition)           the Measures of a split
// and may override the defaults of Criterion.
#pragma once

#include <cmath>
#include <string>
#include <type_traits>
#include <vector>

#include "../base/contract.hpp"
#include "../tally/kernel.hpp"

namespace tectree {

// The known rows of one node, split: counts[j * k + s] rows of class s in branch j, all branches
// non-empty.
struct Partition {
  int k = 0;                  // declared classes
  std::vector<double> total;  // by class
  double n = 0.0;
  std::vector<double> counts;
  std::vector<double> size;  // by branch
  double share = 1.0;        // of the node's weight with a value: gains are multiplied by it
  double unknown = 0.0;      // weight of one more group in an entropy of branch sizes

  int branches() const { return static_cast<int>(size.size()); }
  const double* branch(int j) const { return counts.data() + static_cast<std::size_t>(j) * k; }

  void start(int classes) {
    k = classes;
    total.assign(k, 0.0);
    counts.clear();
    size.clear();
    n = unknown = 0.0;
    share = 1.0;
  }
  void add(const double* branch_counts, double weight) {
    counts.insert(counts.end(), branch_counts, branch_counts + k);
    size.push_back(weight);
    for (int s = 0; s < k; ++s) total[s] += branch_counts[s];
    n += weight;
  }

  // What the branch tells about the class of a row, in nats, whatever the criterion.
  double information() const {
    double sum = 0.0;
    for (int j = 0; j < branches(); ++j) {
      for (int s = 0; s < k; ++s) {
        const double here = branch(j)[s];
        if (here > 0.0) sum += here * std::log(here / size[j] * (n / total[s]));
      }
    }
    return sum / n;
  }
};

struct Measures {
  double cut = 0.0, gain = 0.0, score = 0.0;

  // A split is unusable if one of its numbers left the range of a double.
  bool finite() const { return std::isfinite(cut) && std::isfinite(gain) && std::isfinite(score); }
  // A score is the gain, or the gain divided by something, so all three shrink by the same factor.
  Measures times(double factor) const { return {cut * factor, gain * factor, score * factor}; }
};

// L = sum_j alpha(n_j) (phi(n_j) - B_j); P the same without alpha; T = phi(n) - sum_j phi(n_j).
enum class Form {
  linear,  // -L: entropies of the branches weighted by n_j / n
  power,   // -P: weighted by (n_j / n)^q
  ratio    // (S - L/n) / (T/n^q)
};

// `own`: the criterion's default rule.
enum class Eligible { own, all, mean, mean_sd };

// What R shows about a criterion and checks arguments against; the registry collects these.
struct CriterionInfo {
  std::string name, cut, eligible, score, units, reference;
  bool classification = true;
  std::string parameter{};  // empty if it has none
  double usual = 0.0;       // default of the parameter
  double least = 0.0;       // the parameter's domain: above `least`, or from it if not `open`
  bool open = true;
};

class Criterion {
 public:
  virtual ~Criterion() = default;
  virtual Form form() const = 0;
  virtual Eligible eligible() const { return Eligible::all; }
  // Whether the score is the cut measure: then only the columns close to the best cut need exact
  // scores.
  bool score_is_cut() const { return eligible() == Eligible::all; }
  // Whether the score of a split in two is the cut measure times a constant. Then the best cut wins
  // under any rule of eligibility, since all of them admit it.
  virtual bool best_cut_wins() const { return score_is_cut(); }
  virtual Measures measure(const Partition& p) const = 0;
  // The score per unit of the cut measure, for a cut in two with this entropy of its sizes, in
  // units of S_q.
  virtual double score_per_cut(double /*split_entropy*/, int /*classes*/) const { return 1.0; }
  // Whether no split measures or scores more than one into two pure branches, which has the largest
  // possible gain: then no column after one with such a split can win.
  virtual bool pure_is_best() const { return form() != Form::ratio; }
  virtual double impurity(const double* counts, int k, double n) const {
    return unit() * kernel_.entropy(counts, k, n);
  }

  // The value of one unit of the kernel's S_q in the criterion's own units.
  virtual double unit() const { return 1.0; }

  const Kernel& kernel() const { return kernel_; }
  // With linear weights, q > 0 and two classes, the best grouping of levels is a cut of their order
  // by class share (Breiman et al. 1984, theorem 4.5; for any concave entropy).
  bool linear() const {
    return form() == Form::linear || (form() == Form::power && kernel_.q() == 1.0);
  }
  bool concave() const { return kernel_.q() > 0.0; }

 protected:
  explicit Criterion(Kernel kernel) : kernel_(kernel) {}
  Kernel kernel_;
};

template <class C>
constexpr bool is_criterion() {
  static_assert(std::is_base_of_v<Criterion, C>,
                "a criterion for classes must derive from Criterion");
  static_assert(meets<C&>(TECTREE_CAN(c, CriterionInfo{c.info()})),
                "a criterion for classes must have info(), a CriterionInfo");
  static_assert(!std::is_abstract_v<C>,
                "a criterion for classes must have form() and measure(partition)");
  static_assert(
      std::is_constructible_v<C, double, double, double>,
      "a criterion for classes must be constructible from its parameter, the largest and the "
      "smallest weight");
  return true;
}

// ---- sums used by the criteria ------------------------------------------------------------------

inline double entropy_of(const Kernel& kernel, const Partition& p) {
  return kernel.entropy(p.total.data(), p.k, p.n);
}

// sum_j (n_j/n) S_q(D_j)
inline double linear_conditional(const Kernel& kernel, const Partition& p) {
  double sum = 0.0;
  for (int j = 0; j < p.branches(); ++j)
    sum += p.size[j] / p.n * kernel.entropy(p.branch(j), p.k, p.size[j]);
  return sum;
}

// sum_j (n_j/n)^q S_q(D_j)
inline double power_conditional(const Kernel& kernel, const Partition& p) {
  double sum = 0.0;
  for (int j = 0; j < p.branches(); ++j) {
    sum += std::pow(p.size[j] / p.n, kernel.q()) * kernel.entropy(p.branch(j), p.k, p.size[j]);
  }
  return sum;
}

// S_q(n_1/n, ..., n_g/n), with the unknown rows as one more group if they count as one
inline double split_entropy(const Kernel& kernel, const Partition& p) {
  if (p.unknown > 0.0) {
    std::vector<double> sizes = p.size;
    sizes.push_back(p.unknown);
    return kernel.entropy(sizes.data(), p.branches() + 1, p.n + p.unknown);
  }
  return kernel.entropy(p.size.data(), p.branches(), p.n);
}

}  // namespace tectree
