// What is known of the nodes of a tree whose rows are elsewhere, and a search that answers from it.
//
// Growth is done anew, from the root, whenever more is known: a node that was searched keeps its
// split, and one whose cells are not known yet waits, and is a leaf for now. What waits is asked
// for together. Growth in which no node waits has grown the tree. So growth itself knows nothing
// of this, and neither the order of questions nor the number of rounds can change the tree.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "../../base/stream.hpp"
#include "../../missing/policies.hpp"
#include "../grow_tree.hpp"
#include "choose_by_cells.hpp"

namespace tectree {

// How a node's split, or that it has none, was found.
enum class Found { not_searched = 0, by_values = 1, by_rows = 2 };

// Counts that are not what they must be, if the rows are those they were.
struct Conflict {
  int node;
  std::uint32_t column;
  int label;  // -1: of all
  double promised, found;
};

template <class Chooser>
class Ledger {
 public:
  using Cell = typename Chooser::Cell;
  using Total = typename Chooser::Total;

  struct Entry {
    int parent = -1, branch = 0;
    std::uint64_t stream = 0;
    Total total;
    double rows = 0.0;
    std::vector<Cell> cells;  // by column, code and class
    bool known = false;       // whether they are, or were
    bool searched = false;    // then `winner` is its split, if it has one
    std::optional<Winner> winner;
    std::vector<int> children;  // of that split
    int missing = no_branch;    // the branch of rows without a value
    Found how = Found::not_searched;
    // Of a node grown from its rows: what the tree keeps of it.
    std::optional<NodeFacts> facts;
    std::vector<double> share;
  };

  // `few`: nodes of at most so many rows are not asked for, but their rows are.
  Ledger(std::shared_ptr<const Chooser> chooser, std::vector<Cell> root, std::uint64_t stream,
         double few)
      : chooser_(std::move(chooser)), few_(few) {
    Entry all;
    all.stream = stream;
    all.total = chooser_->none();
    sort(root);
    for (const Cell& cell : root) {
      if (cell.column != 0) continue;
      Chooser::add(cell, all.total);
      all.rows += cell.rows;
    }
    entries_.push_back(std::move(all));
    conflict_ = check(0, root);
    entries_[0].cells = std::move(root);
    entries_[0].known = true;
  }

  const Chooser& chooser() const { return *chooser_; }
  const std::vector<Entry>& entries() const { return entries_; }
  const std::optional<Conflict>& conflict() const { return conflict_; }
  const std::vector<int>& to_collect() const { return collect_; }

  // Grows as far as is known. Where nothing waits and nothing is to be collected, it is the tree.
  Tree grow(const StopRule& stop, const MissingPolicy& missing, Team& team);

  // The nodes to ask for: of a node's children all but the largest, where what is left is its.
  std::vector<int> asks() {
    rest_.clear();
    std::map<int, std::vector<int>> waiting;
    for (int id : waiting_) waiting[entries_[id].parent].push_back(id);
    std::vector<int> out;
    for (const auto& [parent, ids] : waiting) add_asks(parent, ids, out);
    return out;
  }
  // The cells of a node that was asked for; false, and conflict(), where they cannot be.
  bool answer(int id, std::vector<Cell> cells) {
    sort(cells);
    conflict_ = check(id, cells);
    if (conflict_) return false;
    entries_[id].cells = std::move(cells);
    entries_[id].known = true;
    return true;
  }
  // Once all have been: the cells of the others.
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

