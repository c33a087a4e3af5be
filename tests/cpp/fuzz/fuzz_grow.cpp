// Fuzzes growth: bytes become data, weights, missing values and settings, and one kind of model is
// made of them, with its properties. For tools/checks/fuzz.sh.
#include <cstddef>
#include <cstdint>

#include "fuzz/models.h"
#include "fuzz/problem.h"
#include "roads/extreme.h"

namespace {

enum class Make { road, prune, explain, forest, boost, adaboost, rotate, splines, count };
constexpr int kinds = 9;

// With -DFUZZ_PLANTED: a child loses a row, as if a missing value had been forgotten.
void plant(tectree::Tree& tree) {
#ifdef FUZZ_PLANTED
  for (std::size_t v = 1; v < tree.size(); ++v) {
    if (tree.kind[v] == static_cast<int>(tectree::SplitKind::subset)) tree.n[v] -= 1;
  }
#else
  static_cast<void>(tree);
#endif
}

void make(const roads::Case& c, Make what, int how) {
  const roads::Posed posed(c, {});
  tectree::Tree tree = posed.grow();
  plant(tree);
  fuzz::require_sound(tree, c, posed.problem.frame);
  switch (what) {
    case Make::road:
      return fuzz::take_road(c, tree, how);
    case Make::prune:
      return fuzz::prune(c, posed, tree, how);
    case Make::explain:
      return fuzz::explain(tree, posed.problem.frame);
    case Make::forest:
      return fuzz::grow_forest(c, posed, how);
    case Make::boost:
      return fuzz::boost(c, posed, how);
    case Make::adaboost:
      return fuzz::boost_classes(c, posed);
    case Make::rotate:
      return fuzz::rotate(c, posed, how);
    case Make::splines:
      return fuzz::fit_splines(c, how);
    case Make::count:
      return fuzz::count(c, posed, tree);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Bytes in(data, size);
  const bool wild = in.seldom();
  const auto what = static_cast<Make>(in.below(kinds));
  const int how = in.byte();
  const roads::Case c = fuzz::ProblemOfBytes(in, wild).make();
  if (!wild) {
    make(c, what, how);
    return 0;
  }
  const auto ways = roads::ways_of_extremes(c);
  const auto& [name, way] = ways[static_cast<std::size_t>(how) % ways.size()];
  const std::string said = roads::wrong_with(c, way);
  fuzz::require(said.empty(), name, said);
  return 0;
}
