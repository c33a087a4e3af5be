// The contenders of a column of codes, scored exactly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "code_scan.hpp"
#include "cut_scorer.hpp"

namespace tectree {

// `counted`: the node's rows; `scorer` has been started. Afterwards cut i of the scorer has the
// values beside[i] next to it.
inline void score_codes(CodeCounts& counted, const std::vector<double>& values, int n_classes,
                        const std::vector<Contenders::Cut>& cuts, CutScorer& scorer,
                        std::vector<std::pair<double, double>>& beside) {
  beside.assign(cuts.size(), {});
  std::size_t next = 0;
  std::uint32_t n = 0;
  bool after = false;
  counted.each([&](std::size_t code, const std::uint16_t* counts) {
    const double value = values[code];
    if (after) beside[next++].second = value;
    for (int s = 0; s < n_classes; ++s) {
      scorer.move(s, counts[s]);
      n += counts[s];
    }
    after = next < cuts.size() && cuts[next].at == n;
    if (!after) return;
    scorer.add(static_cast<std::uint32_t>(next));
    beside[next].first = value;
  });
}

}  // namespace tectree