  // A node was grown from its rows: `tree` is what is below it.
  void graft(int id, const Tree& tree) {
    std::vector<int> at(tree.size(), -1);
    at[0] = id;
    for (std::size_t v = 0; v < tree.size(); ++v) {
      const int of = at[v];
      describe(of, tree, static_cast<int>(v));
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

  // ---- what the search asks -----------------------------------------------------------------

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
      e.winner = chooser_->best(e.cells, e.stream, team);
      e.searched = true;
      e.how = Found::by_values;
    }
    return e.winner ? &*e.winner : nullptr;
  }
  // Its children by its split; made once.
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
    for (const Cell& cell : entries_[id].cells) {
      if (static_cast<int>(cell.column) != split.column) continue;
      const int branch = branch_of(id, cell.code);
      if (branch == no_branch) continue;
      Chooser::add(cell, made[branch].total);
      made[branch].rows += cell.rows;
    }
    for (Entry& child : made) {
      entries_[id].children.push_back(static_cast<int>(entries_.size()));
      entries_.push_back(std::move(child));
    }
    return entries_[id].children;
  }
  // Where the node's split sends rows with this code of its column.
  int branch_of(int id, int code) const {
    const Entry& e = entries_[id];
    const CodedColumn& coded = chooser_->codes()[e.winner->split.column];
    const int branch = code < coded.codes
                           ? route_value(e.winner->split.view(), coded.binned.values[code])
                           : no_branch;
    return branch == no_branch ? e.missing : branch;
  }

 private:
  static auto place(const ClassCell& c) { return std::make_tuple(c.column, c.code, c.label); }
  static auto place(const NumberCell& c) { return std::make_tuple(c.column, c.code); }
  static void sort(std::vector<Cell>& cells) {
    std::sort(cells.begin(), cells.end(),
              [](const Cell& a, const Cell& b) { return place(a) < place(b); });
  }

  // Growth is to see that it was worth a search.
  void describe(int id, const Tree& tree, int v) {
    Entry& e = entries_[id];
    e.facts = facts_of(tree, v);
    e.facts->case_weight = e.facts->risk = HUGE_VAL;
    e.rows = tree.n[v];
    e.share.assign(tree.shares(v), tree.shares(v) + tree.n_classes);
    e.searched = true;
    e.how = Found::by_rows;
    if (tree.kind[v] == 0) return;
    Winner winner;
    winner.split = tree.split_at(v);
    winner.gain = tree.gain[v];
    winner.score = tree.score[v];
    winner.exact = tree.exact[v] != 0;
    winner.filled = tree.default_child[v];
    winner.branch_weight.assign(1, 0.0);
    e.winner = std::move(winner);
    e.missing = tree.default_child[v];
  }

  // In every column the cells add up to what the split of the node's parent promised.
  std::optional<Conflict> check(int id, const std::vector<Cell>& cells) const {
    const Entry& e = entries_[id];
    auto cell = cells.begin();
    for (std::uint32_t c = 0; c < chooser_->codes().size(); ++c) {
      Total total = chooser_->none();
      double rows = 0.0;
      for (; cell != cells.end() && cell->column == c; ++cell) {
        Chooser::add(*cell, total);
        rows += cell->rows;
      }
      const auto conflict = compare(e.total, total);
      if (conflict) return Conflict{id, c, conflict->label, conflict->promised, conflict->found};
      if (rows != e.rows) return Conflict{id, c, -1, e.rows, rows};
    }
    return std::nullopt;
  }
  static std::optional<Conflict> compare(const std::vector<double>& a,
                                         const std::vector<double>& b) {
    for (std::size_t s = 0; s < a.size(); ++s) {
      if (a[s] != b[s]) return Conflict{0, 0, static_cast<int>(s), a[s], b[s]};
    }
    return std::nullopt;
  }
  // Sums of fractions may differ by rounding.
  static std::optional<Conflict> compare(const NumberTotal& a, const NumberTotal& b) {
    if (a.n != b.n) return Conflict{0, 0, -1, a.n, b.n};
    const double size = std::sqrt(std::max(a.squares, b.squares) * std::max(a.n, 1.0));
    if (std::fabs(a.sum - b.sum) > 1e-9 * size) return Conflict{0, 0, -2, a.sum, b.sum};
    return std::nullopt;
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
    // Rows that left the tree are in no child.
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
      auto at = cells.begin();
      for (const Cell& less : entries_[sibling].cells) {
        while (at != cells.end() && place(*at) < place(less)) ++at;
        const bool there = at != cells.end() && place(*at) == place(less);
        if (!there || less.n > at->n || less.rows > at->rows) {
          conflict_ = Conflict{sibling, less.column, -1, there ? at->n : 0.0, less.n};
          return false;
        }
        subtract(less, *at);
      }
    }
    cells.erase(std::remove_if(cells.begin(), cells.end(), [](const Cell& c) { return c.n == 0.0; }),
                cells.end());
    return answer(id, std::move(cells));
  }
  static void subtract(const ClassCell& part, ClassCell& cell) {
    cell.n -= part.n;
    cell.rows -= part.rows;
  }
  static void subtract(const NumberCell& part, NumberCell& cell) {
    cell.n -= part.n;
    cell.rows -= part.rows;
    cell.sum -= part.sum;
    cell.squares -= part.squares;
  }

  std::shared_ptr<const Chooser> chooser_;
  double few_;
  std::vector<Entry> entries_;
  std::vector<int> waiting_, collect_, rest_;
  std::optional<Conflict> conflict_;
};

