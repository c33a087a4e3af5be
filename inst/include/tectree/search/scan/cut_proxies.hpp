// The proxy of every cut of a sorted column: a number that rises with its measure and takes few
// steps to make, kept in blocks with the most that each holds. Few blocks have a cut that has to be
// looked at by itself.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace tectree {

class CutProxies {
 public:
  // Of the cuts with [least, end] rows on the left. fill(from, to, proxy) makes those of a block,
  // proxy[l] for `from` <= l < `to`, and tells the most.
  template <class Fill>
  void make(std::uint32_t least, std::uint32_t end, Fill fill) {
    least_ = least;
    end_ = end;
    blocks_ = (end - least) / block + 1;
    if (proxy_.size() <= end) {
      proxy_.resize(std::size_t{end} + 1);
      most_.resize(end / block + 1);
    }
    for (std::size_t b = 0; b < blocks_; ++b)
      most_[b] = fill(first_of(b), end_of(b), proxy_.data());
    const auto first = most_.begin();
    top_ = static_cast<std::size_t>(
        std::max_element(first, first + static_cast<std::ptrdiff_t>(blocks_)) - first);
  }

  double of(std::uint32_t l) const { return proxy_[l]; }
  double most() const { return most_[top_]; }

  // The cut of the highest proxy between different values, in the block of the highest;
  // 0 where that has none, though another may. tied(l): whether the values beside it are the same.
  template <class Tied>
  std::uint32_t best(Tied tied) const {
    const std::uint32_t from = first_of(top_), to = end_of(top_);
    const double* all = proxy_.data();
    const auto first =
        static_cast<std::uint32_t>(std::find(all + from, all + to, most_[top_]) - all);
    if (first < to && !tied(first)) return first;
    double most = -HUGE_VAL;
    std::uint32_t at = 0;
    each_of(top_, most, tied, [&](std::uint32_t l) {
      if (!(proxy_[l] > most)) return;
      most = proxy_[l];
      at = l;
    });
    return at;
  }

  // visit(l) for every such cut whose proxy is at least `bar`, in order.
  template <class Tied, class Visit>
  void each(double bar, Tied tied, Visit visit) const {
    for (std::size_t b = 0; b < blocks_; ++b) {
      if (most_[b] >= bar) each_of(b, bar, tied, visit);
    }
  }

 private:
  static constexpr std::uint32_t block = 32;

  // A block's cuts are [first_of(b), end_of(b)).
  std::uint32_t first_of(std::size_t b) const {
    return least_ + static_cast<std::uint32_t>(b) * block;
  }
  std::uint32_t end_of(std::size_t b) const {
    return std::min(end_ - first_of(b), block - 1) + first_of(b) + 1;
  }

  template <class Tied, class Visit>
  void each_of(std::size_t b, double bar, Tied tied, Visit visit) const {
    for (std::uint32_t l = first_of(b), to = end_of(b); l < to; ++l) {
      if (proxy_[l] >= bar && !tied(l)) visit(l);
    }
  }

  std::uint32_t least_ = 1, end_ = 0;
  std::vector<double> proxy_;         // by rows on the left
  std::vector<double> most_;          // by block
  std::size_t blocks_ = 0, top_ = 0;  // how many, and the one of the highest
};

}  // namespace tectree
