// Gradient boosting: every tree is a step down the loss of the previous trees (Friedman 2001).
//
// Columns are coded once for all rounds. Growth leaves the rows of each leaf side by side, so rows
// of the tree get its number from their position; the other rows follow the tree.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "../grow/grower.hpp"
#include "../grow/many/bag.hpp"
#include "../predict/forest_walk.hpp"
#include "../search/gradients/gradient_search.hpp"
#include "loss.hpp"

namespace tectree {

struct BoostPlan {
  BoostLoss loss = BoostLoss::squared;
  std::vector<std::uint64_t> seeds;  // one per round, for all random numbers of the round
  double rate = 0.1;
  std::size_t draws = 0, columns = 0;  // rows and columns per tree; 0: all
  std::size_t patience = 0;            // ends the run after so many rounds without improvement
  StopRule stop;
  GradientRule rule;
  // The columns that the trees of a round may split, one tree per output for each; empty: all
  // columns.
  std::vector<std::vector<std::uint32_t>> turns;
};

struct BoostCurve {
  std::vector<double> training, validation;  // after each round
};

struct BoostedTrees {
  Forest trees;
  std::vector<int> output, round;  // by tree, from 0
  std::vector<double> gain;        // by column: how much its splits reduce the loss
  BoostCurve curve;
};

// Clips the numbers of a tree's nodes to the bounds set by the directions of its splits.
inline void keep_directions(const GradientRule& rule, Tree& tree) {
  if (rule.monotone.empty()) return;
  std::vector<LeafBounds> bounds(tree.size());
  for (std::size_t v = 0; v < tree.size(); ++v) {  // parents come first
    tree.yval[v] = bounds[v].clip(tree.yval[v]);
    if (tree.kind[v] == 0) continue;
    const int* child = tree.child.data() + tree.child_start[v];
    const int direction = rule.direction(static_cast<std::uint32_t>(tree.variable[v]));
    double value[2];
    for (int j = 0; j < 2; ++j) value[j] = bounds[v].clip(tree.yval[child[j]]);
    for (int j = 0; j < 2; ++j)
      bounds[child[j]] = bounds[v].of_child(direction, j == 1, value[0], value[1]);
  }
}

// The values of some rows side by side, for trees that the rows follow one at a time.
class RowBlocks {
 public:
  // row_at(i): the row of the frame.
  template <class RowAt>
  RowBlocks(const Frame& frame, std::size_t n, RowAt row_at)
      : n_(n), size_(rows_of_block(frame, n)) {
    blocks_.reserve(n / size_ + 1);
    for (std::size_t first = 0; first < n; first += size_) {
      blocks_.emplace_back(frame);
      blocks_.back().fill(std::min(size_, n - first),
                          [&](std::size_t i) { return row_at(first + i); });
    }
  }

  // Calls use(i, prediction of row i) for the rows with wanted(i).
  template <class Wanted, class Use>
  void follow(const ForestView& tree, Team& team, Wanted wanted, Use use) const {
    walk(tree, team, wanted,
         [&](TreeWalk& walk, std::size_t i, std::size_t row) { use(row, walk.number(i)); });
  }
  // The same for all rows and a classification tree; classes from 0.
  template <class Use>
  void classes(const ForestView& tree, Team& team, Use use) const {
    const auto k = static_cast<std::size_t>(tree.n_classes);
    walk(
        tree, team, [](std::size_t) { return true; },
        [&](TreeWalk& walk, std::size_t i, std::size_t row) {
          std::vector<double> shares(k);
          use(row, walk.add_class(i, shares.data(), 1));
        });
  }

 private:
  template <class Wanted, class Use>
  void walk(const ForestView& tree, Team& team, Wanted wanted, Use use) const {
    team.each_if(Team::worth(n_), blocks_.size(), [&](std::size_t b, Team&) {
      const std::size_t first = b * size_, end = std::min(n_, first + size_);
      std::vector<std::uint32_t> some;
      for (std::size_t i = first; i < end; ++i) {
        if (wanted(i)) some.push_back(static_cast<std::uint32_t>(i - first));
      }
      TreeWalk down(blocks_[b], true);
      down.follow(tree, 0, some);
      for (std::size_t i = 0; i < some.size(); ++i) use(down, i, first + some[i]);
    });
  }

  std::size_t n_, size_;
  std::vector<RowBlock> blocks_;
};

class Booster {
 public:
  // `training`: one per position of the sample; `validation`: one per row of `validation_rows`,
  // with numbers from 1, which may be empty. Their scores are the initial scores.
  Booster(const Frame& frame, const Sample& sample, ScoredRows& training,
          const std::vector<int>& validation_rows, ScoredRows& validation, const BoostPlan& plan,
          Team& team)
      : columns_(code_for_gradients(frame, sample, team)),
        data_{frame, sample, columns_, plan.rule},
        plan_(plan),
        training_(training),
        validation_(validation),
        left_out_(frame, plan.draws > 0 ? sample.size : 0,
                  [&](std::size_t i) { return sample.row(i); }),
        validation_blocks_(frame, validation_rows.size(), [&](std::size_t i) {
          return static_cast<std::size_t>(validation_rows[i]) - 1;
        }) {
    out_.gain.assign(frame.columns.size(), 0.0);
    if (plan.draws > 0) {
      Draws how;
      how.replace = false;
      how.of_class = {plan.draws};
      urns_ = std::make_unique<Urns>(sample.size, how, std::vector<std::uint16_t>());
      drawer_ = std::make_unique<Drawer>(*urns_);
    }
  }

