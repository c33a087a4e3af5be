// Gradient boosting: every tree is a step down the loss of the previous trees (Friedman 2001).
//
// Columns are coded once for all rounds. In a round, trees grow from gradients, every row gets the
// number of its leaf, and one pass adds these numbers to the scores and finds the next gradients.
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
#include "../search/gradients/gradient_search.hpp"
#include "loss.hpp"
#include "row_blocks.hpp"
#include "tree_leaves.hpp"

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

// When a run ends: after so many rounds without a smaller loss; 0: never.
class Patience {
 public:
  explicit Patience(std::size_t rounds) : rounds_(rounds) {}

  // Whether the round with this loss is the last.
  bool ends(double loss) {
    since_ = loss < least_ ? 0 : since_ + 1;
    least_ = std::min(least_, loss);
    return rounds_ > 0 && since_ >= rounds_;
  }

 private:
  std::size_t rounds_, since_ = 0;
  double least_ = HUGE_VAL;
};

// Calls use(item, team) for `n` tasks over `rows` rows each: one by one by all threads if they are
// few and large; otherwise each by one thread.
template <class Use>
void each_of_few(Team& team, std::size_t n, std::size_t rows, Use use) {
  constexpr std::size_t large = 20000;
  if (n > 1 && (rows < large || n >= 2 * static_cast<std::size_t>(team.size())))
    return team.each(n, use);
  for (std::size_t i = 0; i < n; ++i) use(i, team);
}

struct BoostedTrees {
  Forest trees;
  std::vector<int> output, round;  // by tree, from 0
  std::vector<double> gain;        // by column: how much its splits reduce the loss
  BoostCurve curve;
};

class Booster {
 public:
  // `training`: one per position of the sample; `validation`: one per row of `validation_rows`,
  // with numbers from 1, which may be empty. Their scores are the initial scores.
  Booster(const Frame& frame, const Sample& sample, ScoredRows& training,
          const std::vector<int>& validation_rows, ScoredRows& validation, const BoostPlan& plan,
          Team& team)
      : columns_(code_for_gradients(frame, sample, team)),
        groups_(group_columns(columns_, sample.size, team)),
        data_{frame, sample, columns_, groups_, plan.rule},
        plan_(plan),
        training_(training),
        validation_(validation),
        drawn_(sample.size),
        grown_(training.outputs),
        left_out_(frame, plan.draws > 0 ? sample.size : 0,
                  [&](std::size_t i) { return sample.row(i); }),
        validation_blocks_(frame, validation_rows.size(), [&](std::size_t i) {
          return static_cast<std::size_t>(validation_rows[i]) - 1;
        }) {
    out_.gain.assign(frame.columns.size(), 0.0);
    std::iota(drawn_.begin(), drawn_.end(), 0u);
    for (GrownTree& one : grown_) one.leaf.resize(sample.size);
    if (plan.draws > 0) {
      Draws how;
      how.replace = false;
      how.of_class = {plan.draws};
      urns_ = std::make_unique<Urns>(sample.size, how, std::vector<std::uint16_t>());
      drawer_ = std::make_unique<Drawer>(*urns_);
    }
    const auto nothing = [](std::size_t, std::size_t) {};
    find_gradients(plan.loss, training, false, nothing, gradients_, team);
  }

  // `done`: the number of finished rounds, for other threads to read; `first`: rounds made before.
  BoostedTrees run(std::atomic<std::size_t>& done, int first, Team& team) {
    Patience patience(plan_.patience);
    for (std::size_t r = 0; r < plan_.seeds.size(); ++r) {
      next_round(done, first, team);
      if (validation_.size() > 0 && patience.ends(out_.curve.validation.back())) break;
    }
    return std::move(out_);
  }

  // One more round.
  void next_round(std::atomic<std::size_t>& done, int first, Team& team) {
    team.check();
    const std::size_t r = out_.curve.training.size();
    out_.curve.training.push_back(play_round(plan_.seeds[r], first + static_cast<int>(r), team));
    ++done;
    if (validation_.size() > 0)
      out_.curve.validation.push_back(mean_loss(plan_.loss, validation_, team));
  }

  const BoostCurve& curve() const { return out_.curve; }

  // How much one tree of these columns would reduce the loss of each output, at the current scores.
  double gain_of(const std::vector<std::uint32_t>& columns, Team& team) {
    double sum = 0.0;
    const auto of_tree = std::make_shared<const TreeColumns>(data_, columns);
    for (std::size_t k = 0; k < training_.outputs; ++k) {
      GrownTree& grown = grown_[k];
      grow(of_tree, gradients_[k], grown, team);
      for (std::size_t v = 0; v < grown.tree.size(); ++v)
        sum += grown.tree.gain[v] * grown.tree.weight[v];
    }
    return sum;
  }

 private:
  // The tree of one output, and the leaf of every training row.
  struct GrownTree {
    std::shared_ptr<GradientRows> rows;
    Tree tree;
    std::vector<double> value;  // by node; one more, for rows without a leaf
    std::vector<std::uint32_t> leaf;
  };

  // Returns the training loss afterwards.
  double play_round(std::uint64_t seed, int round, Team& team) {
    if (drawer_) draw_rows(seed);
    if (plan_.turns.empty()) return step(draw_columns(seed), round, true, team);
    double loss = 0.0;
    for (const auto& columns : plan_.turns)
      loss = step(columns, round, &columns == &plan_.turns.back(), team);
    return loss;
  }

