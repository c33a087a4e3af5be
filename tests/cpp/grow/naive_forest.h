// Forests grown naively: each tree alone, from its own sample, each row down each tree by spread().
#pragma once

#include <tectree/grow/many/grow_forest.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>
#include <vector>

#include "check.h"
#include "grow/table.h"

namespace forests {

using namespace tectree;

// The results of growing a forest.
struct Grown {
  Forest forest;
  std::vector<int> votes, times;
  std::vector<double> shares, sum, square, curve, importance, error;
};

// The members that OutOfBag points to.
inline OutOfBag room_in(Grown& grown, std::size_t n, int n_classes, std::size_t trees) {
  const std::size_t k = static_cast<std::size_t>(n_classes);
  grown.votes.assign(n * k, 0);
  grown.shares.assign(n * k, 0.0);
  grown.times.assign(n, 0);
  grown.sum.assign(n, 0.0);
  grown.square.assign(n, 0.0);
  grown.curve.assign(trees, 0.0);
  return {grown.votes.data(),  grown.shares.data(), grown.sum.data(),
          grown.square.data(), grown.times.data(),  grown.curve.data()};
}

inline Grown grown(const Problem& problem, const StopRule& stop, const MissingPolicy& missing,
                   const ForestPlan& plan, int threads) {
  Team team(threads);
  std::atomic<std::size_t> done{0};
  GrownForest all = grow_trees(problem, stop, missing, plan, done, team);
  CHECK(done == plan.seeds.size());
  Grown out;
  const OutOfBag to =
      room_in(out, problem.sample.size, problem.response.n_classes, plan.seeds.size());
  OutOfBagPass(problem, all.trees, false, to).run(team);
  if (plan.importance != Importance::none) {
    auto rated = mean_importance(all.importance, problem.frame.columns.size());
    out.importance = rated.mean;
    out.error = rated.error;
  }
  out.forest = join(all.trees, problem.frame);
  return out;
}

inline bool same_vectors(const Forest& a, const Forest& b) {
  return a.start == b.start && a.variable == b.variable && a.right == b.right && a.cut == b.cut &&
         a.sides == b.sides && a.shares == b.shares && a.weight == b.weight && a.own == b.own &&
         a.unknown == b.unknown && a.n_classes == b.n_classes;
}

inline bool near(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const bool both = std::isnan(a[i]) && std::isnan(b[i]);
    if (!both && !check::near(a[i], b[i], tolerance * std::max(1.0, std::fabs(b[i])))) return false;
  }
  return true;
}

// What differs; sums may differ by a relative error.
inline std::string difference(const Grown& a, const Grown& b, double tolerance) {
  if (tolerance == 0.0 && !same_vectors(a.forest, b.forest)) return "the trees differ";
  if (a.forest.variable != b.forest.variable || a.forest.start != b.forest.start)
    return "the trees differ in shape";
  if (!near(a.forest.cut, b.forest.cut, tolerance)) return "cuts or leaves differ";
  if (a.votes != b.votes) return "votes differ";
  if (a.times != b.times) return "times out of bag differ";
  if (!near(a.shares, b.shares, tolerance)) return "shares differ";
  if (!near(a.sum, b.sum, tolerance)) return "sums differ";
  if (!near(a.square, b.square, tolerance)) return "sums of squares differ";
  if (!near(a.curve, b.curve, tolerance)) return "curves differ";
  if (!near(a.importance, b.importance, tolerance)) return "importances differ";
  if (!near(a.error, b.error, 10 * tolerance)) return "standard errors of importances differ";
  return "";
}

// A tree's prediction for a row: shares, or a number. A row that stops at a split gets the node's
// own prediction.
// node itself predicts.
inline std::vector<double> said_by(const Tree& tree, const Frame& frame, std::size_t row) {
  std::vector<double> out(static_cast<std::size_t>(std::max(tree.n_classes, 1)), 0.0);
  spread(tree, frame, row, 1.0, 0, [&](int node, double weight) {
    for (std::size_t s = 0; s < out.size(); ++s)
      out[s] += weight * (tree.n_classes > 0 ? tree.shares(node)[s] : tree.yval[node]);
  });
  return out;
}

// The frame with the values of one column moved: row i gets that of row from[i].
struct MovedColumn {
  std::vector<double> real;
  std::vector<int> whole;
  Frame frame;

  MovedColumn(const Frame& of, std::size_t c, const std::vector<std::size_t>& rows,
              const std::vector<std::size_t>& from)
      : frame(of) {
    Column& column = frame.columns[c];
    if (column.real) {
      real.assign(column.real, column.real + of.n_rows);
      for (std::size_t i = 0; i < rows.size(); ++i) real[rows[i]] = column.real[from[i]];
      column.real = real.data();
    } else {
      whole.assign(column.whole, column.whole + of.n_rows);
      for (std::size_t i = 0; i < rows.size(); ++i) whole[rows[i]] = column.whole[from[i]];
      column.whole = whole.data();
    }
  }
};

