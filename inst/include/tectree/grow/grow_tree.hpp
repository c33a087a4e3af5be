// Room grow/: from a problem to its tree.
//
// From a problem to its tree: the histogram search where it will do, the sorted one otherwise, and
// growth.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "../missing/registry.hpp"
#include "../search/histogram/histogram_search.hpp"
#include "../search/statistic/class_histogram.hpp"
#include "../search/statistic/number_histogram.hpp"
#include "actual_values.hpp"
#include "grower.hpp"
#include "with_search.hpp"

namespace tectree {

// Whether the tree can be grown as if rows without a value were not there until they are sent to
// a branch: the histogram search knows no other way.
inline bool plain_missing(const Problem& problem, const MissingPolicy& missing, Team& team) {
  using Unknown = SearchControl::Unknown;
  if (missing.surrogates().most > 0 || problem.control.unknown == Unknown::filled) return false;
  const bool ignored =
      problem.control.unknown == Unknown::ignored && missing.rows() == UnknownRows::branch;
  return ignored || !any_missing(problem.frame, problem.sample, team);
}

// Whether all but missing values suits the histogram search of classes.
template <class W>
bool suits_histograms(const Problem& problem, const ClassSetup& setup) {
  const bool whole = setup.weights.whole && !setup.by_class;
  return W::whole == whole && !problem.sorted_only && !problem.control.random_cuts &&
         !by_c45(problem) &&
         ClassHistogram<W>::suits(*setup.shared, setup.cases.least, setup.cases.total);
}
inline bool suits_histograms(const Problem& problem, const NumberSetup& setup) {
  return !problem.sorted_only && !problem.control.random_cuts &&
         problem.criterion == NumberHistogram::Criterion::info().name &&
         NumberHistogram::suits(*setup.shared, setup.numbers);
}

// The problem's columns coded for the histogram search. None where rows without a value count in a
// way that it does not know, or where sorted columns are as soon searched: in a small sample with a
// column of many values.
inline std::shared_ptr<const Codes> code_columns(const Problem& problem,
                                                 const MissingPolicy& missing, Team& team) {
  if (!plain_missing(problem, missing, team)) return nullptr;
  if (problem.codes) return problem.codes;
  const bool small = problem.sample.size <= problem.small_node;
  if (small && (problem.sample.size < 2 * few_rows || !seem_exact(problem.frame, problem.sample)))
    return nullptr;
  auto codes = make_codes(problem.frame, problem.sample, team);
  if (small && !are_exact(codes)) return nullptr;
  return std::make_shared<const Codes>(std::move(codes));
}

// The most rows of a node of the histogram search that gets an arena of its own.
inline std::size_t passed_on(const PassOn& rows, const Codes& codes, const Problem& problem,
                             const StopRule& stop, std::size_t threads) {
  if (are_exact(codes)) return std::min(rows_to_count(codes), problem.small_node);
  if (stop.has_price()) return rows.price;
  const std::size_t n = problem.sample.size, most = std::min(rows.to_the_end, problem.small_node);
  const double levels = stop.max_depth - std::log2(static_cast<double>(n) / most);
  if (levels < 4) return rows.few_levels;
  const std::size_t share = threads > 1 ? n / (4 * threads) : n;  // so that each has some
  return std::clamp(share, std::min(rows.few_levels, most), most);
}

// Rows of a tree whose subtrees threads are given to grow.
constexpr std::size_t worth_sharing = 4096;

// Grows the tree of a search over the rows of the problem's sample.
inline Tree grow_from(std::shared_ptr<NodeSearch> search, const Problem& problem,
                      const StopRule& stop, const MissingPolicy& missing, Team& team,
                      std::size_t small) {
  const std::size_t n = problem.sample.size;
  // Some subtrees a thread, so that they end at about the same time.
  const std::size_t aside = n > worth_sharing && team.size() > 1 ? n / (8 * team.size()) : 0;
  Grower grower(stop, missing, problem.response.n_classes, n > small ? small : 0, aside);
  Range root = search->root();
  root.stream = problem.seed;
  Tree tree = grower.grow(std::move(search), root, 0, team);
  if (!grower.in_preorder()) tree = assemble(tree, {}, {});
  if (by_c45(problem)) cut_at_actual_values(tree, problem.frame, problem.sample, team);
  return tree;
}

// A problem whose columns are coded for the histogram search.
template <class Stat>
struct CodedProblem {
  typename Stat::Task task;
  std::shared_ptr<const Codes> codes;

