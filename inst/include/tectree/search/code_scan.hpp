// All cuts of a column kept as a byte a row, in a node of few rows: rows are counted by code and
// class, and only codes that occur are visited. No order is kept, so nothing of the column moves
// when a node is divided.
//
// The sums are made afresh at every cut, so they do not drift; where phi is the square (Gini) they
// are whole numbers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "../tally/joint_sums.hpp"
#include "class_scan.hpp"
#include "code_counts.hpp"

namespace tectree {

// What the scans of a node's columns look up.
struct CodeTables {
  const KernelTable& table;
  bool squares;            // phi is the square
  const JointSums* joint;  // null where the sides weigh apart, or phi is the square
};

class CodeScan {
 public:
  static constexpr int most_classes = CodeCounts::most_classes;

  // Counts the node's rows. `codes`: how many there may be.
  template <class Index>
  void count(const CodedNode<Index>& node, std::size_t codes) {
    counts_.count(node, codes);
  }
  CodeCounts& counts() { return counts_; }

  // Offers every admissible cut of the rows counted. False where they have one code.
  template <Form form>
  bool offer_cuts(const std::vector<std::uint32_t>& total, std::uint32_t n,
                  const CodeTables& tables, const CutValue& value, std::uint32_t least,
                  Contenders& out) {
    const KernelTable& table = tables.table;
    const std::size_t cuts = tables.squares ? sweep_squares(total)
                             : tables.joint ? sweep(total.size(), *tables.joint)
                                            : sweep(total, table);
    if (cuts == 0) return false;
    if (least < 1) least = 1;
    std::size_t first = 0, last = cuts;
    while (first < last && at_[first] < least) ++first;
    while (last > first && n - at_[last - 1] < least) --last;
    if constexpr (form == Form::linear) {
      if (tables.squares) return offer_squares(first, last, n, table, value, out);
    }
    if constexpr (form != Form::ratio) {
      if (tables.joint) return offer_joint<form>(first, last, n, table, value, out);
    }
    const double *phi = table.phi.data(), *alpha = table.alpha.data();
    double best_high = -HUGE_VAL, best_low = -HUGE_VAL;
    for (std::size_t j = first; j < last; ++j) {
      const std::uint32_t l = at_[j], r = n - l;
      const auto found =
          value.estimate<form>(phi[l], alpha[l], sums_[j].left, phi[r], alpha[r], sums_[j].right);
      high_[j] = found.high;
      low_[j] = found.low;
      best_high = best_high > found.high ? best_high : found.high;
      best_low = best_low > found.low ? best_low : found.low;
    }
    if (best_high == -HUGE_VAL) return true;
    for (std::size_t j = first; j < last; ++j) {
      if (high_[j] >= best_low) out.offer(at_[j], low_[j], high_[j]);
    }
    return true;
  }

 private:
  // Where both sides weigh the same; the cuts' sums are in high_.
  template <Form form>
  bool offer_joint(std::size_t first, std::size_t last, std::uint32_t n, const KernelTable& table,
                   const CutValue& value, Contenders& out) {
    const double* phi = table.phi.data();
    double most = -HUGE_VAL;
    for (std::size_t j = first; j < last; ++j) {
      high_[j] -= phi[at_[j]] + phi[n - at_[j]];
      most = most > high_[j] ? most : high_[j];
    }
    const double floor = value.of_promise<form>(most, 0.0, 0.0).low, bar = value.bar(floor);
    for (std::size_t j = first; j < last; ++j) {
      if (high_[j] < bar) continue;
      const CutValue::Estimate cut = value.of_promise<form>(high_[j], 0.0, 0.0);
      if (cut.high >= floor) out.offer(at_[j], cut.low, cut.high);
    }
    return true;
  }

