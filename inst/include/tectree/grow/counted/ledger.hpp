// What is known about the nodes of a tree whose rows are elsewhere, and what to ask next.
//
// Growth starts again from the root whenever more is known: a node that was searched keeps its
// split, and a node with unknown cells waits, and is a leaf for now. Waiting nodes are asked for
// together. Growth without waiting nodes has grown the tree. So growth itself needs no changes, and
// neither the order of questions nor the number of rounds can change the tree.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "../../base/stream.hpp"
#include "../../missing/policies.hpp"
#include "../grower.hpp"
#include "conservation.hpp"
#include "known_cells.hpp"
#include "ledger_entry.hpp"
#include "ledger_search.hpp"
#include "open_bins.hpp"

namespace tectree {

template <class Chooser>
class Ledger {
 public:
  using Cell = typename Chooser::Cell;
  using Entry = LedgerEntry<Chooser>;

  // `few`: for nodes of at most so many rows, the rows are fetched instead of counts. `looks`:
  // whether bins are looked into.
  Ledger(std::shared_ptr<const Chooser> chooser, std::vector<Cell> root, std::uint64_t stream,
         double few, bool looks)
      : chooser_(std::move(chooser)), few_(few), looks_(looks) {
    const Codes& codes = chooser_->codes();
    any_bins_ = std::any_of(codes.begin(), codes.end(),
                            [](const CodedColumn& column) { return !column.exact; });
    Entry all;
    all.stream = stream;
    all.total = chooser_->none();
    detail::sort_cells(root);
    for (const Cell& cell : root) {
      if (cell.column != 0) continue;
      Chooser::add(cell, all.total);
      all.rows += cell.rows;
    }
    entries_.push_back(std::move(all));
    conflict_ = check_cells(*chooser_, entries_[0], 0, root);
    entries_[0].cells = std::move(root);
    entries_[0].known = true;
  }

  const Chooser& chooser() const { return *chooser_; }
  const std::vector<Entry>& entries() const { return entries_; }
  const std::optional<Conflict>& conflict() const { return conflict_; }
  const std::vector<int>& to_collect() const { return collect_; }

  // The bins to look into: for these nodes, in these columns.
  struct Look {
    int id;
    OpenBin bin;
  };
  const std::vector<Look>& to_look() const { return look_; }
  // The parts of all bins in to_look(); false, and conflict(), if they do not add up.
  bool look(std::map<int, std::vector<ValueCell<Cell>>> found) {
    for (const Look& look : look_) {
      conflict_ = check_bin(*chooser_, entries_[look.id], look.id, look.bin, found[look.id]);
      if (conflict_) return false;
    }
    for (const Look& look : look_) {
      if (!look.bin.whole()) detail::drop_part(look.bin, entries_[look.id].inside);
    }
    for (auto& [id, parts] : found) {
      std::vector<ValueCell<Cell>>& inside = entries_[id].inside;
      inside.insert(inside.end(), parts.begin(), parts.end());
      detail::sort_cells(inside);
    }
    look_.clear();
    return true;
  }

  // Grows as far as is known. If nothing waits and nothing is to be collected, the tree is
  // complete.
  Tree grow(const StopRule& stop, const MissingPolicy& missing, Team& team) {
    waiting_.clear();
    collect_.clear();
    look_.clear();
    auto search = std::make_unique<LedgerSearch<Ledger>>(*this);
    const Node root = root_of(*search, entries_[0].stream);
    return Grower(stop, missing, chooser_->problem().response.n_classes, 0, 0)
        .grow(std::move(search), root, 0, team);
  }

  // The nodes to ask for: all branches of a node but the largest, which gets the remainder.
  std::vector<int> asks() {
    rest_.clear();
    std::map<int, std::vector<int>> waiting;
    for (int id : waiting_) waiting[entries_[id].parent].push_back(id);
    std::vector<int> out;
    for (const auto& [parent, ids] : waiting) add_asks(parent, ids, out);
    return out;
  }
  // The cells of a node that was asked for; false, and conflict(), if they contradict known cells.
  bool answer(int id, std::vector<Cell> cells) {
    detail::sort_cells(cells);
    conflict_ = check_cells(*chooser_, entries_[id], id, cells);
    if (conflict_) return false;
    entries_[id].cells = std::move(cells);
    entries_[id].known = true;
    return true;
  }
  // Once all answers are in: the cells of the other nodes.
  bool settle() {
    for (int id : rest_) {
      if (!take_rest(id)) return false;
    }
    for (int id : waiting_) {
      Entry& parent = entries_[entries_[id].parent];
      parent.cells.clear();
      parent.cells.shrink_to_fit();
    }
    rest_.clear();
    waiting_.clear();
    return true;
  }

  // A node was grown from its rows: `tree` is the subtree below it.
  void graft(int id, const Tree& tree) {
    std::vector<int> at(tree.size(), -1);
    at[0] = id;
    for (std::size_t v = 0; v < tree.size(); ++v) {
      const int of = at[v];
      entries_[of].describe(tree, static_cast<int>(v));
      for (int j = 0; tree.kind[v] != 0 && j < tree.n_children[v]; ++j) {
        Entry child;
        child.parent = of;
        child.branch = j;
        at[tree.child[tree.child_start[v] + j]] = static_cast<int>(entries_.size());
        entries_[of].children.push_back(static_cast<int>(entries_.size()));
        entries_.push_back(std::move(child));
      }
    }
  }

