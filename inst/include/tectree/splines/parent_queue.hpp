// The terms that are tried as parents: the first `fast_k` by the gain of their best child when they
// were last tried, new ones first; each term added since then moves a parent `fast_beta` places
// back (Friedman, 1993, Fast MARS, as in earth).
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace tectree {

class ParentQueue {
 public:
  ParentQueue(int fast_k, double fast_beta) : most_(fast_k), ageing_(fast_beta) {}

  // A place in the queue belongs to the term with the same number. A pair of which one hinge is
  // left out takes two numbers, but one place, as in earth: the newest terms then wait.
  void add(int terms_now, double gain) { places_.push_back({gain, terms_now}); }

  void set(int place, int terms_now, double gain) {
    places_[static_cast<std::size_t>(place)] = {gain, terms_now};
  }

  // The parents to try now, in this order, until sort() is called again.
  void sort(int terms_now) {
    order_.resize(places_.size());
    for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = static_cast<int>(i);
    const auto gain = [&](int i) { return places_[static_cast<std::size_t>(i)].gain; };
    const auto by_gain = [&](int a, int b) { return gain(a) > gain(b); };
    std::stable_sort(order_.begin(), order_.end(), by_gain);
    if (ageing_ > 0) {
      std::vector<double> aged(order_.size());
      for (std::size_t rank = 0; rank < order_.size(); ++rank) {
        const auto i = static_cast<std::size_t>(order_[rank]);
        aged[i] = static_cast<double>(rank) + ageing_ * (terms_now - places_[i].tried);
      }
      std::stable_sort(order_.begin(), order_.end(), [&](int a, int b) {
        return aged[static_cast<std::size_t>(a)] < aged[static_cast<std::size_t>(b)];
      });
    }
    if (most_ > 0 && order_.size() > static_cast<std::size_t>(std::max(most_, 3)))
      order_.resize(static_cast<std::size_t>(std::max(most_, 3)));
  }

  const std::vector<int>& parents() const { return order_; }

 private:
  struct Place {
    double gain;
    int tried;  // the number of terms at that time
  };
  int most_;
  double ageing_;
  std::vector<Place> places_;
  std::vector<int> order_;
};

}  // namespace tectree
