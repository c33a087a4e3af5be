// A search for growth that answers from a ledger.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "../../search/door/node_search.hpp"

namespace tectree {

// A node's key is its position in the ledger.
template <class Ledger>
class LedgerSearch : public NodeSearch {
 public:
  explicit LedgerSearch(Ledger& ledger) : ledger_(ledger) {
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

  Ledger& ledger_;
  std::shared_ptr<const std::vector<std::uint32_t>> columns_;
};

}  // namespace tectree
