// Compiles the searches on sorted columns.
#include "searches.h"

#include <tectree/grow/after/find_candidates.hpp>

namespace tectree {
TECTREE_SMALL(ClassStat<std::uint16_t, WholeWeight>);
TECTREE_SMALL(ClassStat<std::uint16_t, RealWeight>);
TECTREE_SMALL(MeanStat<std::uint16_t, LeastSquares>);
}  // namespace tectree
