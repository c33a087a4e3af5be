// Whether a split found by the search is significant: its p value, by the chi-square test of
// classes by branches or the F test of the branches' means, or by permuting the response over the
// node's rows with a value.
//
// The p value of a formula is multiplied by the number of ways to divide the column like that
// (Bonferroni). Permutations need no multiplier: for ordered values they take the best cut in two
// each time, and for grouped levels the best cut of the levels ordered by the share of a class, or
// by their means (a maximally selected statistic: Hothorn & Lausen 2003). For criteria about the
// median, numbers count only by their side of it. The rows are taken in the order of their values,
// so the order of the data does not matter.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "../base/stream.hpp"
#include "../criterion/association.hpp"
#include "../search/chaid/bonferroni.hpp"
#include "../search/groups/divisions.hpp"
#include "problem.hpp"
#include "stop.hpp"

namespace tectree {

class SplitTest {
 public:
  // Both must outlive this object.
  SplitTest(const Problem& problem, const StopRule& stop) : problem_(problem), stop_(stop) {}

  bool passes(const NodeSearch& search, const Node& node, const Winner& winner, Team& team) const {
    if (winner.test.exists()) {  // of a search by p values
      const Test& test = winner.test;
      return at_most(stop_.adjusts_p ? test.log_adjusted() : test.log_p);
    }
    const Rows rows = rows_of(search, node, winner);
    if (stop_.permutations > 0) return passes_by_permutation(rows, winner, node.stream, team);
    const Test test = by_formula(rows, winner.split);
    return at_most(stop_.adjusts_p ? test.log_adjusted() : test.log_p);
  }

 private:
  // A class, from 0, or a number; and its weight.
  struct Answer {
    double y, weight;
    bool operator<(const Answer& other) const {
      return y != other.y ? y < other.y : weight < other.weight;
    }
  };
  struct Row {
    double value;
    int branch;
    Answer answer;
  };
  using Rows = std::vector<Row>;

  bool at_most(double log_p) const { return log_p <= std::log(stop_.max_p) + 1e-12; }
  bool of_classes() const { return problem_.response.is_class(); }

