// The rows of a node by code and class, column by column. What was counted of a node serves the
// nodes within it that hold most of its rows: the others are taken off.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "../tally/eight_counts.hpp"

namespace tectree {

// A node of a column of codes: rows [begin, end) of its arena's list.
template <class Index>
struct CodedNode {
  std::uint32_t column;
  std::uint64_t order;  // of the list, see Arena
  const std::uint8_t* code;
  const std::uint16_t* label;  // both by row of the arena
  const Index* rows;
  std::size_t begin, end;
  const std::uint8_t* labels;  // of the node's rows, in their order

  std::size_t size() const { return end - begin; }
};

class CodeCounts {
 public:
  static constexpr int most_classes = 8;
  static constexpr std::size_t most_rows = 32767;

  CodeCounts() {
    for (std::size_t i = 0; i < 64; ++i) bit_[192 + i] = std::uint64_t{1} << i;
  }

  // Counts the node's rows, of which each() then tells once. `codes`: how many there may be.
  template <class Index>
  void count(const CodedNode<Index>& node, std::size_t codes) {
    now_ = node.size() < few_rows * codes ? &passing_ : &kept_of(node.column);
    Counted& kept = *now_;
    if (kept.holds(node)) {
      take_off(node, kept.begin, node.begin);
      take_off(node, node.end, kept.end);
    } else {
      forget(codes);
      if (codes <= 64) {
        count_words<1>(node);
      } else if (codes <= 128) {
        count_words<2>(node);
      } else {
        count_words<4>(node);
      }
    }
    if (now_ == &passing_) return;
    kept.column = node.column;
    kept.order = node.order;
    kept.begin = node.begin;
    kept.end = node.end;
  }

  // visit(code, class counts) for every code that occurs, from the least on.
  template <class Visit>
  void each(Visit visit) {
    const bool passes = now_ == &passing_;
    for (std::size_t w = 0; w < now_->occurs.size(); ++w) {
      for (std::uint64_t left = now_->occurs[w]; left != 0; left &= left - 1) {
        const std::size_t code = 64 * w + static_cast<std::size_t>(__builtin_ctzll(left));
        std::uint16_t* counts = now_->counts.data() + code * most_classes;
        if (none(counts)) continue;
        visit(code, static_cast<const std::uint16_t*>(counts));
        if (passes) EightCounts().store(counts);
      }
    }
    if (passes) now_->occurs = {};
  }

 private:
  static constexpr std::size_t most_kept = 256;  // columns
  // Of a node with fewer rows for every code nothing is kept: to count again takes no longer than
  // to clear, in the same place for all columns, what was kept of another.
  static constexpr std::size_t few_rows = 2;

  struct Counted {
    std::vector<std::uint16_t> counts;      // most_classes a code
    std::array<std::uint64_t, 4> occurs{};  // the codes with a count, and some that had one
    std::uint32_t column = 0;
    std::uint64_t order = 0;
    std::size_t begin = 0, end = 0;

    // Whether it is quicker to take rows off than to count.
    template <class Index>
    bool holds(const CodedNode<Index>& node) const {
      return end > begin && column == node.column && order == node.order && begin <= node.begin &&
             node.end <= end && (end - begin) - node.size() < node.size();
    }
  };

  Counted& kept_of(std::uint32_t column) {
    const std::size_t at = column % most_kept;
    if (kept_.size() <= at) kept_.resize(at + 1);
    return kept_[at];
  }

  static bool none(const std::uint16_t* counts) {
    std::uint64_t half[2];
    std::memcpy(half, counts, sizeof half);
    return (half[0] | half[1]) == 0;
  }

  void forget(std::size_t codes) {
    for (std::size_t w = 0; w < now_->occurs.size(); ++w) {
      for (std::uint64_t left = now_->occurs[w]; left != 0; left &= left - 1) {
        const std::size_t code = 64 * w + static_cast<std::size_t>(__builtin_ctzll(left));
        EightCounts().store(now_->counts.data() + code * most_classes);
      }
    }
    now_->occurs = {};
    if (now_->counts.size() < codes * most_classes) now_->counts.resize(codes * most_classes, 0);
  }

  template <class Index>
  void take_off(const CodedNode<Index>& node, std::size_t from, std::size_t to) {
    std::uint16_t* counts = now_->counts.data();
    for (std::size_t i = from; i < to; ++i) {
      const Index row = node.rows[i];
      --counts[node.code[row] * std::size_t{most_classes} + node.label[row]];
    }
  }

  template <int words, class Index>
  void count_words(const CodedNode<Index>& node) {
    std::array<std::uint64_t, words> occurs{};
    std::uint16_t* counts = now_->counts.data();
    const Index* row = node.rows + node.begin;
    for (std::size_t i = 0, n = node.size(); i < n; ++i) {
      const std::size_t code = node.code[row[i]];
      ++counts[code * most_classes + node.labels[i]];
      for (int w = 0; w < words; ++w) occurs[w] |= bit_[192 + code - 64 * w];
    }
    for (int w = 0; w < words; ++w) now_->occurs[w] = occurs[w];
  }

  std::array<std::uint64_t, 448> bit_{};  // bit_[192 + i] is bit i of a word, none elsewhere
  std::vector<Counted> kept_;             // by column
  Counted passing_;
  Counted* now_ = nullptr;
};

}  // namespace tectree
