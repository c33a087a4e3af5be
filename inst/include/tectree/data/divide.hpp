// Stable division of a range by the branches of its rows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "../base/simd.hpp"

namespace tectree {

#ifdef TECTREE_VECTORS

namespace detail {

// The positions of the set bits.
struct PlacesOfBits {
  std::uint8_t of[256][8] = {};
  constexpr PlacesOfBits() {
    for (int bits = 0; bits < 256; ++bits) {
      int n = 0;
      for (int i = 0; i < 8; ++i) {
        if ((bits >> i) & 1) of[bits][n++] = static_cast<std::uint8_t>(i);
      }
    }
  }
};
inline constexpr PlacesOfBits places_of_bits;

// Of eight 4-byte items, packs those whose bits are set; others follow them.
TECTREE_LANES void pack(const void* items, unsigned bits, void* to) {
  const simd::Ints places = simd::widen(places_of_bits.of[bits]);
  const simd::Floats packed = simd::pick(static_cast<const float*>(items), places);
  simd::store(static_cast<std::uint32_t*>(to), simd::bits_of(packed));
}

}  // namespace detail

// Divides 4-byte items: those of branch 0 come first, those of branch 1 go to `spare`, which has
// room for 8 more. branch[row(item)] is 0 or 1. Returns the number of items in `spare`.
template <class Item, class Row>
TECTREE_SIMD std::size_t divide_by_eights(Item* items, std::size_t n, Item* spare,
                                          const std::uint8_t* branch, Row row) {
  static_assert(sizeof(Item) == 4);
  std::size_t right = 0, i = 0;
  for (; i + 8 <= n; i += 8) {
    unsigned bits = 0;
    for (int j = 0; j < 8; ++j) bits |= static_cast<unsigned>(branch[row(items[i + j])]) << j;
    detail::pack(items + i, bits, spare + right);
    detail::pack(items + i, bits ^ 255, items + (i - right));  // these eight may be overwritten
    right += count_bits(bits);
  }
  for (; i < n; ++i) {
    const Item item = items[i];
    items[i - right] = item;
    spare[right] = item;
    right += branch[row(item)];
  }
  return right;
}

#endif

// Divides items into two branches, stably: those of branch 0 come first, those of branch 1 go to
// `spare`, which has room for 8 more; returns their number. Without a branch to mispredict: every
// item is written to both ends, and one end moves on.
template <class Item, class Row>
std::size_t divide_in_two(Item* items, std::size_t n, Item* spare, const std::uint8_t* branch,
                          Row row) {
#ifdef TECTREE_VECTORS
  if constexpr (sizeof(Item) == 4) {
    if (has_simd()) return divide_by_eights(items, n, spare, branch, row);
  }
#endif
  std::size_t right = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Item item = items[i];
    items[i - right] = item;
    spare[right] = item;
    right += branch[row(item)];
  }
  return right;
}

// Divides items between two branches that may share rows: side[row(item)] has bit 0 if the row goes
// left, bit 1 if it goes right. Those on the left come first, then those on the right, of which
// there are `right`; there is room for all, and `spare` has room for 8 more than the node.
template <class Item, class Row>
void divide_in_parts(Item* items, std::size_t n, std::size_t left, std::vector<Item>& spare,
                     const std::uint8_t* side, Row row) {
  if (spare.size() < n + 8) spare.resize(n + 8);
  Item* to_right = spare.data();
  std::size_t l = 0, r = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Item item = items[i];
    const std::uint8_t to = side[row(item)];
    items[l] = item;
    to_right[r] = item;
    l += to & 1;
    r += to >> 1;
  }
  std::copy_n(to_right, r, items + left);
}

// The branch of every row of a node being divided. One byte per row unless there are more than 256
// branches.
class RowBranches {
 public:
  explicit RowBranches(std::size_t n) : small_(std::make_shared<std::vector<std::uint8_t>>(n)) {}

  // Copies share the bytes: they may be used at the same time on nodes without common rows.
  void prepare(int branches) {
    wide_ = branches > 256;
    if (wide_) large_.resize(small_->size());
    starts_.assign(branches + 1, 0);
  }
  void set(std::size_t row, int branch) {
    set(&row, &row + 1, branch, [](std::size_t r) { return r; });
  }
  // Several rows that go to the same branch.
  template <class Item, class Row>
  void set(const Item* first, const Item* last, int branch, Row row) {
    starts_[branch + 1] += static_cast<std::size_t>(last - first);
    if (wide_) {
      for (; first < last; ++first) large_[row(*first)] = static_cast<std::uint32_t>(branch);
    } else {
      std::uint8_t* to = small_->data();
      for (; first < last; ++first) to[row(*first)] = static_cast<std::uint8_t>(branch);
    }
  }
  // Rows that go to branch branch_of(row), 0 or 1; other(row) handles those for which it is
  // negative. The count of branch 1 is kept in a register.
  template <class Index, class BranchOf, class Other>
  void part(const Index* first, const Index* last, BranchOf branch_of, Other other) {
    std::size_t n = 0, right = 0;
    std::uint8_t* to = small_->data();
    for (const Index* row = first; row < last; ++row) {
      const int branch = branch_of(*row);
      if (branch < 0) {
        other(*row);
        continue;
      }
      to[*row] = static_cast<std::uint8_t>(branch);
      right += static_cast<std::size_t>(branch);
      ++n;
    }
    starts_[1] += n - right;
    starts_[2] += right;
  }
  // After all rows are set: where each branch starts within the node, and the node's size.
  void finish() {
    for (std::size_t b = 1; b < starts_.size(); ++b) starts_[b] += starts_[b - 1];
  }
  const std::vector<std::size_t>& starts() const { return starts_; }
  int of(std::size_t row) const { return static_cast<int>(wide_ ? large_[row] : (*small_)[row]); }

  // Reorders items[0..n) by branch, stably. row(item) is the row of an item.
  template <class Item, class Row>
  void divide(Item* items, std::size_t n, std::vector<Item>& spare, Row row) const {
    if (spare.size() < n + 8) spare.resize(n + 8);
    if (in_two()) {
      const std::size_t right = divide_in_two(items, n, spare.data(), small_->data(), row);
      std::copy_n(spare.data(), right, items + (n - right));
    } else {
      std::vector<std::size_t> to(starts_.begin(), starts_.end() - 1);
      for (std::size_t i = 0; i < n; ++i) {
        const std::size_t r = row(items[i]);
        spare[to[wide_ ? large_[r] : (*small_)[r]]++] = items[i];
      }
      std::copy_n(spare.begin(), n, items);
    }
  }

 private:
  // Whether two branches contain all rows: no third branch, or none with rows.
  bool in_two() const { return !wide_ && starts_.size() > 2 && starts_[2] == starts_.back(); }

  bool wide_ = false;
  std::shared_ptr<std::vector<std::uint8_t>> small_;
  std::vector<std::uint32_t> large_;
  std::vector<std::size_t> starts_;
};

}  // namespace tectree