  // ---- questions of the search -----------------------------------------------------------------

  NodeFacts describe(int id, double* share) const {
    const Entry& e = entries_[id];
    if (!e.facts) return chooser_->facts(e.total, e.rows, share);
    std::copy(e.share.begin(), e.share.end(), share);
    return *e.facts;
  }
  const Winner* best(int id, Team& team) {
    Entry& e = entries_[id];
    if (!e.searched && !e.known) {
      (e.rows <= few_ ? collect_ : waiting_).push_back(id);
      return nullptr;
    }
    if (!e.searched) {
      const KnownCells<Cell> cells{e.cells, e.inside};
      e.winner = chooser_->best(cells, e.stream, team);
      if (e.winner && !e.inside.empty()) cut_between_parts(cells, chooser_->codes(), *e.winner);
      if (any_bins_ && looks_ && want_looks(id)) return nullptr;
      if (any_bins_ && !looks_ && e.winner) cut_at_edges(*e.winner, chooser_->codes());
      e.searched = true;
      e.how = !any_bins_ ? Found::by_values : looks_ ? Found::certified : Found::by_bins;
    }
    return e.winner ? &*e.winner : nullptr;
  }
  // The branches of its split; made once.
  const std::vector<int>& divide(int id, const Split& split, int missing) {
    if (!entries_[id].children.empty()) return entries_[id].children;
    std::vector<Entry> made(static_cast<std::size_t>(split.branches));
    for (std::size_t j = 0; j < made.size(); ++j) {
      made[j].parent = id;
      made[j].branch = static_cast<int>(j);
      made[j].stream = Stream::part(entries_[id].stream, j);
      made[j].total = chooser_->none();
    }
    entries_[id].missing = missing;
    const Entry& e = entries_[id];
    KnownCells<Cell>{e.cells, e.inside}.each(chooser_->codes(),
                                             [&](const Cell& cell, double value) {
                                               if (static_cast<int>(cell.column) != split.column)
                                                 return;
                                               const int branch = branch_of_value(id, value);
                                               if (branch == no_branch) return;
                                               Chooser::add(cell, made[branch].total);
                                               made[branch].rows += cell.rows;
                                             });
    for (Entry& child : made) {
      entries_[id].children.push_back(static_cast<int>(entries_.size()));
      entries_.push_back(std::move(child));
    }
    return entries_[id].children;
  }
  // The branch of rows with this code of its column, or this value, NaN if missing.
  int branch_of(int id, int code) const {
    const CodedColumn& coded = chooser_->codes()[entries_[id].winner->split.column];
    return branch_of_value(id, code < coded.codes ? coded.binned.values[code]
                                                  : std::numeric_limits<double>::quiet_NaN());
  }
  int branch_of_value(int id, double value) const {
    const Entry& e = entries_[id];
    const int branch = std::isnan(value) ? no_branch : route_value(e.winner->split.view(), value);
    return branch == no_branch ? e.missing : branch;
  }
  // Whether the node's split lies inside a bin.
  bool cuts_a_bin(int id) const {
    return looks_ && !chooser_->codes()[entries_[id].winner->split.column].exact;
  }

 private:
  bool want_looks(int id) {
    const std::vector<OpenBin> open = open_bins(*chooser_, entries_[id]);
    for (const OpenBin& bin : open) look_.push_back({id, bin});
    return !open.empty();
  }

  void add_asks(int parent, const std::vector<int>& waiting, std::vector<int>& out) {
    double all = 0.0, asked = 0.0;
    int largest = -1;
    const std::vector<int>& children = entries_[parent].children;
    for (int id : children) {
      all += entries_[id].rows;
      if (largest < 0 || entries_[id].rows > entries_[largest].rows) largest = id;
    }
    for (int id : waiting) asked += entries_[id].rows;
    const double largest_rows = entries_[largest].rows;
    const bool waits = std::find(waiting.begin(), waiting.end(), largest) != waiting.end();
    // Rows that left the tree are in no branch.
    if (!waits || all != entries_[parent].rows || all - largest_rows > asked) {
      out.insert(out.end(), waiting.begin(), waiting.end());
      return;
    }
    rest_.push_back(largest);
    for (int id : children) {
      if (id != largest && entries_[id].rows > 0.0) out.push_back(id);
    }
  }

  bool take_rest(int id) {
    const Entry& parent = entries_[entries_[id].parent];
    std::vector<Cell> cells = parent.cells;
    for (int sibling : parent.children) {
      if (sibling == id) continue;
      conflict_ = take_off(sibling, entries_[sibling].cells, cells);
      if (conflict_) return false;
    }
    cells.erase(
        std::remove_if(cells.begin(), cells.end(), [](const Cell& c) { return c.n == 0.0; }),
        cells.end());
    return answer(id, std::move(cells));
  }

  std::shared_ptr<const Chooser> chooser_;
  double few_;
  std::vector<Entry> entries_;
  bool looks_, any_bins_ = false;
  std::vector<int> waiting_, collect_, rest_;
  std::vector<Look> look_;
  std::optional<Conflict> conflict_;
};

}  // namespace tectree
