#include <tectree.hpp>

#include <iostream>

int main() {
  // Columns stay the caller's: numbers, and levels as codes from 1.
  const std::vector<double> petal_length{1.4, 1.5, 1.3, 4.7, 4.5, 4.0, 6.0, 5.1, 5.9};
  const std::vector<int> colour{1, 2, 2, 1, 3, 1, 3, 3, 2};
  const std::vector<int> species{1, 1, 1, 2, 2, 2, 3, 3, 3};

  tectree::Frame flowers;
  flowers.add_numbers(petal_length);
  flowers.add_levels(colour, 3);

  tectree::Problem problem = tectree::to_classify(flowers, species, 3, "tsallis", 1.5);
  problem.control.min_bucket = 2;
  tectree::StopRule stop;
  stop.max_depth = 3;
  const tectree::Tree tree = tectree::grow_tree(problem, stop);

  for (int leaf : tectree::predict_leaves(tree, flowers))
    std::cout << "leaf " << leaf << ": species " << tree.yval[leaf] + 1 << '\n';
  return 0;
}
