// A counts source without rows in memory: a table of records and how often each occurs, asked as a
// database would be. A node is known by the conditions that lead to it.
#pragma once

#include <tectree/grow/grow_tree.hpp>

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace support {

class TableSource {
 public:
  using Stat = tectree::ClassHistogram<tectree::WholeWeight>;
  using Task = Stat::Task;
  using Problem = Stat::Problem;
  using Counts = tectree::ClassCounts<std::uint32_t>;

  // The problem's sample are the records; its weights, how often each occurs.
  TableSource(const tectree::Problem& problem, std::shared_ptr<const Problem> shared,
              std::shared_ptr<const tectree::Codes> codes)
      : problem_(problem),
        task_(std::move(shared), {}, {}),
        stat_(task_, 0),
        rows_(std::move(codes), {}, 0, problem.sample, [](std::uint32_t) { return true; }) {
    conditions_[key(root())];
  }

  Task& task() { return task_; }
  const Stat& stat() const { return stat_; }
  const tectree::HistogramRows& rows() const { return rows_; }
  TableSource by(std::shared_ptr<const Problem>) const { return *this; }

  tectree::Range root() const {
    std::size_t all = 0;
    for (std::size_t i = 0; i < problem_.sample.size; ++i) all += times(i);
    return {0, all, nullptr, nullptr};
  }
  tectree::NodeFacts describe(const tectree::Range& node, double* share) {
    return tectree::class_facts(*task_.problem(), totals(node), node.size(), share);
  }
  void begin(const tectree::Range& node) { task_.begin(totals(node), node.size()); }
  std::shared_ptr<const void> count(const tectree::Range& node, const void*, tectree::Team&) {
    const std::size_t k = task_.classes();
    auto out = std::make_shared<Counts>();
    out->total = totals(node);
    out->cells.assign(rows_.cell.back() * k, 0);
    each_record(node, [&](std::size_t i) {
      for (std::size_t c = 0; c < rows_.codes->size(); ++c)
        out->cells[(rows_.cell[c] + (*rows_.codes)[c].binned.code[i]) * k + label(i)] += times(i);
    });
    return out;
  }
  void divide(const tectree::Range& node, const tectree::Split& split,
              const tectree::MissingRoute& missing_route, std::vector<tectree::Range>& children) {
    std::vector<std::size_t> sizes(split.branches, 0);
    each_record(node, [&](std::size_t i) {
      const int j = branch(split, missing_route.branch, i);
      if (j != tectree::no_branch) sizes[j] += times(i);
    });
    children.clear();
    std::size_t begin = node.begin;
    for (int j = 0; j < split.branches; ++j) {
      children.push_back({begin, begin + sizes[j], node.columns, nullptr, 0});
      begin += sizes[j];
      if (sizes[j] == 0) continue;
      std::vector<Condition> path = conditions_.at(key(node));
      path.push_back({split, missing_route.branch, j});
      conditions_[key(children.back())] = std::move(path);
    }
  }
  std::optional<TableSource> gather(const tectree::Range&, std::size_t, tectree::Team&) const {
    return std::nullopt;
  }
  std::unique_ptr<tectree::NodeSearch> shrunk(const tectree::Range&, int) { return nullptr; }

  void swap(std::vector<std::uint32_t>&) {}
  void copy(const tectree::Range&, std::vector<std::uint32_t>&) const {}

 private:
  struct Condition {
    tectree::Split split;
    int unknown, branch;  // of records without a value; the one that is wanted
  };
  using Key = std::pair<std::size_t, std::size_t>;

  static Key key(const tectree::Range& node) { return {node.begin, node.end}; }
  std::size_t times(std::size_t record) const {
    return static_cast<std::size_t>(problem_.sample.weight(record));
  }
  std::size_t label(std::size_t record) const { return problem_.response.code[record] - 1; }
  int branch(const tectree::Split& split, int unknown, std::size_t record) const {
    const int by_value = route(split.view(), problem_.frame.columns[split.column], record);
    return by_value == tectree::no_branch ? unknown : by_value;
  }
  template <class Use>
  void each_record(const tectree::Range& node, Use use) const {
    if (node.size() == 0) return;
    for (std::size_t i = 0; i < problem_.sample.size; ++i) {
      bool here = true;
      for (const Condition& c : conditions_.at(key(node)))
        here = here && branch(c.split, c.unknown, i) == c.branch;
      if (here) use(i);
    }
  }
  std::vector<std::uint32_t> totals(const tectree::Range& node) const {
    std::vector<std::uint32_t> out(task_.classes(), 0);
    each_record(node,
                [&](std::size_t i) { out[label(i)] += static_cast<std::uint32_t>(times(i)); });
    return out;
  }

  const tectree::Problem& problem_;
  Task task_;
  Stat stat_;
  tectree::HistogramRows rows_;
  std::map<Key, std::vector<Condition>> conditions_;
};

// The tree of such a table.
inline tectree::Tree grown_from_counts(const tectree::Problem& asked, const tectree::StopRule& stop,
                                       const char* missing) {
  tectree::Team team(1);
  const tectree::MissingPolicy& policy = tectree::missing_policy(missing);
  tectree::Problem problem = asked;
  problem.control.unknown = policy.search;
  auto shared = tectree::set_up_classes(problem, team).shared;
  auto codes = std::make_shared<const tectree::Codes>(
      tectree::make_codes(problem.frame, problem.sample, team));
  auto search = std::make_unique<tectree::HistogramSearch<TableSource>>(
      TableSource(problem, std::move(shared), std::move(codes)), 0, 1);
  return tectree::grow_from(std::move(search), problem, stop, policy, team, problem.sample.size);
}

}  // namespace support
