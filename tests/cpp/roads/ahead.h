// Trees that look ahead: which splits are tried depends on the search, so the trees may differ, but
// each split that was tried must be measured by its own rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>

#include "roads/problem.h"
#include "roads/same.h"

namespace roads {

// Empty if the gain of every split is what it takes from the impurity of its node.
inline std::string wrong_gain(const Tree& tree) {
  const double centre = tree.n_classes > 0 ? 0.0 : tree.yval[0];
  const double most = 1e-9 * tree.impurity[0] + centre * centre * 0x1p-50;
  for (std::size_t v = 0; v < tree.size(); ++v) {
    if (tree.kind[v] == 0) continue;
    double left = tree.impurity[v];
    for (int j = 0; j < tree.n_children[v]; ++j) {
      const int child = tectree::child_of(tree, static_cast<int>(v), j);
      left -= tree.impurity[child] * tree.weight[child] / tree.weight[v];
    }
    if (std::fabs(tree.gain[v] - left) <= most) continue;
    std::ostringstream out;
    out << "node " << v << " of " << tree.n[v] << " rows: gain " << tree.gain[v] << " instead of "
        << left;
    return out.str();
  }
  return "";
}

// The same with two threads, too.
inline std::string wrong_looking_ahead(Case c, Way way) {
  c.setting.control.free_levels = HUGE_VAL;  // gains would be less than what they take
  way.tried = 4.0;
  const Posed posed(c, way);
  const Tree tree = posed.grow();
  way.threads = 2;
  const std::string wrong = wrong_gain(tree);
  return wrong.empty() ? Difference(tree, Posed(c, way).grow(), {}).said() : wrong;
}

inline const char* to_ahead(const Case& c) {
  const Setting& s = c.setting;
  if (s.criterion != "l2" && s.criterion != "gini" && s.criterion != "shannon")
    return "a gain that is no difference of impurities";
  if (s.control.rules != tectree::SearchControl::Rules::exact || s.stop.has_test())
    return "rules or tests that do not look ahead";
  if (c.has_missing() || !c.factors.plain()) return "missing values or class factors";
  return c.rows() > 5000 ? "many rows" : nullptr;
}
inline std::string ahead_on_sorted(const Case& c, const Tree&) {
  Way way;
  way.sorted_only = true;
  way.small = c.small;
  return wrong_looking_ahead(c, way);
}
inline std::string ahead_on_codes(const Case& c, const Tree&) {
  Way way;
  way.small = c.small;
  return wrong_looking_ahead(c, way);
}

}  // namespace roads