  // Where phi is the square, n alpha(n) phi(n) = n: a cut gains the more the larger the sum v of
  // alpha B over the sides. Only those within rounding of the largest are valued in full.
  bool offer_squares(std::size_t first, std::size_t last, std::uint32_t n, const KernelTable& table,
                     const CutValue& value, Contenders& out) {
    const double *phi = table.phi.data(), *alpha = table.alpha.data();
    double best = -HUGE_VAL;
    for (std::size_t j = first; j < last; ++j) {
      const double v = sums_[j].left * alpha[at_[j]] + sums_[j].right * alpha[n - at_[j]];
      high_[j] = v;
      best = best > v ? best : v;
    }
    const double bar = best - 2.000001 * value.slack / value.inverse - 1e-14 * n;
    for (std::size_t j = first; j < last; ++j) {
      if (high_[j] < bar) continue;
      const std::uint32_t l = at_[j], r = n - l;
      value.offer<Form::linear>(out, l, phi[l], alpha[l], sums_[j].left, phi[r], alpha[r],
                                sums_[j].right);
    }
    return true;
  }

  std::size_t sweep_squares(const std::vector<std::uint32_t>& total) {
    std::uint16_t whole[most_classes] = {};
    for (std::size_t s = 0; s < total.size(); ++s) whole[s] = static_cast<std::uint16_t>(total[s]);
    const EightCounts all(whole);
    EightCounts left;
    std::size_t cuts = 0;
    counts_.each([&](std::size_t, const std::uint16_t* counts) {
      left += EightCounts(counts);
      const SideSums sums = EightCounts::sums(left, all);
      at_[cuts] = sums.n_left;
      sums_[cuts] = {sums.squares_left, sums.squares_right};
      ++cuts;
    });
    return cuts - 1;
  }

  // Both sides' sums at every cut, that is after every code but the last; their number.
  std::size_t sweep(const std::vector<std::uint32_t>& total, const KernelTable& table) {
    return with_classes(total.size(), [&](auto k) {
      return sweep_apart<decltype(k)::value>(total.data(), table.phi.data());
    });
  }
  // Their sums in one, in high_.
  std::size_t sweep(std::size_t classes, const JointSums& joint) {
    return with_classes(classes, [&](auto k) { return sweep_joint<decltype(k)::value>(joint); });
  }

  // use(classes), a std::integral_constant.
  template <class Use>
  static std::size_t with_classes(std::size_t classes, Use use) {
    switch (classes) {
      case 2:
        return use(std::integral_constant<int, 2>());
      case 3:
        return use(std::integral_constant<int, 3>());
      case 4:
        return use(std::integral_constant<int, 4>());
      case 5:
        return use(std::integral_constant<int, 5>());
      case 6:
        return use(std::integral_constant<int, 6>());
      case 7:
        return use(std::integral_constant<int, 7>());
      default:
        return use(std::integral_constant<int, 8>());
    }
  }

  template <int k>
  std::size_t sweep_joint(const JointSums& joint) {
    const double* of_left[k];  // of the rows on the left
    for (int s = 0; s < k; ++s) of_left[s] = joint.of(s);
    const double whole = joint.whole();
    std::uint32_t n = 0;
    std::size_t cuts = 0;
    counts_.each([&](std::size_t, const std::uint16_t* counts) {
      double b = 0.0;
      for (int s = 0; s < k; ++s) {
        of_left[s] += counts[s];
        n += counts[s];
        b += *of_left[s];
      }
      at_[cuts] = n;
      high_[cuts] = b + whole;
      ++cuts;
    });
    return cuts - 1;
  }

  template <int k>
  std::size_t sweep_apart(const std::uint32_t* total, const double* phi) {
    std::uint32_t left[k] = {}, whole[k], n = 0;
    for (int s = 0; s < k; ++s) whole[s] = total[s];
    std::size_t cuts = 0;
    counts_.each([&](std::size_t, const std::uint16_t* counts) {
      double b_l = 0.0, b_r = 0.0;
      for (int s = 0; s < k; ++s) {
        left[s] += counts[s];
        n += counts[s];
        b_l += phi[left[s]];
        b_r += phi[whole[s] - left[s]];
      }
      at_[cuts] = n;
      sums_[cuts] = {b_l, b_r};
      ++cuts;
    });
    return cuts - 1;
  }

  struct Sums {
    double left, right;
  };
  CodeCounts counts_;
  std::array<std::uint32_t, 256> at_;  // rows left of each cut
  std::array<Sums, 256> sums_;
  std::array<double, 256> high_, low_;
};

}  // namespace tectree
