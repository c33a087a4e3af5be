// All cuts of a column kept as codes: rows are counted by code and class, and code after code that
// occurs is moved across the cut. Nothing of the column moves when a node is divided.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "class_scan.hpp"

namespace tectree {

// A node as one of its columns sees it.
template <class Index>
struct CodedNode {
  const std::uint8_t* code;     // by row
  const Index* rows;            // of the node
  const std::uint16_t* labels;  // their classes, in the same order
  std::size_t n;
};

template <class Index, class W>
class CodeScan {
 public:
  using Count = typename W::Count;

  // `codes` without the missing one, which is the last.
  void count(const CodedNode<Index>& node, std::size_t codes, std::size_t k, const W& w) {
    make_room(codes, k, w);
    w_ = w;
    // By names of their own: a byte that is written might be part of anything else.
    const CodedNode<Index> at = node;
    std::uint8_t* const seen = seen_.data();
    Count* const counts = counts_.data();
    std::uint32_t* const rows = rows_.data();
    double* const sizes = sizes_.data();
    w.each_row([&](auto weight_of) {
      for (std::size_t i = 0; i < at.n; ++i) {
        const std::size_t row = at.rows[i], code = at.code[row];
        seen[code] = 1;
        counts[code * k + at.labels[i]] += weight_of(row);
      }
    });
    if (!w.unit()) {
      for (std::size_t i = 0; i < at.n; ++i) ++rows[at.code[at.rows[i]]];
    }
    if (w.sized()) {
      for (std::size_t i = 0; i < at.n; ++i) sizes[at.code[at.rows[i]]] += w.size(at.rows[i]);
    }
    find_seen();
    known_ = static_cast<std::uint32_t>(node.n) - (seen_[codes] ? rows_of(codes) : 0);
  }

  // Rows of the node with a value, and how many codes these have.
  std::uint32_t known() const { return known_; }
  std::size_t groups() const { return groups_; }
  // The class counts of these rows.
  void known_total(std::vector<Count>& total) const {
    total.assign(k_, Count{});
    for (std::size_t j = 0; j < groups_; ++j) {
      for (std::size_t s = 0; s < k_; ++s) total[s] += cells(here_[j])[s];
    }
  }

  // Code by code from the lowest: move(class, weight) for its rows, then after(code, rows, size),
  // where size is the sum of case weights if classes count differently.
  template <class Move, class After>
  void each(Move move, After after) const {
    for (std::size_t j = 0; j < groups_; ++j) {
      const std::size_t code = here_[j];
      const Count* counts = cells(code);
      for (std::size_t s = 0; s < k_; ++s) {
        if (counts[s] > 0) move(s, counts[s]);
      }
      after(code, rows_of(code), w_.sized() ? sizes_[code] : 0.0);
    }
  }

  // Offers every admissible cut of the rows counted, of which `total` are the class counts.
  template <Form form>
  void offer_cuts(const std::vector<Count>& total, const CutValue& value, Count least,
                  std::vector<BothSides<Count>>& sides, bool afresh, Contenders& out) {
    if constexpr (W::whole) {
      if (k_ <= most_summed) return offer_sums<form>(total, value, std::max(least, Count{1}), out);
    }
    MovingCut<W> cut(w_, total, sides, afresh);
    double size = 0.0;
    if (w_.sized()) {
      for (std::size_t j = 0; j < groups_; ++j) size += sizes_[here_[j]];
    }
    CutSizes<W> sizes(w_, size);
    std::uint32_t at = 0;
    each([&](std::size_t s, Count weight) { cut.move(s, weight); },
         [&](std::size_t, std::uint32_t rows, double moved) {
           at += rows;
           sizes.move_size(moved);
           if (at == known_ || sizes.left(cut) < least || sizes.right(cut) < least) return;
           cut.settle();
           const auto found = value.estimate<form>(w_.phi(cut.n_l), w_.alpha(cut.n_l), cut.b_l,
                                                   w_.phi(cut.n_r), w_.alpha(cut.n_r), cut.b_r);
           if (!(found.high < out.floor())) out.offer(at, found.low, found.high);
         });
  }

 private:
  // Of so few classes the sums of both sides are made at every cut, without asking which of the
  // classes the code has.
  static constexpr std::size_t most_summed = 8;

  const Count* cells(std::size_t code) const { return counts_.data() + code * k_; }
  std::uint32_t rows_of(std::size_t code) const {
    if (!w_.unit()) return rows_[code];
    std::uint32_t n = 0;
    for (std::size_t s = 0; s < k_; ++s) n += static_cast<std::uint32_t>(cells(code)[s]);
    return n;
  }