// A node's key is its place in the ledger.
template <class Chooser>
class LedgerSearch : public NodeSearch {
 public:
  explicit LedgerSearch(Ledger<Chooser>& ledger) : ledger_(ledger) {
    std::vector<std::uint32_t> all(ledger.chooser().codes().size());
    std::iota(all.begin(), all.end(), 0u);
    columns_ = std::make_shared<const std::vector<std::uint32_t>>(std::move(all));
  }

  Node root() const override { return node(0); }
  NodeFacts describe(const Node& node, double* share) override {
    return ledger_.describe(static_cast<int>(node.key), share);
  }
  const Winner* best(Node& node, Team& team) override {
    team.check();
    return ledger_.best(static_cast<int>(node.key), team);
  }
  void divide_rows(const Node& of, const Split& split, const MissingRoute& missing_route,
                   std::vector<Node>& children) override {
    children.clear();
    for (int id : ledger_.divide(static_cast<int>(of.key), split, missing_route.branch))
      children.push_back(node(id));
  }
  void divide_columns(const Node&, std::vector<Node>&, const std::vector<char>&, Team&) override {}
  std::unique_ptr<NodeSearch> shrink(const Node&) override { return nullptr; }
  std::unique_ptr<NodeSearch> fork() const override {
    return std::make_unique<LedgerSearch>(ledger_);
  }

 private:
  Node node(int id) const {
    const auto& entry = ledger_.entries()[id];
    return {static_cast<std::size_t>(entry.rows), static_cast<std::uint64_t>(id), columns_, nullptr,
            entry.stream};
  }

  Ledger<Chooser>& ledger_;
  std::shared_ptr<const std::vector<std::uint32_t>> columns_;
};

template <class Chooser>
Tree Ledger<Chooser>::grow(const StopRule& stop, const MissingPolicy& missing, Team& team) {
  waiting_.clear();
  collect_.clear();
  auto search = std::make_unique<LedgerSearch<Chooser>>(*this);
  const Node root = root_of(*search, entries_[0].stream);
  return Grower(stop, missing, chooser_->problem().response.n_classes, 0, 0)
      .grow(std::move(search), root, 0, team);
}

// Grows a node from its rows, which are the problem's sample, as a part of the ledger's tree.
// `depth`: of the node.
template <class Chooser>
Tree grow_collected(const Ledger<Chooser>& ledger, int id, Problem& problem, StopRule stop,
                    int depth, const MissingPolicy& missing, Team& team) {
  const auto& entries = ledger.entries();
  std::vector<double> share(static_cast<std::size_t>(problem.response.n_classes));
  stop.know_root(ledger.describe(0, share.data()));
  stop.max_depth -= depth;
  problem.seed = entries[id].stream;
  problem.training = Sample{static_cast<std::size_t>(entries[0].rows), nullptr, nullptr};
  Setup setup = ledger.chooser().set_up(problem);
  if (const auto coded = code_problem(problem, setup, missing, team))
    return grow_coded(*coded, all_positions(problem.sample.size), problem, stop, missing, team);
  return grow_as_found(sorted_search(problem, std::move(setup), team), problem, stop, missing, team,
                       problem.pass_on_at);
}

// Thresholds at values that occur, by the rules of C4.5, of which all are known.
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
