// Class factors, and the weights that pass them to the search.
#include "check.h"

#include <tectree/criterion/registry.hpp>
#include <tectree/search/scan/class_scan.hpp>
#include <tectree/tally/weights.hpp>

using namespace tectree;

TEST(no_factors_and_factors_of_one_are_plain) {
  ClassFactors none;
  CHECK(none.plain());
  CHECK(none.prior_of(5) == 1.0 && none.split_of(5) == 1.0);
  ClassFactors ones;
  ones.prior = {1.0, 1.0 + 1e-13};
  ones.split = {1.0, 1.0};
  CHECK(ones.plain());
}

TEST(one_factor_that_is_not_one_is_not_plain) {
  ClassFactors by_prior, by_loss;
  by_prior.prior = {0.5, 1.5};
  by_loss.split = {1.0, 1.0 + 1e-9};
  CHECK(!by_prior.plain() && !by_loss.plain());
  CHECK(by_prior.prior_of(1) == 1.5 && by_prior.split_of(1) == 1.0);
  CHECK(by_loss.prior_of(1) == 1.0 && by_loss.split_of(1) == 1.0 + 1e-9);
}

TEST(sizes_are_kept_beside_weights) {
  const std::vector<double> counted = {0.5, 3.0}, sizes = {2.0, 1.5};
  const Kernel kernel(2.0, 10.0, 0.5);
  RealWeight w{};
  w.kernel = &kernel;
  w.weight = counted.data();
  w.half_least = 0.25;
  CHECK(!w.sized());
  w.has_sizes = true;
  CHECK(w.sized());
  CHECK(w.of(1) == 3.0 && w.size(1) == 1.0);
  w.sizes = sizes.data();
  CHECK(w.of(0) == 0.5 && w.size(0) == 2.0 && w.size(1) == 1.5);
  CHECK(w.rest(3.0, 2.9) == 0.0);
}

// Rows with a weight far below that of their class: a cut is admissible by the sizes alone.
TEST(a_scan_bounds_sizes_and_measures_weights) {
  const std::vector<double> counted = {0.1, 0.1, 0.1, 4.0, 4.0, 4.0}, sizes(6, 1.0);
  const std::vector<std::uint16_t> label = {0, 0, 0, 1, 1, 1};
  std::vector<Entry<std::uint16_t>> e;
  for (std::uint16_t i = 0; i < 6; ++i) e.push_back({i, i});
  const auto criterion = make_criterion("gini", 0.0, 12.3, 0.1);
  const Kernel& kernel = criterion->kernel();
  RealWeight w{};
  w.kernel = &kernel;
  w.weight = counted.data();
  w.has_sizes = true;
  w.sizes = sizes.data();
  w.half_least = 0.05;
  const std::vector<double> total = {0.3, 12.0};
  const CutValue value(*criterion, kernel.entropy(total.data(), 2, 12.3), 12.3, 6, false, 0.0);
  for (double least : {1.0, 3.0, 4.0}) {
    std::vector<BothSides<double>> sides;
    Contenders out;
    const ClassColumn<std::uint16_t, RealWeight> column{
        e.data(), 6u, label.data(), w, total, least_count<RealWeight>(least), 6.0, false};
    scan_cuts<Form::linear>(column, value, -HUGE_VAL, sides, out);
    // The pure cut has three rows on either side; no cut has four.
    CHECK(out.empty() == (least > 3.0));
    if (!out.empty()) CHECK(out.settle().size() == 1 && out.settle()[0].at == 3);
  }
}
