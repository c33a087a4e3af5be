// The searches of a problem, as growth asks for them.
//
// Their code is most of the core's. With TECTREE_SEARCHES_APART it is only declared here: files of
// their own include make_searches.hpp, and each instantiates some of it (see src/searches.h).
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "../data/subset_arena.hpp"
#include "../search/histogram/histogram_rows.hpp"
#include "../tally/weights.hpp"
#include "problem.hpp"

namespace tectree {

// Some rows of a sample whose columns are sorted already.
struct SortedPart {
  const SortedColumns& columns;
  const std::vector<std::uint32_t>& positions;
  bool of_problem;  // they are positions of the problem's sample, which has others too
};

// The sorted search of the problem's rows, or of a part of them.
template <class W>
std::unique_ptr<NodeSearch> class_search(const Problem& problem, ClassSetup setup,
                                         const SortedPart* part, Team& team);
template <class Criteria>
std::unique_ptr<NodeSearch> number_search(const Problem& problem, NumberSetup setup,
                                          const SortedPart* part, Team& team);

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
template <class W>
bool suits_histogram(const Problem& problem, const ClassSetup& setup);
template <class W>
std::unique_ptr<CodedProblem> coded(ClassSetup setup, std::shared_ptr<const Codes> codes);
template <class Criterion>
bool suits_histogram(const Problem& problem, const NumberSetup& setup);
template <class Criterion>
std::unique_ptr<CodedProblem> coded(const Problem& problem, NumberSetup setup,
                                    std::shared_ptr<const Codes> codes);

// use(W{}) with the type of the rows' weights.
template <class Use>
auto with_weight(const Problem& problem, const ClassSetup& setup, Use use) {
  // C4.5's scan reads no table of whole weights.
  const bool whole = by_c45(problem) ? setup.weights.unit : setup.weights.whole;
  return whole && !setup.by_class ? use(WholeWeight{}) : use(RealWeight{});
}

inline std::unique_ptr<NodeSearch> sorted_search(const Problem& problem, ClassSetup setup,
                                                 Team& team, const SortedPart* part = nullptr) {
  return with_weight(problem, setup, [&](auto w) {
    return class_search<decltype(w)>(problem, std::move(setup), part, team);
  });
}
inline std::unique_ptr<NodeSearch> sorted_search(const Problem& problem, NumberSetup setup,
                                                 Team& team, const SortedPart* part = nullptr) {
  return number_search<Regression>(problem, std::move(setup), part, team);
}

inline bool suits_histogram(const Problem& problem, const ClassSetup& setup) {
  return with_weight(problem, setup,
                     [&](auto w) { return suits_histogram<decltype(w)>(problem, setup); });
}
inline bool suits_histogram(const Problem& problem, const NumberSetup& setup) {
  return problem.criterion == LeastSquares::info().name &&
         suits_histogram<LeastSquares>(problem, setup);
}
inline std::unique_ptr<CodedProblem> coded(const Problem& problem, ClassSetup setup,
                                           std::shared_ptr<const Codes> codes) {
  return with_weight(problem, setup, [&](auto w) {
    return coded<decltype(w)>(std::move(setup), std::move(codes));
  });
}
inline std::unique_ptr<CodedProblem> coded(const Problem& problem, NumberSetup setup,
                                           std::shared_ptr<const Codes> codes) {
  return coded<LeastSquares>(problem, std::move(setup), std::move(codes));
}

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
