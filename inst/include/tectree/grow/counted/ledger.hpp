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
enum class Found { not_searched = 0, by_values = 1, certified = 2, by_bins = 3, by_rows = 4 };

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
    std::vector<Cell> cells;              // by column, code and class
    std::vector<ValueCell<Cell>> inside;  // of bins that were looked into, likewise
    bool known = false;                   // whether they are, or were
    bool searched = false;                // then `winner` is its split, if it has one
    std::optional<Winner> winner;
    std::vector<int> children;  // of that split
    int missing = no_branch;    // the branch of rows without a value
    Found how = Found::not_searched;
    // Of a node grown from its rows: what the tree keeps of it.
    std::optional<NodeFacts> facts;
    std::vector<double> share;
  };

  // `few`: nodes of at most so many rows are not asked for, but their rows are. `looks`: whether
  // bins are looked into.
  Ledger(std::shared_ptr<const Chooser> chooser, std::vector<Cell> root, std::uint64_t stream,
         double few, bool looks)
      : chooser_(std::move(chooser)), few_(few), looks_(looks) {
    const Codes& codes = chooser_->codes();
    any_bins_ = std::any_of(codes.begin(), codes.end(),
                            [](const CodedColumn& column) { return !column.exact; });
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

  // The bins to look into: of these nodes, in these columns.
  struct Look {
    int id;
    OpenBin bin;
  };
  const std::vector<Look>& to_look() const { return look_; }
  // The rows by value of all bins in to_look(); false, and conflict(), where they do not add up.
  bool look(std::map<int, std::vector<ValueCell<Cell>>> found) {
    for (const Look& look : look_) {
      const Entry& e = entries_[look.id];
      Total promised = chooser_->none(), total = chooser_->none();
      for (const Cell& cell : e.cells) {
        if (cell.column == look.bin.column && cell.code == look.bin.code)
          Chooser::add(cell, promised);
      }
      for (const auto& v : found[look.id]) {
        if (v.cell.column == look.bin.column && v.cell.code == look.bin.code)
          Chooser::add(v.cell, total);
      }
      conflict_ = compare(promised, total);
      if (conflict_) {
        conflict_->node = look.id;
        conflict_->column = look.bin.column;
        return false;
      }
    }
    for (auto& [id, values] : found) {
      std::vector<ValueCell<Cell>>& inside = entries_[id].inside;
      inside.insert(inside.end(), values.begin(), values.end());
      std::sort(inside.begin(), inside.end(), [](const auto& a, const auto& b) {
        return std::make_tuple(a.cell.column, a.cell.code, a.value, place(a.cell)) <
               std::make_tuple(b.cell.column, b.cell.code, b.value, place(b.cell));
      });
    }
    look_.clear();
    return true;
  }

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
      e.winner = chooser_->best({e.cells, e.inside}, e.stream, team);
      if (any_bins_ && looks_ && want_looks(id)) return nullptr;
      if (any_bins_ && !looks_ && e.winner) cut_at_edges(*e.winner);
      e.searched = true;
      e.how = !any_bins_ ? Found::by_values : looks_ ? Found::certified : Found::by_bins;
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
  // Where the node's split sends rows with this code of its column, or this value, NaN where it is
  // missing.
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
  static auto place(const ClassCell& c) { return std::make_tuple(c.column, c.code, c.label); }
  static auto place(const NumberCell& c) { return std::make_tuple(c.column, c.code); }
  static void sort(std::vector<Cell>& cells) {
    std::sort(cells.begin(), cells.end(),
              [](const Cell& a, const Cell& b) { return place(a) < place(b); });
  }

  // ---- bins ---------------------------------------------------------------------------------

  // Bins alone: a threshold is the edge of a bin.
  void cut_at_edges(Winner& winner) const {
    const CodedColumn& coded = chooser_->codes()[winner.split.column];
    if (coded.exact) return;
    const std::vector<double>& edges = coded.binned.values;
    for (double& t : winner.split.breaks)
      t = *(std::upper_bound(edges.begin(), edges.end(), t) - 1);
  }

  // Whether a bin must be looked into before the node's split is known to be the best: those
  // beside its cut, and those that may have a better one.
  bool want_looks(int id) {
    const Entry& e = entries_[id];
    const std::size_t before = look_.size();
    // Of columns drawn one after the other, the first with any split wins.
    const bool drawn = chooser_->problem().control.max_columns > 0;
    const double enough = e.winner && !drawn ? e.winner->cut : -HUGE_VAL;
    auto cell = e.cells.begin();
    while (cell != e.cells.end()) {
      const std::uint32_t c = cell->column;
      auto end = cell;
      while (end != e.cells.end() && end->column == c) ++end;
      if (!chooser_->codes()[c].exact) want_looks(id, c, cell, end, enough);
      cell = end;
    }
    return look_.size() > before;
  }
  template <class Iterator>
  void want_looks(int id, std::uint32_t c, Iterator first, Iterator last, double enough) {
    const Entry& e = entries_[id];
    const CodedColumn& coded = chooser_->codes()[c];
    struct Bin {
      int code;
      Total total;
    };
    std::vector<Bin> bins;
    Total all = chooser_->none();
    bool missing = false;
    for (auto cell = first; cell != last; ++cell) {
      if (cell->code == coded.codes) {
        missing = true;
        continue;
      }
      if (bins.empty() || bins.back().code != cell->code)
        bins.push_back({cell->code, chooser_->none()});
      Chooser::add(*cell, bins.back().total);
      Chooser::add(*cell, all);
    }
    const bool splits = e.winner && e.winner->split.column == static_cast<int>(c);
    // A bound within rounding of the best cut may tie with it.
    const double slack = std::isfinite(enough) ? 1e-9 * (std::fabs(enough) + impurity_of(e)) : 0.0;
    Total left = chooser_->none();
    for (std::size_t b = 0; b < bins.size(); ++b) {
      const Bin& bin = bins[b];
      const double size = Chooser::size_of(bin.total);
      if (!was_looked_into(e, c, bin.code)) {
        const std::vector<double>& edge = coded.binned.values;
        const double at = edge[bin.code], cut = splits ? e.winner->split.breaks[0] : 0.0;
        const bool above = b + 1 < bins.size() && at <= cut && cut < edge[bins[b + 1].code];
        const int below_prev = b > 0 ? bins[b - 1].code - 1 : -1;
        const bool below = b > 0 && cut < at && (below_prev < 0 || edge[below_prev] <= cut);
        const bool beside = splits && (above || below);
        const bool open = size > 1.0 && ((missing && chooser_->unknown_count()) ||
                                         !(chooser_->bound(left, bin.total, all) < enough - slack));
        if (beside || open) look_.push_back({id, {c, bin.code}});
      }
      add(bin.total, left);
    }
  }
  double impurity_of(const Entry& e) const {
    std::vector<double> share(static_cast<std::size_t>(chooser_->problem().response.n_classes));
    return chooser_->facts(e.total, e.rows, share.data()).impurity;
  }
  static void add(const std::vector<double>& more, std::vector<double>& total) {
    for (std::size_t s = 0; s < total.size(); ++s) total[s] += more[s];
  }
  static void add(const NumberTotal& more, NumberTotal& total) { total += more; }
  static bool was_looked_into(const Entry& e, std::uint32_t column, int code) {
    const auto at =
        std::lower_bound(e.inside.begin(), e.inside.end(), std::make_pair(column, code),
                         [](const ValueCell<Cell>& v, const std::pair<std::uint32_t, int>& key) {
                           return std::make_pair(v.cell.column, v.cell.code) < key;
                         });
    return at != e.inside.end() && at->cell.column == column && at->cell.code == code;
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
    cells.erase(
        std::remove_if(cells.begin(), cells.end(), [](const Cell& c) { return c.n == 0.0; }),
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
  bool looks_, any_bins_ = false;
  std::vector<int> waiting_, collect_, rest_;
  std::vector<Look> look_;
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
  look_.clear();
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
