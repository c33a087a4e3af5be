// Numbers that leave one by one, with the sum of absolute deviations from their median at any time,
// in O(1) each: the numbers in ascending order are a doubly linked list, and when one leaves, the
// median moves by at most one link. Growing a side row by row is shrinking it backwards.
//
// Let k numbers stand before the lower median m of n. The sum of deviations is
//     (sum of those after m) - (n - 1 - k) m + k m - (sum of those before m)
//   = total - 2 before - (n - 2 k) m,   n - 2 k being 1 where n is odd and 2 where it is even.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace tectree {

template <class Index>
class MedianChain {
 public:
  // `sorted`: the numbers, ascending; a number is known by its place there.
  void start(const std::vector<double>& sorted) {
    const std::size_t n = sorted.size();
    value_.resize(n + 2);  // links 0 and n + 1 are the ends of the chain
    before_.resize(n + 2);
    after_.resize(n + 2);
    value_.front() = value_.back() = 0.0;
    std::copy(sorted.begin(), sorted.end(), value_.begin() + 1);
    std::iota(before_.begin() + 1, before_.end(), Index{0});
    std::iota(after_.begin(), after_.end() - 1, Index{1});
    n_ = n;
    total_ = std::accumulate(sorted.begin(), sorted.end(), 0.0);
    middle_ = static_cast<Index>((n + 1) / 2);
    sum_before_ = std::accumulate(sorted.begin(), sorted.begin() + (n > 0 ? middle_ - 1 : 0), 0.0);
  }

  void remove(std::size_t place) {
    const Index at = static_cast<Index>(place + 1);
    const double v = value_[at];
    const bool odd = (n_ & 1) != 0;
    const Index m = middle_, down = before_[m], up = after_[m];
    // Of an odd number the median moves down unless a lower one leaves; of an even number it moves
    // up unless a higher one does.
    const double left_before = at < m ? v : 0.0;
    const double passed_down = at < m ? 0.0 : value_[down], passed_up = at < m ? value_[m] : 0.0;
    middle_ = odd ? (at < m ? m : down) : (at > m ? m : up);
    sum_before_ += (odd ? -passed_down : passed_up) - left_before;
    total_ -= v;
    --n_;
    const Index b = before_[at], a = after_[at];
    after_[b] = a;
    before_[a] = b;
  }

  double absolute_deviation() const {
    return total_ - 2 * sum_before_ - ((n_ & 1) ? 1.0 : 2.0) * value_[middle_];
  }

 private:
  std::vector<double> value_;
  std::vector<Index> before_, after_;
  std::size_t n_ = 0;
  Index middle_ = 0;
  double total_ = 0.0, sum_before_ = 0.0;
};

}  // namespace tectree
