// A counts source without rows in memory: a table of records and how often each occurs, asked as a
// database would be. A node is known by the conditions that lead to it.
#pragma once

#include <tectree/grow/grow_tree.hpp>

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
        task_(Task::Stat(std::move(shared), {}, {})),
        stat_(task_, 0),
        rows_(std::move(codes), {}, 0, problem.sample, [](std::uint32_t) { return true; }) {
    conditions_.emplace_back();
  }

  Task& task() { return task_; }
  const Stat& stat() const { return stat_; }
  const tectree::HistogramRows& rows() const { return rows_; }

  std::size_t size() const {
    std::size_t all = 0;
    for (std::size_t i = 0; i < problem_.sample.size; ++i) all += times(i);
    return all;
  }
  tectree::NodeFacts describe(const tectree::Node& node, double* share) {
    return tectree::class_facts(*task_.stat().problem(), totals(node), node.n_rows, share);
  }
  void begin(const tectree::Node& node) { task_.stat().begin(totals(node), node.n_rows); }
  std::shared_ptr<const void> count(const tectree::Node& node, const void*, tectree::Team&) {
    const std::size_t k = task_.stat().classes();
    auto out = std::make_shared<Counts>();
    out->total = totals(node);
    out->cells.assign(rows_.cell.back() * k, 0);
    each_record(node, [&](std::size_t i) {
      for (std::size_t c = 0; c < rows_.codes->size(); ++c)
        out->cells[(rows_.cell[c] + (*rows_.codes)[c].binned.code[i]) * k + label(i)] += times(i);
    });
    return out;
  }
  void divide(const tectree::Node& node, const tectree::Split& split,
              const tectree::MissingRoute& missing_route, std::vector<tectree::Node>& children) {
    std::vector<std::size_t> sizes(split.branches, 0);
    each_record(node, [&](std::size_t i) {
      const int j = branch(split, missing_route.branch, i);
      if (j != tectree::no_branch) sizes[j] += times(i);
    });
    children.clear();
    for (int j = 0; j < split.branches; ++j) {
      children.push_back({sizes[j], conditions_.size(), node.columns, nullptr, 0});
      std::vector<Condition> path = conditions_[node.key];
      path.push_back({split, missing_route.branch, j});
      conditions_.push_back(std::move(path));
    }
  }
  std::optional<TableSource> gather(const tectree::Node&, std::size_t, tectree::Team&) const {
    return std::nullopt;
  }
  std::unique_ptr<tectree::NodeSearch> shrunk(const tectree::Node&, int) { return nullptr; }

 private:
  struct Condition {
    tectree::Split split;
    int unknown, branch;  // of records without a value; the one that is wanted
  };

  std::size_t times(std::size_t record) const {
    return static_cast<std::size_t>(problem_.sample.weight(record));
  }
  std::size_t label(std::size_t record) const { return problem_.response.code[record] - 1; }
  int branch(const tectree::Split& split, int unknown, std::size_t record) const {
    const int by_value = route(split.view(), problem_.frame.columns[split.column], record);
    return by_value == tectree::no_branch ? unknown : by_value;
  }
  template <class Use>
  void each_record(const tectree::Node& node, Use use) const {
    for (std::size_t i = 0; i < problem_.sample.size; ++i) {
      bool here = true;
      for (const Condition& c : conditions_[node.key])
        here = here && branch(c.split, c.unknown, i) == c.branch;
      if (here) use(i);
    }
  }
  std::vector<std::uint32_t> totals(const tectree::Node& node) const {
    std::vector<std::uint32_t> out(task_.stat().classes(), 0);
    each_record(node,
                [&](std::size_t i) { out[label(i)] += static_cast<std::uint32_t>(times(i)); });
    return out;
  }

  const tectree::Problem& problem_;
  Task task_;
  Stat stat_;
  tectree::HistogramRows rows_;
  std::vector<std::vector<Condition>> conditions_;  // by key: those that lead to the node
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
