// A problem of the roads test, with ownership: data, settings, and what is requested from the
// growers.
#pragma once

#include <tectree/base/simd.hpp>
#include <tectree/grow/grow_tree.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "grow/table.h"

namespace roads {

using support::Setting;
using support::Table;

struct Case {
  std::uint64_t seed = 0;
  Table table;
  Setting setting;
  std::string missing = "majority";
  tectree::SurrogateRule surrogates{5, true, false};
  tectree::UnknownRows undecided = tectree::UnknownRows::branch;  // by surrogates
  tectree::ClassFactors factors;
  tectree::Loss loss;
  std::size_t small = 100;  // rows of a small node, if a road needs one
  bool ties = false;        // perfect columns tie, in a table that is worth sharing

  std::size_t rows() const { return table.rows(); }
  bool is_class() const { return table.n_classes > 0; }
  bool has_missing() const {
    for (const auto& column : table.x) {
      for (double v : column) {
        if (std::isnan(v)) return true;
      }
    }
    return false;
  }
};

// How a road grows its tree: the search, and changes of the problem that must not matter.
struct Way {
  bool sorted_only = false, simd = true;
  std::size_t small = tectree::Problem().pass_on_at;
  int threads = 1;
  double tried = 1.0;                  // splits of a node by lookahead; few levels, if several
  bool when_drawn = false;             // columns are sorted when they are drawn
  bool held_up = false;                // the calling thread is delayed at each column that it takes
  double weights = 1.0;                // times this, like the required sizes
  bool own_sizes = false;              // rows have sizes equal to their former weights
  double factors = 1.0;                // of all classes
  bool twins = false;                  // each column is followed by a copy
  bool integers = false;               // columns of whole numbers are passed as integers
  std::vector<std::size_t> order;      // of the rows; empty: unchanged
  std::vector<std::size_t> strangers;  // positions of rows of the frame that are not in the sample
};

// The case as the engine sees it on a road.
class Posed {
 public:
  Posed(const Case& c, const Way& way)
      : way_(way),
        missing_(tectree::missing_policy(c.missing, c.surrogates, c.undecided)),
        table_(changed(c.table)) {
    Setting setting = c.setting;
    if (table_.size.empty()) {
      setting.control.min_bucket *= way.weights;
      setting.control.copies = way.weights;
      setting.stop.min_split *= way.weights;
    }
    setting.stop.lookahead = way.tried;
    if (way.tried > 1.0) setting.stop.max_depth = std::min(setting.stop.max_depth, 3.0);
    problem = support::problem_of(table_, setting);
    stop = support::stop_of(setting);
    problem.sorted_only = way.sorted_only;
    problem.seed = c.seed;
    problem.pass_on_at = way.small;
    problem.loss = c.loss;
    problem.factors = c.factors;
    if (way.factors != 1.0) set_factors(c);
    if (way.integers) hand_integers();
    if (!rows_.empty()) {
      problem.sample.rows = rows_.data();
      problem.sample.size = rows_.size();
    }
  }
  Posed(const Posed&) = delete;

  const tectree::MissingPolicy& missing() const { return missing_; }

  tectree::Tree grow() const {
    tectree::simd_allowed = way_.simd;
    tectree::Team team(way_.threads, way_.held_up ? hold_up : tectree::Team::Poll());
    if (way_.held_up) hold_up();
    tectree::Problem asked = problem;
    if (way_.when_drawn)
      asked.ranks = std::make_shared<const tectree::Ranks>(
          tectree::make_ranks(asked.frame, asked.sample, team));
    tectree::Tree tree = tectree::grow_tree(asked, stop, missing_, team);
    tectree::simd_allowed = true;
    return tree;
  }

  tectree::Problem problem;
  tectree::StopRule stop;

 private:
  // A team asks its host once in 100 ms.
  static void hold_up() { std::this_thread::sleep_for(std::chrono::milliseconds(101)); }

  // The rows of the frame: those of the case in their order, with strangers between them.
  std::vector<std::size_t> places(const Table& t) const {
    std::vector<std::size_t> out(way_.order);
    if (out.empty()) {
      for (std::size_t i = 0; i < t.rows(); ++i) out.push_back(i);
    }
    return out;
  }

  template <class T>
  std::vector<T> moved(const std::vector<T>& from, const std::vector<std::size_t>& places) const {
    std::vector<T> out;
    if (from.empty()) return out;
    std::size_t next = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
      while (next < way_.strangers.size() && way_.strangers[next] == i) {
        out.push_back(from[places[(i * 7) % places.size()]]);
        ++next;
      }
      out.push_back(from[places[i]]);
    }
    return out;
  }

  Table changed(const Table& t) {
    const std::vector<std::size_t> from = places(t);
    Table out;
    out.n_classes = t.n_classes;
    for (std::size_t c = 0; c < t.x.size(); ++c) {
      for (int copy = 0; copy < (way_.twins ? 2 : 1); ++copy)
        out.add(t.kind[c], t.n_levels[c], moved(t.x[c], from));
    }
    out.y = moved(t.y, from);
    out.number = moved(t.number, from);
    out.weight = moved(t.weight, from);
    out.size = moved(t.size, from);
    for (std::size_t i = 0; way_.own_sizes && t.size.empty() && i < out.rows(); ++i)
      out.size.push_back(out.w(i));
    if (way_.weights != 1.0 && out.weight.empty()) out.weight.assign(out.rows(), 1.0);
    for (double& w : out.weight) w *= way_.weights;
    std::size_t next = 0, at = 0;
    for (std::size_t i = 0; !way_.strangers.empty() && i < from.size(); ++i, ++at) {
      for (; next < way_.strangers.size() && way_.strangers[next] == i; ++next) ++at;
      rows_.push_back(static_cast<int>(at) + 1);
    }
    return out;
  }

  void set_factors(const Case& c) {
    for (int s = 0; s < c.table.n_classes; ++s) {
      if (problem.factors.prior.size() <= static_cast<std::size_t>(s))
        problem.factors.prior.push_back(1.0);
      if (problem.factors.split.size() <= static_cast<std::size_t>(s))
        problem.factors.split.push_back(1.0);
      problem.factors.prior[s] *= way_.factors;
      problem.factors.split[s] *= way_.factors;
    }
  }

  void hand_integers() {
    integers_.resize(table_.x.size());
    for (std::size_t c = 0; c < table_.x.size(); ++c) {
      if (table_.n_levels[c] > 0 || !whole_numbers(table_.x[c])) continue;
      for (double v : table_.x[c])
        integers_[c].push_back(std::isnan(v) ? tectree::missing_code : static_cast<int>(v));
      problem.frame.columns[c].real = nullptr;
      problem.frame.columns[c].whole = integers_[c].data();
    }
  }

 public:
  static bool whole_numbers(const std::vector<double>& x) {
    for (double v : x) {
      if (!std::isnan(v) && (v != std::floor(v) || std::fabs(v) > 1e9)) return false;
    }
    return true;
  }

 private:
  const Way way_;
  tectree::MissingPolicy missing_;
  std::vector<int> rows_;  // before the table, which sets it
  Table table_;
  std::vector<std::vector<int>> integers_;
};

}  // namespace roads
