// phi of a class's rows on both sides of a cut, in one number, where both sides weigh the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tectree {

class JointSums {
 public:
  // For rows with these class counts; `phi` by rows.
  void make(const std::vector<double>& phi, const std::vector<std::uint32_t>& total) {
    first_.assign(total.size(), 0);
    whole_ = 0.0;
    std::size_t room = 0;
    for (std::size_t s = 0; s < total.size(); ++s) {
      first_[s] = room;
      room += total[s] + 1;
      whole_ += phi[total[s]];
    }
    if (sum_.size() < room) sum_.resize(room);
    for (std::size_t s = 0; s < total.size(); ++s) {
      double* sum = sum_.data() + first_[s];
      const double *left = phi.data(), *right = left + total[s], all = *right;
      for (std::uint32_t l = 0; l <= total[s]; ++l)
        sum[l] = left[l] + right[-std::ptrdiff_t{l}] - all;
    }
  }

  // By rows of class s on the left, less phi of all of them.
  const double* of(std::size_t s) const { return sum_.data() + first_[s]; }
  // What the sum over the classes lacks.
  double whole() const { return whole_; }

 private:
  std::vector<double> sum_;
  std::vector<std::size_t> first_;  // by class
  double whole_ = 0.0;
};

}  // namespace tectree
