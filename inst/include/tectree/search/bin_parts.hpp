// The rows of one bin, dealt out into parts by how far inside the bin their values lie. As with
// bins, where the parts end decides only how much is looked at closely: a value itself, which
// stands anywhere in memory, is asked for only in the parts where the best cut may lie.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tectree {

struct CoarseItem {
  double value;  // once it has been asked for
  std::uint32_t row;
  std::uint16_t label;
  std::uint8_t within;
};

class BinParts {
 public:
  // False where all rows would lie in one part.
  bool deal(const CoarseItem* first, const CoarseItem* last, std::size_t k) {
    k_ = k;
    const std::size_t n = last - first;
    int bits = 0;
    while (bits < 8 && (std::size_t{16} << bits) <= n) ++bits;
    const auto part_of = [&](const CoarseItem& item) { return item.within >> (8 - bits); };
    counts_.assign(k << bits, 0);
    start_.assign((std::size_t{1} << bits) + 1, 0);
    for (const CoarseItem* item = first; item < last; ++item) {
      const std::size_t part = part_of(*item);
      ++counts_[part * k + item->label];
      ++start_[part + 1];
    }
    last_ = size() - 1;
    while (last_ > 0 && start_[last_ + 1] == 0) --last_;
    if (start_[last_ + 1] == n) return false;
    for (std::size_t part = 0; part < size(); ++part) start_[part + 1] += start_[part];
    items_.resize(n);
    to_.assign(start_.begin(), start_.end() - 1);
    for (const CoarseItem* item = first; item < last; ++item) items_[to_[part_of(*item)]++] = *item;
    return true;
  }

  std::size_t size() const { return start_.size() - 1; }
  // Whether no row lies in a part behind this one.
  bool is_last(std::size_t part) const { return part >= last_; }
  CoarseItem* begin(std::size_t part) { return items_.data() + start_[part]; }
  CoarseItem* end(std::size_t part) { return items_.data() + start_[part + 1]; }
  const std::uint32_t* counts(std::size_t part) const { return counts_.data() + part * k_; }

 private:
  std::size_t k_ = 0, last_ = 0;
  std::vector<std::uint32_t> counts_, start_, to_;
  std::vector<CoarseItem> items_;  // part after part
};

}  // namespace tectree
