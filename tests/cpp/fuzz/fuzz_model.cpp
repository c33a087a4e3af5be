// Fuzzes stored models: bytes become the vectors of a tree or a forest, often those of a sound one
// with some numbers changed. What the checks accept must be predicted and explained without a
// fault, within its range. R reads the same vectors and makes the same checks (as_tree(), as_view()
// in src/). For tools/checks/fuzz.sh.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "fuzz/bytes.h"
#include "fuzz/predictions.h"
#include "support/build.h"
#include "tectree/ensemble/shapes.hpp"
#include "tectree/predict/check_forest.hpp"
#include "tectree/predict/predictor.hpp"

namespace {

using fuzz::Bytes;
using fuzz::require;
using tectree::Forest;
using tectree::Tree;

// Rows of four columns, the kinds of which are drawn; codes may be unknown levels.
struct Rows {
  std::vector<double> x[4];
  std::vector<int> code[4];
  tectree::Frame frame;

  explicit Rows(Bytes& in) {
    const std::size_t n = static_cast<std::size_t>(in.between(1, 40));
    for (int c = 0; c < 4; ++c) {
      const int kind = c < 2 ? 0 : in.below(3), levels = in.between(1, 5);
      for (std::size_t i = 0; i < n; ++i) {
        const int byte = in.byte();
        x[c].push_back(byte == 255 ? std::numeric_limits<double>::quiet_NaN()
                                   : (byte - 100) / 40.0);
        code[c].push_back(byte == 255 ? tectree::missing_code : byte % (levels + 2));
      }
      if (kind == 0 && c < 2) {
        frame.add_numbers(x[c]);
      } else {
        frame.add_levels(code[c], levels,
                         kind == 1 ? tectree::Kind::ordered : tectree::Kind::nominal);
      }
    }
  }
  Rows(const Rows&) = delete;
};

template <class T>
void change(Bytes& in, std::vector<T>& values) {
  const int how = in.below(8);
  if (how == 6 && !values.empty()) values.pop_back();
  if (how == 7) values.push_back(T());
  for (int i = 0; i < how && how < 6 && !values.empty(); ++i) {
    T& value = values[static_cast<std::size_t>(in.byte()) % values.size()];
    const int to = in.byte();
    value = static_cast<T>(to < 224 ? to - 100 : 0);
    if (to >= 240) {
      if constexpr (std::is_same_v<T, double>) value = in.any_double();
      if constexpr (std::is_same_v<T, int>) value = in.any_int();
    }
  }
}

// A tree with random splits in two, and some of the numbers replaced.
Tree tree_of(Bytes& in) {
  Tree out;
  if (in.flag()) {
    out = support::tree_of_all_kinds();
  } else {
    support::add_leaf(out, -1, 50);
    for (int node = 0; node < in.between(0, 30); ++node) {
      if (out.kind[node] != 0 || node >= static_cast<int>(out.size())) break;
      const bool levels = in.flag();
      support::split(out, node,
                     levels ? support::subset(2 + in.below(2), {1, 2}, {0, 1})
                            : support::threshold(in.below(2), in.small()),
                     in.below(2), node);
    }
  }
  out.unknown = static_cast<tectree::UnknownRows>(in.below(3));
  for (auto* numbers :
       {&out.kind, &out.variable, &out.n_children, &out.child_start, &out.default_child,
        &out.break_start, &out.break_count, &out.level_start, &out.level_count}) {
    if (in.byte() < 24) change(in, *numbers);
    numbers->resize(out.size());  // as in R
  }
  for (auto* numbers : {&out.child, &out.level, &out.level_child}) {
    if (in.byte() < 24) change(in, *numbers);
  }
  if (in.byte() < 24) change(in, out.breaks);
  if (in.byte() < 24) change(in, out.weight);
  out.weight.resize(out.size());
  return out;
}

// As check_columns() in src/: splits by levels are on columns with levels.
bool fits(const Tree& tree, const tectree::Frame& frame) {
  for (std::size_t v = 0; v < tree.size(); ++v) {
    if (tree.kind[v] == 0) continue;
    const tectree::Column& column = frame.columns[static_cast<std::size_t>(tree.variable[v])];
    const bool number = tree.kind[v] <= static_cast<int>(tectree::SplitKind::intervals);
    if (!column.present() || (!number && !column.has_levels())) return false;
  }
  return true;
}

// Shapley values, which may be infinite or NaN, as weights may be.
void value(const tectree::ForestView& view, const tectree::Frame& frame) {
  const tectree::WeighedForest in(view);
  tectree::Team team(1);
  const std::size_t k = view.outputs();
  std::vector<double> values(frame.n_rows * frame.columns.size() * k, 0.0);
  tectree::ShapleyValues(in, frame, nullptr, {0, k}).find(values.data(), team);
}

void follow_tree(Bytes& in) {
  const Rows rows(in);
  const Tree tree = tree_of(in);
  try {
#ifndef FUZZ_PLANTED  // the tree is followed without a check
    tectree::check_tree(tree, rows.frame.columns.size());
#endif
  } catch (const tectree::DamagedTree&) {
    return;
  }
  if (!fits(tree, rows.frame)) return;
  tectree::Team team(1);
  std::vector<int> leaf(rows.frame.n_rows);
  tectree::predict_leaves(tree, rows.frame, leaf.data(), team);
  for (int at : leaf) require(at >= 0 && static_cast<std::size_t>(at) < tree.size(), "a leaf");
  const tectree::SharedRows shared = tectree::shared_rows(tree, rows.frame, team);
  for (int at : shared.node) require(static_cast<std::size_t>(at) < tree.size(), "a shared leaf");
  Forest forest;
  tectree::append(tree, rows.frame, forest);
  require(forest.variable.size() <= 3 * tree.size() + 1, "nodes of a stored tree as a forest");
  value(forest.view(), rows.frame);
}

Forest forest_of(Bytes& in, const tectree::Frame& frame) {
  Forest out;
  const bool classes = in.flag();
  const int trees = in.between(1, 3);
  for (int t = 0; t < trees; ++t) {
    Tree tree = in.flag() ? support::tree_of_all_kinds() : support::chain(in.between(0, 60));
    if (!classes) tree.n_classes = 0;
    tectree::append(tree, frame, out);
  }
  out.unknown = static_cast<tectree::UnknownRows>(in.below(3));
  for (auto* numbers : {&out.variable, &out.right}) {
    if (in.byte() < 48) change(in, *numbers);
    numbers->resize(out.cut.size());
  }
  if (in.byte() < 48) change(in, out.start);
  if (in.byte() < 48) {
    change(in, out.cut);
    out.cut.resize(out.variable.size());
  }
  if (in.byte() < 24) change(in, out.sides);
  if (in.byte() < 24) change(in, out.shares);
  if (in.byte() < 24) change(in, out.weight);
  if (in.seldom()) out.own.assign(out.variable.size() * (classes ? 2 : 1), 0.5);
  if (out.start.size() < 2) out.start = {0, static_cast<int>(out.variable.size())};
  return out;
}

void follow_forest(Bytes& in) {
  const Rows rows(in);
  const Forest forest = forest_of(in, rows.frame);
  const tectree::ForestView view = forest.view();
  std::vector<double> said;
  try {
    said = fuzz::predictions(view, rows.frame, 1);  // checks what it reads
  } catch (const tectree::DamagedTree&) {
  }
  bool sound = true;
  try {
#ifndef FUZZ_PLANTED
    tectree::check_forest(view, rows.frame);
#endif
  } catch (const tectree::DamagedTree&) {
    sound = false;
  }
  if (!sound) return;
  require(!said.empty(), "a sound forest is not predicted");
  value(view, rows.frame);
  if (view.n_classes > 0) return;
  tectree::Team team(1);
  try {
    const std::vector<int> output(view.trees, 0);
    tectree::ShapeTables(view, rows.frame, output.data(), 1).run(team);
  } catch (const tectree::TooManyPredictors&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes in(data, size);
  if (in.flag()) {
    follow_tree(in);
  } else {
    follow_forest(in);
  }
  return 0;
}
