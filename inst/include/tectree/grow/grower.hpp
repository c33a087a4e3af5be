// Growing a tree, iteratively:
//   1. the root is added to the frontier;
//   2. the frontier's next node is searched (best-first: it was, when added) and split: its rows
//      are divided, its branches described, and each that may be split is added to the frontier;
//   3. depth-first, a branch with few rows waits instead: when only such branches are left, each is
//      grown to its end by one thread, and grafted on. So threads share a node only while nodes are
//      few and large. A node small enough for its own arena gets one.
// If rows with a missing value are divided into parts, the search divides them in place where nodes
// are grown as a stack, see stacks(); otherwise every branch gets a search over its own rows and
// parts of rows. A node's split depends only on its rows, so neither the order nor the threads can
// change the tree.
#pragma once

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "../base/stream.hpp"
#include "../missing/policies.hpp"
#include "../tree/tree.hpp"
#include "frontier.hpp"
#include "last_split.hpp"
#include "split_test.hpp"
#include "stop.hpp"

namespace tectree {

class Grower {
 public:
  // Chooses the split of a node; null if it is a leaf.
  using Choose = std::function<const Winner*(OpenNode&, int depth, Team&)>;

  // Nodes of at most `pass_on_at` rows continue in their own arena (0: none). Depth-first, they
  // wait until no others are left, as do all nodes of at most `wait_at` rows; one thread grows
  // each. `test`: the test that a split must pass; null if none. `choose`: if the split is not the
  // search's winner; depth-first, and no node waits then. `memory`: for the tree, or null.
  Grower(const StopRule& stop, const MissingPolicy& missing, int n_classes, std::size_t pass_on_at,
         std::size_t wait_at, const SplitTest* test = nullptr, Choose choose = nullptr,
         TreeMemory* memory = nullptr)
      : stop_(stop),
        missing_(missing),
        test_(test),
        pass_on_at_(pass_on_at),
        wait_at_(std::max(pass_on_at, wait_at)),
        choose_(std::move(choose)),
        order_(choose_ || std::isinf(stop.max_leaves) ? GrowthOrder::depth_first
                                                      : GrowthOrder::best_first),
        frontier_(order_),
        last_(n_classes),
        memory_(memory) {
    if (memory_) memory_->piece.clear();
    tree_.n_classes = n_classes;
    tree_.unknown = missing.rows;
    tree_.by_surrogate = missing.looks_for_surrogates() && missing.surrogates.used;
  }

  // `depth`: of the root, if it is a node of a larger tree. The nodes are in pre-order.
  Tree grow(std::shared_ptr<NodeSearch> search, const Node& root, int depth, Team& team) {
    grow_nodes(std::move(search), root, depth, team);
    return in_order();
  }
  // The same with a given split of the root. Growth ends when the limit is exceeded.
  Tree finish(std::shared_ptr<NodeSearch> search, const Node& root, const Winner& first, int depth,
              LossLimit& limit, Team& team) {
    limit_ = &limit;
    grow_nodes(std::move(search), root, depth, team, &first);
    return in_order();
  }

 private:
  Tree in_order() {
    if (given_up()) return Tree();
    Tree out;
    if (memory_) std::swap(out, memory_->whole);
    out.clear();
    return assemble(tree_, at_, grafts_, 0, std::move(out));
  }

  // The same, appended to the contents of `piece`, to be grafted onto another tree, which puts all
  // nodes in order; returns the root. For a node without waiting parts.
  int grow_behind(Tree& piece, std::shared_ptr<NodeSearch> search, const Node& root, int depth,
                  Team& team) {
    std::swap(tree_, piece);
    tree_.n_classes = piece.n_classes;
    const int at = grow_nodes(std::move(search), root, depth, team);
    std::swap(tree_, piece);
    return at;
  }

  // Returns the root.
  int grow_nodes(std::shared_ptr<NodeSearch> search, const Node& root, int depth, Team& team,
                 const Winner* first = nullptr) {
    root_depth_ = depth;
    most_kept_ = 4 * std::max(root.n_rows, pass_on_at_);
    share_.resize(tree_.n_classes);
    const NodeFacts facts = search->describe(root, share_.data());
    const int at = tree_.add_leaf(facts, share_.data(), -1);
    stop_.know_root(facts);
    if (first) {
      split({at, root, search, {}, 0.0, false}, *first, team);
    } else if (!stop_.is_leaf(facts, depth)) {
      consider(at, root, search, false, {}, team);
    } else {
      end(facts);
    }
    search.reset();
    while (!frontier_.empty()) {
      team.check();
      if (given_up()) return at;
      if (kept_ > most_kept_) grow_waiting(team);
      OpenNode open = frontier_.pop();
      if (std::shared_ptr<NodeSearch> own = open.search->gather(open.node, team))
        open.search = std::move(own);
      if (order_ == GrowthOrder::best_first) {
        split(open, open.winner, team);
      } else if (choose_) {
        if (const Winner* winner = choose_(open, root_depth_ + tree_.depth[open.at], team))
          split(open, *winner, team);
      } else if (const Winner* winner = best(*open.search, open.node, open.at, team)) {
        split(open, *winner, team);
      }
    }
    if (!waiting_.empty()) grow_waiting(team);
    return at;
  }