  // From the positions `kept`, increasing; `part`: of the problem, these rows.
  Tree grow(std::vector<std::uint32_t> kept, const Problem& part, const StopRule& stop,
            const MissingPolicy& missing, Team& team) const {
    const std::size_t small =
        passed_on(Stat::pass_on(task), *codes, part, stop, static_cast<std::size_t>(team.size()));
    auto search = std::make_shared<HistogramSearch<RowSource<Stat>>>(
        RowSource<Stat>(task, codes, std::move(kept)), small, team.size());
    return grow_from(std::move(search), part, stop, missing, team, small);
  }
};

// None where the sorted search is to be used.
class AnyCoded {
 public:
  // Takes from the setup what it needs.
  void code(const Problem& problem, ClassSetup& setup, const MissingPolicy& missing, Team& team) {
    if (suits_histograms<WholeWeight>(problem, setup)) {
      code<WholeWeight>(problem, setup, missing, team);
    } else if (suits_histograms<RealWeight>(problem, setup)) {
      code<RealWeight>(problem, setup, missing, team);
    }
  }
  void code(const Problem& problem, NumberSetup& setup, const MissingPolicy& missing, Team& team) {
    if (!suits_histograms(problem, setup)) return;
    auto codes = code_columns(problem, missing, team);
    if (!codes) return;
    NumberHistogram::Task task(setup.shared, std::move(setup.numbers));
    // For every node that may be passed on.
    setup.shared->inverse =
        inverses(std::max(NumberHistogram::pass_on(task).to_the_end, problem.small_node));
    any_.emplace<CodedProblem<NumberHistogram>>(
        CodedProblem<NumberHistogram>{std::move(task), std::move(codes)});
  }

  explicit operator bool() const { return !std::holds_alternative<std::monostate>(any_); }

  // See CodedProblem.
  Tree grow(std::vector<std::uint32_t> kept, const Problem& part, const StopRule& stop,
            const MissingPolicy& missing, Team& team) const {
    return std::visit(
        [&](const auto& coded) {
          if constexpr (std::is_same_v<std::decay_t<decltype(coded)>, std::monostate>) {
            return Tree();
          } else {
            return coded.grow(std::move(kept), part, stop, missing, team);
          }
        },
        any_);
  }

 private:
  template <class W>
  void code(const Problem& problem, ClassSetup& setup, const MissingPolicy& missing, Team& team) {
    auto codes = code_columns(problem, missing, team);
    if (!codes) return;
    using Task = typename ClassHistogram<W>::Task;
    using Coded = CodedProblem<ClassHistogram<W>>;
    any_.template emplace<Coded>(Coded{Task(setup.shared, std::move(setup.label),
                                            std::move(setup.weight), std::move(setup.case_weight)),
                                       std::move(codes)});
  }

  std::variant<std::monostate, CodedProblem<ClassHistogram<WholeWeight>>,
               CodedProblem<ClassHistogram<RealWeight>>, CodedProblem<NumberHistogram>>
      any_;
};

inline std::vector<std::uint32_t> all_positions(std::size_t n) {
  std::vector<std::uint32_t> out(n);
  std::iota(out.begin(), out.end(), 0u);
  return out;
}

inline Tree grow_tree(const Problem& asked, const StopRule& stop, const MissingPolicy& missing,
                      Team& team) {
  Problem problem = asked;
  problem.control.unknown = missing.search();
  const auto grow = [&](auto search) {
    return grow_from(search, problem, stop, missing, team, problem.small_node);
  };
  AnyCoded coded;
  const auto grow_coded = [&] {
    return coded.grow(all_positions(problem.sample.size), problem, stop, missing, team);
  };
  if (problem.response.is_class()) {
    ClassSetup setup = set_up_classes(problem, team);
    coded.code(problem, setup, missing, team);
    if (coded) return grow_coded();
    return with_class_search(problem, std::move(setup), team, grow);
  }
  NumberSetup setup = set_up_numbers(problem);
  coded.code(problem, setup, missing, team);
  if (coded) return grow_coded();
  return with_number_search(problem, std::move(setup), team, grow);
}

}  // namespace tectree