  // Forgets the last node: only cells of codes that occurred are not 0.
  void make_room(std::size_t codes, std::size_t k, const W& w) {
    const auto forget = [&](std::size_t code) {
      for (std::size_t s = 0; s < k_; ++s) counts_[code * k_ + s] = Count{};
      if (!w_.unit()) rows_[code] = 0;
      if (w_.sized()) sizes_[code] = 0.0;
      seen_[code] = 0;
    };
    for (std::size_t j = 0; j < groups_; ++j) forget(here_[j]);
    if (k_ > 0 && seen_[codes_]) forget(codes_);
    groups_ = 0;
    codes_ = codes;
    k_ = k;
    if (counts_.size() < (codes + 1) * k) counts_.resize((codes + 1) * k);
    if (!w.unit()) rows_.resize(256);
    if (w.sized()) sizes_.resize(256);
  }

  // The codes that occur, in order, eight marks at a look.
  void find_seen() {
    std::size_t n = 0;
    for (std::size_t first = 0; first < codes_; first += 8) {
      std::uint64_t marks;
      std::memcpy(&marks, seen_.data() + first, sizeof marks);
      if (marks == 0) continue;
      // Without asking of each: which of them occur could not be predicted.
      for (std::size_t code = first; code < first + 8; ++code) {
        here_[n] = static_cast<std::uint8_t>(code);
        n += seen_[code];
      }
    }
    // The missing code may be the last, and marks behind it are never set.
    groups_ = n - (n > 0 && here_[n - 1] == codes_ && seen_[codes_]);
  }

  template <Form form>
  void offer_sums(const std::vector<Count>& total, const CutValue& value, Count least,
                  Contenders& out) {
    switch (k_) {
      case 2:
        sum_sides<2>(total);
        break;
      case 3:
        sum_sides<3>(total);
        break;
      case 4:
        sum_sides<4>(total);
        break;
      case 5:
        sum_sides<5>(total);
        break;
      case 6:
        sum_sides<6>(total);
        break;
      case 7:
        sum_sides<7>(total);
        break;
      case 8:
        sum_sides<8>(total);
        break;
      default:
        sum_sides<1>(total);
    }
    Count n = 0;
    for (Count t : total) n += t;
    // The cuts with enough on either side are a run.
    std::size_t first = 0, last = groups_ - 1;
    while (first < last && n_left_[first] < least) ++first;
    while (last > first && n - n_left_[last - 1] < least) --last;
    double most = -HUGE_VAL, floor = out.floor();
    for (std::size_t j = first; j < last; ++j) {
      const Count l = n_left_[j], r = n - l;
      const auto found = value.estimate<form>(w_.phi(l), w_.alpha(l), b_left_[j], w_.phi(r),
                                              w_.alpha(r), b_right_[j]);
      low_[j] = found.low;
      high_[j] = found.high;
      most = most > found.high ? most : found.high;
      floor = floor > found.low ? floor : found.low;
    }
    if (!(most >= floor)) return;
    const bool unit = w_.unit();
    std::uint32_t at = 0;
    for (std::size_t j = 0; j < last; ++j) {
      at = unit ? n_left_[j] : at + rows_[here_[j]];
      if (j >= first && high_[j] >= floor) out.offer(at, low_[j], high_[j]);
    }
  }

  // The counts and the kernel's sums of both sides after each code but the last.
  template <std::size_t k>
  void sum_sides(const std::vector<Count>& total) {
    const double* phi = w_.table->phi.data();
    Count left[k] = {}, right[k];
    std::copy_n(total.begin(), k, right);
    Count n_left = 0;
    for (std::size_t j = 0; j + 1 < groups_; ++j) {
      const Count* counts = counts_.data() + here_[j] * k;
      double b_l = 0.0, b_r = 0.0;
      for (std::size_t s = 0; s < k; ++s) {
        left[s] += counts[s];
        right[s] -= counts[s];
        n_left += counts[s];
        b_l += phi[left[s]];
        b_r += phi[right[s]];
      }
      n_left_[j] = n_left;
      b_left_[j] = b_l;
      b_right_[j] = b_r;
    }
  }

  W w_{};
  std::size_t codes_ = 0, k_ = 0;
  std::uint32_t known_ = 0;
  std::array<std::uint8_t, 264> seen_{};  // by code: whether it occurs
  std::array<std::uint8_t, 264> here_;    // the codes that do, but the missing one
  std::size_t groups_ = 0;                // how many these are
  std::vector<Count> counts_;             // by code and class
  std::vector<std::uint32_t> rows_;       // by code
  std::vector<double> sizes_;             // likewise
  // Of the cut after each code of here_.
  std::array<Count, 256> n_left_;
  std::array<double, 256> b_left_, b_right_, low_, high_;
};

}  // namespace tectree
