// A sum that does not depend on the order of its terms, but where they all but cancel: what each
// addition rounds off is kept (Knuth's two-sum) and added at the end.
#pragma once

namespace tectree {

class CarefulSum {
 public:
  void add(double x) {
    const double sum = sum_ + x, added = sum - sum_;
    rounded_off_ += (sum_ - (sum - added)) + (x - added);
    sum_ = sum;
  }
  double value() const { return sum_ + rounded_off_; }

 private:
  double sum_ = 0.0, rounded_off_ = 0.0;
};

}  // namespace tectree