  void consider(int at, const Node& node, const std::shared_ptr<NodeSearch>& search, bool own,
                Plan plan, Team& team) {
    if (order_ == GrowthOrder::best_first) {
      consider_best_first(at, node, search, team);
    } else if (node.n_rows <= wait_at_) {
      waiting_.push_back({at, node, search, {}, 0.0, own, {}});
      if (own) kept_ += node.n_rows;
    } else {
      frontier_.push({at, node, search, {}, 0.0, own, std::move(plan)});
    }
  }

  void consider_best_first(int at, Node node, std::shared_ptr<NodeSearch> search, Team& team) {
    if (node.n_rows <= pass_on_at_) {
      if (std::shared_ptr<NodeSearch> own = search->shrink(node)) {
        node = root_of(*own, node.stream);
        search = std::move(own);
      }
    }
    const Winner* winner = best(*search, node, at, team);
    if (!winner) return;
    // A gain that is zero up to rounding is zero, so the order of rows does not matter.
    const bool gains = std::fabs(winner->gain) > 1e-12 * tree_.impurity[at];
    const double weighted_gain = gains ? winner->gain * tree_.weight[at] : 0.0;
    frontier_.push({at, std::move(node), std::move(search), *winner, weighted_gain, false, {}});
  }

  // The split of a node, none if it is not worth making.
  const Winner* best(NodeSearch& search, Node& node, int at, Team& team) {
    const bool last = tries_last_cuts() && root_depth_ + tree_.depth[at] + 1 >= stop_.max_depth;
    const Winner* winner =
        last ? last_.of(stop_, missing_, search, node, team) : search.best(node, team);
    if (winner && stop_.worth(winner->gain, tree_.weight[at]) &&
        (!test_ || test_->passes(search, node, *winner, team)))
      return winner;
    if (limit_) end(search.describe(node, share_.data()));
    return nullptr;
  }

  // When looking ahead: whether the split of a node whose branches are leaves is chosen by the loss
  // of the leaves. Not best-first, where gains decide which node is split; nor for numbers, whose
  // gain is the reduction of that loss.
  bool tries_last_cuts() const {
    return stop_.looks_ahead() && order_ == GrowthOrder::depth_first && tree_.n_classes > 0;
  }
  // Growth ends, and its nodes need not fit together.
  bool given_up() const { return limit_ && limit_->exceeded(); }

  // A leaf that stays one.
  void end(const NodeFacts& leaf) {
    if (limit_) limit_->add(stop_.risk(leaf));
  }

  void split(const OpenNode& open, const Winner& winner, Team& team) {
    const int branches = winner.split.branches;
    if (leaves_ + branches - 1 > stop_.max_leaves) return;
    leaves_ += branches - 1;
    NodeSearch& search = *open.search;
    std::vector<Surrogate> surrogates;
    const MissingRoute missing_route =
        route_of(missing_, search, open.node, winner, surrogates, team);
    tree_.set_split(open.at, winner, missing_route.branch);
    if (!surrogates.empty()) tree_.set_surrogates(open.at, surrogates);
    made_.clear();
    searched_.clear();
    children_.clear();
    const bool in_place = stacks() && search.divide_rows_in_parts(open.node, winner, children_);
    if (missing_.rows == UnknownRows::share && !in_place) {
      auto parts = search.divide_into_parts(open.node, winner, team);
      if (!parts.empty()) return add_parts(open, std::move(parts), team);
    }
    if (!in_place) search.divide_rows(open.node, winner.split, missing_route, children_);
    for (const Node& child : children_) add_child(open.at, &search, child);
    tree_.set_children(open.at, made_);
    if (std::find(searched_.begin(), searched_.end(), 1) == searched_.end()) return;
    search.divide_columns(open.node, children_, searched_, team);
    // The last is pushed first, so depth-first goes left first; the first, if nodes are a stack.
    for (std::size_t i = children_.size(); i-- > 0;) {
      const std::size_t j = stacks() ? children_.size() - 1 - i : i;
      if (searched_[j]) {
        consider(made_[j], children_[j], open.search, false, open.plan.child(static_cast<int>(j)),
                 team);
      }
    }
  }
  // Whether rows are divided into parts, and all rows after a node's are those of nodes that have
  // been grown: see NodeSearch::divide_rows_in_parts().
  bool stacks() const {
    return missing_.rows == UnknownRows::share && order_ == GrowthOrder::depth_first && !choose_ &&
           !stop_.looks_ahead() && wait_at_ == 0;
  }

