// The functions that sum to trees with at most two predictors per leaf, against the trees.
#include "check.h"

#include <tectree/ensemble/shapes.hpp>

#include "shap/random_forest.h"
#include "support/guarded.h"
#include "support/walk.h"

using namespace tectree;
using support::Random;

namespace {

support::ForestCase random_trees(int depth, int trees, Random& random) {
  support::ForestCase out;
  out.depth = depth;
  out.kinds = {Kind::numeric, Kind::nominal, Kind::ordered, Kind::numeric};
  for (int t = 0; t < trees; ++t) out.add_tree(random);
  // Above the last level there is nothing.
  for (std::size_t i = 0; i < out.forest.variable.size(); ++i) {
    if (std::abs(out.forest.variable[i]) == 3)
      out.forest.cut[i] = std::min(out.forest.cut[i], out.levels - 1.0);
  }
  return out;
}

// The cell of a row.
std::size_t cell_of(const ShapeColumn& of, const Column& column, std::size_t row) {
  const double x = column.value(row);
  if (std::isnan(x)) return of.cells() - 1;
  if (of.levels) return static_cast<std::size_t>(x) - 1;
  std::size_t cell = 0;
  while (cell < of.cuts.size() && x > of.cuts[cell]) ++cell;
  return cell;
}

}  // namespace

TEST(tables_sum_to_the_predictions_of_the_trees) {
  Random random(31);
  for (int turn = 0; turn < 60; ++turn) {
    const support::ForestCase of = random_trees(random.between(0, 2), 6, random);
    const support::RandomRows rows(of, 40, 0.2, random);
    const ForestView forest = of.forest.view();
    const std::vector<int> output = {0, 1, 1, 0, 1, 0};
    ShapeTables shapes(forest, rows.frame, output.data(), 2);
    Team team(1);
    shapes.run(team);
    for (std::size_t i = 0; i < 40; ++i) {
      std::vector<double> expected(2, 0.0), got = shapes.constant();
      for (std::size_t t = 0; t < output.size(); ++t)
        expected[static_cast<std::size_t>(output[t])] +=
            support::number_of(forest, t, rows.frame, i);
      for (const ShapeTable& table : shapes.tables()) {
        const ShapeColumn& first = shapes.columns()[table.first];
        const std::size_t a = cell_of(first, rows.frame.columns[table.first], i);
        std::size_t b = 0, high = 1;
        if (table.second != ShapeTable::no_column) {
          CHECK(table.first < table.second);
          const ShapeColumn& second = shapes.columns()[table.second];
          b = cell_of(second, rows.frame.columns[table.second], i);
          high = second.cells();
        }
        CHECK(table.value.size() == 2 * high * first.cells());
        for (std::size_t k = 0; k < 2; ++k)
          got[k] += table.value[(k * high + b) * first.cells() + a];
      }
      for (std::size_t k = 0; k < 2; ++k) CHECK_NEAR(got[k], expected[k], 1e-12);
    }
  }
}

TEST(a_leaf_of_three_predictors_is_refused) {
  Random random(32);
  int refused = 0;
  for (int turn = 0; turn < 40; ++turn) {
    support::ForestCase of = random_trees(3, 1, random);
    const support::RandomRows rows(of, 1, 0.0, random);
    // Whether some leaf has three on its path.
    const ForestView forest = of.forest.view();
    bool three = false;
    for (std::size_t leaf = 0; leaf < forest.nodes; ++leaf) {
      std::vector<std::size_t> on_path;
      std::size_t node = 0;
      while (node != leaf && !forest.is_leaf(node)) {
        const std::size_t column = forest.column(node), right = forest.right_child(node);
        if (std::find(on_path.begin(), on_path.end(), column) == on_path.end())
          on_path.push_back(column);
        node = leaf >= right ? right : node + 1;
      }
      three = three || (forest.is_leaf(leaf) && on_path.size() > 2);
    }
    const int output = 0;
    ShapeTables shapes(forest, rows.frame, &output, 1);
    Team team(1);
    bool threw = false;
    try {
      shapes.run(team);
    } catch (const TooManyPredictors&) {
      threw = true;
    }
    CHECK(threw == three);
    refused += threw;
  }
  CHECK(refused > 5 && refused < 40);
}

TEST(the_sides_of_levels_are_read_to_their_end_and_no_further) {
  Random random(33);
  int with_sides = 0;
  for (int turn = 0; turn < 40; ++turn) {
    const support::ForestCase of = random_trees(random.between(1, 2), 3, random);
    const support::RandomRows rows(of, 1, 0.0, random);
    const support::Guarded sides(of.forest.sides);
    ForestView forest = of.forest.view();
    const std::vector<int> output(3, 0);
    ShapeTables expected(forest, rows.frame, output.data(), 1);
    forest.sides = sides.data();
    ShapeTables got(forest, rows.frame, output.data(), 1);
    Team team(1);
    expected.run(team);
    got.run(team);
    CHECK(got.constant() == expected.constant());
    CHECK(got.tables().size() == expected.tables().size());
    with_sides += !of.forest.sides.empty();
  }
  CHECK(with_sides > 20);
}
