// Searches on sorted columns.
#include "searches.h"

#include <tectree/grow/after/find_candidates.hpp>

namespace tectree {
TECTREE_SMALL(ClassStat<std::uint16_t, WholeWeight>);
TECTREE_SMALL(ClassStat<std::uint16_t, RealWeight>);
TECTREE_SMALL(MeanStat<std::uint16_t, LeastSquares>);
template std::unique_ptr<NodeSearch> class_search<WholeWeight>(const Problem&, ClassSetup,
                                                               const SortedPart*, Team&);
template std::unique_ptr<NodeSearch> class_search<RealWeight>(const Problem&, ClassSetup,
                                                              const SortedPart*, Team&);
template std::unique_ptr<NodeSearch> number_search<Regression>(const Problem&, NumberSetup,
                                                               const SortedPart*, Team&);
template std::vector<Candidate> class_candidates<WholeWeight>(const Problem&, ClassSetup, bool,
                                                              Team&);
template std::vector<Candidate> class_candidates<RealWeight>(const Problem&, ClassSetup, bool,
                                                             Team&);
template std::vector<Candidate> number_candidates<Regression>(const Problem&, NumberSetup, bool,
                                                              Team&);
}  // namespace tectree
