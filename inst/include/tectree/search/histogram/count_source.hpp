// External counts as the source of a histogram search: no row is in memory, and a table of counts,
// a database or another machine is asked for the counts of a node.
//
// A node is identified by the path that leads to it. Its totals are summed from its parent's cells;
// its cells are asked for once, or are those of its parent minus those of its sibling. So for a
// split in two only the smaller child is asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../../base/stream.hpp"
#include "../door/node_search.hpp"
#include "histogram_rows.hpp"

namespace tectree {

// A row meets it if the split sends it to the branch; missing values go to `missing`, a branch or
// no_branch.
struct Condition {
  Split split;
  int missing, branch;
};
using Path = std::vector<Condition>;

template <class StatOf>
class CountSource {
 public:
  using Stat = StatOf;
  using Problem = typename Stat::Problem;
  using Known = typename Stat::Known;
  using Counts = typename Stat::Counts;
  // Fills the cells with the counts of the rows that meet all conditions of a path.
  using Ask = std::function<void(const Path&, const CellLayout&, Counts&)>;
  static constexpr bool in_memory = false;
  struct ByValue {};

  // `codes`: one code per value of every column.
  CountSource(std::shared_ptr<const Problem> problem, Stat stat, std::shared_ptr<const Codes> codes,
              Ask ask)
      : known_(std::move(problem)),
        stat_(std::move(stat)),
        codes_(std::move(codes)),
        cells_(*codes_, [](std::uint32_t) { return true; }),
        ask_(std::move(ask)) {
    root_counts_ = counts_of({});
    nodes_.push_back({{}, root_counts_->total});
  }

  const Stat& stat() const { return stat_; }
  const Known& node_stat() const { return known_; }
  const Codes& codes() const { return *codes_; }
  const CellLayout& cells() const { return cells_; }

  Node root() const { return {stat_.n_rows(root_counts_->total), 0, nullptr, root_counts_, 0}; }
  NodeFacts describe(const Node& node, double* share) const {
    return stat_.facts(*known_.problem(), nodes_[node.key].total, share);
  }
  void begin(const Node& node) { stat_.begin(known_, nodes_[node.key].total); }
  BinView view(const Node&, std::uint32_t c) const {
    return {known_.problem()->frame->columns[c], (*codes_)[c]};
  }
  std::shared_ptr<const void> count(const Node& node, const void*, Team& team) const {
    team.check();
    auto out = counts_of(nodes_[node.key].path);
    need(stat_.n_rows(out->total) == node.n_rows);
    return out;
  }

  void divide(const Node& node, const Split& split, const MissingRoute& missing_route,
              std::vector<Node>& children) {
    const auto& counts = *static_cast<const Counts*>(node.counts.get());
    const auto c = static_cast<std::uint32_t>(split.column);
    std::vector<typename Stat::Total> total(split.branches, Stat::no_total(*known_.problem()));
    const CodedColumn& coded = (*codes_)[c];
    const SplitView view = split.view();
    for (int code = 0; code <= coded.codes; ++code) {
      const int branch =
          code < coded.codes ? route_value(view, coded.binned.values[code]) : missing_route.branch;
      if (branch != no_branch) Stat::add_cell(counts, cells_.first(c) + code, total[branch]);
    }
    children.clear();
    const Path path = nodes_[node.key].path;
    for (int j = 0; j < split.branches; ++j) {
      const std::uint64_t stream = Stream::part(node.stream, static_cast<std::size_t>(j));
      children.push_back({stat_.n_rows(total[j]), nodes_.size(), node.columns, nullptr, stream});
      nodes_.push_back({path, std::move(total[j])});
      nodes_.back().path.push_back({split, missing_route.branch, j});
    }
  }

 private:
  struct Place {
    Path path;
    typename Stat::Total total;
  };

  // With the total, that of any column.
  std::shared_ptr<const Counts> counts_of(const Path& path) const {
    auto out = std::make_shared<Counts>(Stat::no_counts(*known_.problem(), cells_));
    ask_(path, cells_, *out);
    for (std::uint32_t c = 0; c < codes_->size(); ++c) {
      typename Stat::Total total = Stat::no_total(*known_.problem());
      for (std::size_t i = cells_.first(c); i < cells_.end(c); ++i) Stat::add_cell(*out, i, total);
      if (c == 0) out->total = total;
      need(stat_.n_rows(total) == stat_.n_rows(out->total));
    }
    return out;
  }
  // Growth on inconsistent counts might never end.
  static void need(bool agrees) {
    if (!agrees) throw std::runtime_error("the counts of a node are inconsistent");
  }

  Known known_;
  Stat stat_;
  std::shared_ptr<const Codes> codes_;
  CellLayout cells_;
  Ask ask_;
  std::shared_ptr<const Counts> root_counts_;
  std::vector<Place> nodes_;  // by key
};

}  // namespace tectree
