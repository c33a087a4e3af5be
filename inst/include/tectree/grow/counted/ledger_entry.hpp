// A node of a tree whose rows are elsewhere, as stored in the ledger.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "../../tree/tree.hpp"
#include "known_cells.hpp"

namespace tectree {

// How a node's split, or the lack of one, was found.
enum class Found { not_searched = 0, by_values = 1, certified = 2, by_bins = 3, by_rows = 4 };

template <class Chooser>
struct LedgerEntry {
  using Cell = typename Chooser::Cell;

  int parent = -1, branch = 0;
  std::uint64_t stream = 0;
  typename Chooser::Total total;
  double rows = 0.0;
  std::vector<Cell> cells;              // by column, code and class
  std::vector<ValueCell<Cell>> inside;  // of bins that were looked into, in the same order
  bool known = false;                   // whether they are known, or were
  bool searched = false;                // then `winner` is its split, if it has one
  std::optional<Winner> winner;
  std::vector<int> children;  // of that split
  int missing = no_branch;    // the branch of rows with a missing value
  Found how = Found::not_searched;
  // What the tree stores about a node that was grown from its rows.
  std::optional<NodeFacts> facts;
  std::vector<double> share;

  // The node is node v of a tree that was grown from its rows. Growth must see that it was worth a
  // search.
  void describe(const Tree& tree, int v) {
    facts = facts_of(tree, v);
    facts->size = facts->risk = HUGE_VAL;
    rows = tree.n[v];
    share.assign(tree.shares(v), tree.shares(v) + tree.n_classes);
    searched = true;
    how = Found::by_rows;
    if (tree.kind[v] == 0) return;
    Winner of_rows;
    of_rows.split = tree.split_at(v);
    of_rows.gain = tree.gain[v];
    of_rows.score = tree.score[v];
    of_rows.exact = tree.exact[v] != 0;
    of_rows.test = tree.test[v];
    of_rows.filled = tree.default_child[v];
    of_rows.branch_weight.assign(1, 0.0);
    winner = std::move(of_rows);
    missing = tree.default_child[v];
  }
};

}  // namespace tectree