class NaiveForest {
 public:
  NaiveForest(const Problem& problem, const StopRule& stop, const MissingPolicy& missing,
              const ForestPlan& plan)
      : problem_(problem), plan_(plan), k_(static_cast<std::size_t>(problem.response.n_classes)) {
    const std::size_t n = problem.sample.size;
    room_in(out_, n, problem.response.n_classes, plan.seeds.size());
    const Urns urns(n, plan.draws, classes_to_draw(problem, plan.draws));
    for (std::size_t t = 0; t < plan.seeds.size(); ++t) {
      grow(Drawer(urns).draw(plan.seeds[t]), plan.seeds[t], stop, missing);
      add_out_of_bag(t);
      if (plan.importance != Importance::none) ratings_.push_back(rating(plan.seeds[t]));
    }
    average_ratings();
  }
  const Grown& result() const { return out_; }

 private:
  std::size_t row(std::size_t position) const { return problem_.sample.row(position); }
  double weight(std::size_t position) const { return problem_.sample.weight(position); }

  void grow(const Bag& bag, std::uint64_t seed, const StopRule& stop,
            const MissingPolicy& missing) {
    std::vector<double> weights(problem_.frame.n_rows, 0.0), sizes = weights;
    std::vector<int> rows;
    outside_.clear();
    std::size_t next = 0;
    for (std::size_t p = 0; p < problem_.sample.size; ++p) {
      if (next == bag.positions.size() || bag.positions[next] != p) {
        outside_.push_back(p);
        continue;
      }
      rows.push_back(static_cast<int>(row(p)) + 1);
      const double times = bag.counts.empty() ? 1 : bag.counts[next];
      weights[row(p)] = weight(p) * times;
      sizes[row(p)] = problem_.sample.size_at(p) * times;
      ++next;
    }
    Problem of_tree = problem_;
    of_tree.sample = {rows.size(), rows.data(), weights.data()};
    if (problem_.sample.sized()) of_tree.sample.sizes = sizes.data();
    // Copies of a row say nothing new about its levels.
    double drawn = 0;
    for (const auto count : bag.counts) drawn += count;
    if (drawn > 0) of_tree.control.copies = drawn / static_cast<double>(bag.counts.size());
    of_tree.seed = Stream::part(seed, 1);
    Team team(1);
    tree_ = grow_tree(of_tree, stop, missing, team);
    append(tree_, problem_.frame, out_.forest);
  }

  double error_at(std::size_t p, const std::vector<double>& said) const {
    const std::size_t i = row(p);
    if (k_ == 0)
      return (said[0] - problem_.response.number[i]) * (said[0] - problem_.response.number[i]);
    return class_of(said) + 1 != problem_.response.code[i];
  }
  // From shares: the largest, or that with the smallest expected cost.
  int class_of(const std::vector<double>& said) const {
    return problem_.loss.best(said.data(), static_cast<int>(k_));
  }

  void add_out_of_bag(std::size_t t) {
    const std::size_t n = problem_.sample.size;
    for (std::size_t p : outside_) {
      const std::vector<double> said = said_by(tree_, problem_.frame, row(p));
      ++out_.times[p];
      if (k_ == 0) {
        out_.sum[p] += said[0];
        out_.square[p] += said[0] * said[0];
        continue;
      }
      ++out_.votes[static_cast<std::size_t>(class_of(said)) * n + p];
      for (std::size_t s = 0; s < k_; ++s) out_.shares[s * n + p] += said[s];
    }
    double error = 0.0, total = 0.0;
    for (std::size_t p = 0; p < n; ++p) {
      if (out_.times[p] == 0) continue;
      std::vector<double> said{out_.sum[p] / out_.times[p]};
      if (k_ > 0) said.resize(k_);
      const bool by_cost = !problem_.loss.empty();
      for (std::size_t s = 0; s < k_; ++s)
        said[s] = by_cost ? out_.shares[s * n + p] : out_.votes[s * n + p];
      error += weight(p) * error_at(p, said);
      total += weight(p);
    }
    out_.curve[t] = total > 0.0 ? error / total : NAN;
  }

