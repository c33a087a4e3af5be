// The searches of a problem, as growth asks for them.
//
// Their code is most of the core's. With TECTREE_SEARCHES_APART it is only declared here: files of
// their own include make_searches.hpp, and each instantiates some of it (see src/searches.h).
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "../data/take.hpp"
#include "../search/histogram/histogram_rows.hpp"
#include "../tally/weights.hpp"
#include "problem.hpp"

namespace tectree {

// Some rows of a sample whose columns are sorted already.
struct SortedPart {
  const Arena<std::uint32_t>& columns;  // of the sample
  const std::vector<std::uint32_t>& positions;
  bool of_problem;  // they are positions of the problem's sample, which has others too
};

// The sorted search of the problem's rows, or of a part of them.
template <class Setup>
std::unique_ptr<NodeSearch> sorted_search(const Problem& problem, Setup setup, Team& team,
                                          const SortedPart* part = nullptr);

// A problem whose columns are coded for the histogram search.
class CodedProblem {
 public:
  virtual ~CodedProblem() = default;
  // Of the positions `kept`, increasing.
  virtual std::unique_ptr<NodeSearch> search(std::vector<std::uint32_t> kept, std::size_t small,
                                             int threads) const = 0;

  std::shared_ptr<const Codes> codes;
  PassOn pass_on;

 protected:
  CodedProblem(std::shared_ptr<const Codes> codes, PassOn pass_on)
      : codes(std::move(codes)), pass_on(pass_on) {}
};

// Whether all but missing values suits the histogram search, and the problem coded for it.
template <class Setup>
bool suits_histogram(const Problem& problem, const Setup& setup);
template <class Setup>
std::unique_ptr<CodedProblem> coded(const Problem& problem, Setup setup,
                                    std::shared_ptr<const Codes> codes);

// use(setup) with the problem made ready.
template <class Use>
auto with_setup(const Problem& problem, Team& team, Use use) {
  return problem.response.is_class() ? use(set_up_classes(problem, team))
                                     : use(set_up_numbers(problem));
}

}  // namespace tectree

#ifndef TECTREE_SEARCHES_APART
#include "make_searches.hpp"
#endif
