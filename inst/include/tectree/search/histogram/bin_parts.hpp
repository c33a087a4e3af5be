// The rows of one bin, divided into parts by the position of their values inside the bin. As with
// bins, the edges of parts only decide how many values, which may be anywhere in memory, are read:
// those of the parts that may contain the best cut.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tectree {

// `What` is what a search needs to know about a row, such as its class.
template <class What>
struct BinItem {
  double value;  // once it has been read
  std::uint32_t row;
  std::uint8_t within;
  What what;
};

// `Cells` stores the totals of the rows of each part: start(parts, width), add(part, what),
// of(part).
template <class Cells>
class BinParts {
 public:
  using Item = BinItem<typename Cells::What>;

  // False if all rows would be in one part. `width` is passed to the cells.
  bool divide(const Item* first, const Item* last, std::size_t width) {
    const std::size_t n = last - first;
    int bits = 0;
    while (bits < 8 && (std::size_t{16} << bits) <= n) ++bits;
    const auto part_of = [&](const Item& item) { return item.within >> (8 - bits); };
    cells_.start(std::size_t{1} << bits, width);
    start_.assign((std::size_t{1} << bits) + 1, 0);
    for (const Item* item = first; item < last; ++item) {
      const std::size_t part = part_of(*item);
      cells_.add(part, item->what);
      ++start_[part + 1];
    }
    last_ = size() - 1;
    while (last_ > 0 && start_[last_ + 1] == 0) --last_;
    if (start_[last_ + 1] == n) return false;
    for (std::size_t part = 0; part < size(); ++part) start_[part + 1] += start_[part];
    if (items_.size() < n) items_.resize(n);
    to_.assign(start_.begin(), start_.end() - 1);
    for (const Item* item = first; item < last; ++item) items_[to_[part_of(*item)]++] = *item;
    return true;
  }

  std::size_t size() const { return start_.size() - 1; }
  // Whether no row is in a part above this one.
  bool is_last(std::size_t part) const { return part >= last_; }
  Item* begin(std::size_t part) { return items_.data() + start_[part]; }
  Item* end(std::size_t part) { return items_.data() + start_[part + 1]; }
  auto cell(std::size_t part) const { return cells_.of(part); }

 private:
  std::size_t last_ = 0;
  Cells cells_;
  std::vector<std::uint32_t> start_, to_;
  std::vector<Item> items_;  // part by part
};

}  // namespace tectree
