// The road of the oracle: the tree of a second, naive implementation.
#pragma once

#include "oracle/compare.h"
#include "roads/problem.h"
#include "roads/same.h"

namespace roads {

// Why the oracle does not take a problem; null if it does.
inline const char* to_oracle(const Case& c) {
  const tectree::SearchControl& control = c.setting.control;
  if (c.rows() > 100 || (control.intervals > 2 && c.rows() > 18))
    return "too many rows to try everything";
  if (control.max_columns > 0 || control.random_ties || control.random_cuts)
    return "a random search";
  if (c.setting.stop.has_test() || tectree::by_p_value(Posed(c, {}).problem)) return "p values";
  for (std::size_t i = 0; i < c.table.x.size(); ++i) {
    if (c.table.kind[i] == tectree::Kind::nominal && c.table.n_levels[i] > 12)
      return "more levels than groupings are tried of";
  }
  return nullptr;
}

inline oracle::Problem put_to_oracle(const Case& c) {
  return {c.table,
          c.setting,
          c.missing,
          c.factors,
          c.loss,
          c.surrogates,
          c.undecided == tectree::UnknownRows::stop};
}

inline std::string by_oracle(const Case& c, const Tree& usual) {
  const oracle::Problem problem = put_to_oracle(c);
  const oracle::Node root = oracle::Growth(problem, &usual).grow();
  return oracle::Comparison(usual, root, 1e-9).said();
}

}  // namespace roads