  Rows rows_of(const NodeSearch& search, const Node& node, const Winner& winner) const {
    Rows rows;
    rows.reserve(node.n_rows);
    const Column& column = problem_.frame.columns[winner.split.column];
    const SplitView split = winner.split.view();
    search.each_row(node, [&](std::size_t row, double weight) {
      int branch = route(split, column, row);
      if (branch == no_branch) branch = winner.filled;
      if (branch == no_branch) return;
      const double value = column.value(row);
      if (!of_classes())
        return rows.push_back({value, branch, {problem_.response.number[row], weight}});
      const int label = problem_.response.code[row] - 1;
      const auto y = static_cast<double>(label);
      rows.push_back({value, branch, {y, weight * problem_.factors.split_of(label)}});
    });
    std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
      const bool a_known = !std::isnan(a.value), b_known = !std::isnan(b.value);
      if (a_known != b_known) return a_known;  // missing values last
      return a_known && a.value != b.value ? a.value < b.value : a.answer < b.answer;
    });
    return rows;
  }

  // ---- by a formula -----------------------------------------------------------------------------

  Test by_formula(const Rows& rows, const Split& split) const {
    Sums sums(*this, static_cast<std::size_t>(split.branches), mean_of(rows));
    for (const Row& row : rows) sums.add(row.branch, row.answer);
    Test test = sums.test();
    test.log_times = log_ways(rows, split);
    return test;
  }

  // The logarithm of the number of ways to divide the values of these rows like that.
  double log_ways(const Rows& rows, const Split& split) const {
    std::size_t values = 0;
    for (std::size_t i = 0; i < rows.size() && !std::isnan(rows[i].value); ++i)
      values += i == 0 || rows[i].value != rows[i - 1].value;
    if (values < 2 || split.kind == SplitKind::multiway) return 0.0;
    const auto n = static_cast<double>(values);
    if (split.kind == SplitKind::subset) return chaid::log_partitions(values, 2);
    return chaid::log_choose(n - 1, split.branches - 1.0);
  }

  static double mean_of(const Rows& rows) {
    double n = 0.0, sum = 0.0;
    for (const Row& row : rows) {
      n += row.answer.weight;
      sum += row.answer.weight * row.answer.y;
    }
    return n > 0.0 ? sum / n : 0.0;
  }

  // The tallies of some groups of rows.
  class Sums {
   public:
    Sums(const SplitTest& of, std::size_t groups, double mean)
        : width_(of.of_classes() ? static_cast<std::size_t>(of.problem_.response.n_classes) : 3),
          classes_(of.of_classes()),
          mean_(mean),
          sum_(groups * width_, 0.0) {}
    void add(int group, const Answer& answer) {
      double* to = sum_.data() + static_cast<std::size_t>(group) * width_;
      if (classes_) {
        to[static_cast<std::size_t>(answer.y)] += answer.weight;
        return;
      }
      const double d = answer.y - mean_;
      to[0] += answer.weight;
      to[1] += answer.weight * d;
      to[2] += answer.weight * d * d;
    }
    Test test() const {
      if (classes_) {
        CountTable table;
        table.start(width_);
        for (std::size_t g = 0; g < sum_.size(); g += width_) {
          if (std::accumulate(sum_.begin() + g, sum_.begin() + g + width_, 0.0) > 0.0)
            table.add(sum_.data() + g);
        }
        return table.test(TestBy::pearson);
      }
      MeansTable table;
      for (std::size_t g = 0; g < sum_.size(); g += width_) {
        if (sum_[g] > 0.0) table.add(sum_[g], sum_[g + 1], sum_[g + 2]);
      }
      return table.test();
    }

   private:
    std::size_t width_;
    bool classes_;
    double mean_;
    std::vector<double> sum_;
  };

  // ---- by permutation ---------------------------------------------------------------------------

  bool passes_by_permutation(const Rows& rows, const Winner& winner, std::uint64_t stream,
                             Team& team) const {
    std::vector<Answer> answers;
    for (const Row& row : rows) answers.push_back(row.answer);
    if (problem_.criterion == "l1") as_sides(answers);
    const Statistic statistic(*this, rows, winner.split);
    const double found = statistic.of(answers);
    std::sort(answers.begin(), answers.end());
    Stream random(Stream::part(stream, 0x7e57));
    // The p value is (as good + 1) / (permutations + 1): the division itself is one of them.
    const double most = stop_.max_p * (stop_.permutations + 1.0) * (1 + 1e-12);
    double as_good = 0.0;
    for (int i = 0; i < stop_.permutations; ++i) {
      if (i % 16 == 0) team.check();
      random.shuffle(answers);
      as_good += statistic.of(answers) >= found * (1 - 1e-10);
      if (as_good + 1.0 > most) return false;
    }
    return true;
  }

  // The side of the median that each number is on: branches differ by these.
  static void as_sides(std::vector<Answer>& answers) {
    std::vector<Answer> in_order = answers;
    std::sort(in_order.begin(), in_order.end());
    double total = 0.0, below = 0.0, median = 0.0;
    for (const Answer& a : in_order) total += a.weight;
    for (const Answer& a : in_order) {
      median = a.y;
      below += a.weight;
      if (below >= total / 2) break;
    }
    for (Answer& a : answers) a.y = a.y > median ? 1.0 : a.y < median ? -1.0 : 0.0;
  }

  // How much the best division of the column explains of the responses: a score that is comparable
  // between permutations, since all have the same responses.
  class Statistic {
   public:
    Statistic(const SplitTest& of, const Rows& rows, const Split& split)
        : of_(of),
          k_(of.of_classes() ? static_cast<std::size_t>(of.problem_.response.n_classes) : 0) {
      const bool by_value = split.kind == SplitKind::threshold || split.kind == SplitKind::level ||
                            split.kind == SplitKind::intervals;
      if (of.stop_.adjusts_p && split.kind != SplitKind::multiway)
        mode_ = by_value ? Mode::cuts : Mode::levels;
      double last = 0.0;
      int group = -1;
      for (const Row& row : rows) {
        const bool known = !std::isnan(row.value);
        if (mode_ == Mode::branches) {
          group_.push_back(row.branch);
          continue;
        }
        // Rows with a missing value that were sent to a branch stay at its end.
        if (!known) {
          group_.push_back(group < 0 ? 0 : row.branch == rows.front().branch ? 0 : group);
          continue;
        }
        if (group < 0 || row.value != last) ++group;
        last = row.value;
        group_.push_back(group);
      }
      groups_ = 1;
      for (int g : group_) groups_ = std::max(groups_, static_cast<std::size_t>(g) + 1);
    }

    double of(const std::vector<Answer>& answers) const {
      tally(answers);
      if (mode_ == Mode::branches) return worth_of_all();
      if (mode_ == Mode::cuts) return best_prefix(natural_order(groups_));
      double best = 0.0;
      for (std::size_t s = 0; s < std::max<std::size_t>(k_, 1); ++s) {
        std::vector<double> key(groups_);
        for (std::size_t g = 0; g < groups_; ++g)
          key[g] = weight_[g] > 0.0 ? sum_[g * width() + s] / weight_[g] : 0.0;
        std::vector<std::uint32_t> order = natural_order(groups_);
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return key[a] < key[b]; });
        best = std::max(best, best_prefix(order));
        if (k_ == 2) break;
      }
      return best;
    }

   private:
    enum class Mode { branches, cuts, levels };
    std::size_t width() const { return k_ > 0 ? k_ : 1; }

    void tally(const std::vector<Answer>& answers) const {
      sum_.assign(groups_ * width(), 0.0);
      weight_.assign(groups_, 0.0);
      total_.assign(width(), 0.0);
      n_ = 0.0;
      for (std::size_t i = 0; i < answers.size(); ++i) {
        const Answer& a = answers[i];
        const std::size_t at = k_ > 0 ? static_cast<std::size_t>(a.y) : 0;
        const double add = k_ > 0 ? a.weight : a.weight * a.y;
        sum_[static_cast<std::size_t>(group_[i]) * width() + at] += add;
        weight_[static_cast<std::size_t>(group_[i])] += a.weight;
        total_[at] += add;
        n_ += a.weight;
      }
    }
    // Pearson's chi-square, or the sum of squares between groups.
    double part(const double* sums, double weight) const {
      if (!(weight > 0.0)) return 0.0;
      double out = 0.0;
      for (std::size_t s = 0; s < width(); ++s) {
        const double by = k_ > 0 ? total_[s] : 1.0;
        if (!(by > 0.0)) continue;
        const double off = sums[s] - (k_ > 0 ? total_[s] / n_ : total_[0] / n_) * weight;
        out += off * off / (by * weight);
      }
      return out;
    }
    double worth_of_all() const {
      double out = 0.0;
      for (std::size_t g = 0; g < groups_; ++g) out += part(sum_.data() + g * width(), weight_[g]);
      return out;
    }
    double best_prefix(const std::vector<std::uint32_t>& order) const {
      const double least = of_.problem_.control.min_bucket;
      std::vector<double> left(width(), 0.0), right(width());
      double n = 0.0, best = 0.0;
      for (std::size_t i = 0; i + 1 < order.size(); ++i) {
        for (std::size_t s = 0; s < width(); ++s) left[s] += sum_[order[i] * width() + s];
        n += weight_[order[i]];
        // min_bucket may bound other sums than those of these weights.
        const bool other = !of_.problem_.factors.plain() || of_.problem_.sample.sized();
        const bool fits = other || (reaches(n, least) && reaches(n_ - n, least));
        if (!fits) continue;
        for (std::size_t s = 0; s < width(); ++s) right[s] = total_[s] - left[s];
        best = std::max(best, part(left.data(), n) + part(right.data(), n_ - n));
      }
      return best;
    }

    const SplitTest& of_;
    std::size_t k_;
    Mode mode_ = Mode::branches;
    std::size_t groups_ = 1;
    std::vector<int> group_;  // of each row
    mutable std::vector<double> sum_, weight_, total_;
    mutable double n_ = 0.0;
  };

  const Problem& problem_;
  const StopRule& stop_;
};

}  // namespace tectree
