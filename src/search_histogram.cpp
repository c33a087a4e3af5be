// Searches on codes.
#include "searches.h"

namespace tectree {
template bool suits_histogram<WholeWeight>(const Problem&, const ClassSetup&);
template bool suits_histogram<RealWeight>(const Problem&, const ClassSetup&);
template bool suits_histogram<LeastSquares>(const Problem&, const NumberSetup&);
template std::unique_ptr<CodedProblem> coded<WholeWeight>(ClassSetup, std::shared_ptr<const Codes>);
template std::unique_ptr<CodedProblem> coded<RealWeight>(ClassSetup, std::shared_ptr<const Codes>);
template std::unique_ptr<CodedProblem> coded<LeastSquares>(const Problem&, NumberSetup,
                                                           std::shared_ptr<const Codes>);
}  // namespace tectree
