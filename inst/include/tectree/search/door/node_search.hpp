// Room search/door/: all that growth knows of a search.
//
// The door: one virtual call a node. Behind it a search sees all columns of the node at once, so
// that it may look at every column coarsely before it looks at any closely.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "../../base/team.hpp"
#include "../../criterion/contract.hpp"
#include "../../split/split.hpp"

namespace tectree {

struct SearchControl {
  double min_bucket = 1.0;
  double min_gain = 0.0;
  enum class Nominal { binary, multiway, ordered } nominal = Nominal::binary;
  int intervals = 2;
  Eligible eligible = Eligible::own;
  // How the search of a column takes the node's rows that have no value there. ignored: they are
  // not there. scaled: cut, gain and score count by the share of the weight that has a value.
  // grouped: the same, and they are one more group in an entropy of branch sizes. filled: the
  // column's commonest value (median where numeric) stands in.
  enum class Unknown { ignored, scaled, grouped, filled } unknown = Unknown::ignored;
  // How a column's split and the winning column are found: the best, or as C4.5 does it.
  enum class Rules { exact, c45 } rules = Rules::exact;
  // Randomness, see Range::stream: how many columns of a node are searched (0: all); whether one of
  // those that tie wins at random; whether each column offers one cut drawn at random.
  std::size_t max_columns = 0;
  bool random_ties = false, random_cuts = false;
};

// Which surrogates a split is given.
struct SurrogateRule {
  int most = 0;
  bool used = true;       // else they are only kept to be looked at
  bool of_known = false;  // agreement as a share of the rows with a value for the surrogate
};

// A node's rows: the half-open range [begin, end) of every column's entries, and the columns that
// are there, all of which are divided; which of them are searched is another matter (see
// choose/column_choice.hpp).
struct Range {
  std::size_t begin = 0, end = 0;
  std::shared_ptr<const std::vector<std::uint32_t>> columns;
  std::shared_ptr<const void> counts;  // what its search knows of the node already, or null
  std::uint64_t stream = 0;            // seed of what is drawn at random here

  std::size_t size() const { return end - begin; }
};

struct NodeFacts {
  std::size_t n = 0;
  double weight = 0.0;
  std::optional<double> size;  // sum of case weights, where it is not the weight
  double yval = 0.0;           // class number from 0, or the centre
  double impurity = 0.0;
  double risk = 0.0;  // loss of its class summed over its rows; classification only
  bool pure = false;
};

struct Winner {
  Split split;
  std::vector<double> branch_weight;  // of the rows whose value is known
  double cut = 0.0, gain = 0.0, score = 0.0;
  bool exact = true;
  int filled = no_branch;  // the branch of the value that stands in, where one does
};

// Weights are compared with a bound so that sums such as ten times 0.1 reach 1.
inline bool reaches(double weight, double bound) {
  return weight >= bound - 1e-9 * (bound > 1 ? bound : 1.0);
}

struct ClassProblem;

// Some of a search's rows in an order of their own, see NodeSearch::swap().
struct RowOrder {
  virtual ~RowOrder() = default;
};

class NodeSearch {
 public:
  virtual ~NodeSearch() = default;
  virtual Range root() const = 0;
  // `share`: room for the class shares, not touched in regression.
  virtual NodeFacts describe(const Range& node, double* share) = 0;
  // The split of the node, null where no attribute has an admissible one; valid until the next
  // call.
  virtual const Winner* best(Range& node, Team& team) = 0;
  // The best surrogates of a split in two, the best first.
  virtual std::vector<Surrogate> find_surrogates(const Range&, const Split&, const SurrogateRule&,
                                                 Team&) {
    return {};
  }
  // A search of its own for every branch (null where it has no rows), for a node where rows without
  // a value are shared out over the branches by their known weight; none where every row has one.
  virtual std::vector<std::unique_ptr<NodeSearch>> share_out(const Range&, const Winner&, Team&) {
    return {};
  }
  // Orders the node's rows by branch; where each child's rows then lie. Rows without a value take
  // the missing route.
  virtual void divide_rows(const Range& node, const Split& split, const MissingRoute& missing_route,
                           std::vector<Range>& children) = 0;
  // Makes the columns follow the rows divided last, for the children that will be searched.
  virtual void divide_columns(const Range& node, std::vector<Range>& children,
                              const std::vector<char>& searched, Team& team) = 0;
  // The same search over the node's rows alone, in as little memory as they need; null where it
  // would not help.
  virtual std::unique_ptr<NodeSearch> shrink(const Range& node) = 0;
  // The same search over a copy of a large node's rows, so that they stand side by side, and the
  // node there; null, and the node as it is, where they do or it would not help.
  virtual std::unique_ptr<NodeSearch> gather(Range&, Team&) { return nullptr; }
  // The same search for another thread: same rows, working space of its own. The two may be used at
  // the same time on nodes that share no row.
  virtual std::unique_ptr<NodeSearch> fork() const = 0;
  // The same search by another problem of the same rows, wherever either moves them; null where
  // problems cannot share rows.
  virtual std::unique_ptr<NodeSearch> by(const std::shared_ptr<const ClassProblem>&) const {
    return nullptr;
  }
  // copy() takes the rows of a node, swap() puts them in the place of those that the search and its
  // like work on; both make the order where there is none.
  virtual void copy(const Range&, std::unique_ptr<RowOrder>&) const {}
  virtual void swap(std::unique_ptr<RowOrder>&) {}
};

}  // namespace tectree
