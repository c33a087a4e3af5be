// Rotation forests: every tree is grown from all rows in its own rotation.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "../grow/many/grow_forest.hpp"
#include "rotation.hpp"

namespace tectree {

struct RotationPlan {
  std::vector<std::uint64_t> seeds;  // one per tree, for all random numbers of the tree
  RotationRule rule;
  double seconds = std::numeric_limits<double>::infinity();  // no tree is begun after this time
};

// The rotations of all trees, one after another.
struct Rotations {
  std::size_t columns = 0, group_size = 1;
  const int* order = nullptr;
  const double* axes = nullptr;

  RotationView of(std::size_t tree) const {
    return {columns, group_size, order + tree * columns,
            axes + tree * loadings_of(columns, group_size)};
  }
};

struct RotationForest {
  Forest trees;
  std::vector<int> order;
  std::vector<double> axes;  // as in Rotations
  std::vector<double> gain;  // by column: mean over trees of the gains of its components, by the
                             // squares of its loadings
};

class RotationGrower {
 public:
  // All columns of the problem are complete doubles.
  RotationGrower(const Problem& problem, const StopRule& stop, const MissingPolicy& missing,
                 const RotationPlan& plan, Eigenvectors eigenvectors)
      : problem_(problem),
        stop_(stop),
        missing_(missing),
        plan_(plan),
        drawer_(problem.frame, problem.sample, problem.response, plan.rule,
                std::move(eigenvectors)),
        loadings_(loadings_of(drawer_.columns(), plan.rule.group_size)),
        largest_(largest_of(problem.frame)) {}

  // `done`: the number of finished trees, for other threads to read.
  RotationForest run(std::atomic<std::size_t>& done, Team& team) {
    const std::size_t n = plan_.seeds.size();
    out_.order.resize(n * drawer_.columns());
    out_.axes.resize(n * loadings_);
    trees_.resize(n);
    gains_.resize(n);
    turned_.resize(static_cast<std::size_t>(team.size()));
    const auto begun = std::chrono::steady_clock::now();
    const auto grow = [&](std::size_t t, Team& inner) {
      const std::chrono::duration<double> past = std::chrono::steady_clock::now() - begun;
      if (t > 0 && past.count() >= plan_.seconds) return;
      grow_tree_at(t, inner);
      ++done;
    };
    if (n == 1) {
      grow(0, team);  // by all threads
    } else {
      team.each(n, grow);
    }
    finish();
    return std::move(out_);
  }

 private:
  RotationView rotation(std::size_t t) const {
    return Rotations{drawer_.columns(), plan_.rule.group_size, out_.order.data(), out_.axes.data()}
        .of(t);
  }

  void grow_tree_at(std::size_t t, Team& team) {
    const std::size_t p = drawer_.columns(), n = problem_.frame.n_rows;
    drawer_.draw(plan_.seeds[t], out_.order.data() + t * p, out_.axes.data() + t * loadings_, team);
    std::vector<double>& values = turned_[static_cast<std::size_t>(team.worker())];
    values.resize(p * n);
    Problem turned = problem_;
    const RotationView view = rotation(t);
    for (std::size_t c = 0; c < p; ++c) {
      team.check();
      double* to = values.data() + c * n;
      rotate(view, c, problem_.frame, 0, n, to);
      flatten(view, c, largest_, n, to);
      turned.frame.columns[c] = {Kind::numeric, 0, to, nullptr};
    }
    turned.seed = Stream::part(plan_.seeds[t], 1);
    const Tree tree = grow_tree(turned, stop_, missing_, team);
    append(tree, turned.frame, trees_[t].tree);
    gains_[t] = ImportanceOfTree(turned, tree).by_gain();
  }

  // Joins the trees, which were grown consecutively from the first.
  void finish() {
    std::size_t n = 0;
    while (n < trees_.size() && trees_[n].tree.trees() > 0) ++n;
    trees_.resize(n);
    out_.order.resize(n * drawer_.columns());
    out_.axes.resize(n * loadings_);
    out_.gain.assign(drawer_.columns(), 0.0);
    for (std::size_t t = 0; t < n; ++t) {
      const RotationView view = rotation(t);
      for (const auto& [component, gain] : gains_[t].of_column) {
        const std::size_t group = view.first_of(component);
        const double* loadings = view.loadings(component);
        for (std::size_t j = 0; j < view.size_of(group); ++j) {
          out_.gain[view.column(group + j)] +=
              gain * loadings[j] * loadings[j] / static_cast<double>(n);
        }
      }
    }
    out_.trees = join(trees_, problem_.frame);
  }

  const Problem& problem_;
  const StopRule& stop_;
  const MissingPolicy& missing_;
  const RotationPlan& plan_;
  RotationDrawer drawer_;
  std::size_t loadings_;
  std::vector<double> largest_;
  RotationForest out_;
  std::vector<GrownTree> trees_;
  std::vector<TreeImportance> gains_;
  std::vector<std::vector<double>> turned_;  // by thread: the rows rotated for the tree
};

// Rows rotated for a tree: only the components that it splits on, if it is worth finding them.
class RowTurner {
 public:
  RowTurner(const ForestView& forest, const Rotations& rotations, const Frame& frame)
      : forest_(forest), rotations_(rotations), frame_(frame) {}

  void operator()(RowBlock& rows, std::size_t tree, std::size_t first, std::size_t n) const {
    const RotationView rotation = rotations_.of(tree);
    std::vector<double> values(n);
    const std::vector<char> used = used_by(tree, n);
    for (std::size_t c = 0; c < rotation.columns; ++c) {
      if (!used[c]) continue;
      rotate(rotation, c, frame_, first, n, values.data());
      rows.put_column(c, n, [&](std::size_t i) { return values[i]; });
    }
  }

 private:
  std::vector<char> used_by(std::size_t tree, std::size_t n) const {
    const std::size_t p = rotations_.columns;
    check_start(forest_, tree);
    const std::size_t root = forest_.root(tree), end = forest_.root(tree + 1);
    if (n * p < end - root) return std::vector<char>(p, 1);
    std::vector<char> out(p, 0);
    for (std::size_t node = root; node < end; ++node) {
      if (!forest_.is_leaf(node) && forest_.column(node) < p) out[forest_.column(node)] = 1;
    }
    return out;
  }

  const ForestView& forest_;
  const Rotations& rotations_;
  const Frame& frame_;
};

}  // namespace tectree