  void add_child(int parent, NodeSearch* search, const Node& child) {
    const bool empty = child.n_rows == 0;
    const NodeFacts facts = empty ? empty_leaf(parent) : search->describe(child, share_.data());
    made_.push_back(tree_.add_leaf(facts, share_.data(), parent));
    searched_.push_back(!empty && !stop_.is_leaf(facts, root_depth_ + tree_.depth[made_.back()]));
    if (!empty && !searched_.back()) end(facts);
  }

  // The branches of a node of which some rows are divided into parts: each has its own search.
  void add_parts(const OpenNode& open, std::vector<std::unique_ptr<NodeSearch>> parts, Team& team) {
    for (std::size_t j = 0; j < parts.size(); ++j) {
      const std::uint64_t stream = Stream::part(open.node.stream, j);
      children_.push_back(parts[j] ? root_of(*parts[j], stream) : Node());
      add_child(open.at, parts[j].get(), children_[j]);
    }
    tree_.set_children(open.at, made_);
    for (std::size_t j = parts.size(); j-- > 0;) {
      if (searched_[j]) {
        consider(made_[j], children_[j], std::move(parts[j]), true,
                 open.plan.child(static_cast<int>(j)), team);
      }
    }
  }

  // A branch without rows predicts as its parent does.
  NodeFacts empty_leaf(int parent) {
    std::copy_n(tree_.shares(parent), tree_.n_classes, share_.data());
    NodeFacts facts = facts_of(tree_, parent);
    facts.n = 0;
    facts.weight = facts.impurity = 0.0;
    return facts;
  }

  // Grows the waiting nodes, and frees their rows. Small ones of one thread form one piece.
  void grow_waiting(Team& team) {
    const std::size_t first = grafts_.size();
    grafts_.resize(first + waiting_.size());
    const auto workers = static_cast<std::size_t>(team.size());
    if (piece_of_.size() < workers) piece_of_.resize(workers);
    std::vector<Tree*> of_large(waiting_.size(), nullptr);
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      at_.push_back(waiting_[i].at);
      if (waiting_[i].node.n_rows > pass_on_at_) of_large[i] = &pieces_.emplace_back();
    }
    team.each(waiting_.size(), [&](std::size_t i, Team& inner) {
      OpenNode& part = waiting_[i];
      const bool small = part.node.n_rows <= pass_on_at_;
      Node root = part.node;
      std::shared_ptr<NodeSearch> own;
      if (part.own) {
        own = std::move(part.search);
      } else if ((own = small ? part.search->shrink(root) : nullptr)) {
        root = root_of(*own, root.stream);
      } else {  // as small as possible
        own = part.search->fork();
      }
      part.search.reset();
      if (given_up()) return;
      Grower grower(stop_, missing_, tree_.n_classes, small ? 0 : pass_on_at_, 0, test_);
      grower.limit_ = limit_;
      const int depth = root_depth_ + tree_.depth[part.at];
      Graft& graft = grafts_[first + i];
      if (small) {
        const auto worker = static_cast<std::size_t>(inner.worker());
        Tree& piece = memory_ && worker == 0 ? memory_->piece : piece_of_[worker];
        graft = {&piece, grower.grow_behind(piece, std::move(own), root, depth, inner)};
      } else {
        *of_large[i] = grower.grow(std::move(own), root, depth, inner);
        graft.tree = of_large[i];
      }
    });
    waiting_.clear();
    kept_ = 0;
  }

  StopRule stop_;
  const MissingPolicy& missing_;
  const SplitTest* test_;
  std::size_t pass_on_at_, wait_at_;
  Choose choose_;
  GrowthOrder order_;
  Frontier frontier_;
  Tree tree_;
  double leaves_ = 1;
  LossLimit* limit_ = nullptr;
  LastSplit last_;
  TreeMemory* memory_;
  int root_depth_ = 0;
  std::vector<OpenNode> waiting_;
  std::size_t kept_ = 0, most_kept_ = 0;  // rows owned by the searches of waiting nodes
  std::vector<int> at_;                   // the leaves that grafts continue
  std::vector<Graft> grafts_;
  std::deque<Tree> piece_of_, pieces_;  // by worker; of large nodes
  // Working space of one split.
  std::vector<double> share_;
  std::vector<Node> children_;
  std::vector<int> made_;  // their positions in the tree
  std::vector<char> searched_;
};

}  // namespace tectree
