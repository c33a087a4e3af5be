// Eight cuts of rows that count 1.
//
// Of eight rows in a row those of a class are told by their tags. How many of them stand before
// each of the eight is looked up by the pattern of eight bits, and phi of the counts on either side
// of each cut, eight neighbouring numbers of a table, is picked by it.
#pragma once

#include <type_traits>

#include "simd_cuts.hpp"

namespace tectree {

// What the proxies of a node's cuts are made of. What is read at place l of a table may reach
// l + 7.
struct UnitNode {
  std::uint32_t n, least, end;  // cuts with [least, end] rows on the left have a proxy
  int classes;                  // that have rows
  // By class: its tag, where it stands in an entry; and by its rows on the left phi of those on the
  // right or, where both sides weigh the same, the sum over both, less phi of all.
  std::uint32_t tag[most_simd_classes];
  const float* other[most_simd_classes];
  const float* left;                        // phi of the rows on the left
  const float *weight_left, *weight_right;  // by rows on the left
  const float* less;                        // likewise: what is taken off them; Inf for no cut
};

namespace detail {

// How many of the bits below each of eight are set.
struct BitsBelow {
  alignas(8) std::uint8_t of[256][8];
  constexpr BitsBelow() : of() {
    for (int bits = 0; bits < 256; ++bits) {
      for (int i = 1; i < 8; ++i)
        of[bits][i] = static_cast<std::uint8_t>(of[bits][i - 1] + ((bits >> (i - 1)) & 1));
    }
  }
};
inline constexpr BitsBelow bits_below;

// All classes but the first are counted, which has what is left of the rows. `classes`: their
// number where it is known to the compiler, else 0. `joint`: both sides weigh the same.
template <int classes, bool joint>
class UnitLanes {
 public:
  TECTREE_LANES explicit UnitLanes(const UnitNode& node)
      : c_(node), k_(classes > 0 ? classes : node.classes) {}

  TECTREE_LANES void pass(simd::Ints e) {
    for (int s = 1; s < k_; ++s) count_[s] += count_bits(simd::top_bits(rows_of(c_.tag[s], e)));
  }

  TECTREE_LANES simd::Floats proxies(simd::Ints e, std::uint32_t l) {
    simd::Ints rest = simd::places();
    simd::Floats b_left = simd::all(0.0f), b_other = simd::all(0.0f);
    std::uint32_t first = l;
#pragma GCC unroll 4
    for (int s = k_ - 1; s > 0; --s) {
      const unsigned bits = simd::top_bits(rows_of(c_.tag[s], e));
      const simd::Ints below = simd::widen(bits_below.of[bits]);
      const std::uint32_t here = count_[s];
      rest = rest - below;
      first -= here;
      count_[s] = here + count_bits(bits);
      b_other = b_other + simd::pick(c_.other[s] + here, below);
      if (!joint) b_left = b_left + simd::pick(c_.left + here, below);
    }
    simd::Floats proxy = b_other + simd::pick(c_.other[0] + first, rest);
    if (!joint) {
      b_left = b_left + simd::pick(c_.left + first, rest);
      const simd::Floats weighed = b_left * simd::load(c_.weight_left + l);
      proxy = proxy * simd::load(c_.weight_right + l) + weighed;
    }
    return proxy - simd::load(c_.less + l);
  }

  static constexpr bool sure() {
    return true;
  }

 private:
  const UnitNode& c_;
  const int k_;
  std::uint32_t count_[classes > 0 ? classes : most_simd_classes] = {};  // left of the eight
};

// use(classes, joint), both std::integral_constant.
template <class Use>
auto with_shape(int classes, bool joint, Use use) {
  const auto of = [&](auto k) {
    return joint ? use(k, std::true_type()) : use(k, std::false_type());
  };
  if (classes <= 2) return of(std::integral_constant<int, 2>());
  return classes == 3 ? of(std::integral_constant<int, 3>()) : of(std::integral_constant<int, 0>());
}

}  // namespace detail

// Tables read from both ends at once: what both sides of a cut have to do with.
//
// to[l] = table[n - l] for 0 <= l <= n; `table` has eight places before 0, `to` eight behind n.
TECTREE_SIMD inline void mirror(const float* table, std::uint32_t n, float* to) {
  for (std::uint32_t l = 0; l <= n; l += 8)
    simd::store(to + l, simd::load_turned(table + (static_cast<std::ptrdiff_t>(n) - l)));
}

// to[l] = table[l] + table[n - l] - off likewise; returns at least the largest of them in size.
TECTREE_SIMD inline float add_mirrored(const double* table, std::uint32_t n, double off,
                                       float* to) {
  simd::Floats most = simd::all(0.0f);
  for (std::uint32_t l = 0; l <= n; l += 8) {
    const simd::Floats sum =
        simd::sum_turned(table + l, table + (static_cast<std::ptrdiff_t>(n) - l), off);
    most = simd::best_of(simd::of_bits(simd::bits_of(sum) & simd::all(0x7FFFFFFFu)), most);
    simd::store(to + l, sum);
  }
  return simd::most(most);
}

}  // namespace tectree