  // `done`: the number of finished rounds, for other threads to read; `first`: rounds made before.
  BoostedTrees run(std::atomic<std::size_t>& done, int first, Team& team) {
    double best = HUGE_VAL;
    std::size_t since = 0;
    for (std::size_t r = 0; r < plan_.seeds.size(); ++r) {
      team.check();
      play_round(plan_.seeds[r], first + static_cast<int>(r), team);
      ++done;
      out_.curve.training.push_back(mean_loss(plan_.loss, training_));
      if (validation_.size() == 0) continue;
      const double now = mean_loss(plan_.loss, validation_);
      out_.curve.validation.push_back(now);
      since = now < best ? 0 : since + 1;
      best = std::min(best, now);
      if (plan_.patience > 0 && since >= plan_.patience) break;
    }
    return std::move(out_);
  }

  // How much one tree of two columns would reduce the loss of each output, at the current scores.
  double gain_of(const std::vector<std::uint32_t>& columns, Team& team) {
    double sum = 0.0;
    for (std::size_t k = 0; k < training_.outputs; ++k) {
      find_gradients(plan_.loss, training_, k, gradients_);
      auto rows = std::make_shared<GradientRows>(all_rows(), gradients_);
      const Tree tree = grow(rows, columns, team);
      for (std::size_t v = 0; v < tree.size(); ++v) sum += tree.gain[v] * tree.weight[v];
    }
    return sum;
  }

 private:
  std::vector<std::uint32_t> all_rows() const {
    std::vector<std::uint32_t> out(data_.sample.size);
    std::iota(out.begin(), out.end(), 0u);
    return out;
  }

  void play_round(std::uint64_t seed, int round, Team& team) {
    const std::vector<std::uint32_t> drawn = drawer_ ? drawer_->draw(seed).positions : all_rows();
    if (!plan_.turns.empty()) {
      for (const auto& columns : plan_.turns) step(drawn, columns, round, team);
      return;
    }
    step(drawn, draw_columns(seed), round, team);
  }

  std::vector<std::uint32_t> draw_columns(std::uint64_t seed) const {
    std::vector<std::uint32_t> out(columns_.size());
    std::iota(out.begin(), out.end(), 0u);
    if (plan_.columns == 0 || plan_.columns >= out.size()) return out;
    Stream stream(Stream::part(seed, 1));
    stream.shuffle(out);
    out.resize(plan_.columns);
    std::sort(out.begin(), out.end());
    return out;
  }

  // One tree per output, all from the same scores.
  void step(const std::vector<std::uint32_t>& drawn, const std::vector<std::uint32_t>& columns,
            int round, Team& team) {
    const std::size_t k = training_.outputs;
    std::vector<Gradients> gradients(k);
    team.each_if(Team::worth(training_.size() * k), k, [&](std::size_t s, Team&) {
      find_gradients(plan_.loss, training_, s, gradients[s]);
    });
    for (std::size_t s = 0; s < k; ++s) {
      auto rows = std::make_shared<GradientRows>(drawn, gradients[s]);
      Tree tree = grow(rows, columns, team);
      keep_directions(plan_.rule, tree);
      for (double& value : tree.yval) value *= plan_.rate;
      for (std::size_t v = 0; v < tree.size(); ++v) {
        if (tree.kind[v] != 0) out_.gain[tree.variable[v]] += tree.gain[v] * tree.weight[v];
      }
      add(tree, rows->rows, s, round, team);
    }
  }

  Tree grow(const std::shared_ptr<GradientRows>& rows, const std::vector<std::uint32_t>& columns,
            Team& team) const {
    constexpr std::size_t worth_sharing = 4096;
    const std::size_t n = rows->rows.size();
    const std::size_t wait_at =
        n > worth_sharing && team.size() > 1 ? n / (std::size_t{8} * team.size()) : 0;
    auto search = std::make_unique<GradientSearch>(
        data_, rows, std::make_shared<const std::vector<std::uint32_t>>(columns), team.size());
    const MissingPolicy missing = missing_policy("learned");
    Grower grower(plan_.stop, missing, 0, 0, wait_at);
    const Node root = root_of(*search, 0);
    return grower.grow(std::move(search), root, 0, team);
  }

  // `rows`: the rows of the tree, leaf by leaf.
  void add(const Tree& tree, const std::vector<std::uint32_t>& rows, std::size_t output, int round,
           Team& team) {
    const std::size_t k = training_.outputs;
    std::vector<char> inside(drawer_ ? training_.size() : 0, 0);
    std::size_t at = 0;
    for (std::size_t v = 0; v < tree.size(); ++v) {
      if (tree.kind[v] != 0) continue;
      for (const std::size_t end = at + static_cast<std::size_t>(tree.n[v]); at < end; ++at) {
        training_.score[rows[at] * k + output] += tree.yval[v];
        if (drawer_) inside[rows[at]] = 1;
      }
    }
    Forest one;
    append(tree, data_.frame, one);
    if (drawer_) {
      left_out_.follow(
          one.view(), team, [&](std::size_t i) { return !inside[i]; },
          [&](std::size_t i, double x) { training_.score[i * k + output] += x; });
    }
    validation_blocks_.follow(
        one.view(), team, [](std::size_t) { return true; },
        [&](std::size_t i, double x) { validation_.score[i * k + output] += x; });
    append(one, data_.frame, out_.trees);
    out_.output.push_back(static_cast<int>(output));
    out_.round.push_back(round);
  }

  CodeColumns columns_;
  GradientData data_;
  const BoostPlan& plan_;
  ScoredRows &training_, &validation_;
  RowBlocks left_out_, validation_blocks_;
  std::unique_ptr<Urns> urns_;
  std::unique_ptr<Drawer> drawer_;
  Gradients gradients_;
  BoostedTrees out_;
};

}  // namespace tectree
