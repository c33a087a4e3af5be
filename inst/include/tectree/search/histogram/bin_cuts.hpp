// The cuts of a column on bins that may win.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace tectree {

struct BinCut {
  double weight, mass;  // of the rows on its left: without and with the factors of their classes
  double high;
  int bin;       // in which it lies
  bool at_edge;  // at the bin's upper edge: the values around it are found only if it wins
  double below, above;
};

// A bin that has not been looked into.
struct BinPlace {
  int bin;
  double before, in;  // the weight of the rows on its left, and in it
  double most;        // maximum measure of a cut inside
};

class BinCuts {
 public:
  void start() {
    cuts.clear();
    places.clear();
    low = high = -HUGE_VAL;
  }

  // Whether a cut that measures at most `most` may be the best.
  bool wants(double most) const { return !(most < low) && most != -HUGE_VAL; }
  // A cut that may be the best, and measures at least `least`.
  void offer(double least, const BinCut& cut) {
    low = std::max(low, least);
    high = std::max(high, cut.high);
    cuts.push_back(cut);
  }

  // The remaining cuts that may be the best, from the lowest up.
  std::vector<BinCut>& settle() {
    cuts.erase(
        std::remove_if(cuts.begin(), cuts.end(), [&](const BinCut& x) { return x.high < low; }),
        cuts.end());
    std::sort(cuts.begin(), cuts.end(),
              [](const BinCut& a, const BinCut& b) { return a.weight < b.weight; });
    return cuts;
  }

  std::vector<BinCut> cuts;
  std::vector<BinPlace> places;  // in order
  double low = -HUGE_VAL, high = -HUGE_VAL;
};

}  // namespace tectree
