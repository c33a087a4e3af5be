// The searches of a problem, as growth needs them.
//
// Their code is most of the core's. They are only declared here: grow_tree.hpp includes it, unless
// with TECTREE_SEARCHES_APART a separate file compiles each once (see src/searches.h).
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "../search/door/node_search.hpp"
#include "../search/sorted/rows.hpp"
#include "problem.hpp"

#ifdef TECTREE_SEARCHES_APART
#define TECTREE_SEARCH
#else
#define TECTREE_SEARCH inline
#endif

namespace tectree {

// Some rows of a sample whose columns are already sorted.
struct SortedPart {
  const Arena<std::uint32_t>& columns;  // of the sample
  const std::vector<std::uint32_t>& positions;
  bool of_problem;  // they are positions of the problem's sample, which also has others
};

// The sorted search of the problem's rows, or of a part of them.
TECTREE_SEARCH std::unique_ptr<NodeSearch> sorted_search(const Problem& problem, Setup setup,
                                                         Team& team,
                                                         const SortedPart* part = nullptr);

// A problem whose columns are coded for the histogram search.
class CodedProblem {
 public:
  virtual ~CodedProblem() = default;
  // Searches the positions `kept`, increasing.
  virtual std::unique_ptr<NodeSearch> search(std::vector<std::uint32_t> kept,
                                             std::size_t pass_on_at, int threads) const = 0;

  std::shared_ptr<const Codes> codes;
  PassOnAt may_pass_on_at;

 protected:
  CodedProblem(std::shared_ptr<const Codes> codes, PassOnAt may_pass_on_at)
      : codes(std::move(codes)), may_pass_on_at(may_pass_on_at) {}
};

// Whether the histogram search supports the problem, apart from its missing values and size.
TECTREE_SEARCH bool suits_histogram(const Problem& problem, const Setup& setup);
// The problem prepared for it; CodedProblem::search() makes the search.
TECTREE_SEARCH std::unique_ptr<CodedProblem> coded(const Problem& problem, Setup setup,
                                                   std::shared_ptr<const Codes> codes);

}  // namespace tectree