  void draw_rows(std::uint64_t seed) {
    drawn_ = drawer_->draw(seed).positions;
    const auto is_factor = [](const CodeColumn& column) { return column.kind == Kind::nominal; };
    if (std::none_of(columns_.begin(), columns_.end(), is_factor)) return;
    std::vector<char> in(data_.sample.size, 0);
    for (std::uint32_t i : drawn_) in[i] = 1;
    others_.clear();
    for (std::size_t i = 0; i < in.size(); ++i) {
      if (!in[i]) others_.push_back(static_cast<std::uint32_t>(i));
    }
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

  // One tree per output, all from the same gradients; then the next gradients. Returns the training
  // loss if it is measured.
  double step(const std::vector<std::uint32_t>& columns, int round, bool measures, Team& team) {
    const auto of_tree = std::make_shared<const TreeColumns>(data_, columns);
    each_of_few(team, grown_.size(), drawn_.size(), [&](std::size_t s, Team& inner) {
      grow(of_tree, gradients_[s], grown_[s], inner);
      finish(grown_[s], inner);
    });
    for (std::size_t s = 0; s < grown_.size(); ++s) keep(grown_[s], s, round, team);
    const auto add = [&](std::size_t first, std::size_t end) { add_values(first, end); };
    return find_gradients(plan_.loss, training_, measures, add, gradients_, team);
  }

  void grow(const std::shared_ptr<const TreeColumns>& columns, const Gradients& gradients,
            GrownTree& out, Team& team) const {
    constexpr std::size_t worth_sharing = 4096;
    const std::size_t n = drawn_.size();
    const std::size_t wait_at =
        n > worth_sharing && team.size() > 1 ? n / (std::size_t{8} * team.size()) : 0;
    if (!out.rows) out.rows = std::make_shared<GradientRows>(data_);
    out.rows->start(drawn_, gradients, team);
    out.rows->order_levels(others_, *columns, team);
    auto search = std::make_unique<GradientSearch>(data_, out.rows, columns, team);
    const MissingPolicy missing = missing_policy("learned");
    Grower grower(plan_.stop, missing, 0, 0, wait_at);
    const Node root = root_of(*search, 0);
    out.tree = grower.grow(std::move(search), root, 0, team);
  }

  // The leaf of every drawn row, and the numbers of the leaves.
  void finish(GrownTree& grown, Team& team) const {
    Tree& tree = grown.tree;
    const auto none = static_cast<std::uint32_t>(tree.size());
    if (drawer_) std::fill(grown.leaf.begin(), grown.leaf.end(), none);
    const std::vector<Gradient> sums = TreeLeaves(data_, *grown.rows, tree).place(grown.leaf, team);
    for (std::size_t v = 0; v < tree.size(); ++v) {
      if (tree.kind[v] == 0) tree.yval[v] = plan_.rule.value(sums[v].g, sums[v].h);
    }
    keep_directions(plan_.rule, tree);
    for (double& value : tree.yval) value *= plan_.rate;
    grown.value = tree.yval;
    grown.value.push_back(0.0);
  }

  // Other rows follow the tree, which joins the model.
  void keep(GrownTree& grown, std::size_t output, int round, Team& team) {
    const Tree& tree = grown.tree;
    for (std::size_t v = 0; v < tree.size(); ++v) {
      if (tree.kind[v] != 0) out_.gain[tree.variable[v]] += tree.gain[v] * tree.weight[v];
    }
    Forest one;
    append(tree, data_.frame, one);
    const std::size_t k = training_.outputs;
    if (drawer_) {
      left_out_.follow(
          one.view(), team, [&](std::size_t i) { return grown.leaf[i] == tree.size(); },
          [&](std::size_t i, double x) { training_.score[i * k + output] += x; });
    }
    validation_blocks_.follow(
        one.view(), team, [](std::size_t) { return true; },
        [&](std::size_t i, double x) { validation_.score[i * k + output] += x; });
    append(one, data_.frame, out_.trees);
    out_.output.push_back(static_cast<int>(output));
    out_.round.push_back(round);
  }

  // Adds the numbers of their leaves to the scores of some training rows.
  void add_values(std::size_t first, std::size_t end) {
    const std::size_t k = training_.outputs;
    for (std::size_t s = 0; s < k; ++s) {
      const GrownTree& grown = grown_[s];
      for (std::size_t i = first; i < end; ++i)
        training_.score[i * k + s] += grown.value[grown.leaf[i]];
    }
  }

  CodeColumns columns_;
  std::vector<CodeGroup> groups_;
  GradientData data_;
  const BoostPlan& plan_;
  ScoredRows &training_, &validation_;
  std::vector<std::uint32_t> drawn_;   // positions of the rows of a round's trees
  std::vector<std::uint32_t> others_;  // and of the others, if they order levels
  std::vector<Gradients> gradients_;   // at the current scores, by output
  std::vector<GrownTree> grown_;       // by output
  RowBlocks left_out_, validation_blocks_;
  std::unique_ptr<Urns> urns_;
  std::unique_ptr<Drawer> drawer_;
  BoostedTrees out_;
};

}  // namespace tectree
