// Searches on codes.
#include "searches.h"

namespace tectree {
template bool suits_histogram(const Problem&, const ClassSetup&);
template bool suits_histogram(const Problem&, const NumberSetup&);
template std::unique_ptr<CodedProblem> coded(const Problem&, ClassSetup,
                                             std::shared_ptr<const Codes>);
template std::unique_ptr<CodedProblem> coded(const Problem&, NumberSetup,
                                             std::shared_ptr<const Codes>);
}  // namespace tectree
