// Room tally/: weights of rows, and totals of rows: classes, sums, medians.
//
// phi: the function behind all classification criteria.
//
// With phi(c) = (c^q - k c) / (q - 1), for any constant k, and phi(0) = 0, the Tsallis entropy of
// counts n_s that sum to n is
//
//     S_q = (phi(n) - sum_s phi(n_s)) / n^q , (1)
//
// because the terms in k cancel. Near q = 1 the choice k = 1 keeps every digit: phi(c) = c
// expm1((q-1) ln c) / (q-1), whose limit is c ln c, and (1) becomes Shannon's entropy in nats. Far
// from it k = 0 does, where c^q may be far larger or smaller than c. At q = 2 phi is c^2, an
// integer: exact.
//
// Dividing all counts by one constant does not change (1). The constant keeps n^q inside the range
// of a double (q = 50 and 10^7 rows: 10^350), and fractional weights at or above 1 if both are
// possible.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "../base/team.hpp"
#include "../data/arena.hpp"

// TECTREE_APART: never inline. These functions compute a logarithm or a power, and the scans of
// weighted rows would contain many copies. TECTREE_ALWAYS: always inline, since a call would keep a
// scan's variables out of registers.
#if defined(__GNUC__)
#define TECTREE_APART __attribute__((noinline))
#define TECTREE_ALWAYS __attribute__((always_inline))
#else
#define TECTREE_ALWAYS
#define TECTREE_APART
#endif

namespace tectree {

class Kernel {
 public:
  // `largest` is the total weight of the sample, `smallest` the smallest weight of a row.
  Kernel(double q, double largest, double smallest = 1.0)
      : q_(q), near_one_(std::fabs(q - 1.0) < 0.5) {
    constexpr double decades = 280.0;
    const double room =
        std::pow(10.0, decades / std::max(1.0, std::max(std::fabs(q), std::fabs(1.0 - q))));
    const double unit = std::max(std::min(1.0, smallest), largest / room);
    scale_ = 1.0 / unit;
  }

  double q() const { return q_; }

  double power(double c) const {
    if (q_ == 2.0) return (c * scale_) * (c * scale_);
    return q_ == 1.0 ? c * scale_ : std::pow(c * scale_, q_);
  }

  double phi(double c) const {
    // The most frequent case, inline.
    if (q_ == 2.0) return c > 0.0 ? (c * scale_) * (c * scale_) : 0.0;
    return phi_of(c);
  }
  // With a known power(c).
  double phi(double c, double power_c) const {
    if (!(c > 0.0)) return 0.0;
    const double x = c * scale_;
    if (!near_one_) return power_c / (q_ - 1.0);
    const double l = std::log(x);
    return q_ == 1.0 ? x * l : x * std::expm1((q_ - 1.0) * l) / (q_ - 1.0);
  }

  // n^(1-q), the weight of a branch of n rows in linear weighting: n S_q = n^(1-q) (phi(n) - B).
  TECTREE_APART double alpha(double n) const { return alpha(n, power(n)); }
  double alpha(double n, double power_n) const {
    if (!(n > 0.0)) return 0.0;
    return q_ == 1.0 ? 1.0 : n * scale_ / power_n;
  }

  double scale() const { return scale_; }

  // S_q of `counts` that sum to n, from their shares: exact whatever the size of the counts.
  double entropy(const double* counts, int k, double n) const {
    if (!(n > 0.0)) return 0.0;
    double sum = 0.0;
    for (int s = 0; s < k; ++s) {
      if (!(counts[s] > 0.0)) continue;    // common with many classes in a small node
      const double share = counts[s] / n;  // which may be too small for a double
      if (share > 0.0) sum += near_one_ ? share_term(share) : raised(share);
    }
    return near_one_ ? 0.0 - sum : (sum - 1.0) / (1.0 - q_);
  }

 private:
  TECTREE_APART double phi_of(double c) const { return phi(c, near_one_ ? 0.0 : power(c)); }
  double raised(double p) const { return q_ == 2.0 ? p * p : std::pow(p, q_); }
  // p (p^(q-1) - 1) / (q-1)
  double share_term(double p) const {
    const double l = std::log(p);
    return q_ == 1.0 ? p * l : p * std::expm1((q_ - 1.0) * l) / (q_ - 1.0);
  }

  double q_;
  bool near_one_;
  double scale_ = 1.0;
};

// Immutable numbers, shared by copies.
template <class T>
class Shared {
 public:
  Shared() = default;
  explicit Shared(std::vector<T> numbers)
      : numbers_(std::make_shared<const std::vector<T>>(std::move(numbers))),
        data_(numbers_->data()) {}

  const T& operator[](std::size_t i) const { return data_[i]; }
  const T* data() const { return data_; }
  std::size_t size() const { return numbers_ ? numbers_->size() : 0; }
  bool empty() const { return size() == 0; }

 private:
  std::shared_ptr<const std::vector<T>> numbers_;
  const T* data_ = nullptr;
};

// phi and alpha of 0..n, built once per fit, or once for many trees, for whole-number weights.
struct KernelTable {
  Shared<double> phi, alpha;
  Shared<double> step;  // phi(c + 1) - phi(c)

  // For the rows of a small arena, with eight zeros before 0 and some after: phi and alpha in
  // single precision, phi and its product with alpha in double. None if the range of single
  // precision may be too small.
  struct Single {
    static constexpr std::size_t before = 8;
    Shared<float> all_phi, all_alpha;
    Shared<double> all_exact, all_both;
    const float* phi() const { return all_phi.data() + before; }
    const float* alpha() const { return all_alpha.data() + before; }
    const double* exact_phi() const { return all_exact.data() + before; }
    const double* both() const { return all_both.data() + before; }
    bool empty() const { return all_phi.empty(); }
  };
  Single single;

  KernelTable() = default;
  KernelTable(const Kernel& kernel, std::size_t n, Team& team) {
    std::vector<double> phis(n + 2), alphas(n + 2), steps(n + 1);
    constexpr std::size_t block = 16384;
    team.each((n + 1) / block + 1, [&](std::size_t b, Team&) {
      for (std::size_t c = b * block; c <= n + 1 && c < (b + 1) * block; ++c) {
        const double x = static_cast<double>(c), power = kernel.power(x);
        phis[c] = kernel.phi(x, power);
        alphas[c] = kernel.alpha(x, power);
      }
    });
    for (std::size_t c = 0; c <= n; ++c) steps[c] = phis[c + 1] - phis[c];
    phi = Shared<double>(std::move(phis));
    alpha = Shared<double>(std::move(alphas));
    step = Shared<double>(std::move(steps));
    if (kernel.q() > 0.0 && kernel.q() <= 4.0) make_single();
  }
  bool empty() const { return phi.empty(); }

 private:
  void make_single() {
    const std::size_t some = std::min(phi.size(), Entry<std::uint16_t>::most_rows + 1),
                      room = Single::before + some + 8;
    std::vector<float> phis(room), alphas(room);
    std::vector<double> exact(room), both(room);
    for (std::size_t c = 0; c < some; ++c) {
      const std::size_t at = Single::before + c;
      phis[at] = static_cast<float>(phi[c]);
      alphas[at] = static_cast<float>(alpha[c]);
      exact[at] = phi[c];
      both[at] = alpha[c] * phi[c];
    }
    single.all_phi = Shared<float>(std::move(phis));
    single.all_alpha = Shared<float>(std::move(alphas));
    single.all_exact = Shared<double>(std::move(exact));
    single.all_both = Shared<double>(std::move(both));
  }
};

}  // namespace tectree
