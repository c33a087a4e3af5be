// Searches on sorted columns.
#include "searches.h"

#include <tectree/grow/after/find_candidates.hpp>

namespace tectree {
TECTREE_SMALL(ClassStat<std::uint16_t, WholeWeight>);
TECTREE_SMALL(ClassStat<std::uint16_t, RealWeight>);
TECTREE_SMALL(MeanStat<std::uint16_t, LeastSquares>);
template std::unique_ptr<NodeSearch> sorted_search(const Problem&, ClassSetup, Team&,
                                                   const SortedPart*);
template std::unique_ptr<NodeSearch> sorted_search(const Problem&, NumberSetup, Team&,
                                                   const SortedPart*);
template std::vector<Candidate> find_candidates(const Problem&, ClassSetup, bool, Team&);
template std::vector<Candidate> find_candidates(const Problem&, NumberSetup, bool, Team&);
}  // namespace tectree
