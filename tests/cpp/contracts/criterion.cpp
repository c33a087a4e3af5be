// refused: a criterion for classes must have form() and measure(partition)
#include <tectree/criterion/registry.hpp>

using namespace tectree;

struct Lacking : Tsallis {
  using Tsallis::Tsallis;
#ifndef COMPLETE
  Measures measure(const Partition&) const override = 0;
#endif
};

static_assert(is_criterion<Lacking>());
