// The rows of one bin, dealt out into parts of equal width between their least and largest value.
// As with bins, where the parts end decides only how much is looked at closely.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace tectree {

struct CoarseItem {
  double value;
  std::uint16_t label;
};

class BinParts {
 public:
  // False where all values are one.
  bool deal(const CoarseItem* first, const CoarseItem* last, std::size_t k) {
    k_ = k;
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (const CoarseItem* item = first; item < last; ++item) {
      low = std::min(low, item->value);
      high = std::max(high, item->value);
    }
    if (!(low < high)) return false;
    const std::size_t n = last - first;
    const std::size_t parts = std::min<std::size_t>(256, n / 8);
    counts_.assign(parts * k, 0);
    least_.assign(parts, HUGE_VAL);
    of_.resize(n);
    size_.assign(parts, 0);
    dealt_.clear();
    // A width that overflows, or infinite ends, put all rows into the first part: slower, as right.
    const double scale = static_cast<double>(parts) * (1 - 1e-12) / (high - low);
    for (std::size_t i = 0; i < n; ++i) {
      const double at = (first[i].value - low) * scale;
      const std::size_t part = at > 0.0 && at < static_cast<double>(parts)
                                   ? static_cast<std::size_t>(at)
                               : at >= static_cast<double>(parts) ? parts - 1
                                                                  : 0;
      of_[i] = static_cast<std::uint8_t>(part);
      ++size_[part];
      ++counts_[part * k + first[i].label];
      least_[part] = std::min(least_[part], first[i].value);
    }
    // From the least of each part to the least of all parts after it, NaN after the last.
    double above = std::nan("");
    for (std::size_t part = parts; part-- > 0;) {
      const double own = least_[part];
      least_[part] = above;
      if (own < HUGE_VAL) above = own;
    }
    return true;
  }
  std::size_t size() const { return least_.size(); }
  std::size_t size(std::size_t part) const { return size_[part]; }
  // The items of a part; all are moved beside their like the first time one is asked for.
  CoarseItem* items(std::size_t part, const CoarseItem* first, const CoarseItem* last) {
    if (dealt_.empty()) {
      start_.assign(1, 0);
      for (std::uint32_t n : size_) start_.push_back(start_.back() + n);
      dealt_.resize(last - first);
      std::vector<std::uint32_t> to(start_.begin(), start_.end() - 1);
      for (const CoarseItem* item = first; item < last; ++item)
        dealt_[to[of_[item - first]]++] = *item;
    }
    return dealt_.data() + start_[part];
  }
  const std::uint32_t* counts(std::size_t part) const { return counts_.data() + part * k_; }
  double least_above(std::size_t part) const { return least_[part]; }

 private:
  std::size_t k_ = 0;
  std::vector<std::uint8_t> of_;
  std::vector<std::uint32_t> counts_, size_, start_;
  std::vector<CoarseItem> dealt_;
  std::vector<double> least_;
};

}  // namespace tectree
