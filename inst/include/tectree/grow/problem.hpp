// A problem: data, response, criterion and settings; and the facts about it that decide how it is
// solved.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "../base/team.hpp"
#include "../criterion/loss.hpp"
#include "../criterion/registry.hpp"
#include "../data/arena.hpp"
#include "../data/codes/coded_column.hpp"
#include "../data/frame.hpp"
#include "../search/door/node_search.hpp"
#include "../tally/class_factors.hpp"

namespace tectree {

struct Problem {
  Frame frame;
  Sample sample;
  Response response;
  std::string criterion;
  double parameter = 0.0;
  SearchControl control;
  Loss loss;
  ClassFactors factors;
  std::uint64_t seed = 0;    // of what is drawn at random
  bool sorted_only = false;  // only the sorted search, for comparison
  // A node of at most as many rows is grown in an arena of its own, 4 bytes a value: 20 columns
  // then take 1.3 MB, which are read in order. Fewer for tests.
  std::size_t small_node = Entry<std::uint16_t>::most_rows;
  std::shared_ptr<const Codes> codes;  // of the sample's columns, where they are made already
  std::optional<Sample> training =
      std::nullopt;  // where `sample` is but one node of a tree: all its rows

  const Sample& whole() const { return training ? *training : sample; }
};

inline bool by_c45(const Problem& problem) {
  return problem.response.is_class() && problem.control.rules == SearchControl::Rules::c45;
}

// What the rows of a sample add to the weight of their nodes, by row of the frame; none where that
// is the case weight.
inline std::vector<double> row_masses(const Problem& problem) {
  if (!problem.response.is_class() || problem.factors.plain()) return {};
  std::vector<double> out(problem.frame.n_rows, 0.0);
  for (std::size_t i = 0; i < problem.sample.size; ++i) {
    const std::size_t row = problem.sample.row(i);
    out[row] = problem.sample.weight(i) * problem.factors.prior_of(problem.response.code[row] - 1);
  }
  return out;
}

struct WeightFacts {
  double total = 0.0, least = HUGE_VAL;
  bool whole = true, unit = true;
};

inline WeightFacts weigh(const Sample& sample) {
  WeightFacts f;
  for (std::size_t i = 0; i < sample.size; ++i) {
    const double w = sample.weight(i);
    f.total += w;
    f.least = std::min(f.least, w);
    f.whole = f.whole && w == std::floor(w);
    f.unit = f.unit && w == 1.0;
  }
  // phi's table has a cell for every count up to the total: worth it while that is of the order of
  // the rows.
  f.whole = f.whole && f.total <= 16.0 * static_cast<double>(sample.size) + 1e6;
  return f;
}

inline bool any_missing(const Frame& frame, const Sample& sample, Team& team) {
  std::vector<char> holed(frame.columns.size(), 0);
  // A block at a time: within one nothing stops, so that several rows are looked at together.
  constexpr std::size_t block = 4096;
  const bool shared = Team::worth(sample.size * frame.columns.size());
  team.each_if(shared, frame.columns.size(), [&](std::size_t c, Team&) {
    const Column& column = frame.columns[c];
    for (std::size_t i = 0; i < sample.size && !holed[c]; i += block) {
      const std::size_t end = std::min(i + block, sample.size);
      unsigned holes = 0;
      if (column.real) {
        for (std::size_t j = i; j < end; ++j) holes |= std::isnan(column.real[sample.row(j)]);
      } else {
        for (std::size_t j = i; j < end; ++j) holes |= column.whole[sample.row(j)] == missing_code;
      }
      holed[c] = holes > 0;
    }
  });
  return std::find(holed.begin(), holed.end(), 1) != holed.end();
}

}  // namespace tectree
