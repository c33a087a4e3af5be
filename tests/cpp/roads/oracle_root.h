// The roads of the oracle to the candidates of the root, and to the ends of new rows.
#pragma once

#include <tectree/grow/after/list_candidates.hpp>
#include <tectree/tree/spread.hpp>

#include <map>
#include <optional>

#include "oracle/prune.h"
#include "roads/oracle.h"
#include "support/random.h"

namespace roads {

// ---- candidates ---------------------------------------------------------------------------------

inline const char* to_oracle_candidates(const Case& c) {
  if (const char* why = to_oracle(c)) return why;
  return c.setting.control.rules == tectree::SearchControl::Rules::exact ? nullptr : "other rules";
}

// Why a column cannot split the root.
inline tectree::Barred barred_by_oracle(const oracle::Problem& problem, std::size_t column,
                                        const std::optional<oracle::Found>& best) {
  using tectree::Barred;
  const oracle::Rows rows = oracle::all_rows(problem.table);
  const std::vector<double> x = oracle::searched(problem, rows, column);
  if (oracle::groups_of(problem, rows, column, x).value.size() < 2) return Barred::one_value;
  if (!best) return Barred::min_bucket;
  return best->enough ? Barred::not_barred : Barred::min_gain;
}

// The difference between a column's candidate and the oracle's, in a word.
inline const char* differs(const tectree::Candidate& found, const oracle::Found& expected) {
  const auto near = [](double a, double b) {
    return std::fabs(a - b) <= 1e-9 * std::max(1.0, std::fabs(b));
  };
  if (!tectree::same_split(found.split, expected.split)) return "split";
  if (found.filled != (expected.side < 0 ? found.filled : expected.side)) return "learned side";
  if (!near(found.gain, expected.values.gain)) return "gain";
  if (!near(found.cut, expected.values.cut)) return "cut measure";
  return near(found.score, expected.values.score) ? nullptr : "score";
}

inline std::string candidates_of_oracle(const Case& c, const Tree&) {
  Posed posed(c, {});
  posed.problem.control.unknown = posed.missing().search;
  tectree::Team team(1);
  const auto found = tectree::list_candidates(posed.problem, false, team);
  if (found.size() != c.table.x.size()) return "not one candidate per column";
  const oracle::Problem problem = put_to_oracle(c);
  const oracle::Rows rows = oracle::all_rows(c.table);
  const oracle::Chooser chooser(problem, rows, 1.0);
  std::vector<oracle::Found> competing;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto best = chooser.best_of_column(i);
    if (best) competing.push_back(*best);
    const std::string at = " of column " + std::to_string(i + 1);
    if (found[i].barred != barred_by_oracle(problem, i, best))
      return "what bars the candidate" + at;
    if (!found[i].admissible()) continue;
    if (const char* what = differs(found[i], *best)) return what + at;
  }
  if (oracle::is_pure(c.table, rows)) return "";
  const double least = chooser.least_cut(competing);
  const auto winner = chooser.winner();
  for (const tectree::Candidate& f : found) {
    const std::string at = " of column " + std::to_string(f.split.column + 1);
    if (f.admissible() && f.eligible != (f.cut >= least)) return "eligibility" + at;
    if (f.chosen != (winner && winner->split.column == f.split.column)) return "choice" + at;
  }
  return "";
}

// ---- new rows -----------------------------------------------------------------------------------

// The weight of a row by the node, in pre-order, where its parts end.
using Ends = std::map<int, double>;

inline void follow(const oracle::Problem& problem, const oracle::Node& node,
                   const oracle::Rows& rows, int& next, std::vector<Ends>& ends) {
  const int here = next++;
  const std::vector<oracle::Rows> parts =
      node.child.empty() ? std::vector<oracle::Rows>() : oracle::lead(problem, rows, node);
  for (const oracle::Row& r : oracle::stopped(rows, parts)) ends[r.at][here] += r.w;
  for (std::size_t j = 0; j < parts.size(); ++j)
    follow(problem, node.child[j], parts[j], next, ends);
}

// Rows with values of the case's rows, other values, and missing ones.
inline Table new_rows(const Case& c) {
  constexpr std::size_t n = 8;
  support::Random random(c.seed + 3);
  Table out;
  out.n_classes = c.table.n_classes;
  out.y.assign(n, 1);
  out.number.assign(n, 0.0);
  for (std::size_t i = 0; i < c.table.x.size(); ++i) {
    std::vector<double> x;
    for (std::size_t r = 0; r < n; ++r) {
      const double old = random.one_of(c.table.x[i]);
      const double other = c.table.n_levels[i] > 0 ? random.between(1, c.table.n_levels[i])
                                                   : 20 * random.uniform() - 10;
      x.push_back(random.chance(0.3) ? std::nan("") : random.chance(0.3) ? other : old);
    }
    out.add(c.table.kind[i], c.table.n_levels[i], std::move(x));
  }
  return out;
}

inline std::string predicted_by_oracle(const Case& c, const Tree& usual) {
  const oracle::Problem grown_from = put_to_oracle(c);
  const oracle::Node root = oracle::Growth(grown_from, &usual).grow();
  const Table table = new_rows(c);
  const oracle::Problem problem{table,
                                c.setting,
                                c.missing,
                                c.factors,
                                c.loss,
                                c.surrogates,
                                c.undecided == tectree::UnknownRows::stop};
  std::vector<Ends> expected(table.rows());
  int next = 0;
  follow(problem, root, oracle::all_rows(table), next, expected);
  const tectree::Problem posed = support::problem_of(table, c.setting);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    Ends found;
    tectree::spread(usual, posed.frame, row, 1.0, 0,
                    [&](int node, double weight) { found[node] += weight; });
    bool same = found.size() == expected[row].size();
    for (const auto& [node, weight] : expected[row])
      same = same && std::fabs(found[node] - weight) <= 1e-12;
    if (!same) return "a new row ends elsewhere";
  }
  return "";
}

}  // namespace roads
