// The smallest case found that still fails on a road.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "roads/problem.h"

namespace roads {

template <class T>
void keep_rows(std::vector<T>& values, const std::vector<char>& kept) {
  std::size_t to = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (kept[i]) values[to++] = values[i];
  }
  values.resize(to);
}

inline Case with_rows(const Case& c, const std::vector<char>& kept) {
  Case out = c;
  for (auto& column : out.table.x) keep_rows(column, kept);
  for (auto& column : out.table.code) keep_rows(column, kept);
  keep_rows(out.table.y, kept);
  keep_rows(out.table.number, kept);
  keep_rows(out.table.weight, kept);
  keep_rows(out.table.size, kept);
  return out;
}

inline Case without_column(const Case& c, std::size_t at) {
  Case out = c;
  const auto i = static_cast<std::ptrdiff_t>(at);
  out.table.x.erase(out.table.x.begin() + i);
  out.table.code.erase(out.table.code.begin() + i);
  out.table.kind.erase(out.table.kind.begin() + i);
  out.table.n_levels.erase(out.table.n_levels.begin() + i);
  return out;
}

class Shrink {
 public:
  // `fails`: whether a case still fails; at most `tries` cases are tried.
  Shrink(Case c, std::function<bool(const Case&)> fails, int tries)
      : case_(std::move(c)), fails_(std::move(fails)), tries_(tries) {}

  Case least() {
    bool shrunk = true;
    while (shrunk && tries_ > 0) shrunk = drop_columns() | plain_settings() | drop_rows();
    return case_;
  }

 private:
  bool take(const Case& c) {
    if (tries_-- <= 0 || !fails_(c)) return false;
    case_ = c;
    return true;
  }

  bool drop_columns() {
    bool shrunk = false;
    for (std::size_t c = case_.table.x.size(); c-- > 0 && case_.table.x.size() > 1;)
      shrunk |= take(without_column(case_, c));
    return shrunk;
  }

  // Resets each setting to its usual value.
  bool plain_settings() {
    const Setting usual;
    bool shrunk = false;
    const auto set = [&](auto differs, auto change) {
      if (!differs(case_)) return;
      Case c = case_;
      change(c);
      shrunk |= take(c);
    };
    set([](const Case& c) { return !c.table.weight.empty(); },
        [](Case& c) { c.table.weight.clear(); });
    set([](const Case& c) { return !c.table.size.empty(); }, [](Case& c) { c.table.size.clear(); });
    set([](const Case& c) { return !c.loss.empty(); }, [](Case& c) { c.loss.cost.clear(); });
    set([](const Case& c) { return !c.factors.plain(); }, [](Case& c) { c.factors = {}; });
    set([](const Case& c) { return c.missing != "majority"; },
        [](Case& c) { c.missing = "majority"; });
    set([](const Case& c) { return c.setting.stop.max_depth > 1; },
        [](Case& c) { c.setting.stop.max_depth = 1; });
    set([](const Case& c) { return c.setting.stop.max_leaves < HUGE_VAL; },
        [](Case& c) { c.setting.stop.max_leaves = HUGE_VAL; });
    set([](const Case& c) { return c.setting.control.min_bucket > 1; },
        [](Case& c) { c.setting.control.min_bucket = 1; });
    set([](const Case& c) { return c.setting.stop.min_split > 2; },
        [](Case& c) { c.setting.stop.min_split = 2; });
    set([&](const Case& c) { return c.setting.control.intervals != usual.control.intervals; },
        [&](Case& c) { c.setting.control.intervals = usual.control.intervals; });
    set([&](const Case& c) { return c.setting.control.rules != usual.control.rules; },
        [&](Case& c) { c.setting.control.rules = usual.control.rules; });
    set([](const Case& c) { return c.setting.stop.has_test(); },
        [](Case& c) { c.setting.stop.max_p = 1.0; });
    return shrunk;
  }

  // Parts of the rows, from a half down to one row.
  bool drop_rows() {
    bool shrunk = false;
    for (std::size_t part = case_.rows() / 2; part > 0 && tries_ > 0; part /= 2) {
      for (std::size_t at = 0; at < case_.rows() && case_.rows() > part && tries_ > 0;) {
        std::vector<char> kept(case_.rows(), 1);
        for (std::size_t i = at; i < std::min(at + part, kept.size()); ++i) kept[i] = 0;
        if (take(with_rows(case_, kept))) {
          shrunk = true;
        } else {
          at += part;
        }
      }
    }
    return shrunk;
  }

  Case case_;
  std::function<bool(const Case&)> fails_;
  int tries_;
};

}  // namespace roads