  // (child - node) (y - its mean out of bag), in means, or in shares summed over the classes.
  double out_of_bag_gain(int node, int child, std::size_t p) const {
    double sum = 0.0;
    for (std::size_t s = 0; s < std::max<std::size_t>(k_, 1); ++s) {
      double mean = 0.0, total = 0.0;
      for (std::size_t other : outside_) {
        mean += weight(other) * indicator(other, s);
        total += weight(other);
      }
      sum += (value_of(child, s) - value_of(node, s)) * (indicator(p, s) - mean / total);
    }
    return sum;
  }
  double indicator(std::size_t p, std::size_t s) const {
    if (k_ == 0) return problem_.response.number[row(p)];
    return problem_.response.code[row(p)] == static_cast<int>(s) + 1;
  }
  double value_of(int node, std::size_t s) const {
    return k_ == 0 ? tree_.yval[node] : tree_.shares(node)[s];
  }

  // The importance in the latest tree, by column; empty if no row is out of bag.
  std::vector<double> rating(std::uint64_t seed) const {
    std::vector<double> out(problem_.frame.columns.size(), 0.0);
    double total = 0.0;
    for (std::size_t p : outside_) total += weight(p);
    if (plan_.importance == Importance::gain) {
      for (std::size_t v = 0; v < tree_.size(); ++v) {
        if (tree_.kind[v] != 0)
          out[tree_.variable[v]] += tree_.gain[v] * tree_.weight[v] / tree_.weight[0];
      }
      return out;
    }
    if (outside_.empty()) return {};
    if (plan_.importance == Importance::corrected) {
      for (std::size_t p : outside_) add_corrected(p, 0, weight(p) / total, out);
      return out;
    }
    std::vector<std::size_t> rows;
    for (std::size_t p : outside_) rows.push_back(row(p));
    for (std::size_t c = 0; c < out.size(); ++c) {
      std::vector<std::size_t> from = rows;
      Stream stream(Stream::part(seed, 2 + c));
      for (std::size_t i = from.size(); i > 1; --i) std::swap(from[i - 1], from[stream.below(i)]);
      const MovedColumn moved(problem_.frame, c, rows, from);
      for (std::size_t p : outside_) {
        const double more = error_at(p, said_by(tree_, moved.frame, row(p))) -
                            error_at(p, said_by(tree_, problem_.frame, row(p)));
        out[c] += weight(p) * more / total;
      }
    }
    return out;
  }

  // Recursive, from a node on.
  void add_corrected(std::size_t p, int node, double w, std::vector<double>& out) const {
    if (tree_.kind[node] == 0) return;
    const auto to = [&](int child, double part) {
      out[tree_.variable[node]] += part * out_of_bag_gain(node, child, p);
      add_corrected(p, child, part, out);
    };
    const Onward onwards = onward(tree_, problem_.frame, node, row(p));
    if (onwards.branch != no_branch) return to(child_of(tree_, node, onwards.branch), w);
    if (tree_.unknown != UnknownRows::share) return;
    double total = 0.0;
    for (int j = 0; j < tree_.n_children[node]; ++j)
      total += tree_.weight[child_of(tree_, node, j)];
    for (int j = 0; j < tree_.n_children[node]; ++j) {
      const int child = child_of(tree_, node, j);
      if (tree_.weight[child] > 0.0) to(child, w * tree_.weight[child] / total);
    }
  }

  void average_ratings() {
    if (plan_.importance == Importance::none) return;
    for (std::size_t c = 0; c < problem_.frame.columns.size(); ++c) {
      std::vector<double> x;
      for (const auto& of_tree : ratings_) {
        if (!of_tree.empty()) x.push_back(of_tree[c]);
      }
      double sum = 0.0, squares = 0.0;
      const auto n = static_cast<double>(x.size());
      for (double v : x) sum += v;
      for (double v : x) squares += (v - sum / n) * (v - sum / n);
      out_.importance.push_back(sum / n);
      out_.error.push_back(std::sqrt(squares / (n - 1) / n));
    }
  }

  const Problem& problem_;
  const ForestPlan& plan_;
  std::size_t k_;
  Grown out_;
  Tree tree_;                         // the latest one
  std::vector<std::size_t> outside_;  // positions out of its bag
  std::vector<std::vector<double>> ratings_;
};

// Rows of a table, any number of times.
inline void copy_rows(const support::Table& from, const std::vector<std::size_t>& rows,
                      support::Table& to) {
  to.n_classes = from.n_classes;
  for (std::size_t c = 0; c < from.x.size(); ++c) {
    std::vector<double> x;
    for (std::size_t row : rows) x.push_back(from.x[c][row]);
    to.add(from.kind[c], from.n_levels[c], std::move(x));
  }
  for (std::size_t row : rows) {
    if (from.n_classes > 0) {
      to.y.push_back(from.y[row]);
    } else {
      to.number.push_back(from.number[row]);
    }
  }
}

}  // namespace forests
