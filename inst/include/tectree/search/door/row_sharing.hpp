// What tuning and lookahead require of a search: several searches work on the same rows, or one on
// a copy of them.
#pragma once

#include <memory>

#include "node_search.hpp"

namespace tectree {

struct ClassProblem;

// Some of a search's rows in their own order.
struct RowOrder {
  virtual ~RowOrder() = default;
};

class RowSharing {
 public:
  virtual ~RowSharing() = default;
  // A search by another problem of the same rows, wherever either moves them; null if problems
  // cannot share rows.
  virtual std::unique_ptr<NodeSearch> with_problem(
      const std::shared_ptr<const ClassProblem>& problem) const = 0;
  // copy() takes the rows of a node, and returns the node in that order; swap() exchanges the rows
  // that this search and those that share them work on. Both create the order if there is none.
  virtual Node copy(const Node& node, std::unique_ptr<RowOrder>& order) = 0;
  virtual void swap(std::unique_ptr<RowOrder>& order) = 0;
};

}  // namespace tectree
