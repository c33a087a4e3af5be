// refused: an Exact must have rest(all, part)
#include <tectree/search/numbers/mean_stat.hpp>

using namespace tectree;

struct Lacking : MeanExact<LeastSquares> {
  using MeanExact::MeanExact;
#ifndef COMPLETE
  static double rest(double, double) = delete;
#endif
};

TallyWorth<Lacking> worth_of(const SearchControl& control, const Groups& groups) {
  return {control, groups, Lacking(1.0, 0.0), 1.0};
}
