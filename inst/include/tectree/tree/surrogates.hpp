// The surrogates of a tree's nodes, flat.
#pragma once

#include <cstddef>
#include <vector>

#include "../split/missing_route.hpp"

namespace tectree {

struct SurrogatePools {
  std::vector<int> start, count;  // by node
  // By surrogate. A threshold has its break here; levels lie in pools that the tree owns.
  std::vector<int> variable, kind, flipped, level_start, level_count;
  std::vector<double> cut, agree, adj;

  std::size_t size() const { return variable.size(); }
  void add_node() {
    start.push_back(0);
    count.push_back(0);
  }

  void add(const Surrogate& s, std::vector<int>& level, std::vector<int>& level_child) {
    variable.push_back(s.split.column);
    kind.push_back(static_cast<int>(s.split.kind));
    flipped.push_back(s.flipped);
    cut.push_back(s.split.breaks.empty() ? 0.0 : s.split.breaks[0]);
    level_start.push_back(static_cast<int>(level.size()));
    level_count.push_back(static_cast<int>(s.split.level.size()));
    level.insert(level.end(), s.split.level.begin(), s.split.level.end());
    level_child.insert(level_child.end(), s.split.level_child.begin(), s.split.level_child.end());
    agree.push_back(s.agree);
    adj.push_back(s.adj);
  }

  Surrogate get(int at, const std::vector<int>& level, const std::vector<int>& level_child) const {
    Surrogate s;
    s.split.kind = static_cast<SplitKind>(kind[at]);
    s.split.column = variable[at];
    s.split.branches = 2;
    if (s.split.kind != SplitKind::subset) s.split.breaks.assign(1, cut[at]);
    const auto from = level_start[at], to = level_start[at] + level_count[at];
    s.split.level.assign(level.begin() + from, level.begin() + to);
    s.split.level_child.assign(level_child.begin() + from, level_child.begin() + to);
    s.flipped = flipped[at] != 0;
    s.agree = agree[at];
    s.adj = adj[at];
    return s;
  }

  SurrogateView view(int at, const std::vector<int>& level,
                     const std::vector<int>& level_child) const {
    const bool by_level = kind[at] == static_cast<int>(SplitKind::subset);
    return {{static_cast<SplitKind>(kind[at]), 2, cut.data() + at, by_level ? 0 : 1,
             level.data() + level_start[at], level_child.data() + level_start[at], level_count[at]},
            variable[at],
            flipped[at] != 0};
  }
};

}  // namespace tectree
