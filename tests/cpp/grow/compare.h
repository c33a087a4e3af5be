// Properties of every tree, and comparison with the oracle's tree.
#pragma once

#include <tectree/predict/predictor.hpp>

#include "check.h"
#include "oracle/compare.h"

namespace support {

// Every training row must reach a leaf that counted it.
inline std::string misrouted(const tectree::Tree& tree, const Table& table,
                             const Setting& setting) {
  const tectree::Problem problem = problem_of(table, setting);
  tectree::check_tree(tree, table.x.size());
  std::vector<int> leaf(table.rows());
  tectree::Team team(1);
  tectree::predict_leaves(tree, problem.frame, leaf.data(), team);
  std::vector<double> n(tree.size(), 0.0);
  for (int l : leaf) ++n[static_cast<std::size_t>(l)];
  for (std::size_t i = 0; i < tree.size(); ++i) {
    if (tree.kind[i] == 0 && n[i] != tree.n[i])
      return "leaf " + std::to_string(i) + " does not get its rows again";
  }
  return "";
}

inline std::string text_of(const Setting& s) {
  std::ostringstream out;
  out << s.criterion << ' ' << s.parameter << " bucket " << s.control.min_bucket << " gain "
      << s.control.min_gain << " nominal " << static_cast<int>(s.control.nominal) << " intervals "
      << s.control.intervals << " eligible " << static_cast<int>(s.control.eligible) << " split "
      << s.stop.min_split << " depth " << s.stop.max_depth << " missing " << s.missing;
  return out.str();
}

// Grows both trees and fails with the first difference; `what` names the data.
inline bool same_as_oracle(const Table& table, const Setting& setting, const std::string& what,
                           int threads = 1, double tolerance = 1e-9) {
  const tectree::Tree tree = grown(table, setting, threads);
  const oracle::Problem problem{table, setting, setting.missing};
  std::string said =
      oracle::Comparison(tree, oracle::Growth(problem, &tree).grow(), tolerance).said();
  if (said.empty() && setting.missing != "fractional" && setting.missing != "drop")
    said = misrouted(tree, table, setting);
  if (!said.empty()) check::fail("grow", 0, what + " (" + text_of(setting) + "): " + said);
  return said.empty();
}

// Are two trees identical to the last bit?
inline bool identical(const tectree::Tree& a, const tectree::Tree& b) {
  return a.parent == b.parent && a.depth == b.depth && a.kind == b.kind &&
         a.variable == b.variable && a.n_children == b.n_children &&
         a.child_start == b.child_start && a.default_child == b.default_child &&
         a.break_start == b.break_start && a.break_count == b.break_count &&
         a.level_start == b.level_start && a.level_count == b.level_count && a.n == b.n &&
         a.weight == b.weight && a.yval == b.yval && a.impurity == b.impurity && a.gain == b.gain &&
         a.score == b.score && a.exact == b.exact && a.share == b.share && a.child == b.child &&
         a.level == b.level && a.level_child == b.level_child && a.breaks == b.breaks;
}

}  // namespace support
