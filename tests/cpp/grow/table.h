// Data of a test, with ownership, and the settings of its tree.
#pragma once

#include <tectree/grow/grow_tree.hpp>

#include <string>
#include <vector>

namespace support {

struct Table {
  std::vector<tectree::Kind> kind;
  std::vector<int> n_levels;
  std::vector<std::vector<double>> x;  // by column; also codes of levels, NaN if missing
  std::vector<std::vector<int>> code;  // of level columns, in the engine's format
  std::vector<int> y;                  // 1..n_classes
  std::vector<double> number;          // regression
  int n_classes = 0;
  std::vector<double> weight;  // empty: all 1
  std::vector<double> size;    // empty: the weight

  std::size_t rows() const { return n_classes > 0 ? y.size() : number.size(); }
  double w(std::size_t row) const { return weight.empty() ? 1.0 : weight[row]; }
  double size_of(std::size_t row) const { return size.empty() ? w(row) : size[row]; }

  void add_numbers(std::vector<double> values) {
    add(tectree::Kind::numeric, 0, std::move(values));
  }
  // Codes 1..levels as numbers, NaN if missing.
  void add(tectree::Kind k, int levels, std::vector<double> values) {
    kind.push_back(k);
    n_levels.push_back(levels);
    code.emplace_back();
    for (double v : values) {
      if (levels > 0)
        code.back().push_back(std::isnan(v) ? tectree::missing_code : static_cast<int>(v));
    }
    x.push_back(std::move(values));
  }
};

struct Setting {
  std::string criterion = "gini";
  double parameter = 1.0;
  tectree::SearchControl control;
  tectree::StopRule stop;
  std::string missing = "majority";
};

// The table as the engine sees it; the table must outlive it.
inline tectree::Problem problem_of(const Table& table, const Setting& setting) {
  tectree::Problem p;
  p.frame.n_rows = table.rows();
  for (std::size_t c = 0; c < table.x.size(); ++c) {
    tectree::Column column;
    column.kind = table.kind[c];
    column.n_levels = table.n_levels[c];
    if (column.n_levels > 0) {
      column.whole = table.code[c].data();
    } else {
      column.real = table.x[c].data();
    }
    p.frame.columns.push_back(column);
  }
  p.sample.size = table.rows();
  p.sample.weights = table.weight.empty() ? nullptr : table.weight.data();
  p.sample.sizes = table.size.empty() ? nullptr : table.size.data();
  p.response.n_classes = table.n_classes;
  p.response.code = table.y.data();
  p.response.number = table.number.data();
  p.criterion = setting.criterion;
  p.parameter = setting.parameter;
  p.control = setting.control;
  p.pass_on_at = 4096;  // so tables with few rows are searched in every way
  return p;
}

inline tectree::StopRule stop_of(const Setting& setting) {
  tectree::StopRule stop = setting.stop;
  stop.min_bucket = setting.control.min_bucket;
  return stop;
}

inline tectree::Tree grown(const Table& table, const Setting& setting, tectree::Team& team) {
  const tectree::Problem problem = problem_of(table, setting);
  return tectree::grow_tree(problem, stop_of(setting), tectree::missing_policy(setting.missing),
                            team);
}

inline tectree::Tree grown(const Table& table, const Setting& setting, int threads = 1) {
  tectree::Team team(threads);
  return grown(table, setting, team);
}

}  // namespace support
