// refused: a criterion about the mean must have part(sum, n, mean)
#include <tectree/criterion/deviation.hpp>

using namespace tectree;

struct Lacking : LeastSquares {
#ifndef COMPLETE
  template <class N>
  static double part(double sum, N n, double mean) = delete;
#endif
};

static_assert(is_deviation<Lacking>());
