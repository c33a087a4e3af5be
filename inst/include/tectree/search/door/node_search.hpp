// Room search/door/: all that growth knows about a search.
//
// The interface: one virtual call per node. Behind it a search sees all columns of the node at
// once, so it can look at every column coarsely before it looks at any closely.
// The words of the search are explained in DEVELOPING.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

#include "../../base/team.hpp"
#include "../../split/split.hpp"
#include "../../tree/records.hpp"
#include "search_control.hpp"

namespace tectree {

struct ClassProblem;

// A node of one search: a handle for growth.
struct Node {
  std::size_t n_rows = 0;
  std::uint64_t key = 0;  // identifies the node: only its own search reads it
  // The columns of the node; which of them are searched is decided in choose/column_choice.hpp.
  std::shared_ptr<const std::vector<std::uint32_t>> columns;
  std::shared_ptr<const void> counts;  // what its search already knows about it, or null
  std::uint64_t stream = 0;            // seed of its random numbers
};

// A node with rows in memory, as its search sees it; growth does not use it. Its rows are [begin,
// end) of the search's rows, and of every column's entries. A view of a Node.
struct Range {
  std::size_t begin = 0, end = 0;
  const std::vector<std::uint32_t>* columns = nullptr;
  std::uint64_t stream = 0;

  std::size_t size() const { return end - begin; }
};

// The key of such a node is the start of its rows.
inline Range range_of(const Node& node) {
  const auto begin = static_cast<std::size_t>(node.key);
  return {begin, begin + node.n_rows, node.columns.get(), node.stream};
}

// Splits of a node that are tried in turn.
struct Tried {
  std::vector<Winner> splits;  // the most promising first
  bool first_is_best = false;  // the first is the node's winner, see NodeSearch::best()
};

// Some of a search's rows in their own order.
struct RowOrder {
  virtual ~RowOrder() = default;
};

class NodeSearch {
 public:
  virtual ~NodeSearch() = default;
  virtual Node root() const = 0;
  // `share`: room for the class shares, not touched in regression.
  virtual NodeFacts describe(const Node& node, double* share) = 0;
  // The split of the node, null if no column has an admissible one; valid until the next call.
  virtual const Winner* best(Node& node, Team& team) = 0;
  // The node's winner, and the next best splits: `most` in all. Includes those without a gain,
  // which may become useful through later splits.
  virtual Tried promising(Node&, std::size_t /*most*/, Team&) { return {}; }
  // use(row of the frame, case weight) for the node's rows; false if they are not in memory.
  using UseRow = std::function<void(std::size_t, double)>;
  virtual bool each_row(const Node&, const UseRow&) const { return false; }
  // The best surrogates of a split in two, the best first.
  virtual std::vector<Surrogate> find_surrogates(const Node&, const Split&, const SurrogateRule&,
                                                 Team&) {
    return {};
  }
  // Divides the node's rows in two, those with a missing value in parts, by the known weights of
  // the branches: `children` are then its nodes, of this search. Their rows take the place of the
  // node's and of all after it, which must not belong to a node that will still be searched: the
  // last of the children is searched first. False, and nothing is changed, if no value is missing,
  // or this search cannot.
  virtual bool divide_rows_in_parts(const Node&, const Winner&, std::vector<Node>& /*children*/) {
    return false;
  }
  // A separate search for every branch (null if it has no rows), for a node where rows with a
  // missing value go down all branches in parts, by their known weights; none if no value is
  // missing.
  virtual std::vector<std::unique_ptr<NodeSearch>> divide_into_parts(const Node&, const Winner&,
                                                                     Team&) {
    return {};
  }
  // Divides the node's rows by branch: `children` are then its nodes. Rows with a missing value
  // take the missing route.
  virtual void divide_rows(const Node& node, const Split& split, const MissingRoute& missing_route,
                           std::vector<Node>& children) = 0;
  // Makes the columns follow the latest division of rows, for the children that will be searched.
  virtual void divide_columns(const Node& node, std::vector<Node>& children,
                              const std::vector<char>& searched, Team& team) = 0;
  // The same search over only the node's rows, in as little memory as they need; null if it would
  // not help.
  virtual std::unique_ptr<NodeSearch> shrink(const Node& node) = 0;
  // The same search over a copy of a large node's rows, contiguous in memory, and the node there;
  // null, and the node unchanged, if they already are or it would not help.
  virtual std::unique_ptr<NodeSearch> gather(Node&, Team&) { return nullptr; }
  // The same search for another thread: same rows, separate working space. The two may be used at
  // the same time on nodes without common rows.
  virtual std::unique_ptr<NodeSearch> fork() const = 0;

  // For tuning: a search of the same rows, wherever either moves them, by another problem; null if
  // problems cannot share rows.
  virtual std::unique_ptr<NodeSearch> with_problem(
      const std::shared_ptr<const ClassProblem>&) const {
    return nullptr;
  }
  // For tuning and lookahead, in searches of rows in memory: copy() takes the rows of a node, and
  // returns the node in that order; swap() exchanges the rows that this search and those that share
  // them work on. Both create the order if there is none.
  virtual Node copy(const Node&, std::unique_ptr<RowOrder>&) { throw no_rows(); }
  virtual void swap(std::unique_ptr<RowOrder>&) { throw no_rows(); }

 private:
  static std::logic_error no_rows() {
    return std::logic_error("the rows of this search are not in memory");
  }
};

}  // namespace tectree
