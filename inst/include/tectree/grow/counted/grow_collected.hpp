// The parts of a ledger's tree that are grown from their rows, and the final steps of growth in
// memory for a complete tree.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "../grow_tree.hpp"
#include "ledger.hpp"

namespace tectree {

// Grows a node from its rows, which are the problem's sample, as a part of the ledger's tree.
// `depth`: of the node.
template <class Chooser>
Tree grow_collected(const Ledger<Chooser>& ledger, int id, Problem& problem, StopRule stop,
                    int depth, const MissingPolicy& missing, Team& team) {
  const auto& entries = ledger.entries();
  std::vector<double> share(static_cast<std::size_t>(problem.response.n_classes));
  stop.know_root(ledger.describe(0, share.data()));
  stop.max_depth -= depth;
  // Growth from the root counts the leaves of the whole tree. Alone, this part could spend them on
  // a split into many branches that does not fit there, and lack a later one that does.
  stop.max_leaves = std::numeric_limits<double>::infinity();
  problem.seed = entries[id].stream;
  problem.training = Sample{static_cast<std::size_t>(entries[0].rows), nullptr, nullptr};
  Setup setup = ledger.chooser().set_up(problem, team);
  if (const auto coded = code_problem(problem, setup, missing, team))
    return grow_coded(*coded, all_positions(problem.sample.size), problem, stop, missing, team);
  return grow_as_found(sorted_search(problem, std::move(setup), team), problem, stop, missing, team,
                       problem.pass_on_at);
}

// Thresholds at values that occur, by C4.5's rules, which need all values.
inline void cut_at_values(Tree& tree, const Frame& kinds, const Codes& codes, Team& team) {
  std::size_t n = 0;
  for (const CodedColumn& coded : codes) n = std::max(n, coded.binned.values.size());
  Frame frame = kinds;
  std::vector<std::vector<double>> values(codes.size());
  for (std::size_t c = 0; c < codes.size(); ++c) {
    values[c] = codes[c].binned.values;
    values[c].resize(n, std::numeric_limits<double>::quiet_NaN());
    frame.columns[c].real = values[c].data();
  }
  frame.n_rows = n;
  cut_at_actual_values(tree, frame, Sample{n, nullptr, nullptr}, team);
}

}  // namespace tectree
